"""What a writer reports beside its own doings: "I checked the lease, and it says that pets are allowed".

The clause about the looking is no claim. What is coordinated with it, or what its verb of finding or saying reports, is
one. Found are only the places where such a clause may begin; whether it asserts a fact is for `assertions` to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from showable.read.predication import (
    DETERMINERS,
    PREPOSITIONS,
    STRONG,
    SUBJECTS,
    Token,
    finite_at,
    is_finite,
    is_predication,
    tokens,
)
from showable.read.refusal_phrases import phrase
from showable.read.word_sets import word_set
from showable.records.regex import regex

__all__ = ["OF_US", "SPEAKS_OF_ITSELF", "Turn", "turns"]

SPEAKS_OF_ITSELF = regex(
    r"(?:i|i'm|i've|i'd|i'll|my|im|ive)\b|(?:let me|let's|let us)\b(?! know\b)|as an? [^,.;]{0,60}, (?:i|i've|my)\b",
    re.IGNORECASE,
)
# A joint is firm where a clause is bound to follow, and not only a further noun ("the lease and the notes").
_JOINT = regex(
    r"(?P<firm>\s*[—–]\s*|\s-\s|[;:]\s+|(?:\.{3}|…)\s*|\s?,\s+(?:and|but|so|yet|then|though|although|plus|only)\b,?\s+)"
    r"|(?P<relative>\s?,\s+(?:(?:in|under|by|of) )?(?:which|whose|where|whereby)\s+)|\s?,\s+|\s+(?:and|but|so|yet)\s+",
    re.IGNORECASE,
)
_LEAD = regex(
    r"(?:and|but|so|also|then|however|yes|no|indeed|in fact|sure enough|apparently|accordingly|therefore|thus|hence|there)\b(?:,\s+|\s+(?=that\b))|"
    r"(?:(?:in|under|according to|by|per|as per|as far as|to|of course|from|on|at|for) ?[^,;:]{0,80},\s+)|\w+ly,\s+",
    re.IGNORECASE,
)
_PRONOUN = r"(?:i|we|it|they|this|that|these|those|he|she)"
_FOUND = (
    r"(?:found|find|finds|saw|see|seen|learn(?:ed|t)?|discover(?:ed)?|notice[ds]?|noted?|notes|spotted|observed?|confirm(?:ed|s)?|verified|established|determined"
    r"|ascertained|concluded?|concludes|gathered?|gathers|realis?ed|realized|read|reads|heard)"
)
_SAID = (
    r"(?:says?|said|states?|stated|specif(?:y|ies|ied)|provides?|provided|stipulates?|stipulated|shows?|showed|shown|tells? (?:me|us|you)|told (?:me|us)|reports?|reported|mentions?|mentioned"
    r"|explains?|explained|indicates?|indicated|makes? (?:it )?clear|made (?:it )?clear|lays? down|reveals?|revealed|adds?|added|clarif(?:y|ies|ied)|proves?|proved|suggests?)"
)
_ADVERB = r"(?:(?:also|both|all|then|now|just|thus|indeed|do|does|did|have|has|can|could|was able to|am able to|am glad to|am happy to|am pleased to|\w+ly) ){0,3}"
# "and it says that", "and found that", "it turns out that": what follows stands on its own.
_REPORTS = phrase(
    rf"(?:(?:{_PRONOUN}(?:'ve)? )?{_ADVERB}(?:{_FOUND}|{_SAID})|(?:it|this|that) (?:turns|turned) out|(?:the )?(?:result|answer|upshot|short of it|fact) is)(?P<that>,? that)? (?!so\b|to\b)"
)
# Verbs of finding and saying, with "that" after them; a check counts only once it is made ("I'll check that it is").
_TELLING = (
    r"(?:say|said|tell|told|confirm(?:ed)?|believed?|find|found|see|saw|seen|noted?|noticed?|concluded?|infer(?:red)?|add(?:ed)?|gather(?:ed)?|read|learn(?:ed|t)?|discover(?:ed)?|observed?|realis?ed?|reali[sz]ed?|recogni[sz]ed?"
    r"|report(?:ed)?|stated?|mention(?:ed)?|point(?:ed)? out|figured? out|work(?:ed)? out|made out|deduced?|reckon(?:ed)?|argued?|maintain(?:ed)?|hold|held|claim(?:ed)?|assert(?:ed)?|affirm(?:ed)?|assured?|inform(?:ed)?|advise|advised|stress(?:ed)?"
    r"|emphasi[sz]ed?|highlight(?:ed)?|underlined?|underscored?|remind(?:ed)?|warn(?:ed)?|caution(?:ed)?|clarif(?:y|ied)|explain(?:ed)?|showed|shown|proved|demonstrated|knew|know|recall(?:ed)?|remember(?:ed)?|heard|hear|admit(?:ted)?|acknowledged?|conceded?|agreed?|submit|submitted|presumed?|surmised?|trust|acknowledge"
    r"|checked|double-checked|verified|established|determined|ascertained|made sure|ensured|detected|spotted|calculated|computed|estimated|flag(?:ged)?"
    r"|aware|sure|certain|confident|convinced|positive|satisfied|clear|afraid|sorry|glad|pleased|happy|(?<=able\sto\s)(?:verify|establish|determine|ascertain))"
)
_COMPLEMENT = phrase(
    rf"^(?P<before>[^,;:]{{0,120}}?)\b(?:of the )?(?<!help\s)(?P<verb>{_TELLING})(?: (?:to )?(?:you|me|us|them)| \w+ly| again| here| now)?(?:,? (?:from|in|by|after|on|under|at|for) [^,;:]{{1,60}})?,? that "
)
_MINE_SAY = phrase(
    r"^my (?!(?:\w+ )?(?:question|concern|hope|goal|aim|task|job|role|worry|doubt|advice|suggestion|recommendation|wish|purpose)\b)(?:[\w'-]+ ){1,3}?(?:(?:of|on|from|about) [^,;:]{1,60} )?(?:is|was|would be|remains) that "
    r"|^my (?:\w+ )?(?:calculations?|estimates?|sums?|arithmetic|reckoning|count|tally|maths?|computations?|figures?) (?:gives?|gave|yields?|yielded|comes? to|came to|puts?|makes?|made|shows?|showed|results? in) (?=.*\d)"
    rf"|^my (?:\w+ )?(?:sources?|documents?|search(?:es)?|notes?|files?|records?|index|review|reading|research|check|look-?up|results?)(?: \w+){{0,5}}? (?:{_SAID}|found|turned up)(?: that)? "
)
# What these go with is a clause, "that" or not: "I'm afraid pets are not allowed".
_FEELS = phrase(
    r"^i(?:'m| am) (?!not\b)(?:\w+ )?(?:(?:afraid|sure|certain|confident|positive|convinced|aware)|(?:sorry|glad|happy|pleased|sad|relieved|delighted) to (?:say|report|tell you|confirm|let you know))(?: that)? "
    r"(?!(?:of|about|for|to|with|if|whether|what|how|which|who|when|where|why|so|not|but|and|enough)\b)"
)
_WOULD_SAY = phrase(
    r"^i(?:'d|'ll| would| will| can| could| must| should)?(?: only)?(?: (?:have|want|like|need) to)?(?: \w+ly)? (?:say|answer|conclude|reply|reckon|suppose|submit) (?=(?:yes|no)(?:\W*$|[,;:.—–])|(?!no\b)(?:[^\s,;:]+ ){1,8})"
)
_NOT_SAID = phrase(
    r"\b(?:not|cannot|never|unable|without|nothing|nobody|no|none|hardly|whether|if|failed|hope|wish(?! to)|doubt|try|trying|tried|attempt\w*|please|want(?! to (?:note|stress|mention|add|point|emphasi[sz]e|highlight|flag|clarify|remind|say)\b)|asked?|(?:do|does|did|is|are|was|were|have|has|had|ca|could|would|should|wo)n't)\b"
)
# "I looked to confirm that" has a purpose; "I am glad to confirm that" confirms.
_PURPOSE = phrase(
    r"(?<!glad)(?<!pleased)(?<!happy)(?<!delighted)(?<!able)(?<!sorry)(?<!afraid)(?<!surprised)(?<!relieved)(?<!proud)(?<!like)(?<!wish)(?<!want)(?<!have)(?<!ought)(?<!bound)(?<!led)(?<!safe)(?<!fair) to $"
)
# What is said of the reader's request, or of what was handed over, is no fact of the sources.
OF_US = phrase(
    r"^(?:i\b|you(?:'re|'d|'ve)? ?(?:are |have |would |had |just )?(?:ask|want|look|provid|upload|shar|mention|sent|send|gave|given|need(?! to)|wish|like|suppl|attach|refer|interest|mean|concern|worr|feel|going|look|hop|try|wonder|frustrat|upset|open|see|view|read|download|click)\w*|you (?:can|may|could|might|will) (?:also |then |easily |always )?(?:open|see|view|read|download|click|ask|check|verify|look|follow|find|contact|let)\b|your (?:\w+ )?(?:question|request|query|concern|message|files?|documents?|interest)\b)"
)
_HANDED_OVER = phrase(
    r"^(?:you|i|we|(?:is|are|was|were|has been|have been) (?:all |both |also |only )?(?:provided|given|supplied|attached|uploaded|shared|retrieved|available|included|listed|shown|indexed|relevant|helpful|here)\b)"
)
_RELATIVES = word_set("that which who whom whose what whether if how when where why because than unless until as")
_QUANTIFIERS = word_set("both all neither none each either most some many several")
_JOINERS = word_set("and or but nor to not also only then than , ; :")
_OBJECTS = word_set("the a an its their his her our your my this these two three four five six seven eight nine ten")
_ARTICLES = word_set("the a an its their his her our your my two three four five six seven eight nine ten")
_VALUE = regex(
    r"(?:yes|no|correct|true|false|none|never|always)\b(?=\W*$|[,;:.])|(?:about |around |roughly |only |exactly )?[$€£¥]?\d",
    re.IGNORECASE,
)
_ANNOUNCES_A_LIST = regex(
    r"\b(?:following|questions?|documents?|sources?|files?|passages?|pages?|sections?|steps?|chapters?|clauses?|items?|places?|things|articles?)\W*$",
    re.IGNORECASE,
)
_LONGEST, _LONGEST_CLAUSE, _MOST_JOINTS = 600, 400, 10
_LONGEST_SUBJECT = 9
_ELLIPTIC = 3


class Turn(NamedTuple):
    """A clause that may report something, and the offset from which the sentence stands as a claim: 0 for all of it."""

    start: int
    clause: str


def turns(sentence: str) -> Iterator[Turn]:
    """Yield the clauses of a sentence, which opens with the writer's own doings, that go on to something else."""
    text = sentence[:_LONGEST].replace("’", "'")
    complements = [clause for clause in _complements(text) if not OF_US.match(clause.lower())]
    joints = list(islice(_JOINT.finditer(text), _MOST_JOINTS))
    for clause in complements:
        if not joints or text.index(clause) < joints[0].end():
            yield Turn(text.index(clause) if is_predication(clause) or len(clause.split()) > _ELLIPTIC else 0, clause)
    for joint in joints:
        turn = _at(text, joint)
        if turn is not None and not OF_US.match(turn.clause.lower()):
            yield turn
    for clause in complements:
        yield Turn(0, clause)


