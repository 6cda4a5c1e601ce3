"""Does a value of a claim stand in the row and under the column that the claim speaks of? Decided by marks and headers alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import log
from typing import Literal, NamedTuple

from showable.read.number_words import CARDINALS
from showable.read.passage_tables import Cell, Table, read_tables
from showable.read.quantities import find_quantities
from showable.read.quantity import Quantity, comparable, same_quantity
from showable.read.word_sets import word_set
from showable.records.regex import regex

_WORD = regex(r"[^\W_]+(?:[.,]\d+)*")
_STEM = 5
"""Letters of a word that are compared: "management" names the row of "managers"."""
_FUNCTION = word_set(
    "a an the and or of in on at to for from by with is are was were be been has have had do does did it its they their "
    "this that these those as than then per each who which must may can will shall should"
)
_DENIALS = word_set("not no never none without nor nothing neither cannot")
_TIMES = {"once": 1, "twice": 2}
_ONCE = regex(r"\b(?:once|twice)\b", re.IGNORECASE)
_PAREN = regex(r"\(([^()]{1,40})\)")
_MONEY_UNIT = regex(r"[%$€£¥]|\b[A-Z]{3}\b")
_BARE = regex(r"[\d.,\s()%–—-]*")
_NAME = regex(r"\b[^\W\d_a-z]\w+")
_AFTER_COMMA = regex(r",\s*([^,()]{1,20})$")
_ACCOUNTING = regex(r"\(\s*([$€£]?\s?\d[\d.,]*\s?%?)\s*\)")
_FROM_QUESTION = 0.8
"""What a word is worth that only the question has: the claim may turn to something else."""
_MOSTLY = 0.8
"""Share of its rows in which a column must have words, nearly all different, for its cells to be names of their rows."""
_UNMENTIONED, _UNMENTIONED_NUMBER = 0.4, 0.7
"""What a word, and a number, of a header costs that the claim leaves out: "Silver Plus" is not meant by "Silver"."""
_CLEAR = 0.15
"""By how much another cell must be the better addressed one before the value is held to stand in the wrong place."""
_SAME, _SMALL = 1e-6, 31
_MOST_VALUES = 12
"""Values of a claim that are looked up: a longer claim is a table itself."""

Standing = Literal["stands", "tied", "elsewhere", "absent"]


@dataclass(frozen=True, slots=True)
class ValueCheck:
    """What became of one value of a claim: where it stands, and the cell that the claim speaks of.

    ``stands``: in the cell that the claim addresses; ``tied``: in one of several that it addresses alike; ``elsewhere``: in
    another one than `addressed`; ``absent``: nowhere in the table, though `addressed` holds something of its kind.
    """

    value: str
    standing: Standing
    table: Table
    found: Cell | None
    addressed: Cell | None

    @property
    def reason(self) -> str:
        """Return where the value stands and what the addressed cell holds."""
        told = []
        if self.addressed is not None:
            told.append(f"{self.table.address(self.addressed)!r} is {self.addressed.text}")
        if self.found is not None and self.found is not self.addressed:
            told.append(f"{self.value} stands under {self.table.address(self.found)!r}")
        elif self.found is None:
            told.append(f"{self.value} stands nowhere in the table")
        return ", ".join(told)


def check_values(claim: str, passage: str, question: str | None = None) -> list[ValueCheck]:
    """Look up every value of a claim in the tables of a passage; of several tables the one that the claim names best.

    `question` lends its words to a claim that leaves them out ("30 days."); its numbers are no values of the claim.
    """
    indexes = _indexed(passage)
    if not indexes:
        return []
    words, outside = _Words.of(claim, question), _outside(passage)
    best: tuple[float, list[ValueCheck]] = (-1.0, [])
    for index in indexes:
        checks = list(index.checks(claim, words, outside))
        if all(check.standing == "tied" for check in checks):
            checks += index.denials(claim, words)
        rank = sum(check.found is not None for check in checks) + index.share(words)
        if checks and rank > best[0]:
            best = rank, checks
    held = [check.found for check in best[1] if check.standing == "stands"]
    return [check for check in best[1] if check.standing != "absent" or check.addressed not in held]


def unsaid(claim: str, checks: Sequence[ValueCheck]) -> float:
    """Return the share of a claim's content words that neither the table of the checks nor its headers have."""
    words = [w for w in terms(claim) if w not in _FUNCTION]
    if not checks or not words:
        return 1.0
    table = checks[0].table
    held = set(terms(" ".join([table.caption, *table.header, *table.groups])))
    for check in checks:
        if check.found is not None:
            held.update(terms(" ".join(cell.text for cell in table.rows[check.found.row])))
        held.update(terms(check.value))
    return sum(word not in held for word in words) / len(words)


