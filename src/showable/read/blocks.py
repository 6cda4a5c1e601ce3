"""Cut an answer into the blocks that Markdown makes: paragraphs, headings, list items, table rows, quotes, code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from showable.read.plain_text import plain
from showable.records.regex import regex

Kind = Literal["prose", "heading", "list_item", "table_row", "code", "quote_block"]

_FENCE = regex(r" {0,3}(```+|~~~+)")
_ATX = regex(r" {0,3}#{1,6}[ \t]+")
_ITEM = regex(
    r"([ \t]*)(?:[-*+•‣◦▪●·–—]|\d{1,3}[.)]|\(\d{1,3}\)|\(?[a-zA-Z]\)|\(?[ivx]{1,5}\))[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)"
)
_QUOTE = regex(r" {0,3}(?:>[ \t]?)+")
_BOLD_LINE = regex(r"(?:\*\*|__)(?!\s)(?![$€£]|\d+(?![.)]))[^*\n]{1,90}(?:\*\*:?|__:?)$")
_HEADING_WORD = regex(
    r"(?:(?:executive|brief|short) )?(?:overview|summary|conclusions?|background|introduction|key (?:points|findings|takeaways"
    r"|facts)|references|sources|analysis|discussion|recommendations?|methodology|methods|results|limitations"
    r"|next steps|bottom line|(?:final )?answer|notes?|disclaimer|bibliography|citations|footnotes)",
    re.IGNORECASE,
)
_SIGN_OF_NOTE = regex(r"[ \t>]*(?::{3,}[ \t]*[\w-]*|\[![A-Z]{3,12}\])[ \t]*")
"""A line that only opens or closes a note: ":::tip", "> [!WARNING]"."""
_DEFINES = regex(r"[ \t]*:[ \t]+(?=\S)")
_FINAL = regex(r"[.!?;:…。！？][\"'”’»)\]*_]*(?:\s?\[[^\[\]\n]{1,40}\])*$")
_MARKS_ONLY = regex(r"(?:\[\^?[^\[\]\n]{1,40}\](?!:)[ \t,]?)+$")
_CONTINUES = regex(r"[a-z=≈,)]")
_UNFINISHED = regex(r"(?:[,(–-]|\b(?:and|or|of|the|a|an|in|to|by|for|with|that|from|at|on|as|is|was|are|were))$")
_SENTENCE_GAP = regex(r"(?<=[a-z0-9%)\]][.!?])\s+(?=[A-Z])")
_WRAP_MIN, _WRAP_MAX = 40, 130


@dataclass(slots=True)
class Block:
    """Lines of one kind: their content as spans without bullets or quote signs, and what leads into them."""

    kind: Kind
    lines: list[tuple[int, int]]
    paragraph: int
    lead: str | None = None


@dataclass(slots=True)
class _Line:
    start: int
    end: int
    text: str

    def after(self, sign: int) -> tuple[int, int]:
        """Return the span of what stands after the first `sign` characters and the spaces behind them."""
        rest = self.text[sign:]
        return self.end - len(rest.lstrip()), self.end


class _Leads:
    """Which lead-in applies to the next list item: the line that ended in a colon, or the item above it."""

    def __init__(self) -> None:
        self.outer: str | None = None
        self.after_item = False
        self.items: list[tuple[int, str]] = []
        self.indent = 0

    def of_item(self, indent: int, content: str) -> str | None:
        """Return the lead-in of an item, and keep the item as the lead-in of those below it where it ends in a colon."""
        introduces = content.rstrip("*_ ").endswith(":")
        closed = introduces or indent < self.indent
        while self.items and (self.items[-1][0] > indent or (self.items[-1][0] == indent and closed)):
            self.items.pop()
        self.indent = indent
        held = self.items[-1][1] if self.items else self.outer
        if introduces:
            self.items.append((indent, _last_sentence(content)))
        return held

    def after_block(self, content: str, *, heading: bool) -> None:
        self.items.clear()
        self.after_item = False
        introduces = heading or content.rstrip("*_ ").endswith(":")
        self.outer = _last_sentence(content).rstrip(":") + ":" if introduces else None


def _last_sentence(content: str) -> str:
    return plain(_SENTENCE_GAP.split(content)[-1])


def find_blocks(text: str) -> list[Block]:
    """Cut `text` into blocks in order. Blank lines, rules and the dashes under a table's header belong to none."""
    return list(_Reader(text).blocks())


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.lines: list[_Line] = []
        at = 0
        for raw in text.splitlines(keepends=True):
            line = raw.rstrip()
            self.lines.append(_Line(at, at + len(line), line))
            at += len(raw)
        self.paragraph = 0
        self.leads = _Leads()
        self.open: Block | None = None
        self.header: str | None = None

    def blocks(self) -> Iterator[Block]:
        """Go through the lines once; a block is given out when the line after it is seen."""
        number, count = 0, len(self.lines)
        while number < count:
            line = self.lines[number]
            if not line.text:
                yield from self.close()
                self.paragraph += 1
                self.header = None
                number += 1
                continue
            if fence := _FENCE.match(line.text):
                yield from self.close()
                number, block = self.code(number, fence[1])
                yield block
                continue
            yield from self.line(line, self.lines[number + 1].text if number + 1 < count else "")
            number += 1
        yield from self.close()

    def close(self) -> Iterator[Block]:
        """Yield out the open block."""
        if (block := self.open) is None:
            return
        self.open = None
        last = self.text[slice(*block.lines[-1])]
        if block.kind == "prose" and len(block.lines) == 1 and self._is_title(last, block.lines[-1][1]):
            block.kind = "heading"
        self.leads.after_item = block.kind == "list_item"
        if not self.leads.after_item:
            self.leads.after_block(last, heading=block.kind == "heading")
        yield block

    def _is_title(self, line: str, end: int) -> bool:
        """Check whether a line is a heading: all in bold, or a word that only titles use, with something after it."""
        if not self.text[end : end + _WRAP_MAX].strip():
            return False
        if _BOLD_LINE.match(line):
            return not line.rstrip("*_").endswith((".", "!", "?"))
        return bool(_HEADING_WORD.fullmatch(line.rstrip(":")))

    def code(self, number: int, fence: str) -> tuple[int, Block]:
        """Read a fenced block to its closing fence or the end of the text."""
        first = self.lines[number]
        end = number + 1
        while end < len(self.lines) and not self.lines[end].text.lstrip().startswith(fence):
            end += 1
        last = next(line for line in reversed(self.lines[number : end + 1]) if line.text)
        self.leads.after_block("", heading=False)
        indent = len(first.text) - len(first.text.lstrip())
        return end + 1, Block("code", [(first.start + indent, last.end)], self.paragraph)

    def line(self, line: _Line, following: str) -> Iterator[Block]:
        """Read one line that is neither blank nor code."""
        content = line.text
        if _is_rule(content):
            yield from self._underlined(content)
        elif _SIGN_OF_NOTE.fullmatch(content):
            yield from self.close()
        elif (defines := _DEFINES.match(content)) and self.open and self.open.kind == "prose":
            self.open.kind = "heading"
            yield from self.close()
            yield from self._extend("prose", *line.after(defines.end()))
        elif "|" in content and (row := self._table_row(content, following)) is not None:
            yield from self._row(line, row)
        elif atx := _ATX.match(content):
            yield from self.close()
            self.leads.after_block(content[atx.end() :], heading=True)
            yield Block("heading", [line.after(atx.end())], self.paragraph)
        elif quote := _QUOTE.match(content):
            yield from self._extend("quote_block", *line.after(quote.end()))
        elif item := _ITEM.match(content):
            yield from self.close()
            lead = self.leads.of_item(len(item[1].expandtabs(4)), content[item.end() :])
            self.open = Block("list_item", [line.after(item.end())], self.paragraph, lead)
        else:
            inside = self.open is not None and self.open.kind == "list_item"
            yield from self._extend("list_item" if inside else "prose", *line.after(0))

    def _row(self, line: _Line, row: Literal["table_row", "heading", "rule"]) -> Iterator[Block]:
        """Read a row of a table; its header leads the rows below, the dashes under it are no text."""
        yield from self.close()
        if row != "rule":
            yield Block(row, [line.after(0)], self.paragraph, self.header if row == "table_row" else None)
        if row == "heading":
            self.header = " | ".join(plain(cell) for cell in cells(line.text))

    def _extend(self, kind: Kind, start: int, end: int) -> Iterator[Block]:
        """Add a line to the open block, or open one of this kind."""
        if start >= end:
            yield from self.close()
        elif self.open is not None and self.open.kind == kind:
            self.open.lines.append((start, end))
        else:
            yield from self.close()
            lead = None if self.leads.after_item else self.leads.outer
            self.open = Block(kind, [(start, end)], self.paragraph, lead)

    def _underlined(self, rule: str) -> Iterator[Block]:
        """Make the single line right above a rule a heading (setext)."""
        block = self.open
        if block and block.kind == "prose" and len(block.lines) == 1 and set(rule.strip()) <= {"=", "-"}:
            start, end = block.lines[0]
            if not self.text[start:end].endswith((".", "!", "?", "]")):
                block.kind = "heading"
                self.leads.after_block(self.text[start:end], heading=True)
        yield from self.close()

    def _table_row(self, content: str, following: str) -> Literal["table_row", "heading", "rule"] | None:
        if _is_table_rule(content):
            return "rule"
        if _is_table_rule(following):
            return "heading"
        bare = content.strip()
        if self.header is not None or (bare.count("|") > 1 and bare[0] == "|" and bare[-1] == "|"):
            return "table_row"
        return None


