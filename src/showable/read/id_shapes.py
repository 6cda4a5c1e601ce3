"""Whether a word looks like the id of a document rather than like a word of the sentence."""

from __future__ import annotations

import re
from functools import lru_cache

from showable.read.word_sets import word_set
from showable.records.regex import regex

_ID = regex(r"[^\W_](?:[\w.:/#@§~+=-]*\w)?")
_LONGEST_ID = 200
_LONGEST_WORD = 40
_LETTER_THEN_DIGIT = regex(r"[^\W\d_]+\d+[a-z]?")
_FILE = regex(r"(?i).*\w\.(?:pdf|docx?|md|txt|html?|csv|xlsx?|pptx?|json|xml|rtf|epub)(?:#\S+)?")
_HEX = regex(r"(?i)(?=.*\d)(?=.*[a-f])[0-9a-f]{8,}(?:-[0-9a-f]{4,}){0,6}")
_NAMES_A_DOCUMENT = regex(
    r"(?i)(?:documents?|doc|sources?|src|passages?|references?|ref|chunk|context|excerpt|snippet|paper|file|page|kb|art|node|item|"
    r"evidence|cite|citation|note|web|search|result|pmid|pmc|doi|arxiv|s|d|r|c)[-_:.#/]?\d.*"
)
_ACRONYM_NUMBER = regex(r"[A-Z][A-Za-z]{0,6}(?:-[A-Z][A-Za-z]{0,3})?-?\d{1,3}[a-z]?|[A-Z]\d[A-Z]\d")
_KNOWN_THING = regex(
    r"(?:COVID|SARS-CoV|MERS-CoV|HIV|IL|PD|CD|HPV|HSV|G|B|F|FY|CY|Q|H|GPT|p)-?\d{1,4}[a-z]?|H\d{1,2}N\d{1,2}|[QH][1-4][-/_]?(?:\d{2}|\d{4})|"
    r"(?i:pre|post|mid|late|early|non|age|day|week|month|year|phase|stage|type|level|grade|step)-\w+"
)
_ELEMENT = r"(?:A[glrs]|B[aer]?|C[adlorsu]?|F[e]?|H[eg]?|I|K|Li|M[gn]|N[aei]?|O|P[b]?|S[i]?|Ti|U|Zn)"
_FORMULA = regex(rf"(?:{_ELEMENT}\d*){{2,8}}|[OHN][23]")
_NOT_AN_ID = frozenset({"emphasis-added", "footnote-omitted", "citation-omitted", "internal-citation-omitted"})
_PUT_IN = word_set(
    """sic recte emphasis italics bold underline underlined underlining capitals brackets original omitted omission ellipsis added supplied
    deleted removed redacted withheld blank illegible inaudible unintelligible indecipherable unclear unknown unspecified translation
    translated transcription edited edit ed eds note notes citation citations footnote footnotes quote quotes quotation laughter
    laughs laughing applause cheering cheers booing music silence pause sigh sighs cough coughing crosstalk crying gasps whispering
    shouting noise beep bleep expletive continued cont end here there this that these those it its he him his she her hers they them
    their theirs we us our ours you your yours one ones who whom which what me my mine i the a an and or but not no yes is are was were be
    been being has have had do does did will would shall should may might can could must to of in on at by for from with as name names date
    dates time place address number numbers amount amounts city state country company title year month day age sex email phone url link
    links insert placeholder tbd tba tbc na todo more less see above below ibid id idem passim supra infra etc et al so thus true false
    null none nil ok okay update updated range mean median average sd se ci iqr checked unchecked done pending optional required draft figure table image photo picture video audio
    source sources reference references ref refs document documents doc docs passage passages context"""
)
_PUT_IN_TAIL = regex(
    r".*-(?:added|omitted|supplied|deleted|removed|redacted|needed|mine|ours|original|changed|altered)"
)
_BARE_WORD = regex(r"[^\W\d_]+")
_WORD_ID = regex(r"[^\W\d_]+(?:[-_][^\W\d_]+){0,5}")
_SLUG = regex(r"[^\W\d_]+(?:[-_./:][^\W\d_]+)+")
_STEM = regex(r"([^\W\d_]+[-_:./#]?)\d+$")
_LONG_NUMBER = 4
_FEWEST_DIGITS, _MOST_DIGITS = 3, 7


