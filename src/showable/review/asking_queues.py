"""Queues made from the page: which records to label, out of all that the run holds."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from showable.errors import SettingError
from showable.measure.label_queues import QUEUE_KINDS, build_queue, draw_hold_out, hold_out_size
from showable.records.wire import Wire
from showable.review.desk import Desk
from showable.review.labelling_api import read_given
from showable.review.refusals import Refusal
from showable.stores.labels.queues import Queue

MOST_RECORDS = 100_000


class GivenQueue(Wire):
    """A queue as asked for: at most `n` records (all of its kind where it says nothing), the first `overlap` for everybody."""

    kind: str
    n: Annotated[int, Field(ge=1, le=MOST_RECORDS)] | None = None
    overlap: Annotated[int, Field(ge=0, le=MOST_RECORDS)] = 0


def make_queue(desk: Desk, body: bytes) -> dict[str, Any]:
    """Make a queue. A second one of a kind takes records that no queue of that kind has yet."""
    given = read_given(body, GivenQueue)
    if given.kind not in QUEUE_KINDS:
        raise Refusal(400, f"kind: expected one of {', '.join(QUEUE_KINDS)}, got {given.kind[:40]!r}")
    if given.kind == "disagreement" and desk.second is None:
        raise Refusal(400, "kind: disagreements are between two runs; start `showable review` with --second RUN")
    try:
        queue = _hold_out(desk, given) if given.kind == "hold_out" else _chosen(desk, given)
    except SettingError as error:
        raise Refusal(409, str(error)) from None
    return {
        "queue": queue.name,
        "kind": queue.kind,
        "n": queue.n,
        "overlap": queue.overlap,
        "url": f"/label/{queue.name}",
    }


def _chosen(desk: Desk, given: GivenQueue) -> Queue:
    alike = [queue for queue in desk.store.queues() if queue.kind == given.kind]
    taken = {record for queue in alike for record in desk.store.records_of(queue.name)}
    cards = [card for card in desk.run.cards() if card.id not in taken]
    second = None if desk.second is None else desk.second.cards()
    records = build_queue(given.kind, cards, seed=0, n=given.n, second=second, thresholds=desk.run.signature.thresholds)
    if not records:
        more = " that is in no queue of this kind yet" if taken else ""
        raise Refusal(409, f"kind: the run has no record for {given.kind}{more}")
    name = given.kind if not alike else f"{given.kind}-{len(alike) + 1}"
    return desk.store.make_queue(name, given.kind, records, given.overlap)


def _hold_out(desk: Desk, given: GivenQueue) -> Queue:
    """Make the queue of the pinned hold-out; pin it where it is not yet. It is everybody's, whatever is asked for."""
    pinned = desk.store.hold_out()
    if not pinned:
        drawn = draw_hold_out(desk.run.cards(), seed=0, n=given.n or hold_out_size(len(desk.run)))
        pinned = list(drawn.records)
        desk.store.pin_hold_out(pinned, drawn.topped_up)
    return desk.store.make_queue("hold_out", "hold_out", pinned, len(pinned))
