"""Numbers in an answer, ``[2]``, of which nothing says what they count: they are left open, and lead nowhere that could be wrong."""

from __future__ import annotations

from collections.abc import Sequence

from showable.read.answer import read_answer
from showable.records.record import Record
from showable.records.traced import Loss
from showable.rubrics.retrieval_log import LOG_DOUBT

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
    """Give the ids that an answer cites if these were shown."""
    reading = read_answer(record.model_copy(update={"shown": tuple(shown)}))
    claims = reading.answer.claims if reading.answer else ()
    return [one.source_id for one in (*(one for claim in claims for one in claim.citations), *reading.loose)]
