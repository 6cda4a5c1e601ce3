"""Which records are labelled first, what becomes of the words, and which of them no longer count."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labels_given import GUIDES, label, labels
from scorecards import FAIL, PASS, UNKNOWN, card, claim, runs

from showable.errors import SettingError
from showable.measure.consensus import settle
from showable.measure.label_queues import (
    HOLD_OUT,
    LEAST_REFUSALS,
    QUEUE_KINDS,
    build_queue,
    draw_hold_out,
    hold_out_size,
)
from showable.measure.label_status import reviewer_statuses, target_statuses
from showable.measure.labelled_refusals import refusal_cases
from showable.measure.stale_labels import part_stale
from showable.records import Finding
from showable.records.labels import Target
from showable.records.profile import GENERAL, Profile
from showable.records.signature import Thresholds

SENIORS = Profile(
    name="legal", label_roles={"support": ("senior", "reviewer"), "refusal_quality": ("senior", "reviewer")}
)


def cited(key, *ps, bucket="correct", kind=None):
    """A card with one cited claim a p; None is a verdict without one."""
    return card(key, bucket, claims=tuple(claim("supported", (PASS, PASS), p=p, kind=kind) for p in ps))


# ---- queues


@settings(max_examples=20)
@given(runs(), st.integers(0, 5), st.randoms(use_true_random=False), st.sampled_from(QUEUE_KINDS))
def test_a_queue_holds_records_of_the_run_each_once_whatever_their_order(cards, seed, random, kind):
    shuffled = random.sample(cards, len(cards))
    if kind == "disagreement" and not cards:
        return
    queue = build_queue(kind, cards, seed=seed, second=cards)
    assert queue == build_queue(kind, shuffled, seed=seed, second=shuffled)
    assert set(queue) <= {one.id for one in cards}
    assert len(set(queue)) == len(queue)
    if kind in ("random", "stratified", "hold_out"):
        assert len(queue) == len(cards)
    if queue:
        assert build_queue(kind, cards, seed=seed, second=cards, n=1) == queue[:1]


def test_chance_is_the_seed_s_alone_and_does_not_depend_on_who_else_is_there():
    many = [card(f"q{n}") for n in range(30)]
    one, other = (build_queue("random", many, seed=seed) for seed in (1, 2))
    assert one != other
    assert [key for key in one if key != "q7"] == build_queue("random", [c for c in many if c.id != "q7"], seed=1)


@settings(max_examples=20)
@given(runs(max_size=8).filter(len), st.integers(0, 3))
def test_every_beginning_of_a_stratified_queue_is_balanced(cards, seed):
    """Round robin: a bucket is ahead of another one by more than one record only where that one is used up."""
    bucket, total = {one.id: one.bucket for one in cards}, Counter(one.bucket for one in cards)
    queue = build_queue("stratified", cards, seed=seed)
    for length in range(1, len(queue) + 1):
        counts = Counter(bucket[key] for key in queue[:length])
        for name, there in total.items():
            assert counts[name] == there or counts[name] >= max(counts.values()) - 1


def test_rare_buckets_and_causes_come_as_early_as_common_ones():
    cards = [card(f"c{n}") for n in range(50)] + [card("w1", "wrong", cause="contradicts_gold")]
    cards += [card(f"u{n}", "unsupported", cause="no_evidence") for n in range(20)] + [
        card("m1", "unsupported", cause="miscited")
    ]
    queue = build_queue("stratified", cards, seed=0)
    assert queue[0] == "w1"
    assert [key[0] for key in queue[:3]] == ["w", "m", "c"]
    assert {key[0] for key in queue[3:5]} == {"u", "c"}


def test_the_most_uncertain_come_first_by_the_threshold_of_their_kind():
    cards = [cited("far", 0.95), cited("near", 0.9, 0.52), cited("holding", 0.69, kind="holding"), cited("bare", None),
             card("open", "unknown", cause="undecided"), card("uncited", claims=(claim("uncited", p=0.5),))]  # fmt: skip
    assert build_queue("uncertain", cards, seed=0) == ["near", "holding", "far", "open"]
    at = Thresholds(support=0.5, per_kind={"holding": 0.7})
    assert build_queue("uncertain", cards, seed=0, thresholds=at) == ["holding", "near", "far", "open"]


def test_disagreements_come_with_the_most_opposed_first():
    ours = [
        card(key, claims=(claim("supported", (PASS, PASS)),))
        for key in ("same", "opposed", "half", "undecided", "bucket", "alone")
    ]
    theirs = [
        card("same", claims=(claim("supported", (PASS, PASS), p=0.6),)),
        card("opposed", "wrong", claims=(claim("contradicted", (PASS, FAIL)),)),
        card("half", "unsupported", claims=(claim("partial", (PASS, FAIL)),)),
        card("undecided", claims=(claim("unknown", (PASS, UNKNOWN)),)),
        card("bucket", "refused", claims=(claim("supported", (PASS, PASS)),)),
    ]
    assert build_queue("disagreement", ours, seed=0, second=theirs) == ["opposed", "half", "undecided", "bucket"]
    with pytest.raises(SettingError, match="needs a second run of the same records"):
        build_queue("disagreement", ours, seed=0)
    with pytest.raises(SettingError, match="no record in common"):
        build_queue("disagreement", ours, seed=0, second=[card("other")])


def test_what_failed_comes_the_worst_first():
    failing = Finding(code="resolvability.wrong_page", outcome=FAIL)
    cards = [card("fine"), card("page", findings=(failing,)), card("unsup", "unsupported"), card("wrong", "wrong"),
             card("ok", findings=(Finding(code="structural.schema", outcome=PASS),)), card("open", "unknown"),
             card("worse", "wrong", claims=(claim("contradicted", (PASS, FAIL)),))]  # fmt: skip
    assert build_queue("failed", cards, seed=0) == ["worse", "wrong", "unsup", "page"]


def test_the_hold_out_is_drawn_by_chance_and_topped_up_with_refusals():
    """Of 400 answers 40 are wrong and 12 decline: a fair draw of 50 holds about 5 wrong ones, and too few that decline."""
    cards = [card(f"q{n}", "wrong" if n % 10 == 1 else "correct") for n in range(388)]
    cards += [card(f"no{n}", "refused", refusal=("full", "refused_then_answered")[n % 2]) for n in range(12)]
    of = {one.id: one.bucket for one in cards}
    wrong = []
    for seed in range(40):
        held = draw_hold_out(cards, seed=seed)
        assert len(held.records) == len({*held.records}) == HOLD_OUT
        buckets = Counter(of[key] for key in held.records)
        assert buckets["refused"] == LEAST_REFUSALS
        wrong.append(buckets["wrong"])
        lots = build_queue("random", cards, seed=f"hold-out {seed}", n=HOLD_OUT)
        assert held.topped_up == LEAST_REFUSALS - sum(of[key] == "refused" for key in lots)
        kept = held.records[: HOLD_OUT - held.topped_up]
        assert [key for key in lots if key in kept] == list(kept), "what chance drew first stays"
    assert 3 < sum(wrong) / len(wrong) < 5, "as in the run: a tenth of 40 that are no refusals"
    assert draw_hold_out(cards[:388], seed=0).topped_up == 0
    assert len(draw_hold_out(cards[-14:], seed=0, n=4).records) == 4
    assert {draw_hold_out(cards, seed=0), draw_hold_out(cards[::-1], seed=0)} == {draw_hold_out(cards, seed=0)}
    assert list(draw_hold_out(cards, seed=0).records) != build_queue("random", cards, seed=0, n=HOLD_OUT)
    assert [hold_out_size(n) for n in (1, 2, 7, 68, 100, 5_000)] == [1, 1, 3, 34, 50, 50], "half is left to fit on"
    assert len(draw_hold_out(cards[:7], seed=0).records) == 7


@pytest.mark.parametrize(
    ("kind", "n", "message"),
    [("best", None, "queue: expected one of random, "), ("random", 0, "n: expected at least 1, got 0")],
)
def test_a_queue_that_cannot_be_is_refused(kind, n, message):
    with pytest.raises(SettingError, match=message):
        build_queue(kind, [card()], seed=0, n=n)


# ---- consensus


def settled(*made, profile=GENERAL, hold_out=(), refusals=()):
    return settle(made, profile.counts, hold_out, refusals=refusals)


T = Target("q1", "support", 0, 0)


@pytest.mark.parametrize(
    ("words", "gold", "where"),
    [
        ({"Ada": "supported"}, "supported", "gold"),
        ({"Ada": "supported", "Bo Ek": "supported"}, "supported", "gold"),
        ({"Ada": "supported", "Bo Ek": "partial"}, None, "unsettled"),
        ({"Ada": "supported", "Bo Ek": "partial", "Cy": "partial"}, "partial", "gold"),
        ({"Ada": "supported", "Bo Ek": "partial", "Cy": "contradicted"}, None, "unsettled"),
        ({"Ada": "supported", "Bo Ek": "cannot_tell"}, "supported", "gold"),
        ({"Ada": "cannot_tell", "Bo Ek": "cannot_tell"}, None, "cannot_tell"),
        ({"Ada": "supported", "B": "supported", "C": "partial", "D": "partial"}, None, "unsettled"),
    ],
)
def test_more_than_half_of_those_who_can_tell_decide(words, gold, where):
    found = settled(*(label(f"l{n}", value, who) for n, (who, value) in enumerate(words.items())))
    assert found.gold.get(T) == gold
    assert T in getattr(found, where)


def test_adjudication_stands_over_everybody_else():
    words = [label("a", "supported"), label("b", "supported", "Bo Ek"), label("c", "partial", "Cy", adjudicated=True)]
    found = settled(*words)
    assert (found.gold, found.adjudicated) == ({T: "partial"}, {T})
    assert found.by_reviewer == {T: {"Ada": "supported", "Bo Ek": "supported"}}
    undecided = settled(*words, label("d", "contradicted", adjudicated=True))
    assert undecided.unsettled == [T]


def test_only_blind_words_are_compared_between_people():
    found = settled(
        label("a", "supported"), label("b", "partial", "Bo Ek", blind=False), label("c", "cannot_tell", "Cy")
    )
    assert found.by_reviewer == {T: {"Ada": "supported"}}


def test_who_changed_their_word_after_seeing_others_is_compared_by_the_blind_one():
    """The log may be given in any order; what was taken back altogether is compared no more."""
    log = [label("a", "supported"), label("b", "unsupported", at="2026-01-31T09:31:00Z"),
           label("c", "partial", at="2026-01-31T09:32:00Z", blind=False), label("d", "partial", "Bo Ek"),
           label("e", "supported", "Cy"), label("f", None, "Cy", at="2026-01-31T09:33:00Z", blind=False)]  # fmt: skip
    now = [log[2], log[3]]
    for earlier in (log, log[::-1]):
        found = settle(now, GENERAL.counts, (), earlier)
        assert found.gold == {T: "partial"}
        assert found.by_reviewer == {T: {"Ada": "unsupported", "Bo Ek": "partial"}}
    assert settle(now, GENERAL.counts).by_reviewer == {T: {"Bo Ek": "partial"}}


def test_whose_word_does_not_count_is_left_out_and_told():
    engineer = label("c", "partial", "Cy")
    found = settled(label("a", "supported"), engineer, label("x", "partial", "Cy", claim=1), profile=SENIORS)
    assert found.gold == {T: "supported"}
    assert found.not_counted == [engineer, label("x", "partial", "Cy", claim=1)]
    assert found.uncounted == [Target("q1", "support", 1, 0)]


def test_held_out_refusals_take_senior_reviewers_alone():
    """On a record that anybody calls refused, or whose refusal was graded; elsewhere the profile's roles count."""
    quality, bucket = (Target("q1", about) for about in ("refusal_quality", "bucket"))
    words = [label("a", 1, about="refusal_quality"), label("b", 3, "Bo Ek", about="refusal_quality"),
             label("c", "refused", "Bo Ek", about="bucket"), label("d", "wrong", "Bo Ek", about="bucket", record="q2"),
             label("e", "supported", "Bo Ek")]  # fmt: skip
    free, held = settled(*words, profile=SENIORS), settled(*words, profile=SENIORS, hold_out=["q1", "q2"])
    assert quality in free.unsettled
    assert held.gold[quality] == 1
    assert held.uncounted == [bucket]
    assert held.gold[Target("q2", "bucket")] == "wrong"
    assert held.gold[T] == "supported"


