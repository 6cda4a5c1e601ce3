"""A run in Markdown that fits one comment on a pull request, as GitHub renders it: what matters first, the worst answers unfolded."""

from __future__ import annotations

from showable.measure.summary import Summary
from showable.report.answer_text import answer_text
from showable.report.markdown_comment import Comment
from showable.report.markdown_tables import buckets, categories, causes, faults, head, measured, rubrics
from showable.report.markdown_text import MARKS, inline
from showable.report.run_view import Entry, RunView
from showable.report.what_failed import Failure, failed_findings, what_failed, why_of, worst_entries

GITHUB_COMMENT = 65_536
"""GitHub takes no comment of more characters than this."""
MOST_WORST = 60
_ID, _LINE, _TEXT = 120, 300, 600


def render_markdown(view: RunView, limit: int = GITHUB_COMMENT) -> str:
    """Give a run in fewer than `limit` characters (UTF-16 units), however large it is; `limit` is at least 8,000.

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
