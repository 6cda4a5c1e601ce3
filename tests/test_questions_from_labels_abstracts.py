"""What is asked of abstracts: plain conclusions alone, near misses that are near, other groups, and what no abstract says. Own texts."""

from __future__ import annotations

import re

import pytest

from showable.harness.corpora.corpus import Corpus, Labelled
from showable.harness.questions.build import from_labels
from showable.harness.questions.from_labels_abstracts import (
    asked_twice,
    holds_one_of,
    near_study,
    supposed,
    with_two_meanings,
)
from showable.harness.questions.from_labels_conclusions import answers_plainly
from showable.harness.questions.from_labels_other_groups import SWAPS, for_another_group
from showable.harness.questions.labelled_ground import Ground
from showable.harness.questions.refusal_templates import CONDITIONS, MEDICAL_TEMPLATES, WHY_OUT_OF_SCOPE
from showable.records.record import Gold, GoldEvidence, Source

TEA = "Does warm tea shorten bronchitis in children?"


def corpus(*abstracts):
    """Make a corpus of (question, decision, opening, conclusion), and a few passages on other things."""
    sources = [
        Source(
            source_id=f"filler#{n}", text=f"The mill number {n} grinds corn at Westmoor.", metadata={"document": "f"}
        )
        for n in range(400)
    ]
    labels = []
    for number, (question, decision, opening, conclusion) in enumerate(abstracts):
        for place, text in enumerate((opening, conclusion), 1):
            name = f"{number}#{place}"
            sources.append(Source(source_id=name, text=text, metadata={"document": f"{number}", "start": 0}))
        evidence = GoldEvidence(source_id=f"{number}#2", start=0, end=len(conclusion))
        gold = Gold(answer=decision, answerable=True, evidence=(evidence,))
        kind = "answered" if decision == "Yes" else "contradicted"
        labels.append(Labelled(id=f"{number}", document=f"{number}", question=question, kind=kind, gold=gold))
    return Corpus(
        name="pubmedqa", origin="test", licence="none", sources=tuple(sources), labelled=tuple(labels), notes=()
    )


def grounded(*abstracts):
    ground = Ground(corpus(*abstracts))
    return ground, {label.document: label for label in ground.corpus.labelled}


@pytest.mark.parametrize(
    ("decision", "conclusion", "plain"),
    [
        ("Yes", "Warm tea shortens bronchitis in children.", True),
        ("No", "Warm tea does not shorten bronchitis in children.", True),
        ("Yes", "Warm tea does not shorten bronchitis in children.", False),  # labelled against what it says
        ("No", "Warm tea shortens bronchitis in children.", False),
        ("Yes", "Warm tea may shorten bronchitis in children.", False),
        ("No", "Warm tea does not shorten bronchitis. However, children liked it.", False),
        ("No", "Colds did not last long. Warm tea shortened bronchitis in children.", False),  # denies something else
        ("Yes", "This adds to what is known of the subject.", False),  # does not take up the question
        ("Yes", "Warm tea shortens bronchitis in children. Further studies are planned.", True),
    ],
)
def test_a_conclusion_is_plain_where_it_says_what_people_labelled(decision, conclusion, plain):
    ground, labels = grounded((TEA, decision, "We gave tea.", conclusion))
    assert answers_plainly(ground, labels["0"]) == plain


@pytest.mark.parametrize(
    ("opening", "decision", "found"),
    [
        ("Warm tea has been reported to shorten bronchitis in children.", "No", "0#1"),
        ("Warm tea has been reported to shorten bronchitis in children.", "Yes", None),  # then it leads nobody astray
        ("It is unclear whether warm tea may shorten bronchitis in children.", "No", None),  # decides nothing
        ("Since May 2009 warm tea is sold to children with bronchitis.", "No", None),  # a month, not a maybe
        ("Coughing has been reported in winter.", "No", None),
    ],
)
def test_what_was_believed_before_stands_in_the_opening(opening, decision, found):
    ground, labels = grounded((TEA, decision, opening, "Tea."))
    assert supposed(ground, labels["0"]) == found


