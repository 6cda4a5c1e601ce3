"""The tables of a passage: cells with their row, column, caption and units, from Markdown, HTML, CSV or `a | b` lines."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from showable.records.regex import regex

Span = tuple[int, int]
Placed = tuple[str, Span | None]
"""The text of a cell, and where it stands in the passage."""

MOST_CELLS = 4_000
"""Cells of a table that are read: a longer one is cut there, and its last rows are prose to whoever asks."""
_FEWEST_CSV_LINES = 3
_LONGEST_DATUM = 60
_LONGEST_CELL, _LONGEST_CAPTION = 400, 300
_MOST_HEADER_ROWS = 4
_LINE = regex(r"[^\n]+")
_RULE = regex(r"[\s|:+=-]*-[\s|:+=-]*")
"""The line under a Markdown header: `|---|:--:|`, not `| - | 3 |`, whose cells hold something else."""
_PIPE = regex(r"(?<!\\)\|")
_COLUMNS = regex(r"(?<=\S)(?: {3,}|\t+)(?=\S)")
_ENDS = ".!?:"
_NUMERAL = regex(r"[-−(<>~]?\s?[$€£]?\s?\d")
_TABLE = regex(r"(?is)<table\b.*?(?:</table\s*>|\Z)")
_GROUPED = regex(r"(?<![\"\d])\d{1,3},\d{3}(?!\d)")
"""``4,860``: a comma between digits sets nothing apart; ``84200,96.1`` has one that does."""
_SHAPE = regex(r"\d+")
_YEAR = regex(r"\D{0,12}(?:19|20)\d\d\D{0,4}")
_BLANK = frozenset({"", "-", "–", "—", "n/a", "N/A"})
"""What a cell holds that holds nothing."""
BETWEEN = " · "
"""What stands between the levels of a header, and between a row's name and its column's, where they are written out."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands under one row and one column; `place` indexes the passage, None where its markup hides it."""

    text: str
    row: int
    column: int
    place: Span | None = None

    @property
    def empty(self) -> bool:
        """Whether it holds nothing, or a dash."""
        return self.text in _BLANK


@dataclass(frozen=True, slots=True)
class Table:
    """A table as read: `header` names each column, `rows` are the body, `groups` the subheading each row stands under.

    Merged cells are repeated in every row and column that they span; the levels of a header are joined by " · ".
    """

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    groups: tuple[str, ...]
    span: Span

    def row_name(self, row: int) -> str:
        """Return the name of a row: its first cell, after the subheading above it."""
        first = self.rows[row][0].text
        return f"{self.groups[row]}{BETWEEN}{first}" if self.groups[row] else first

    def address(self, cell: Cell) -> str:
        """Return where a cell stands, in words: ``Part-time · Notice (days)``."""
        return BETWEEN.join(filter(None, (self.row_name(cell.row), self.header[cell.column])))

    def place_of(self, row: int) -> Span | None:
        """Return the stretch of the passage from a row's first cell to its last."""
        places = [cell.place for cell in self.rows[row] if cell.place]
        return (min(start for start, _ in places), max(end for _, end in places)) if places else None


@lru_cache(maxsize=128)
def read_tables(passage: str) -> tuple[Table, ...]:
    """Read the tables of a passage in order of place; never raises."""
    marked = [(m.start(), m.end()) for m in _TABLE.finditer(passage)] if "<t" in passage.lower() else []
    found = [table for span in marked if (table := _from_markup(passage, span)) is not None]
    at = 0
    for start, end in [*marked, (len(passage), len(passage))]:
        found += _from_lines(passage, at, start)
        at = end
    return tuple(sorted(found, key=lambda table: table.span))


# ── lines ────────────────────────────────────────────────────────────────────────────────────────


def _from_lines(passage: str, begin: int, end: int) -> Iterator[Table]:
    """Read tables whose rows are lines; a line of another number of cells ends a table."""
    block: list[tuple[Span, list[str]]] = []
    kind, above = "", ""
    for match in [*_LINE.finditer(passage, begin, end), None]:
        line = match[0] if match else ""
        row = _cells(line, kind) if kind else None
        if row is None or (kind != "|" and len(row) != len(block[0][1])) or (match and _gap(passage, block, match)):
            tables = list(_table_of(passage, block, kind, above))
            yield from tables
            if block:
                above = "" if tables else passage[slice(*block[-1][0])].strip()
            block, kind = [], next((k for k in ("|", "\t", ";", ",") if _cells(line, k)), "")
            row = _cells(line, kind) if kind else None
        if match is not None and row is not None:
            block.append((match.span(), row))
        elif line.strip():
            above = line.strip()


