"""Where Markdown shows text as code, read so that doubt counts as running text."""

from __future__ import annotations

import re

Span = tuple[int, int]

_FENCE = re.compile(r"(?m)^ {0,3}(`{3,}(?=[^`\n]*$)|~{3,})[^\n]*$")
_TICKS = re.compile("`+")
_RAW_MARKUP = re.compile(r"<[A-Za-z!/?]")


def code_spans(text: str) -> list[Span]:
    """Return the places of fenced blocks and code spans, in order.

    CommonMark 0.31, sections 4.5 and 6.1, less what renderers or containers may see otherwise: only what is closed
    counts, a span stays on its line, holds no `|` (which may end a table's cell) and no line with it an escaped
    backtick, and nothing counts after the first raw HTML, within which backticks are no signs. Linear in the text.
    """
    if "`" not in text and "~~~" not in text:
        return []
    fenced = _fenced(text)
    spans, at = list(fenced), 0
    for start, end in [*fenced, (len(text), len(text))]:
        spans += _inline(text, at, start)
        at = end
    return _before_markup(text, sorted(spans))


def _fenced(text: str) -> list[Span]:
    blocks: list[Span] = []
    opening: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opening is None:
            opening = fence
        elif fence[1].startswith(opening[1]) and not text[fence.end(1) : fence.end()].strip():
            blocks.append((opening.start(), fence.end()))
            opening = None
    return blocks


def _inline(text: str, start: int, end: int) -> list[Span]:
    spans: list[Span] = []
    at = text.find("`", start, end)
    while at >= 0:
        line_start, line_end = text.rfind("\n", start, at) + 1 or start, text.find("\n", at, end)
        line_end = end if line_end < 0 else line_end
        if text.find("\\`", line_start, line_end) < 0:
            spans += _on_line(text, line_start, line_end)
        at = text.find("`", line_end, end)
    return spans


def _on_line(text: str, start: int, end: int) -> list[Span]:
    """Pair each run of backticks with the next one of its length."""
    runs = list(_TICKS.finditer(text, start, end))
    next_of_length: dict[int, int] = {}
    closings: list[int | None] = [None] * len(runs)
    for number in range(len(runs) - 1, -1, -1):
        length = len(runs[number][0])
        closings[number] = next_of_length.get(length)
        next_of_length[length] = number
    spans: list[Span] = []
    number = 0
    while number < len(runs):
        closing = closings[number]
        if closing is None:
            number += 1
            continue
        first, last = runs[number].start(), runs[closing].end()
        if text.find("|", first, last) < 0:
            spans.append((first, last))
        number = closing + 1
    return spans


def _before_markup(text: str, spans: list[Span]) -> list[Span]:
    kept: list[Span] = []
    at = 0
    for start, end in spans:
        if _RAW_MARKUP.search(text, at, start):
            return kept
        kept.append((start, end))
        at = end
    return kept
