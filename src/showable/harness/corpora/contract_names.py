"""How an agreement is named in a question: by its kind, by its parties as the document writes them, and by how they stand to each other."""

from __future__ import annotations

import re

_OPENING = 1500
_BODY = re.compile(
    r"(?:city|county|university|ministry|department|united states|administrative|government|office)\b", re.IGNORECASE
)
"""How the names begin that take an article."""
_NON_DISCLOSURE = re.compile(r"disclos|confidential", re.IGNORECASE)
_CAPITALS = re.compile(r"[A-Z][A-Z'’]+")
_SAY_WHAT_IT_IS = frozenset(
    re.findall(
        r"\w+",
        "INC CORP CORPORATION COMPANY LTD LIMITED PTY PTE PROPRIETARY CITY COUNTY DEPARTMENT UNIVERSITY OF AND THE FOR",
    )
)
"""Words in capitals that may be written small whatever else the document does."""
_SMALL = frozenset({"OF", "AND", "THE", "FOR"})
_AS_THEY_ARE = frozenset({"LLC", "LLP", "LP", "NV", "AB", "AG", "BV", "SA", "PLC", "GMBH"})
_SHORT = 3
NON_DISCLOSURE, ANY = "non-disclosure agreement", "agreement"


def agreement_named(parties: tuple[str, ...], *, kind: str = NON_DISCLOSURE, between: bool = True) -> str:
    """Return which agreement is meant: ``the non-disclosure agreement between A and B``, or ``involving`` them."""
    said = [party_named(name) for name in parties]
    if len(said) == 1:
        return f"the {kind} with {said[0]}"
    return f"the {kind} {'between' if between else 'involving'} {said[0]} and {said[1]}"


def party_named(name: str) -> str:
    """Write a party as it stands in a sentence: ``the City of A``, but ``A, Inc.``."""
    return f"the {name}" if _BODY.match(name) else name


def kind_of(text: str) -> str:
    """Return what an agreement is called: a covenant not to compete is no non-disclosure agreement."""
    return NON_DISCLOSURE if _NON_DISCLOSURE.search(text[:_OPENING]) else ANY


def is_between(text: str, parties: tuple[str, ...]) -> bool:
    """Check whether the opening says "between A … and B": two that are named may also stand on the same side, or be spoken about."""
    if len(parties) == 1:
        return True
    one, other = (re.escape(name) for name in parties)
    said = rf"\b(?:between|among)\b(?:(?!\bto:).){{0,80}}?{one}.{{0,400}}?\band\b[\s:–\-]*(?:the )?{other}"
    return re.search(said, text[:_OPENING], re.IGNORECASE | re.DOTALL) is not None


def written_small(names: tuple[str, ...], text: str) -> tuple[str, ...]:
    """Write names in capitals as ``Harrow Dairy Company``, where the document writes a word of one so; else leave them."""
    words = {word for name in names for word in _CAPITALS.findall(name) if not _stays(word)} - _SAY_WHAT_IT_IS
    if not any(re.search(rf"\b{re.escape(word.capitalize())}\b", text) for word in words):
        return names
    return tuple(_CAPITALS.sub(lambda match: _small(match[0]), name) for name in names)


def _small(word: str) -> str:
    if word in _SMALL:
        return word.casefold()
    return word if _stays(word) else word.capitalize()


def _stays(word: str) -> bool:
    """Tell an acronym ("MTH", "AUGI"): it is short and is no word of its own, or says what kind of company it is."""
    return word in _AS_THEY_ARE or (
        len(word) <= _SHORT and word not in _SAY_WHAT_IT_IS and word not in {"NO", "BIG", "NEW"}
    )
