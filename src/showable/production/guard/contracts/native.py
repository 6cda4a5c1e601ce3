"""The guard's own endpoint: a request and its reply as they are on the wire, and the decision with what it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from showable.production.guard.call import Api
from showable.production.guard.contracts.received import WIRES, Received, Ruling, object_at, text_at, wire_by_shape
from showable.production.guard.contracts.vendors import read_vendor_call, vendor_of
from showable.production.guard.retrieval import read_given
from showable.production.guard.wire.asked import BadRequestError, Json, MalformedError

_VENDORS: Mapping[str, Api] = {"cohere": "cohere", "gemini": "gemini"}
_FIELDS = frozenset({"api", "request", "response", "log", "log_id", "profile"})


class Native:
    """`POST /showable/guard`: ``{api?, request, response, log?, log_id?, profile?}``.

    `api` (chat, responses, messages, cohere, gemini) is told from the response where it is left out. `log` is what a proxied request carries in its own field.
    """

    path = "/showable/guard"

    def read(self, body: Json) -> Received:
        """Read a call. Raises BadRequestError with the field, an unknown one among them."""
        if unknown := sorted(body.keys() - _FIELDS):
            raise BadRequestError(unknown[0], f"unknown field; there are {', '.join(sorted(_FIELDS))}")
        response, request = object_at(body, "response"), object_at(body, "request") or {}
        if response is None:
            raise BadRequestError("response", "expected the reply to be guarded")
        given = None if body.get("log") is None else read_given(body["log"], "log")
        named, profile = text_at(body, "log_id"), text_at(body, "profile")
        api = text_at(body, "api")
        if api is not None and api not in {*WIRES, *_VENDORS}:
            raise BadRequestError("api", f"expected one of {', '.join((*WIRES, *_VENDORS))}")
        vendor = vendor_of(response) if api is None else api if api in _VENDORS else None
        if vendor is not None:
            call = read_vendor_call(_VENDORS[vendor], request, response)
            return replace(call, given=given, log_id=named, profile=profile)
        try:
            wire = wire_by_shape(response) if api is None else WIRES[api]
        except MalformedError as error:
            raise BadRequestError("response", str(error)) from None
        if not request:
            request = {"input": ""} if wire.api == "responses" else {"messages": []}
        return Received(wire, request, response, given, named, profile=profile)

    def write(self, ruling: Ruling) -> Json:
        """Write action, verdict, reasons, what it rests on, and the words to show instead.

        `instruction` is the system message of a rewrite, where the route allows one: whoever asks rewrites, and asks again.
        """
        release = ruling.release
        return {
            "action": ruling.action,
            "verdict": release.verdict,
            "reasons": list(release.reasons),
            "codes": list(release.codes),
            "citations": {
                "n": release.citations,
                "resolved": release.resolved,
                "failed": release.unresolved,
                "unknown": release.citations - release.resolved - release.unresolved,
                "floor": release.floor,
            },
            "rests_on": release.rests_on.model_dump(mode="json") if release.rests_on else None,
            "text": ruling.text,
            "instruction": ruling.instruction,
        }
