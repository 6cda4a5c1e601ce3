"""What a feed says of an issue by rule: causes, fixes, the four scores, states, trend. Expected values: the tables of docs/feed.md."""

from dataclasses import replace

import numpy as np
import pytest
from failures_made import DAY, NOW, failing
from scorecards import FAIL, PASS, card, claim
from tables import every_row

from showable.measure.rates import wilson_interval
from showable.production.feed.answers import Answered, document_of
from showable.production.feed.contrast import Circumstances, contrasts
from showable.production.feed.corrections import standing_events
from showable.production.feed.dimensions import Plan, dimensions, priority, summed
from showable.production.feed.fixes import CHECK, RULES, Failure, fix_of
from showable.production.feed.items import deciding_claim, item_of, standing
from showable.production.feed.nouns import Event
from showable.production.feed.space import points, squares
from showable.production.feed.states import Observed, Sighting, state_of
from showable.production.feed.trend import Seen, days_of, escalates, share_of
from showable.records import Finding, OutcomeCounts, Record, Source


def failure(cause, *, n=0, diagnosis="generator", wording=None, near=False, kind=None, **features):
    held = {"cause": (cause,)} | {family: (value,) for family, value in features.items()}
    return Failure(held, diagnosis, f"question {n}", f"claim {n}" if wording is None else wording, near, kind)


@every_row(
    "failures, category",
    [
        ({"cause": "invented_source", "cited": "case"}, "generation.no_outside_authority"),
        ({"cause": "invented_source", "cited": "work"}, "generation.no_outside_authority"),
        ({"cause": "invented_source", "cited": "id"}, "generation.ids_from_log"),
        ({"cause": "bad_source", "codes": "resolvability.source_status"}, "sources.freshness"),
        ({"cause": "wrong_page", "codes": "resolvability.wrong_page"}, "pages.carry"),
        ({"cause": "bad_quote", "codes": "resolvability.quote_not_found"}, "quotes.verbatim"),
        ({"cause": "answered_on_null_retrieval"}, "refusal.licence"),
        ({"cause": "over_refusal"}, "refusal.loosen"),
        ({"cause": "unjudged", "codes": "refusal.flat"}, "refusal.explain"),
        ({"cause": "unparsed"}, "structure.schema"),
        ({"cause": "correct", "codes": "semantic.padding"}, "padding.drop"),
        ({"cause": "no_evidence", "support": "unsupported", "beside": "supported"}, "padding.drop"),
        ({"cause": "contradicts_source", "contradicted": "pass", "difference": "number"}, "reading.numbers"),
        ({"cause": "contradicts_source", "contradicted": "pass", "difference": "name"}, "reading.names"),
        ({"cause": "contradicts_source", "contradicted": "pass", "difference": "negation"}, "reading.negation"),
        ({"cause": "uncited"}, "prompt.cite_every_claim"),
        ({"cause": "miscited"}, "selection.cite_check"),
        ({"cause": "retrieval_miss"}, "retrieval.recall"),
        ({"cause": "no_evidence", "corpus": "fail"}, "refusal.licence"),
        ({"cause": "no_evidence", "diagnosis": "retriever"}, "undecided.licence_or_recall"),
        ({"cause": "no_evidence"}, "reading.unsupported"),
        ({"cause": "undecided"}, "unknown"),
    ],
)
def test_which_fix_a_group_asks_for(failures, category):
    fix, title = fix_of([failure(**failures, n=n) for n in range(10)])
    assert fix.category == category
    assert title
    assert fix.text


def test_what_was_not_retrieved_is_named():
    from showable.production.feed.evidence import cards_of
    from showable.production.feed.nouns import Fix, Issue

    one = failing("uncited", 1)
    held = replace(one, failure=replace(one.failure, missed=("act-22#1",)))
    issue = Issue(issue="EF-1", state="new", title="t", n=2, fix=Fix(category="retrieval.recall", text=""))
    (card,) = [card for card in cards_of(issue, [held, held, one]) if card.kind == "missed"]
    assert card.values == {"act-22#1": 2}


def test_a_fix_needs_six_of_ten():
    def mixed(n):
        return [failure("uncited", n=at) for at in range(n)] + [failure("undecided", n=at) for at in range(n, 10)]

    assert fix_of(mixed(6))[0].category == "prompt.cite_every_claim"
    assert fix_of(mixed(5))[0].category == "unknown"


def test_every_rule_can_be_told_by_its_title():
    assert len({rule.title for rule in RULES}) == len(RULES)


