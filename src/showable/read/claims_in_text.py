"""Claims of a structured answer that stand at their spans in its text: there, the text has been read already."""

from __future__ import annotations

from bisect import bisect_left

from showable.read.claims import asserts_fact
from showable.read.marker import Span
from showable.read.plain_text import plain
from showable.read.quoted import folded
from showable.read.reading import Reading
from showable.read.stretches import Stretches
from showable.records.record import Claim

_LONGEST_MARKS = 400
"""Markers and formatting may make the words of a claim longer where they stand than they are, but not without end."""


class ClaimsInText:
    """The text of a structured answer as read, to ask of a claim whether it stands in it, and what of it is asserted there."""

    def __init__(self, spoken: Reading) -> None:
        self.text = spoken.text
        self._declining = Stretches(spoken.refusal.spans)
        said = spoken.answer.claims if spoken.answer else ()
        self._said = sorted(((claim.span, claim.text) for claim in said if claim.span), key=lambda one: one[0])
        places: dict[str, list[Span]] = {}
        for span, words in self._said:
            places.setdefault(folded(words), []).append(span)
        self._made = {words: Stretches(spans) for words, spans in places.items()}

    def stands(self, claim: Claim) -> bool:
        """Say whether the words at the claim's span are the claim's; numeric markers, formatting and stops aside."""
        if claim.span is None or claim.span[1] - claim.span[0] > 2 * len(claim.text) + _LONGEST_MARKS:
            return False
        return folded(plain(self.text[slice(*claim.span)])) == folded(plain(claim.text))

    def makes(self, claim: Claim) -> bool:
        """Say whether the text, read by itself, makes this very claim at the claim's span."""
        made = self._made.get(folded(claim.text))
        return claim.span is not None and made is not None and made.covered(claim.span) > 0

    def kept(self, claim: Claim, span: Span) -> Claim | None:
        """Give a claim that stands at a span, without what declines there; None where it asserts nothing.

        A claim that cites is taken at its word, though its sentence may read like a courtesy.
        """
        if not self._declining.covered(span):
            return claim if claim.citations or self._within(span) or _says_something(claim.text) else None
        within = self._within(span)
        if not within:
            return None
        start, end = within[0][0][0], within[-1][0][1]
        return claim.model_copy(update={"text": ". ".join(words for _, words in within), "span": (start, end)})

    def _within(self, span: Span) -> list[tuple[Span, str]]:
        """Give the claims that the text makes within a span."""
        first, last = bisect_left(self._said, ((span[0], 0), "")), bisect_left(self._said, ((span[1], 0), ""))
        return [one for one in self._said[first:last] if one[0][1] <= span[1]]


def _says_something(words: str) -> bool:
    """Say whether words that the text leaves aside are more than a courtesy or a bare "Yes."."""
    return len(words.split()) > 1 and asserts_fact(words)