def _complements(text: str) -> Iterator[str]:
    """Yield what the verb of the own doing itself reports: "I have verified that pets are allowed"."""
    lowered = text.lower()
    for pattern in (_COMPLEMENT, _MINE_SAY, _FEELS, _WOULD_SAY):
        found = pattern.match(lowered)
        if found is None or (pattern is _COMPLEMENT and _is_unsaid(lowered, found)):
            continue
        clause = text[found.end() : found.end() + _LONGEST_CLAUSE]
        told = pattern is _FEELS and len(clause.split()) > _ELLIPTIC
        if told or _is_complement(clause, said=pattern is _WOULD_SAY):
            yield clause


def _is_complement(clause: str, *, said: bool) -> bool:
    """Check whether words after a verb of telling are a clause: after "that" by their first word, else by their verb."""
    words = tokens(clause)
    if not words or is_predication(clause):
        return bool(words)
    if said:
        return _VALUE.match(clause) is not None
    return words[0].word in DETERMINERS | SUBJECTS or finite_at(words, loose=True) is not None


def _is_unsaid(lowered: str, found: re.Match[str]) -> bool:
    """Check whether a verb of saying is denied, or is only what the looking was for."""
    start, end = found.span("verb")
    return _NOT_SAID.search(lowered, 0, end) is not None or _PURPOSE.search(lowered, 0, start) is not None


