"""Where the feed of a store of traces is kept."""

from __future__ import annotations

from pathlib import Path

from showable.production.feed.store import FEED
from showable.stores.promotions import PROMOTIONS


def promotions_beside(feed: Path) -> Path:
    """Return where the candidates of a store's feed are kept."""
    return feed.with_name(f"{feed.stem}.{PROMOTIONS}")


def feed_beside(store: str) -> Path:
    """Return where the issues of a store are kept: beside its file; in this folder, where it is a server."""
    path = Path(store)
    return Path(FEED) if "://" in store or store.startswith("chdb:") else path.with_suffix(f".feed{path.suffix}")
