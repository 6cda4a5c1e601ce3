"""The top of the page: a summary laid out in figures that always carry their counts and intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from showable.measure.expectations import UNCATEGORISED, Expected
from showable.measure.measures import MEASURES
from showable.measure.rates import Rate, percent, wilson_interval
from showable.measure.summary import RefusalQuality, Summary
from showable.records.findings import OutcomeCounts
from showable.records.signature import Signature
from showable.report.over_refusals import in_another_language, over_refusals
from showable.report.page import words
from showable.report.page.texts import code_of, line

MOST_ROWS = 300
"""Categories, and codes of findings, that the summary lists, each."""
_ORDER = ("correct", "refused", "wrong", "unsupported", "unknown")
"""Buckets as they are read: what is acceptable first."""
_AXES = ("acceptable", "citation_exists", "citation_supports")
_NOTHING = "nothing to check"
_UNITS = {measure.name: measure.unit for measure in MEASURES}


@dataclass(frozen=True, slots=True)
class Share:
    """A count of a whole, with its share and 95 % interval: in percent for drawing, in words for reading."""

    count: int
    of: int
    at: float
    low: float
    high: float
    said: str
    interval: str


@dataclass(frozen=True, slots=True)
class Bar:
    """One bucket: what it is called, what it means, its share, and where it stands in the bar of all five."""

    bucket: str
    sign: str
    meaning: str
    share: Share
    start: float


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """One category of question: how many, how many acceptable of those decided (None of none), and each bucket, with intervals.

    `expected` says how many of those decided are in a bucket that the question calls for; None where gold expects none.
    """

    name: str
    n: int
    expected: Share | None
    acceptable: Share | None
    buckets: tuple[tuple[str, Share], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A rate in words; `share` is None where nothing could be measured, which `said` then says."""

    name: str
    unit: str
    share: Share | None
    said: str


@dataclass(frozen=True, slots=True)
class RubricRow:
    """One rubric: what it asks, its rate over answers, and its rate over claims or citations."""

    name: str
    asks: str
    answers: Figure
    units: Figure


def share_of(count: int, of: int) -> Share | None:
    """Return a share with Wilson's interval, or None of nothing."""
    if not of:
        return None
    low, high = wilson_interval(count / of, of)
    said, interval = f"{percent(count / of)}\u00a0%", f"{percent(low)}–{percent(high)}"
    return Share(count, of, 100 * count / of, 100 * low, 100 * high, said, interval)


def headline(summary: Summary) -> str:
    """Return in one sentence what the run came to."""
    if not summary.n:
        return "Nothing was scored"
    if summary.not_measured is not None:
        return summary.not_measured[0].upper() + summary.not_measured[1:]
    good = summary.buckets["correct"] + summary.buckets["refused"]
    if summary.n == 1:
        return "The one answer is acceptable" if good else "The one answer is not acceptable"
    if summary.buckets["unknown"] == summary.n:
        return f"None of {summary.n:,} answers could be decided"
    return f"{good:,} of {summary.n:,} answers are acceptable"


def bars(summary: Summary) -> list[Bar]:
    """Return the five buckets of a run that is not empty."""
    made, start = [], 0.0
    for bucket in _ORDER:
        share = share_of(summary.buckets[bucket], summary.n)
        if share is not None:
            made.append(Bar(bucket, words.SIGNS[bucket], words.BUCKETS[bucket], share, start))
            start += share.at
    return made


def category_rows(summary: Summary) -> list[CategoryRow]:
    """Return every category of question, or none where the questions have none."""
    if set(summary.categories) <= {UNCATEGORISED}:
        return []
    rows = list(_category_rows(summary.categories, summary.expected))
    if summary.not_measured is not None:
        rows = [replace(row, acceptable=None) for row in rows]
    return rows


def _category_rows(
    categories: Mapping[str, Mapping[str, int]], expected: Mapping[str, Expected]
) -> Iterator[CategoryRow]:
    for name, buckets in list(categories.items())[:MOST_ROWS]:
        n = sum(buckets.values())
        good = share_of(buckets["correct"] + buckets["refused"], n - buckets["unknown"])
        if n:
            shares = tuple((bucket, share) for bucket in _ORDER if (share := share_of(buckets[bucket], n)) is not None)
            called_for = expected.get(name, Expected())
            met = share_of(called_for.met, called_for.met + called_for.missed)
            yield CategoryRow(line(name), n, met, good, shares)


def axes(summary: Summary) -> list[Figure]:
    """Return the axes beside the bucket."""
    extra, quality = summary.axes.extra_claim_count, summary.axes.refusal_quality
    said = f"{extra.sum:,} in {extra.n:,} answers; none in {extra.without:,}" if extra.n else "not measured"
    return [
        _figure("citation_exists", summary.axes.citation_exists),
        _figure("citation_supports", summary.axes.citation_supports),
        Figure("refusal_quality", "refusals", _quality_share(quality), _quality(quality)),
        Figure("extra_claim_count", "claims without a citation", None, said),
    ]


