"""ragas: rows of an evaluation dataset, before or after it was evaluated, with the names of v0.2 or of v0.1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from showable.converters.cells import read_list, read_texts
from showable.converters.fields import Fields, gaps, holds
from showable.converters.gold import category_of, evidence_among, make_gold
from showable.converters.passages import ids_of, with_ids
from showable.converters.shape import Converted, FieldError, Row
from showable.records.record import Gold, GoldEvidence, Record, Source, Turn

_V2 = frozenset({"response", "retrieved_contexts", "reference", "retrieved_context_ids", "reference_contexts"})
_V1 = frozenset({"contexts", "ground_truth", "ground_truths"})
_NOT_V1 = frozenset({"retrieved", "gold", "user_input"})
"""Fields of Records, whose question and answer are called as in v0.1."""
_NEW_NAMES = {
    "question": "user_input",
    "answer": "response",
    "contexts": "retrieved_contexts",
    "ground_truth": "reference",
}
_OLD_NAMES = {new: old for old, new in _NEW_NAMES.items()}
_FREE = ("persona_name", "query_style", "query_length", "synthesizer_name", "evolution_type", "source_file")
"""What ragas' own test sets say of a question."""
_READ = frozenset(
    {
        "id",
        "user_input",
        "response",
        "retrieved_contexts",
        "retrieved_context_ids",
        "reference",
        "reference_context_ids",
        "reference_contexts",
        "ground_truths",
        "category",
        "metadata",
        *_FREE,
    }
)
OLD_NAMES = "names of ragas v0.1"


class Ragas:
    """`SingleTurnSample` and `MultiTurnSample` of ragas 0.2 and later, and the columns of v0.1.

    Read are ``user_input``, ``response``, ``retrieved_contexts``, ``retrieved_context_ids``, ``reference``,
    ``reference_contexts`` and ``reference_context_ids``; of v0.1 ``question``, ``answer``, ``contexts``, ``ground_truth``
    and ``ground_truths``. Passages without ids are called ``1``, ``2`` … in their order; no contexts at all is a retrieval
    that was not logged, an empty list one that returned nothing. Reference contexts are gold evidence where they are
    all passages of the log, word for word. The columns of metrics, rubrics and tool calls are not carried over.
    Source: `ragas.dataset_schema`.
    """

    name = "ragas"
    title = "ragas rows"

    def rows(self, document: Any) -> Iterator[tuple[str, Mapping[str, Any]]] | None:  # noqa: ARG002 - nothing wraps them
        """Return None: ragas writes lists, lines and tables."""
        return None

    def fits(self, fields: Mapping[str, Any]) -> bool:
        """Return whether an item has ragas' names, of v0.2 or of v0.1, and contexts that are texts."""
        said = fields.get("user_input")
        if isinstance(said, list):
            return bool(said) and all(isinstance(message, Mapping) for message in said)
        if isinstance(said, str):
            return bool(fields.keys() & _V2) or fields.keys() <= _READ
        old = isinstance(fields.get("question"), str) and fields.keys() & _V1 and not fields.keys() & _NOT_V1
        return bool(old) and _texts_or_none(fields.get("contexts"))

    def convert(self, row: Row) -> Converted:
        """Turn a sample into a Record."""
        fields, notes = _new_names(row.fields)
        try:
            return _convert(row, fields, notes)
        except FieldError as error:
            old = _OLD_NAMES.get(error.field) if OLD_NAMES in notes else None
            raise FieldError(old or error.field, error.message) from None


def _convert(row: Row, fields: dict[str, Any], notes: list[str]) -> Converted:
    """Turn fields with the names of v0.2 into a Record."""
    question, answer, history, lost = _turn(fields, notes)
    sources = with_ids(
        read_list(fields.get("retrieved_context_ids"), "retrieved_context_ids"),
        read_texts(fields.get("retrieved_contexts"), "retrieved_contexts"),
        "retrieved_context_ids",
    )
    gold = _gold(fields, sources, lost, notes)
    lost += [name for name, value in fields.items() if name not in _READ and holds(value)]
    record = Record(
        id=Fields(row.fields).id("id") or row.fallback_id,
        question=question,
        answer=answer,
        history=history,
        retrieved=sources,
        gold=gold,
        metadata=_metadata(fields),
    )
    return Converted(record, tuple(lost), (*notes, *gaps(record)))


def _texts_or_none(value: Any) -> bool:
    return (
        value is None or isinstance(value, str) or (isinstance(value, list) and all(isinstance(t, str) for t in value))
    )


