"""HTML and code in an answer: tags become line breaks and Markdown of the same length, and hidden words come to light."""

from __future__ import annotations

import re
from collections.abc import Iterator

from showable.read.marker import Span
from showable.records.regex import regex

_CODE = regex(r"^ {0,3}(```+|~~~+)[^\n]*\n(.*?)(?:^[ \t]*\1|\Z)", re.DOTALL | re.MULTILINE)
_INLINE_CODE = regex(r"(?<!`)`[^`\n]+`(?!`)")
_LIKE_A_HEADING = ("h1", "h2", "h3", "h4", "h5", "h6", "summary", "caption", "figcaption", "legend", "th", "dt")
_BLOCKS = (
    *("p", "div", "section", "article", "aside", "header", "footer", "main", "nav", "details", "figure", "blockquote"),
    *("ul", "ol", "dl", "dd", "table", "thead", "tbody", "tfoot", "form", "fieldset", "hr", "center", "address"),
)
_TAG = regex(
    rf"<(?P<close>/?)(?P<name>{'|'.join((*_LIKE_A_HEADING, *_BLOCKS, 'li', 'tr', 'td', 'img', 'abbr', 'sub', 'small'))})\b(?P<rest>[^<>]{{0,2000}})>",
    re.IGNORECASE,
)
_ATTRIBUTE = regex(r"\b(?:alt|title|aria-label)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.IGNORECASE)
_IMAGE = regex(r"!\[([^\[\]\n]{0,2000})\]\([^()\n]{0,2000}\)")
_TITLE = regex(r"\]\([^\s()]*\s+(?:\"([^\"\n]+)\"|'([^'\n]+)')\s*\)")
# Words in code: after a sign of comment, in quotation marks, after a key: "# the token is valid", `"note": "it is valid"`.
_IN_CODE = regex(
    r"(?:^|\s)(?:#+|//+|--|%|;|<!--)[ \t]*(?P<comment>[^\n]+)|/\*+(?P<long>.*?)\*/|\"(?P<string>[^\"\n]{8,})\"|'(?P<single>[^'\n]{8,})'"
    r"|^[ \t]*[\w-]+:[ \t]+(?P<value>[A-Za-z][^\n]{8,})$",
    re.DOTALL | re.MULTILINE,
)


def without_tags(text: str) -> str:
    """Return a text whose block tags are line breaks, headings, items and rows of the same length; code stays.

    Images are blanked out: what stands for them is among the hidden words.
    """
    if "![" in text:
        text = _IMAGE.sub(lambda image: " " * len(image[0]), text)
    if "<" not in text:
        return text
    pieces: list[str] = []
    at = 0
    for start, end in [*sorted(_code(text)), (len(text), len(text))]:
        if start >= at:
            pieces += (_TAG.sub(_written, text[at:start]), text[start:end])
            at = end
    return "".join(pieces)


def _written(tag: re.Match[str]) -> str:
    name, size = tag["name"].lower(), len(tag[0])
    if name in {"img", "abbr", "sub", "small"}:
        return " " * size
    if name == "td":
        return " " * size if tag["close"] else "|".ljust(size)
    if name == "tr":
        return "|\n".ljust(size) if tag["close"] else "\n".ljust(size)
    if tag["close"]:
        return "\n".ljust(size)
    if name in _LIKE_A_HEADING:
        return "\n## ".ljust(size) if size > len("\n##") else "\n".ljust(size)
    return "\n- ".ljust(size) if name == "li" else "\n".ljust(size)


def hidden_words(text: str) -> list[Span]:
    """Return the spans of words that are shown on hover, in an image's place, or in code: titles, alt texts, comments."""
    found: list[Span] = []
    code = list(_code(text))
    for start, end in code:
        found += (match.span(match.lastgroup or 0) for match in _IN_CODE.finditer(text, start, end))
    if "](" in text:
        found += (match.span(1) for match in _IMAGE.finditer(text))
        found += (match.span(match.lastindex or 0) for match in _TITLE.finditer(text))
    if "<" in text:
        for tag in _TAG.finditer(text):
            attributes = _ATTRIBUTE.finditer(text, *tag.span("rest"))
            found += (match.span(match.lastindex or 0) for match in attributes)
    return sorted(set(found))


def _code(text: str) -> Iterator[Span]:
    """Yield the places of fenced blocks and of code within a line."""
    if "`" in text or "~~~" in text:
        yield from (match.span() for match in _CODE.finditer(text))
        yield from (match.span() for match in _INLINE_CODE.finditer(text))