def looks_like_id(word: str, known: frozenset[str]) -> bool:
    """Check whether a bracketed word, not in the log, reads as a document id all the same.

    ``doc-7``, ``smith2020`` and ``handbook.pdf`` do; ``sic``, ``CO2`` and ``COVID-19`` do not. A shape
    that is ambiguous by itself is an id where the log has ids of that shape.
    """
    if len(word) > _LONGEST_ID or not _ID.fullmatch(word):
        return False
    if known and shares_stem(word, known):
        return True
    if known and not _ACRONYM_NUMBER.fullmatch(word) and shape_of(word) in _shapes(known):
        return word.lower() not in _NOT_AN_ID
    if _FORMULA.fullmatch(word):
        return False
    if _FILE.fullmatch(word) or _NAMES_A_DOCUMENT.fullmatch(word) or _HEX.fullmatch(word):
        return True
    return _is_numbered(word) and (not _ACRONYM_NUMBER.fullmatch(word) or ("-" in word and not known))


@lru_cache(maxsize=64)
def are_words(known: frozenset[str]) -> bool:
    """Check whether the log's ids are bare words (``lease``, ``rent``), most of them. Titles have spaces or a capital."""
    bare = sum(1 for name in known if name.islower() and _BARE_WORD.fullmatch(name))
    other = sum(1 for name in known if name and not any(map(str.isspace, name)) and not _BARE_WORD.fullmatch(name))
    return bare > other


def reads_as_word_id(word: str, known: frozenset[str]) -> bool:
    """Check whether a lone word, where the log's ids are words, is an id and not what an editor puts in: ``sic``, ``them``.

    A single letter is one only where the log has such an id, other letters than ASCII's only where its ids have
    them: a word in brackets may be its pronunciation.
    """
    if word in known:
        return True
    if not word.islower() or len(word) > _LONGEST_WORD or not _WORD_ID.fullmatch(word):
        return False
    if not word.isascii() and all(map(str.isascii, known)):
        return False
    if len(word) == 1:
        return word != "x" and any(len(name) == 1 for name in known)
    return word not in _PUT_IN and _PUT_IN_TAIL.fullmatch(word) is None


def could_be_id(word: str) -> bool:
    """Check whether a bracketed word would be read as an id if the log had ids of its shape: ``rent``, ``Lease``, ``AB12``; not ``sic``, ``CO2``."""
    if reads_as_word_id(word.lower(), frozenset()):
        return True
    if len(word) > _LONGEST_ID or not _ID.fullmatch(word) or _KNOWN_THING.fullmatch(word) or _FORMULA.fullmatch(word):
        return False
    if word.isdecimal() or word.lower() in _NOT_AN_ID or _PUT_IN_TAIL.fullmatch(word.lower()):
        return word.isdecimal() and len(word) > _LONG_NUMBER
    return _SLUG.fullmatch(word) is not None or (word[0].isalpha() and any(map(str.isdigit, word)))


def _is_numbered(word: str) -> bool:
    """Check whether letters are followed by digits, at once or after a separator, in a word that names no other thing."""
    if word[0].isdigit() or "=" in word or not any(char.isdigit() for char in word) or _KNOWN_THING.fullmatch(word):
        return False
    return _LETTER_THEN_DIGIT.fullmatch(word) is not None or any(mark in word for mark in "-_:/#.")


def shares_stem(word: str, known: frozenset[str]) -> bool:
    """Check whether a word differs from an id of the log in its number alone: ``doc-99`` where there is ``doc-7``."""
    stem = _STEM.match(word)
    return stem is not None and stem[1].casefold() in _stems(known)


def takes_long_numbers(known: frozenset[str]) -> bool:
    """Check whether the log's ids are long numbers (PubMed ids, say), so that ``[31452104]`` is a citation."""
    return bool(known) and any(len(known_id) >= _LONG_NUMBER and known_id.isdecimal() for known_id in known)


def most_digits(known: frozenset[str]) -> int:
    """Return the digits that a position in the log may have: as many as its count of ids, and 3 to 7."""
    return min(max(len(str(len(known))), _FEWEST_DIGITS), _MOST_DIGITS)


def shape_of(word: str) -> str:
    """Return a word's shape: runs of capitals, small letters and digits, and what separates them."""
    word = re.sub(r"[A-Z]+", "A", word)
    return re.sub(r"\d+", "0", re.sub(r"[^\W\dA_]+", "a", word))


@lru_cache(maxsize=64)
def _stems(known: frozenset[str]) -> frozenset[str]:
    return frozenset(stem[1].casefold() for known_id in known if (stem := _STEM.match(known_id)))


@lru_cache(maxsize=64)
def _shapes(known: frozenset[str]) -> frozenset[str]:
    """Shapes of the log's ids that are more than one bare word or number."""
    return frozenset(
        shape_of(known_id) for known_id in known if _SLUG.fullmatch(known_id) or re.search(r"\d", known_id)
    )
