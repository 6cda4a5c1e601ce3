"""The gate's decision as Markdown that fits one comment on a pull request, however many questions moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from showable.errors import SettingError
from showable.measure.decision import Decision, GateLine
from showable.measure.rate_changes import RateChange
from showable.measure.what_changed import Changed
from showable.records.scorecard import Bucket, Cause
from showable.report.answer_text import answer_text
from showable.report.category_table import EXPECTED_NOTE
from showable.report.decision_words import label_of, numbers_of, p_value, reasons_of, verdict_of
from showable.report.difference.changes import Change, Changes, Compared, Direction, Flow, direction_of, folded
from showable.report.difference.retrieval import retrieval_change
from showable.report.difference.tables import BUCKETS
from showable.report.difference.word_changes import Pieces, word_changes
from showable.report.expected_words import met_on_both_sides
from showable.report.flaky_words import FlakySide, buckets_in_words, flaky_sides, repeats_in_words
from showable.report.markdown_comment import Comment
from showable.report.markdown_text import MARKS, inline
from showable.report.rate_words import change_said, rate_sides
from showable.report.released_words import released_in_words
from showable.report.run_view import Entry
from showable.report.untrusted import printable

LEAST = 1_000
"""A smaller limit holds no decision."""
_MOST_ANSWERS = 20
_OF_NAME, _OF_ID, _OF_QUESTION, _OF_REASON, _OF_ANSWER = 60, 80, 160, 400, 700
_BEFORE_CHANGE = 120


class _Row(NamedTuple):
    """One question that moved."""

    id: str
    before: Bucket
    after: Bucket
    cause_before: Cause | None
    cause_after: Cause | None
    question: str


def render_gate_markdown(decision: Decision, runs: Compared | None = None, *, limit: int = 65_536) -> str:
    """Render a decision as GitHub-flavoured Markdown of at most `limit` characters: what has no room is counted.

    With the runs it also shows the questions, the answers to the worst of them side by side, and changes of cause
    within a bucket; without them it shows what the decision holds. No text of a record makes a link, a mention, a
    reference, an image or markup. Raises SettingError where `limit` is below 1,000.
    """
    if limit < LEAST:
        raise SettingError(f"a comment takes at least {LEAST} characters, got {limit}")
    changes = runs.changes if runs is not None else None
    page = Comment(limit, tail=_tail(decision))
    _head(page, decision, runs)
    page.rows(_RULES_HEAD, map(_rule, decision.lines), count=len(decision.lines))
    _flow(page, decision, changes)
    _moved(page, decision, changes)
    for side in flaky_sides(decision):
        _flaky(page, side)
    if runs is not None:
        _answers(page, runs)
    if any(rate.questions for rate in decision.rates):
        page.rows(_RATES_HEAD, map(_rate, decision.rates), count=len(decision.rates))
    if decision.categories:
        rows = list(map(_category, decision.categories))
        page.rows(_CATEGORIES_HEAD, rows, count=len(rows))
        if any(line.expected is not None for line in decision.categories):
            page.block(f"{EXPECTED_NOTE} Categories inform and decide nothing.")
    return str(page)


def _rate(change: RateChange) -> str:
    return f"| {change.name} | {' | '.join(rate_sides(change))} | {change_said(change)} |"


def _tail(decision: Decision) -> str:
    said = f"What this can show. {inline(str(decision.can_show))}.\n\n" if decision.can_show is not None else ""
    return f"{said}<sub>{inline(str(decision.signature), limit=600)}</sub>"


def _head(page: Comment, decision: Decision, runs: Compared | None) -> None:
    verdict = verdict_of(decision, identical=runs is not None and runs.changes.identical)
    page.block(f"## showable: {verdict.word}")
    names = [inline(view.name, limit=_OF_NAME) for view in (runs.baseline, runs.candidate)] if runs is not None else []
    named = f"{' → '.join(names)}, " if all(names) and names else ""
    page.block(f"{named}{decision.n:,} questions. {verdict.said}")
    if decision.changed:
        rows = [_changed_row(change) for change in decision.changed]
        page.rows(("**What changed**", "", "| | baseline | candidate |", "|---|---|---|"), rows, count=len(rows))
    for said in filter(None, (repeats_in_words(decision), released_in_words(decision))):
        page.block(inline(said))
    if runs is not None and folded(decision, runs.changes):
        page.block("The gate folded repeats; the questions and answers below are of these two runs alone.")
    reasons = reasons_of(decision)
    if reasons:
        page.rows([], (f"- {inline(reason, limit=_OF_REASON)}" for reason in reasons), count=len(reasons))


def _changed_row(change: Changed) -> str:
    sides = (
        inline("not said" if side is None else side, limit=_OF_REASON) for side in (change.baseline, change.candidate)
    )
    return f"| {change.name.replace('_', ' ')} | {' | '.join(sides)} |"


def _flaky(page: Comment, side: FlakySide) -> None:
    """Add the questions of one side that did not come out alike in all repeats, as many as there is room for."""
    page.block(f"**Flaky**, {side.said}.")
    if side.questions:
        rows = (f"| {inline(one.id, limit=_OF_ID)} | {_plain(buckets_in_words(one))} |" for one in side.questions)
        page.rows(("| question | repeat by repeat |", "|---|---|"), rows, count=len(side.questions))


_RULES_HEAD = (
    "| holds | rule | baseline | candidate | why | p | Holm |",
    "|---|---|--:|--:|---|--:|--:|",
)


def _rule(line: GateLine) -> str:
    before, after = numbers_of(line) or ("n/a", "n/a")
    holds = {True: "ok", False: "**NO**", None: "n/a"}[line.ok]
    said = line.test is not None and line.test.better + line.test.worse > 0
    p, adjusted = (
        (p_value(line.test.p), p_value(line.test.adjusted_p)) if line.test is not None and said else ("–", "–")
    )
    columns = (
        holds,
        inline(label_of(line), limit=_OF_ID),
        before,
        f"**{after}**",
        inline(line.reason, limit=_OF_REASON),
    )
    return f"| {' | '.join(columns)} | {_plain(p)} | {_plain(adjusted)} |"


_RATES_HEAD = ("| claims and citations | baseline | candidate | change |", "|---|--:|--:|---|")
_CATEGORIES_HEAD = (
    "| category | acceptable | as expected | which shows | p | Holm |",
    "|---|--:|--:|---|--:|--:|",
)


def _category(line: GateLine) -> str:
    before, after = numbers_of(line) or ("n/a", "n/a")
    p, adjusted = (p_value(line.test.p), p_value(line.test.adjusted_p)) if line.test is not None else ("–", "–")
    met = " → ".join(met_on_both_sides(line) or ("–",))
    name, reason = inline(line.name.replace("_", " "), limit=_OF_ID), inline(line.reason, limit=_OF_REASON)
    columns = (name, f"{before} → {after}", met, reason)
    return f"| {' | '.join(columns)} | {_plain(p)} | {_plain(adjusted)} |"


def _plain(p: str) -> str:
    return p.replace("<", "&#60;")


def _flow(page: Comment, decision: Decision, changes: Changes | None) -> None:
    """Add the flow between buckets; without the runs it is not known how many stayed."""
    flows: Counter[Flow] = (
        changes.flows if changes is not None else Counter((move.before, move.after) for move in decision.moved)
    )
    if not any(before != after for before, after in flows):
        return
    head = (f"| baseline ↓ candidate → | {' | '.join(map(_bucket, BUCKETS))} |", f"|---|{'--:|' * len(BUCKETS)}")
    rows = [
        f"| {_bucket(before)} | {' | '.join(_count(before, after, flows, known=changes is not None) for after in BUCKETS)} |"
        for before in BUCKETS
    ]
    page.block("\n".join([*head, *rows]))


def _count(before: Bucket, after: Bucket, flows: Counter[Flow], *, known: bool) -> str:
    count = flows[before, after]
    if before == after:
        return f"{count:,}" if known else ""
    return f"**{count:,}**" if count else "·"


def _moved(page: Comment, decision: Decision, changes: Changes | None) -> None:
    rows = _rows(decision, changes)
    if changes is None:
        ways: Counter[Direction] = Counter(map(_direction, rows))
        count = moved = len(rows)
    else:
        ways, count, moved = changes.directions, changes.other_outcome.count, changes.moved
    if decision.n:
        said = f"**Questions that moved: {moved:,}** ({_ways(ways)})." if moved else "No question moved."
        page.block(f"{said}{_others(changes)}")
    if not count:
        return
    head = ("| question | moved | asked |", "|---|---|---|") if changes else ("| question | moved |", "|---|---|")
    page.rows(head, (_moved_row(row, asked=changes is not None) for row in rows), count=count)


def _direction(row: _Row) -> Direction:
    """Return which way the gate's decision alone tells that a question went; in one bucket it is a refusal now due, or not."""
    due = row.cause_after == "warranted" or row.cause_before == "over_refusal"
    return direction_of(row.before, row.after) or ("better" if due else "worse")


