"""Why a pipeline gave no answer to one question. It becomes data: the record of that question holds it."""

from __future__ import annotations

from showable.records.lines import plain_name
from showable.registries.web.asking import Reply as HttpReply

__all__ = ["LARGEST_REPLY", "HttpReply", "PipelineError", "brief"]

LARGEST_REPLY = 16 * 1024 * 1024
"""Bytes. A longer reply is refused without being held in memory where that can be."""
_LONGEST = 240


class PipelineError(Exception):
    """One question got no answer, and the message says why in one line.

    `again` says that another try may help; `wait` are the seconds that were asked to be left between.
    """

    def __init__(self, message: str, *, again: bool = True, wait: float | None = None) -> None:
        super().__init__(brief(message))
        self.again, self.wait = again, wait


def brief(text: str) -> str:
    """Return a text on one line, without what could steer a terminal, and cut."""
    words = " ".join(plain_name(word) if len(word) < _LONGEST else word[:_LONGEST] for word in text.split())
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"
