"""The embedded judge without a model: word-level evidence for or against a claim in one passage."""

from __future__ import annotations

import re
from collections.abc import Sequence

from probative.judges.lexical.conflict import find_conflict
from probative.judges.lexical.decide import probability
from probative.judges.lexical.passage import read_passage
from probative.judges.lexical.signs import read_signs
from probative.judges.lexical.words import split_words
from probative.records import Cost, Pair, Verdict

NAME = "lexical@1"
_MARKER = re.compile(r"\s*\[\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\]")


class LexicalJudge:
    """Judges by words alone, at no cost and with no key; deterministic, and the baseline for every other judge."""

    name = NAME
    prompt_hash: str | None = None

    async def verdicts(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """Judge a batch: one verdict a pair, in the same order."""
        return [judge_pair(pair) for pair in pairs]

    def estimate(self, pairs: Sequence[Pair]) -> Cost:  # noqa: ARG002 - free whatever the pairs are
        """Say what judging would cost: nothing."""
        return Cost(usd=0.0)


def judge_pair(pair: Pair) -> Verdict:
    """Judge one claim against one passage, read alone."""
    text = _MARKER.sub("", pair.claim)
    claim = split_words(text)
    if not claim.terms:
        return Verdict(label="unknown", judge=NAME, reason="the claim has no words")
    passage = read_passage(pair.passage)
    if not passage.words.terms:
        return Verdict(label="unknown", judge=NAME, reason="the passage has no words", injection_suspected=passage.injection)
    signs = read_signs(claim, text, passage)
    p = probability(signs)
    conflict = find_conflict(signs, passage.words)
    return Verdict(
        label="contradicted" if conflict else "supported" if p >= 0.5 else "unsupported", judge=NAME, p=p,
        reason=conflict or (None if p >= 0.5 else "not in the passage: " + ", ".join(signs.coverage.missing())), injection_suspected=passage.injection
    )