def _gap(passage: str, block: Sequence[tuple[Span, list[str]]], line: re.Match[str]) -> bool:
    """Return whether a blank line stands between a block and the next line."""
    return bool(block) and passage.count("\n", block[-1][0][1], line.start()) > 1


def _cells(line: str, kind: str) -> list[str] | None:
    """Cut a line at one separator; None where it has none, or ends as a sentence does."""
    bare = line.strip()
    if kind == "|":
        inner = bare.removeprefix("|")
        inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
        cells = _PIPE.split(inner)
        return [c.strip().strip("*_").strip() for c in cells] if len(cells) > 1 or bare.startswith("|") else None
    if kind == "\t":
        cells = _COLUMNS.split(bare)
        return cells if len(cells) > 1 else None
    if kind not in bare or bare[-1:] in _ENDS or len(bare) > _LONGEST_CELL or _GROUPED.search(bare):
        return None
    try:
        cells = next(csv.reader([bare], delimiter=kind, skipinitialspace=True), [])
    except csv.Error:
        return None
    return [c.strip() for c in cells] if len(cells) > 1 else None


def _table_of(passage: str, block: Sequence[tuple[Span, list[str]]], kind: str, above: str) -> Iterator[Table]:
    """Build the table of a block of lines, where it is one: CSV needs three lines, since prose has commas too."""
    rules = [n for n, (_, cells) in enumerate(block) if _RULE.fullmatch("|".join(cells))]
    lines = [(span, cells) for n, (span, cells) in enumerate(block) if n not in rules]
    width = max((len(cells) for _, cells in lines), default=0)
    fewest = _FEWEST_CSV_LINES if kind in {";", ","} else 2
    if len(lines) < fewest or width < 2 or (kind in {";", ","} and not _is_data(lines, kind)):  # noqa: PLR2004
        return
    grid = [[*cells, *[""] * (width - len(cells))] for _, cells in lines]
    at_most = max(1, MOST_CELLS // width)
    placed = [_placed(passage, span, cells) for (span, _), cells in zip(lines[:at_most], grid, strict=False)]
    heads = rules[0] if rules and 0 < rules[0] <= _MOST_HEADER_ROWS else _header_rows(grid)
    yield _table(_caption(passage, block[0][0][0], above), placed, heads, (block[0][0][0], block[-1][0][1]))


def _is_data(lines: Sequence[tuple[Span, list[str]]], kind: str) -> bool:
    """Return whether lines cut at commas are data and not prose: short cells, and a column of numbers below the first row."""
    cells = [cell for _, line in lines for cell in line]
    if max(map(len, cells)) > _LONGEST_DATUM or (kind == "," and len(lines[0][1]) == 2):  # noqa: PLR2004
        return False
    return any(all(_NUMERAL.match(line[column]) for _, line in lines[1:]) for column in range(len(lines[0][1])))


def _placed(passage: str, span: Span, cells: Sequence[str]) -> list[Placed]:
    """Find each cell of a line where it stands, from left to right."""
    found: list[Placed] = []
    at = span[0]
    for cell in cells:
        start = passage.find(cell, at, span[1]) if cell else -1
        found.append((cell, (start, start + len(cell)) if start >= 0 else None))
        at = start + len(cell) if start >= 0 else at
    return found


def _caption(passage: str, start: int, above: str) -> str:
    """Return the line above a table, where it is short enough for a caption and near it."""
    if not above or len(above) > _LONGEST_CAPTION:
        return ""
    end = passage.rfind(above, 0, start) + len(above)
    return above.lstrip("# ").strip("*_ ") if passage.count("\n", end, start) <= 2 else ""  # noqa: PLR2004


def _header_rows(grid: Sequence[Sequence[str]]) -> int:
    """Return how many rows name columns: none where the first looks like the second, two where the second names parts."""
    first, second = ([_SHAPE.sub("9", cell) for cell in row[1:]] for row in grid[:2])
    years = all(_YEAR.fullmatch(cell) for cell in grid[0][1:])
    if first == second and not years and all("9" in cell for cell in first):
        return 0
    deeper = len(grid) > 2 and not grid[1][0] and not any("9" in cell for cell in second)  # noqa: PLR2004
    return 2 if deeper else 1


# ── HTML ─────────────────────────────────────────────────────────────────────────────────────────


def _from_markup(passage: str, span: Span) -> Table | None:
    """Read a `<table>`: cells that span rows or columns stand in each; `th` rows and `thead` are the header."""
    from lxml import html  # noqa: PLC0415 - takes a while to import, and few passages have markup

    try:
        root = html.fragment_fromstring(passage[span[0] : span[1]], create_parent="div")
    except Exception:  # noqa: BLE001 - markup that lxml cannot read is no table
        return None
    element = root.find(".//table")
    if element is None:
        return None
    grid, heads = _grid(passage, element, span)
    width = max(map(len, grid), default=0)
    if len(grid) < 2 or width < 2:  # noqa: PLR2004
        return None
    grid = [[*line, *[("", None)] * (width - len(line))] for line in grid]
    caption = " ".join(" ".join(t for c in element.iter("caption") for t in c.itertext()).split())
    above = re.sub(r"<[^>]*>", " ", passage[max(0, span[0] - _LONGEST_CAPTION) : span[0]]).strip().rsplit("\n", 1)[-1]
    return _table(caption or above.strip(), grid, heads or _header_rows([[t for t, _ in r] for r in grid]), span)


def _grid(passage: str, element: Any, span: Span) -> tuple[list[list[Placed]], int]:
    """Lay a table's cells out in lines, those that span rows or columns in each, and count the lines of its header."""
    grid: list[list[Placed]] = []
    held: dict[int, tuple[Placed, int]] = {}
    heads, at = 0, span[0]
    for row in element.iter("tr"):
        if next(row.iterancestors("table"), None) is not element:
            continue
        cells = [cell for cell in row if cell.tag in {"td", "th"}]
        named = bool(cells) and all(cell.tag == "th" for cell in cells)
        if len(grid) == heads < _MOST_HEADER_ROWS and (named or row.getparent().tag == "thead"):
            heads += 1
        line: list[Placed] = []
        for cell in cells:
            _fill(line, held)
            text = " ".join(" ".join(cell.itertext()).split())[:_LONGEST_CELL]
            value, at = _found(passage, text, (at, span[1]))
            down, across = _count(cell.get("rowspan")), _count(cell.get("colspan"))
            for _ in range(across):
                if down > 1:
                    held[len(line)] = value, down - 1
                line.append(value)
        _fill(line, held)
        grid.append(line)
        if len(grid) * max(1, len(line)) >= MOST_CELLS:
            break
    return grid, heads


def _fill(line: list[Placed], held: dict[int, tuple[Placed, int]]) -> None:
    """Add the cells of rows above that reach down into the next columns of a line."""
    while len(line) in held:
        value, left = held.pop(len(line))
        if left > 1:
            held[len(line)] = value, left - 1
        line.append(value)


def _count(value: str | None) -> int:
    return min(int(value), 100) if value and value.isdecimal() and int(value) else 1


def _found(passage: str, text: str, within: Span) -> tuple[Placed, int]:
    """Find a cell's text after the cell before it; markup or entities inside it may hide it."""
    start = passage.find(text, *within) if text else -1
    if start < 0:
        return (text, None), within[0]
    return (text, (start, start + len(text))), start + len(text)


# ── both ─────────────────────────────────────────────────────────────────────────────────────────


def _table(caption: str, grid: Sequence[Sequence[Placed]], heads: int, span: Span) -> Table:
    """Build a table of placed cells, of which the first `heads` rows name the columns."""
    header = tuple(
        BETWEEN.join(dict.fromkeys(filter(None, (row[column][0] for row in grid[:heads]))))
        for column in range(len(grid[0]))
    )
    rows: list[tuple[Cell, ...]] = []
    groups: list[str] = []
    group = ""
    for line in grid[heads:]:
        if line[0][0] and not any(text for text, _ in line[1:]):
            group = line[0][0]
            continue
        rows.append(tuple(Cell(text, len(rows), column, place) for column, (text, place) in enumerate(line)))
        groups.append(group)
    return Table(caption, header, tuple(rows), tuple(groups), span)


def cells_of(tables: Iterable[Table]) -> Iterator[tuple[Table, Cell]]:
    """Yield every cell of tables with its table, row by row."""
    for table in tables:
        for row in table.rows:
            for cell in row:
                yield table, cell