def _at(text: str, joint: re.Match[str]) -> Turn | None:
    clause = text[joint.end() : joint.end() + _LONGEST_CLAUSE]
    if joint["relative"]:
        told = is_predication(f"it {clause}") and not _HANDED_OVER.match(clause.lower())
        return Turn(0, f"it {clause}") if told else None
    if _VALUE.match(clause) and not _is_listed(text, joint):
        return Turn(0, clause)
    lead = _LEAD.match(clause)
    led = clause[lead.end() :] if lead else clause
    reported = _reported(led)
    if reported is not None:
        return Turn(text.index(reported, joint.end()), reported)
    if not _is_clause(tokens(led), firm=joint["firm"] is not None or lead is not None, text=text[: joint.start()]):
        return None
    return Turn(0 if _is_elliptic(tokens(led)) else joint.end(), clause)


def _is_listed(text: str, joint: re.Match[str]) -> bool:
    """Check whether a figure after a joint is one of a list, or counts what was looked at, and is no answer."""
    after_stop = joint["firm"] is not None and not joint["firm"].strip().startswith(",")
    words = re.match(r"\s*(?:yes|no|correct|true|false|none|never|always)\b", text[joint.end() :], re.IGNORECASE)
    return not (after_stop or words) or _ANNOUNCES_A_LIST.search(text[: joint.start()]) is not None


