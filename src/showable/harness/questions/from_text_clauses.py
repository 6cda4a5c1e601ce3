"""Read a sentence as subject, verb and rest, where that can be told without doubt; whatever is in doubt is left alone."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from showable.harness.questions.from_text_verbs import AUXILIARIES, VERBS, read_verb


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SUBJECT = 10
"""Words of the longest subject that still reads well in a question."""
_FEWEST, _MOST = 4, 34
_PLAIN = re.compile(r"[A-Za-z“\"][^|*<>{}\[\]=\\#\n?!]+")
_FORMS = "|".join(sorted((*AUXILIARIES, *VERBS)))
_CUT = re.compile(rf"[,;:]\s|\s(?:and|but|or)\s(?=(?:{_FORMS}|not|never|then)\b)|\s[–—-]\s|\s\((?=[a-z])")
_LIST_GOES_ON = re.compile(
    r",\s\w+(?:,\s\w+)*,?\s(?:and|or)\s|,\s(?=(?:and\s|or\s)?[\dA-Z£$€]|(?:and\s|or\s)?(?:one|two|three|four|five|six|seven|eight|nine|ten)\b)"
)
_WORD = re.compile(r"[^\s]+")
_OPENERS = _listed(
    "except like unlike despite around about based given due along besides below above beyond if when whenever where wherever while unless until although though because since as after before during in on at for from with without under over"
    " by to of between among within through per it they he she we you i this that these those there here what which who whose how why not no nothing none"
    " nobody neither nor either both one ones some such only just even also however but and or so then thus hence its their his her our my your once"
    " otherwise instead rather see note example first second third next finally again another other others same most more many few several today yesterday"
)
_NOT_IN_SUBJECT = _listed(
    "my our your their its his her what how has have had is are was were be been would could might it they he she we you i this that these those which who whom whose if when where while unless because not only also but or so then than as"
)
_HAVE = {"has": "does", "have": "do", "had": "did"}
_PARTICIPLE = re.compile(r"(?:\w+ly |since |long |always |already )?(?:been|become|come|\w+(?:ed|en|wn))\b")
_NOUN_PHRASE = re.compile(
    r"(?:an?|the|several|many|some|its|their|over|about|two|three|four|five|six|seven|eight|nine|ten|\d[\d.,]*)\s"
)
_TOO_GENERAL = _listed(
    "same group rule situation outcome territory park society city case event attack system example result reason problem effect process method"
    " others rest man woman region area period path idea term word name following next first second third last"
)
_LEADS_ON = _listed("and or but nor to of a an the in on at by for from with has have had be been being")
_REFERS = re.compile(
    r"\b(?:it|they|them|this|these|those|he|she|him|we|us|you|your|our|my|i|such|above|below|former|latter|following|here|there|same|respectively|now|then|thus|likewise|further|furthermore|subsequently|instead|meanwhile|as well as|both|either|therefore|however|otherwise"
    r"|so|that|whether|which|who|whom|whose|because|although|but|unless|whereas|while|if|e\.g|i\.e|etc)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence taken apart. `auxiliary` goes to the front of a question; `base` is the verb left behind, if any.

    `rest` begins at offset `rest_start` of the sentence, and `left_out` is what follows it there.
    """

    sentence: str
    subject: str
    auxiliary: str
    base: str
    rest: str
    rest_start: int
    left_out: str = ""


def read_clause(sentence: str, *, lowered: bool) -> Clause | None:
    """Take a sentence apart; None where it is not a plain statement with one verb that stands by itself.

    `lowered` says that the first word is no name, and is written small inside a question.
    """
    words = list(_WORD.finditer(sentence))
    if not _FEWEST <= len(words) <= _MOST or _PLAIN.fullmatch(sentence) is None:
        return None
    if sentence.count("(") != sentence.count(")") or sentence.count('"') % 2 or sentence.count("`") % 2:
        return None
    place = next((i for i, word in enumerate(words) if word.group() in AUXILIARIES), None)
    found = _at_auxiliary(sentence, words, place) if place is not None else _at_verb(sentence, words)
    if found is None or _REFERS.search(found.rest) or _finite_again(found.rest):
        return None
    if not lowered:
        return found
    subject = found.subject[0].lower() + found.subject[1:]
    return replace(found, subject=subject)


def _at_auxiliary(sentence: str, words: list[re.Match[str]], place: int) -> Clause | None:
    if place + 1 >= len(words) or not _is_subject(words[:place]):
        return None
    if words[place + 1].group().casefold() in {"not", "never", "no", "also", "only"}:
        return None
    return _of_have(_clause(sentence, words, place, words[place].group(), ""))


def _of_have(clause: Clause | None) -> Clause | None:
    """Turn `has three doors` into `does … have three doors`; leave `has been sold`; None where neither is plain."""
    if clause is None or clause.auxiliary not in _HAVE or _PARTICIPLE.match(clause.rest):
        return clause
    if _NOUN_PHRASE.match(clause.rest) is None:
        return None
    return replace(clause, auxiliary=_HAVE[clause.auxiliary], base="have")


def _at_verb(sentence: str, words: list[re.Match[str]]) -> Clause | None:
    place = next((i for i, word in enumerate(words) if word.group() in VERBS), None)
    if place is None or place + 1 >= len(words) or not _is_subject(words[:place]):
        return None
    if any(word.group() in {"and", "or"} for word in words[:place]):
        return None
    verb = read_verb(words[place].group(), sentence[: words[place].start()].strip())
    return None if verb is None else _clause(sentence, words, place, verb.auxiliary, verb.base)


def _clause(sentence: str, words: list[re.Match[str]], place: int, auxiliary: str, base: str) -> Clause | None:
    """Keep what follows the verb up to where a second statement, an aside or a list begins; None where a list goes on."""
    start = words[place + 1].start()
    rest = sentence[start:].rstrip().rstrip(".")
    cut = _CUT.search(rest)
    if cut is not None and _LIST_GOES_ON.match(rest, cut.start()):
        return None
    rest, left_out = (rest, "") if cut is None else (rest[: cut.start()], rest[cut.start() :])
    if rest.count("(") != rest.count(")") or any(rest.count(mark) % 2 for mark in '"`'):
        return None
    return Clause(sentence, sentence[: words[place - 1].end()], auxiliary, base, rest, start, left_out)


def _is_subject(words: list[re.Match[str]]) -> bool:
    """Tell a subject that can be named in a question: short, of one piece, and pointing back at nothing."""
    said = [word.group() for word in words]
    if not 1 <= len(said) <= _SUBJECT or said[0].casefold().strip("“\"'’,") in _OPENERS:
        return False
    if any(
        word[-1] in ",.:;)" or word.count('"') % 2 or word.count("`") % 2 or word.casefold() in _NOT_IN_SUBJECT
        for word in said
    ):
        return False
    if len(said) == 2 and said[0].casefold() == "the" and said[1].casefold() in _TOO_GENERAL:  # noqa: PLR2004 - an article and a noun
        return False
    if len(said) == 1:
        return said[0].casefold() not in {"the", "a", "an", "each", "all"}
    return not said[-1].casefold().endswith("ly") and said[-1].casefold() not in _LEADS_ON


def _finite_again(rest: str) -> bool:
    """Tell a rest with a second statement in it, which would be carried along into the question."""
    return any(
        word in AUXILIARIES or word in {"would", "could", "might", "does", "do", "did"}
        for word in rest.replace(",", " ").split()
    )