def figures(summary: Summary) -> list[Figure]:
    """Return every other measure."""
    return [_figure(name, rate) for name, rate in summary.rates.items() if name not in _AXES]


def _figure(name: str, rate: Rate, unit: str | None = None) -> Figure:
    beside = [f"{rate.unknown:,} unknown"] if rate.unknown else []
    beside += [f"{rate.not_applicable:,} not applicable"] if rate.not_applicable else []
    unit = unit or _UNITS.get(name, "answers")
    if rate.rate is None or rate.low is None or rate.high is None:
        return Figure(name, unit, None, "; ".join(["not measured" if rate.unknown else _NOTHING, *beside]))
    decided = rate.passed + rate.failed
    said, interval = f"{percent(rate.rate)}\u00a0%", f"{percent(rate.low)}–{percent(rate.high)}"
    share = Share(rate.passed, decided, 100 * rate.rate, 100 * rate.low, 100 * rate.high, said, interval)
    return Figure(name, unit, share, "; ".join(beside))


def _quality(quality: RefusalQuality) -> str:
    if quality.mean is None:
        return "not applicable: nothing was refused"
    grades = ", ".join(f"{count:,} of grade {grade}" for grade, count in quality.counts.items() if count)
    return f"mean {quality.mean:.2f} of 3 (n = {quality.n:,}, 95 % {quality.low:.2f}–{quality.high:.2f}); {grades}"


def _quality_share(quality: RefusalQuality) -> Share | None:
    if quality.mean is None or quality.low is None or quality.high is None:
        return None
    at, low, high = (100 * value / 3 for value in (quality.mean, quality.low, quality.high))
    return Share(quality.n, quality.n, at, low, high, f"{quality.mean:.2f}", f"{quality.low:.2f}–{quality.high:.2f}")


def rubric_rows(summary: Summary) -> list[RubricRow]:
    """Return the rubrics in the order in which they are asked."""
    return [
        RubricRow(name, words.RUBRICS[name], _figure(name, rates.answers), _figure(name, rates.units, rates.unit))
        for name, rates in summary.rubrics.items()
    ]


def check_rows(summary: Summary) -> list[tuple[str, OutcomeCounts]]:
    """Return every check with its outcomes, those of one rubric together."""
    place = {name: at for at, name in enumerate(words.RUBRICS)}
    ranked = sorted(summary.checks, key=lambda code: (place.get(code.partition(".")[0], len(place)), code))
    return [(line(code), summary.checks[code]) for code in ranked]


def finding_rows(summary: Summary) -> list[tuple[str, OutcomeCounts]]:
    """List the codes of findings, those that failed most first."""
    ranked = sorted(summary.findings.items(), key=lambda entry: (-entry[1].failed, -entry[1].unknown, entry[0]))
    return [(code_of(code), counts) for code, counts in ranked[:MOST_ROWS]]


def cause_rows(summary: Summary) -> list[tuple[str, int, str]]:
    """List the causes, the most frequent first, with what each means."""
    ranked = sorted(summary.causes.items(), key=lambda entry: (-entry[1], entry[0]))
    return [(cause, count, words.CAUSES.get(cause, "")) for cause, count in ranked]


def release_lines(summary: Summary) -> list[str]:
    """Return what the profile lets through, where it asks for more than the rubrics do."""
    profile, released = summary.signature.profile, summary.released
    if (profile == "general" and released.shown_from is None) or not summary.n:
        return []
    lines = [f"{released.show:,} may be shown, {released.hold:,} held back, {released.unknown:,} undecided"]
    if released.floor is not None:
        verdict = {"hold": "HOLD", "unknown": "UNDECIDED", "show": "reached", None: "there are no citations"}
        lines += [f"citations that resolve: {summary.rates['citation_resolves']}"]
        lines += [f"floor of {percent(released.floor)} %: {verdict[released.verdict]}"]
    return lines + ([str(released.shown_from)] if released.shown_from is not None else [])


def signature_parts(signature: Signature) -> list[tuple[str, str]]:
    """Return the fields of a signature as they print."""
    return [
        (field, "–" if (value := getattr(signature, field)) is None else line(str(value)))
        for field in type(signature).model_fields
    ]


def tables(summary: Summary) -> dict[str, Any]:
    """Return everything that the summary of the page is laid out from."""
    return {
        "headline": headline(summary),
        "over_refused": over_refusals(summary),
        "in_another_language": in_another_language(summary),
        "bars": bars(summary),
        "acceptable": _figure("acceptable", summary.rates["acceptable"]),
        "categories": category_rows(summary),
        "categories_left_out": max(0, len(summary.categories) - MOST_ROWS),
        "axes": axes(summary),
        "figures": figures(summary),
        "rubrics": rubric_rows(summary),
        "checks": check_rows(summary),
        "findings": finding_rows(summary),
        "findings_left_out": max(0, len(summary.findings) - MOST_ROWS),
        "causes": cause_rows(summary),
        "released": release_lines(summary),
        "signature": signature_parts(summary.signature),
    }
