"""Which sentences of an answer decline: the guards around the phrases of `refusal_phrases`.

A declining phrase counts only where the answer itself declines: not inside quotation marks, not
denied ("it is not true that the documents do not mention"), not a condition ("if the documents do
not mention a date") and not reported of somebody else ("the court said that we cannot answer").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from showable.read import policy_phrases as policy
from showable.read import refusal_phrases as say
from showable.read.decline import Decline, Sense, matches, subject_of
from showable.read.refusal_search import nothing_brought
from showable.records.regex import regex

# Cheap tests on what a sentence must hold before a family of phrases is tried: most sentences hold none.
_NEGATION = regex(
    r"n't\b|\b(?:do(?:es)?|did|is|are|was|were|have|has|ca|could)nt\b|\b(?:do|does|did|is|are|was|were|be|been|am|'m|have|has|could|can|would|will|it)\s+not\b|cannot|\bfail|\bun\s*clear|\bnot\s+(?:\w+ly\s+)?(?!be\b|to\b|only\b|more\b|less\b|exceed)\w+|\bunable\b|\bimpossible\b|\bno\s+way\b"
)
_SHORTAGE = ("no ", "none", "nothing", "neither", "silent", "lack", "abruptly", "cut off", "enough", "sufficient", "adequate", "incomplete", "missing", "absent", "found")  # fmt: skip
_VOID = ("no ", "not ", "none", "nothing", "zero", "0 ", "empty", "never")
_LIMITS = (
    "scope",
    "remit",
    "domain",
    "coverage",
    "area",
    "outside",
    "beyond",
    "only",
    "limited",
    "restricted",
    "related",
    "relevant",
)
_DOUBT = (
    "clear",
    "clarif",
    "specif",
    "ambiguous",
    "vague",
    "broad",
    "uncertain",
    "please",
    "question",
    "request",
    "query",
    "know wh",
    "know if",
)
_PROPER = ("appropriate", "ethical", "acceptable", "okay", "ok ", "right", "respectful", "safe", "fair", "valid")
_WANT = ("need", "requir", "necessary", "please", "if you")
# No sentence that a person would read is longer; the guards look back over the whole of it for each phrase.
_LONGEST = 3000
_TERSEST = 200
_FIRST_PERSON = regex(r"\bi\b")
_QUOTED = regex(r"\"[^\"\n]{1,600}\"|“[^”]{1,600}”|«[^»]{1,600}»|‘[^’]{1,600}’|(?<!\w)'[^\n]{1,600}?'(?!\w)")
_DENIED = say.phrase(r"\b(?:not (?:\w+ )?(?:true|the case|correct|accurate|right)|n't (?:\w+ )?(?:true|the case|correct|accurate)|false|untrue|incorrect|wrong|inaccurate|mistaken?|a myth)(?: to (?:say|claim|state|suggest|think))? that\b")  # fmt: skip
_CONDITION = say.phrase(
    r"^(?:and |or |but |even )?(?:if|when|where|unless|in case|in the event|should|whenever|provided that|to the extent|whether)\b"
)
_REPORTED = say.phrase(
    r"\b(?!(?:i|is|be|was|as|not) )[\w'’.)-]+ (?:(?:said|wrote|testified|replied|argued|warned|admitted|announced|responded|declared|told \w+|insisted"
    r"|alleged|contended|conceded|says)(?: that|,|:)?|(?:stated|states|claimed|claims|held|holds|notes|noted|found|finds|argues|alleges|acknowledged|explained|answered)(?: that|:)) "
)
# "The lease does not mention a deposit, so you do not have to pay one": the second verb is not the lease's.
_OF_A_PERSON = say.phrase(r"(?:[,;:]|\b(?:so|that|means|therefore|thus|hence|and|because|since)) (?:you|s?he|one) $")
_CLAUSE_BREAK = regex(r"[,;:—–]\s|\s-\s")
# "According to the agency, …", as against "According to the passages, …".
_ATTRIBUTED = say.phrase(rf"^\W*according to (?!(?:[^\s,]+ ){{0,6}}?{say.EVIDENCE_SOURCE}\b)[^,]{{1,80}}, ")
_CONCESSION = say.phrase(
    r"^(?:(?:however|but|and|so|that said),? )?(?:although|though|while|whilst|even though|despite|whereas)\b"
)


def find_declines(sentence: str, before: str = "") -> list[Decline]:
    """Find what in a sentence declines. `sentence` is lower-cased, with straight apostrophes.

    `before` is the sentence that its pronouns refer back to: "The passages are on adults. They give no dose".
    """
    sentence = sentence[:_LONGEST]
    if len(sentence) <= _TERSEST and say.TERSE.fullmatch(sentence):
        return [Decline("absent", 0, len(sentence))]
    found = [decline for decline in _candidates(sentence, before) if _meant(sentence, decline)]
    return [_weakened(sentence, decline) for decline in found]


def antecedents(sentences: Sequence[str]) -> list[str]:
    """Return for each sentence the one that its pronouns refer back to: the last that opens with no pronoun itself."""
    found, last = [], ""
    for sentence in sentences:
        found.append(last)
        if not (say.REFERS_TO_SEVERAL.search(sentence) or say.REFERS_TO_ONE.search(sentence)):
            last = sentence
    return found


def _candidates(sentence: str, before: str) -> Iterator[Decline]:
    negated = (
        "not" in sentence
        or "n't" in sentence
        or "nt " in sentence
        or "un" in sentence
        or "fail" in sentence
        or "impossible" in sentence
    ) and (_NEGATION.search(sentence) is not None)
    short = any(cue in sentence for cue in _SHORTAGE)
    if negated:
        yield from _denied_verbs(sentence, before)
        yield from _impossible(sentence)
    if short or negated:
        yield from _shortage(sentence, before)
    if negated or any(cue in sentence for cue in _VOID):
        yield from nothing_brought(sentence)
    withheld = policy.withheld_at(sentence)
    if withheld:
        yield Decline("harm", *withheld)
    if _FIRST_PERSON.search(sentence):
        yield from _first_person(sentence)
    for cues, pattern, sense in _FAMILIES:
        if any(cue in sentence for cue in cues):
            yield from matches(pattern, sentence, sense)
    if "?" in sentence and not say.OFFER.search(sentence):
        yield from matches(say.ASK, sentence, "ask")


_FAMILIES: tuple[tuple[tuple[str, ...], re.Pattern[str], Sense], ...] = (
    (_LIMITS, say.SCOPE, "scope"),
    (_DOUBT, say.UNCLEAR, "ask"),
    (_WANT, say.NEED, "need"),
    (("only",), say.PART_ONLY, "unable"),
    (_PROPER, policy.MORALISING, "harm"),
)


def _impossible(sentence: str) -> Iterator[Decline]:
    """Find what cannot be told, said without a first person or by "we"."""
    yield from matches(say.WE_CANNOT, sentence, "unable")
    yield from matches(say.CANNOT, sentence, "unable")
    yield from matches(say.NOT_POSSIBLE, sentence, "unable")
    for match in say.CANNOT_BE.finditer(sentence):
        if match["verb"] in say.PLAIN_CANNOT_BE or say.FRAME.search(sentence):
            yield Decline("unable", match.start(), match.end())


def _first_person(sentence: str) -> Iterator[Decline]:
    yield from matches(say.I_LACK, sentence, "unable")
    harm = policy.withheld_at(sentence)
    for match in policy.NO_ADVICE.finditer(sentence):
        yield Decline("harm", match.start(), match.end(), weak=True)
    for match in say.I_CANNOT.finditer(sentence):
        if policy.NO_ADVICE.search(sentence):
            continue
        sense: Sense = "harm" if harm and harm[1] >= match.start() else "unable"
        yield Decline(sense, match.start(), match.end(), weak=bool(policy.ADVICE.search(sentence, match.end())))
    for match in say.I_DOUBT.finditer(sentence):
        yield Decline("unable", match.start(), match.end(), weak=True)


def _denied_verbs(sentence: str, before: str) -> Iterator[Decline]:
    """Find statements that the documents do not say something, as against facts that hold a negation."""
    for match in say.NEGATED_VERB.finditer(sentence):
        if _source_lacks(sentence, match) or (
            match["verb"] in say.SET_DOWN and _they_lack(sentence, match.start(), before)
        ):
            yield Decline("absent", match.start(), match.end(), hides=True)
    for match in say.PASSIVE.finditer(sentence):
        plain = match["verb"] in say.PLAIN_PASSIVE or say.EXPLICITLY.search(match[0])
        if plain or say.FRAME.search(sentence) or _stands_in_them(sentence, before):
            yield Decline("absent", match.start(), match.end(), hides=True)
    for match in say.LEFT_OUT.finditer(sentence):
        yield Decline("absent", match.start("what"), match.end("what"), hides=True)


def _shortage(sentence: str, before: str) -> Iterator[Decline]:
    """Find statements that there is no, or not enough, information."""
    for pattern in (say.NO_INFORMATION, say.LACKS):
        for match in pattern.finditer(sentence):
            subject = subject_of(sentence, match.start())
            pronoun = pattern is say.NO_INFORMATION and say.PRONOUN_SUBJECT.search(subject)
            if pronoun or say.ANY_SUBJECT.search(subject) or _they_lack(sentence, match.start(), before):
                yield Decline("absent", match.start(), match.end(), hides=True)
    yield from matches(say.NOTHING_THERE, sentence, "absent", hides=True)
    yield from matches(say.NOTHING_IN, sentence, "absent", hides=True)
    for match in say.NEITHER_SAYS.finditer(sentence):
        if any(
            say.NAMES_SEVERAL.search(named) or say.NAMES_ONE.search(named)
            for named in (before, sentence[: match.start()])
        ):
            yield Decline("absent", match.start(), match.end(), hides=True)
    for match in say.FRAMED_ABSENCE.finditer(sentence):
        if say.FRAME.search(sentence):
            yield Decline("absent", match.start(), match.end(), hides=True)


def _source_lacks(sentence: str, match: re.Match[str]) -> bool:
    """Check whether the subject of a negated verb is a source that should have held the information."""
    verb, subject = match["verb"], subject_of(sentence, match.start())
    if _OF_A_PERSON.search(subject):
        return False
    if not say.ANY_SUBJECT.search(subject):
        return bool(say.PRONOUN_SUBJECT.search(subject)) and (
            re.fullmatch(say.SPEAK, verb) is not None or say.INFORMATION_OBJECT.match(sentence, match.end()) is not None
        )
    if verb == "cover" and say.INSURES.search(subject):
        return say.THE_MATTER.match(sentence, match.end()) is not None
    if re.fullmatch(say.SPEAK, verb):
        return True
    if re.fullmatch(say.INDICATE, verb):
        return not say.FINDING_SUBJECT.search(subject)
    return bool(say.EVIDENCE_SUBJECT.search(subject) or say.INFORMATION_OBJECT.match(sentence, match.end()))


def _they_lack(sentence: str, verb: int, before: str) -> bool:
    """Check whether a verb's subject is a pronoun for documents named before it: "The passages are on adults. They …"."""
    subject = subject_of(sentence, verb)
    pronoun = say.PRONOUN_SUBJECT.search(subject)
    if pronoun is None:
        return False
    named = subject[: pronoun.start()] or before
    several = any(word in pronoun[0] for word in ("they", "these"))
    return (say.NAMES_SEVERAL if several else say.NAMES_ONE).search(named) is not None


