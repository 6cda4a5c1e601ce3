"""A run as CSV (RFC 4180), one row an answer, for people who sort and filter in a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from typing import IO, get_args

from showable.records.findings import Outcome
from showable.records.scorecard import Support
from showable.report.answer_text import answer_text
from showable.report.run_view import Entry, RunView
from showable.report.untrusted import printable

MOST_OF_CELL = 32_767
"""A cell of Excel holds no more characters; the rest would be lost without a word."""
_FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20|%]")
"""What spreadsheets may take for the beginning of a formula, after blanks too, and in full width."""
_WITHIN = re.compile(r"([;\t\n][^\S\t\n]*)([=+\-@\uff1d\uff0b\uff0d\uff20|%])")
"""The same within a cell: where `;` or a tab parts cells, as spreadsheets go by the country, a cell begins there."""
_SUPPORTS: tuple[Support, ...] = get_args(Support)

COLUMNS = (
    "id",
    "bucket",
    "cause",
    "why",
    "category",
    "labelled",
    "citation_exists",
    "citation_supports",
    "refusal_quality",
    "extra_claim_count",
    "gold_agreement",
    "refusal",
    "refusal_basis",
    "release",
    "claims",
    *(f"claims_{support}" for support in _SUPPORTS),
    "citations",
    "findings_failed",
    "findings_unknown",
    "failed_codes",
    "question",
    "answer",
    "gold_answer",
    "signature",
)


def write_table(view: RunView, file: IO[bytes]) -> None:
    """Write a run as CSV, in constant memory.

    UTF-8 with a byte-order mark, without which Excel reads it as another encoding; lines end in CR LF. What does not
    apply is empty. A value that a spreadsheet might take for a formula (it begins with ``= + - @ | %`` or a tab, or a
    line or what follows a `;` or a tab in it does) gets an apostrophe before it; one of more than 32,767 characters is cut, and says by how many.
    """
    signature = str(view.summary.signature)
    file.write(b"\xef\xbb\xbf")
    file.write(_line(COLUMNS))
    for entry in view.entries():
        file.write(_line([*_cells(entry), safe_cell(signature)]))


def safe_cell(text: str) -> str:
    """Return text that a spreadsheet shows as it is: no formula, no control characters, no more than a cell holds."""
    shown = printable(text, one_line=False)
    shown = _WITHIN.sub(r"\1'\2", shown)
    if text[:1] in {"\t", "\r", "\n"} or _FORMULA.match(shown):
        shown = f"'{shown}"
    if len(shown) <= MOST_OF_CELL:
        return shown
    kept = MOST_OF_CELL - 60
    return f"{shown[:kept]}… ({len(shown) - kept:,} more characters are not shown)"


def _line(cells: Sequence[str]) -> bytes:
    written = io.StringIO(newline="")
    csv.writer(written).writerow(cells)
    return written.getvalue().encode("utf-8")


def _cells(entry: Entry) -> Iterator[str]:
    """Yield the cells of one answer, in the order of COLUMNS, all but the signature."""
    record, card = entry.record, entry.card
    supports = [claim.support for claim in card.claims]
    failed = [finding.code for finding in card.findings if finding.outcome is Outcome.FAIL]
    unknown = sum(finding.outcome is Outcome.UNKNOWN for finding in card.findings)
    texts: tuple[str | int | None, ...] = (
        card.id,
        card.bucket,
        card.cause,
        card.why,
        card.category,
        card.labelled,
        card.citation_exists.value,
        card.citation_supports.value,
        card.refusal_quality,
        card.extra_claim_count,
        card.gold_agreement,
        card.refusal,
        card.refusal_basis,
        card.release.verdict if card.release else None,
        len(supports),
        *(supports.count(support) for support in _SUPPORTS),
        sum(len(claim.citations) for claim in card.claims) + len(card.loose),
        len(failed),
        unknown,
        " ".join(dict.fromkeys(failed)),
        record.question,
        answer_text(entry),
        record.gold.answer if record.gold else None,
    )
    for value in texts:
        yield str(value) if isinstance(value, int) else safe_cell(value or "")
