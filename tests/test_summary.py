from __future__ import annotations

import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scorecards import FAIL, SIGNATURE, card, claim, few_cards, runs

from showable.measure.measures import MEASURES
from showable.measure.summary import BUCKETS, Summary, SummaryBuilder, summarise
from showable.measure.worst import failing_claim, place
from showable.records import OutcomeCounts


def test_the_summary_of_a_small_run_is_what_was_counted_by_hand():
    summary = summarise(few_cards(), SIGNATURE, run="runs/first")
    assert summary.n == 12
    assert summary.buckets == {"correct": 6, "wrong": 1, "unsupported": 1, "refused": 3, "unknown": 1}
    assert summary.causes == {
        "contradicts_source": 1,
        "invented_source": 1,
        "over_refusal": 1,
        "undecided": 1,
        "warranted": 2,
    }
    assert summary.correct_no_gold == 3
    assert summary.axes.refusal_quality.counts == {"0": 1, "1": 0, "2": 1, "3": 1}
    assert summary.axes.refusal_quality.mean == pytest.approx(5 / 3)
    assert summary.axes.refusal_quality.low < 5 / 3 < summary.axes.refusal_quality.high
    assert summary.axes.extra_claim_count.model_dump() == {"n": 11, "sum": 1, "mean": 1 / 11, "without": 10}
    assert summary.labelled.model_dump(exclude={"confusion"}) == {"n": 7, "agree": 6, "disagree": 1, "unknown": 0}
    assert summary.labelled.confusion["correct"] == {**dict.fromkeys(BUCKETS, 0), "correct": 6, "wrong": 1}
    assert summary.categories["unanswerable"]["refused"] == 2
    assert summary.checks == {"structural.schema": OutcomeCounts(passed=6)}
    rubrics = {
        name: (
            one.unit,
            [(rate.passed, rate.failed, rate.unknown, rate.not_applicable) for rate in (one.answers, one.units)],
        )
        for name, one in summary.rubrics.items()
    }
    assert rubrics == {
        "structural": ("claims", [(8, 0, 0, 4), (8, 1, 0, 4)]),
        "resolvability": ("citations", [(7, 1, 0, 4), (7, 1, 0, 4)]),
        "semantic": ("claims", [(6, 1, 1, 4), (6, 2, 1, 4)]),
    }
    assert summary.findings["resolvability.not_retrieved"] == OutcomeCounts(failed=1)
    assert summary.gold_agreement == {"agrees": 3, "disagrees": 0, "absent": 0, "unknown": 0, "not_applicable": 9}


def test_summary_json_has_the_shape_that_others_rely_on():
    """Source: DESIGN §7, the machine-readable shapes."""
    written = json.loads(summarise(few_cards(), SIGNATURE, run="runs/first").model_dump_json())
    assert {"signature", "n", "buckets", "causes", "axes", "rates", "run"} <= written.keys()
    assert written["signature"] == str(SIGNATURE)
    assert written["run"] == "runs/first"
    assert set(written["buckets"]) == {"correct", "wrong", "unsupported", "refused", "unknown"}
    assert set(written["axes"]) == {
        "factuality",
        "citation_exists",
        "citation_supports",
        "refusal_quality",
        "extra_claim_count",
    }
    assert set(written["rates"]) == {measure.name for measure in MEASURES}
    for rate in written["rates"].values():
        assert {"passed", "failed", "unknown", "not_applicable", "rate", "low", "high"} <= rate.keys()


def test_a_run_of_nothing_has_counts_of_zero_and_rates_of_none():
    summary = summarise([], SIGNATURE)
    assert summary.n == 0
    assert set(summary.buckets.values()) == {0}
    assert all(rate.rate is rate.low is rate.high is None for rate in summary.rates.values())
    assert summary.axes.refusal_quality.mean is None
    assert summary.axes.extra_claim_count.mean is None


@given(runs())
def test_everything_that_enters_is_in_one_bucket(run):
    summary = summarise(run, SIGNATURE)
    assert summary.n == len(run) == sum(summary.buckets.values())
    assert sum(sum(buckets.values()) for buckets in summary.categories.values()) == len(run)
    assert sum(summary.gold_agreement.values()) == len(run)
    labelled = summary.labelled
    assert labelled.agree + labelled.disagree + labelled.unknown == labelled.n
    assert Summary.model_validate_json(summary.model_dump_json()) == summary


@given(runs(), st.randoms(use_true_random=False))
def test_the_order_of_the_answers_makes_no_difference(run, random):
    shuffled = list(run)
    random.shuffle(shuffled)
    first, second = SummaryBuilder(SIGNATURE), SummaryBuilder(SIGNATURE)
    for scored in run:
        first.add(scored)
    for scored in shuffled:
        second.add(scored)
    assert first.build().model_dump_json() == second.build().model_dump_json()
    assert first.worst() == second.worst()


def test_the_ten_worst_come_by_bucket_then_by_bad_claims_then_by_id():
    bad = claim("unsupported")
    cards = [
        *(card(f"fine-{n}") for n in range(30)),
        card("due", "refused", cause="warranted"),
        card("undue", "refused", cause="over_refusal"),
        card("x", "unknown", cause="undecided"),
        card("b", "unsupported", claims=(bad,)),
        card("a", "unsupported", claims=(bad, bad)),
        card("d", "wrong"),
        card("c", "wrong"),
    ]
    builder = SummaryBuilder(SIGNATURE)
    for scored in cards:
        builder.add(scored)
    assert [scored.id for scored in builder.worst()] == ["c", "d", "a", "b", "x", "undue"]


@given(st.permutations(range(25)))
def test_only_the_ten_worst_are_kept(order):
    builder = SummaryBuilder(SIGNATURE)
    cards = [card(f"q{n:02}", "wrong" if n % 2 else "unsupported") for n in range(25)]
    for n in order:
        builder.add(cards[n])
    assert builder.worst() == sorted(cards, key=place)[:10]


FAILING = [
    # claims, index of the one that is shown, source
    ((claim("supported"), claim("uncited"), claim("contradicted")), 2, "contradiction before a missing citation"),
    ((claim("unsupported"), claim("supported", gold="disagrees")), 1, "gold first"),
    ((claim("supported", (FAIL, FAIL)), claim("supported")), 0, "a padding citation"),
    ((claim("unknown"), claim("partial")), 1, "made by hand"),
    ((claim("supported"),), None, "nothing is the matter"),
]


@pytest.mark.parametrize(("claims", "expected", "source"), FAILING)
def test_the_failing_claim_is_the_one_that_most_likely_decided(claims, expected, source):
    found = failing_claim(card(claims=claims))
    assert (None if found is None else claims.index(found)) == expected, source


def test_memory_does_not_grow_with_the_run():
    builder = SummaryBuilder(SIGNATURE)

    def add(first, last):
        for n in range(first, last):
            builder.add(card(f"q{n}", "wrong", claims=(claim("supported", (FAIL, FAIL)),), extra_claim_count=n % 5))

    add(0, 200)
    tracemalloc.start()
    add(200, 1_500)
    grown, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert grown < 100_000  # bytes
