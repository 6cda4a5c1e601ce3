"""Tell sentences that assert a fact from those that greet, ask, announce, or speak of the system itself."""

from __future__ import annotations

import re

from showable.read.own_doings import OF_US, SPEAKS_OF_ITSELF, turns
from showable.read.plain_text import plain
from showable.read.predication import is_predication
from showable.records.regex import regex

_QUESTION = regex(r"[?？؟][\"'”’»)\]*_\s]*(?:\[[^\[\]\n]{1,40}\]\s?)*$")
_LEAD_IN = regex(r"[:：][*_\s]*$")
_AI = r"as an? (?:[\w-]+ )?(?:ai|language model|artificial intelligence|chatbot|virtual assistant|digital assistant)\b"
_OPENER = regex(
    r"(?:(?:however|but|and|so|also|therefore|thus|unfortunately|additionally|moreover|furthermore|that said|nevertheless|instead"
    r"|sure|certainly|of course|absolutely|yes|no|well|okay|ok|sorry|alas|overall|in summary|in short|finally|first|next|then|now"
    r"|" + _AI + r"[^,.;]{0,60}|based on [^,.;]{1,80}|according to (?:the|my) [^,.;]{1,60}|from [^,.;]{1,60}"
    r"|in (?:the|this) [^,.;]{1,60}|to (?:answer|address) (?:your|the|this) question[^,.;]{0,60})[,!.]\s*)+",
    re.IGNORECASE,
)
_COURTESY = regex(
    r"(?:(?:hello|hi|hey|dear|greetings|welcome)(?: [\w.-]{1,20}){0,2}|good (?:morning|afternoon|evening|day|luck)(?: [\w.-]{1,20})?"
    r"|thanks?(?: you)?(?: (?:so|very) much| a lot)?(?: (?:for|in advance)\b.*)?|you(?:'re| are) (?:very |most )?welcome.*"
    r"|(?:sure|certainly|absolutely|great|excellent|okay|ok|understood|cheers|congratulations|regards|sincerely)(?: thing)?"
    r"|of course|no problem|my pleasure|got it|(?:best|kind) (?:regards|wishes)|have a (?:great|nice|good|wonderful) \w+"
    r"|(?:that(?:'s| is) )?(?:an? )?(?:great|good|excellent|interesting|important) question.*"
    r"|(?:i )?hope (?:this|that|it) (?:helps?|clarif|answers|is help|was help|makes|gives|provides).*|let me know\b.*"
    r"|(?:feel free|don't hesitate|do not hesitate)\b.*|(?:i'm |i am |i'd be |i would be )?(?:always |very |more than )?(?:happy|glad) to\b.*)"
    r"[\s.!,]*$|(?!(?:yes|no)\b)\w+!+$",
    re.IGNORECASE,
)
_LOOK_UP = r"(?:refer|consult|check|look|access|review|search|visit|find|compare|calculate|compute|subtract|divide|use|analy[sz]e|examine|see)\b"
_META = regex(
    r"here(?:'s| is| are)\b|below (?:is|are)\b|(?:but )?see\b(?!')|(?:cf|id|ibid)\b(?=[.,]|$)|refer to\b|please\b(?! (?:note|be aware|be advised|keep in mind|remember))|let(?:'s| us| me)\b"
    r"|the following (?:is|are|table|list|section|summary|points?|steps?)\b(?=.*\b(?:summar|list|show|outlin|describ|answer|overview|"
    r"breakdown|points|steps)\w*)"
    r"|for (?:more|further|additional) (?:information|details?|guidance|context)\b"
    r"|(?:you|readers?) (?:can|may|could|should|might) (?:also )?(?:refer|find (?:more|further|additional|out more|this|the)|want to "
    r"(?:check|consult|contact|look|consider contacting))"
    r"|(?:you|one)(?:'d| would| will|'ll) (?:\w+ )?(?:(?:need|want|have) to )?"
    + _LOOK_UP
    + r"|(?:you|we) (?:need|have|want) to (?:refer to|consult the|look (?:at|for|up))\b"
    r"|(?:this|my|the above) (?:answer|response|summary|reply|information) (?:is|was|has been|draws|comes|relies)\b"
    r"(?=.*\b(?:provided|context|documents?|sources?|excerpts?|passages?|search results|retrieved|supplied|available)\b)"
    r"|(?:the )?(?:above|preceding) (?:information|answer|summary|points)\b"
    r"|(?:this|it|the (?:above|information)) (?:is|does|should) not (?:be )?(?:considered |taken as |construed as |intended as |constitute )?"
    r"(?:legal|medical|financial|investment|tax|professional)(?: or \w+)? advice"
    r"|as (?:mentioned|noted|stated|discussed|explained|described)(?: above| earlier| before)?[.!]?$"
    r"|to (?:answer|address|find|determine|calculate|compute|get|summari[sz]e|recap|obtain)\b[^,]{0,160}, "
    r"(?:(?:we|i|one|let) (?!(?:get|find|obtain|see|conclude)\b)|you (?:\w+ ){0,3}" + _LOOK_UP + r")"
    r"|(?:we|i) (?:can|will|must|should|need to|have to|first need to|would need to) (?:now |first |then |also )*"
    r"(?:calculate|compute|look|use|find|determine|summari[sz]e|explain|discuss|examine|analy[sz]e|divide|start|begin|need|answer)\b"
    r"(?!.*(?: is | was | equals|= ))"
    r"|if you(?:'d like| would like| have (?:any|further|more|other|additional|access|the)\b| need (?:more|any|further|help|assistance|additional)"
    r"| want (?:more|me|further)| (?:can|could|provide|let|share|give)\b| are (?:looking for|interested in|referring to))"
    r"|(?:once|when) you have (?:the|access|this|that|these|your)\b|step \d+[.:]?$|contact (?:us|me|your|our|customer|support|the|hr)\b"
    r"|note:?$",
    re.IGNORECASE,
)
_FIRST_PERSON = regex(r"(?:i|i'm|i've|i'd|i'll|me|my)\b", re.IGNORECASE)
_REPORTED = regex(
    r"i(?:'d|'m|'ve|'ll)?\s(?:(?:can|could|would|do|did|not|don't|am|have|also|must|will|still|therefore|strongly|just|only)\s)*"
    r"(?:say|tell you|confirm|believe|think|found|find|see|note|noted|conclude|calculated?|estimated?|expect|suspect|understand|assume|"
    r"infer|add|confident|sure|certain|fairly sure|guess|gather|read)\b\s*(?P<that>that\s)?(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_GUESSES = regex(
    r"my (?:best |own |rough )?(?:guess|estimate|assumption|bet|belief|understanding) (?:is|was|would be)\b(?! (?:only|just|based|limited|not|that i)\b)",
    re.IGNORECASE,
)
_NOT_KNOWING = regex(
    r"\b(?:whether|if|what|which|how|who|when|where|why|any|enough|more|information|nothing|no)\b", re.IGNORECASE
)
_ABSENCE = regex(
    r"(?:none of )?(?:the|these|those) (?:(?:provided|given|retrieved|available|supplied|attached|search|source|cited)\s)+(?:context|documents?"
    r"|passages?|sources?|text|information|excerpts?|evidence|materials?|results?|content|snippets?|pages?|sections?|filings?|reports?)\s"
    r"(?:(?:provided|above|available|given|that \w+ \w+)\s)?"
    r"(?:(?:do|does|did)(?: not|n't)\s(?:\w+ )?(?:contain|include|mention|provide|specify|state|address|discuss|give|say|cover|indicate|"
    r"offer|have|list|report|describe|disclose|identify|explain|answer)|(?:contain|mention|provide|include|give|offer)s? no\b"
    r"|lacks?\b|says? nothing\b|(?:is|are)(?: not|n't) (?:sufficient|enough))",
    re.IGNORECASE,
)
_SYSTEM = regex(
    r"my (?:knowledge|training)\b|"
    + _AI
    + r"[^,]{0,40}\bi\b|(?:this|your) (?:ai|assistant|chatbot) (?:can|is|was|does|has)\b"
    r"|(?:sorry|apologi[sz]e|apologies|my apologies)\b|we (?:apologi[sz]e|are sorry|regret)\b",
    re.IGNORECASE,
)
_TURN = regex(r"(?!i(?:'m| am)? (?:\w+ )?(?:sorry|apologi[sz]e)\b)[^;]{0,160}?(?:,? but |; )", re.IGNORECASE)
_CONTENT = regex(r"[^\W_]")
_SHORT = 90


