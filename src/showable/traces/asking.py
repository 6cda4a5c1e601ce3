"""What was asked: the shortest words of the trace that are the question, rather than a prompt that it was put into.

The first of: what the outermost chain above the answer took, if it stands in the model's last user message; a chain further in,
likewise; what a retrieval of the turn was asked, likewise; where that message is stuffed with retrieved passages, what the outermost
chain took; the message itself; what a chain or the call took.
"""

from __future__ import annotations

from collections.abc import Iterator

from showable.records.traced import Loss
from showable.traces.answering import Answering
from showable.traces.preceding import opening
from showable.traces.retrieval import Log
from showable.traces.text_values import asked_in, squeezed
from showable.traces.tree import Step, Tree

_ASKERS = frozenset({"user", "human"})


def question_of(answering: Answering, log: Log, tree: Tree) -> tuple[str, list[Loss]]:
    """Give the question of an answer, "" where the trace says none, with what had to be worked out."""
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
    """Say that what was taken for the question is a prompt: with passages of the log, or of several lines and said nowhere else."""
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
    """Give what the steps around the answer took, the outermost first; of several turns' shared steps nothing is taken."""
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
