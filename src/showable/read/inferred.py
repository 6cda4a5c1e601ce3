"""What an answer infers from silence: "The leaflet does not mention alcohol, so you may drink".

The words after the joint ("so", "which means", "therefore", a colon) assert something and are to be judged, unless they
only go on to decline: that the question stays open, what the documents are about, whom to ask.
"""

from __future__ import annotations

import re

from showable.read.assertions import asserts_fact
from showable.read.guidance import is_guidance
from showable.read.predication import is_predication
from showable.read.refusal_contents import points_to_contents
from showable.read.refusal_phrases import RETRIEVED, phrase
from showable.records.regex import regex

__all__ = ["JOINT", "conclusion"]

_OPENS = r"(?:the|it|you|there|this|that|these|those|they|he|she|we|i|an?|no|none|nothing|nobody|your|its|their|any|all|every|each|yes)\b"
_MEANS = r"(?:means?|implies|imply|(?:suggests?|indicates?|shows?|proves?|tells us) that)(?: that)?"
_HENCE = r"(?:therefore|thus(?! far\b)|hence|consequently|accordingly|as a result(?! of\b)|it follows(?: that)?|by implication|for that reason)"
_WHICH = r"(?:which|and (?:this|that|it)) (?:\w+ly |in turn |also |then |would |may |might |could |can only |must )*(?:(?:under|by|in|at|pursuant to|according to|given|because of) [^,;:]{1,60}?,? )?"
# What leads on from what the documents do not say. Each ends where the conclusion begins; after a `firm` one any words may
# be a conclusion ("so none"), after the others it takes a statement.
JOINT = phrase(
    rf"(?P<firm>, (?:and )?so(?: that)?,? (?!far\b|as\b|much\b|many\b|on\b)|,? (?:and )?so (?={_OPENS})|, {_WHICH}{_MEANS},? "
    rf"|, (?:\w+ly |thus |thereby )?(?:meaning|implying|suggesting|indicating)(?: that)? |[,;]? (?:and )?{_HENCE}(?:, | (?={_OPENS})))"
    rf"|[,;]? (?:and )?{_HENCE} |, {_WHICH}(?:suggests?|indicates?) |(?P<ground>,? (?:because|given that) |, since )|(?P<colon>: | - )"
    r"|, (?=(?P<value>which (?:is|was|are|were|amounts? to|comes? to|runs?|lasts?|ends?|falls? due)\b))"
)
_STATES = phrase(
    r"^(?:it|you|there|they|s?he|we|i|none|nothing|nobody|yes|no|not|(?:(?:about|around|roughly|approximately|only) )?[$€£]?\d[^,;]*$)\b"
)
# What a colon only spells out: "I could not find the following: …", "The passages do not support this claim: …".
_SPELT_OUT = phrase(
    r"\b(?:following|questions?|quer(?:y|ies)|claims?|statements?|assertions?|premises?|topics?|items?|points?|terms?|details?|words?|phrases?)(?: \w+)?$"
)
_CLAUSE_END = phrase(r"; |(?:,| [—–-]) (?:but|however|though|although|yet|whereas)\b| [—–] ")
_FIGURE = regex(
    r"(?<![\w.,])(?!(?:19|20)\d\d\b)\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|\w+teen|\w+ty|hundred|thousand)\b"
)
# Words that leave the question open: they conclude nothing but that there is no answer.
_LEFT_OPEN = phrase(
    r"\b(?:unknown|unclear|uncertain|unanswered|undetermined|unspecified|unresolved|unstated|speculat\w+|(?:a|mere|pure|only|to) guess|guesswork|guessing|conjecture|(?:not|\w+n't) (?:clear|known)|(?:answer|calculation|it|this|that)(?: is|'s) (?:impossible|not possible)(?=\W*$| from| here| without)|(?:answers?|information)(?: is|'s| are)(?: not|n't)? (?:in|there|elsewhere|among|part|available)"
    r"|(?:remains?|stays?|left) open|open question|(?:more|further|additional) (?:\w+ )?(?:information|details?|context|research|documents?)|insufficient(?=\W*$| to\b)"
    r"|nothing (?:\w+ )?to (?:answer|go on|say|tell|report|add|base)\b|nothing (?:\w+ )?can be (?:said|told|concluded|determined|inferred|calculated|confirmed|added)"
    r"|no (?:\S+ ){0,3}?(?:answers?|conclusions?|calculations?|estimates?|comparisons?|figure can)\b"
    r"|(?:cannot|can not|can't|could not|couldn't) (?:be )?(?:\w+ly )?(?:determined?|calculated?|answer(?:ed)?|comput(?:ed|e)|confirm(?:ed)?|establish(?:ed)?|verif(?:ied|y)|known?|stated?|told|said|derived?"
    r"|identif(?:ied|y)|infer(?:red)?|assess(?:ed)?|drawn?|compared?|concluded?|worked|estimated?|quantif(?:ied|y)|(?:given|provided)(?=\W*$))"
    r"|we(?:'re| are) (?:left|unable)|we(?:'d| would| will|'ll) need)\b"
)
_OF_THE_QUESTION = phrase(
    r"^(?:(?:the|this|that|your|my) (?:exact |original |very |first |second )?(?:question|query)|(?:your|this|my) request|answering)\b"
)
# Once more that the documents are silent, of whatever words and figures, or what is the matter with the one that is not.
_SILENT = phrase(
    rf"^(?:they|it|none of them|(?:the |these |those |all |both )*(?:\S+ ){{0,2}}?{RETRIEVED}) (?:do|does|did)(?: not|n't) (?:\w+ly )?"
    r"(?:mention|say|state|give|contain|cover|include|tell|address|discuss|specify|provide|list|describe|explain|name)\b"
    r"|^the only (?:one|\w+) (?:that was )?(?:found|retrieved|given|provided)\b"
)
# A reason why the documents are silent: what they are, or what was asked of them.
_OF_THE_SOURCES = phrase(
    rf"^(?:the |these |those |this |all |both |my |your )*(?:\S+ ){{0,3}}?{RETRIEVED}\b|^you (?:have|did|asked|gave|want|only|provided|supplied)\b"
    r"|^(?:they|these|those|this|it)(?:'re|'s)?(?: are| is| was| were)? (?:(?:all|both|only|just|merely|not|\w+ly) )*(?:an?|about|outside|beyond|from|part|among|older|limited|restricted|focus\w*|concern\w*|dated?s?|predates?"
    r"|written|published|drafted|issued|created|intended|cut|cover\w*|deals?|relat\w+|describes?|discuss\w*|address\w*|ends?|stops?|contains?)\b"
)
_STEP = (
    r"(?:consult|contact|refer to|reach out|get in touch|(?:speak|talk|check) (?:to|with)|verify|confirm (?:it|this|that|with)|look (?:it up|elsewhere)"
    r"|seek (?:\w+ )?(?:advice|guidance|help|clarification|confirmation)|ask (?:(?:the|your|an?) \w+(?=\W*$| directly| about)|for (?:more|further|clarification)))"
)
_ADVICE = phrase(
    rf"^(?:please|kindly|perhaps|maybe|it(?:'s| is| may be| might be| would be)|(?:you|one|we|i|readers?)(?! must\b| shall\b| have to\b| are required\b))\b.{{0,60}}?\b{_STEP}\b"
)
# What is looked at in a sentence without end.
_LONGEST, _LONGEST_CLAUSE = 2000, 400