def denies(text: str) -> bool:
    """Return whether a text has a word of denial, which turns a value's meaning round."""
    return not _DENIALS.isdisjoint(_WORD.findall(text.lower())) or "n't" in text or "n’t" in text


@lru_cache(maxsize=2048)
def terms(text: str) -> tuple[str, ...]:
    """Cut a text into terms: stems of words, numbers as digits, single capital letters; function words stay out."""
    found = []
    for match in _WORD.finditer(text):
        word = match[0]
        low = word.lower()
        if low in _FUNCTION:
            if len(word) == 1 and word.isupper() and match.start() > 0:
                found.append(word)
            continue
        if word[0].isdigit():
            found.append(word.replace(",", ""))
        elif low in CARDINALS or low in _TIMES:
            found.append(str(CARDINALS[low] if low in CARDINALS else _TIMES[low]))
        else:
            short = low[:-1] if low.endswith("s") and len(low) > 3 else low  # noqa: PLR2004 - "gas" keeps its s
            found.append(short[:_STEM] if len(word) > 1 else word)
    return tuple(found)


class _Words(NamedTuple):
    """The terms of a claim, and those of the claim and its question together."""

    claim: frozenset[str]
    every: frozenset[str]

    @classmethod
    def of(cls, claim: str, question: str | None) -> _Words:
        ours = frozenset(name_terms(claim))
        return cls(ours, ours | frozenset(name_terms(question or "")))


@lru_cache(maxsize=2048)
def name_terms(text: str) -> tuple[str, ...]:
    """Return the terms of a name or claim, a quantity with its unit as one: the "4" of "4 – low" is not that of "4 hours"."""
    found = []
    for quantity in reversed(find_quantities(text)):
        if quantity.kind in {"number", "year", "ordinal"}:
            continue
        year, value = divmod(quantity.value, 10) if quantity.kind == "quarter" else (0, quantity.value)
        found += [f"{value:g} {quantity.unit or quantity.kind}", *([f"{year:.0f}"] if year else [])]
        text = f"{text[: quantity.span[0]]} {text[quantity.span[1] :]}"
    return (*terms(text), *found)


class _Name:
    """The words of a row's or a column's name, each with what it tells this one from the others by (0 to 1)."""

    def __init__(self, words: Iterable[str], weights: Mapping[str, float]) -> None:
        self.weights = {word: weights[word] for word in words if weights[word] > 0}

    def score(self, words: _Words) -> float:
        """Return how well a claim's words name it: what is mentioned, less the most telling word that is left out."""
        total = left_out = 0.0
        for word, weight in self.weights.items():
            if word in words.every:
                total += weight * (1.0 if word in words.claim else _FROM_QUESTION)
            else:
                left_out = max(left_out, weight * (_UNMENTIONED_NUMBER if word[0].isdigit() else _UNMENTIONED))
        return total - left_out

    def within(self, other: _Name) -> bool:
        """Return whether it is a part of another name: "Silver" of "Silver Plus"."""
        return self.weights.keys() < other.weights.keys()

    def mentioned(self, words: _Words) -> bool:
        """Return whether a claim or its question has any of its words."""
        return any(word in words.every for word in self.weights)


def _names(texts: Sequence[str]) -> list[_Name]:
    """Weigh the words of names by how few of the names have them; what all have tells none apart."""
    split = [frozenset(name_terms(_without_units(text))) for text in texts]
    counts = Counter(word for words in split for word in words)
    most = len(texts)
    weights = {word: log(most / count) / log(most) if most > 1 else 0.0 for word, count in counts.items()}
    return [_Name(words, weights) for words in split]


def _without_units(name: str) -> str:
    """Return a name without the unit in its brackets: the "day" of "(mg/day)" is no word for the column."""
    return _PAREN.sub(lambda m: " " if _factor(m[1]) else m[0], name)


