"""Runs over time as Markdown: one table, the newest first, of as many as there is room for."""

from __future__ import annotations

from showable.measure.history import History, PastRun
from showable.measure.rates import percent
from showable.report.history import words
from showable.report.markdown_comment import Comment
from showable.report.markdown_text import MARKS, inline

_OF_NAME, _OF_WHY = 60, 300


def render_history_markdown(history: History, *, limit: int = 65_536) -> str:
    """Render the runs of a folder as Markdown of at most `limit` characters: what has no room is counted."""
    page = Comment(limit)
    page.block("## showable: runs")
    page.block(f"{inline(words.head_of(history))}. {words.note_of(history)}")
    heads = ["when", "run", "baseline", "n", "acceptable", *(f"{MARKS[b]}\N{NO-BREAK SPACE}{b}" for b in words.BUCKETS)]
    head = (f"| {' | '.join([*heads, 'set', 'signature'])} |", f"|---|---|---|{'--:|' * (len(heads) - 3)}---|---|")
    page.rows(head, map(_row, reversed(history.runs)), count=len(history.runs))
    lines = [f"- {inline(one.folder, limit=_OF_NAME)}: {inline(one.why, limit=_OF_WHY)}" for one in history.left_out]
    if lines:
        page.block("**Not told of**")
        page.rows([], lines, count=len(lines))
    return str(page)


def _row(run: PastRun) -> str:
    share, low, high = run.acceptable.share, run.acceptable.low, run.acceptable.high
    said = "n/a"
    if share is not None and low is not None and high is not None:
        said = f"{percent(share)} %<br><sub>{percent(low)}–{percent(high)} %</sub>"
    label = "" if run.name == run.folder else f"<br>{inline(run.name, limit=_OF_NAME)}"
    repeats = f" ×{run.repeats}" if run.repeats > 1 else ""
    cells = [inline(words.moment(run)), f"{inline(run.folder, limit=_OF_NAME)}{repeats}{label}"]
    cells += [f"**{inline(', '.join(run.pinned))}**" if run.pinned else "", str(run.n), said]
    cells += [str(run.buckets[bucket].count) for bucket in words.BUCKETS]
    cells += [f"`{run.questions_fingerprint}`", f"`{run.signature_short}`"]
    return f"| {' | '.join(cells)} |"
