"""Articles described in JSON-LD, as schema.org has them and as pages write them: nested, by reference, and often broken."""

from __future__ import annotations

import json
import re
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

_ARTICLE = re.compile(
    r"(?:.*[/:#])?(?:\w*NewsArticle|Article|BlogPosting|LiveBlogPosting|\w*ScholarlyArticle|TechArticle|Report)"
)
_WRAPPING = re.compile(
    r"^\s*(?:<!--|//\s*<!\[CDATA\[|<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/)|(?:-->|//\s*\]\]>|\]\]>|/\*\s*\]\]>\s*\*/|;)\s*$"
)
_INTO = ("@graph", "mainEntity", "mainEntityOfPage")
_LARGEST = 1_000_000
_MOST_SCRIPTS, _MOST_NODES = 40, 2_000

Node = dict[str, Any]


class Graph:
    """What the scripts of one page say together: its nodes, and which of them go by which `@id`."""

    def __init__(self, scripts: Iterable[str]) -> None:
        self.broken = 0
        self._nodes: list[Node] = []
        for n, script in enumerate(scripts):
            if n >= _MOST_SCRIPTS:
                break
            try:
                self._nodes += _walk(_parsed(script))
            except (ValueError, RecursionError):
                self.broken += 1
        self._by_id = {node["@id"]: node for node in reversed(self._nodes) if _is_told(node)}

    def articles(self) -> list[Node]:
        """Return the nodes that describe an article, in their order."""
        return [node for node in self._nodes if any(_ARTICLE.fullmatch(name) for name in _names(node))]

    def tolls(self) -> bool:
        """Check whether anything on the page is said not to be free to read."""
        parts = [part for node in self._nodes for part in (node, *self.nodes(node.get("hasPart")))]
        return any(_is_false(part.get("isAccessibleForFree")) for part in parts)

    def nodes(self, value: Any) -> list[Mapping[str, Any]]:
        """Return the objects that a property holds, references to other nodes followed (and not copied: a page can make many)."""
        values = value if isinstance(value, list) else [value]
        rows = [one for one in values if isinstance(one, dict)][:_MOST_NODES]
        return [ChainMap(row, self._by_id.get(_id(row), {})) for row in rows]

    def names(self, value: Any) -> list[tuple[str, bool]]:
        """Return the names that a property holds (a string, an object, a list of either), and whether each is a group's."""
        found: list[tuple[str, bool]] = []
        for one in (value if isinstance(value, list) else [value])[:_MOST_NODES]:
            if isinstance(one, str):
                found.append((one, False))
            for node in self.nodes(one) if isinstance(one, dict) else []:
                group = any(name.endswith("Organization") for name in _names(node))
                held = node.get("name")
                names = [name for name in (held if isinstance(held, list) else [held]) if isinstance(name, str)]
                if not names:
                    joined = " ".join(v for key in ("givenName", "familyName") if isinstance(v := node.get(key), str))
                    names = [joined] if joined else []
                found += [(name, group) for name in names]
        return found


def _parsed(script: str) -> Any:
    text = script.strip("\ufeff \t\r\n")
    if len(text) > _LARGEST:
        raise ValueError("too large")
    for _ in range(3):  # a comment around a CDATA section around the data
        text = _WRAPPING.sub("", text).strip()
    return json.loads(text, strict=False)


def _walk(value: Any) -> Iterator[Node]:
    """Yield the nodes at the top, in graphs, and those that a page is said to be about; not the stories it links to."""
    waiting, seen = [value], 0
    while waiting and seen < _MOST_NODES:
        one = waiting.pop(0)
        if isinstance(one, list):
            waiting = one[:_MOST_NODES] + waiting
        elif isinstance(one, dict):
            seen += 1
            yield one
            waiting = [one[key] for key in _INTO if isinstance(one.get(key), dict | list)] + waiting


def _names(node: Mapping[str, Any]) -> list[str]:
    kinds = node.get("@type")
    return [kind for kind in (kinds if isinstance(kinds, list) else [kinds]) if isinstance(kind, str)][:20]


def _id(node: Mapping[str, Any]) -> str:
    name = node.get("@id")
    return name if isinstance(name, str) else ""


def _is_told(node: Node) -> bool:
    return bool(_id(node)) and len(node) > 1


def _is_false(value: Any) -> bool:
    return value is False or (isinstance(value, str) and value.strip().lower().rpartition("/")[2] in {"false", "no"})
