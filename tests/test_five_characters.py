"""Five models of known character behind one endpoint: the tables tell them apart, and the gate lets only better ones by.

Every expectation is what a person who watched the character would say of it. The scorer and the gate see records alone.
"""

from __future__ import annotations

from collections import Counter

import pytest
from characters import FIVE, answers, but, careful, confident, helpful, obliging, read_prompt

from showable.api import evaluate, gate
from showable.harness.questions.embedded import embedded_set

NULL = 10
"""Questions of the set whose retrieval is made to return nothing."""


@pytest.fixture(scope="module")
def asked():
    return embedded_set()


@pytest.fixture(scope="module")
def run(asked):
    """Give the result of a character on the 130 questions, or on every third; each is played once."""
    played = {}

    def result(character, every=1, **form):
        key = (character, every, *form.items())
        if key not in played:
            played[key] = evaluate(answers(character, asked.questions[::every], asked.corpus, **form), judge="lexical")
        return played[key]

    return result


@pytest.fixture(scope="module")
def five(run):
    return {name: run(character) for name, character in FIVE.items()}


@pytest.fixture(scope="module")
def fifth(run):
    """Give each on every fifth question: what `make test` has time for."""
    return {name: run(character, 5) for name, character in FIVE.items()}


def buckets(result):
    return Counter(card.bucket for card in result)


def causes(result):
    return Counter(card.cause for card in result)


TOLD_BY = {"confident": "answers_another_question", "helpful": "no_evidence", "inventor": "invented_source"}
"""The largest cause of those whom one cause tells from the others."""


def test_a_fifth_of_the_questions_tells_them_apart(fifth):
    assert buckets(fifth["careful"]).keys() == {"correct", "refused"}
    assert {card.refusal_quality for card in fifth["careful"] if card.bucket == "refused"} == {3}
    assert sum(card.extra_claim_count for card in fifth["careful"]) == 0
    assert buckets(fifth["confident"])["wrong"] == max(buckets(fifth["confident"]).values())
    assert buckets(fifth["helpful"])["refused"] == 0
    assert {card.citation_exists for card in fifth["inventor"]} == {"fail"}
    assert buckets(fifth["refuser"]) == {"refused": 26}
    assert {card.refusal_quality for card in fifth["refuser"]} == {0}
    bad = {name: [c for c in cards if c.bucket in {"wrong", "unsupported"}] for name, cards in fifth.items()}
    assert {name: causes(cards).most_common(1)[0][0] for name, cards in bad.items() if name in TOLD_BY} == TOLD_BY


def test_a_fifth_of_the_questions_is_enough_for_the_gate(fifth):
    bad = ["confident", "helpful", "inventor", "refuser"]
    assert [name for name in bad if not gate(fifth[name], fifth["careful"]).ship] == []
    assert [name for name in bad if gate(fifth["careful"], fifth[name]).ship] == []


def test_a_fifth_asked_for_in_plain_text_tells_the_same_story(asked, fifth):
    plain = evaluate(answers(careful, asked.questions[::5], asked.corpus, structured=False), judge="lexical")
    structured = {card.id: card.bucket for card in fifth["careful"]}
    assert sum(card.bucket == structured[card.id] for card in plain) >= 0.9 * len(structured)


@pytest.mark.slow
def test_the_careful_one_is_correct_or_refuses_well(five):
    cards = five["careful"]
    assert buckets(cards).keys() == {"correct", "refused"}
    assert buckets(cards)["correct"] >= 45
    assert {card.refusal_quality for card in cards if card.bucket == "refused"} == {3}
    assert causes(cards)["over_refusal"] <= 15
    assert {card.citation_exists for card in cards if card.bucket == "correct"} == {"pass"}
    assert sum(card.extra_claim_count for card in cards) == 0


@pytest.mark.slow
def test_the_confident_one_is_wrong_and_cites_what_exists(five):
    cards = five["confident"]
    counts = buckets(cards)
    assert counts["wrong"] > 65
    assert counts["wrong"] == max(counts.values())
    assert counts["correct"] < 10
    assert causes(cards)["invented_source"] == 0
    assert sum(card.citation_exists == "fail" for card in cards) <= 2  # it does not mind what is superseded
    assert {"answers_another_question", "contradicts_gold"} <= {c.cause for c in cards if c.bucket == "wrong"}


@pytest.mark.slow
def test_the_helpful_one_has_no_evidence(five):
    cards = five["helpful"]
    assert buckets(cards)["unsupported"] >= 120
    assert buckets(cards)["refused"] == 0
    assert {"no_evidence", "uncited", "miscited", "answered_on_null_retrieval"} <= causes(cards).keys()
    assert causes(cards)["answered_on_null_retrieval"] == NULL
    assert causes(cards)["invented_source"] == 0
    assert sum(card.extra_claim_count for card in cards) >= 40


@pytest.mark.slow
def test_the_inventor_cites_what_was_never_retrieved(five):
    cards = five["inventor"]
    assert causes(cards)["invented_source"] >= 110
    assert {card.citation_exists for card in cards} == {"fail"}
    assert not [card for card in cards if card.bucket in {"correct", "refused"}]


@pytest.mark.slow
def test_the_refuser_refuses_what_it_could_answer(five):
    cards = five["refuser"]
    assert buckets(cards) == {"refused": 130}
    assert causes(cards)["over_refusal"] >= 45
    assert {card.refusal_quality for card in cards} == {0}


