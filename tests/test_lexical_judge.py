"""What the judge without a model decides, quotes and explains. Expected values are hand-made unless a row says otherwise."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import every_row

from showable.judges.lexical import LexicalJudge, judge_pair
from showable.judges.lexical.words import split_words, term
from showable.records import Cost, Judge, Pair

LABELS = [
    # claim, passage, label, words in the reason
    ("No, the deposit is not refundable.", "The deposit is refundable.", "contradicted", "negated"),
    ("No, the deposit is refundable.", "The deposit is refundable.", "supported", None),
    (
        "Zolaprine is recommended in pregnancy.",
        "Zolaprine is contraindicated in pregnancy.",
        "contradicted",
        "contraindicated",
    ),
    (
        "Acme had revenue of $1.58 million, against $1.49 million a year earlier.",
        "Acme reported revenue of 1,577 thousand dollars, up from 1,492 thousand dollars a year earlier.",
        "supported",
        None,
    ),
    ("The notice period is 60 days.", "The notice period is 30 days.", "contradicted", "30 days"),
    ("The notice period is thirty days.", "The notice period is 30 days.", "supported", None),
    ("Revenue fell 5% in 2020.", "Revenue rose 5% in 2020.", "contradicted", "rose"),
    ("Revenue rose in 2021.", "Revenue rose in 2020.", "contradicted", "2020"),
    ("The drug does not reduce mortality.", "The drug reduced mortality by 12 percent.", "contradicted", "negated"),
    (
        "The contract can be terminated by either party.",
        "The contract cannot be terminated by either party.",
        "contradicted",
        "negated",
    ),
    ("Both parties met in Zurich on Monday.", "Both parties met in Geneva on Monday.", "unsupported", "Zurich"),
    ("Lyon is the capital of France.", "Paris is the capital of France.", "unsupported", "Lyon"),
    ("The fee covers heating and water.", "The fee covers heating.", "partial", "water"),
    ("The fee covers heating and water.", "The fee covers heating, and also water.", "supported", None),
    ("Acme was acquired by Globex in 2019.", "Globex acquired Acme in 2019.", "supported", None),
    ("Some employees are eligible.", "Some employees are eligible after a year.", "supported", None),
    ("The office is in Zurich.", "The company rents an office near the lake.", "unsupported", "Zurich"),
    ("The organisation's colour is grey.", "The color of the organization is gray or grey.", "supported", None),
    (
        "Tenants must give two months' notice.",
        "A tenant must give 2 months of notice to the landlord.",
        "supported",
        None,
    ),
    ("The film was directed by Zoë Müller.", "The movie was directed by Zoe Muller.", "supported", None),
    ("The U.S. economy grew.", "The US economy grew again.", "supported", None),
]


@every_row(("claim", "passage", "label", "said"), LABELS)
def test_a_claim_is_labelled_with_its_reason(claim, passage, label, said):
    verdict = judge_pair(Pair(claim, passage))
    assert verdict.label == label, verdict
    assert (said is None and verdict.reason is None) or said in verdict.reason


NO_CONTRADICTION = [
    ("Sales rose more than 10% in Spain.", "Sales rose 12% in Spain."),  # a bound is no other number
    ("The company has offices in Berlin.", "The company does not have offices in Rome."),  # another object
    ("The drug reduced pain.", "The drug did not reduce fever, but it reduced pain."),  # another clause
    ("If it rains, the match is not played.", "The match is played at noon."),  # a condition
    ("The fee is not refundable.", "The fee is non-refundable."),  # the same in other words
    ("The plan has 30 members.", "The plan costs 60 euros and runs for a year."),  # other things counted
]


@pytest.mark.parametrize(("claim", "passage"), NO_CONTRADICTION)
def test_a_contradiction_is_not_called_where_it_is_not_sure(claim, passage):
    assert judge_pair(Pair(claim, passage)).label != "contradicted"


@pytest.mark.parametrize(
    ("claim", "passage", "side"),
    [("", "A text.", "claim"), (" [1] ", "A text.", "claim"), ("A text.", "", "passage"), ("A text.", "…", "passage")],
)
def test_nothing_to_compare_is_unknown_with_a_reason(claim, passage, side):
    verdict = judge_pair(Pair(claim, passage))
    assert verdict.label == "unknown"
    assert verdict.p is None
    assert side in verdict.reason


def test_the_quote_is_the_best_sentence_of_the_original_passage():
    passage = "Interns are paid weekly. The notice period is 30 days. Lunch is free."
    verdict = judge_pair(Pair("The notice period is 30 days.", passage))
    assert verdict.quote == "The notice period is 30 days."
    assert passage[slice(*verdict.quote_span)] == verdict.quote


def test_unseen_characters_do_not_hide_words_nor_move_the_quote():
    passage = "Lunch is free. The no\u200btice period is 30\u00ad days."
    verdict = judge_pair(Pair("The notice period is 30 days.", passage))
    assert verdict.label == "supported"
    assert passage[slice(*verdict.quote_span)] == verdict.quote == "The no\u200btice period is 30\u00ad days."


def test_words_in_common_do_not_make_a_passage_topical():
    """A procedural claim is supported by a passage about it: shared words do not tell that, so nothing is said."""
    about = judge_pair(Pair("The notice period for managers is six weeks.", "The notice period is agreed in writing."))
    assert (about.label, about.topical) == ("unsupported", None)


def test_the_judge_is_a_judge_and_costs_nothing():
    judge = LexicalJudge()
    pairs = [Pair("Lunch is free.", "Lunch is free."), Pair("Lunch is free.", "The moon is full.")]
    assert isinstance(judge, Judge)
    assert (judge.name, judge.prompt_hash) == ("lexical@2", None)
    assert judge.estimate(pairs) == Cost(calls=0, tokens_in=0, tokens_out=0, usd=0.0)
    assert [v.label for v in asyncio.run(judge.verdicts(pairs))] == ["supported", "unsupported"]


SAME_TERM = [
    ("running", "runs"), ("studied", "studies"), ("travelled", "traveling"),
    ("wives", "wife"), ("children", "child"), ("went", "goes"), ("43,548", "43548"), ("2.50", "2.5"), ("Müller's", "muller"),
    ("analyses", "analysis"), ("increasing", "increased"), ("U.S.", "US"),
]  # fmt: skip


@every_row(("one", "other"), SAME_TERM)
def test_two_forms_of_a_word_are_one_term(one, other):
    assert term(one) == term(other)


@pytest.mark.parametrize(
    ("one", "other"), [("note", "not"), ("noted", "not"), ("us", "US"), ("business", "busy"), ("30", "3")]
)
def test_two_words_are_not_one_term(one, other):
    assert term(one) != term(other)


def test_a_long_passage_is_judged():
    filler = "The committee met again and discussed the budget of the previous year in detail. "
    passage = filler * 1200 + "The notice period is 30 days. " + filler * 1200
    verdict = judge_pair(Pair("The notice period is 30 days.", passage))
    assert len(passage) > 190_000
    assert verdict.quote == "The notice period is 30 days."
    assert verdict.label == "supported"


TEXT = st.text(alphabet=st.sampled_from("ab not 3% .,\n[1]é中\u200bNo“IgZ"), max_size=60)


@settings(max_examples=80)
@given(TEXT, TEXT)
def test_any_text_gets_a_sound_verdict_and_always_the_same(claim, passage):
    verdict = judge_pair(Pair(claim, passage))
    assert verdict == judge_pair(Pair(claim, passage))
    if verdict.label == "unknown":
        assert verdict.reason
        return
    assert 0 <= verdict.p <= 1
    assert (verdict.label == "supported") == (verdict.p >= 0.5)
    assert (verdict.reason is None) == (verdict.label == "supported")
    if verdict.quote_span:
        assert passage[slice(*verdict.quote_span)] == verdict.quote


@settings(max_examples=100)
@given(
    st.lists(
        st.sampled_from(
            ["the", "committee", "met", "Zurich", "30", "days", "budget", "rose", "fell", "not", "never", "paid"]
        ),
        min_size=3,
        max_size=12,
    )
)
def test_a_text_supports_itself(words):
    text = " ".join(words)
    assert judge_pair(Pair(text, text)).label in {"supported", "unknown"}


def test_offsets_of_words_index_the_text():
    text = "Zoë paid 43,548 euros – twice."
    words = split_words(text)
    assert [text[a:b] for a, b in zip(words.starts, words.ends, strict=True)] == words.surface


@pytest.mark.parametrize("size", [5_000, pytest.param(200_000, marks=pytest.mark.slow)])
@every_row("piece", ["and ", "fee and ", "Bob or ", "a, ", "not ", "more than 5 "])
def test_a_claim_that_repeats_itself_is_judged(piece, size):
    # quadratic judging would take minutes of the long one, and be seen
    claim = piece * (size // len(piece))
    assert judge_pair(Pair(claim, "The fee is more than 5, and Bob does not pay. ")).label
