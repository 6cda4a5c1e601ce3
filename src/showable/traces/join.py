"""From the spans of a trace to Records: one for each answer to the user, joined to the retrieval that really happened.

`tree` puts the spans together whatever came, `sayings` finds what model calls said, `turns` cuts conversations and batches apart,
`answering` picks the answer of each turn, `preceding` and `retrieval` make its log, `shown_order` finds what of it the model saw, `asking`
the question, and `answer_parts` the citations.
The rules are written down there, each at the head of its file. What a trace does not say is among the losses of
its answers; nothing of it is made up. Any order of the spans, and any of them twice, gives the same answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from showable.read.answer import read_answer
from showable.records.record import Answer, Record
from showable.records.spans import Span
from showable.records.traced import Loss, TracedAnswer
from showable.rubrics.retrieval_log import CITATIONS_DOUBT, LOG_DOUBT
from showable.traces.answer_parts import answer_of, citations_doubt
from showable.traces.answering import Answering, answerings
from showable.traces.conventions.values import sound
from showable.traces.preceding import opening
from showable.traces.retrieval import Log, Texts, log_of
from showable.traces.text_values import asked_in, squeezed
from showable.traces.tree import Step, Tree, make_tree


def join(spans: Iterable[Span], *, complete: bool = True, texts: Texts | None = None) -> list[TracedAnswer]:
    """Return the answers of one trace, in the order of its turns; a trace without an answer gives none.

    `complete` is False where the trace was not waited for to its end. `texts` finds passages that were logged by id alone.
    """
    tree = make_tree(spans)
    found = answerings(tree)
    conventions = tuple(sorted({name for step in tree.steps for name in step.facts.conventions})) if found else ()
    return [_joined(answering, tree, conventions, complete=complete, texts=texts) for answering in found]


def _joined(
    answering: Answering, tree: Tree, conventions: Sequence[str], *, complete: bool, texts: Texts | None
) -> TracedAnswer:
    step, span = answering.step, answering.step.span
    log = log_of(answering, tree, texts, complete=complete)
    question, asked_losses = question_of(answering, log, tree)
    answer, answer_losses = answer_of(answering, log)
    own = (step, *answering.twins)
    near = (*own, *tree.above(step))
    losses = [*tree.losses, *_unfinished(tree, complete=complete), *answering.losses, *log.losses]
    record, order_losses = left_open(_record(answering, tree, log, question, answer), log.listed)
    losses += [*asked_losses, *answer_losses, *order_losses]
    return TracedAnswer(
        record=record,
        trace_id=span.trace_id,
        span_id=span.span_id,
        parent_id=span.parent_id or span.span_id,
        service=span.service,
        name=span.name,
        kind=step.facts.kind,
        model=_model(answering, tree),
        prompt_version=_said(near, "prompt_version"),
        cohort=_said(near, "cohort"),
        started_ns=span.start_ns,
        latency_ms=_latency(answering, tree),
        **{name: _first(own, name) for name in ("tokens_in", "tokens_out", "cost_usd")},
        complete=complete and not tree.missing,
        spans=len(tree.steps),
        conventions=conventions,
        losses=_once(losses, _problems((*own, *log.steps))),
    )


def _record(answering: Answering, tree: Tree, log: Log, question: str, answer: Answer | str) -> Record:
    span = answering.step.span
    near = (answering.step, *answering.twins, *tree.above(answering.step))
    return Record(
        id=sound(f"{span.trace_id}:{span.span_id}"),
        question=sound(question),
        answer=answer,
        retrieved=log.retrieved,
        shown=log.shown,
        profile=_said(near, "profile") or None,
        trace_id=sound(span.trace_id),
        metadata=_about(answering, tree, log),
    )


def _model(answering: Answering, tree: Tree) -> str:
    own = (answering.step, *answering.twins)
    return _first(own, "model") or _first(tree.below([answering.step]), "model") or ""


def _about(answering: Answering, tree: Tree, log: Log) -> dict[str, Any]:
    step = answering.step
    said = {
        "service": step.span.service,
        "model": _model(answering, tree),
        "session": _first((step, *tree.above(step)), "session"),
        "finish": step.facts.finish,
        LOG_DOUBT: log.doubt,
        CITATIONS_DOUBT: citations_doubt(answering),
    }
    return {name: value for name, value in said.items() if value}


def _first(steps: Iterable[Step], name: str) -> Any:
    """Return the first value of a fact that any of these steps says."""
    return next((value for step in steps if (value := getattr(step.facts, name)) is not None), None)


def _said(steps: Sequence[Step], name: str) -> str:
    """Return the first value that any of these steps says, else what the resource of the first says; "" where neither does."""
    return _first(steps, name) or _of_resource(steps[0].span, name)


def _of_resource(span: Span, name: str) -> str:
    keys = (f"showable.{name}", f"probative.{name}", name)
    value = next((span.resource[key] for key in keys if key in span.resource), None)
    return sound(value) if isinstance(value, str) else ""


def _latency(answering: Answering, tree: Tree) -> float | None:
    """Return the milliseconds that the user waited: of the root; of the turn's own part where a trace has several."""
    chain = [answering.step, *tree.above(answering.step)]
    if answering.turn.of > 1:
        inside = {step.id for step in answering.turn.steps if step.id not in _shared(tree)}
        chain = [step for step in chain if step.id in inside] or chain[:1]
    top = chain[-1]
    known = top.span.latency_ms if not top.span.parent_id or answering.turn.of > 1 else None
    return answering.step.span.latency_ms if known is None else known


def _shared(tree: Tree) -> set[str]:
    return {step.id for step in tree.tops} if len(tree.tops) == 1 else set()


