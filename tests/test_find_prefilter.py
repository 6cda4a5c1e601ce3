"""What is passed over before identifiers and addresses are looked for: never a text that holds one."""

from __future__ import annotations

import legal_rows
import reference_rows
from hypothesis import given
from hypothesis import strategies as st
from tables import every_row

from showable.read.references import find
from showable.read.references.find import find_references, may_hold_identifiers, may_hold_web
from showable.read.references.identifiers import find_identifiers
from showable.read.references.web_addresses import find_web

MARKS = (
    "10.1000/abc", "doi:", "PMID 123", "PMC7029759", "arXiv:1706.03762", "1706.03762v7", "hep-th/9711200", "abs/2001.00001",
    "ISBN 0306406152", "978-0-262-03384-8", "ISSN 2049-3630", "NCT04437511", "NDA 021436", "BLA 125057", "NBK1116",
    "0000320193-24-000123", "accession no. 0000320193-24-000123", "www.example.org", "WWW.example.org/a", "https://a.org",
    "[a](https://a.org)", "<https://a.org>", "example.org/path", '"A title long," The Guardian, 3 March 2024', "By Ann Lee, ",
    "The Guardian, March 3, 2024", "(2024, March 3). A title here. The Guardian.", " ", "\n", ".", "v", "-", "٣", "ſ", "K",
)  # fmt: skip
"""Well-formed examples and parts of them: what the finders look for, in any order."""


def strings_of(value: object) -> set[str]:
    """Give every text of a table, however deep it stands."""
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        return set().union(*map(strings_of, value.values()))
    return set().union(*map(strings_of, value)) if isinstance(value, list | tuple | set | frozenset) else set()


TABLES = sorted(
    set().union(*(strings_of(value) for rows in (legal_rows, reference_rows) for name, value in vars(rows).items() if name.isupper()))
)  # fmt: skip


def lost(text: str) -> list:
    """Give what the grammars find in a text that the marks would have passed over."""
    identifiers = [] if may_hold_identifiers(text) else find_identifiers(text)
    return [*identifiers, *([] if may_hold_web(text) else find_web(text))]


def test_no_row_of_the_tables_is_lost(monkeypatch):
    assert len(TABLES) > 300
    for text in TABLES:
        assert lost(text) == []
    found = [find_references(text) for text in TABLES]
    monkeypatch.setattr(find, "may_hold_identifiers", lambda _: True)
    monkeypatch.setattr(find, "may_hold_web", lambda _: True)
    assert found == [find_references(text) for text in TABLES]


@given(st.lists(st.one_of(st.sampled_from(MARKS), st.text(max_size=6)), max_size=8).map("".join))
def test_no_text_is_lost(text):
    assert lost(text) == []


@every_row("mark", [mark for mark in MARKS if len(mark) > 1])
def test_each_mark_is_looked_at(mark):
    assert lost(f"See {mark} for more.") == []


def test_ordinary_numbers_are_passed_over():
    text = "Revenue rose 12.4% to $1,245.6 million in 2023, and margin by 60 basis points; 14 stores opened."
    assert not may_hold_identifiers(text)
    assert not may_hold_web(text)
