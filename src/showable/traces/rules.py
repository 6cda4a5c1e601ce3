"""EvalTags: rules that say which rubrics run on which answering spans, and how many of those answers a judge reads.

The first rule that matches decides, whole; later ones are not looked at. A rule without conditions matches every answer, so that the
last one of a file can say what holds for the rest. An answer that no rule matches has all rubrics, as the server was told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import translate
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, get_args

from showable.errors import InputError
from showable.records.traced import TracedAnswer
from showable.traces.scorers import Scorer

Rubric = Literal["structural", "resolvability", "semantic"]
RUBRICS: tuple[Rubric, ...] = get_args(Rubric)
_LONGEST = 1000
"""Characters of an attribute that a glob is held against."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: its conditions, all of which must hold, and what follows.

    Conditions are globs (`*`, `?`, `[…]`): of the service, the span's name and the model as they are, of the kind in any letter
    case, of attributes by their whole key. What follows: the rubrics that run; the profile, the judge and the share of clean answers where
    they are not the server's; `cohort` for answers that name none; `always` has every answer judged; `scorers` of one's own.
    """

    name: str
    service: str | None = None
    kind: str | None = None
    span: str | None = None
    model: str | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)
    rubrics: Sequence[Rubric] = RUBRICS
    profile: str | None = None
    judge: str | None = None
    sample: float | None = None
    cohort: str | None = None
    always: bool = False
    scorers: Sequence[Scorer] = ()

    def matches(self, traced: TracedAnswer, attributes: Mapping[str, Any]) -> bool:
        """Check whether every condition holds."""
        asked = (
            (self.service, traced.service),
            (self.span, traced.name),
            (self.model, traced.model),
            (self.kind and self.kind.casefold(), traced.kind.casefold()),
        )
        if any(glob is not None and not _matches(glob, said) for glob, said in asked):
            return False
        return all(key in attributes and _any_matches(glob, attributes[key]) for key, glob in self.attributes.items())


@dataclass(frozen=True, slots=True)
class Applied:
    """What holds for one answer. `rule` is None where no rule matched; None elsewhere is whatever the server was told."""

    rule: str | None = None
    rubrics: Sequence[Rubric] = RUBRICS
    profile: str | None = None
    judge: str | None = None
    sample: float | None = None
    cohort: str | None = None
    always: bool = False
    scorers: Sequence[Scorer] = ()

    @property
    def off(self) -> Sequence[tuple[Rubric, str]]:
        """The rubrics that do not run, each with why."""
        return tuple((r, f"rule {self.rule!r} switches it off") for r in RUBRICS if r not in self.rubrics)


ALL_RUBRICS = Applied()
"""What holds where no rule says anything."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules in their order. `wrong` gives the error that names a rule's place in its file."""

    rules: Sequence[Rule] = ()
    wrong: Callable[[str, str, str], InputError] = field(
        default=lambda rule, name, said: InputError(f"rule {rule!r}: {name}: {said}")
    )

    @property
    def by_attributes(self) -> bool:
        """Whether any rule asks for attributes: who applies them must have the span."""
        return any(rule.attributes for rule in self.rules)

    def for_answer(self, traced: TracedAnswer, attributes: Mapping[str, Any] | None = None) -> Applied:
        """Return what holds for an answer; `attributes` are those of its span, on top of its resource's."""
        given = attributes or {}
        rule = next((rule for rule in self.rules if rule.matches(traced, given)), None)
        if rule is None:
            return ALL_RUBRICS
        return Applied(
            rule.name, rule.rubrics, rule.profile, rule.judge, rule.sample, rule.cohort, rule.always, rule.scorers
        )


def load_rules(path: Path | None) -> Rules:
    """Read a file of rules; none at all where there is no file. Raises InputError: file, line, field, what was expected."""
    from showable.traces.rule_file import read_rules  # noqa: PLC0415 - it imports Rule

    return Rules() if path is None else read_rules(path)


@lru_cache(maxsize=1024)
def _pattern(glob: str) -> re.Pattern[str]:
    return re.compile(translate(glob))


def _matches(glob: str, said: str) -> bool:
    return _pattern(glob).match(said[:_LONGEST]) is not None


def _any_matches(glob: str, value: object) -> bool:
    """Hold a glob against a value as JSON writes it; of a list, against each of its elements."""
    if isinstance(value, list | tuple):
        return any(_any_matches(glob, one) for one in value if not isinstance(one, list | tuple))
    said = str(value).lower() if isinstance(value, bool) else str(value)
    return _matches(glob, said)
