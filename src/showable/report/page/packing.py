"""What the page carries of the records: a small index, and blocks that a browser unpacks when they are looked at."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from showable.measure.expectations import UNCATEGORISED
from showable.report.page.keeping import CUTS, Keeping, Kept
from showable.report.page.shortening import Body
from showable.report.page.texts import code_of, line

BLOCK_RECORDS = 50
BLOCK_CHARACTERS = 1_500_000
MOST_BYTES = 26_000_000
"""Of index and blocks together; the summary and the records for readers without script come on top."""
_LEVEL = 6
_LEAST_SHARE = 0.55
"""Of the bytes that records take while they are held, so many they take on the page at the least; spares packing in vain."""
_CAUTION = 0.95
"""Of the share that was measured so much is taken for granted: other records may compress better."""
_MOST_OF_QUESTION = 180


@dataclass(slots=True)
class Packed:
    """The index, the blocks in base64, and how many records are in them."""

    index: dict[str, Any]
    blocks: list[str]
    count: int


@dataclass(slots=True)
class _Block:
    """A block being filled: records, and the passages that no earlier block holds."""

    records: list[Body] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    rows: list[list[Any]] = field(default_factory=list)
    size: int = 0

    @property
    def full(self) -> bool:
        return len(self.records) >= BLOCK_RECORDS or self.size >= BLOCK_CHARACTERS


class _Names:
    """Numbers names as they come, so that rows hold numbers."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def of(self, name: str) -> int:
        return self.numbers.setdefault(name, len(self.numbers))


def pack(keeping: Keeping, most_bytes: int = MOST_BYTES) -> Packed:
    """Pack what was kept. Where that takes more than `most_bytes`, cut passages; where that does not suffice, leave the best out."""
    share = _LEAST_SHARE
    while True:
        last = keeping.cuts == len(CUTS)
        if last or keeping.size * share <= most_bytes:
            packed = _pack(keeping, most_bytes)
            if last or packed.count == len(keeping):
                return packed
            share = max(share, _CAUTION * most_bytes / max(1, keeping.size_of(packed.count)))
        keeping.cut()


def _pack(keeping: Keeping, most_bytes: int) -> Packed:
    """Pack what was kept, the worst first, until `most_bytes` are reached; what follows is left out."""
    names = {what: _Names() for what in ("buckets", "causes", "categories", "codes")}
    blocks: list[str] = []
    rows: list[list[Any]] = []
    held: list[int] = []
    starts: list[int] = []
    size = texts = 0
    for block in _filled(keeping, names):
        data = _encode({"records": block.records, "texts": block.texts})
        size += len(data) + sum(len(dump(row).encode()) for row in block.rows)
        if size > most_bytes and blocks:
            break
        blocks.append(data)
        rows += block.rows
        held.append(len(block.rows))
        starts.append(texts)
        texts += len(block.texts)
    index: dict[str, Any] = {what: list(numbered.numbers) for what, numbered in names.items()}
    return Packed(index | {"rows": rows, "blocks": held, "texts": starts}, blocks, len(rows))


def _filled(keeping: Keeping, names: dict[str, _Names]) -> Iterator[_Block]:
    """Fill blocks one after the other; a passage stands in the first block that needs it."""
    block, numbers = _Block(), dict[bytes, int]()
    for kept, body in keeping.records():
        places = []
        for key in kept.texts:
            if key not in numbers:
                numbers[key] = len(numbers)
                block.texts.append(keeping.text(key))
                block.size += len(block.texts[-1])
            places.append(numbers[key])
        for passage in body.get("passages", ()):
            if "text" in passage:
                passage["text"] = places[passage["text"]]
        block.records.append(body)
        block.rows.append(_row(kept, body, names))
        block.size += len(kept.packed)
        if block.full:
            yield block
            block = _Block()
    if block.records:
        yield block


def _row(kept: Kept, body: Body, names: dict[str, _Names]) -> list[Any]:
    """Return a line of the index: id, question, bucket, cause, category, codes, flags, place in the run, claims."""
    return [
        body["id"],
        line(body.get("question", ""), _MOST_OF_QUESTION),
        names["buckets"].of(body["bucket"]),
        names["causes"].of(body["cause"]) if "cause" in body else -1,
        names["categories"].of(body.get("category", UNCATEGORISED)),
        [names["codes"].of(code_of(code)) for code in kept.codes],
        kept.flags,
        kept.number,
        len(body.get("claims", ())) + body.get("claims_more", 0),
    ]


def _encode(block: Any) -> str:
    return base64.b64encode(gzip.compress(dump(block).encode(), _LEVEL, mtime=0)).decode()


def dump(value: Any) -> str:
    """Write JSON that may stand inside a script element: nothing in it ends the element or opens a comment."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
