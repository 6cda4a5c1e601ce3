"""Portkey's webhook guardrail: both sides of a call with metadata, answered by a verdict."""

from __future__ import annotations

from showable.production.guard.contracts.received import (
    LOG_KEY,
    WIRES,
    Received,
    Ruling,
    object_at,
    text_at,
    wire_by_shape,
    wire_of_request,
)
from showable.production.guard.wire.asked import Json, MalformedError


class Portkey:
    """`POST /showable/portkey`, as a guardrail on the output.

    A streamed reply is never shown to this contract in time: its verdict is false where no answer is in the body. The log
    is named in the metadata.
    """

    path = "/showable/portkey"

    def read(self, body: Json) -> Received:
        """Read a call. Raises BadRequestError with the field."""
        request = object_at(object_at(body, "request") or {}, "json") or {}
        response = object_at(object_at(body, "response") or {}, "json")
        metadata = object_at(body, "metadata") or {}
        before = body.get("eventType") == "beforeRequestHook"
        try:
            wire = wire_by_shape(response) if response and not before else wire_of_request(request)
        except MalformedError:
            wire = WIRES["chat"]  # it has no answers then, and is held as unreadable
        return Received(
            wire=wire,
            request=request if wire.api == "responses" or "messages" in request else request | {"messages": []},
            response=None if before else response or {},
            log_id=text_at(metadata, LOG_KEY),
            profile=text_at(metadata, "showable_profile"),
        )

    def write(self, ruling: Ruling) -> Json:
        """Write the verdict, and why; a denial of the gateway carries `data`."""
        release = ruling.release
        data = {
            "action": ruling.action,
            "codes": list(release.codes),
            "reasons": list(release.reasons),
            "text": ruling.text,
        }
        return {"verdict": ruling.shows, "data": data}
