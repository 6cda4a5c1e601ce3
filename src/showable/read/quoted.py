"""Words that a claim puts in quotation marks: they claim to stand in a source, and are looked for there."""

from __future__ import annotations

from collections.abc import Collection

from showable.records.regex import regex

_QUOTED = regex(
    r"“([^“”\n]*)”|„([^„“”\n]*)[“”]|«([^«»\n]*)»|»([^«»\n]*)«"
    r"|(?<!\w)\"(?=\S)([^\"\n]*)(?<=\S)\"(?!\w)"
    r"|(?<!\w)‘((?:[^‘’\n]|’(?=\w))*)’(?!\w)"
)
_PUT_IN = regex(r"\s*\[(?:sic|\w{4,60}|[^\[\]\n]{0,60}\w\s[^\[\]\n]{0,60})\]")
"""A word or more that an editor put into the quotation: ``[the tenant]``, ``[sic]``; not a letter, as in ``[T]he``."""
_LEAST_WORDS = 4
"""Shorter quotations are titles, terms and scare quotes as often as they are quotations."""
_WORD = regex(r"[^\W_]+")
_SHORT_WORD = 3
_ENDS = " \t\u00a0.,;:…"
"""What a writer sets inside the marks though it closes the sentence around them."""


def find_quoted(claim: str) -> tuple[str, ...]:
    """Return every quotation of at least four words in a claim, in order and without its marks; names of works are none.

    Read are “double”, „low“, «angle», "straight" and ‘single’ marks; a straight single mark is an apostrophe
    as often as it is a quotation mark. A quotation inside another belongs to the outer one. Where an editor put
    words in brackets into it an ellipsis stands, for they are not in the source.
    """
    if not any(mark in claim for mark in '“„«»"‘'):
        return ()
    inside = (next(filter(None, match.groups()), "") for match in _QUOTED.finditer(claim))
    found = [(_PUT_IN.sub(" …", words) if "[" in words else words).strip(_ENDS) for words in inside]
    return tuple(words for words in found if len(words.split()) >= _LEAST_WORDS and not _is_name(words))


def _is_name(words: str) -> bool:
    """Check whether words in quotation marks are the name of a work: every longer word has a capital, but not every letter."""
    first = [word[0] for word in _WORD.findall(words) if len(word) > _SHORT_WORD]
    capitals = sum(map(str.isupper, first))
    return capitals > 1 and not words.isupper() and capitals + sum(map(str.isdigit, first)) == len(first)


def quotations(claim: str, titles: Collection[str], question: str) -> tuple[str, ...]:
    """Return the quotations of a claim that are neither the title of a source nor words of the question."""
    found = find_quoted(claim)
    if not found:
        return ()
    named, asked = {folded(title) for title in titles}, folded(question)
    return tuple(words for words in found if folded(words) not in named and folded(words) not in asked)


def folded(words: str) -> str:
    """Return words in single spaces, ignoring case, the kind of apostrophe, and the stops around them."""
    return " ".join(words.casefold().replace("’", "'").split()).strip(_ENDS)