@every_row(
    "failures, doubted",
    [
        ([failure("no_evidence", n=n, wording="the passages say the following") for n in range(30)], True),
        (
            [failure("no_evidence", n=0, wording="the notice period is 30 days") for _ in range(30)],
            False,
        ),  # one question
        ([failure("no_evidence", n=n, wording="a lead-in" if n < 14 else None) for n in range(30)], False),
        ([failure("no_evidence", n=n, near=n < 6) for n in range(10)], True),
        ([failure("no_evidence", n=n, near=n < 5) for n in range(10)], False),
    ],
)
def test_when_the_measurement_is_doubted(failures, doubted):
    assert (fix_of(failures)[0].category == CHECK) is doubted


def test_what_was_planted_is_found_and_nothing_else():
    group = [circumstances(prompt="p8", model=f"m-{n % 2}") for n in range(30)]
    well = [circumstances(prompt="p7" if n % 5 else "p8", model=f"m-{n % 2}") for n in range(200)]
    (found,) = contrasts([group], well)
    assert [(row.field, row.value, row.n) for row in found] == [("prompt", "p8", 30)]
    assert (found[0].share_in, found[0].share_out) == (1.0, 0.2)
    assert found[0].odds == pytest.approx(30.5 * 160.5 / (0.5 * 40.5), abs=0.01)  # 0.5 added to each cell


@pytest.mark.slow
def test_groups_drawn_at_random_have_no_cause():
    """200 groups of 30 passing answers, six fields of two to ten values: at most 5 % may be given a cause."""
    random = np.random.default_rng(11)
    well = [circumstances(**{f"f{k}": f"v{random.integers(2 + 2 * (k % 5))}" for k in range(6)}) for _ in range(800)]
    groups = [[well[at] for at in random.choice(800, 30, replace=False)] for _ in range(200)]
    assert sum(map(bool, contrasts(groups, well))) <= 10


def test_the_topic_explains_nothing_where_it_is_the_baseline_s_too():
    group = [circumstances(topic="law", document="act") for _ in range(20)]
    well = [circumstances(topic="law", document="act") for _ in range(50)] + [
        circumstances(topic="news", document="wire") for _ in range(500)
    ]
    assert contrasts([group], well) == [[]]


def circumstances(**fields):
    return Circumstances({name: (value,) for name, value in fields.items()}, "", 1.0)


@every_row(
    "identifier, document",
    [
        ("handbook-12", "handbook"),
        ("act.pdf#p4", "act.pdf"),
        ("nda-71-1", "nda-71"),
        ("policy-v2", "policy-v2"),
        ("12", "12"),
    ],
)
def test_which_document_a_passage_is_of(identifier, document):
    assert document_of(identifier) == document


def answered(made, **record):
    return Answered(Record(id=made.id, question="How long is the notice?", answer="30 days", **record), made, {})


def failed(*codes):
    return tuple(Finding(code=code, outcome=FAIL) for code in codes)


@every_row(
    "made, plan, expected",
    [
        (card(bucket="correct"), None, {"factual_grounding": 5}),
        (card(bucket="refused", cause="warranted"), None, {"factual_grounding": 5}),
        (card(bucket="correct", extra_claim_count=1), None, {"factual_grounding": 4}),
        (card(bucket="unsupported", cause="miscited"), None, {"factual_grounding": 3}),
        (card(bucket="unsupported", cause="no_evidence"), None, {"factual_grounding": 2}),
        (card(bucket="unsupported", cause="invented_source"), None, {"factual_grounding": 1}),
        (card(bucket="wrong", cause="contradicts_source"), None, {"factual_grounding": 1}),
        (card(bucket="unknown", why="not judged"), None, {"factual_grounding": "not decided: not judged"}),
        (card(findings=failed("structural.schema")), None, {"instruction_adherence": 3}),
        (card(findings=failed("structural.schema", "structural.missing_quote")), None, {"instruction_adherence": 2}),
        (card(findings=failed("structural.uncited_claim")), None, {"instruction_adherence": 4}),
        (card(findings=failed("structural.truncated_json")), None, {"instruction_adherence": 1}),
        (card(checks={"structural.schema": OutcomeCounts(passed=1)}), None, {"instruction_adherence": 5}),
        (card(findings=failed("structural.malicious_url")), None, {"privacy_and_safety": 2}),
        (card(findings=failed("structural.invisible_prose")), None, {"privacy_and_safety": 1}),
        (card(checks={"structural.pattern": OutcomeCounts(passed=1)}), None, {"privacy_and_safety": 5}),
        (card(), Plan(), {"optimal_plan_execution": 5}),
        (card(), Plan(errors=2, repeated=1), {"optimal_plan_execution": 3}),
    ],
)
def test_what_an_answer_scores(made, plan, expected):
    scores = dimensions(answered(made), plan)
    assert {name: scores[name] for name in expected} == expected


