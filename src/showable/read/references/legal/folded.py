"""The text as a citation reader wants it, with the way back to where each character stood.

Legal text comes out of PDFs with line breaks inside citations, out of word processors with curly quotes and hard
spaces, out of chat models with Markdown around the names. All of that is folded before anything is read, once, in one
pass: what is found is then told in offsets of the original.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from showable.read.references.found import Span
from showable.records.regex import regex

_ENTITIES = {
    "&amp;": "&", "&sect;": "§", "&#167;": "§", "&para;": "¶", "&nbsp;": " ", "&thinsp;": " ", "&quot;": '"',
    "&apos;": "'", "&#39;": "'", "&rsquo;": "'", "&lsquo;": "'", "&ldquo;": '"', "&rdquo;": '"', "&ndash;": "-",
    "&mdash;": "—",
}  # fmt: skip
_ALIKE = str.maketrans(dict.fromkeys("‘’ʼ′`´", "'") | dict.fromkeys("“”„‟", '"') | dict.fromkeys("‐‑‒–−", "-"))
_WHAT_CHANGES = regex(
    r"(?P<gone>[\u200b-\u200f\u2060\ufeff\u00ad]+|</?(?:i|em|b|strong|u|span|sup|sub|cite|mark|small)(?:\s[^<>]{0,300})?>"
    r"|\\(?=[*_\[\]§]))"
    r"|(?P<series>(?:(?<=[A-Za-z.] [2-9])|(?<=\.[2-9])) (?=(?:d|th|st|nd|rd)\b\.? (?:at )?[0-9]))"
    r"|(?P<ordinal>(?<=\. 2)n(?=d (?:at )?[0-9])|(?<=\.2)n(?=d (?:at )?[0-9])|(?<=\. 3)r(?=d (?:at )?[0-9])|(?<=\.3)r(?=d (?:at )?[0-9]))"
    r"|(?P<joined>(?<=[a-z])-\r?\n[ \t]*(?=[a-z]))"
    r"|(?P<hyphen>(?<=\w)-\r?\n[ \t]*(?=\w))"
    r"|(?P<entity>&(?:#?[a-z0-9]{2,6});)"
    r"|(?P<stars>\*+)"
    r"|(?P<lines>(?<!\w)__?(?=[^\W_])|(?<=[^\s_])__?(?![\w]))"
    r"|(?P<space>[^\S ]\s*| \s+)"
)
_PLAIN = regex(r"[ -%'-)+-;=?-\[\]^a-~]*")
"""Printable ASCII without what may be markup or an entity: of it only runs of spaces are folded."""
_SERIES_APART = regex(r"[ .][2-9] (?:d|th|st|nd|rd)\b|\. ?(?:2nd|3rd) (?:at )?[0-9]")
"""``F. Supp. 2 d 894``, ``F. 3rd 100``: a reporter's series whose number stands apart from its ending, or is written out."""
_STAR_PAGE = regex(r"(?:\bat|[,&-]|\band|\bpp?\.)\s?$")
_LOOK_BACK = 6


@dataclass(frozen=True, slots=True)
class Folded:
    """`text` folded, and for each of its characters the offset at which it stood in the original."""

    text: str
    starts: Sequence[int]

    def span(self, start: int, end: int) -> Span:
        """Return the place in the original of ``text[start:end]``, which is not empty."""
        return self.starts[start], self.starts[end - 1] + 1


def fold(text: str) -> Folded:
    """Fold white space, quotes, dashes, invisible characters, emphasis and entities; linear in the text.

    A run of white space becomes one space, or one line feed where it holds an empty line: a paragraph ends there.
    A word broken at the end of a line is joined. ``*`` is dropped where it is emphasis and kept where it marks a star page.
    """
    if _PLAIN.fullmatch(text) and "  " not in text and _SERIES_APART.search(text) is None:
        return Folded(text, range(len(text)))
    pieces: list[str] = []
    starts: array[int] = array("q")
    done, last = 0, ""
    alike = text if text.isascii() and "`" not in text else text.translate(_ALIKE)
    for match in _WHAT_CHANGES.finditer(alike):
        if match.start() > done:
            pieces.append(alike[done : match.start()])
            starts.extend(range(done, match.start()))
            last = pieces[-1]
        put = _instead(match, last)
        pieces.append(put)
        starts.extend(range(match.start(), match.start() + len(put)))
        last = put or last
        done = match.end()
    pieces.append(alike[done:])
    starts.extend(range(done, len(alike)))
    return Folded("".join(pieces), starts)


def _instead(match: re.Match[str], before: str) -> str:
    """Return what stands for a match, never longer than it."""
    what, found = match.lastgroup, match[0]
    if what == "space":
        return "\n" if found.count("\n") > 1 or "\u2029" in found else " "
    if what == "hyphen":
        return "-"
    if what == "entity":
        return _ENTITIES.get(found, found)
    if what == "stars":
        following = match.string[match.end() : match.end() + 1]
        return found if following.isdigit() and _STAR_PAGE.search(before[-_LOOK_BACK:]) else ""
    return ""
