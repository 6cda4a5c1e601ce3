"""A record for readers without script: the same content as the page's reader shows, laid out plainly and cut shorter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from showable.report.page.shortening import Body

MOST_CLAIMS = 60
MOST_PASSAGES = 12
MOST_OF_TEXT = 2_000


@dataclass(frozen=True, slots=True)
class StaticPassage:
    """One passage: its fields, its text in pieces, each marked where it was relied on, and how much is left out."""

    fields: Body
    pieces: tuple[tuple[str, bool], ...]
    more: int


@dataclass(frozen=True, slots=True)
class StaticRecord:
    """One record, its passages cut to what fits a page without script."""

    body: Body
    answer: str | None
    answer_more: int
    passages: tuple[StaticPassage, ...]
    passages_more: int


def static_record(body: Body, texts: Sequence[str]) -> StaticRecord:
    """Lay a record out. `texts` are the passages that its body counts."""
    passages = body.get("passages", [])
    answer = body.get("answer", body.get("raw"))
    return StaticRecord(
        body=body
        | {"claims": body.get("claims", [])[:MOST_CLAIMS], "findings": body.get("findings", [])[:MOST_CLAIMS]},
        answer=None if answer is None else answer[: 2 * MOST_OF_TEXT],
        answer_more=body.get("more", 0) + max(0, len(answer or "") - 2 * MOST_OF_TEXT),
        passages=tuple(_passages(body, passages[:MOST_PASSAGES], texts)),
        passages_more=max(0, (body.get("log") or 0) - MOST_PASSAGES),
    )


def _passages(body: Body, passages: Sequence[Body], texts: Sequence[str]) -> Iterator[StaticPassage]:
    for passage in passages:
        text = texts[passage["text"]] if "text" in passage else ""
        more = passage.get("more", 0) + sum(count for _, count in passage.get("gaps", ()))
        more += max(0, len(text) - MOST_OF_TEXT)
        yield StaticPassage(passage, marked(text[:MOST_OF_TEXT], _relied(body, passage["source"])), more)


def _relied(body: Body, source: str) -> list[tuple[int, int]]:
    return [
        tuple(citation["relied"])
        for claim in body.get("claims", ())
        for citation in claim.get("citations", ())
        if citation.get("source") == source and "relied" in citation
    ]


def marked(text: str, spans: Sequence[tuple[int, int]]) -> tuple[tuple[str, bool], ...]:
    """Cut a text at spans, which may overlap or lie outside it, into pieces that are inside a span or not."""
    pieces: list[tuple[str, bool]] = []
    at = 0
    for start, end in sorted(spans):
        start, end = max(start, at), min(end, len(text))  # noqa: PLW2901 - clipped to what is left of the text
        if start < end:
            pieces += [(text[at:start], False), (text[start:end], True)]
            at = end
    return tuple(piece for piece in [*pieces, (text[at:], False)] if piece[0])
