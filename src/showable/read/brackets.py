"""Markers in brackets: ``[1]``, ``[1–3]``, ``[^1]``, ``【4:0†source】``, ``[doc-7]``, ``[Doc. 3, p. 4]``, ``(Source: doc-7)``."""

from __future__ import annotations

import re

from showable.read.author_years import read_author_years
from showable.read.bracketed_words import is_word
from showable.read.cited_items import DOI, GLUED, LABEL, Item, Malformed, read_items, why_unread
from showable.read.id_shapes import are_words, reads_as_word_id, shares_stem, takes_long_numbers
from showable.read.ids_among_words import read_among
from showable.read.marker import Found, Marker, Span, Style
from showable.read.source_names import is_file_name, named_source
from showable.records.regex import regex

_SQUARE = regex(r"\[([^\[\]\n]*)(\])?")
_LENTICULAR = regex(r"([【［〔⟦⟨〈])([^【】［］〔〕⟦⟧⟨⟩〈〉\n]{0,200})[】］〕⟧⟩〉]")
_CIRCLED = regex(r"[①-⑳❶-❿➀-➓](?=[*_)”\"]{0,3}(?:[.;!?。；！？\n①-⑳❶-❿➀-➓]|\Z))")
"""A number in a circle at the end of a sentence; elsewhere it counts steps, or names a key."""
_WIKI = regex(r"\[\[([^\[\]\n]*)\]\]")
_NESTED = regex(r"[\[\]\d\s,;–—-]+")
_BEGUN = regex(r"\s*\^?\d{1,3}(?:\s*[,;–—-]\s*\d{1,3})*\s*[,;–—-]?(?=$|[.,;:!?]|\s+[A-Z]|\s*$)")
_FOOTNOTE = regex(r"\^\s*([\w.-]{1,60})\s*\^?")
_DAGGER = regex(r"(\d+(?::\d+)?)\s*†\s*(.*)")
_PAREN = regex(r"\(([^()\[\]\n]{1,300})\)")
_LABELLED = regex(rf"{LABEL.pattern}(?<=[\s:=.#])")
_SEE = regex(r"(?i)(?:see(?:,? also|,? e\.g\.,?)?|cf\.?|compare|as per|as in|according to|per|from|in|via)\s+")
_YEAR = regex(r"\b(?:1[5-9]|20)\d\d|n\.d\.")

_CLAUSE_ENDS = regex(r"[*_)]{0,3}[ \t]{0,3}(?:\Z|[.,;:!?。、\n\[])")
_AFTER_STOP = regex(r"[.!?][\"”’»)*_]{0,3}\s?\Z")
_SENTENCE_FOLLOWS = regex(r"\s+[\W_]{0,3}(?=[^\W_])(?![a-z])")
_WANTS_OBJECT = regex(
    r"(?i)(?:\b(?:in|within|over|on|from|to|of|at|by|for|about|than|with|is|was|are|were|the|an?|and|or|numbers?|no|nr|code)\b\.?:?|[=≤≥<>$€£#])\s*$"
)
_PARTS = regex(r"[,;]|\s(?:and|&)\s")
_AROUND = "*_` "
_LOOK_BACK = 40
_LONGEST_QUOTATION = 600


def find_brackets(text: str, known: frozenset[str]) -> Found:
    """Find markers in square and lenticular brackets, and those that were begun and cannot be read."""
    found = Found()
    if "[" in text:
        _find_square(text, known, found)
    if not text.isascii():
        for match in _LENTICULAR.finditer(text):
            _add(text, match.span(), match[2], known, found)
        for match in _CIRCLED.finditer(text):
            if ends_as_cited(text, match.span()):
                _add(text, match.span(), match[0], known, found)
    return found


def _find_square(text: str, known: frozenset[str], found: Found) -> None:
    at = 0
    while (match := _SQUARE.search(text, at)) is not None:
        start, at = match.span()
        body, closed = match.groups()
        if closed:
            _read_closed(text, (start, at), body, known, found)
        elif not body and (wiki := _WIKI.match(text, start)):
            at = wiki.end()
            _add(text, (start, at), wiki[1], known, found)
        elif _NESTED.fullmatch(body or "[") and text[at : at + 1] == "[":
            at = _read_nested(text, start, found)
        elif begun := _BEGUN.match(body):
            found.malformed(text, start, start + 1 + len(begun[0].rstrip()), "the bracket is not closed")


def _read_nested(text: str, start: int, found: Found) -> int:
    """Take a run of nested brackets and numbers as one malformed marker, and pass over it."""
    run = _NESTED.match(text, start)
    end = start + len(run[0].rstrip()) if run else start + 1
    if run and any(char.isdigit() for char in run[0]):
        found.malformed(text, start, end, "brackets are nested")
    return end


def _read_closed(text: str, span: Span, body: str, known: frozenset[str], found: Found) -> None:
    start, end = span
    if start and text[start - 1] == "\\":
        if not body.endswith("\\"):
            return
        start, body = start - 1, body[:-1]
    before = text[max(0, start - _LOOK_BACK) : start]
    if not body.strip():
        if not body and not (
            before[-1:].isalnum() or before[-1:] in {"_", ")", "]", ">"}
        ):  # "[ ]" is a blank to fill in
            found.malformed(text, start, end, "nothing in the brackets")
        return
    if body not in known and is_word(before, text, end, body):
        return
    _add(text, (start, end), body, known, found)


