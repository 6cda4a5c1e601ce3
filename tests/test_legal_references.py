"""The legal grammar as a whole: how much of the tables it reads, and what holds of any text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from legal_rows import agrees
from test_legal_cases import CASES
from test_legal_statutes import STATUTES
from test_legal_traps import NOTHING

from showable.read.references.legal import find_legal

LEAST = 0.98
ROWS = [*((text, expected) for text, expected, _ in [*CASES, *STATUTES]), *((text, []) for text, _ in NOTHING)]
CITED = [(text, expected) for text, expected in ROWS if expected]
FRAGMENTS = [
    "Roe v. Wade", ", ", "410 U.S. 113", " (1973)", "Id. at 5", "; ", ". ", " § ", "§§ ", "28 U.S.C. § 1331", ", 1332", "(a)", "[2019] UKSC 41", " v ", "v. ",
    "2019 WL 4639462", "No. 18-13694", "supra", "Roe, supra, at 5", "F.3d", "12 F.3d 34", "12", "(", ")", "[", "]", "*", "_", "\n", "\n\n", "“", "’", "&sect; ", "<i>",
    "Fed. R. Civ. P. 12(b)(6)", "85 Fed. Reg. 12,345", "33 Umbrella 422", "aff'd, ", "(quoting ", "In re ", "Inc.", "\u200b", "\u00ad", "🙂", "\ud800", "ª", "٣", "…",
]  # fmt: skip
HOSTILE = st.one_of(st.text(max_size=300), st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join))


def test_there_are_enough_rows():
    assert len(ROWS) >= 170
    assert len(NOTHING) >= 40
    assert all(source for *_, source in [*CASES, *STATUTES, *NOTHING])


def test_precision_and_recall_over_the_tables():
    wanted = found_in_all = right = 0
    for text, expected in ROWS:
        found = find_legal(text)
        wanted += len(expected)
        found_in_all += len(found)
        right += sum(any(agrees(one, row) for one in found) for row in expected)
    assert right / wanted >= LEAST, f"recall {right}/{wanted}"
    assert right / found_in_all >= LEAST, f"precision {right}/{found_in_all}"


@given(HOSTILE)
@settings(max_examples=100)
def test_of_any_text_the_offsets_hold_and_nothing_is_raised(text):
    found = find_legal(text)
    assert [one.span for one in found] == sorted(one.span for one in found)
    for place, one in enumerate(found):
        assert text[slice(*one.span)] == one.reference.text
        assert one.full[0] <= one.span[0] < one.span[1] <= one.full[1] <= len(text)
        assert one.antecedent is None or one.antecedent < place
        assert one.group is None or one.group <= place
        assert all(one.reference.fields.values())


@given(st.sampled_from(CITED), st.sampled_from(ROWS))
@settings(max_examples=80)
def test_a_text_that_follows_changes_nothing_of_what_came_before(first, second):
    alone = find_legal(first[0])
    together = find_legal(f"{first[0]}.\n\nNothing more.\n\n{second[0]}")
    kept = together[: len(alone)]
    assert [(one.reference, one.span, one.antecedent, one.group) for one in kept] == [
        (one.reference, one.span, one.antecedent, one.group) for one in alone
    ]


@given(st.sampled_from(CITED))
@settings(max_examples=100)
def test_a_text_that_goes_before_moves_the_offsets_and_no_more(row):
    before = "Nothing is cited here.\n\n"
    moved = [(one.reference, one.span[0] - len(before)) for one in find_legal(before + row[0])]
    assert moved == [(one.reference, one.span[0]) for one in find_legal(row[0])]


@pytest.mark.parametrize("mark", ["\u200b", "\u00ad", "\u2060"])
def test_an_invisible_character_hides_no_citation_and_moves_no_offset(mark):
    text = f"Roe v. Wade, 410{mark} U.S.{mark} 113 (1973)"
    (found,) = find_legal(text)
    assert found.reference.fields["page"] == "113"
    assert text[slice(*found.span)] == f"410{mark} U.S.{mark} 113"


def test_parallel_citations_share_a_group_and_name_each_other():
    text = "Brown v. Bd. of Educ., 347 U.S. 483, 74 S. Ct. 686 (1954)"
    first, second = find_legal(text)
    assert (first.group, second.group) == (0, 0)
    assert first.reference.fields["parallel"] == "74 S. Ct. 686"
    assert second.reference.fields["parallel"] == "347 U.S. 483"
    assert text[slice(*second.full)] == text
