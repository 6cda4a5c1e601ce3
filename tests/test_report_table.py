"""A run as CSV: its rows, and cells that no spreadsheet takes for a formula."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from report_views import (
    recorded,
    table_of,
    view_of,
    written,
)
from scorecards import SIGNATURE, card, claim
from tables import every_row

from showable.records import Gold
from showable.report.table import COLUMNS, MOST_OF_CELL, safe_cell, write_table

CELLS = [
    # OWASP, "CSV Injection": = + - @, tab and carriage return begin what a spreadsheet may run
    ("=1+1", "'=1+1"),
    ("+1", "'+1"),
    ("-2", "'-2"),
    ("@SUM(A1)", "'@SUM(A1)"),
    ("\t=1", "'\t'=1"),
    ("\r=1", "'=1"),
    ("  =1", "'  =1"),
    ("＝1", "'＝1"),
    ("|cmd", "'|cmd"),
    ("\x1b[31m=1", "'=1"),  # what is stripped must not uncover a formula
    ("1 = 1", "1 = 1"),
    ("30 days", "30 days"),
    ('say "no", he said\nthen', 'say "no", he said\nthen'),
    ("a\x00b\ud800", "ab\ufffd"),
]


@every_row(("text", "shown"), CELLS)
def test_no_cell_is_a_formula(text, shown):
    assert safe_cell(text) == shown


@given(st.text(st.characters(exclude_categories=()), max_size=20))
def test_no_text_begins_a_formula(text):
    assert not re.match(r"\s*[=+\-@|%]", safe_cell(text))


def test_a_cell_holds_no_more_than_a_cell_may():
    """Excel's documented limit is 32,767 characters a cell."""
    shown = safe_cell("x" * 40_000)
    assert len(shown) <= MOST_OF_CELL
    assert shown.endswith("… (7,293 more characters are not shown)")


def test_the_table_has_a_row_an_answer_and_its_text_as_it_is():
    answer = 'First, "second"\nthird; fourth'
    scored = card("q", "unsupported", cause="uncited", why="no citation", claims=(claim("uncited"), claim("supported")))
    raw = written(write_table, view_of([scored], [recorded(scored, answer=answer, gold=Gold(answer="30"))]))
    assert raw.startswith(b"\xef\xbb\xbfid,bucket,cause")
    (row,) = table_of(view_of([scored], [recorded(scored, answer=answer, gold=Gold(answer="30"))]))
    assert tuple(row) == COLUMNS
    expected = {"id": "q", "bucket": "unsupported", "why": "no citation", "answer": answer, "gold_answer": "30"}
    expected |= {"claims": "2", "claims_uncited": "1", "claims_supported": "1", "refusal_quality": ""}
    assert {name: row[name] for name in expected} == expected
    assert row["signature"] == str(SIGNATURE)
