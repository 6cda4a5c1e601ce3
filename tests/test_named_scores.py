"""What an answer leaves out, and what it repeats of its question: found by marks, told from what only looks like it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tables import every_row

import showable
from showable.judges.scripted import ScriptedJudge, ScriptedVerdict
from showable.measure.measures import MEASURES
from showable.records import Gold, Outcome
from showable.rubrics.premises import premises_of
from showable.rubrics.table_values import terms

COUNTS = {measure.name: measure.count for measure in MEASURES}
LEASE = "A tenant may end the lease with 30 days' notice. "


def said(name, answer, passages, verdicts=(), *, question="What holds?", gold=None):
    """Return what a measure says of one answer: yes, no, unknown or n/a. A passage supports the claim where no verdict is given."""
    retrieved = [{"source_id": f"s{n}", "text": text} for n, text in enumerate(passages, 1)]
    labels = dict(enumerate(verdicts))
    judge = ByPassage({text: labels.get(n, "supported") for n, text in enumerate(passages)})
    record = {"id": "r", "question": question, "retrieved": retrieved, "answer": answer, "gold": gold}
    card = showable.score(record, judge=judge, profile="medical")  # under which sources are read that are not cited
    counts = COUNTS[name](card)
    found = {"yes": counts.passed, "no": counts.failed, "unknown": counts.unknown, "n/a": counts.not_applicable}
    assert sum(found.values()) == 1, found
    return next(outcome for outcome, n in found.items() if n), card


class ByPassage:
    """Gives each passage its label, whatever the claim."""

    name, prompt_hash = "scripted@by-passage", None

    def __init__(self, labels):
        self.labels = labels

    async def verdicts(self, pairs):
        table = [
            ScriptedVerdict(claim=pair.claim, passage=pair.passage, label=self.labels.get(pair.passage, "unsupported"))
            for pair in dict.fromkeys(pairs)
        ]
        return await ScriptedJudge(table).verdicts(pairs)

    def estimate(self, _pairs):
        raise AssertionError


CHERRY = [
    # (answer, passages, labels, outcome, source). Hand-made after DESIGN §4: evidence against, or a qualifier beside.
    ("The notice is 30 days [s1].", [f"{LEASE}However, no lease ends in its first year."], (), "yes", "a contrast behind it"),
    ("A tenant may end the lease with 30 days' notice [s1].", [f"{LEASE}This does not hold for furnished flats."], (), "yes", "a pronoun and a denial"),
    ("A tenant may end the lease with 30 days' notice [s1].", ["A tenant may end the lease with 30 days' notice, except in the first winter after moving in."], (), "yes", "an exception in the same sentence"),
    ("A tenant may end the lease with 30 days' notice [s1].", [f"{LEASE}In furnished flats the notice is two weeks."], (), "yes", "another value under a condition"),
    ("A tenant may end the lease with 30 days' notice, not in furnished flats though [s1].", [f"{LEASE}This does not hold for furnished flats."], (), "no", "told"),
    ("A tenant may end the lease with 30 days' notice [s1]. Furnished flats are excluded [s1].", [f"{LEASE}This does not hold for furnished flats."], (), "no", "told in another sentence"),
    ("A tenant may end the lease with 30 days' notice [s1].", [f"{LEASE}The office on the ground floor opens at nine."], (), "no", "another matter"),
    ("A tenant may end the lease with 30 days' notice [s1].", [f"{LEASE}Bicycles may not be kept in the stairwell."], (), "no", "a denial of another matter"),
    ("This does not hold for furnished flats in the old town [s1].", [f"{LEASE}This does not hold for furnished flats in the old town."], (), "no", "the qualifier itself is cited"),
    ("The notice is 30 days [s1].", [LEASE, "The notice is 90 days."], ("supported", "contradicted"), "yes", "another source says otherwise"),
    ("The notice is 30 days [s1].", [LEASE, "The rent is due on Monday."], ("supported", "unsupported"), "no", "another source says nothing of it"),
    ("The notice is 30 days [s1].", [f"{LEASE}However, no lease ends in its first year."], ("unsupported",), "n/a", "nothing is supported: nothing was picked"),
    ("The notice is 30 days [s1].", [LEASE], ("unknown",), "unknown", "support was not decided"),
    ("I could not find that.", [LEASE], (), "n/a", "no claim"),
    (None, [LEASE], (), "unknown", "no answer to read"),
]  # fmt: skip


@every_row(("answer", "passages", "labels", "outcome", "source"), CHERRY)
def test_one_side_alone_is_told_from_both(answer, passages, labels, outcome, source) -> None:
    found, card = said("cherry_picking", answer, passages, labels)
    assert found == outcome, (source, card.findings)
    assert any(f.code == "semantic.cherry_picking" and f.outcome is Outcome.FAIL for f in card.findings) == (
        outcome == "yes"
    )


WHY = "Why was the notice raised to 60 days?"
PREMISE = [
    # (question, answer, labels, outcome, source). Hand-made after DESIGN §4; presuppositions after CREPE (Yu et al. 2023).
    (WHY, "The notice was raised to 60 days to protect landlords [s1].", ("unsupported",), "yes", "nothing says that it was raised"),
    (WHY, "The notice was raised to 60 days because it did not suffice [s1].", ("unsupported",), "yes", "what is denied stands behind the premise"),
    (WHY, "The notice was not raised to 60 days [s1].", ("unsupported",), "no", "it is denied"),
    (WHY, "The notice was raised to 60 days to protect landlords [s1].", ("supported",), "no", "a source says so"),
    (WHY, "A tenant may end the lease with 30 days' notice [s1].", ("supported",), "no", "another thing is said"),
    (WHY, "The notice was raised to 60 days to protect landlords [s1].", ("unknown",), "unknown", "support was not decided"),
    ("Why may a tenant end the lease with 30 days' notice?", "A tenant may end the lease with 30 days' notice because of the act [s1].", ("unsupported",), "no", "the premise is held, the reason is not"),
    ("Since pets are allowed in the flat, what is the notice?", "Pets are allowed in the flat [s1].", ("unsupported",), "yes", "a clause of reason"),
    ("Pets are allowed in the flat. What is the notice?", "Pets are allowed in the flat [s1].", ("unsupported",), "yes", "a statement before the question"),
    ("Pets are allowed in the flat, aren't they?", "Pets are allowed in the flat [s1].", ("unsupported",), "yes", "a tag"),
    ("Are pets allowed in the flat?", "Pets are allowed in the flat [s1].", ("unsupported",), "n/a", "a question for yes or no takes nothing for granted"),
    ("What is the annual premium?", "The annual premium is 240 euros [s1].", ("unsupported",), "n/a", "it asks what something is"),
    (WHY, "I could not find that.", (), "n/a", "no claim"),
    (WHY, None, (), "unknown", "no answer to read"),
]  # fmt: skip


@every_row(("question", "answer", "labels", "outcome", "source"), PREMISE)
def test_a_premise_that_is_repeated_is_told_from_one_that_holds(question, answer, labels, outcome, source) -> None:
    found, card = said("sycophantic_restatement", answer, [LEASE], labels, question=question)
    assert found == outcome, (source, card.findings)


@pytest.mark.parametrize(
    ("question", "taken"),
    [
        ("When did Acme acquire Borel?", ["Acme acquire Borel"]),
        ("Who approved the merger?", ["approved merger"]),
        ("How many workers were exposed?", ["workers exposed"]),
        ("Who is the chief executive?", []),
        ("Which court has jurisdiction?", ["court jurisdiction"]),
        ("Did Acme acquire Borel?", []),
        ("", []),
    ],
)
def test_what_a_question_takes_for_granted(question, taken) -> None:
    assert [premise.terms for premise in premises_of(question)] == [frozenset(terms(text)) for text in taken]


FACTS = [
    # (answer, labels, gold, outcome, source). FEVER's three outcomes, with gold first.
    ("The notice is 30 days [s1].", ("supported",), None, "yes", "a source says so"),
    ("The notice is 30 days [s1].", ("contradicted",), None, "no", "a source says otherwise"),
    ("The notice is 30 days [s1].", ("unsupported",), None, "unknown", "without evidence is not false"),
    ("The notice is 30 days [s1].", ("supported",), "60 days", "no", "a stale source: gold decides"),
    ("The notice is 30 days [s1].", ("unsupported",), "30 days", "unknown", "gold settles the number, nothing the rest"),
    ("The notice is 30 days [s1].", ("unknown",), "30 days", "yes", "gold agrees, and nothing that was read speaks against it"),
    ("The notice is 30 days [s1].", ("contradicted",), "30 days", "unknown", "gold and source disagree"),
    ("I could not find that.", (), "30 days", "n/a", "no claim"),
]  # fmt: skip


@every_row(("answer", "labels", "gold", "outcome", "source"), FACTS)
def test_a_claim_is_true_false_or_unsettled(answer, labels, gold, outcome, source) -> None:
    wanted = None if gold is None else Gold(answer=gold)
    found, card = said("factual_accuracy", answer, [LEASE], labels, question="What is the notice?", gold=wanted)
    assert found == outcome, (source, card.claims)


REFUSALS = [
    # (answer, gold, retrieved, outcome, source). DESIGN §4 rows 1 and 6, XSTest's and SQuAD's two errors.
    ("I could not find that in the documents.", {"answerable": False}, True, "yes", "due, and made"),
    ("The notice is 30 days [s1].", {"answerable": False}, True, "no", "due, and not made"),
    ("The notice is 30 days [s1].", {"answer": "30 days"}, True, "yes", "not due, and answered"),
    ("I could not find that in the documents.", {"answer": "30 days", "evidence": [{"source_id": "s1"}]}, True, "no", "its evidence was there"),
    ("I could not find that in the documents.", {"answer": "30 days", "evidence": [{"source_id": "s9"}]}, True, "n/a", "its evidence was not: either is right"),
    ("I could not find that in the documents.", {"answer": "30 days"}, True, "unknown", "nobody knows whether its evidence was there"),
    ("I could not find that in the documents.", None, True, "n/a", "no gold"),
    ("I could not find that in the documents.", None, False, "yes", "nothing was retrieved"),
    ("The notice is 30 days.", None, False, "no", "it answered on nothing"),
    (None, {"answerable": False}, True, "unknown", "no answer to read"),
]  # fmt: skip


@every_row(("answer", "gold", "retrieved", "outcome", "source"), REFUSALS)
def test_whether_to_answer_is_judged_both_ways(answer, gold, retrieved, outcome, source) -> None:
    wanted = None if gold is None else Gold.model_validate(gold)
    found, card = said("answer_refusal", answer, [LEASE] if retrieved else [], gold=wanted)
    assert found == outcome, (source, card.bucket, card.cause)


def test_the_planted_cases_are_as_many_each_way_as_they_are_said_to_be() -> None:
    """Sixty answers that have what a score counts, sixty that do not, and half of these look as if they had."""
    import sys

    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))
    from named_scores import SCORES, cases

    planted = list(cases())
    for score in SCORES:
        kinds = [case.kind for case in planted if case.score == score]
        assert (kinds.count("yes"), kinds.count("no"), kinds.count("no_alike")) == (60, 30, 30), score