class _Index:
    """A table made ready for looking up: names of rows and columns, quantities and words of cells."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.body = [cell for row in table.rows for cell in row[1:]]
        self.columns = _names(table.header[1:])
        self.quantities = {(cell.row, cell.column): cell_quantities(table, cell) for row in table.rows for cell in row}
        width = range(len(table.header))
        texts = [[self._text(row[column]) for row in table.rows] for column in width]
        self.contents = [
            {row[column].text for row in table.rows if not _BARE.fullmatch(row[column].text)}
            | {" ".join(terms(text)) for text in texts[column] if text}
            for column in width
        ]
        self.own = [_names(column) for column in texts]
        self.naming = {0: _names([table.row_name(row) for row in range(len(table.rows))])}
        self.naming |= {
            column: self.own[column] for column in width if column and self._names_rows(column, texts[column])
        }

    def _names_rows(self, column: int, texts: Sequence[str]) -> bool:
        """Return whether a column's words tell rows apart and stand in no other column: tenants do, medallists do not."""
        others = (words for at, words in enumerate(self.contents) if at != column)
        distinct = len({text for text in texts if text})
        return distinct >= max(2, _MOSTLY * len(texts)) and not any(self.contents[column] & words for words in others)

    def _text(self, cell: Cell) -> str:
        """Return the words of a cell beside its quantities: the name in "Weiss (11.09 s)"."""
        text = cell.text
        for quantity in reversed(self.quantities[cell.row, cell.column]):
            if text[slice(*quantity.span)] == quantity.text:
                text = text[: quantity.span[0]] + text[quantity.span[1] :]
        text = re.sub(r"\S*\d\S*", "", text)
        return text if re.search(r"[^\W\d_]{2}", text) else ""

    def share(self, words: _Words) -> float:
        """Return the share of the claim's words that stand anywhere in the table."""
        every = {w for names in self.own for name in names for w in name.weights}
        every |= {w for name in self.columns for w in name.weights} | set(terms(self.table.caption))
        return len(words.every & every) / max(1, len(words.every))

    def address(self, cell: Cell, words: _Words, *, with_text: bool = False) -> float:
        """Return how well a claim's words name a cell's row and column; what the cell itself holds does not count.

        `with_text`: but for the words beside a quantity ("Weiss (6.84 m)"), which name it as well.
        """
        rows = [names[cell.row].score(words) for column, names in self.naming.items() if column != cell.column]
        beside = max(0.0, self.own[cell.column][cell.row].score(words)) if with_text else 0.0
        return max(rows, default=0.0) + self.columns[cell.column - 1].score(words) + beside

    def named(self, cell: Cell, words: _Words) -> bool:
        """Return whether a claim mentions the row of a cell by a word of its own."""
        return any(
            names[cell.row].mentioned(words) and names[cell.row].score(words) > 0
            for column, names in self.naming.items()
            if column != cell.column
        )

    def checks(self, claim: str, words: _Words, outside: Sequence[Quantity]) -> Iterator[ValueCheck]:
        """Yield what became of each quantity and each content in words; what the text around the table has is left to it."""
        for quantity in _values(claim):
            holding = [c for c in self.body if any(same_quantity(quantity, q) for q in self._of(c))]
            alike = self._interchangeable(holding)
            pool = [c for c in self.body if c in alike or any(comparable(quantity, q) for q in self._of(c))]
            address = self._is_address(quantity)
            small = quantity.kind == "number" and quantity.value <= _SMALL  # may count anything
            if holding or (pool and not address and not small and not any(same_quantity(quantity, q) for q in outside)):
                check = self._standing(quantity, holding, pool, words)
                if check is not None and not (address and check.standing != "stands"):
                    yield check
        for value, holding in self._texts_in(words):
            check = self._standing(value, holding, list(self._interchangeable(holding)), words)
            if check is not None:
                yield check

    def denials(self, claim: str, words: _Words) -> Iterator[ValueCheck]:
        """Yield what became of a claim without a value that denies: "July has no frost days" speaks of a cell with 0."""
        pool = [c for c in self.body if self.named(c, words) and self.columns[c.column - 1].score(words) > 0]
        if not pool or not denies(claim):
            return
        scores = [self.address(c, words) for c in pool]
        best = [c for c, score in zip(pool, scores, strict=True) if max(scores) - score < _SAME]
        nothing = [c for c in best if c.empty or denies(c.text) or all(q.value == 0 for q in self._of(c))]
        if len(nothing) in {0, len(best)} and any(self._of(c) for c in best) | bool(nothing):
            yield ValueCheck(
                "none", "stands" if nothing else "elsewhere", self.table, nothing[0] if nothing else None, best[0]
            )

    def _interchangeable(self, holding: Sequence[Cell]) -> set[Cell]:
        """Return the cells that might hold what these do: of their columns, and of their row in columns of like content."""
        columns = {cell.column for cell in holding}
        found = {c for c in self.body if c.column in columns}
        for cell in holding:
            found.update(
                c for c in self.table.rows[cell.row][1:] if self.contents[c.column] & self.contents[cell.column]
            )
        return found

    def _of(self, cell: Cell) -> tuple[Quantity, ...]:
        return self.quantities[cell.row, cell.column]

    def _is_address(self, quantity: Quantity) -> bool:
        """Return whether a quantity stands in the name of a row or column, which it may then be meant to name."""
        keys = (q for row in self.table.rows for q in self.quantities[row[0].row, 0])
        heads = (
            q for name in (*self.table.header, *self.table.groups, self.table.caption) for q in find_quantities(name)
        )
        return any(
            same_quantity(quantity, q) or (quantity.kind == "number" and q.mantissa == quantity.mantissa)
            for q in (*keys, *heads)
        )

    def _texts_in(self, words: _Words) -> Iterator[tuple[str, list[Cell]]]:
        """Yield each content in words ("by e-mail", a name) all of whose words the claim has, with the cells that hold it."""
        found: dict[tuple[str, ...], list[Cell]] = {}
        for cell in self.body:
            beside = bool(
                self._of(cell)
            )  # beside a quantity only a name is content: not the rest of "5 % of the claim"
            content = terms(self._text(cell)) if beside else terms(cell.text)
            if beside and not _NAME.search(self._text(cell)):
                continue
            if content and not cell.empty and words.claim.issuperset(content):
                found.setdefault(content, []).append(cell)
        for cells in found.values():
            yield cells[0].text, cells

    def _standing(
        self, value: Quantity | str, holding: Sequence[Cell], pool: Sequence[Cell], words: _Words
    ) -> ValueCheck | None:
        """Compare the cells that hold a value with the best addressed one of its kind."""
        quantity = None if isinstance(value, str) else value
        text = value if isinstance(value, str) else value.text
        scores = {cell: self.address(cell, words, with_text=quantity is not None) for cell in pool}
        best = max(pool, key=scores.__getitem__)
        if not holding:
            alone = sum(scores[best] - score < _CLEAR for score in scores.values()) == 1
            return ValueCheck(text, "absent", self.table, None, best if alone and self.named(best, words) else None)
        ours = max(holding, key=scores.__getitem__)
        if scores[best] - scores[ours] > _CLEAR and (best.row == ours.row or self.named(best, words)):
            return ValueCheck(text, "elsewhere", self.table, ours, best)
        held = set(holding)
        alike = [c for c in pool if c not in held and self._is_like(c, ours, quantity)]
        if any(scores[c] - scores[ours] > -_SAME and self._more_plainly_named(c, ours, words) for c in alike):
            wins = [c for c in alike if self._more_plainly_named(c, ours, words)]
            return ValueCheck(text, "elsewhere", self.table, ours, max(wins, key=scores.__getitem__))
        rivals = [c for c in alike if scores[ours] - scores[c] < _SAME and not self._more_plainly_named(ours, c, words)]
        return ValueCheck(text, "tied" if rivals else "stands", self.table, ours, ours)

    def _is_like(self, cell: Cell, ours: Cell, quantity: Quantity | None) -> bool:
        """Return whether a cell holds a value of the same kind: words for words, EUR for EUR, and not a bare count."""
        if quantity is None:
            return bool(self._text(cell))
        kinds = {q.kind for q in self._of(ours)[-2:] if same_quantity(q, quantity)}
        return any(q.kind in kinds and comparable(quantity, q) for q in self._of(cell)[-1:])

    def _more_plainly_named(self, cell: Cell, other: Cell, words: _Words) -> bool:
        """Return whether in the same row a column's name is a part of the other's, and the claim has no more than that part."""
        ours, theirs = (self.columns[c.column - 1] for c in (cell, other))
        more = theirs.weights.keys() - ours.weights.keys()
        return cell.row == other.row and ours.within(theirs) and words.every.isdisjoint(more)


