"""Tables with named columns: the names that people give a question, an answer and its passages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from showable.converters.cells import read_list
from showable.converters.fields import Fields, gaps, holds
from showable.converters.gold import category_of, make_gold
from showable.converters.passages import ids_of, read_cell, with_ids
from showable.converters.shape import Converted, FieldError, Row
from showable.records.lines import plain_name
from showable.records.record import GoldEvidence, Record, Source

NAMES: dict[str, tuple[str, ...]] = {
    "id": ("id", "record_id", "question_id", "row_id"),
    "question": ("question", "query", "user_input", "input", "prompt", "user_query", "user_question"),
    "answer": ("answer", "response", "output", "actual_output", "completion", "generated_answer", "model_answer", "prediction"),
    "contexts": ("contexts", "context", "passages", "documents", "retrieved_contexts", "retrieval_context", "chunks",
                 "retrieved_documents", "retrieved_passages", "retrieved_chunks", "retrieved_docs", "docs"),
    "context_ids": ("context_ids", "source_ids", "passage_ids", "document_ids", "doc_ids", "retrieved_context_ids"),
    "gold": ("ground_truth", "reference", "gold", "gold_answer", "expected_answer", "expected_output", "expected", "reference_answer"),
    "gold_ids": ("gold_ids", "gold_context_ids", "reference_context_ids", "evidence_ids"),
    "category": ("category",),
}  # fmt: skip
"""What a column may be called, in small letters with ``_`` between words; of one row of names only one column may be there."""
_NUMBERED = re.compile(
    r"(?:retrieved_)?(context|source|passage|document|doc|chunk)_?([0-9]{1,4})(?:_(text|id|title|url))?"
)
_DECISIVE = frozenset({"contexts", "context_ids", "gold", "gold_ids"})
_UNCLEAR = frozenset({"source", "doc"})
_NUMBER = re.compile(r"\s*[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?%?\s*|\s*(?:nan|NaN)\s*")


class CsvColumns:
    """A table, or rows of texts, with one column for the question and one for the answer; the others may be missing.

    Names are compared in small letters, a space or hyphen as ``_`` (``User Query`` is ``user_query``):

    - question: question, query, user_input, input, prompt, user_query, user_question;
    - answer: answer, response, output, actual_output, completion, generated_answer, model_answer, prediction;
    - contexts: contexts, context, passages, documents, retrieved_contexts, retrieval_context, chunks, retrieved_documents,
      retrieved_passages, retrieved_chunks, retrieved_docs, docs; or one column a passage: ``context_1``, ``passage_2``,
      ``chunk3``, ``document_4``, ``source_5_text``, and beside it ``context_1_id``, ``_title`` and ``_url``; ``source_5`` and ``doc_5`` alone could be names, and are refused;
    - their ids: context_ids, source_ids, passage_ids, document_ids, doc_ids, retrieved_context_ids;
    - the right answer: ground_truth, reference, gold, gold_answer, expected_answer, expected_output, expected, reference_answer;
    - ids of its evidence: gold_ids, gold_context_ids, reference_context_ids, evidence_ids;
    - id, record_id, question_id, row_id; category.

    The same names are read in JSON Lines and JSON, where no other shape fits and every list is one of these. A cell of
    contexts is a JSON list of texts or of objects (``text``, ``id``, ``title``, ``url``), a list as Python or numpy
    prints it, or one passage; an empty cell is a retrieval that was not logged, ``[]`` one that returned nothing. Other
    columns of text are metadata; columns of numbers are scores, and not carried over.
    """

    name = "csv-columns"
    title = "rows with named columns"

    def rows(self, document: Any) -> Iterator[tuple[str, Mapping[str, Any]]] | None:  # noqa: ARG002 - nothing wraps them
        """Return None: a table is no document."""
        return None

    def fits(self, fields: Mapping[str, Any]) -> bool:
        """Return whether a row has a column for the question and one for the answer, and is all text as a table's is, or `fits_object`.

        It is looked at last of all shapes: others' rows come with such names too.
        """
        text = all(value is None or isinstance(value, str) for value in fields.values())
        return (text and self.knows(fields)) or self.fits_object(fields)

    def fits_object(self, fields: Mapping[str, Any]) -> bool:
        """Return whether a JSON object is such a row, and no Record with a mistake in it.

        It has a name that no Record has, or gold that is a text; and what no column is called holds no list and no object,
        for that could be the passages under a name that is not known.
        """
        texts = {_meaning(column(name)) for name, value in fields.items() if isinstance(value, str)}
        if "question" not in texts or not self.knows(fields):
            return False
        rest = [value for name, value in fields.items() if not _meaning(column(name)) and not _is_numbered(name)]
        if any(isinstance(value, list | Mapping) for value in rest):
            return False
        return unlike_records(fields) or isinstance(fields.get("gold"), str)

    def knows(self, fields: Mapping[str, Any]) -> bool:
        """Return whether a row has one field, by name, for the question, one for the answer, and no two for the same."""
        found = [what for name in fields if (what := _meaning(column(name)))]
        return {"question", "answer"} <= set(found) and len(set(found)) == len(found)

    def convert(self, row: Row) -> Converted:
        """Turn a row into a Record. Raises FieldError where a column is missing, or two mean the same."""
        named = _named(row.fields)
        fields = {what: row.fields[name] for what, name in named.items()}
        question, answer = named["question"], named["answer"]
        held = Fields(row.fields)
        sources, used = _sources(held, named)
        evidence = read_list(fields.get("gold_ids"), named.get("gold_ids", ""))
        kept, lost = _rest(row.fields, {*named.values(), *used})
        if holds(fields.get("category")) and category_of(fields["category"]) is None:
            kept["category"] = fields["category"]
        record = Record(
            id=(held.id(named["id"]) if "id" in named else None) or row.fallback_id,
            question=held.need_words(question),
            answer=held.text(answer),
            retrieved=sources,
            gold=make_gold(
                answer=held.text(named["gold"]) if "gold" in named else None,
                evidence=tuple(GoldEvidence(source_id=one) for one in ids_of(evidence, named.get("gold_ids", ""))),
                category=category_of(fields.get("category")),
            ),
            metadata=kept,
        )
        return Converted(record, (*lost, *held.lost_inside()), gaps(record))


def column(name: str) -> str:
    """Write a column's name as it is compared."""
    return re.sub(r"[\s\-]+", "_", name.strip().lower())


