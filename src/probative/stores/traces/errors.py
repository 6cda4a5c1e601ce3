"""What a store of traces raises."""

from __future__ import annotations

from probative.errors import ProbativeError


class StoreError(ProbativeError):
    """Something that the engine or the disk behind a store refused, in one line; nothing of that call is stored."""
