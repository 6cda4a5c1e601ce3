"""What a comparison's figures are called and how they are written, the same in every format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from showable.measure.comparison import (
    CategoryShare,
    Comparison,
    Crossing,
    Difference,
    Latency,
    LicenceEffect,
    LicenceUnclear,
    Quality,
    Row,
    Share,
    Spent,
    Swap,
)
from showable.measure.rates import Rate, percent
from showable.records.asking import PipelineFacts
from showable.report.decision_words import p_value
from showable.report.expected_words import met, met_between

BUCKETS = ("correct", "refused", "wrong", "unsupported", "unknown")
"""In the order of every table: what may be shown first."""
AXES: Mapping[str, str] = {
    "citation_exists": "citations exist",
    "citation_supports": "citations support",
    "refusal_quality": "refusal quality",
    "extra_claim_count": "claims uncited",
}
_CLASSES = {"frontier": "frontier", "large_open": "large open", "mid": "mid", "small": "small"}
REPEATS_NOTE = (
    "Of repeats a question counts as most of them came out, of ties as the worse. In brackets: what the single repeats came to."
    " The count may lie outside of that: what goes wrong now and then, each time on another question, goes wrong in no majority."
    " Citations, time and cost are of all repeats' answers; refusal quality and uncited claims are means by question, as in the"
    " gate."
)
REFUSALS_NOTE = (
    "Refusals right: refused, of the questions where only a refusal is right. Over-refusals: refused without warrant, of all"
    " others, also where a refusal may be shown."
)
INTERVAL_NOTE = (
    "Intervals are 95 %: Wilson's for shares of questions, a bootstrap by question for citations and refusal quality."
)


def head_of(comparison: Comparison) -> str:
    """Return what is compared."""
    return f"{len(comparison.rows)} runs over the same {comparison.n:,} questions (set {comparison.questions})"


def class_of(row: Row) -> str:
    """Call the class of a row's model."""
    return _CLASSES.get(row.model_class, row.model_class)


def facts_in_words(row: Row) -> str:
    """Return which pipeline a row is: model, prompt, licence, repeats; what was not said is left out."""
    parts = [*_pipeline(row.pipeline)]
    if row.repeats > 1:
        parts.append(f"{row.repeats} repeats, {row.flaky} flaky")
    if row.errors:
        parts.append(f"{row.errors} {'answer' if row.errors == 1 else 'answers'} failed (error)")
    return " · ".join(parts) or "nothing is said of the pipeline"


def licence_of(row: Row) -> str:
    """Return whether a row's prompt has the refusal licence."""
    licence = row.pipeline.refusal_licence if row.pipeline is not None else None
    return {True: "yes", False: "no", None: "not said"}[licence]


def interval(low: float | None, high: float | None) -> str:
    """Write an interval of fractions as percent: ``23–39 %``; nothing where there is none."""
    return "" if low is None or high is None else f"{100 * low:.0f}–{100 * high:.0f} %"


def share(one: Share) -> str:
    """Write a share: ``23.1 %``, or that there was nothing to count."""
    return "n/a" if one.share is None else f"{percent(one.share)} %"


def count(one: Share) -> str:
    """Write a count, with how it varied between repeats: ``40 (38–41)``."""
    varied = one.over_repeats
    return (
        f"{one.count:,}"
        if varied is None or varied.low == varied.high
        else f"{one.count:,} ({varied.low}–{varied.high})"
    )


def rate(one: Rate) -> tuple[str, str]:
    """Write a rate and its interval."""
    if one.rate is None:
        return ("unknown" if one.unknown else "n/a", "")
    return f"{percent(one.rate)} %", interval(one.low, one.high)


def quality(one: Quality) -> tuple[str, str]:
    """Write the mean quality of refusals and its interval."""
    if one.mean is None:
        return "n/a", ""
    return f"{one.mean:.2f}", "" if one.low is None or one.high is None else f"{one.low:.2f}–{one.high:.2f}"


def seconds(value: float | None) -> str:
    """Write a time as people read it."""
    if value is None:
        return "n/a"
    return f"{1000 * value:.0f} ms" if value < 1 else f"{value:.1f} s"


def latency(one: Latency) -> tuple[str, str]:
    """Write the median and the 95th percentile."""
    return seconds(one.median), "" if one.p95 is None else f"p95 {seconds(one.p95)}"


def cost(one: Spent) -> tuple[str, str]:
    """Write what a question cost on average, and in how many tokens; a price that is not known is no zero."""
    tokens = one.tokens_in + one.tokens_out
    beside = f"{tokens / one.n:,.0f} tokens" if tokens and one.n else ""
    if one.usd is None or not one.n:
        return "unknown", beside
    return f"${one.usd / one.n:.2g}" if one.usd else "$0", beside


def expected(one: CategoryShare) -> tuple[str, str]:
    """Write how many answers of a category are as expected, of those decided, and the interval of their share."""
    between = met_between(one.expected)
    return met(one.expected), "" if between is None else interval(*between)


def expects(comparison: Comparison) -> bool:
    """Check whether gold says of any category what its questions call for."""
    return any(one.expected is not None for row in comparison.rows for one in row.categories.values())


def verdict(crossing: Crossing) -> str:
    """Return what the gate decides."""
    if crossing.inconclusive:
        return "INCONCLUSIVE"
    return "SHIP" if crossing.ship else "DO NOT SHIP"


def reason(crossing: Crossing) -> str:
    """Return what is first against a candidate, and how much else is."""
    more = crossing.reasons - 1
    name, colon, rest = (crossing.reason or "every rule holds").partition(": ")
    said = f"{name.replace('_', ' ')}{colon}{rest}"
    return f"{said} (and {more} more)" if more > 0 else said


SWAP_LINES = (*BUCKETS, "acceptable")


def licence_head(effect: LicenceEffect, rows: Mapping[int, Row]) -> str:
    """Name the two rows whose only difference, as far as they say, is the licence."""
    without, licensed = rows[effect.without], rows[effect.licensed]
    return f"{without.number} {without.name} (without) → {licensed.number} {licensed.name} (with)"


SWAPS = "Licence against model: what each swap does to the same questions"


def swap_head(swap: Swap, rows: Mapping[int, Row]) -> str:
    """Name a swap: the licence given, or one model for another."""
    baseline, candidate = rows[swap.baseline], rows[swap.candidate]
    between = f"{swap.baseline} → {swap.candidate}"
    if swap.swapped == "licence":
        return f"licence given ({between})"
    models = (row.pipeline.model if row.pipeline else None for row in (baseline, candidate))
    return f"model {' → '.join(model or 'not said' for model in models)} ({between})"


def swap_cells(swap: Swap) -> list[str]:
    """Write both counts of every line and the paired test's p, in the order of `SWAP_LINES`."""
    lines = {line.name: line for line in swap.lines}
    return [
        f"{lines[name].without} → {lines[name].licensed}"
        + (f" (p {p_value(lines[name].test.p)})" if lines[name].test.better + lines[name].test.worse else "")
        for name in SWAP_LINES
    ]


def unclear_in_words(unclear: LicenceUnclear, rows: Mapping[int, Row]) -> str:
    """Name rows that are not paired because more than one pairing fits."""
    without, licensed = (
        ", ".join(f"{number} {rows[number].name}" for number in side) for side in (unclear.without, unclear.licensed)
    )
    return (
        f"Not paired, as the pairs are not unique: {without} (without the licence) and {licensed} (with it) say of"
        " themselves nothing else that differs. Compare two of them alone to see the licence's effect."
    )


def change(before: int, after: int) -> str:
    """Write a difference with its sign."""
    return "±0" if before == after else f"{after - before:+d}".replace("-", "−")


def in_order(effect: LicenceEffect) -> list[Difference]:
    """Return the lines of an effect in the order of every other table, the acceptable answers last."""
    places = {name: place for place, name in enumerate(BUCKETS)}
    return sorted(effect.differences, key=lambda line: places.get(line.name, len(places)))


def moves_of(effect: LicenceEffect) -> list[tuple[str, str, int]]:
    """Count the questions that moved by the buckets they moved between, the most frequent first."""
    counts = Counter((one.without, one.licensed) for one in effect.moved)
    return [(before, after, count) for (before, after), count in counts.most_common()]


def moved_in_words(effect: LicenceEffect) -> str:
    """Return how many questions moved, and between which buckets."""
    one = len(effect.moved) == 1
    listed = ", ".join(f"{before} → {after} {count:,}" for before, after, count in moves_of(effect))
    return f"{len(effect.moved):,} {'question' if one else 'questions'} moved: {listed}"


def by_number(comparison: Comparison) -> dict[int, Row]:
    """Return the rows by their number."""
    return {row.number: row for row in comparison.rows}


def category_names(comparison: Comparison) -> list[str]:
    """Return the categories in the order of the rows' tables; all rows have the same ones."""
    return list(comparison.rows[0].categories)


def _pipeline(facts: PipelineFacts | None) -> list[str]:
    if facts is None:
        return []
    licence = {True: "with refusal licence", False: "without refusal licence", None: None}[facts.refusal_licence]
    prompt = f"prompt {facts.prompt}" if facts.prompt else None
    return [part for part in (facts.model or facts.name, prompt, licence) if part]
