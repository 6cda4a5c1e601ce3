"""One probability an answer: what the claims come to together, and how the bucket follows it."""

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import every_row

from showable.evaluation import evaluate_one, regrade_one, sign
from showable.judges.embedded import EmbeddedJudge
from showable.judges.lexical.judge import LexicalJudge
from showable.judges.scripted import ScriptedJudge, ScriptedVerdict
from showable.records import GENERAL, Outcome, Record
from showable.records.evidence import Evidence, PairVerdict, Verdict
from showable.rubrics import answer_support
from showable.rubrics.answer_support import AnswerHead, head_for

PASS, FAIL, UNKNOWN = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN
HEAD = AnswerHead(judge="modelled@1", weights={"least": 1.0, "count": 0.5}, uncertain=(0.45, 0.55))
ODDS = st.lists(st.floats(-6, 6), min_size=1, max_size=12)


@pytest.fixture(autouse=True)
def _head(monkeypatch):
    """A head whose numbers are known: that of the shipped judges is fitted anew with every model."""
    monkeypatch.setattr(answer_support, "_heads", lambda: {"modelled": HEAD})


def graded(*verdicts, cited=True, answer=None, judge="modelled@1", others=(0.02,), gold=None):
    """Grade an answer of one claim a verdict, each cites a source of its own; `others` are further sources that were read.

    A verdict is a p, a label with a p, or None for a judge that failed.
    """
    claims = [f"Clause {n} sets a fee of {n} euros" for n in range(len(verdicts))]
    sources = [{"source_id": f"s{n}", "text": f"Clause {n}."} for n in range(len(verdicts))]
    sources += [{"source_id": f"o{n}", "text": f"Annex {n}."} for n in range(len(others))]
    said = answer or " ".join(f"{text} [s{n}]." if cited else f"{text}." for n, text in enumerate(claims))
    given = {"id": "r", "question": "Which fees are there?", "retrieved": sources, "answer": said, "gold": gold}
    record = Record.model_validate_json(json.dumps(given))
    pairs = [
        PairVerdict(claim=n, sources=(f"s{n}",), role="cited" if cited else "other", verdict=_verdict(one, judge))
        for n, one in enumerate(verdicts)
    ]
    pairs += [
        PairVerdict(claim=n, sources=(f"o{m}",), role="other", verdict=_verdict(one, judge))
        for m, one in enumerate(others)
        for n in range(len(verdicts))
    ]
    return regrade_one(record, Evidence(id="r", judge=judge, pairs=tuple(pairs)), GENERAL)


def _verdict(given, judge):
    if given is None:
        return Verdict(label="unknown", judge=judge, reason="the model failed", failure="model failed")
    label, p = given if isinstance(given, tuple) else ("supported" if given >= 0.5 else "unsupported", given)
    return Verdict(label=label, judge=judge, p=p, reason=None if label != "unknown" else "uncertain")


@given(ODDS, st.integers(0, 11), st.floats(0, 3))
def test_a_claim_with_more_support_never_makes_an_answer_worse(odds, at, more):
    better = [value + more * (n == at % len(odds)) for n, value in enumerate(odds)]
    for weights in ({"least": 1.0, "count": 0.3}, {"least": 0.6, "second": 0.2, "mean": 0.4, "count": -0.3}):
        head = AnswerHead(judge="m@1", weights=weights, uncertain=(0.5, 0.5))
        assert head.probability(better) >= head.probability(odds) - 1e-12


@given(st.floats(-5, 5))
def test_an_answer_of_one_claim_is_as_good_as_its_claim(odds):
    assert (HEAD.probability([odds]) > 0.5) is (1 / (1 + 2.718281828459045**-odds) > 0.5)


@given(ODDS)
def test_the_order_of_the_claims_does_not_matter(odds):
    assert HEAD.probability(odds) == pytest.approx(HEAD.probability(odds[::-1]))


BUCKETS = [
    # what is shown, the verdicts, further arguments, bucket, cause, the claim named. Source: DESIGN's table and its
    # rule that an answer is judged by its worst claim, many claims a little unsure being no reason to decide nothing
    ("all supported", (0.9, 0.9, 0.8), {}, ("correct", None), 2),
    ("one clearly not", (0.9, 0.1, 0.95, 0.9), {}, ("unsupported", "no_evidence"), 1),
    ("eight, of which some are a little unsure", (0.9, 0.47, 0.9, 0.9, 0.45, 0.9, 0.8, 0.9), {}, ("correct", None), 4),
    ("unsure by its label", (0.9, ("unknown", 0.49), 0.9, 0.9, 0.9), {}, ("correct", None), 1),
    ("unsure, and alone", (("unknown", 0.49),), {}, ("unknown", "undecided"), 0),
    ("one that contradicts", (0.9, ("contradicted", 0.05), 0.9), {}, ("wrong", "contradicts_source"), 1),
    ("supported where it is not cited", (0.1,), {"others": (0.95,)}, ("unsupported", "miscited"), 0),
    ("no citation, the log supports it", (0.9,), {"cited": False}, ("unsupported", "uncited"), 0),
    ("a judge that failed on one claim", (0.9, None), {}, ("unknown", "undecided"), 0),
    (
        "a judge that failed on one, which may be contradicted, another is not supported",
        (0.05, None),
        {},
        ("unknown", "undecided"),
        0,
    ),
    (
        "open, and an invented source besides: no reading of it is correct",
        (("unknown", 0.5),),
        {"answer": "Clause 0 sets a fee of 0 euros [s0]. Clause 1 sets a fee of 1 euro [s9]."},
        ("unsupported", None),
        0,
    ),
]


