"""HTML pages: what a reader sees, block by block, and below each block the addresses its links lead to."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from showable.documents.document import Document, TextBuilder
from showable.documents.plain import BYTE_ORDER_MARKS, decode
from showable.errors import InputError
from showable.read.html_tags import MOST_ATTRIBUTES, is_crowded
from showable.read.word_sets import word_set

LARGEST = 40_000_000
"""Bytes of a page: a parser takes some thirty bytes of memory for each of a hostile one."""
_BLOCKS = word_set(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer"
    " form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main nav ol option p pre section summary table tbody td tfoot th"
    " thead title tr ul"
)
_CLOSE = word_set("li dt dd tr td th option legend caption figcaption summary")
"""Blocks that follow one another without a blank line: items of a list, cells of a table."""
_DROPPED = word_set("script style noscript template svg math iframe object embed select datalist canvas audio video")
_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([\w-]{2,30})", re.IGNORECASE)
_NOTE_MARK = re.compile(r"\s*[\[(]?\d{1,3}[\])]?\s*")
_HEAD = 4_096
_NO_CHARSET = frozenset({"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape", "utf-7"})
"""Codecs that no page is saved in: they rewrite the text, or take time that grows with its square."""


def read_html(name: str, data: bytes) -> Document:
    """Read a page. Scripts, styles and what is hidden are dropped; links of its navigation are not read, and counted."""
    if len(data) > LARGEST:
        raise InputError(f"is an HTML page larger than {LARGEST // 1_000_000} MB: split it", path=name)
    text, notes = _decoded(name, data)
    page = _Page()
    page.read(_parsed(name, text))
    built = page.lines.text()
    if not built.strip():
        raise InputError("holds no text: a page that a script fills must be saved from the browser", path=name)
    if page.passed_over:
        links = "1 link is" if page.passed_over == 1 else f"{page.passed_over} links are"
        notes = (*notes, f"{name}: {links} in its navigation, and not read")
    return Document(name, "html", built, tuple(page.lines.marks), notes=notes)


def _decoded(name: str, data: bytes) -> tuple[str, tuple[str, ...]]:
    """Decode by what the page itself declares, where that is possible; a byte-order mark goes before it."""
    declared = _CHARSET.search(data[:_HEAD])
    if declared and not data.startswith(BYTE_ORDER_MARKS):
        charset = declared[1].decode("ascii", "replace").lower().replace("_", "-")
        if charset not in _NO_CHARSET and _as(charset, declared[0]) == declared[0].decode("ascii", "replace"):
            text = _as(charset, data)
            if text is not None:
                return text, ()
    return decode(name, data)


def _as(charset: str, data: bytes) -> str | None:
    """Decode, or give None: a page may say one thing and be another (UTF-16, in letters of one byte)."""
    try:
        return data.decode(charset)
    except (LookupError, UnicodeError):
        return None


def _parsed(name: str, text: str) -> Any:
    etree, html = import_module("lxml.etree"), import_module("lxml.html")  # late: they take long to load

    parser = html.HTMLParser(encoding="utf-8", huge_tree=True)
    data = text.encode("utf-8", "replace")  # bytes, because a text that declares an encoding is refused by the parser
    if is_crowded(data):
        raise InputError(f"holds a tag of more than {MOST_ATTRIBUTES} attributes: it is not read", path=name)
    try:
        root = html.document_fromstring(data, parser=parser)
    except (etree.LxmlError, ValueError) as error:
        raise InputError(f"cannot be read as HTML: {error}", path=name) from None
    for trouble in parser.error_log:
        if trouble.level_name == "FATAL":  # the parser has given up, and what follows would be lost without a word
            raise InputError(f"cannot be read as HTML: {trouble.message}", path=name, line=trouble.line)
    return root


def _text(element: Any) -> str:
    return str(element.text_content() or "")


@dataclass(slots=True)
class _Page:
    """Walks a page and collects its lines: an own stack, because hostile pages nest deeper than Python may."""

    lines: TextBuilder = field(default_factory=TextBuilder)
    words: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    line: int = 1
    passed_over: int = 0

    def read(self, root: Any) -> None:
        """Read the whole page."""
        stack: list[tuple[Any, bool, bool]] = [(root, False, False)]
        while stack:
            element, done, in_navigation = stack.pop()
            if done:
                self._leave(element)
            elif self._is_dropped(element):
                self._say(element.tail)
            else:
                in_navigation = in_navigation or element.tag == "nav"
                self._enter(element, in_navigation=in_navigation)
                stack.append((element, True, in_navigation))
                stack.extend((child, False, in_navigation) for child in reversed(element))
        self._break()

    def _is_dropped(self, element: Any) -> bool:
        if not isinstance(element.tag, str) or element.tag in _DROPPED or element.get("hidden") is not None:
            return True
        return (
            element.get("aria-hidden") == "true"
            or "display:none" in (element.get("style") or "").replace(" ", "").lower()
        )

    def _enter(self, element: Any, *, in_navigation: bool) -> None:
        if element.tag in _BLOCKS:
            self._break(apart=element.tag not in _CLOSE)
        if not self.words:
            self.line = element.sourceline or self.line
        if element.tag == "br":
            self._break()
        elif element.tag == "a":
            self._link(element, in_navigation=in_navigation)
        elif element.tag == "sup" and "".join(self.words[-1:])[-1:].isdigit() and _NOTE_MARK.fullmatch(_text(element)):
            self._say(" ")  # the mark of a note is no figure of the page number before it
        self._say(element.text)

    def _leave(self, element: Any) -> None:
        if element.tag in _BLOCKS:
            self._break(apart=element.tag not in _CLOSE)
        self._say(element.tail)

    def _say(self, text: str | None) -> None:
        if text:
            self.words.append(text)

    def _link(self, element: Any, *, in_navigation: bool) -> None:
        """Keep the address of a link, unless its words are that address already."""
        address = (element.get("href") or "").strip()
        if not address.lower().startswith(("http://", "https://")):
            return
        if in_navigation:
            self.passed_over += 1
        elif "".join(_text(element).split()).rstrip("/") != address.rstrip("/"):
            self.links.append("".join(address.split()))

    def _break(self, *, apart: bool = False) -> None:
        """End the line, and put the addresses of its links on lines of their own. `apart` leaves a blank line after it."""
        said = " ".join("".join(self.words).split())
        if said:
            self.lines.add(said, self.line)
        if said or self.links:
            for address in dict.fromkeys(self.links):
                self.lines.add(f"<{address}>", self.line)
            self.links.clear()
        self.words.clear()
        if apart:
            self.lines.gap()
