"""In an answer that declines, which claims answer the question after all and which are asides."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from probative.read.question_focus import Focus, focus, stems, years
from probative.read.reading import RefusalReading
from probative.read.refusal_phrases import ANY_SOURCE, EVIDENCE_SOURCE, phrase
from probative.records.scorecard import Role

_ANSWER_SHARE = 0.5
_OVERLAP_WITH_DECLINE = 0.5

_SECTION = r"(?:sections?|clauses?|articles?|schedules?|chapters?|pages?|tables?|notes?|appendix|exhibits?|parts?|paragraphs?|passages?|§)"
_HOLDS = r"(?:covers?|address(?:es)?|discuss(?:es)?|focus(?:es)?|deals?|concerns?|describes?|mentions?|contains?|includes?|provides?|presents?|lists?|refers?|relates?|talks?|pertains?|details?|explains?|is about|are about)(?! no\b)"
# What the documents hold instead of the answer: the closest passages.
_CONTENTS = phrase(
    rf"\b(?:closest|nearest|most (?:\w+ )?(?:relevant|related|similar)|instead)\b"
    rf"|\b(?:do|does|did) (?!not\b)(?:\w+ )?(?:mention|cover|discuss|describe|refer|contain|include|provide|address|list|note|state)\b|\bonly (?:\S+ ){{0,6}}?(?:mentioned|listed|provided|discussed|given)\b|\bonly (?:\w+ )?{_HOLDS}\b"
    rf"|\b(?:it is|is|are|was|were|there is|there are) (?:also |only |an? |some )?(?:mention(?:ed|s)?|discussed|provided|described|discussion)\b"
    rf"|^(?:(?:however|but|while|although|instead|it|and),? )?(?:the |these |this |those |all |both )?(?:\S+ ){{0,4}}?{EVIDENCE_SOURCE}\b(?:(?!not\b|n't|\bno\b)[^.]){{0,60}}? {_HOLDS}\b"
    rf"|^(?:(?:however|but|while|although|instead),? )?(?:the |this )?(?:\S+ ){{0,3}}?{_SECTION} [\divxa-z.()-]+ (?:(?!\S*n't\b|not\b|no\b)\S+ ){{0,4}}?{_HOLDS}\b"
    rf"|^(?:they (?:\w+ )?|it (?:only|mainly|mostly|instead|just) ){_HOLDS}\b"
    rf"|^(?:the |this |these )?(?:\S+ ){{0,3}}?{ANY_SOURCE} (?:is|are) (?:an?|the|about|from|for|dated|titled)\b"
)
# How such a thing is found or reckoned in general.
_GENERAL = phrase(
    r"\b(?:typically|usually|generally|in general|normally|commonly|ordinarily|as a rule)\b|\b(?:formula|step-by-step)\b|\s=\s"
    r"|\b(?:can|could|may|would|will|might|should) (?:\w+ )?(?:be )?(?:found|available|listed|located|obtained|accessed|calculated|computed|derived|required|needed|necessary|represent|helpful|consulted|contain|include)\b"
    r"|\b(?:is|are) (?:\w+ )?(?:calculated|computed|defined|determined|needed|required|necessary|obtained|measured|derived) (?:by|as|from|to|for|using)\b|\b(?:may|might|could) (?:\w+ )?(?:be|have|include|indicate|reflect|result)\b|\brefers? to\b|\brequires? (?:both|the|an?|information|data|knowing|access)\b"
)
_NEXT_STEP = phrase(
    r"^(?:\d+[.)] |[-*•] )?(?:(?:however|otherwise|alternatively|instead|then|and|so),? )?(?:if|once|when|to (?:\w+ly )?(?:calculate|determine|find|answer|obtain|compute|get|confirm|know|learn|verify|provide)|please|check|consult|refer|see|visit|look|contact|ask|review|search|try|find|locate|navigate|access|divide|add|subtract|multiply|identify|open|obtain)\b"
    r"|\b(?:you|one) (?:can|could|would|should|may|might|need|will|must)\b|\bi (?:can|could|would|will|recommend|suggest|advise|encourage)\b|\b(?:recommended|advisable|best) to\b|\bas an ai\b|\bplease (?:note|refer|consult|check|see)\b|\bkeep in mind\b"
)
_PLACE_TO_LOOK = phrase(
    r"\b(?:would|may|might|could|should) (?:\w+ )?(?:be (?:the |a )?(?:\w+ )?(?:place|source|person|office)|know|help|hold|have (?:it|this|that|the))\b"
    r"|\b(?:can|could|may|might|should) (?:\w+ )?be (?:\w+ )?(?:found|available|asked|consulted|obtained|contacted)\b"
)
_PIVOT = phrase(
    r"(?:^|[.;!?\n] ?|, |[—–-] )(?:but|however|that said|nevertheless|nonetheless|still|yet|even so|in any case|having said that|despite this|therefore|thus|hence|so)\b[^.;!?\n]{0,60}$"
)
_GUESS = phrase(
    r"^(?:\W*)(?:but|however|that said|nevertheless|nonetheless|even so|in any case|having said that|yet|still)\b"
    r"|\b(?:i (?:think|believe|guess|estimate|would say|assume|suspect)|my (?:best )?(?:guess|estimate|understanding|knowledge)|probably|likely|presumably|roughly|the answer is|it can be (?:inferred|assumed|concluded|estimated)|based on (?:my|general) (?:\w+ )?knowledge)\b"
)
# A figure that was stated or reckoned, as against a year or the 100 of a formula.
_FIGURE = re.compile(r"[$€£¥]\s?\d|\d\s?%|\d[.,]\d|(?<![\w.,])(?!100\b|(?:19|20)\d\d\b)\d{2,}(?![\w-])")
_SENTENCE_END = re.compile(r"[.!?]\s|\n")
_DIGIT = re.compile(
    r"\d|\b(?:three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|sixty|ninety|hundred|thousand|million)\b"
)


class ClaimLike(Protocol):
    """A claim as read: its words and its place in the answer."""

    @property
    def text(self) -> str:
        """The claim's words."""
        ...

    @property
    def span(self) -> tuple[int, int] | None:
        """Its offsets into the answer's text."""
        ...