def _ways(ways: Counter[Direction]) -> str:
    said = f"{ways['worse']:,} worse, {ways['better']:,} better"
    return f"{said}, {ways['undecided']:,} that did harm now undecided" if ways["undecided"] else said


def _others(changes: Changes | None) -> str:
    """Return what changed without moving."""
    if changes is None:
        return ""
    causes, answers = changes.directions["cause"], changes.other_answer.count
    said = f" Another cause in the same bucket: {causes:,}." if causes else ""
    return f"{said} Another answer, bucket and cause the same: {answers:,}." if answers else said


def _rows(decision: Decision, changes: Changes | None) -> list[_Row]:
    if changes is None:
        return [_Row(m.id, m.before, m.after, m.cause_before, m.cause_after, "") for m in decision.moved]
    return [
        _Row(c.id, c.before.bucket, c.after.bucket, c.before.cause, c.after.cause, c.entry.record.question)
        for c in changes.other_outcome.kept()
    ]


def _moved_row(row: _Row, *, asked: bool) -> str:
    columns = [inline(row.id, limit=_OF_ID), _way(row)]
    return f"| {' | '.join([*columns, inline(row.question, limit=_OF_QUESTION)] if asked else columns)} |"


def _way(row: _Row) -> str:
    """Return what a question was and is; of a question that stayed in its bucket only the cause is another."""
    if row.before == row.after:
        causes = ((cause or "no cause").replace("_", " ") for cause in (row.cause_before, row.cause_after))
        return f"{_bucket(row.before)} ({' → '.join(causes)})"
    return f"{_outcome(row.before, row.cause_before)} → {_outcome(row.after, row.cause_after)}"