def test_a_near_study_shares_more_than_the_topic():
    tea = (TEA, "Yes", "We gave warm tea.", "Warm tea shortens bronchitis in children.")
    near = ("Does warm tea prevent bronchitis in adults?", "No", "Adults had tea.", "Warm tea prevents no bronchitis.")
    topic = ("Is tea grown at Westmoor?", "No", "Tea does not grow there.", "No tea grows at Westmoor.")
    same = ("Does warm tea prevent bronchitis in adults?", "Yes", "Adults had tea.", "Warm tea prevents bronchitis.")
    ground, labels = grounded(tea, topic, near)
    assert near_study(ground, labels["0"], labels)[1].document == "2"
    for others in ((topic,), (same,)):
        ground, labels = grounded(tea, *others)
        assert near_study(ground, labels["0"], labels) is None


def test_a_question_that_two_studies_answer_differently_is_not_asked():
    tea = (TEA, "Yes", "We gave warm tea.", "Warm tea shortens bronchitis in children.")
    other = (
        "Is a hot drink a help in bronchitis?",
        "No",
        "Children drank warm tea.",
        "Warm tea did not shorten bronchitis.",
    )
    ground, labels = grounded(tea, other)
    assert asked_twice(ground, labels["0"], labels)
    assert not [one for one in from_labels(ground.corpus) if one.question.question == TEA]
    ground, labels = grounded(tea)
    assert not asked_twice(ground, labels["0"], labels)


@pytest.mark.parametrize(
    ("question", "text", "asked"),
    [
        (TEA, "We gave tea.", "Does warm tea shorten bronchitis in adults?"),
        (TEA, "We gave tea to adults as well.", None),  # the abstract speaks of them
        ("Does warm tea shorten bronchitis in children and adults?", "We gave tea.", None),
        ("Does warm tea during pregnancy help women?", "We gave tea.", None),  # nonsense of men
        (
            "Is tea good for the knee after total knee arthroplasty?",
            "We gave tea.",
            None,
        ),  # what is left goes with the old
        ("Does warm tea shorten bronchitis in sailors?", "We gave tea.", None),
    ],
)
def test_a_title_is_asked_of_another_group(question, text, asked):
    ground, labels = grounded((question, "Yes", text, "Tea it is."))
    swapped = for_another_group(ground, labels["0"])
    assert (swapped and swapped[0]) == asked


def test_no_other_group_where_another_study_is_of_it():
    other = ("Is tea good?", "Yes", "Warm tea shortens bronchitis in adults.", "Tea it is.")
    ground, labels = grounded((TEA, "Yes", "We gave tea.", "Tea it is."), other)
    assert for_another_group(ground, labels["0"]) is None


def test_every_swap_looks_for_what_it_puts_in():
    for old, new, words in SWAPS:
        assert old != new
        assert words.split("|")
        assert not re.search(r"\s$|^\s", old + new)


def test_an_abbreviation_with_two_meanings_is_not_asked_with():
    texts = [
        "We tried assisted river transport (ART) once.",
        "Aged red tea (ART) was drunk.",
        "Warm tea cure (WTC) helps.",
        "A warm tea cure (WTC) is cheap.",
    ]
    found = with_two_meanings(Source(source_id=f"{n}", text=text) for n, text in enumerate(texts))
    assert found == {"ART"}
    assert holds_one_of("Does ART shorten bronchitis?", found)
    assert not holds_one_of("Does WTC shorten bronchitis? Art does.", found)


def test_what_is_not_said_is_one_question_a_study():
    title = "Does warm tea shorten bronchitis in sailors?"
    abstracts = [(title, "Yes", f"We asked {n} patients." + " So." * n, "Tea it may be.") for n in range(60)]
    made = [one for one in from_labels(corpus(*abstracts)) if one.category == "unanswerable"]
    assert made
    assert len({one.document for one in made}) == len(made)
    assert all(one.question.question.startswith(f"In the study that asked “{title}”, ") for one in made)
    assert len({one.made_by for one in made}) > 1
    assert not {one.made_by for one in made} & {"template:language", "template:dropout"}  # no questionnaire, no trial


def test_what_a_patient_asks_has_a_reason_to_be_refused():
    for kind, template in MEDICAL_TEMPLATES:
        assert kind in WHY_OUT_OF_SCOPE
        assert "{condition}" in template
    assert len(set(CONDITIONS)) == len(CONDITIONS)