_MOST_CELLS = 600
"""Cells of a table whose values are looked up: every claim is compared with every cell. A larger one is left to the judge."""


@lru_cache(maxsize=128)
def _indexed(passage: str) -> tuple[_Index, ...]:
    tables = (table for table in read_tables(passage) if len(table.rows) * len(table.header) <= _MOST_CELLS)
    return tuple(_Index(table) for table in tables)


@lru_cache(maxsize=128)
def _outside(passage: str) -> tuple[Quantity, ...]:
    """Return the quantities of a passage that stand outside its tables."""
    spans = [index.table.span for index in _indexed(passage)]
    return tuple(q for q in find_quantities(passage) if not any(a <= q.span[0] < b for a, b in spans))


def _values(claim: str) -> list[Quantity]:
    """Return the quantities of a claim, "twice" among them."""
    found = find_quantities(claim)[:_MOST_VALUES]
    for match in _ONCE.finditer(claim):
        times = float(_TIMES[match[0].lower()])
        found.append(Quantity(times, "number", None, times, 0.5, match.span(), match[0]))
    return found


def cell_quantities(table: Table, cell: Cell) -> tuple[Quantity, ...]:
    """Return the quantities of a cell, a bare number both as it stands and with the unit of its column, row or caption."""
    text = cell.text
    negative = _ACCOUNTING.fullmatch(text)
    found = find_quantities(negative[1] if negative else text)
    if negative and len(found) == 1:
        found = [replace(found[0], value=-found[0].value, span=(0, len(text)), text=text)]
    if (
        len(found) == 1 and found[0].value < 0 and not found[0].in_brackets
    ):  # "fell by 8.1" puts the sign of -8.1 into words
        return found[0], replace(found[0], value=-found[0].value, mantissa=abs(found[0].mantissa))
    if len(found) != 1 or found[0].kind not in {"number", "year", "money"}:
        return tuple(found)
    bare = found[0]
    names = (table.header[cell.column], table.row_name(cell.row) if cell.column else "", table.caption, table.header[0])
    for name in names:
        for unit in _units(name):
            with_unit = in_unit(bare, unit)
            if with_unit is not None:
                over, *under = (with_unit.unit or "").split("/")
                return (bare, with_unit, replace(with_unit, unit=over)) if under else (bare, with_unit)
    return (bare,)


