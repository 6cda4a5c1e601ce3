"""Topics that a team keeps its answers away from, told by its own words and expressions; nothing is understood."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import model_validator

from showable.read.scan.patterns import scan_patterns
from showable.records.findings import Finding, Outcome
from showable.records.wire import Many, Wire

CODE = "scanner.topic"


class Topic(Wire):
    """Words and expressions (RE2) that tell a topic. Words are matched whole, whatever their case."""

    words: Many[str] = ()
    patterns: Many[str] = ()

    @model_validator(mode="after")
    def _filled(self) -> Topic:
        if not [*self.words, *self.patterns] or not all([*self.words, *self.patterns]):
            raise ValueError("a topic needs words or patterns, none of them empty")
        return self

    def expressions(self, name: str) -> dict[str, str]:
        """Return the expressions of the topic, by the name that a finding gives each."""
        found = {f"{name} (pattern {number})": pattern for number, pattern in enumerate(self.patterns, 1)}
        if self.words:
            import re2  # type: ignore[import-untyped]  # noqa: PLC0415 - most routes have no topics

            any_word = "|".join(map(re2.escape, sorted(self.words)))
            found[name] = rf"(?i)(?:^|[^\pL\pM\pN_])(?:{any_word})(?:$|[^\pL\pM\pN_])"
        return found


def scan_topics(text: str, topics: Mapping[str, Topic]) -> Iterator[Finding]:
    """Yield one finding for each expression of a topic, at its first place.

    Raises SettingError for an expression that cannot be read.
    """
    expressions = {name: one for topic, rule in topics.items() for name, one in rule.expressions(topic).items()}
    told: set[str] = set()
    for one in scan_patterns(text, expressions):
        if one.name not in told:
            told.add(one.name)
            yield Finding(code=CODE, outcome=Outcome.FAIL, reason=f"it touches the topic {one.name}", where=one.where)
