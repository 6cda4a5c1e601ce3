"""Words in brackets of which nothing says, without a retrieval log, whether they are ids: unknown, and never a failure."""

from __future__ import annotations

import pytest
from tables import every_row

from showable.measure.rubric_outcomes import rubric_outcomes
from showable.read.possible_ids import find_possible_ids
from showable.records.record import Gold, Record, Source
from showable.traces.scorers import grade_unjudged

LOG = (
    Source(source_id="rent", text="Rent is due on the first."),
    Source(source_id="lease", text="The lease runs a year."),
)
PLACES = [
    ("Rent is due [rent].", ["[rent]"]),
    ("Rent is due [rent][lease].", ["[rent]", "[lease]"]),
    ("Rent is due. [rent, lease-2]", ["[rent, lease-2]"]),
    ("Rent is due [AB12].", ["[AB12]"]),
    ("Rent is due [Lease].", ["[Lease]"]),
    ("Rent is due [31452104].", ["[31452104]"]),
    ("Rent is due [sic].", []),
    ("Rent is due [emphasis-added].", []),
    ("Rent is due [1].", []),
    ("In [2019] rent rose.", []),
    ("Cases of [COVID-19] and [CO2] rose.", []),
    ("It says “the [tenant] pays rent”.", []),
    ("Rent is due [on the first of the month].", []),
    ("Rent is due [here](https://example.org).", []),
    ("![rent](rent.png)", []),
    ("Take `rows[rent]` or rows[rent].", []),
    ("[ ] to do, [x] done", []),
    ("```\nRent is due [rent].\n```", ["[rent]"]),
    ("```\nx = rows [rent]\n```", []),
]


@every_row(("text", "found"), PLACES)
def test_brackets_that_could_be_ids(text, found):
    assert [text[start:end] for start, end in find_possible_ids(text)] == found


def card(answer, log, gold=None):
    return grade_unjudged(Record(id="a", question="When is rent due?", answer=answer, retrieved=log, gold=gold))


OUTCOMES = [
    ("Rent is due on the first [rent].", None, "unknown"),
    ("Rent is due on the first [rent].", LOG, "pass"),
    ("Rent is due on the first.\n\n[rent]", None, "unknown"),
    ("Rent is due on the first [1].", None, "pass"),
    ("Rent is due on the first.", None, "fail"),
    ("Rent is due on the first [sic].", None, "fail"),
    ("Rent is due on the first [sic].", LOG, "fail"),
    ("I cannot tell [rent].", None, "not_applicable"),
]


@pytest.mark.parametrize(("answer", "log", "expected"), OUTCOMES)
def test_structural_is_unknown_where_only_a_log_would_tell(answer, log, expected):
    assert rubric_outcomes(card(answer, log)).structural == expected


def test_nothing_is_said_of_citations_that_may_be_there():
    bare, perhaps = (card(f"Rent is due on the first{words}.", None) for words in ("", " [rent]"))
    assert (bare.citation_exists, bare.citation_supports) == ("not_applicable", "not_applicable")
    assert (perhaps.citation_exists, perhaps.citation_supports) == ("unknown", "unknown")
    assert [f.code for f in perhaps.findings if f.outcome == "fail"] == []


def test_agreement_with_gold_does_not_make_it_uncited():
    gold = Gold(answer="On the first.", answerable=True)
    assert card("Rent is due on the first [rent].", None, gold).bucket == "unknown"
