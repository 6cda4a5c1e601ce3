"""What a store of traces raises."""

from __future__ import annotations

from showable.errors import ShowableError


class StoreError(ShowableError):
    """Something that the engine or the disk behind a store refused, in one line; nothing of that call is stored."""
