"""What the documents hold instead of the answer, as an answer that declines tells it: "the passages only cover the rent"."""

from __future__ import annotations

from showable.read.refusal_phrases import ANY_SOURCE, EVIDENCE_SOURCE, phrase

_SECTION = r"(?:sections?|clauses?|articles?|schedules?|chapters?|pages?|tables?|notes?|appendix|exhibits?|parts?|paragraphs?|passages?|§)"
_HOLDS = r"(?:covers?|address(?:es)?|discuss(?:es)?|focus(?:es)?|deals?|concerns?|describes?|mentions?|contains?|includes?|provides?|presents?|lists?|refers?|relates?|talks?|pertains?|details?|explains?|is about|are about)(?! no\b)"
_CONTENTS = phrase(
    rf"\b(?:closest|nearest|most (?:\w+ )?(?:relevant|related|similar)|instead)\b"
    rf"|\b(?:do|does|did) (?!not\b)(?:\w+ )?(?:mention|cover|discuss|describe|refer|contain|include|provide|address|list|note|state)\b|\bonly (?:\S+ ){{0,6}}?(?:mentioned|listed|provided|discussed|given)\b|\bonly (?:\w+ )?{_HOLDS}\b"
    rf"|\b(?:it is|is|are|was|were|there is|there are) (?:also |only |an? |some )?(?:mention(?:ed|s)?|discussed|provided|described|discussion)\b"
    rf"|^(?:(?:however|but|while|although|instead|it|and),? )?(?:the |these |this |those |all |both )?(?:\S+ ){{0,4}}?{EVIDENCE_SOURCE}\b(?:(?!not\b|n't|\bno\b)[^.]){{0,60}}? {_HOLDS}\b"
    rf"|^(?:(?:however|but|while|although|instead),? )?(?:the |this )?(?:\S+ ){{0,3}}?{_SECTION} [\divxa-z.()-]+ (?:(?!\S*n't\b|not\b|no\b)\S+ ){{0,4}}?{_HOLDS}\b"
    rf"|^(?:they (?:\w+ )?|it (?:only|mainly|mostly|instead|just) ){_HOLDS}\b"
    rf"|^(?:the |this |these )?(?:\S+ ){{0,3}}?{ANY_SOURCE} (?:is|are) (?:an?|the|about|from|for|dated|titled)\b"
)


def points_to_contents(sentence: str) -> bool:
    """Check whether a sentence says what the documents do hold, such as the closest passage. `sentence` is lower-cased."""
    return _CONTENTS.search(sentence) is not None