def _reported(clause: str) -> str | None:
    """Return what a further verb of finding or saying reports: "(and found that) pets are allowed"."""
    found = _REPORTS.match(clause.lower())
    if found is None:
        return None
    rest = clause[found.end() :]
    words = tokens(rest)
    if not found["that"] and not _is_clause(words, firm=False, text=""):
        return None
    return rest if is_predication(rest) and words[0].word not in _RELATIVES else None


def _is_elliptic(words: list[Token]) -> bool:
    """Check whether a clause ends in its helping verb, and leaves the rest to the clause before: "and they are"."""
    return len(words) <= _ELLIPTIC and words[-1].form in ("be", "have", "do", "modal")


def _is_clause(words: list[Token], *, firm: bool, text: str) -> bool:
    """Check whether words have a subject of their own and a finite verb that is not inside a relative clause."""
    if len(words) <= 1 or words[0].word in _RELATIVES - {"that"}:
        return False
    if words[0].word.split("'")[0] in SUBJECTS or (words[0].word in _QUANTIFIERS and words[1].form != "none"):
        return True
    if is_finite(words, 0):
        return False
    verb = _main_verb(words, loose=firm) or _verb_by_object(words)
    if verb is None or firm:
        return verb is not None
    stops = any(token.word in (",", ":", ";") for token in words[:verb])
    bound = any(word in _RELATIVES for word in text.lower().split())
    return not stops and not bound and verb <= _LONGEST_SUBJECT


def _main_verb(words: list[Token], *, loose: bool) -> int | None:
    """Find the finite verb that is none of what describes the subject: "the notes that were sent", "the lease you sent"."""
    verb = finite_at(words, 1, loose=loose)
    if verb is not None and words[verb - 1].word in _ARTICLES and words[verb].form not in STRONG:
        verb = finite_at(words, verb + 1, loose=loose)
    if verb is not None and any(t.word in _RELATIVES or t.word in SUBJECTS for t in words[1:verb]):
        return finite_at(words, verb + 1, loose=loose)
    return verb


def _verb_by_object(words: list[Token]) -> int | None:
    """Find a verb that no list has by the object or the measure after it: "refunds take ten days"."""
    for at in range(1, len(words) - 1):
        word, following = words[at].word, words[at + 1].word
        if word in _RELATIVES or word in SUBJECTS:
            return None
        joins = word in PREPOSITIONS or word in DETERMINERS or word in _JOINERS or words[at - 1].word in DETERMINERS
        beyond = words[at + 2].word if at + 2 < len(words) else ""
        measured = not following[0].isdigit() or (beyond.isalpha() and beyond not in PREPOSITIONS | _JOINERS)
        if not joins and word.isalpha() and (following in _OBJECTS or following[0].isdigit()) and measured:
            return at
    return None