def test_what_was_not_looked_for_is_unknown_and_not_good():
    scores = dimensions(answered(card()), None)
    assert all(
        isinstance(scores[name], str)
        for name in ("privacy_and_safety", "instruction_adherence", "optimal_plan_execution")
    )
    told = summed("privacy_and_safety", [scores] * 3)
    assert (told.median, told.n, told.unknown) == (None, 0, 3)
    assert priority(10, {"privacy_and_safety": told}) == 0.0


def test_scores_of_an_issue_are_a_median_and_a_low_end():
    told = summed("factual_grounding", [{"factual_grounding": score} for score in (1, 1, 2, 5, 5, "not judged")])
    assert (told.median, told.p10, told.n, told.unknown, told.why) == (2.0, 1.0, 5, 1, "not judged")


@every_row(
    "made, expected",
    [
        (card(bucket="wrong"), "failing"),
        (card(bucket="correct"), "passing"),
        (card(bucket="correct", citation_supports=FAIL, claims=(claim("supported", (PASS, FAIL)),)), "failing"),
        (card(bucket="refused", cause="warranted"), "passing"),
        (card(bucket="refused", cause="over_refusal"), "failing"),
        (card(bucket="refused", cause="unjudged", findings=failed("refusal.flat")), "failing"),
        (card(bucket="unknown"), "unknown"),
    ],
)
def test_what_fails(made, expected):
    assert standing(made) == expected


def event(kind, seq=1, /, **body):
    return Event(seq=seq, at_ns=NOW, who="tester", issue="EF-1", kind=kind, body=body)


def observed(*, batches=2, first=1, last=0, members=(), **more):
    """First and last are days ago."""
    return Observed(batches, NOW - first * DAY, NOW - last * DAY, members, now_ns=NOW, **more)


def sightings(n, p=0.9, **versions):
    return [Sighting(f"new-{at}", NOW, versions, p) for at in range(n)]


RESOLVED = event("resolve", members=["old-1"], versions={"prompt_version": ["p7"]})


@every_row(
    "seen, events, expected",
    [
        (observed(batches=1), [], "provisional"),
        (observed(), [], "new"),
        (observed(first=8), [], "ongoing"),
        (observed(first=8, escalating=True), [], "escalating"),
        (observed(first=40, last=15, answers_since=300, expected=9.0), [], "fading"),
        (observed(first=40, last=15, answers_since=300, expected=2.0), [], "ongoing"),  # too little traffic to say
        (observed(first=40, last=15, answers_since=150, expected=9.0), [], "ongoing"),
        (observed(members=sightings(9, prompt_version="p7")), [RESOLVED], "resolved"),
        (observed(members=sightings(3, prompt_version="p8")), [RESOLVED], "regressed"),
        (observed(members=sightings(2, prompt_version="p8")), [RESOLVED], "resolved"),
        (observed(members=sightings(3, p=0.7, prompt_version="p8")), [RESOLVED], "resolved"),
        (observed(members=sightings(3)), [event("resolve", members=[], versions={})], "regressed"),
        (observed(), [RESOLVED, event("reopen", 2)], "new"),
        (observed(), [RESOLVED, event("undo", 2, seq=1)], "new"),
        (observed(first=8), [event("archive", until="escalating", members=[])], "archived"),
        (observed(first=8, escalating=True), [event("archive", until="escalating", members=[])], "escalating"),
        (observed(first=8, escalating=True), [event("archive", until="for_good", members=[])], "archived"),
        (observed(first=8, members=sightings(4)), [event("archive", until=5, members=[])], "archived"),
        (observed(first=8, members=sightings(5)), [event("archive", until=5, members=[])], "ongoing"),
    ],
)
def test_the_state_of_an_issue(seen, events, expected):
    assert state_of(seen, events) == expected


def test_an_undo_can_be_undone():
    merge, undo, again = event("merge", 1, into="EF-2"), event("undo", 2, seq=1), event("undo", 3, seq=2)
    assert standing_events([merge, undo]) == []
    assert standing_events([merge, undo, again]) == [merge]


def test_a_share_without_weights_is_wilson_s_and_with_them_the_share_of_traffic():
    plain = [(str(n), None, n < 3, 1.0) for n in range(20)]
    found = share_of(Seen.of(plain))
    assert (found.rate, found.read) == (0.15, 20)
    assert (found.low, found.high) == pytest.approx(wilson_interval(0.15, 20), abs=1e-6)
    drawn = [(f"m{n}", None, True, 1.0) for n in range(10)] + [(f"w{n}", None, False, 5.0) for n in range(18)]
    assert share_of(Seen.of(drawn)).rate == 0.1
    unread = share_of(Seen.of([("a", None, True, None)]))
    assert (unread.rate, unread.read) == (None, 0)


