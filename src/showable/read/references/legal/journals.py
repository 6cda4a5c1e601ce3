"""Author and title before an article in a law journal, and the year after it (Bluebook rule 16)."""

from __future__ import annotations

from showable.read.references.legal.after import read_date, read_pin
from showable.read.references.legal.cite import Cite
from showable.records.regex import regex

_LOOK_BACK = 320
_SENTENCE = regex(r"(?<=[a-z)\]\"'0-9]{2})[.?!][\"')]* (?=[A-Z])|[;\n]|\.{3,}[ 0-9,]*")
_LEAD = regex(
    r"^[\s,.;:(\"]*(?:(?:[Ss]ee(?: also)?|[Cc]f\.|[Aa]ccord|[Cc]iting|[Qq]uoting|[Cc]ontra|[Bb]ut see|e\.g\.|[Ss]ee,? e\.g\.|generally|[Ii]n|[Aa]s|and),? )*"
)
_AUTHOR = regex(
    r"(?P<author>[A-Z][\w.'-]*(?: (?:[A-Z][\w.'-]*|de|la|van|von|der|del)){1,4}(?:(?:, [A-Z][\w.'-]*(?: [A-Z][\w.'-]*){1,3})*,? (?:&|and) [A-Z][\w.'-]*(?: [A-Z][\w.'-]*){1,3}| et al\.)?(?:, (?:Jr\.|Sr\.|III?))?), (?P<title>[\"A-Z'0-9].*)$"
)


def complete_article(text: str, floor: int, cite: Cite, limit: int) -> None:
    """Fill in author, title, pin and year of an article; leave out what does not stand there."""
    pin, end = read_pin(text, cite.end, limit)
    after = read_date(text, end, limit)
    cite.full_end = max(after.end, end)
    found = {"pin": pin, "year": after.year}
    low = max(floor, cite.start - _LOOK_BACK)
    before = text[low : cite.start].rstrip(' ,"')
    starts = [match.end() for match in _SENTENCE.finditer(before)]
    low += starts[-1] if starts else 0
    before = before[starts[-1] if starts else 0 :]
    lead = _LEAD.match(before)
    words = before[lead.end() :] if lead else before
    match = _AUTHOR.match(words)
    if match:
        found |= {"author": match["author"], "title": match["title"].strip(' ,"')}
        cite.full_start = low + (lead.end() if lead else 0)
    cite.fields |= {key: value for key, value in found.items() if value}
