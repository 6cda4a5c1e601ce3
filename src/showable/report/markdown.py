"""A run in Markdown that fits one comment on a pull request, as GitHub renders it: what matters first, the worst answers unfolded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from showable.measure.expectations import UNCATEGORISED, Expected
from showable.measure.measures import MEASURES
from showable.measure.rates import Rate, percent, wilson_interval
from showable.measure.summary import RefusalQuality, Summary
from showable.records.scorecard import Bucket
from showable.report.answer_text import answer_text
from showable.report.finding_words import FINDING_WORDS
from showable.report.markdown_comment import Comment
from showable.report.markdown_text import MARKS, inline
from showable.report.over_refusals import in_another_language, over_refusals
from showable.report.page.overview import headline, release_lines
from showable.report.page.words import CAUSES
from showable.report.run_view import Entry, RunView
from showable.report.what_failed import Failure, failed_findings, what_failed, why_of, worst_entries

GITHUB_COMMENT = 65_536
"""GitHub takes no comment of more characters than this."""
MOST_WORST = 60
_ID, _LINE, _TEXT = 120, 300, 600


def render_markdown(view: RunView, limit: int = GITHUB_COMMENT) -> str:
    """Return a run in fewer than `limit` characters (UTF-16 units), however large it is; `limit` is at least 8,000.

    Read once, in constant memory. Text of records shows as it was written, and does nothing: no mention, no link,
    no markup. The worst answers follow the numbers, as many as fit; it says how many do not.
    """
    summary = view.summary
    page = Comment(limit, tail=f"<sub>signature {inline(str(summary.signature), limit=1_000)}</sub>")
    for block in _numbers(view):
        page.block(block)
    if summary.n:
        _worst(view, page)
    return str(page)


def _numbers(view: RunView) -> list[str]:
    summary = view.summary
    first = head(summary, view.name)
    if not summary.n:
        return [first]
    parts = [first, rubrics(summary), buckets(summary), causes(summary), categories(summary), measured(summary)]
    return [part for part in [*parts, faults(summary)] if part]


def _worst(view: RunView, page: Comment) -> None:
    total = _needing_a_look(view.summary)
    if not total:
        page.block("Nothing needs a look.")
        return
    worst = worst_entries(view.entries(), MOST_WORST)
    page.block(f"### What needs a look: {total:,}, the worst first")
    details = (_details(entry, unfolded=number == 0) for number, entry in enumerate(worst))
    page.rows([], details, count=total)


def _needing_a_look(summary: Summary) -> int:
    """Count as `needs_a_look` does, from the summary alone."""
    bad = sum(summary.buckets[name] for name in ("wrong", "unsupported", "unknown"))
    return bad + summary.causes.get("over_refusal", 0)


def _details(entry: Entry, *, unfolded: bool) -> str:
    """Lay out one answer: what it is, why, and the claim beside its passage."""
    record, card = entry.record, entry.card
    cause = f" · {inline(card.cause)}" if card.cause else ""
    title = f"{MARKS[card.bucket]} <b>{inline(record.id, limit=_ID)}</b> · {card.bucket}{cause}"
    rows = [("why", inline(why_of(card), limit=_LINE)), ("question", inline(record.question, limit=_LINE))]
    failure = what_failed(entry)
    if failure is None:
        answer = answer_text(entry)
        rows.append(("answer", "<i>none</i>" if answer is None else inline(answer, limit=_TEXT)))
        if failed := failed_findings(card, 3):
            rows.append(("findings", "<br>".join(inline(said, limit=_LINE) for said in failed)))
    else:
        rows += _failure(failure)
    first, *others = [f"| **{name}** | {text} |" for name, text in rows]
    said = "\n".join([first, "| :-- | :-- |", *others])
    opened = " open" if unfolded else ""
    return f"<details{opened}><summary>{title}</summary>\n\n{said}\n\n</details>\n"


def _failure(failure: Failure) -> list[tuple[str, str]]:
    said = f"{inline(failure.claim, limit=_TEXT)}<br>→ {inline(failure.verdict)}"
    rows = [(f"claim {failure.number}", said)]
    if failure.gold is not None:
        rows.append(("gold", inline(failure.gold, limit=_LINE)))
    if failure.source_id is not None:
        named = inline(failure.source_id, limit=_ID)
        passage = (
            "was not retrieved, or has no text" if failure.passage is None else inline(failure.passage, limit=_TEXT)
        )
        rows.append(("passage", f"<b>{named}</b>: {passage}"))
    return rows


# The numbers of a run as tables of GitHub's Markdown, each of a bounded size.


_NAME = 80
_ORDER: tuple[Bucket, ...] = ("correct", "refused", "wrong", "unsupported", "unknown")
"""Buckets as they are read: what is acceptable first."""
_MOST_ROWS = 20
_MOST_CAUSES = 30
_HEADED = ("acceptable",)
_UNITS = {measure.name: measure.unit for measure in MEASURES}


def head(summary: Summary, name: str) -> str:
    """Return in a few lines what came out, and what is not in these counts."""
    of = f" · {inline(name, limit=_NAME)}" if name else ""
    title = f"## showable: {headline(summary)}{of}"
    return f"{title}\n\nThere are no answers." if not summary.n else f"{title}\n\n" + "<br>\n".join(_lead(summary))


def _lead(summary: Summary) -> Iterator[str]:
    count = summary.buckets
    bad = f"**{count['wrong']:,} wrong, {count['unsupported']:,} unsupported**, {count['unknown']:,} unknown"
    yield f"{bad} · {count['correct']:,} correct, {count['refused']:,} refused"
    if summary.not_measured is None:
        yield f"acceptable where decided: {summary.rates['acceptable']}"
    for said in (over_refusals(summary), in_another_language(summary)):
        if said:
            yield said
    if summary.records is not None and summary.records > summary.n:
        left = summary.records - summary.n
        yield f"**not finished**: {left:,} of {summary.records:,} records are not scored yet"
    if summary.rejected:
        yield f"{summary.rejected:,} lines of the input were no records and are in none of these counts"
    if summary.correct_no_gold:
        yield f"{summary.correct_no_gold:,} of the correct have no gold answer and are judged by citations alone"
    if released := release_lines(summary):
        profile = summary.signature.profile.partition("@")[0]
        yield f"**under the {inline(profile, limit=_NAME)} profile**: {'; '.join(released)}"


def buckets(summary: Summary) -> str:
    """Return every bucket with its count, its share of all answers, and the interval of that share."""
    rows = []
    for bucket in _ORDER:
        share = summary.buckets[bucket] / summary.n
        low, high = wilson_interval(share, summary.n)
        rows.append(
            (
                f"{MARKS[bucket]}\N{NO-BREAK SPACE}{bucket}",
                f"{summary.buckets[bucket]:,} / {summary.n:,}",
                f"{percent(share)}\N{NO-BREAK SPACE}%",
                f"{percent(low)}–{percent(high)}",
            )
        )
    return _table((("bucket", "l"), ("answers", "r"), ("share", "r"), ("95 % interval", "l")), rows)


def causes(summary: Summary) -> str:
    """List causes, the most frequent first."""
    ranked = sorted(summary.causes.items(), key=lambda one: (-one[1], one[0]))
    listed = ", ".join(f"{inline(cause, limit=_NAME)} {count:,}" for cause, count in ranked[:_MOST_CAUSES])
    if not listed:
        return ""
    meant = [(cause, CAUSES[cause]) for cause, _ in ranked if cause in CAUSES]
    meaning = _folded("What these causes mean", "\n".join(f"- {cause}: {inline(said)}" for cause, said in meant))
    return f"**Causes**: {listed}\n\n{meaning}" if meant else f"**Causes**: {listed}"


def categories(summary: Summary) -> str:
    """Return the buckets of each category of question, and what it called for; none where the questions have no categories."""
    if set(summary.categories) <= {UNCATEGORISED}:
        return ""
    asked = bool(summary.expected)
    expected = [("as expected", "r")] if asked else []
    heads = [("category", "l"), *expected, ("acceptable", "r"), *((name, "r") for name in _ORDER)]
    rows = []
    for name, counts in summary.categories.items():
        good, n = counts["correct"] + counts["refused"], sum(counts.values())
        met = [_met(summary.expected.get(name))] if asked else []
        numbers = (_count(counts[bucket]) for bucket in _ORDER)
        rows.append((inline(name, limit=_NAME), *met, f"{good:,} / {n:,}", *numbers))
    return _folded(f"Categories of question ({len(rows)})", _table(heads, rows))


def _met(expected: Expected | None) -> str:
    """Return how many are in a bucket that the question called for, of those decided."""
    if expected is None:
        return "–"
    decided = expected.met + expected.missed
    return f"{expected.met:,} / {decided:,}" if decided else "none decided"


def measured(summary: Summary) -> str:
    """Return the axes and the named rates, each with its counts, its interval, and what could not be checked."""
    rates = {name: rate for name, rate in summary.rates.items() if name not in _HEADED}
    quality, extra = summary.axes.refusal_quality, summary.axes.extra_claim_count
    said = f"{extra.sum:,} in {extra.n:,} answers; none in {extra.without:,}" if extra.n else "not measured"
    lists = f"- refusal_quality: {_quality(quality)}\n- extra_claim_count: {said}"
    heads = (("rate", "l"), ("", "r"), ("95 % interval", "l"), ("counted", "l"), ("unknown", "r"), ("n/a", "r"))
    return _folded("Axes and rates", f"{lists}\n\n{_table(heads, [_rate(*one) for one in rates.items()])}")


def rubrics(summary: Summary) -> str:
    """Return the three rubrics, each over answers and over its units. They are never added up into one number."""
    if not summary.rubrics:
        return ""
    heads = (
        ("rubric", "l"),
        ("of", "l"),
        ("", "r"),
        ("95 % interval", "l"),
        ("counted", "l"),
        ("unknown", "r"),
        ("n/a", "r"),
    )
    rows = []
    for name, rubric in summary.rubrics.items():
        for shown, unit, rate in ((name, "answers", rubric.answers), ("", rubric.unit, rubric.units)):
            rows.append((shown, unit, *_rate(name, rate)[1:]))
    return _table(heads, rows)


def faults(summary: Summary) -> str:
    """Return the codes that failed or could not be checked, the most frequent first, in words."""
    counted = [(code, counts) for code, counts in summary.findings.items() if counts.failed or counts.unknown]
    ranked = sorted(counted, key=lambda one: (-one[1].failed, -one[1].unknown, one[0]))
    rows = [
        (
            inline(code, limit=_NAME),
            _count(n.failed),
            _count(n.unknown),
            FINDING_WORDS[code].brief if code in FINDING_WORDS else "",
        )
        for code, n in ranked
    ]
    if not rows:
        return ""
    heads = (("finding", "l"), ("failed", "r"), ("unknown", "r"), ("in words", "l"))
    return _folded(f"Findings ({len(rows)} codes)", _table(heads, rows))


def _rate(name: str, rate: Rate) -> tuple[str, ...]:
    left_out = (_count(rate.unknown), _count(rate.not_applicable))
    if rate.rate is None or rate.low is None or rate.high is None:
        return (inline(name, limit=_NAME), "–", "not measured" if rate.unknown else "nothing to check", "", *left_out)
    counts = f"{rate.passed:,} / {rate.passed + rate.failed:,} {_UNITS.get(name, '')}".rstrip()
    return (
        inline(name, limit=_NAME),
        f"{percent(rate.rate)} %",
        f"{percent(rate.low)}–{percent(rate.high)}",
        counts,
        *left_out,
    )


def _quality(quality: RefusalQuality) -> str:
    if quality.mean is None:
        return "not applicable (no refusals)"
    grades = ", ".join(f"{count:,} of grade {grade}" for grade, count in quality.counts.items() if count)
    return f"mean {quality.mean:.2f} of 3 (n = {quality.n:,}, 95 % CI {quality.low:.2f}–{quality.high:.2f}); {inline(grades)}"


def _count(count: int) -> str:
    return f"{count:,}" if count else "·"


def _folded(title: str, body: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>"


def _table(heads: Sequence[tuple[str, str]], rows: Iterable[Sequence[str]]) -> str:
    """Lay out a table of at most twenty rows, with a line under it that counts the rest."""
    listed = list(rows)
    sides = {"l": ":--", "r": "--:"}
    lines = [_row([name for name, _ in heads]), _row([sides[side] for _, side in heads])]
    lines += [_row(cells) for cells in listed[:_MOST_ROWS]]
    left = len(listed) - _MOST_ROWS
    return "\n".join(lines) + (f"\n\n… and {left:,} more rows that are not shown" if left > 0 else "")


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