def test_a_trend_has_fourteen_days_and_no_rate_where_nothing_came():
    days = days_of(Seen.of([("a", NOW - 3600 * 10**9, True, 1.0), ("b", NOW, False, 1.0)]), NOW)
    assert len(days) == 14
    assert [(day.members, day.answers, day.rate) for day in days[-3:]] == [(0, 0, None), (1, 1, 1.0), (0, 1, 0.0)]


def stream(before, after, n=2_000):
    """Answers five minutes apart; the share of members changes in the middle of the second half."""
    random = np.random.default_rng(5)
    turn = n * 3 // 4
    rates = [before] * turn + [after] * (n - turn)
    return Seen.of(
        (f"a{at:05}", NOW + at * 300 * 10**9, bool(random.random() < rate), 1.0) for at, rate in enumerate(rates)
    )


def test_a_rise_is_told_of_with_where_it_began_and_noise_is_not():
    since = escalates(stream(0.02, 0.15), issues=10)
    assert since is not None
    assert abs(int(since[1:]) - 1_500) < 100
    assert escalates(stream(0.02, 0.02), issues=10) is None
    assert escalates(stream(0.02, 0.15)[:150], issues=10) is None  # too few before it
    assert escalates(Seen.of([("a", None, True, 1.0)] * 500), issues=1) is None  # no times


def test_a_passage_that_is_longer_than_a_card_is_cut_and_says_so():
    from showable.production.feed.sentences_kept import sentences_kept

    text = "The roof is kept by the landlord. " + "Nothing is said here of anything. " * 200
    kept = sentences_kept(text, "who keeps the roof", 500)
    assert len(kept) <= 500
    assert kept.startswith("The roof is kept by the landlord.")
    assert "cut" in kept
    assert sentences_kept("short", "who", 500) == "short"


# -- which claim a failure is about, and what is compared ----------------------------------------------------------------


def failed_at(code, at):
    return Finding(code=code, outcome=FAIL, subject={"claim": at}, reason="")


@every_row(
    "cause, supports, findings, decided",
    [
        # a citation decided: its claim, though another is worse by what it says
        (
            "bad_source",
            ("uncited", "supported"),
            [("structural.uncited_claim", 0), ("resolvability.source_status", 1)],
            1,
        ),
        (
            "wrong_page",
            ("supported", "unsupported"),
            [("resolvability.wrong_page", 0), ("semantic.not_entailed", 1)],
            0,
        ),
        # else the worst claim, as `measure.worst` ranks them
        ("no_evidence", ("uncited", "unsupported"), [("resolvability.not_retrieved", 0)], 1),
        ("bad_source", ("supported",), [], None),
    ],
)
def test_which_claim_decided(cause, supports, findings, decided):
    claims = tuple(claim(support, text=f"claim {n}") for n, support in enumerate(supports))
    made = card(bucket="unsupported", cause=cause, claims=claims, findings=tuple(failed_at(*one) for one in findings))
    found = deciding_claim(made)
    assert (None if found is None else claims.index(found)) == decided


@every_row(
    "text, differs",
    [
        ("The tenant gives 60 days of notice to the landlord.", ("number",)),
        ("The tenant does not give 30 days of notice to the landlord.", ("negation",)),
        ("Nine ferries carried 4,000 pilgrims past Lindisfarne.", ()),  # it differs in everything
    ],
)
def test_a_difference_counts_where_most_words_are_the_passage_s(text, differs):
    source = Source(source_id="d1", text="The tenant gives 30 days of notice to the landlord.")
    record = Record(
        id="q1",
        question="How much notice does the tenant of a castle give?",
        answer=f"{text} [d1]",
        retrieved=(source,),
    )
    held = claim("unsupported", (PASS, FAIL), text=text)
    features = item_of(record, card(bucket="unsupported", cause="no_evidence", claims=(held,))).features
    assert features["difference"] == differs
    assert features["asked"] == ("0.67",)  # notice and tenant, no castle


def test_equal_findings_are_one_place_and_near_shares_lie_near():
    shares = [{"cause": ("uncited",), "asked": (share,)} for share in ("0.00", "0.50", "0.60", "1.00")]
    placed = points(shares, np.zeros((4, 64), dtype=np.float32)).astype(np.float64)
    none, half, more, whole = placed
    assert np.linalg.norm(placed, axis=1) == pytest.approx(1.0)
    assert np.linalg.norm(half - more) < np.linalg.norm(half - whole) < np.linalg.norm(none - whole)
    for at, away in squares(placed.astype(np.float32), placed.astype(np.float32)):
        assert at == 0
        assert np.diag(away) == pytest.approx(0.0, abs=1e-12)
        assert away[1, 2] == pytest.approx(((half - more) ** 2).sum(), rel=1e-5)
