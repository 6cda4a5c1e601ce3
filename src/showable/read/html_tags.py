"""Tags of HTML with more attributes than are read: building a tree of them takes time that grows with their square."""

from __future__ import annotations

from importlib import import_module

MOST_ATTRIBUTES = 500
"""A tag of a real page has fewer than a hundred."""


class _CrowdedError(Exception):
    """A tag has too many attributes."""


class _Tags:
    """What the parser reports to instead of building a tree: so it is told each tag as it would be built, in linear time."""

    def start(self, _tag: str, attributes: dict[str, str]) -> None:
        if len(attributes) > MOST_ATTRIBUTES:
            raise _CrowdedError

    def close(self) -> None:
        """Return nothing: no tree was built."""


def is_crowded(html: bytes) -> bool:
    """Return True if a tag of a page, in UTF-8, has more than MOST_ATTRIBUTES."""
    etree = import_module("lxml.etree")  # late: it takes long to load
    try:
        etree.fromstring(html, etree.HTMLParser(encoding="utf-8", huge_tree=True, target=_Tags()))
    except _CrowdedError:
        return True
    except (etree.LxmlError, ValueError):  # whoever builds the tree says what is the matter with it
        return False
    return False