def _add(text: str, span: Span, body: str, known: frozenset[str], found: Found) -> None:
    """Read one bracket's body and note what it cites."""
    style: Style = "bracket"
    if body[:1] == "^" and (note := _FOOTNOTE.fullmatch(body)):
        items: list[Item] | Malformed | None = [Item(note[1])]
        style = "footnote"
    elif body[:1] == "^":
        items, style = read_items(body.replace("^", ""), known), "footnote"
    elif "†" in body and (dagger := _DAGGER.fullmatch(body.strip())):
        items = [Item(dagger[2] if dagger[2] in known else dagger[1])]
    else:
        items = read_items(body, known)
    if isinstance(items, Malformed):
        found.malformed(text, *span, items.reason)
    elif items is not None or (items := read_among(body, known)):
        _note(text, span, items, style, found)
    elif (reason := why_unread(body, known)) is not None and ends_as_cited(text, span):
        found.malformed(text, *span, reason)
    elif _YEAR.search(body):
        found.markers.extend(read_author_years(text, span, body))
    elif are_words(known) and _closes_clause(text, span):
        _note(text, span, _read_words(body, known), style, found)
    elif (named := named_source(body, known)) and _closes_clause(text, span):
        _note(text, span, [Item(named.source, named.page)], style, found)


def _read_words(body: str, known: frozenset[str]) -> list[Item]:
    """Read ``deed`` as an id where the log's ids are such words; none if any part is no such word."""
    parts = [part.strip() for part in re.split("[,;]", body)]
    return [Item(part) for part in parts] if all(reads_as_word_id(part, known) for part in parts) else []


def _closes_clause(text: str, span: Span) -> bool:
    """Check whether a bracket stands where a citation does, and not inside a quotation, where words are put in by its editor."""
    floor = max(0, span[0] - _LONGEST_QUOTATION)
    before = text[max(text.rfind("\n", floor, span[0]) + 1, floor) : span[0]]
    if before.count("“") > before.count("”") or before.count('"') % 2 or before.count("«") > before.count("»"):
        return False
    if _CLAUSE_ENDS.match(text, span[1]):
        return before.rstrip()[-1:] not in {"", "("}
    return _AFTER_STOP.search(before) is not None and _SENTENCE_FOLLOWS.match(text, span[1]) is not None


def ends_as_cited(text: str, span: Span) -> bool:
    """Check whether a bracket stands at the end of a clause, and is no part of it: ``to [1200].`` is an amount put in."""
    before = text[max(0, span[0] - _LOOK_BACK) : span[0]]
    return _closes_clause(text, span) and _WANTS_OBJECT.search(before) is None


def _note(text: str, span: Span, items: list[Item], style: Style, found: Found) -> None:
    """Make one marker of each item, all with the span of the bracket."""
    raw = text[slice(*span)]
    for item in items:
        kind: Style = "url" if item.url else style
        found.markers.append(Marker(raw, *span, item.token, kind, item.url, page=item.page))


def find_parentheses(text: str, known: frozenset[str]) -> Found:
    """Find ``(Source: doc-7)``, ``(Doc. 3, p. 4)``, ``(Smith, 2020)``, and ``(doc-7)`` where the log has that id."""
    found = Found()
    if "(" not in text:
        return found
    long = takes_long_numbers(known)
    for match in _PAREN.finditer(text):
        body = match[1].strip()
        see = _SEE.match(body)
        cited = body[see.end() :] if see else body
        if _LABELLED.match(cited) or DOI.fullmatch(cited) or (known and _names_known(cited, known, long=long)):
            items = read_items(cited, known)
            if isinstance(items, list):
                _note(text, match.span(), items, "bracket", found)
                continue
        if items := _paged_file(cited, known) or read_among(body, known):
            _note(text, match.span(), items, "bracket", found)
        elif _YEAR.search(body):
            found.markers.extend(read_author_years(text, match.span(), body))
    return found


def _paged_file(body: str, known: frozenset[str]) -> list[Item] | None:
    """Read a file that the log lacks where a page is given with it, as only a citation has: ``(notes.pdf, p. 2)``."""
    items = read_items(body, known) if "." in body else None
    if isinstance(items, list) and all(item.page and is_file_name(item.token) for item in items):
        return items
    return None


def _names_known(body: str, known: frozenset[str], *, long: bool) -> bool:
    """Check whether parentheses hold an id like the log's or ``(doc2)``; ``(12) patients`` is no citation of document 12."""
    parts = [body, *(part.strip(_AROUND) for part in _PARTS.split(body))]
    return any(
        (part in known and (long or not part.isdecimal()) and len(part) > 1)
        or shares_stem(part, known)
        or ((glued := GLUED.fullmatch(part)) is not None and glued[1] is not None)
        or _names_file(part, known)
        for part in parts
    )


def _names_file(part: str, known: frozenset[str]) -> bool:
    """Check whether a part is another name of a source, and one that is no word of a sentence: it has a digit or a sign in it."""
    mixed = any(map(str.isalpha, part)) and not all(char.isalpha() or char.isspace() for char in part)
    return mixed and named_source(part, known) is not None
