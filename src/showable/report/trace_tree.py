"""A trace on the terminal: its spans as a tree, and under each answer what was found out about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from showable.records.findings import Finding, Outcome
from showable.records.spans import Span
from showable.records.traced import LiveScore
from showable.report.finding_words import FINDING_WORDS
from showable.report.terminal import STYLES
from showable.report.untrusted import printable
from showable.rubrics.retrieval_log import known_shown

_NAME, _TEXT, _REASON, _ID = 60, 160, 200, 40
_IDS = 8
"""Ids on a line."""
MOST_SPANS = 300
"""Spans drawn; the rest of a larger trace are counted."""
_DEEPEST = 8
"""Steps into the tree that are drawn as such; what is further in stands in one line below the other, or nothing is left of 80 columns."""
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
    by_span = {score.answer.span_id: score for score in scores}
    tree = Tree(_headline(spans[0].trace_id, spans, scores), guide_style="dim")
    parents = _parents(spans)
    drawn = _drawn(spans, by_span, parents)
    children: dict[str | None, list[Span]] = {}
    shown = {span.span_id for span in drawn}
    for span in drawn:
        parent = parents[span.span_id]
        while parent is not None and parent not in shown:
            parent = parents[parent]
        children.setdefault(parent, []).append(span)
    waiting = [(tree, root, 0) for root in reversed(children.get(None, []))]
    while waiting:  # no recursion: chains of thousands of spans exist
        above, span, depth = waiting.pop()
        node = above.add(_line(span, kinds.get(span.span_id, ""), depth))
        for said in _under(span, by_span.get(span.span_id)):
            node.add(said)
        inside = node if depth < _DEEPEST else above
        waiting.extend((inside, child, depth + 1) for child in reversed(children.get(span.span_id, [])))
    console.print(tree)
    if left := len(parents) - len(drawn):
        console.print(Text(f"{left} more span{'s' * (left != 1)} not drawn", style="dim"))


def _headline(trace_id: str, spans: Sequence[Span], scores: Sequence[LiveScore]) -> Text:
    services = sorted({span.service for span in spans if span.service})
    parts = [f"trace {printable(trace_id, limit=_ID)}", printable(", ".join(services), limit=_NAME)]
    parts += [f"{len(spans)} span{'s' * (len(spans) != 1)}", f"{len(scores)} answer{'s' * (len(scores) != 1)}"]
    return Text(" · ".join(part for part in parts if part), style="bold")


def _parents(spans: Iterable[Span]) -> dict[str, str | None]:
    """Return each span's parent, None at a root and where it is not there. A circle of parents is cut at the span that starts first."""
    held = {span.span_id: span for span in spans}
    parents = {span.span_id: span.parent_id if span.parent_id in held else None for span in held.values()}
    sound: set[str] = set()
    for each in held:
        path: dict[str, None] = {}
        at: str | None = each
        while at is not None and at not in sound and at not in path:
            path[at] = None
            at = parents[at]
        if at is not None and at in path:
            ring = list(path)[list(path).index(at) :]
            parents[min(ring, key=lambda one: (held[one].start_ns, held[one].end_ns, one))] = None
        sound.update(path)
    return parents


def _drawn(spans: Sequence[Span], answers: Iterable[str], parents: Mapping[str, str | None]) -> list[Span]:
    """Choose what is drawn, by start: the answers with all above them, then from the outside in, `MOST_SPANS` together."""
    held = {span.span_id: span for span in spans}
    ordered = sorted(held.values(), key=lambda one: (one.start_ns, -one.end_ns, one.span_id))
    if len(ordered) <= MOST_SPANS:
        return ordered
    inside: dict[str | None, list[str]] = {}
    for span in ordered:
        inside.setdefault(parents[span.span_id], []).append(span.span_id)
    outer: list[str] = []
    level: list[str] = inside.get(None, [])
    while level:
        outer += level
        level = [child for one in level for child in inside.get(one, [])]
    chosen: dict[str, None] = {}
    for one in [*(each for each in answers if each in held), *outer]:
        path: list[str] = []
        at: str | None = one
        while at is not None and at not in chosen:
            path.append(at)
            at = parents[at]
        path = path if len(path) <= 2 * _DEEPEST else [*path[:_DEEPEST], *path[-_DEEPEST:]]
        if len(chosen) + len(path) <= MOST_SPANS:
            chosen.update(dict.fromkeys(path))
    return [span for span in ordered if span.span_id in chosen]


def _line(span: Span, kind: str, depth: int) -> Text:
    line = Text()
    line.append(f"({depth} deep) " if depth > _DEEPEST else "", style="dim")
    line.append(printable(span.name, limit=_NAME) or "(no name)")
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
        why = f" ({printable(score.diagnosis_why, limit=_REASON)})" if score.diagnosis_why else ""
        yield Text(f"whose problem: {score.diagnosis}{why}", style="yellow")
    for finding in card.findings:
        if finding.outcome is Outcome.FAIL:
            yield _finding(finding)
    for loss in score.answer.losses:
        yield Text(f"note: {printable(loss.words, limit=_REASON)}", style="dim")
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
    """Return what was retrieved, and what of it the model was shown where that is something else."""
    retrieved, shown = score.answer.record.retrieved, known_shown(score.answer.record)
    if retrieved is None:
        return "retrieved: not logged"
    ids = [source.source_id for source in retrieved]
    said = f"retrieved: {_listed(ids)}" if ids else "retrieved: nothing"
    return said if shown is None or list(shown) == ids else f"{said}; shown to the model: {_listed(shown) or 'nothing'}"


def _listed(ids: Sequence[str]) -> str:
    named = ", ".join(printable(one, limit=_ID) for one in ids[:_IDS])
    return f"{named} and {len(ids) - _IDS} more" if len(ids) > _IDS else named


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
