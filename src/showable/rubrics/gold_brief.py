"""Brief answers to yes-or-no questions: "It did not.", "The plan was rejected.", "The lease forbids it."."""

from __future__ import annotations

import re

from showable.read.question_focus import stems
from showable.read.refusal_phrases import ANY_SOURCE
from showable.rubrics.gold_negation import MARKER
from showable.rubrics.gold_opposites import FORBIDS, verdict_word

_AUXILIARY = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must)"
_BARE = re.compile(
    rf"\W*(?P<who>[^.,;:!?]{{1,80}}?) (?:(?P<yes>{_AUXILIARY})|{_AUXILIARY}(?P<no> not|n['’]?t)|(?P<never>never {_AUXILIARY}|cannot))\W*"
)
_SPEAKS = re.compile(
    rf"\b(?:{ANY_SOURCE}|(?:the )?(?:law|statute|regulations?|rules?|provisions?|clause|courts?|judges?|jury|tribunals?|boards?|councils?|committees?|regulators?|authority|authorities"
    r"|parliament|senate|house|shareholders|members|voters|justices))\b"
)
_FINDS = stems(
    "made makes make posted posts reported reports recorded records incurred incurs held holds hold found finds find ruled rules ruling decided decides said says declared declares concluded concludes considered considers deemed deems regarded thought judged "
    "however therefore thus so in fact actually indeed later finally ultimately eventually first then instead unanimously expressly explicitly clearly strictly generally always "
    "already again outright altogether entirely completely fully once twice yesterday today"
)
_MUST_NOT = re.compile(r" (?:(?:must|may|should|shall|can)(?: not|n['’]?t)|cannot|can never|must never)\b")
_OBJECT_ENDS = re.compile(
    r"[,;:.!?()\n]|\b(?:in|on|at|of|for|from|to|by|as|with|without|under|after|before|during|until|unless|if|because|since|when|while|although|though|but|so|and|or|subject|due|which|who|that|than)\b"
)


def brief_verdict(statement: str, question: str) -> bool | None:
    """Read an answer that leaves out what the question said: "It did.", "They couldn't."; None where it is none."""
    match = _BARE.fullmatch(MARKER.sub("", statement))
    if match is None or stems(match["who"]) - stems(question):
        return None
    return match["yes"] is not None


def answers_briefly(clause: str, question: str) -> bool:
    """Tell whether a clause answers by a word of the question's sense, or its opposite, and is about nothing else.

    Before that word stand only words of the question, pronouns, and who has a say in it ("the lease", "the court");
    after it no other object: "the council approved the minutes" says nothing of the plan.
    """
    clause = MARKER.sub("", clause)
    word = verdict_word(clause, question)
    if word is None:
        return False
    return not stems(_SPEAKS.sub(" ", clause[: word.start()])) - stems(question) - _FINDS and not has_other_object(
        clause, question
    )


def has_other_object(clause: str, question: str) -> bool:
    """Tell whether what a word of the question's sense acts on is none of the question's: "approved the minutes"."""
    clause = MARKER.sub("", clause)
    word = verdict_word(clause, question)
    if word is None:
        return False
    end = word.end() + len(re.match(r"\w*", clause[word.end() :])[0])  # type: ignore[index]
    broken = _OBJECT_ENDS.search(clause, end)
    object_ = clause[end : broken.start() if broken else len(clause)]
    own = frozenset(s for s in stems(object_) if not s[0].isdigit()) - _FINDS
    return bool(own) and not own & stems(question) and not object_.endswith("ly")


def with_prohibitions(statement: str, question: str) -> str:
    """Write "must not" as "is forbidden to" where the question asks whether a thing is forbidden: that is what it means."""
    return _MUST_NOT.sub(" is forbidden to", statement) if FORBIDS.search(question) else statement
