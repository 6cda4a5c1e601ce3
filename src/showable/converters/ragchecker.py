"""RAGChecker: the inputs of its checking pipeline and its outputs, ``{"input_data": […]}`` and ``{"results": […]}``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from showable.converters.fields import NO_ANSWER, NO_LOG, Fields, converted
from showable.converters.passages import read_log, with_positions
from showable.converters.shape import Converted, Row


class RagChecker:
    """Rows of `RAGResults` (Ru et al. 2024, arXiv:2408.08067): query, gt_answer, response, retrieved_context.

    Its claims, entailment labels and metrics are other judges' opinions, and are lost.
    """

    name = "ragchecker"
    title = "RAGChecker"

    def rows(self, document: Any) -> Iterator[tuple[str, Mapping[str, Any]]] | None:
        """Return the items of ``results``, or of ``input_data``."""
        if not isinstance(document, Mapping):
            return None
        for key in ("results", "input_data"):
            items = document.get(key)
            if isinstance(items, list) and any(isinstance(item, Mapping) and self.fits(item) for item in items):
                return ((f"{key}[{i}]", item) for i, item in enumerate(items))
        return None

    def fits(self, fields: Mapping[str, Any]) -> bool:
        """Hold for a query with a ground-truth answer or a retrieved context, under these names."""
        return "query" in fields and ("gt_answer" in fields or "retrieved_context" in fields)

    def convert(self, row: Row) -> Converted:
        """Turn one result into a Record."""
        fields = Fields(row.fields)
        answer, gold = fields.text("response"), fields.text("gt_answer")
        log, notes = with_positions(read_log(fields, "retrieved_context"), answer)
        return converted(
            {
                "id": fields.id("query_id") or row.fallback_id,
                "question": fields.need_text("query"),
                "answer": answer,
                "retrieved": log,
                "gold": {"answer": gold} if gold else None,
            },
            fields,
            [*notes, *([NO_LOG] if log is None else []), *([NO_ANSWER] if answer is None else [])],
        )