def _unfinished(tree: Tree, *, complete: bool) -> Sequence[Loss]:
    if not complete:
        return (Loss("unfinished", "the trace was not seen to its end: spans of it may be missing"),)
    if all(step.span.parent_id and not step.span.remote_parent for step in tree.tops):
        return (Loss("unfinished", "the trace's root never came"),)
    return ()


def _problems(steps: Sequence[Step]) -> list[Loss]:
    """Return what could not be read of these spans; whether ids stay made from content is told of the whole log (`retrieval`)."""
    read = [Loss(code, words) for step in steps for code, words in step.facts.problems if code != "hashed_ids"]
    return read + [Loss("span_problem", words) for step in steps for words in step.span.problems]


def _once(said: Sequence[Loss], read: Sequence[Loss]) -> tuple[Loss, ...]:
    """Return each loss once; what a span's reading says of one that is said for the whole trace is left out."""
    codes = {loss.code for loss in said}
    return tuple(dict.fromkeys([*said, *(loss for loss in read if loss.code not in codes)]))


# Numbers in an answer, ``[2]``, of which nothing says what they count: they are left open, and lead nowhere that could be wrong.


_DOUBT = "the trace does not say in which order the model was shown the passages"


def left_open(record: Record, listed: Sequence[str]) -> tuple[Record, list[Loss]]:
    """Put a doubt on a record that cites by number where the order of what was shown is not known; `listed` is all that may have been.

    An answer that cites by id alone needs no order, and stays as it is.
    """
    if record.shown is not None or not listed or _cited(record, listed) == _cited(record, ()):
        return record, []
    metadata = {**record.metadata, LOG_DOUBT: record.metadata.get(LOG_DOUBT) or _DOUBT}
    loss = Loss("order_unknown", f"{_DOUBT}: what its numbers stand for was left open")
    return record.model_copy(update={"shown": (), "metadata": metadata}), [loss]


def _cited(record: Record, shown: Sequence[str]) -> list[str | None]:
    """Return the ids that an answer cites if these were shown."""
    reading = read_answer(record.model_copy(update={"shown": tuple(shown)}))
    claims = reading.answer.claims if reading.answer else ()
    return [one.source_id for one in (*(one for claim in claims for one in claim.citations), *reading.loose)]


# What was asked: the shortest words of the trace that are the question, rather than a prompt that it was put into.
#
# The first of: what the outermost chain above the answer took, if it stands in the model's last user message; a chain further in,
# likewise; what a retrieval of the turn was asked, likewise; where that message is stuffed with retrieved passages, what the outermost
# chain took; the message itself; what a chain or the call took.


_ASKERS = frozenset({"user", "human"})


def question_of(answering: Answering, log: Log, tree: Tree) -> tuple[str, list[Loss]]:
    """Return the question of an answer, "" where the trace says none, with what had to be worked out."""
    asked = _last_asked(answering)
    above = list(dict.fromkeys(_taken_above(answering, tree)))
    plain = squeezed(asked or "")
    for words in above:
        if asked is None or squeezed(words) in plain:
            return words, []
    for words in _queries(log):
        if len(squeezed(words)) < len(plain) and squeezed(words) in plain:
            return words, [
                Loss("question_from_retrieval", "the question is the query of the retrieval, found in the prompt")
            ]
    if above and _stuffed(plain, log):
        return above[0], [
            Loss("question_rewritten", "the question that came in is not the one that the model was asked")
        ]
    own = asked or asked_in(answering.step.facts.input_text)
    if own is None:
        return "", [Loss("no_question", "the trace does not say what was asked")]
    return own, _of_prompt(own, stuffed=_stuffed(plain, log), alone=asked is not None and not above)


def _of_prompt(own: str, *, stuffed: bool, alone: bool) -> list[Loss]:
    """Report that what was taken for the question is a prompt: with passages of the log, or of several lines and said nowhere else."""
    if stuffed:
        return [Loss("question_in_prompt", "the question is a whole prompt, retrieved passages and all")]
    if alone and len(own.splitlines()) > 1:
        words = "the question is the whole prompt of the model: no step of the trace says it apart from that"
        return [Loss("question_is_prompt", words)]
    return []


def _last_asked(answering: Answering) -> str | None:
    for step in (answering.step, *answering.twins):
        asked = [m.content for m in step.facts.inputs or () if m.role.casefold() in _ASKERS and m.content.strip()]
        if asked:
            return asked[-1].strip()
    return None


def _taken_above(answering: Answering, tree: Tree) -> Iterator[str]:
    """Yield what the steps around the answer took, the outermost first; of several turns' shared steps nothing is taken."""
    own = {step.id for step in answering.turn.steps}
    around = [
        step for step in tree.above(answering.step) if step.id in own and step.facts.kind not in {"LLM", "CONVERSATION"}
    ]
    if answering.step.facts.kind != "LLM":
        around = [answering.step, *around]
    if not around and answering.turn.of == 1:
        around = [step for step in tree.tops if step.facts.kind in {"CHAIN", "AGENT"}]
    for step in reversed(around):
        if words := _taken(step):
            yield words


def _taken(step: Step) -> str | None:
    asked = [m.content for m in step.facts.inputs or () if m.role.casefold() in _ASKERS and m.content.strip()]
    return asked[-1].strip() if asked else asked_in(step.facts.input_text)


def _queries(log: Log) -> list[str]:
    return [words for step in log.steps if (words := asked_in(step.facts.input_text))]


def _stuffed(plain: str, log: Log) -> bool:
    return any((start := opening(source.text)) and start in plain for source in log.retrieved or ())
