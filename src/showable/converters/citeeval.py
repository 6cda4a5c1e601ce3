"""CiteEval: a system's answers over numbered passages, as they are given to it and as it writes them back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from showable.converters.fields import NO_ANSWER, NO_LOG, Fields, converted
from showable.converters.passages import read_log
from showable.converters.shape import Converted, Row
from showable.records.record import Source

REPLACED = "CiteEval put a sentence of its own in place of the answer, which its pattern took for a refusal"
_ABSTENTION = "No answer is found."


class CiteEval:
    """Rows of CiteBench (arXiv:2506.01829): ``id, query, passages, pred``, or ``sample_idx … prediction`` once prepared.

    Markers in the answer count passages from 1, and so the passages are called; an id of their own is metadata.
    An answer that CiteEval replaced is not in the payload. Split sentences, citation lists and ratings are lost.
    """

    name = "citeeval"
    title = "CiteEval"

    def rows(self, document: Any) -> Iterator[tuple[str, Mapping[str, Any]]] | None:  # noqa: ARG002 - its files are lists
        """Return None: CiteEval wraps nothing around its list."""
        return None

    def fits(self, fields: Mapping[str, Any]) -> bool:
        """Hold for a query with passages and a prediction, under these names."""
        return {"query", "passages"} <= fields.keys() and ("pred" in fields or "prediction" in fields)

    def convert(self, row: Row) -> Converted:
        """Turn one sample into a Record."""
        fields = Fields(row.fields)
        answer = fields.text("pred", "prediction")
        log = _counted(read_log(fields, "passages"))
        replaced = answer == _ABSTENTION and "prediction" in row.fields
        notes = [
            *([NO_LOG] if log is None else []),
            *([NO_ANSWER] if answer is None else [REPLACED] if replaced else []),
        ]
        return converted(
            {
                "id": fields.id("id", "sample_idx") or row.fallback_id,
                "question": fields.need_text("query"),
                "answer": None if replaced else answer,
                "retrieved": log,
            },
            fields,
            notes,
        )


def _counted(log: tuple[Source, ...] | None) -> tuple[Source, ...] | None:
    """Call passages by their place, which is what a marker says whatever their ids are."""
    if log is None or all(source.source_id == str(i) for i, source in enumerate(log, 1)):
        return log
    return tuple(
        source.model_copy(update={"source_id": str(i), "metadata": {**source.metadata, "id": source.source_id}})
        for i, source in enumerate(log, 1)
    )