def _meaning(plain: str) -> str | None:
    return next((what for what, names in NAMES.items() if plain in names), None)


def decisive(name: str) -> str | None:
    """Return the meaning of a column of passages, of their ids or of gold, by which buckets are told; None for any other."""
    plain = column(name)
    if _NUMBERED.fullmatch(plain):
        return "numbered"
    return what if (what := _meaning(plain)) in _DECISIVE else None


def unlike_records(fields: Mapping[str, Any]) -> bool:
    """Return whether an item has a field that columns are known by and a Record does not have: ``passages``, ``context_1``."""
    return any(name not in Record.model_fields and (_meaning(column(name)) or _is_numbered(name)) for name in fields)


def _is_numbered(name: str) -> bool:
    return _NUMBERED.fullmatch(column(name)) is not None


def _named(fields: Mapping[str, Any]) -> dict[str, str]:
    """Return the column of each meaning."""
    named: dict[str, str] = {}
    for name in fields:
        what = _meaning(column(name))
        if what is None:
            continue
        if what in named:
            both = f"{plain_name(named[what])} and {plain_name(name)}"
            raise FieldError(plain_name(name), f"expected one column for the {what.replace('_', ' ')}, got {both}")
        named[what] = name
    for what in ("question", "answer"):
        if what not in named:
            there = ", ".join(map(plain_name, list(fields)[:12])) or "none"
            raise FieldError(what, f"expected a column called {_either(NAMES[what])}; the columns are {there}")
    return named


def _either(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _sources(held: Fields, named: Mapping[str, str]) -> tuple[tuple[Source, ...] | None, set[str]]:
    """Return the passages, and the names of the columns that number them."""
    fields = held.held
    numbered = {name: found for name in fields if (found := _NUMBERED.fullmatch(column(name)))}
    if "contexts" in named:
        passages = read_cell(held, named["contexts"])
        if numbered:
            first = plain_name(next(iter(numbered)))
            raise FieldError(
                first, f"expected passages in {plain_name(named['contexts'])} or in numbered columns, got both"
            )
        if "context_ids" not in named:
            return passages, set()
        return _joined(passages, fields, named), set()
    if numbered:
        return _from_columns(held, numbered), set(numbered)
    ids = named.get("context_ids", "")
    return with_ids(read_list(fields.get(ids), ids), None, ids), set()


def _joined(
    passages: tuple[Source, ...] | None, fields: Mapping[str, Any], named: Mapping[str, str]
) -> tuple[Source, ...] | None:
    """Put ids from a column of their own to the passages."""
    name = named["context_ids"]
    ids = read_list(fields[name], name)
    if ids is None or passages is None:
        return passages if ids is None else with_ids(ids, None, name)
    if len(ids) != len(passages):
        raise FieldError(name, f"expected one id a passage, got {len(ids)} for {len(passages)}")
    given = ids_of(ids, name)
    return tuple(
        one.model_copy(update={"source_id": source_id}) for one, source_id in zip(passages, given, strict=True)
    )


def _from_columns(held: Fields, numbered: Mapping[str, re.Match[str]]) -> tuple[Source, ...] | None:
    """Make sources of ``context_1``, ``context_1_id`` …; a number whose cells are all empty was not filled."""
    parts: dict[int, dict[str, str]] = {}
    for name, found in numbered.items():
        value, part, number = held.text(name), found[3] or "text", int(found[2])
        if found[3] is None and found[1] in _UNCLEAR:
            raise FieldError(
                plain_name(name),
                f"expected {found[1]}_{number}_text or {found[1]}_{number}_id: is it a text or a name?",
            )
        if value is None:
            continue
        if part in parts.setdefault(number, {}):
            raise FieldError(plain_name(name), f"expected one column for passage {number}, got two")
        parts[number][part] = value
    if not parts:
        return None
    return tuple(
        Source(
            source_id=given.get("id") or str(number),
            text=given.get("text"),
            title=given.get("title"),
            url=given.get("url"),
        )
        for number, given in sorted(parts.items())
    )


def _rest(fields: Mapping[str, Any], used: set[str]) -> tuple[dict[str, Any], list[str]]:
    """Part what no column of ours is: texts to keep, and numbers, which are scores."""
    kept: dict[str, Any] = {}
    lost: list[str] = []
    for name, value in fields.items():
        if name in used or not holds(value):
            continue
        if isinstance(value, str) and not _NUMBER.fullmatch(value):
            kept[name] = value
        else:
            lost.append(name)
    return kept, lost
