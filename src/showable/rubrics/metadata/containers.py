"""Whether two names are one journal, proceedings or preprint server.

Journals are cited by name, by ISO 4 abbreviation (``J Am Chem Soc``) and by acronym (``PNAS``); conferences by acronym
(``CVPR``) for a long name with a year, an ordinal and a sponsor. Word by word an abbreviation must begin
its word, or contract it (``Natl``); an acronym must be made of the beginnings of words that stand next to each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from showable.read.word_sets import word_set
from showable.records.regex import regex
from showable.rubrics.metadata.plain_words import bare_words, unmarked

_STOP = word_set(
    "the of and in for on to at by with de la le les des du et fur und der die das del della e y i in zu im og pa da do di"
)
_NOISE = word_set("proceedings proc annual ieee acm cvf siam rsj eurasip biennial l th st nd rd conf conference")
_ORDINAL = regex(
    r"(?:\d{1,3}(?:st|nd|rd|th)|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)?(?:first|second|third|fourth|fifth"
    r"|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth"
    r"|nineteenth|twentieth|thirtieth|fortieth|fiftieth)|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety))"
)
_YEAR = regex(r"\d{4}|\d{2}")
_BRACKETED = regex(r"\(([^()]{0,200})\)|\[([^\[\]]{0,200})\]")
_TAIL = regex(r"\s+[:;=]\s+|:\s+|;\s+|\s+-\s+")
_ACRONYM = regex(r"[A-Za-z]{0,8}[A-Z][A-Za-z]{0,8}[A-Z][A-Za-z]{0,8}")
_RENAMED = {"nips": "neurips"}
_UNSPELLED = {
    "naacl": ("north", "american"),
    "aistats": ("intelligence", "statistics"),
    "www": ("web",),
    "thewebconf": ("web",),
    "pvldb": ("very", "large", "data"),
    "eacl": ("european", "chapter", "linguistics"),
    "aacl": ("asia", "chapter", "linguistics"),
}
"""Acronyms that the words of their long names do not spell: words that must stand in it."""
_COUNTRIES = (("united", "states", "america"), ("u", "s", "a"), ("usa",), ("united", "kingdom"), ("uk",))
_PREPRINTS = word_set(
    "arxiv corr biorxiv medrxiv chemrxiv ssrn psyarxiv socarxiv techrxiv engrxiv edarxiv preprints preprint openreview"
    " authorea zenodo osf"
)
_BEFORE = _NOISE | word_set(
    "international advances meeting symposium usenix sigkdd sigir joint national world european asian"
)
"""Words that stand before those that an acronym spells: ``ACL`` is no short form of ACL's North American Chapter."""
_LONGEST = 24
_CONTRACTED = 3


def preprint_server(name: str) -> str | None:
    """Return the preprint server that a name is of, ``arxiv`` for CoRR too; None for a journal or a conference."""
    words = bare_words(name)
    server = next((word for word in words if word in _PREPRINTS), None)
    if server is None and "research" in words and "square" in words:
        return "researchsquare"
    return {"corr": "arxiv"}.get(server, server) if server else None


def same_container(claimed: str, registered: Sequence[str]) -> str | None:
    """Return the registered name that a claimed one stands for, or None."""
    return next((name for name in registered if _same(claimed, name)), None)


def container_words(name: str) -> tuple[str, ...]:
    """Return the words that tell one journal or meeting from another: no stop words, years, ordinals, sponsors, ``Proceedings``."""
    words = _all_words(name)
    return tuple(word for word in words if word not in _NOISE) or words


def _all_words(name: str) -> tuple[str, ...]:
    words = [word for word in bare_words(_BRACKETED.sub(" ", name))[:_LONGEST] if word not in _STOP]
    core = [word for word in words if not _YEAR.fullmatch(word) and not _ORDINAL.fullmatch(word)] or words
    for country in _COUNTRIES:
        if len(core) > len(country) + 1 and tuple(core[-len(country) :]) == country:
            core = core[: -len(country)]
    return tuple(_RENAMED.get(word, word) for word in core)


