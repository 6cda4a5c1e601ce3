"""Where Markdown shows text as code, read so that doubt counts as running text."""

from __future__ import annotations

import re

Span = tuple[int, int]

_FENCE = re.compile(r"(?m)^ {0,3}(`{3,}(?=[^`\n]*$)|~{3,})([^\n]*)$")
_TICKS = re.compile("`+")
_RAW_MARKUP = re.compile(r"<[A-Za-z!/?]")


def code_spans(text: str) -> list[Span]:
    """Return the places of fenced blocks and code spans, in order.

    CommonMark 0.31, sections 4.5 and 6.1, less what renderers or containers may see otherwise: only what is closed
    counts, a span stays on its line, holds no `|` (which may end a table's cell) and no line with it an escaped
    backtick. In a paragraph nothing counts after a line that leaves a backtick open, for it may close on a later one; in
    the text nothing counts after the first raw HTML, within which backticks are no signs, nor after a fence with a `|`,
    which is the head of a table for some renderers. Linear in the text.
    """
    if "`" not in text and "~~~" not in text:
        return []
    lines = text.replace("\r\n", " \n").replace("\r", "\n")  # as long as before
    fenced, last = _fenced(lines)
    spans, at = list(fenced), 0
    for start, end in [*fenced, (last, last)]:
        spans += _inline(lines, at, start)
        at = end
    return _before_markup(lines, sorted(spans))


def _fenced(text: str) -> tuple[list[Span], int]:
    """Return the closed fenced blocks, and the place from which nothing counts."""
    blocks: list[Span] = []
    opening: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opening is not None:
            if fence[1].startswith(opening[1]) and not fence[2].strip():
                blocks.append((opening.start(), fence.end()))
                opening = None
        elif "|" in fence[2]:
            return blocks, fence.start()
        else:
            opening = fence
    return blocks, len(text)


def _inline(text: str, start: int, end: int) -> list[Span]:
    spans: list[Span] = []
    at, is_open = start, False
    while at < end:
        line_end = text.find("\n", at, end)
        line_end = end if line_end < 0 else line_end
        if not text[at:line_end].strip(" \t"):
            is_open = False
        elif not is_open and text.find("`", at, line_end) >= 0:
            found, is_open = _on_line(text, at, line_end)
            spans += found
        at = line_end + 1
    return spans


def _on_line(text: str, start: int, end: int) -> tuple[list[Span], bool]:
    """Pair each run of backticks with the next one of its length, and say whether one is left open."""
    runs = list(_TICKS.finditer(text, start, end))
    if text.find("\\`", start, end) >= 0:
        return [], True
    next_of_length: dict[int, int] = {}
    closings: list[int | None] = [None] * len(runs)
    for number in range(len(runs) - 1, -1, -1):
        length = len(runs[number][0])
        closings[number] = next_of_length.get(length)
        next_of_length[length] = number
    spans: list[Span] = []
    number, is_open = 0, False
    while number < len(runs):
        closing = closings[number]
        if closing is None:
            number, is_open = number + 1, True
            continue
        first, last = runs[number].start(), runs[closing].end()
        if text.find("|", first, last) < 0:
            spans.append((first, last))
        number = closing + 1
    return spans, is_open


def _before_markup(text: str, spans: list[Span]) -> list[Span]:
    kept: list[Span] = []
    at = 0
    for start, end in spans:
        if _RAW_MARKUP.search(text, at, start):
            return kept
        kept.append((start, end))
        at = end
    return kept