@every_row("shown, verdicts, more, ruling, least", BUCKETS)
def test_the_bucket_follows_the_probability(shown, verdicts, more, ruling, least):
    bucket, cause = ruling
    card = graded(*verdicts, **more)
    assert (card.bucket, card.support.least) == (bucket, least), (shown, card.why, card.support)
    assert cause is None or card.cause == cause, shown
    assert card.release.verdict == {"correct": "show", "unknown": "unknown"}.get(bucket, "hold"), shown


def test_every_claim_keeps_its_own_verdict():
    card = graded(0.9, 0.47, 0.9, 0.9, 0.9, 0.9)
    assert card.bucket == "correct"
    assert [claim.support for claim in card.claims] == ["supported", "unsupported", *["supported"] * 4]
    assert card.claims[1].p == 0.47


def test_what_is_not_decided_names_the_least_supported_claim():
    card = graded(0.9, 0.33, 0.9)
    assert card.support.outcome is UNKNOWN
    assert card.bucket == "unknown"
    (finding,) = [one for one in card.findings if one.code == "semantic.answer"]
    assert (finding.outcome, finding.subject.claim, finding.where) == (UNKNOWN, 1, card.claims[1].span)
    assert "claim 2 is the least supported" in card.why


@pytest.mark.parametrize(("p", "read"), [(0.9, set()), (0.52, {("o",)}), (0.2, {("o",)})])
def test_other_passages_are_read_for_the_claim_that_keeps_an_answer_back(p, read):
    claim, own, other = "Clause 1 sets a fee of 5 euros", "Clause 1 is about fees.", "Annex 1 is about rent."
    judge = ScriptedJudge(
        [
            ScriptedVerdict(claim=claim, passage=own, label="supported" if p >= 0.5 else "unsupported", p=p),
            ScriptedVerdict(claim=claim, passage=other, label="unsupported", p=0.1),
        ]
    )
    judge.name = "modelled@1"
    sources = [{"source_id": "s", "text": own}, {"source_id": "o", "text": other}]
    given = {"id": "r", "question": "Which fee?", "retrieved": sources, "answer": f"{claim} [s]."}
    record = Record.model_validate_json(json.dumps(given))
    evidence = asyncio.run(evaluate_one(record, judge, GENERAL)).evidence
    assert {pair.sources for pair in evidence.pairs if pair.role == "other"} == read


@pytest.mark.parametrize("judge", ["chat:some@1", "scripted@ab", "cascade(modelled@1>chat:m@1)@1"])
def test_a_judge_that_no_head_was_fitted_for_keeps_the_rule_of_the_worst_claim(judge):
    card = graded(0.9, ("unknown", 0.49), 0.9, judge=judge)
    assert (card.bucket, card.support) == ("unknown", None)


@pytest.mark.parametrize(
    "broken",
    [{"weights": {"least": -1.0}}, {"weights": {"longest": 1.0}}, {"uncertain": (0.6, 0.5)}],
)
def test_a_head_that_could_not_be_right_is_refused(broken):
    with pytest.raises(ValueError, match=r"weights|uncertain"):
        AnswerHead(**({"judge": "m@1", "weights": {"least": 1.0}, "uncertain": (0.5, 0.5)} | broken))


def test_the_signature_names_the_head_and_no_other():
    judge = ScriptedJudge.of({})
    assert sign(judge, GENERAL).answer_head is None
    judge.name = "modelled@2"
    assert sign(judge, GENERAL).answer_head == HEAD.revision
    assert HEAD.revision != HEAD.model_copy(update={"uncertain": (0.4, 0.6)}).revision


def test_the_shipped_heads_are_those_of_the_shipped_judges(monkeypatch):
    """A new model takes `python training/answer_head.py --write`."""
    monkeypatch.undo()
    judges = (EmbeddedJudge(), LexicalJudge())
    assert [head_for(judge.name).judge for judge in judges] == [judge.name for judge in judges]
    for judge in judges:
        low, high = head_for(judge.name).uncertain
        assert low < 0.5 < high
