"""Two judges, the second asked where the first is unsure, another rubric failed the answer, or a claim allows no mistake."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, Self

from showable.records import Cost, Judge, Pair, SettingError, Verdict
from showable.records.regex import regex

_KIND = regex(r"[\w.-]+")
_NAME = regex(r"cascade(?P<critical>(?:\+[\w.-]+)*)\((?P<first>[^>]+)>(?P<second>.+)\)@1", re.DOTALL)


class CascadeName(NamedTuple):
    """What a cascade's name says: ``cascade+dosage(lexical@1>chat:m@1a2b3c4d)@1``. Prints and reads back."""

    first: str
    second: str
    critical: frozenset[str] = frozenset()

    def __str__(self) -> str:
        """Print, kinds in alphabetical order."""
        return f"cascade{''.join(f'+{kind}' for kind in sorted(self.critical))}({self.first}>{self.second})@1"

    @classmethod
    def parse(cls, name: str) -> Self | None:
        """Read what ``str`` printed; None for the name of any other judge."""
        found = _NAME.fullmatch(name)
        if found is None:
            return None
        return cls(found["first"], found["second"], frozenset(found["critical"].split("+")[1:]))


class CascadeJudge:
    """Asks the first judge about every pair, the second about those it leaves `unknown`, failed answers and `critical` kinds.

    An answer that another rubric failed is where a judge is most often wrong, and where it matters: `Pair.failed` says so.

    The second's verdict then stands, under its own name and with the cost of both. Where the second
    fails, the pair is `unknown` with the reasons of both: the first's guess is not fallen back on.
    Kinds are compared with a claim's `kind` letter by letter. Which judge spoke is in `Verdict.judge`,
    so that saved evidence tells how often the second was asked. Raises SettingError for a kind that
    is not one word, or a first judge that is itself a cascade, or two that are the same.
    """

    def __init__(self, first: Judge, second: Judge, critical: frozenset[str] = frozenset()) -> None:
        if ">" in first.name:
            raise SettingError(f"cascade: the first judge cannot be {first.name!r}; name the cheaper judge alone")
        if first.name == second.name:
            raise SettingError(f"cascade: both judges are {first.name}; the second is to be a stronger one")
        for kind in sorted(critical):
            if not _KIND.fullmatch(kind):
                raise SettingError(f"cascade: {kind!r} is no claim kind; a kind is one word, such as dosage")
        self._first, self._second, self._critical = first, second, critical
        self.name = str(CascadeName(first.name, second.name, critical))
        self.prompt_hash = second.prompt_hash

    escalates = True
    """Whoever gathers its verdicts is to find out first whether another rubric failed the answer."""

    def with_critical(self, critical: frozenset[str]) -> CascadeJudge:
        """Return the same two judges with other critical kinds."""
        return CascadeJudge(self._first, self._second, critical)

    async def verdicts(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """Judge a batch: one verdict a pair, in the same order."""
        verdicts = list(await self._first.verdicts(pairs))
        asked = [i for i, pair in enumerate(pairs) if verdicts[i].label == "unknown" or self._matters(pair)]
        answers = await self._second.verdicts([pairs[i] for i in asked]) if asked else []
        for i, answer in zip(asked, answers, strict=True):
            verdicts[i] = _settled(verdicts[i], answer)
        return verdicts

    def _matters(self, pair: Pair) -> bool:
        return pair.failed or pair.kind in self._critical

    def estimate(self, pairs: Sequence[Pair]) -> Cost:
        """Say the most it can cost: what both judges would ask for every pair."""
        return self._first.estimate(pairs) + self._second.estimate(pairs)

    async def aclose(self) -> None:
        """Close both judges, where they can be closed."""
        for judge in (self._first, self._second):
            close = getattr(judge, "aclose", None)
            if close is not None:
                await close()


def _settled(first: Verdict, second: Verdict) -> Verdict:
    """Take the second judge's verdict, with what must not be lost of the first's."""
    reason = second.reason
    if second.label == "unknown":
        before = first.reason or f"says {first.label}"
        reason = f"{first.judge}: {before}; {second.judge}: {reason or 'gave no reason'}"
    return second.model_copy(
        update={
            "reason": reason,
            "injection_suspected": first.injection_suspected or second.injection_suspected,
            "cost": (first.cost or Cost()) + (second.cost or Cost()),
        }
    )
