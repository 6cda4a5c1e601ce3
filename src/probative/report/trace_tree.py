"""A trace on the terminal: its spans as a tree, and under each answer what was found out about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from probative.records.findings import Finding, Outcome
from probative.records.spans import Span
from probative.records.traced import LiveScore
from probative.report.finding_words import FINDING_WORDS
from probative.report.terminal import STYLES
from probative.report.untrusted import printable

_NAME, _TEXT, _REASON, _ID = 60, 160, 200, 40
MOST_SPANS = 300
"""Spans drawn; the rest of a larger trace are counted."""
_OUTCOME_STYLES = {
    Outcome.PASS: "green",
    Outcome.FAIL: "red",
    Outcome.UNKNOWN: "magenta",
    Outcome.NOT_APPLICABLE: "dim",
}


def render_trace(
    spans: Sequence[Span], kinds: Mapping[str, str], scores: Sequence[LiveScore], *, console: Console
) -> None:
    """Print a trace of spans, in order of their start; `kinds` gives what each is by its span id."""
    first, by_span = spans[0], {score.answer.span_id: score for score in scores}
    tree = Tree(_headline(first.trace_id, spans, scores), guide_style="dim")
    children, room = _children(spans), MOST_SPANS
    waiting = [(tree, root) for root in reversed(children.get(None, []))]
    while waiting and room:  # no recursion: chains of thousands of spans exist
        room -= 1
        above, span = waiting.pop()
        node = above.add(_line(span, kinds.get(span.span_id, "")))
        for said in _under(span, by_span.get(span.span_id)):
            node.add(said)
        waiting.extend((node, child) for child in reversed(children.get(span.span_id, [])))
    console.print(tree)
    if len(spans) > MOST_SPANS:
        console.print(Text(f"{len(spans) - MOST_SPANS} more spans are not drawn", style="dim"))


def _headline(trace_id: str, spans: Sequence[Span], scores: Sequence[LiveScore]) -> Text:
    services = sorted({span.service for span in spans if span.service})
    parts = [f"trace {printable(trace_id, limit=_ID)}", printable(", ".join(services), limit=_NAME)]
    parts += [f"{len(spans)} span{'s' * (len(spans) != 1)}", f"{len(scores)} answer{'s' * (len(scores) != 1)}"]
    return Text(" · ".join(part for part in parts if part), style="bold")


def _children(spans: Sequence[Span]) -> dict[str | None, list[Span]]:
    """Put spans under their parents; a span whose parent is not there, or is below itself, stands at the root."""
    held = {span.span_id: span for span in spans}
    children: dict[str | None, list[Span]] = {}
    for span in sorted(held.values(), key=lambda one: (one.start_ns, one.span_id)):
        parent = span.parent_id if span.parent_id in held and not _circular(span, held) else None
        children.setdefault(parent, []).append(span)
    return children


def _circular(span: Span, held: Mapping[str, Span]) -> bool:
    seen, above = {span.span_id}, span.parent_id
    while above in held:
        if above in seen:
            return True
        seen.add(above)
        above = held[above].parent_id
    return False


def _line(span: Span, kind: str) -> Text:
    line = Text(printable(span.name, limit=_NAME) or "(no name)")
    line.append(f"  {kind}" if kind and kind != "UNKNOWN" else "", style="cyan")
    took = span.latency_ms
    line.append("  time unknown" if took is None else f"  {_duration(took)}", style="dim")
    if span.status == "error":
        line.append(f"  error: {printable(span.status_message, limit=_REASON)}", style="red")
    return line


def _duration(milliseconds: float) -> str:
    return f"{milliseconds / 1000:.2f} s" if milliseconds >= 1000 else f"{milliseconds:.0f} ms"  # noqa: PLR2004 - a second


def _under(span: Span, score: LiveScore | None) -> Iterator[Text]:
    for problem in span.problems:
        yield Text(f"! {printable(problem, limit=_REASON)}", style="yellow")
    if score is None:
        return
    card, record = score.scorecard, score.answer.record
    yield Text(f"{card.bucket}{f' · {card.cause}' if card.cause else ''}", style=STYLES[card.bucket])
    yield _rubrics(score)
    yield Text(f"question: {printable(record.question, limit=_TEXT)}")
    yield Text(f"answer: {printable(_answer_text(score), limit=_TEXT)}")
    yield Text(_log_words(score), style="dim")
    if score.diagnosis not in {"none", "unknown"}:
        yield Text(f"whose problem: {score.diagnosis}", style="yellow")
    for finding in card.findings:
        if finding.outcome is Outcome.FAIL:
            yield _finding(finding)
    for loss in score.answer.losses:
        yield Text(f"the trace does not say: {printable(loss.words, limit=_REASON)}", style="dim")
    yield Text(_sampled(score), style="dim")


def _rubrics(score: LiveScore) -> Text:
    said = Text()
    for name in ("structural", "resolvability", "semantic"):
        outcome: Outcome = getattr(score, name)
        said.append(" · " if said else "")
        said.append(f"{name} {str(outcome).replace('_', ' ')}", style=_OUTCOME_STYLES[outcome])
    return said


def _answer_text(score: LiveScore) -> str:
    answer = score.answer.record.answer
    if answer is None or isinstance(answer, str):
        return answer or "(none)"
    return answer.text or " ".join(claim.text for claim in answer.claims)


def _log_words(score: LiveScore) -> str:
    retrieved = score.answer.record.retrieved
    if retrieved is None:
        return "retrieved: not logged"
    ids = ", ".join(printable(source.source_id, limit=_ID) for source in retrieved[:8])
    more = f" and {len(retrieved) - 8} more" if len(retrieved) > 8 else ""  # noqa: PLR2004 - ids on a line
    return f"retrieved: {ids}{more}" if retrieved else "retrieved: nothing"


def _finding(finding: Finding) -> Text:
    reason = f": {printable(finding.reason, limit=_REASON)}" if finding.reason else ""
    words = FINDING_WORDS.get(finding.code)  # a scorer of somebody's own has codes of its own
    brief = words.brief if words else printable(finding.code, limit=_ID)
    return Text(f"✗ {finding.subject}: {brief}{reason}", style="red")


def _sampled(score: LiveScore) -> str:
    if score.chosen:
        state = "read by the judge" if score.judged else "waiting for the judge"
        return f"{state} ({score.stratum}, p = {score.probability:g})"
    return f"not chosen for the judge ({score.stratum}, p = {score.probability:g})"