def _new_names(fields: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Call the fields as v0.2 does."""
    if "user_input" in fields or "question" not in fields:
        return dict(fields), []
    renamed = {name: new for name, new in _NEW_NAMES.items() if new not in fields}
    return {renamed.get(name, name): value for name, value in fields.items()}, [OLD_NAMES]


def _turn(fields: Mapping[str, Any], notes: list[str]) -> tuple[str, str | None, tuple[Turn, ...], list[str]]:
    """Return question, answer, the turns before them, and what was lost: of a conversation, those of its last turn."""
    said = fields.get("user_input")
    if isinstance(said, list) or (isinstance(said, str) and said.lstrip().startswith("[{")):
        turn = last_turn(read_list(said, "user_input") or [], "user_input")
        notes += turn.notes
        if holds(fields.get("response")):
            raise FieldError("response", "expected none beside a conversation, whose last answer is in user_input")
        return turn.question, turn.answer, turn.history, list(turn.lost)
    asked = Fields(fields)
    return asked.need_words("user_input"), asked.text("response"), (), []


def _gold(
    fields: Mapping[str, Any], sources: tuple[Source, ...] | None, lost: list[str], notes: list[str]
) -> Gold | None:
    answer = Fields(fields).text("reference")
    aliases: list[str] = []
    if truths := read_texts(fields.get("ground_truths"), "ground_truths"):
        answer, aliases = (truths[0], truths[1:]) if answer is None else (answer, truths)
        if aliases:
            notes.append("several ground truths: the first is the answer, the others stand for it")
    return make_gold(
        answer=answer,
        aliases=tuple(aliases),
        evidence=_evidence(fields, sources, lost),
        category=category_of(fields.get("category")),
    )


def _evidence(
    fields: Mapping[str, Any], sources: tuple[Source, ...] | None, lost: list[str]
) -> tuple[GoldEvidence, ...]:
    texts = read_texts(fields.get("reference_contexts"), "reference_contexts") or []
    if ids := read_list(fields.get("reference_context_ids"), "reference_context_ids"):
        named = ids_of(ids, "reference_context_ids")
        lost += ["reference_contexts"] if texts else []
        return tuple(GoldEvidence(source_id=one) for one in dict.fromkeys(named))
    found, all_of_it = evidence_among(texts, sources)
    lost += [] if all_of_it else ["reference_contexts"]
    return found


def _metadata(fields: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: fields[name] for name in _FREE if holds(fields.get(name))}
    if holds(fields.get("category")) and category_of(fields["category"]) is None:
        kept["category"] = fields["category"]
    given = fields.get("metadata")
    return (dict(given) if isinstance(given, Mapping) else {"metadata": given} if holds(given) else {}) | kept


_KINDS = {"human": "human", "user": "human", "ai": "ai", "assistant": "ai", "tool": "tool", "system": "system"}
EARLIER = "several turns: the last question and its answer; what was said before is its history"
TOOLS = "answered with tools, whose output is no retrieval log"


@dataclass(frozen=True, slots=True)
class LastTurn:
    """The last question of a conversation, its answer, and what was left of the rest."""

    question: str
    answer: str
    history: tuple[Turn, ...] = ()
    lost: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def last_turn(messages: Sequence[Any], field: str) -> LastTurn:
    """Return the last human message and the last of the AI after it.

    Raises FieldError where a message is none, or where nobody asked, or nobody answered after the last question: the
    answer to an earlier one is not the answer to this one.
    """
    read = [_message(message, f"{field}[{i}]") for i, message in enumerate(messages)]
    asked = max((i for i, (kind, _) in enumerate(read) if kind == "human"), default=None)
    if asked is None:
        raise FieldError(field, "expected a human message")
    answers = [text for kind, text in read[asked + 1 :] if kind == "ai" and text.strip()]
    if not answers:
        raise FieldError(field, "expected an answer of the AI after the last human message")
    notes = [EARLIER] if any(kind in {"human", "ai"} for kind, _ in read[:asked]) else []
    notes += [TOOLS] if any(kind == "tool" for kind, _ in read) else []
    roles = {"human": "user", "ai": "assistant"}
    before = tuple(Turn(role=roles[kind], text=text) for kind, text in read[:asked] if kind in roles and text.strip())
    rest = len(read) > asked + 2 or len(before) < asked
    return LastTurn(read[asked][1], answers[-1], before, (field,) if rest else (), tuple(notes))


def _message(message: Any, place: str) -> tuple[str, str]:
    if not isinstance(message, Mapping):
        raise FieldError(place, "expected a message: an object with content and type")
    kind = message.get("type", message.get("role"))
    if not isinstance(kind, str) or kind not in _KINDS:
        raise FieldError(f"{place}.type", "expected human, ai or tool")
    content = message.get("content")
    if content is None:
        content = ""
    if not isinstance(content, str):
        raise FieldError(f"{place}.content", "expected a string")
    return _KINDS[kind], content