def conclusion(sentence: str, after: int, before: int, *, absent: bool) -> int | None:
    """Return where, between two offsets, a sentence turns from declining to a conclusion of its own; None where it does not.

    `sentence` is lower-cased, with straight apostrophes. `absent` tells that it declines by saying what the documents do
    not hold: only then is a reason or an explanation more than the reason for declining.
    """
    for joint in JOINT.finditer(sentence, after, min(before, after + _LONGEST)):
        limit = min(before, joint.end() + _LONGEST_CLAUSE)
        end = _CLAUSE_END.search(sentence, joint.end(), limit)
        words = sentence[joint.end() : end.start() if end else limit].strip()
        if _follows(joint, words, absent=absent):
            return joint.start()
    return None


def _follows(joint: re.Match[str], words: str, *, absent: bool) -> bool:
    figure = _FIGURE.search(words) is not None
    if _is_no_answer(words):
        return False
    if joint["value"]:
        return figure
    if (joint["ground"] or joint["colon"]) and (not (absent or figure) or _explains(words, figure=figure)):
        return False
    if joint["colon"] and (words[:1] in "\"'“‘«" or _SPELT_OUT.search(joint.string, 0, joint.start())):
        return False
    if not (joint["firm"] or _STATES.match(words) or is_predication(words)):
        return False
    return asserts_fact(words)


def _is_no_answer(words: str) -> bool:
    """Check whether words only go on to decline: no answer, more of what is needed, a next step."""
    if any(pattern.search(words) for pattern in (_LEFT_OPEN, _OF_THE_QUESTION, _SILENT)):
        return True
    return is_guidance(words) or (_FIGURE.search(words) is None and _ADVICE.search(words) is not None)


def _explains(words: str, *, figure: bool) -> bool:
    """Check whether words say why the documents do not hold it: "because they cover only 2020"."""
    if points_to_contents(words):
        return True
    return not figure and _OF_THE_SOURCES.search(words) is not None
