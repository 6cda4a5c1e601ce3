"""The webhook rule of Future AGI's gateway: the request, the response and metadata, answered by pass and score."""

from __future__ import annotations

from showable.production.guard.contracts.received import (
    LOG_KEY,
    WIRES,
    Received,
    Ruling,
    object_at,
    text_at,
    wire_by_shape,
)
from showable.production.guard.wire.asked import Json, MalformedError


class FutureAgi:
    """`POST /showable/future-agi`, stage `post` with a threshold below 1, such as .5.

    The gateway triggers on a score above the threshold. Its Responses route sends a body without the answer, which is
    held: what cannot be seen is not shown. So is everything under the stage `pre`. The log is named in `x-agentcc-metadata`, whose fields are `metadata` here.
    """

    path = "/showable/future-agi"

    def read(self, body: Json) -> Received:
        """Read a call. Raises BadRequestError with the field."""
        request, response = object_at(body, "request") or {}, object_at(body, "response")
        metadata = object_at(body, "metadata") or {}
        try:
            wire = wire_by_shape(response or {})
        except MalformedError:
            wire = WIRES["chat"]  # it has no answers then, and is held as unreadable
        return Received(
            wire=wire,
            request=request if wire.api == "responses" or "messages" in request else request | {"messages": []},
            response=response or {},
            log_id=text_at(metadata, LOG_KEY),
            profile=text_at(metadata, "showable_profile"),
        )

    def write(self, ruling: Ruling) -> Json:
        """Write pass and score: 0 where the answer may be shown, 1 where not."""
        return {
            "pass": ruling.shows,
            "score": 0.0 if ruling.shows else 1.0,
            "message": ruling.text or "",
            "details": {
                "action": ruling.action,
                "codes": list(ruling.release.codes),
                "reasons": list(ruling.release.reasons),
            },
        }
