"""A check as one page: the documents with every citation marked, beside it the list, failures first. No script, nothing fetched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from jinja2 import Environment

from showable.report.check_outcome import (
    BAD_QUOTE,
    STANDINGS,
    Checked,
    CheckedCitation,
    DocumentText,
    Standing,
    headline,
)
from showable.report.check_words import MEANING, kind_in_words, reason_of
from showable.report.page_templates import page_templates
from showable.report.untrusted import printable

MOST_TEXT = 2_000_000
"""Characters of a document that the page shows."""
MOST_CARDS = 5_000
MOST_SHOWN = 1_200
_LABELS: dict[Standing, tuple[str, str]] = {
    "bad": ("✗", "bad"),
    "unchecked": ("?", "could not be checked"),
    "look": ("!", "resolved, worth a look"),
    "good": ("✓", "resolved"),
}
_ADDRESSES = frozenset({"url", "news"})
"""Kinds whose address comes from the document: the page does not make a link of it."""


@dataclass(frozen=True, slots=True)
class Card:
    """One citation in the list: its number among all, whether the text shows its mark, and whether its record may be linked."""

    number: int
    citation: CheckedCitation
    marked: bool
    link: str | None


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text: plain, a citation, a quotation, or the heading of a page."""

    text: str
    kind: str = "plain"
    number: int | None = None
    standing: Standing = "good"
    first: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """One document, cut into pieces, and how many of its characters are not shown."""

    name: str
    pieces: tuple[Piece, ...]
    more: int


def render_check_html(checked: Checked, texts: Sequence[DocumentText]) -> str:
    """Render a check and the texts of its documents as a page that works from disk. All text that came from files is escaped."""
    documents = [_shown(text, checked) for text in texts]
    marked = {piece.number for document in documents for piece in document.pieces if piece.first}
    order = {standing: place for place, standing in enumerate(STANDINGS)}
    cards = [
        Card(number, citation, number in marked, _link(citation))
        for number, citation in enumerate(checked.citations, 1)
    ]
    cards.sort(key=lambda card: order[card.citation.standing])
    return (
        _environment()
        .get_template("check.html.j2")
        .render(
            checked=checked,
            title=headline(checked),
            documents=documents,
            cards=cards[:MOST_CARDS],
            left_out=max(0, len(cards) - MOST_CARDS),
            filters=[(name, *_LABELS[name], checked.standings[name]) for name in STANDINGS if checked.standings[name]],
            signs={name: sign for name, (sign, _) in _LABELS.items()},
        )
    )


@cache
def _environment() -> Environment:
    return page_templates(line=_line, text=_text, reason=reason_of, kind=kind_in_words, meaning=_meaning)


def _line(text: str) -> str:
    return printable(text, limit=MOST_SHOWN)


def _text(text: str) -> str:
    return printable(text, one_line=False)


def _meaning(label: str) -> str:
    return MEANING[label][0]


def _link(citation: CheckedCitation) -> str | None:
    """Return the address of the registry's record, where the registry and not the document chose it."""
    url = citation.url or ""
    safe = url.startswith("https://") and url.isascii() and url.isprintable() and citation.kind not in _ADDRESSES
    return url if safe else None


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    kind: str
    number: int
    standing: Standing


def _shown(document: DocumentText, checked: Checked) -> Shown:
    text = document.text[:MOST_TEXT]
    spans = sorted(_spans(document.name, checked, len(text)), key=lambda span: (span.start, -span.end))
    return Shown(document.name, tuple(_pieces(text, spans, document.breaks)), len(document.text) - len(text))


def _spans(name: str, checked: Checked, length: int) -> Iterator[_Span]:
    for number, citation in enumerate(checked.citations, 1):
        if citation.where.document != name:
            continue
        places = [(citation.where.start, citation.where.end, "citation", citation.standing)]
        places += [
            (quote.start, quote.end, "quote", "bad" if quote.status in BAD_QUOTE else "unchecked")
            for quote in citation.quotes
            if quote.status != "found"
        ]
        for start, end, kind, standing in places:
            if 0 <= start < end <= length:
                yield _Span(start, end, kind, number, standing)


def _pieces(text: str, spans: Sequence[_Span], breaks: Sequence[tuple[int, str]]) -> Iterator[Piece]:
    """Cut a text at its marks and page breaks; a mark that begins inside another one is left out, a break inside one follows it."""
    at, pending = 0, list(reversed(breaks))

    def upto(end: int) -> Iterator[Piece]:
        nonlocal at
        while pending and pending[-1][0] <= end:
            start, said = pending.pop()
            if at < start:
                yield Piece(text[at:start])
                at = start
            yield Piece(said, "break")
        if at < end:
            yield Piece(text[at:end])
            at = end

    seen: set[int] = set()
    for span in spans:
        if span.start < at:
            continue
        yield from upto(span.start)
        first = span.kind == "citation" and span.number not in seen
        seen |= {span.number} if first else set()
        yield Piece(text[span.start : span.end], span.kind, span.number, span.standing, first)
        at = span.end
    yield from upto(len(text))