def _outcome(bucket: Bucket, cause: Cause | None) -> str:
    return f"{_bucket(bucket)} ({cause.replace('_', ' ')})" if cause else _bucket(bucket)


def _bucket(bucket: Bucket) -> str:
    return f"{MARKS[bucket]}\N{NO-BREAK SPACE}{bucket}"


def _answers(page: Comment, runs: Compared) -> None:
    """Add both answers to as many of the worst questions as there is room for."""
    for number, change in enumerate(runs.changes.other_outcome.kept()[:_MOST_ANSWERS]):
        if not page.block("\n".join(_both(change, runs.before[change.id], opened=number == 0))):
            return


def _both(change: Change, before: Entry, *, opened: bool) -> Iterator[str]:
    after = change.entry
    record = after.record
    way = f"{_bucket(change.before.bucket)} → {_bucket(change.after.bucket)}"
    yield f"<details{' open' * opened}><summary>{inline(change.id, limit=_OF_ID)}: {way}</summary>\n"
    yield f"{inline(record.question, limit=_OF_ANSWER)}\n"
    if record.gold is not None and record.gold.answer is not None:
        yield f"Gold: {inline(record.gold.answer, limit=_OF_REASON)}\n"
    yield "| baseline | candidate |\n|---|---|"
    yield f"| {' | '.join(_compared(before, after))} |"
    yield f"| {inline(before.card.why, limit=_OF_REASON)} | {inline(after.card.why, limit=_OF_REASON)} |\n"
    if answer_text(before) == answer_text(after):
        retrieved = retrieval_change(before.record.retrieved, record.retrieved).said
        yield f"The answer is the same, word for word; what it was judged by is not. Retrieval: {retrieved}\n"
    yield "</details>"


def _compared(before: Entry, after: Entry) -> tuple[str, str]:
    """Return the part of two answers where they begin to differ, as cells with the words that differ marked."""
    texts = [printable(answer_text(entry) or "") for entry in (before, after)]
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*texts, strict=False)))
    start = max(0, same - _BEFORE_CHANGE) if max(map(len, texts)) > _OF_ANSWER else 0
    words = word_changes(*(_excerpt(text, start) for text in texts))
    return _marked(words.before, "del"), _marked(words.after, "ins")


def _excerpt(text: str, start: int) -> str:
    return f"{'…' if start and text else ''}{printable(text[start:], limit=_OF_ANSWER)}"


def _marked(pieces: Pieces, tag: str) -> str:
    return (
        "".join(
            _spaced(f"<{tag}>{inline(piece)}</{tag}>" if differs else inline(piece), piece) for piece, differs in pieces
        )
        or "(no answer)"
    )


def _spaced(written: str, piece: str) -> str:
    """Put back the space at the ends of a piece, which escaping takes away."""
    return f"{' ' * piece[0].isspace()}{written}{' ' * (piece[-1].isspace() and not piece.isspace())}"