def _stands_in_them(sentence: str, before: str) -> bool:
    """Check whether a sentence speaks of what stands "there" or "in them": in the documents named before."""
    if not before or say.IN_THEM.search(sentence) is None:
        return False
    return bool(say.NAMES_SEVERAL.search(before) or say.NAMES_ONE.search(before))


def clause_start(sentence: str, at: int) -> int:
    """Find where the clause that holds offset `at` begins: after the last comma, semicolon, colon or dash."""
    start = 0
    for match in _CLAUSE_BREAK.finditer(sentence, 0, at):
        start = match.end()
    return start


def _meant(sentence: str, decline: Decline) -> bool:
    before = sentence[: decline.start]
    if _DENIED.search(before) or _REPORTED.search(before) or _ATTRIBUTED.search(before):
        return False
    if decline.sense not in {"ask", "need"} and _is_condition(sentence, decline):
        return False
    return not any(
        q.start() < decline.start and decline.end < q.end() and q.end() - q.start() < 0.9 * len(sentence)
        for q in _QUOTED.finditer(sentence)
    )


def _is_condition(sentence: str, decline: Decline) -> bool:
    """Check whether it is only a condition: "if the documents do not mention a date"."""
    return _CONDITION.match(sentence, clause_start(sentence, decline.start)) is not None


def _sought(sentence: str, decline: Decline) -> bool:
    """Check whether something was looked for in vain: "I could not find the exact date" is no hedge on a date given."""
    return sentence.endswith(("find", "locate"), decline.start, decline.end)


def _weakened(sentence: str, decline: Decline) -> Decline:
    """Mark hedges as weak: "not explicitly", "the exact figure", a concession ("although …")."""
    if decline.weak or decline.sense in {"scope", "ask", "harm", "need"}:
        return decline
    hedge = (
        (decline.sense == "absent" and say.EXPLICITLY.search(sentence, decline.start, decline.end))
        or (not _sought(sentence, decline) and say.EXACT.search(sentence, decline.end, decline.end + 30))
        or _CONCESSION.match(sentence)
    )
    if not hedge:
        return decline
    return Decline(decline.sense, decline.start, decline.end, weak=True, hides=decline.hides)