def _same(claimed: str, registered: str) -> bool:
    claimed, registered = unmarked(claimed), unmarked(registered)
    variants = [(one, other) for one in _variants(claimed) for other in _variants(registered)]
    if any(_alike(one, other) for one, other in variants):
        return True
    return any(_is_acronym(one, other) or _is_acronym(other, one) for one, other in variants) or bool(
        _bracketed(claimed) & _names(registered) or _bracketed(registered) & _names(claimed)
    )


def _variants(name: str) -> tuple[str, ...]:
    """Return a name, and what stands before its subtitle (``JAMA : the journal of …``)."""
    head = _TAIL.split(name, maxsplit=1)[0]
    return (name,) if head == name or not container_words(head) else (name, head)


def _alike(one_name: str, other_name: str) -> bool:
    one, other = container_words(one_name), container_words(other_name)
    if not one or not other:
        return False
    if "".join(one) == "".join(other):
        return True
    if len(one) == len(other) == 1 and _ACRONYM.search(one_name) and _ACRONYM.search(other_name):
        return False  # ICML and ICMLA, ACL and AACL: an acronym abbreviates no other
    return len(one) == len(other) and all(_abbreviates(word, full) for word, full in zip(one, other, strict=True))


def _abbreviates(one: str, other: str) -> bool:
    """Check whether one word abbreviates the other: by its beginning, or by a contraction that keeps the first and last letter."""
    short, full = sorted((one, other), key=len)
    if full.startswith(short):
        return True
    if len(short) < _CONTRACTED or short[0] != full[0] or short[-1] != full[-1]:
        return False
    rest = iter(full)
    return all(letter in rest for letter in short)


def _bracketed(name: str) -> set[str]:
    """Return the acronyms that a name has in brackets: ``(CVPR)``, ``[NeurIPS 2022]``."""
    inside = " ".join(one or other for one, other in _BRACKETED.findall(name))
    return {"".join(container_words(piece)) for piece in inside.split() if _ACRONYM.search(piece)} - {""}


def _names(name: str) -> set[str]:
    words = container_words(name)
    return {*words, "".join(words)}


def _is_acronym(short: str, long: str) -> bool:
    """Check whether the acronyms of a name are made of the words of the other, or stand among them, and its other words too."""
    said, words = container_words(short), _all_words(long)
    acronyms = {*said} & {word for token in _ACRONYM.findall(short) for word in container_words(token)}
    if not acronyms or len(words) == 1:
        return False
    others = [word for word in said if word not in acronyms]
    meant = [{full for full in words if _is_short_for(word, full)} for word in others]
    before = _BEFORE.union(*meant)
    return all(meant) and all(_stands(acronym, words, before) for acronym in acronyms)


def _is_short_for(word: str, full: str) -> bool:
    return word == full or (len(word) >= _CONTRACTED and _abbreviates(word, full))


def _stands(acronym: str, words: Sequence[str], before: AbstractSet[str]) -> bool:
    if acronym in words or set(_UNSPELLED.get(acronym, "?")) <= {*words}:
        return True
    telling = [word for word in words if word not in _NOISE]
    return any(
        _spelled(acronym, of[start:]) for of in (words, telling) for start in range(len(of)) if {*of[:start]} <= before
    )


def _spelled(acronym: str, words: Sequence[str]) -> bool:
    """Check whether an acronym is made of beginnings of these words, one after the other, the first included and at least two."""
    reached = {0}
    for count, word in enumerate(words):
        begun = {
            at + length
            for at in reached
            for length in range(1, len(word) + 1)
            if acronym[at : at + length] == word[:length] and at + length <= len(acronym)
        }
        if len(acronym) in begun and count:
            return True
        reached = begun
        if not reached:
            return False
    return False