def cells(row: str) -> list[str]:
    """Cut a table row at its bars, but not at escaped ones."""
    bare = row.strip().removeprefix("|")
    bare = bare.removesuffix("|") if not bare.endswith("\\|") else bare
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", bare)]


def _is_rule(line: str) -> bool:
    signs = line.replace(" ", "")
    return len(signs) > 2 and signs[0] in "-*_=" and signs == signs[0] * len(signs)  # noqa: PLR2004 - Markdown's three


def _is_table_rule(line: str) -> bool:
    return "-" in line and "|" in line and not line.strip("|:- \t")


def runs(text: str, block: Block) -> Iterator[tuple[int, int]]:
    """Join the lines of a block that are one text wrapped, and keep apart those that stand on their own."""
    start, end = block.lines[0]
    if len(block.lines) == 1:
        yield start, end
        return
    wrapped = _is_wrapped(text, block.lines)
    for next_start, next_end in block.lines[1:]:
        if not _joined(text, (start, end), (next_start, next_end), wrapped=wrapped):
            yield start, end
            start = next_start
        end = next_end
    yield start, end


def _is_wrapped(text: str, lines: list[tuple[int, int]]) -> bool:
    """Check whether every break was forced: the next word would have made the line the longest.

    Lines of sums, and lines that all carry a label, are no running text.
    """
    held = [text[start:end] for start, end in lines]
    if any(" = " in line for line in held) or all(": " in line for line in held):
        return False
    width = max(end - start for start, end in lines)
    if not _WRAP_MIN <= width <= _WRAP_MAX:
        return False
    for (start, end), (next_start, next_end) in pairwise(lines):
        word = text[next_start : min(next_end, next_start + _WRAP_MAX)].split(maxsplit=1)[0]
        if end - start + 1 + len(word) <= width:
            return False
    return True


def _joined(text: str, line: tuple[int, int], following: tuple[int, int], *, wrapped: bool) -> bool:
    if _MARKS_ONLY.match(text, *following):
        return True
    if text[line[1] : line[1] + 2] == "  ":
        return False
    tail = text[max(line[0], line[1] - 60) : line[1]]
    if _FINAL.search(tail):
        return wrapped and not tail.endswith(":")
    return wrapped or bool(_CONTINUES.match(text, *following)) or bool(_UNFINISHED.search(tail))