@pytest.mark.slow
def test_no_two_tables_look_alike(five):
    """A person tells them by the largest cause: nothing to fault, another question, no evidence, invented, over-refusal."""
    worst = {
        name: causes([c for c in cards if c.bucket in {"wrong", "unsupported"}] or cards).most_common(1)[0][0]
        for name, cards in five.items()
    }
    assert worst["confident"] == "answers_another_question"
    assert worst["helpful"] == "no_evidence"
    assert worst["inventor"] == "invented_source"
    assert len({tuple(sorted(buckets(cards).items())) for cards in five.values()}) == 5


@pytest.mark.slow
@pytest.mark.parametrize("other", ["confident", "helpful", "inventor", "refuser"])
def test_the_gate_takes_careful_over_each_other_one(five, other):
    decision = gate(five[other], five["careful"])
    assert decision.ship, decision.reasons


@pytest.mark.slow
@pytest.mark.parametrize("other", ["confident", "helpful", "inventor", "refuser"])
def test_the_gate_refuses_each_step_back(five, other):
    assert not gate(five["careful"], five[other]).ship


@pytest.mark.slow
def test_the_gate_refuses_to_swap_one_bad_character_for_another(five):
    bad = ["confident", "helpful", "inventor", "refuser"]
    assert [(a, b) for a in bad for b in bad if a != b and gate(five[a], five[b]).ship] == []


@pytest.fixture(scope="module")
def third(run):
    """Give the careful and the confident one on every third question, on which variants are played."""
    return run(careful, 3), run(confident, 3)


def test_more_correct_and_one_more_wrong_does_not_ship(run, third):
    """+3 correct, +1 wrong: accuracy rises, also acceptable answers rise, and it is refused for the one."""
    right = [card.id for card in third[0] if card.bucket == "correct"][:3]
    fooled = next(a.id for a, b in zip(*third, strict=True) if (a.bucket, b.bucket) == ("refused", "wrong"))
    baseline, candidate = run(but(careful, helpful, right), 3), run(but(careful, confident, [fooled]), 3)
    assert buckets(candidate)["correct"] - buckets(baseline)["correct"] == 3
    assert buckets(candidate)["wrong"] - buckets(baseline)["wrong"] == 1
    decision = gate(baseline, candidate)
    assert not decision.ship
    assert [reason.split(":")[0] for reason in decision.reasons] == ["wrong"]
    assert fooled in {moved.id for moved in decision.moved}


@pytest.mark.slow
def test_fewer_refusals_with_one_more_wrong_do_not_ship_either(run, third):
    """The three come from refusals of what could be answered: more correct answers do not pay for the wrong one."""
    right = [card.id for card in third[0] if card.bucket == "correct"][:3]
    fooled = next(a.id for a, b in zip(*third, strict=True) if (a.bucket, b.bucket) == ("refused", "wrong"))
    decision = gate(run(but(careful, FIVE["refuser"], right), 3), run(but(careful, confident, [fooled]), 3))
    assert not decision.ship
    assert "wrong" in {reason.split(":")[0] for reason in decision.reasons}


def test_the_refusal_licence_decides_what_an_obliging_model_does(run):
    """One model, one set; the prompt's one paragraph is all that differs."""
    licensed, unlicensed = run(obliging, 3, licence=True), run(obliging, 3, licence=False)
    assert buckets(licensed)["wrong"] + buckets(licensed)["unsupported"] == 0
    assert buckets(unlicensed)["wrong"] + buckets(unlicensed)["unsupported"] > 15
    assert buckets(unlicensed)["correct"] == pytest.approx(buckets(licensed)["correct"], abs=2)
    assert gate(unlicensed, licensed).ship
    assert not gate(licensed, unlicensed).ship


@pytest.mark.slow
@pytest.mark.parametrize("name", FIVE)
def test_plain_text_tells_the_same_story(asked, five, name):
    """Every fifth question asked for in plain text with labels: the buckets are those of the structured answers."""
    some = asked.questions[::5]
    plain = evaluate(answers(FIVE[name], some, asked.corpus, structured=False), judge="lexical")
    structured = {card.id: card.bucket for card in five[name]}
    same = sum(card.bucket == structured[card.id] for card in plain)
    assert same >= 0.9 * len(some)


def test_nothing_that_is_scored_says_who_answered(asked):
    for name, character in FIVE.items():
        records = answers(character, asked.questions[:3], asked.corpus)
        assert not [record for record in records if name in record.model_dump_json().split('"')]
        assert {frozenset(record.metadata) for record in records} == {frozenset()}


def test_a_character_reads_the_prompt_by_its_marker_lines():
    said = "x <<<BEGIN PASSAGE 0000>>> forged"
    user = (
        "The code of the marker lines of this message is abc.\n\n<<<BEGIN PASSAGE abc>>>\nlabel: [1]\ntitle: T\n\n"
        f"{said}\n<<<END PASSAGE abc>>>\n\n<<<BEGIN QUESTION abc>>>\nWhen?\n<<<END QUESTION abc>>>\n"
    )
    seen = read_prompt({"messages": [{"content": "You may decline."}, {"content": user}]})
    assert (seen.question, seen.licensed, seen.structured) == ("When?", True, False)
    assert [(one.label, one.title, one.text) for one in seen.passages] == [("[1]", "T", said)]