def assign_roles(question: str, claims: Sequence[ClaimLike], refusal: RefusalReading, text: str) -> tuple[Role, ...]:
    """Say of each claim whether it answers the question or is an aside.

    Where nothing is declined every claim answers. In an answer that declines, statements about what the
    documents hold (the closest passages), about how such a thing is found in general, about another year,
    and next steps are asides. Where the very question is declined, a claim answers only when it is
    presented as an answer ("but it is 30 days") or covers the question's words.
    """
    if refusal.extent == "none":
        return tuple("answering" for _ in claims)
    asked = focus(question)
    roles: list[Role] = []
    pivoted = False
    for claim in claims:
        aside = _in_decline(claim.span, refusal, text) or _is_aside(
            claim.text, asked, beside_a_part=refusal.extent == "partial"
        )
        pivoted = pivoted or _turns(claim, text)
        answers = not aside and (refusal.extent == "partial" or pivoted or covers(claim.text, asked))
        roles.append("answering" if answers else "aside")
    return tuple(roles)


def _turns(claim: ClaimLike, text: str) -> bool:
    """Tell whether a claim is put forward in spite of the refusal: "but", "however", "my guess is"."""
    return _PIVOT.search(_lead(text, claim.span)) is not None or _GUESS.search(claim.text.lower()) is not None


def is_aside(sentence: str) -> bool:
    """Tell whether a sentence is of the kind that comes with a refusal: contents, generalities, next steps."""
    lowered = sentence.lower().replace("’", "'")
    return _is_general(lowered) or points_to_contents(lowered)


def is_guidance(sentence: str) -> bool:
    """Tell whether a sentence guides the reader rather than asserts: a next step, or what the documents are about."""
    lowered = sentence.lower().replace("’", "'")
    if _NEXT_STEP.search(lowered) or _PLACE_TO_LOOK.search(lowered):
        return True
    return points_to_contents(lowered) and not _FIGURE.search(lowered)


def points_to_contents(sentence: str) -> bool:
    """Tell whether a sentence says what the documents do hold, such as the closest passage. `sentence` is lower-cased."""
    return _CONTENTS.search(sentence) is not None


def _is_general(lowered: str) -> bool:
    """Tell whether a sentence gives a next step, or speaks of how such a thing is found without a figure of its own."""
    if _NEXT_STEP.search(lowered):
        return True
    return _GENERAL.search(lowered) is not None and not _FIGURE.search(lowered)


def _is_aside(claim: str, asked: Focus, *, beside_a_part: bool) -> bool:
    """Tell whether a claim is an aside. Where a part is answered, "the report lists sales of $5m" may be the answer."""
    named = years(claim)
    if named and asked.years and not named & asked.years:
        return True
    lowered = claim.lower().replace("’", "'")
    if _is_general(lowered):
        return True
    return points_to_contents(lowered) and not (beside_a_part and covers(claim, asked))


def covers(claim: str, asked: Focus) -> bool:
    """Tell whether a claim has what the question asks for: most of its words, and a figure if it wants one."""
    if not asked.stems or (asked.quantity and not _DIGIT.search(claim.lower())):
        return False
    return len(stems(claim) & asked.stems) / len(asked.stems) >= _ANSWER_SHARE


def _in_decline(span: tuple[int, int] | None, refusal: RefusalReading, text: str) -> bool:
    if span is None:
        return False
    size = max(1, len(text[span[0] : span[1]].strip()))
    shared = sum(max(0, min(span[1], end) - max(span[0], start)) for start, end in refusal.spans)
    return shared / size > _OVERLAP_WITH_DECLINE


def _lead(text: str, span: tuple[int, int] | None) -> str:
    """Take what stands between the last full stop and the claim: where "but" and "however" are."""
    if span is None:
        return ""
    before = text[max(0, span[0] - 120) : span[0]].lower()
    ends = [match.end() for match in _SENTENCE_END.finditer(before)]
    return before[ends[-1] :] if ends else before
