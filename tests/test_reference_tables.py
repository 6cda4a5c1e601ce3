"""How often the reading of references is right, over the legal and the scholarly tables together and kind by kind."""

from __future__ import annotations

import pytest
from reference_rows import figures

LEAST = 0.98
LEAST_ROWS, ROWS_OF_A_KIND = 300, 5
KINDS = {
    *("case", "case_short", "supra", "id", "neutral_uk", "westlaw", "lexis", "docket", "usc", "cfr", "fed_reg"),
    *("public_law", "statutes_at_large", "fed_rule", "law_journal", "doi", "pmid", "pmcid", "arxiv", "isbn", "issn"),
    *("nct", "fda_application", "sec_accession", "nbk", "bibliographic", "news", "url"),
}


@pytest.fixture(scope="module")
def told():
    return figures()


def test_there_are_rows_enough_of_every_kind(told):
    assert told.rows >= LEAST_ROWS
    assert set(told.due) == KINDS
    assert {kind: count for kind, count in told.rows_with.items() if count < ROWS_OF_A_KIND} == {}


def test_precision_and_recall_over_all_rows(told):
    """A reference is right where its kind, its very characters, each field named and what it points back to are."""
    assert told.precision() >= LEAST, told.wrong
    assert told.recall() >= LEAST, told.wrong


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_precision_and_recall_of_each_kind(told, kind):
    assert told.precision(kind) >= LEAST, told.wrong
    assert told.recall(kind) >= LEAST, told.wrong
