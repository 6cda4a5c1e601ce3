"""Calls that end with an error of the guard's own: status, kind, and whether asking again may help."""

from __future__ import annotations

import traceback

from showable.production.guard.upstream import UpstreamError

AGAIN, NEVER = (b"x-should-retry", b"true"), (b"x-should-retry", b"false")
"""What libraries of OpenAI and Anthropic ask before they pay for a call again."""
_OF_UPSTREAM = {
    "unreachable": (502, "upstream_unreachable", AGAIN),
    "timeout": (504, "upstream_timeout", NEVER),
    "cut": (502, "upstream_malformed", NEVER),
    "malformed": (502, "upstream_malformed", NEVER),
    "too_large": (502, "answer_too_large", NEVER),
    "open": (503, "upstream_open", AGAIN),
}


class StopError(Exception):
    """A call that ends here; the client gets the kind and the message in its interface's own shape."""

    def __init__(self, status: int, kind: str, message: str, retry: tuple[bytes, bytes] = NEVER) -> None:
        super().__init__(message)
        self.status, self.kind, self.retry = status, kind, retry


def stopped_by(error: UpstreamError) -> StopError:
    """Return what becomes of a call that its upstream did not answer."""
    status, kind, retry = _OF_UPSTREAM[error.kind]
    return StopError(status, kind, str(error), retry)


def place_of(error: Exception) -> str:
    """Return what went wrong and where, without the message: it may hold words of the answer."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{type(error).__name__} at {frames[-1].filename}:{frames[-1].lineno}" if frames else type(error).__name__


def malformed(message: str) -> StopError:
    """Return what becomes of a call whose answer is not what the interface promises."""
    return StopError(502, "upstream_malformed", message)