def test_a_held_out_refusal_is_one_before_anybody_says_so():
    """Nobody calls q1 refused: the tool does, or gold. Two juniors who call it correct do not settle it."""
    bucket, words = (
        Target("q1", "bucket"),
        [label("a", "correct", "Bo Ek", about="bucket"), label("b", "supported", "Bo Ek")],
    )
    for one, case in ((card("q1", refusal="full"), True), (card("q1", refusal="refused_then_answered"), True),
                      (card("q1", answerable=False), True), (card("q1", expected=("refused",)), True),
                      (card("q1"), False), (card("q1", refusal="partial", answerable=True), False)):  # fmt: skip
        refusals = refusal_cases([one, card("q2", refusal="full")], ["q1"])
        assert refusals == ({"q1"} if case else set())
        found = settled(*words, hold_out=["q1"], refusals=refusals)
        assert (found.uncounted == [bucket], found.gold.get(bucket)) == (case, None if case else "correct")
        assert found.gold[T] == "supported"
        assert settled(*words, refusals=refusals).gold[bucket] == "correct", (
            "what is not held out is not for seniors alone"
        )
    by_senior = settled(*words, label("c", "wrong", about="bucket"), hold_out=["q1"], refusals=["q1"])
    assert by_senior.gold[bucket] == "wrong"


