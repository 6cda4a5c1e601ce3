r"""Ids in tags and braces: ``<cite>doc-7</cite>``, ``<ref id="doc-7"/>``, ``{doc-7}``, ``<doc-7>``, ``\cite{smith2020}``."""

from __future__ import annotations

from showable.read.cited_items import read_items
from showable.read.ids_among_words import read_among
from showable.read.marker import Found, Marker, Span
from showable.records.regex import regex

_NAMES = r"(?:source|src|cite|citation|ref|reference|doc|document|passage)s?"
_TAGGED = regex(rf"(?i)<({_NAMES})(?:\s[^<>]{{0,200}})?>([^<>\n]{{1,200}})</\1>")
_ATTRIBUTE = regex(
    rf"(?i)<{_NAMES}\s(?:[^<>]{{0,200}}\s)?(?:id|name|source|src|doc|ref|key)s?\s*=\s*[\"']([^\"'<>]{{1,200}})[\"'][^<>]{{0,200}}>"
)
_ENCLOSED = regex(r"(?<![\w\]])\{{1,2}([^{}<>\n]{1,200})\}{1,2}|<{1,2}([^{}<>\n]{1,200})>{1,2}")
_LATEX = regex(
    r"\\(?:[a-z]{0,10}cite[a-z]{0,10}|[A-Z]cite[a-z]{0,10})\*?(?:\[[^\[\]\n]{0,100}\]){0,2}\{([^{}\n]{1,200})\}"
)
_LABEL = regex(rf"(?i)^[#/>!%=]?\s*(?:{_NAMES})\s*[|:= ]\s*")
"""The name of a template before what fills it: ``{{cite|doc-7}}``."""
_PARTS = regex(r"\s*[,;]\s*")


def find_tagged(text: str, known: frozenset[str]) -> Found:
    """Find ids in tags that say that they cite, and ids of the log in braces or angle brackets. A key of LaTeX always cites."""
    found = Found()
    if "<" not in text and "{" not in text:
        return found
    for match in _LATEX.finditer(text) if "\\" in text else ():
        _note(text, match.span(), [key.strip() for key in match[1].split(",") if key.strip()], found)
    for match in _TAGGED.finditer(text):
        items = read_items(match[2], known)
        _note(text, match.span(), [item.token for item in items] if isinstance(items, list) else [], found)
    begun = {marker.start for marker in found.markers}
    for pattern in (_ATTRIBUTE, _ENCLOSED) if known else ():
        for match in pattern.finditer(text):
            if match.start() in begun:
                continue
            body = (match[1] or match[2]).strip()
            ids = _PARTS.split(body)
            if not known.issuperset(ids):
                ids = [item.token for item in read_among(_LABEL.sub("", body), known)]
            _note(text, match.span(), ids, found)
    return found


def _note(text: str, span: Span, tokens: list[str], found: Found) -> None:
    found.markers.extend(Marker(text[slice(*span)], *span, token, "bracket") for token in tokens)
