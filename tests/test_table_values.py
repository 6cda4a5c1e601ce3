"""A value stands where its row and column say: tables in every form, and claims that take it from another place."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import every_row

from showable.read.passage_tables import BETWEEN, Table, read_tables
from showable.rubrics.table_values import check_values

MARKDOWN = """Notice on resignation

| Staff | Notice (days) | Form |
|---|---:|---|
| Full-time | 30 | in writing |
| Part-time | 14 | in writing |
| Temporary | 7 | by e-mail |
"""
HTML = (
    "<table><caption>Notice on resignation</caption><tr><th>Staff<th>Notice (days)<th>Form"
    "<tr><td>Full-time<td>30<td>in writing<tr><td>Part-time<td>14<td>in writing<tr><td>Temporary<td>7<td>by e-mail</table>"
)
PIPES = "Notice on resignation\nStaff | Notice (days) | Form\nFull-time | 30 | in writing\nPart-time | 14 | in writing\nTemporary | 7 | by e-mail\n"
CSV = "Staff,Notice (days),Form\nFull-time,30,in writing\nPart-time,14,in writing\nTemporary,7,by e-mail\n"
TABS = CSV.replace(",", "\t")
FORMS = [MARKDOWN, HTML, PIPES, CSV, TABS]
MERGED = (
    "<table><tr><th rowspan=2>Benefit<th colspan=2>Silver<th colspan=2>Silver Plus"
    "<tr><th>Limit (€)<th>Co-payment<th>Limit (€)<th>Co-payment"
    "<tr><td>Dental<td>600<td>30 %<td>1,200<td>20 %<tr><td>Glasses<td>150<td>10 %<td>250<td>5 %</table>"
)
ACCOUNTS = "(USD million)\n\n| | 2023 | 2022 |\n|---|---|---|\n| Revenue | 1,240 | 1,105 |\n| Net income (loss) | 88 | (12) |\n"


@pytest.mark.parametrize("passage", FORMS)
def test_every_form_is_read_alike(passage: str) -> None:
    (table,) = read_tables(passage)
    assert table.header == ("Staff", "Notice (days)", "Form")
    assert written(table, 1) == "Part-time · Notice (days): 14 · Form: in writing"
    place = table.place_of(1)
    assert place is not None
    assert passage[slice(*place)].startswith("Part-time")


@pytest.mark.parametrize("passage", FORMS)
def test_a_value_of_another_row_is_told_with_both_places(passage: str) -> None:
    (check,) = check_values("Part-time staff must give 30 days.", passage)
    assert check.standing == "elsewhere"
    assert "'Part-time · Notice (days)' is 14" in check.reason
    assert "'Full-time · Notice (days)'" in check.reason


CLAIMS = [  # passage, claim, where its values stand; by the cells themselves
    (MARKDOWN, "Part-time staff must give 14 days.", ["stands"]),
    (MARKDOWN, "Someone who works part time gives two weeks' notice.", ["stands"]),
    (MARKDOWN, "Temporary staff give 14 days' notice.", ["elsewhere"]),
    (MARKDOWN, "Full-time staff resign by e-mail.", ["elsewhere"]),
    (MERGED, "Under Silver Plus the dental limit is €1,200.", ["stands"]),
    (MERGED, "Under Silver Plus the dental limit is €600.", ["elsewhere"]),
    (MERGED, "Silver pays up to €150 for glasses.", ["stands"]),
    (MERGED, "Silver pays up to €250 for glasses.", ["elsewhere"]),
    (ACCOUNTS, "Revenue was $1.24 billion in 2023.", ["stands"]),
    (ACCOUNTS, "Revenue was $1,105 million in 2023.", ["elsewhere"]),
    (ACCOUNTS, "The net loss was $12 million in 2022.", ["stands"]),
    (
        "Costs fell, prices rose, and nobody was surprised.\nThen, in May, it all changed again.\n",
        "It changed in May.",
        [],
    ),
]


def written(table: Table, row: int) -> str:
    """Write a row out with its headers: ``Part-time · Notice (days): 14 · Form: in writing``."""
    header = table.header
    told = [f"{header[c.column]}: {c.text}" if header[c.column] else c.text for c in table.rows[row][1:] if c.text]
    return BETWEEN.join([table.row_name(row), *told])


@every_row("passage, claim, standings", CLAIMS)
def test_values_stand_where_headers_say(passage: str, claim: str, standings: list[str]) -> None:
    assert [check.standing for check in check_values(claim, passage)] == standings


def test_prose_with_commas_and_grouped_digits_is_no_table() -> None:
    wrapped = "Revenue, costs, and profit\nrose to 4,860, 2,916, and 729\nin 2023, 2022, and 2021\nas planned, again, and again"
    assert read_tables(wrapped) == ()


@settings(max_examples=50, deadline=None)
@given(st.text(alphabet='|,;-\t\n a1<table>r/d&"', max_size=200))
def test_any_text_is_read_and_places_are_its_own(text: str) -> None:
    for table in read_tables(text):
        assert all(len(row) == len(table.header) for row in table.rows)
        for row in table.rows:
            for cell in row:
                assert cell.place is None or text[slice(*cell.place)] == cell.text
