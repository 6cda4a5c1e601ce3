"""A request that is not taken: the HTTP status that says so, and why, in words for who sent it."""

from __future__ import annotations


class Refused(Exception):  # noqa: N818 - it is an answer to the sender, not a fault of ours
    """The whole body is not taken. `status` is the HTTP status to answer with; `reason` one sentence without the body's text."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason
