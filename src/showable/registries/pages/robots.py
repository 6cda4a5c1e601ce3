"""What a host asks of robots, by RFC 9309: the longest rule that matches a path decides, `*` and `$` in it understood."""

from __future__ import annotations

import math
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

AGENT = "showable"
_MOST_LINES = 5_000
_LONGEST_RULE = 500
_SAFE = "/%?=&;:@!$'()*+,~-._"


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules of one host for us, and the seconds it asks to let pass between requests."""

    rules: tuple[tuple[str, bool], ...] = ()
    delay_s: float = 0.0

    def allows(self, url: str) -> bool:
        """Say whether an address may be fetched. Where two rules are of one length, the one that allows holds."""
        parts = urlsplit(url)
        path = quote(parts.path or "/", safe=_SAFE) + (f"?{quote(parts.query, safe=_SAFE)}" if parts.query else "")
        holding = [(len(rule), allow) for rule, allow in self.rules if _matches(rule, path)]
        return max(holding, default=(0, True))[1]


def read_robots(text: str) -> Robots:
    """Read the group of rules that names us, or the one for everybody. Nonsense in the file is passed over."""
    groups: dict[str, list[tuple[str, str]]] = {}
    agents: list[str] = []
    heading = False
    for line in text.lstrip("\ufeff").splitlines()[:_MOST_LINES]:
        field, colon, value = line.partition("#")[0].partition(":")
        field, value = field.strip().lower(), value.strip()
        if not colon:
            continue
        if field == "user-agent":
            agents = [*agents, value.lower()] if heading else [value.lower()]
            heading = True
            groups.setdefault(value.lower(), [])
        elif field in {"allow", "disallow", "crawl-delay"}:
            heading = False
            for agent in set(agents):
                groups[agent].append((field, value))
    ours = groups.get(AGENT, groups.get("*", []))
    rules = tuple((_normal(value), field == "allow") for field, value in ours if field != "crawl-delay" and value)
    return Robots(rules, max((_seconds(value) for field, value in ours if field == "crawl-delay"), default=0.0))


def _normal(rule: str) -> str:
    return quote(rule[:_LONGEST_RULE], safe=_SAFE)


def _seconds(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        return 0.0
    return seconds if math.isfinite(seconds) and seconds > 0 else 0.0


def _matches(rule: str, path: str) -> bool:
    """Match from the start, each piece between stars at its first place after the one before: linear for each piece."""
    ends = rule.endswith("$")
    first, *rest = rule.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    at = len(first)
    for n, piece in enumerate(rest):
        if ends and n == len(rest) - 1:
            return len(path) - len(piece) >= at and path.endswith(piece)
        at = path.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return not ends or at == len(path)
