"""The text of a reference-list entry made plain: one line, no markup, no identifiers."""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass, field

from showable.read.invisible import without_invisible
from showable.read.references.found import FoundReference
from showable.read.references.identifiers import find_identifiers
from showable.read.references.links_in_text import Link, links_in
from showable.records.regex import regex

_ACCENT = regex(r"\{?\\([\"'`^~=.](?=[{\sA-Za-z\\])|[cvuHkr](?=[{\s\\]))\s*\{?\s*\\?([A-Za-z])(?:\s*\}){0,2}")
"""An accent over one letter. One named by a letter is parted from it, else it is a command: ``\\v z``, but ``\\varepsilon``."""
_COMBINING = dict(zip("\"'`^~=.cvuHkr", "\u0308\u0301\u0300\u0302\u0303\u0304\u0307\u0327\u030c\u0306\u030b\u0328\u030a", strict=True))  # fmt: skip
_LETTER = regex(r"\{?\\(ss|ae|AE|oe|OE|aa|AA|o|O|l|L|i|j)(?![A-Za-z])\s*(?:\{\})?\}?")
_LETTERS = {"ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "i": "ı", "j": "ȷ"}  # fmt: skip
_MARKUP = regex(r"</?(?:i|b|em|strong|sup|sub|u|span|p|cite|a)(?:\s[^<>]{0,200})?>", re.IGNORECASE)
_EMPHASIS = regex(r"(?<![\w\\])(?:\*{1,3}|_{1,3})(?=\S)|(?<=\S)(?:\*{1,3}|_{1,3})(?!\w)")
_LABEL_LEFT = regex(
    r"(?i)[\[(]?\b(?:available (?:from|at|online(?: at)?|on)|retrieved(?: (?:on )?[A-Z][a-z]+\.? \d{1,2},? \d{4},?)? from|accessed (?:from|at)|"
    r"url|doi|link|pmid|pmcid|isbn|issn|from|at)[ \t]*:?[ \t]*(?:\(\s*\))?(?=[\s.,;)\]]*(?:\u241f|$))"
)
_NOTES = regex(
    r"(?i)\[\s*(?:internet|online|on-line|preprint|serial on the internet|monograph on the internet|electronic version|abstract|pre-?print|working paper|cs\.[a-z]{2}|stat\.[a-z]{2}|"
    r"(?:cited|updated|accessed|revised|last updated|last modified|epub)[^\[\]]{0,80}|retracted|retracted article|[a-z' ]{0,20}(?:dissertation|thesis)|data ?set|computer software|"
    r"conference (?:presentation|paper|session)|video|press release|review|letter|editorial|\u241f|in [a-z]{4,12})\s*\]"
    r"|(?:\[|\b)(?:date )?(?:last )?accessed(?: on)?:? (?:\d{1,2} [a-z]{3,9}\.?|[a-z]{3,9}\.? \d{1,2}),? (?:19|20)\d\d\]?"
    r"|\bepub (?:ahead of print|(?:19|20)\d\d[a-z0-9 ]{0,10})\.?|\b(?:online )?ahead of print\b|\bin press\b(?=\.)"
    r"|\b(?:retrieved|viewed)(?: on)? (?:\d{1,2} [a-z]{3,9}\.?|[a-z]{3,9}\.? \d{1,2}),? (?:19|20)\d\d,?(?: from)?"
)
_NOTE_SIGNS = ("[", "accessed", "epub", "ahead of print", "in press", "retrieved", "viewed")
_BEFORE_MARK = regex(r"\s+([.,;])")
_GAPS = regex(r"\s{2,}")
_REMOVED = "\u241f"
"""Stands where an identifier or an address was taken out, until the label before it is gone too."""
_IN_ENTRY = {"doi": "doi", "pmid": "pmid", "pmcid": "pmcid", "arxiv": "arxiv", "isbn": "isbn"}
_CATEGORY = regex(r"[ \t]*\[[a-z-]{2,8}(?:\.[A-Za-z-]{2,4})?\]")


@dataclass(slots=True)
class Plain:
    """An entry as one plain line, and the fields that its identifiers and addresses gave."""

    line: str
    fields: dict[str, str] = field(default_factory=dict)


def plain_entry(text: str) -> Plain:
    """Take identifiers and addresses out of an entry and make the rest one line without markup, entities or LaTeX."""
    fields: dict[str, str] = {}
    cuts: list[tuple[int, int, str]] = []
    digits = any(map(str.isdigit, text))
    identifiers = find_identifiers(text) if digits else []
    for one in identifiers:
        _take(text, one, fields, cuts)
    taken = [one.full for one in identifiers]
    for link in links_in(text) if "/" in text or "www." in text else ():
        if all(link.full[1] <= start or end <= link.full[0] for start, end in taken):
            fields.setdefault("url", link.url)
            cuts.append((*link.full, _words_of(link)))
    return Plain(plain_line(_cut(text, cuts)), fields)


def _take(text: str, one: FoundReference, fields: dict[str, str], cuts: list[tuple[int, int, str]]) -> None:
    kind, given = one.reference.kind, one.reference.fields
    if kind in _IN_ENTRY:
        if _IN_ENTRY[kind] not in fields:
            fields[kind] = given[kind]
            if kind == "arxiv" and "version" in given:
                fields["version"] = given["version"]
            if "malformed" in given:
                fields.setdefault("malformed", f"{kind}: {given['malformed']}")
        left = "arXiv" if kind == "arxiv" and "url" not in given else _REMOVED
        tail = _CATEGORY.match(text, one.full[1]) if kind == "arxiv" else None
        cuts.append((one.full[0], tail.end() if tail else one.full[1], left))
    elif kind == "nct":
        fields.setdefault("nct", given["nct"])
        if _ends_entry(text, one):
            cuts.append((*one.full, _REMOVED))
    elif "url" in given:
        fields.setdefault("url", given["url"])
        cuts.append((*one.full, _REMOVED))
    elif kind in {"issn", "nbk"}:
        cuts.append((*one.full, _REMOVED))


def _ends_entry(text: str, one: FoundReference) -> bool:
    """Check whether a trial's number is the last thing of an entry, and no word of its title."""
    return not text[one.full[1] :].strip(" .;)]") and text[: one.full[0]].rstrip()[-1:] in {".", ";", ":", ","}


def _words_of(link: Link) -> str:
    """Leave the words of a link in the entry, unless they are an address themselves."""
    return link.label if " " in link.label else _REMOVED


def _cut(text: str, cuts: list[tuple[int, int, str]]) -> str:
    parts, at = [], 0
    for start, end, left in sorted(cuts):
        if start >= at:
            parts += [text[at:start], " " if left == _REMOVED else "", left]
            at = end
    return "".join([*parts, text[at:]])


def plain_line(text: str) -> str:
    """Make one line of a text, without markup, entities, LaTeX, invisible characters and notes in brackets."""
    if "\\" in text:
        text = _LETTER.sub(lambda match: _LETTERS[match[1]], _ACCENT.sub(_accented, text))
    if "<" in text:
        text = _MARKUP.sub("", text)
    if "&" in text:
        text = html.unescape(text)
    if "*" in text or "_" in text:
        text = _EMPHASIS.sub("", text)
    line = " ".join(without_invisible(text).split())
    line = _LABEL_LEFT.sub(" ", line) if _REMOVED in line else line
    line = _NOTES.sub("", line).replace(_REMOVED, "") if _may_hold_notes(line) else line
    line = line.replace("{", "").replace("}", "") if "{" in line or "}" in line else line
    if " ." in line or " ," in line or " ;" in line:
        line = _BEFORE_MARK.sub(r"\1", line)
    return (_GAPS.sub(" ", line) if "  " in line else line).strip(" ,;")


def _may_hold_notes(line: str) -> bool:
    """Check whether a line has what every note has; where letters fold in ways of their own, it may."""
    if not line.isascii():
        return True
    lowered = line.lower()
    return any(sign in lowered for sign in _NOTE_SIGNS)


def _accented(match: re.Match[str]) -> str:
    return unicodedata.normalize("NFC", match[2] + _COMBINING[match[1]])
