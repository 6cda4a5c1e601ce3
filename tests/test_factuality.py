"""Every row of the bucket table, each cause, what an unknown does, and that the table is total."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import every_row

from showable.records.findings import Outcome
from showable.records.record import Citation, Gold, GoldEvidence
from showable.rubrics.answer_facts import AnswerFacts, ClaimFacts
from showable.rubrics.bucket_rows import TABLE
from showable.rubrics.factuality import bucket_of
from showable.rubrics.resolvability import Resolution

YES, NO, MAYBE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN
GOOD = Resolution(Citation(source_id="a"), YES, YES, [], [])
INVENTED = Resolution(Citation(source_id="z"), NO, NO, [], [])
UNJOINED = Resolution(Citation(source_id="z"), MAYBE, MAYBE, [], [])
GOLD = Gold(answer="30 days")
UNANSWERABLE = Gold(answerable=False)


def flawed(defect):
    return Resolution(Citation(source_id="a"), YES, NO, [defect], [])


SUPPORTED = ClaimFacts("answering", YES, YES, NO, "not_applicable", [GOOD])
NOWHERE = replace(SUPPORTED, own=NO, log=NO)
ELSEWHERE = replace(SUPPORTED, own=NO)
CONTRADICTED = replace(NOWHERE, contradicted=YES)
BARE = replace(SUPPORTED, own=NO, resolutions=[])
ASIDE = replace(SUPPORTED, role="aside")
ANSWER = AnswerFacts(
    readable=True,
    unreadable_cause="empty_answer",
    extent="none",
    claims=[SUPPORTED],
    retrieved=3,
    gold=None,
    agreement="not_applicable",
    incomplete=False,
    loose=[],
    evidence_retrieved=MAYBE,
)
REFUSAL = replace(ANSWER, extent="full", claims=[])


def gold(claim, agreement):
    return replace(claim, gold=agreement)


ROWS = [
    # (what holds, facts, bucket, cause): source: the numbered rows of the bucket table in the design
    ("0 empty", replace(ANSWER, readable=False), "unknown", "empty_answer"),
    ("0 unparsed", replace(ANSWER, readable=False, unreadable_cause="unparsed"), "unknown", "unparsed"),
    ("1 no gold", REFUSAL, "refused", "unjudged"),
    ("1 unanswerable", replace(REFUSAL, gold=UNANSWERABLE), "refused", "warranted"),
    ("1 nothing retrieved", replace(REFUSAL, retrieved=0, gold=GOLD), "refused", "warranted"),
    ("1 evidence not retrieved", replace(REFUSAL, gold=GOLD, evidence_retrieved=NO), "refused", "warranted"),
    ("1 evidence retrieved", replace(REFUSAL, gold=GOLD, evidence_retrieved=YES), "refused", "over_refusal"),
    ("1 expected refusal", replace(REFUSAL, gold=Gold(expected=("refused",))), "refused", "warranted"),
    ("1 supported aside", replace(REFUSAL, claims=[ASIDE]), "refused", "unjudged"),
    (
        "1 uncited aside the log supports",
        replace(REFUSAL, claims=[replace(ASIDE, own=NO, resolutions=[])]),
        "refused",
        "unjudged",
    ),
    ("1→9 unsupported aside", replace(REFUSAL, claims=[replace(NOWHERE, role="aside")]), "unsupported", "no_evidence"),
    ("2 disagrees", replace(ANSWER, gold=GOLD, claims=[gold(NOWHERE, "disagrees")]), "wrong", "contradicts_gold"),
    (
        "2 its citation says so",
        replace(ANSWER, gold=GOLD, claims=[gold(SUPPORTED, "disagrees")]),
        "wrong",
        "wrong_source",
    ),
    ("2 not for asides", replace(ANSWER, gold=GOLD, claims=[SUPPORTED, gold(ASIDE, "disagrees")]), "correct", None),
    ("3 adjacent entity", replace(ANSWER, gold=UNANSWERABLE), "wrong", "answers_another_question"),
    (
        "3→9 unanswerable and unsupported",
        replace(ANSWER, gold=UNANSWERABLE, claims=[NOWHERE]),
        "unsupported",
        "no_evidence",
    ),
    ("4 contradicted", replace(ANSWER, claims=[CONTRADICTED]), "wrong", "contradicts_source"),
    (
        "4 asides count",
        replace(ANSWER, claims=[SUPPORTED, replace(CONTRADICTED, role="aside")]),
        "wrong",
        "contradicts_source",
    ),
    (
        "4→9 gold confirms",
        replace(ANSWER, gold=GOLD, claims=[gold(CONTRADICTED, "agrees")]),
        "unsupported",
        "no_evidence",
    ),
    ("4→13 own citation supports", replace(ANSWER, claims=[replace(SUPPORTED, contradicted=YES)]), "correct", None),
    ("5", replace(ANSWER, extent="refused_then_answered", claims=[BARE]), "unsupported", "refused_then_answered"),
    ("5→13 it has support", replace(ANSWER, extent="refused_then_answered"), "correct", "partial"),
    (
        "6",
        replace(ANSWER, retrieved=0, claims=[replace(NOWHERE, resolutions=[INVENTED])]),
        "unsupported",
        "answered_on_null_retrieval",
    ),
    ("7", replace(ANSWER, claims=[replace(NOWHERE, resolutions=[INVENTED])]), "unsupported", "invented_source"),
    (
        "7 beside a good one",
        replace(ANSWER, claims=[replace(SUPPORTED, resolutions=[GOOD, INVENTED])]),
        "unsupported",
        "invented_source",
    ),
    ("7 on no claim", replace(ANSWER, loose=[INVENTED]), "unsupported", "invented_source"),
    (
        "8 quote",
        replace(ANSWER, claims=[replace(SUPPORTED, resolutions=[flawed("bad_quote")])]),
        "unsupported",
        "bad_quote",
    ),
    (
        "8 page",
        replace(ANSWER, claims=[replace(SUPPORTED, resolutions=[flawed("wrong_page")])]),
        "unsupported",
        "wrong_page",
    ),
    (
        "8 source",
        replace(ANSWER, claims=[replace(SUPPORTED, resolutions=[flawed("bad_source")])]),
        "unsupported",
        "bad_source",
    ),
    ("9", replace(ANSWER, claims=[NOWHERE]), "unsupported", "no_evidence"),
    ("9 one of ten", replace(ANSWER, claims=[SUPPORTED] * 9 + [NOWHERE]), "unsupported", "no_evidence"),
    ("10", replace(ANSWER, claims=[ELSEWHERE]), "unsupported", "miscited"),
    ("11", replace(ANSWER, claims=[BARE]), "unsupported", "uncited"),
    ("11→13 cited otherwise", replace(ANSWER, claims=[SUPPORTED, BARE]), "correct", None),
    ("12 nothing said", replace(ANSWER, claims=[]), "unsupported", "no_answer"),
    ("12 gold is nowhere", replace(ANSWER, gold=GOLD, agreement="absent"), "unsupported", "no_answer"),
    ("13", ANSWER, "correct", None),
    ("13 declines the rest", replace(ANSWER, extent="partial"), "correct", "partial"),
    ("13 leaves a part out", replace(ANSWER, gold=GOLD, agreement="agrees", incomplete=True), "correct", "incomplete"),
]


@every_row(("facts", "bucket", "cause"), [row[1:] for row in ROWS])
def test_each_row_decides(facts, bucket, cause):
    ruling = bucket_of(facts)
    assert (ruling.bucket, ruling.cause) == (bucket, cause)
    assert ruling.why


UNDECIDED = [
    # (what is not known, facts, bucket): "evaluate it both ways: if the bucket would differ, it is unknown"
    ("a judge failed", replace(ANSWER, claims=[replace(SUPPORTED, own=MAYBE, log=MAYBE, contradicted=MAYBE)]), "unknown"),
    ("a judge failed, but an id is invented and nothing contradicts",
     replace(ANSWER, claims=[replace(SUPPORTED, own=MAYBE, log=MAYBE), replace(NOWHERE, resolutions=[INVENTED])]), "unsupported"),
    ("gold agreement", replace(ANSWER, gold=GOLD, claims=[gold(SUPPORTED, "unknown")], agreement="unknown"), "unknown"),
    ("no retrieval log", replace(ANSWER, retrieved=None, claims=[replace(SUPPORTED, own=MAYBE, log=MAYBE, resolutions=[UNJOINED])]), "unknown"),
    ("no log, and wrong by gold either way", replace(ANSWER, retrieved=None, gold=GOLD, claims=[gold(SUPPORTED, "disagrees")]), "wrong"),
    ("a quotation that could not be looked for",
     replace(ANSWER, claims=[replace(SUPPORTED, resolutions=[Resolution(Citation(source_id="a"), YES, MAYBE, [], ["bad_quote"])])]), "unknown"),
    ("an aside of a refusal", replace(REFUSAL, claims=[replace(ASIDE, own=MAYBE, log=MAYBE)]), "unknown"),
    ("which of two unsupported causes", replace(ANSWER, claims=[replace(ELSEWHERE, log=MAYBE)]), "unsupported"),
]  # fmt: skip


@pytest.mark.parametrize(("facts", "bucket"), [row[1:] for row in UNDECIDED], ids=[row[0] for row in UNDECIDED])
def test_what_is_unknown_is_followed_both_ways(facts, bucket):
    ruling = bucket_of(facts)
    assert ruling.bucket == bucket
    assert ruling.cause == "undecided" or bucket != "unknown"


outcomes = st.sampled_from([YES, NO, MAYBE])
resolutions = st.builds(
    Resolution,
    citation=st.just(Citation(source_id="a")),
    in_log=outcomes,
    exists=outcomes,
    defects=st.lists(st.sampled_from(["bad_quote", "wrong_page", "bad_source"]), max_size=1),
    unsure=st.lists(st.sampled_from(["bad_quote", "wrong_page", "bad_source"]), max_size=1),
)
claims = st.builds(
    ClaimFacts,
    role=st.sampled_from(["answering", "aside"]),
    own=outcomes,
    log=outcomes,
    contradicted=outcomes,
    gold=st.sampled_from(["agrees", "disagrees", "absent", "unknown", "not_applicable"]),
    resolutions=st.lists(resolutions, max_size=2),
)
answers = st.builds(
    AnswerFacts,
    readable=st.booleans(),
    unreadable_cause=st.sampled_from(["empty_answer", "unparsed"]),
    extent=st.sampled_from(["none", "partial", "full", "refused_then_answered"]),
    claims=st.lists(claims, max_size=3),
    retrieved=st.sampled_from([None, 0, 3]),
    gold=st.sampled_from([None, GOLD, UNANSWERABLE, Gold(evidence=(GoldEvidence(source_id="a"),))]),
    agreement=st.sampled_from(["agrees", "disagrees", "absent", "unknown", "not_applicable"]),
    incomplete=st.booleans(),
    loose=st.lists(resolutions, max_size=1),
    evidence_retrieved=outcomes,
)


@given(answers)
def test_every_answer_has_a_bucket(facts):
    assert bucket_of(facts).bucket in {"correct", "wrong", "unsupported", "refused", "unknown"}


@given(answers, st.randoms(use_true_random=False))
def test_the_order_of_claims_does_not_matter(facts, random):
    shuffled = list(facts.claims)
    random.shuffle(shuffled)
    assert bucket_of(replace(facts, claims=shuffled)).bucket == bucket_of(facts).bucket


@given(answers, st.sampled_from([YES, NO]))
def test_learning_what_was_unknown_never_moves_a_decided_bucket(facts, learned):
    decided = bucket_of(facts)
    settled = [
        replace(claim, **{name: learned for name in ("own", "log", "contradicted") if getattr(claim, name) is MAYBE})
        for claim in facts.claims
    ]
    if decided.bucket != "unknown":
        assert bucket_of(replace(facts, claims=settled)).bucket == decided.bucket


def test_the_last_row_always_holds():
    assert TABLE[-1].holds(ANSWER) is YES


@given(answers)
def test_a_correct_answer_agrees_with_gold_where_there_is_gold(facts):
    if facts.answering and bucket_of(facts).bucket == "correct":
        assert facts.agreement not in {"disagrees", "absent"}