def test_disagreements_are_what_people_differ_on_until_it_is_adjudicated():
    """Who is outvoted disagrees too, so that the page and `labels status` count alike."""
    words = [label("a"), label("b", "supported", "Bo Ek"), label("c", "partial", "Cy")]
    assert (settled(*words).gold, settled(*words).disagreements) == ({T: "supported"}, [T])
    ruled = settled(*words, label("d", "partial", adjudicated=True))
    assert (ruled.gold, ruled.differing, ruled.disagreements) == ({T: "partial"}, [T], [])
    torn = settled(*words, label("d", "partial", adjudicated=True), label("e", who="Bo Ek", adjudicated=True))
    assert torn.disagreements == [T]
    torn = settled(label("a"), label("b", "partial", adjudicated=True), label("c", who="Bo Ek", adjudicated=True))
    assert (torn.unsettled, torn.differing, torn.disagreements) == ([T], [], [T])
    assert settled(label("a"), label("b", "cannot_tell", "Bo Ek")).disagreements == []


def test_comments_and_words_taken_back_settle_nothing():
    assert settled(label("a", "fine", about="comment"), label("b", None)) == settled()


@settings(max_examples=40)
@given(labels(), st.randoms(use_true_random=False), st.booleans())
def test_settling_does_not_depend_on_the_order_and_loses_no_target(made, random, strict):
    last = list({(one.target, one.reviewer, one.adjudicated): one for one in made}.values())
    counts = (SENIORS if strict else GENERAL).counts
    hold_out = ["q 3"] if strict else []
    found = settle(last, counts, hold_out)
    assert found == settle(random.sample(last, len(last)), counts, hold_out)
    asked = {one.target for one in last if one.value is not None and one.about != "comment"}
    parts = [*found.gold, *found.unsettled, *found.cannot_tell, *found.uncounted]
    assert Counter(parts) == Counter(asked)
    assert set(found.by_reviewer) <= asked
    rows = target_statuses(last, found)
    assert sum(row.labelled for row in rows) == len(asked)
    assert all(row.labelled == row.settled + row.unsettled + row.cannot_tell + row.uncounted for row in rows)
    assert set(found.unsettled) <= set(found.disagreements) <= asked


# ---- what still counts


def test_labels_count_on_the_answer_and_under_the_words_they_were_given_on():
    made = [label("a"), label("b", record="q9"), label("c", answer="another"), label("d", rubric="1-000000"),
            label("e", "wrong", about="bucket", rubric=GUIDES["support"])]  # fmt: skip
    parted = part_stale(made, {"q1": "an-answer"})
    assert parted.fresh == made[:1]
    assert [(one.label.id, one.why) for one in parted.stale] == [
        ("b", "another_record"), ("c", "another_answer"), ("d", "another_guide"), ("e", "another_guide")]  # fmt: skip
    (row,) = reviewer_statuses([("Ada", "senior")], made, parted.stale)
    assert (row.labels, row.stale, row.last) == ({"bucket": 1, "support": 4}, 4, "2026-01-31T09:30:00Z")
