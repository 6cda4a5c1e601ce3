"""In an answer that declines, which claims answer the question after all and which are asides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from showable.read.guidance import is_guidance
from showable.read.inferred import JOINT
from showable.read.policy_phrases import lectures
from showable.read.question_focus import COUNT, Focus, focus, gives_value, is_of_another, stems, years
from showable.read.reading import RefusalReading
from showable.read.refusal_contents import points_to_contents
from showable.read.refusal_phrases import phrase
from showable.records.regex import regex
from showable.records.scorecard import Role

__all__ = ["assign_roles", "covers", "is_aside", "is_guidance", "points_to_contents"]

_ANSWER_SHARE = 0.5
_OVERLAP_WITH_DECLINE = 0.5

# How such a thing is found or reckoned in general.
_GENERAL = phrase(
    r"\b(?:typically|usually|generally|in general|normally|commonly|ordinarily|as a rule)\b|\b(?:formula|step-by-step)\b|\s=\s"
    r"|\b(?:can|could|may|would|will|might|should) (?:\w+ )?(?:be )?(?:found|available|listed|located|obtained|accessed|calculated|computed|derived|required|needed|necessary|represent|helpful|consulted|contain|include)\b"
    r"|\b(?:is|are) (?:\w+ )?(?:calculated|computed|defined|determined|needed|required|necessary|obtained|measured|derived) (?:by|as|from|to|for|using)\b|\b(?:may|might|could) (?:\w+ )?(?:be|have|include|indicate|reflect|result)\b|\brefers? to\b|\brequires? (?:both|the|an?|information|data|knowing|access)\b"
)
_CLOSEST = phrase(r"\b(?:closest|nearest|most (?:\w+ )?(?:relevant|related|similar))\b")
_REPORTS = phrase(
    r"\b(?:mention|state|say|note|report|indicate|show|provide|specif|explain)\w* that\b|\b(?:say|state)s?\b"
)
# Steps of a calculation or a search, put to the reader; with a figure of its own it is a calculation made.
_PROCEDURE = phrase(
    r"(?:^|: )(?:\W*(?:\d+[.)] )?)(?:(?:however|otherwise|alternatively|instead|then|and|so|next|finally|first),? )?(?:(?:if|once|when|to|in order to|from|using|with) [^,]{1,200}, )?"
    r"(?:(?:you|one|we|i)(?: can| could| would| should| may| might| will|'ll|'d)? (?:also |then |\w+ly )?(?:want to |need to |be able to |have to |try to )?(?!file\b)|please )?"
    r"(?:calculat|comput|divid|add|subtract|multipl|locat|find|navigat|access|identif|look|visit|search|open|round|express|sum|follow|perform|compar|consider|refer|consult|check|obtain|determin|use the (?:\w+ )?formula|start with|assess)(?:e|y|d)?\b"
    r"|\b(?:can|could|may|might|will|would) guide you\b|\bfollow these steps\b|\bthe calculation would\b"
)
_PIVOT = phrase(
    r"(?:^|[.;!?\n] ?|, |[—–-] )(?:but|however|that said|nevertheless|nonetheless|still|yet|even so|in any case|having said that|despite this|therefore|thus|hence|so)\b[^.;!?\n]{0,60}$"
)
# A claim that names what it is about, and the value that it then has: "the rent is 900 euros".
_OPENING = r"^\W*(?:(?:but|however|that said|nevertheless|nonetheless|even so|still|yet|and|also),? )?(?:(?:they|it) (?:do|does) say that )?"
_NO_NAME = r"(?!(?:but|however|yet|still|and|also|it|this|that|these|those|they|there|you|i|my|we|s?he|one|none|no|nothing|nobody|each|any|some|such|(?:the )?(?:answer|figure|amount|value|number|total|date|period|dose|limit|usual\w*))\b)"
_NAMED = rf"{_OPENING}{_NO_NAME}(?:(?!that\b|which\b)[\w'’-]+ ){{1,6}}?"
_HAS_VALUE = phrase(
    rf"{_NAMED}(?:is|are|was|were|amounts? to) (?:about |around |only |roughly |approximately )?(?:[$€£¥]?\d|{COUNT}\b)"
)
_IS_SO = phrase(rf"{_NAMED}(?:is|are|was|were|has|have|falls?|runs?|includes?|covers?|must|shall|may|can|will)\b")
_GUESS = phrase(
    r"^(?:\W*)(?:but|however|that said|nevertheless|nonetheless|even so|in any case|having said that|yet|still)\b"
    r"|\b(?:i (?:think|believe|guess|estimate|would say|assume|suspect)|my (?:best )?(?:guess|estimate|understanding|knowledge)|probably|likely|presumably|roughly|the answer is|it can be (?:inferred|assumed|concluded|estimated)|based on (?:my|general) (?:\w+ )?knowledge)\b"
)
# A figure that was stated or reckoned, as against a year or the 100 of a formula.
_FIGURE = regex(r"[$€£¥]\s?\d|\d\s?%|\d[.,]\d|(?<![\w.,])(?!100\b|(?:19|20)\d\d\b)\d{2,}(?![\w-])")
# "It is usually 5 mg": what is said to be usual is put forward as the answer where it has a measure, or follows "but it".
_USUAL = r"(?:typically|usually|generally|in general|normally|commonly|ordinarily|as a rule|often|mostly)"
_MEASURED = regex(
    rf"\b{_USUAL}\b.*\d\s?(?:mg|mcg|µg|g|kg|ml|iu|units?|tablets?|capsules?|drops?|%|percent|minutes?|hours?|days?|weeks?|months?|years?)(?!\w)"
)
_GUESSED = phrase(
    rf"^\W*(?:(?:but|however|still|yet|though|although),? )?(?:it|they|this|that)(?:'s| is| are| was| were| takes?| lasts?| runs?)? {_USUAL} (?!(?:be )?(?:calculated|computed|found|defined|determined|reported|listed|available|derived|stated|given|disclosed|measured|obtained))"
)
_SENTENCE_END = regex(r"[.!?]\s|\n")
_DIGIT = regex(
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
        if refusal.kind == "harm" and lectures(claim.text.lower().replace("’", "'")):
            aside = True
        pivoted = pivoted or _turns(claim, text)
        put_forward = _is_concluded(claim, text) or (pivoted and not _names_another(claim.text, asked))
        answers = not aside and (
            refusal.extent == "partial"
            or put_forward
            or covers(claim.text, asked)
            or (gives_value(claim.text, asked) and not _names_another(claim.text, asked))
        )
        roles.append("answering" if answers else "aside")
    return tuple(roles)


def _turns(claim: ClaimLike, text: str) -> bool:
    """Check whether a claim is put forward in spite of the refusal: "but", "however", "my guess is"."""
    return _PIVOT.search(_lead(text, claim.span)) is not None or any(
        guess.search(claim.text.lower()) for guess in (_GUESS, _GUESSED)
    )


def _is_concluded(claim: ClaimLike, text: str) -> bool:
    """Check whether a claim is inferred from what the documents do not say: "so none is due". A reason for that is an aside."""
    lead = _lead(text, claim.span)
    said = lead + claim.text.lower() if lead else ""
    return any(joint.end() == len(lead) and not joint["ground"] for joint in JOINT.finditer(said))


def _names_another(claim: str, asked: Focus) -> bool:
    """Check whether a claim names its own subject, which is not what was asked about: "but the rent is 900 euros".

    Asked who or which it was, the subject may itself be the answer: "but Anna Berg is the owner".
    """
    if asked.who or not asked.stems:
        return False
    lowered = claim.lower()
    valued = asked.value is not None and asked.value.search(lowered) is not None
    named = (_HAS_VALUE if valued else _IS_SO).match(lowered)
    return named is not None and not stems(lowered) & (asked.subject or asked.stems)


def is_aside(sentence: str) -> bool:
    """Check whether a sentence is of the kind that comes with a refusal: contents, generalities, next steps."""
    lowered = sentence.lower().replace("’", "'")
    return _is_general(sentence, lowered) or points_to_contents(lowered)


def _is_general(sentence: str, lowered: str) -> bool:
    """Check whether a sentence gives a next step, or speaks of how such a thing is found without a figure of its own."""
    general = _GENERAL.search(lowered) is not None or _PROCEDURE.search(lowered) is not None
    put_forward = _FIGURE.search(lowered) or _MEASURED.search(lowered) or _GUESSED.search(lowered)
    return (general and not put_forward) or is_guidance(sentence)


def _is_aside(claim: str, asked: Focus, *, beside_a_part: bool) -> bool:
    """Check whether a claim is an aside. Where a part is answered, "the report lists sales of $5m" may be the answer."""
    named = years(claim)
    if (named and asked.years and not named & asked.years) or is_of_another(claim, asked):
        return True
    lowered = claim.lower().replace("’", "'")
    if _is_general(claim, lowered) and not (asked.how_to and not is_guidance(claim)):
        return True
    if not points_to_contents(lowered):
        return False
    reports = _REPORTS.search(lowered) and not _CLOSEST.search(lowered)
    return not ((beside_a_part or reports) and (covers(claim, asked) or gives_value(claim, asked)))


def covers(claim: str, asked: Focus) -> bool:
    """Check whether a claim has what the question asks for: most of its words, and a figure if it wants one."""
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
