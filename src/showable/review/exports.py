"""The labels as a file, from the page."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.responses import Response

from showable.review.desk import Desk
from showable.review.refusals import Refusal
from showable.stores.label_files import LabelFormat, label_lines

_TYPES: Mapping[LabelFormat, str] = {"jsonl": "application/x-ndjson", "csv": "text/csv; charset=utf-8"}
Query = Mapping[str, str]


def jsonl(desk: Desk, query: Query) -> Response:
    """Return the labels as JSON Lines."""
    return _file(desk, query, "jsonl")


def csv(desk: Desk, query: Query) -> Response:
    """Return the labels as CSV."""
    return _file(desk, query, "csv")


def _file(desk: Desk, query: Query, form: LabelFormat) -> Response:
    """Return everybody's labels; refused while one has records to label that others have labelled, but for ``?whose=mine``."""
    name = desk.visit.name or ""
    mine = query.get("whose") == "mine"
    labels = [label for label in desk.store.last_words() if not mine or label.reviewer == name]
    others = {label.record for label in labels if label.reviewer != name}
    if waiting := others & desk.hidden:
        said = f"{len(waiting)} of the records that you still have to label hold labels of others"
        token = desk.visit.token if desk.may_settle_only else None
        raise Refusal(403, f"{said}; finish your queues first, or take your own with ?whose=mine", settle_token=token)
    desk.store.note_seen(name, others)
    text = "".join(label_lines(labels, form, desk.store.hold_out()))
    headers = {
        "Content-Type": _TYPES[form],
        "Content-Disposition": f'attachment; filename="labels.{form}"',
    }
    return Response(text.encode("utf-8", "replace"), headers=headers)
