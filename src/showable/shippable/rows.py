"""Labelled rows folded to a width that is counted as a terminal counts it, where a CJK character takes two columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.cells import cell_len, chop_cells

WIDTH = 72
"""Columns: what is left of 80 where pytest puts ``E`` and seven spaces before each line."""
_MARGIN = 2
_LABEL = 9

Row = tuple[str, str]
"""A label and its text; a row without either is an empty line."""


def lay_out(rows: Iterable[Row]) -> Iterator[str]:
    """Yield the lines of rows, labels in a column of their own, text folded beside it."""
    for label, text in rows:
        if not label and not text:
            yield ""
            continue
        beside = max(_LABEL, cell_len(label)) + 1
        first = f"{label}{' ' * (beside - cell_len(label))}"
        for number, line in enumerate(fold(text, WIDTH - _MARGIN - beside)):
            yield f"{' ' * _MARGIN}{' ' * beside if number else first}{line}".rstrip()


def fold(text: str, width: int) -> Iterator[str]:
    """Break a text between words into lines of at most `width` columns, and words that are wider than a line within."""
    line, used = "", 0
    for word in text.split():
        for piece in chop_cells(word, width) if cell_len(word) > width else (word,):
            wide = cell_len(piece)
            if line and used + 1 + wide > width:
                yield line
                line, used = piece, wide
            else:
                line, used = (f"{line} {piece}", used + 1 + wide) if line else (piece, wide)
    if line:
        yield line
