"""Links as markers: ``[text](url)``, ``<a href="…">``, ``<https://…>`` and a bare URL."""

from __future__ import annotations

import re

from showable.read.cited_items import Item, read_items
from showable.read.marker import Found, Marker, Span
from showable.records.regex import regex

_TAIL = regex(r"\]\([ \t]*<?([^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)>?(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'))?[ \t]*\)")
_ANCHOR = regex(r"(?i)<a\s[^<>]{0,500}?href\s*=\s*(?:\"([^\"<>]*)\"|'([^'<>]*)'|([^\s\"'<>]+))[^<>]{0,500}>")
_TAG = regex(r"<[^<>]{0,200}>")
_AUTOLINK = regex(r"(?i)<((?:https?|ftp)://[^\s<>]+)>")
_BARE = regex(r"(?i)(?<![\w/@])(?:(?:https?|ftp)://|www\.(?=\w))[^\s<>\"`{}|\\^\[\]【】（）。，、；：」』”’»]+")
_LONGEST_ANCHOR = 600
_NOT_A_PAGE = ("mailto:", "tel:", "sms:")


def find_links(text: str, known: frozenset[str]) -> Found:
    """Find Markdown links, HTML links and autolinks. An image is settled to be no citation."""
    found = Found()
    if "](" in text:
        for match in _TAIL.finditer(text):
            _add_markdown(text, match, known, found)
    if "<" in text:
        for match in _ANCHOR.finditer(text):
            _add_html(text, match, known, found)
        for match in _AUTOLINK.finditer(text):
            found.markers.append(Marker(match[0], *match.span(), match[1], "url", url=match[1]))
    return found


def find_urls(text: str, known: frozenset[str]) -> Found:
    """Find bare URLs, less the punctuation that belongs to the sentence; parentheses around one go with it."""
    del known
    found = Found()
    if "://" not in text and "www." not in text.lower():
        return found
    for match in _BARE.finditer(text):
        url = _without_sentence_marks(match[0])
        start, end = match.start(), match.start() + len(url)
        if text[start - 1 : start] == "(" and text[end : end + 1] == ")":
            start, end = start - 1, end + 1
        found.markers.append(Marker(text[start:end], start, end, url, "url", url=url))
    return found


def _without_sentence_marks(url: str) -> str:
    spare = url.count(")") - url.count("(")
    end = len(url)
    while end and (url[end - 1] in ".,;:!?'*_~" or (url[end - 1] == ")" and spare > 0)):
        spare -= url[end - 1] == ")"
        end -= 1
    return url[:end]


def _add_markdown(text: str, tail: re.Match[str], known: frozenset[str], found: Found) -> None:
    opening = _opening(text, tail.start())
    if opening is None:
        return
    start, end, url = opening, tail.end(), tail[1]
    label = text[start + 1 : tail.start()]
    if start and text[start - 1] == "!":
        found.settled.append((start - 1, end))
    elif not url and label.strip() in known:
        found.markers.append(Marker(text[start:end], start, end, label.strip(), "bracket"))
    elif not url:
        found.malformed(text, start, end, "the link leads nowhere")
    else:
        _add(text[start:end], (start, end), (label, url), known, found)


def _opening(text: str, close: int) -> int | None:
    """Find the bracket that opens a link's text, at most two levels deep."""
    floor = max(0, close - _LONGEST_ANCHOR)
    start = text.rfind("[", floor, close)
    inner = text.find("]", start, close) if start >= 0 else -1
    if inner >= 0:
        start = text.rfind("[", floor, start)
        if start < 0 or text.find("]", start, inner) >= 0:
            return None
    return start if start >= 0 and "\n\n" not in text[start:close] else None


def _add_html(text: str, match: re.Match[str], known: frozenset[str], found: Found) -> None:
    close = text.find("</", match.end(), match.end() + _LONGEST_ANCHOR)
    while close >= 0 and text[close : close + 4].lower() != "</a>":
        close = text.find("</", close + 2, match.end() + _LONGEST_ANCHOR)
    if close < 0:
        return
    label = _TAG.sub("", text[match.end() : close])
    url = match[1] or match[2] or match[3] or ""
    _add(text[match.start() : close + 4], (match.start(), close + 4), (label, url), known, found)


def _add(raw: str, span: Span, target: tuple[str, str], known: frozenset[str], found: Found) -> None:
    """Note a link: its token is its text where that is a mark, as in ``[1](url)``, else its URL."""
    label, url = target
    if url.lower().startswith(_NOT_A_PAGE) or not url:
        found.settled.append(span)
        return
    bare = label.strip().strip("[]^()").strip()
    items = read_items(bare, known) if bare else None
    numbered = items if isinstance(items, list) and _is_mark(bare, items) else None
    if url.startswith("#"):
        for item in numbered or ():
            found.markers.append(Marker(raw, *span, item.token, "footnote"))
        if not numbered:
            found.settled.append(span)
        return
    found.markers.append(Marker(raw, *span, numbered[0].token if numbered else url, "link", url=url))


def _is_mark(label: str, items: list[Item]) -> bool:
    return len(items) == 1 and items[0].url is None and " " not in label.strip()