def asserts_fact(sentence_text: str) -> bool:
    """Check whether a sentence asserts a fact, hedged or not; a bare answer ("Yes.", "30 days") asserts too.

    Greetings, courtesies, questions, lead-ins that end in a colon, announcements, pointers to elsewhere, and
    statements about the system, its search or its reply do not.
    """
    return asserts(plain(sentence_text))


def asserts(words: str) -> bool:
    """Say the same of a sentence whose markers and formatting are off already."""
    return _asserts_itself(words) or told_at(words) is not None


def told_at(words: str) -> int | None:
    """Return where a sentence on the writer's own doings goes on to a fact; 0 where it is to be read whole.

    None where it tells of no fact, or is none on the writer's own doings.
    """
    text = words.replace("’", "'")
    opener = _OPENER.match(text)
    first = opener.end() if opener and opener.end() < len(text) else 0
    if not SPEAKS_OF_ITSELF.match(text, first) or _QUESTION.search(text):
        return None
    return next((t.start and first + t.start for t in turns(text[first:]) if _asserts_itself(t.clause)), None)


def _asserts_itself(words: str) -> bool:
    text = words.replace("’", "'")
    if not _CONTENT.search(text) or _QUESTION.search(text) or _LEAD_IN.search(text):
        return False
    if len(text) < _SHORT and _COURTESY.match(text):
        return False
    opener = _OPENER.match(text)
    rest = text[opener.end() :] if opener and opener.end() < len(text) else text
    if _META.match(rest) or _SYSTEM.match(rest) or _ABSENCE.match(rest) or _META.match(text):
        return False
    return not _FIRST_PERSON.match(rest) or _GUESSES.match(rest) is not None or _reports(rest) or _turns(rest)


def _turns(text: str) -> bool:
    """Check whether a writer who speaks of itself goes on to something else ("I'm not entirely sure, but it is 30 days")."""
    turn = _TURN.match(text)
    rest = text[turn.end() :] if turn else ""
    if _FIRST_PERSON.match(rest) or _META.match(rest) or _SYSTEM.match(rest) or _ABSENCE.match(rest):
        return False
    return is_predication(rest)


def _reports(text: str) -> bool:
    """Check whether a writer who speaks of itself still reports a fact ("I can tell you that …")."""
    reported = _REPORTED.match(text)
    if reported is None:
        return False
    rest = reported["rest"]
    return not (_NOT_KNOWING.match(rest) or OF_US.match(rest.lower())) and (
        bool(reported["that"]) or is_predication(rest)
    )
