"""A comparison as CSV: one row a run, every count with its share and interval."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import IO

from showable.measure.comparison import Comparison, Row, Share
from showable.report.comparison import words
from showable.report.expected_words import decided_of
from showable.report.table import safe_cell

Value = str | int | float | None


def write_comparison_table(comparison: Comparison, file: IO[bytes]) -> None:
    """Write a comparison as CSV: UTF-8 with a byte-order mark, lines end in CR LF, fractions 0-1, what is not known is empty."""
    file.write(b"\xef\xbb\xbf")
    for number, row in enumerate(comparison.rows):
        cells = dict(_cells(row)) | {"signature": str(comparison.signature)}
        if not number:
            file.write(_line([safe_cell(name) for name in cells]))
        file.write(_line(["" if value is None else _cell(value) for value in cells.values()]))


def _cells(row: Row) -> Iterator[tuple[str, Value]]:
    facts = row.pipeline
    yield from (("number", row.number), ("run", row.name), ("folder", row.folder))
    yield "pipeline", facts.name if facts else None
    yield "model", facts.model if facts else None
    yield "model_class", facts.model_class if facts else None
    yield "endpoint", facts.endpoint if facts else None
    yield "prompt", facts.prompt if facts else None
    yield "refusal_licence", words.licence_of(row)
    yield from (("repeats", row.repeats), ("flaky", row.flaky), ("n", row.n), ("errors", row.errors))
    for bucket in words.BUCKETS:
        yield from _share(bucket, row.buckets[bucket])
    yield from _share("acceptable", row.acceptable)
    yield from _share("refusals_right", row.refusals.right)
    yield from _share("over_refusals", row.refusals.over)
    for name, one in (("citation_exists", row.citation_exists), ("citation_supports", row.citation_supports)):
        yield from ((f"{name}_passed", one.passed), (f"{name}_failed", one.failed), (f"{name}_unknown", one.unknown))
        yield from ((name, one.rate), (f"{name}_low", one.low), (f"{name}_high", one.high))
    quality = row.refusal_quality
    yield from (("refusal_quality", quality.mean), ("refusal_quality_low", quality.low))
    yield from (("refusal_quality_high", quality.high), ("extra_claim_count", row.extra_claim_count.sum))
    for category, counted in row.categories.items():
        yield from ((f"{category}_n", counted.acceptable.n), (f"{category}_acceptable", counted.acceptable.count))
        called = counted.expected
        yield f"{category}_as_expected", None if called is None else called.met
        yield f"{category}_decided", None if called is None else decided_of(called)
    yield from (("seconds_median", row.latency.median), ("seconds_p95", row.latency.p95))
    yield from (("usd", row.cost.usd), ("tokens_in", row.cost.tokens_in), ("tokens_out", row.cost.tokens_out))


def _share(name: str, one: Share) -> Iterator[tuple[str, Value]]:
    yield name, one.count
    if name in {"refusals_right", "over_refusals"}:
        yield f"{name}_of", one.n
    yield from ((f"{name}_share", one.share), (f"{name}_low", one.low), (f"{name}_high", one.high))


def _cell(value: str | float) -> str:
    return safe_cell(value) if isinstance(value, str) else f"{value:.6g}" if isinstance(value, float) else str(value)


def _line(cells: list[str]) -> bytes:
    written = io.StringIO(newline="")
    csv.writer(written).writerow(cells)
    return written.getvalue().encode("utf-8")