@lru_cache(maxsize=1024)
def _units(name: str) -> tuple[str, ...]:
    """Return what may be the unit in a header: "(days)", ", %", the whole of "EUR million"."""
    after = _AFTER_COMMA.search(name)
    return (
        *_PAREN.findall(name),
        *([after[1]] if after else []),
        *(part for part in name.split(" · ") if _MONEY_UNIT.search(part)),
    )


def in_unit(bare: Quantity, unit: str) -> Quantity | None:
    """Return a bare number with a unit of its header; None where the words are no unit."""
    factor = _factor(unit)
    if factor is None:
        return None
    scale, like = factor
    if bare.kind == "money" and like.kind != "number":
        return None
    kind, name = (bare.kind, bare.unit) if bare.kind == "money" else (like.kind, like.unit)
    return replace(bare, value=bare.value * scale, precision=bare.precision * scale, kind=kind, unit=name)


@lru_cache(maxsize=512)
def _factor(unit: str) -> tuple[float, Quantity] | None:
    """Read a unit by what it makes of "7": its scale, and a quantity of its kind; None where it is none."""
    words = [w for w in unit.replace("’", "'").split() if w.lower() not in {"in", "of", "the"}]
    if not words or len(words) > 4:  # noqa: PLR2004
        return None
    singular = [w[:-1] if w.lower() in {"thousands", "millions", "billions"} else w for w in words]
    for order in (singular, singular[::-1]):
        written = f"7 {' '.join(order)}"
        found = find_quantities(written)
        whole = (
            len(found) == 1
            and found[0].span[0] == 0
            and (found[0].span[1] == len(written) or found[0].kind == "percent")
        )
        if whole and (found[0].kind != "number" or found[0].value != found[0].mantissa):
            return found[0].value / found[0].mantissa, found[0]
    return None
