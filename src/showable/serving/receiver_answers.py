"""What the receiver answers to an export, metrics included: those are taken so that an exporter of everything does not fail, and not kept."""

from __future__ import annotations

import json
from typing import Literal

from showable.traces.otlp.answer import is_json, response

Signal = Literal["traces", "logs", "metrics"]
NO_METRICS = "metrics are not kept here; OTEL_METRICS_EXPORTER=none spares sending them"


def taken_body(signal: Signal, content_type: str, rejected: int, reason: str) -> bytes:
    """Write an Export…ServiceResponse; with a reason, its partial success says it (OTLP, "Partial Success")."""
    if signal != "metrics":
        return response(rejected, reason, content_type, signal)
    if is_json(content_type):
        return json.dumps({"partialSuccess": {"errorMessage": reason}}).encode()
    return response(0, reason, content_type)  # on the wire the responses of all signals are the same
