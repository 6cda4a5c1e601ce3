"""The judge without a model: word-level evidence for or against a claim in one passage."""

from __future__ import annotations

import re
from collections.abc import Sequence

from showable.judges.lexical.decide import decide
from showable.judges.lexical.injection import without_unseen
from showable.judges.lexical.passage import Passage, read_passage
from showable.judges.lexical.signs import Signs, read_signs
from showable.judges.lexical.words import Words, split_words
from showable.records import Cost, Pair, Verdict
from showable.rubrics.gold_verdicts import asks_yes_or_no

NAME = "lexical@1"
_MARKER = re.compile(r"(?<!\s)\s*+(?:\[\^?\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\]|(?<![⁰¹²³⁴-⁹])[⁰¹²³⁴-⁹]++(?=[\s.,;:]|$))")
"""With the blanks before it, looked for where a run of blanks begins: from each of them it would cost the run's square."""
_ANSWERS = re.compile(r"^\W*+(?:yes|no)\s*+[,;:.–—-]++\s++(?=\w)", re.IGNORECASE)
"""A "No," at the head of a claim answers the question; it negates nothing in the claim itself."""


class LexicalJudge:
    """Judges by words alone, at no cost and with no key; deterministic, and the baseline for every other judge."""

    name = NAME
    prompt_hash: str | None = None

    async def verdicts(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """Judge a batch: one verdict a pair, in the same order."""
        return [judge_pair(pair) for pair in pairs]

    def estimate(self, pairs: Sequence[Pair]) -> Cost:  # noqa: ARG002 - free whatever the pairs are
        """Say what judging would cost: nothing."""
        return Cost()


def judge_pair(pair: Pair) -> Verdict:
    """Judge one claim against one passage read alone.

    Citation markers in the claim are passed over. `p` is a probability where support and no support are equally
    frequent; support is p ≥ 0.5. `quote` is the best window, as it stands in the passage. An ``unknown`` has no words
    to compare on one side.
    """
    text, claim = read_claim(pair.claim)
    passage = read_passage(pair.passage)
    if not claim.terms or not passage.words.terms:
        return unjudged(pair, NAME)
    if asks_yes_or_no(text):
        return unjudged(pair, NAME, "words alone do not tell a yes from a no")
    signs = read_signs(claim, text, passage)
    decision = decide(signs, passage.words)
    span = quoted(signs, passage)
    return Verdict(
        label=decision.label,
        judge=NAME,
        p=round(decision.p, 4),
        quote=pair.passage[span[0] : span[1]] if span else None,
        quote_span=span,
        reason=decision.reason,
        injection_suspected=passage.injection,
    )


def read_claim(claim: str) -> tuple[str, Words]:
    """Give a claim without citation markers and unseen characters, as text and as words."""
    text = _ANSWERS.sub("", _MARKER.sub("", without_unseen(claim)[0]))
    return text, split_words(text)


def unjudged(pair: Pair, judge: str, reason: str | None = None, *, failed: bool = False) -> Verdict:
    """Give the verdict on a pair that cannot be judged, by default because one side has no words."""
    side = "passage" if read_claim(pair.claim)[1].terms else "claim"
    return Verdict(
        label="unknown",
        judge=judge,
        reason=reason or f"the {side} has no words to judge by",
        failure="model failed" if failed else None,
        injection_suspected=read_passage(pair.passage).injection,
    )


def quoted(signs: Signs, passage: Passage) -> tuple[int, int] | None:
    """Give the words relied on: from the first to the last sentence of the window, or None where nothing matched."""
    low, high = signs.coverage.window
    if not signs.coverage.credit:
        return None
    end = passage.words.ends[high - 1]
    while end < len(passage.text) and passage.text[end] in ".!?\"'”’)]%":
        end += 1
    return passage.original(passage.words.starts[low], end)
