"""`showable.guard`: what it decides without a judge, what that rests on, and that it is the grader's rule."""

import ast
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import showable
from showable.production.guard import decide as decide_file
from showable.production.guard.call import GivenAnswer, GuardCall, Policy
from showable.production.guard.decide import decide, release_inline
from showable.profiles.load import load_profile
from showable.records.findings import Finding, Outcome
from showable.records.profile import GENERAL
from showable.records.record import Record

SOURCES = [
    {
        "source_id": "lease",
        "title": "Lease",
        "text": "The tenant may end the lease by giving ninety days' written notice.",
        "page": 2,
    },
    {
        "source_id": "amendment",
        "text": "Notice may be given by e-mail to the agent.",
        "url": "https://example.org/amendment",
    },
]


def record(answer, retrieved=SOURCES, **more):
    return {
        "id": "a",
        "question": "How much notice must the tenant give?",
        "answer": answer,
        "retrieved": retrieved,
        **more,
    }


def claim(**citation):
    return {"claims": [{"text": "Notice is ninety days.", "citations": [{"source_id": "lease", **citation}]}]}


ROWS = [
    # name, answer, verdict, a code among the codes; the expected values: DESIGN §4, rows 0, 6–8, 11, and §3
    ("cited", "Notice is ninety days [lease].", "show", None),
    ("positions", "Notice is ninety days [1]. E-mail will do [2].", "show", None),
    ("invented id", "Notice is ninety days [lease-2].", "hold", "resolvability.not_retrieved"),
    ("a position too many", "Notice is ninety days [3].", "hold", "resolvability.not_retrieved"),
    ("hidden character", "Notice is ninety\u200b days [lease].", "hold", "structural.invisible_prose"),
    ("misleading address", "See https://lease.example@198.51.100.7/ [lease].", "hold", "structural.malicious_url"),
    ("null", None, "unknown", "structural.empty_answer"),
    ("empty", "  ", "unknown", "structural.empty_answer"),
    ("cut JSON", '{"claims": [{"text": "Notice', "unknown", "structural.truncated_json"),
    ("structured", claim(quoted_span="ninety days' written notice"), "show", None),
    ("typeset quote", claim(quoted_span="ninety days’ written notice"), "show", None),
    ("misquoted", claim(quoted_span="sixty days' written notice"), "hold", "resolvability.quote_approximate"),
    (
        "quote from nowhere",
        claim(quoted_span="the landlord pays all moving costs"),
        "hold",
        "resolvability.quote_not_found",
    ),
    (
        "quote of another source",
        claim(quoted_span="Notice may be given by e-mail"),
        "hold",
        "resolvability.quote_in_other_source",
    ),
    ("right page", claim(page=2), "show", None),
    ("wrong page", claim(page=7), "hold", "resolvability.wrong_page"),
    ("address beside a source that has none", claim(url="https://example.com/other"), "show", None),
    (
        "invented structured",
        {"claims": [{"text": "X.", "citations": [{"source_id": "nowhere"}]}]},
        "hold",
        "resolvability.not_retrieved",
    ),
    ("uncited structured", {"claims": [{"text": "Notice is ninety days."}]}, "hold", "structural.uncited_claim"),
    ("no claims", {"claims": [], "refusal": "none"}, "hold", "structural.no_claims"),
    (
        "structured refusal",
        {"claims": [], "refusal": "no_evidence", "text": "I have no evidence for that."},
        "show",
        None,
    ),
    (
        "marker in shown text",
        {**claim(), "text": "Notice is ninety days [lease]. So did the court say [appeal]."},
        "hold",
        "resolvability.not_retrieved",
    ),
]


@pytest.mark.parametrize(("name", "answer", "verdict", "code"), ROWS, ids=[row[0] for row in ROWS])
def test_an_answer_is_shown_held_or_unknown(name, answer, verdict, code):
    release = showable.guard(record(answer))
    assert (release.verdict, code is None or code in release.codes) == (verdict, True), release
    assert release.rests_on.semantic == "not_run"
    assert release.rests_on.left_out["semantic"]
    assert (release.text is None) == (verdict == "show")


def test_an_answer_without_a_log_is_unknown_and_never_shown():
    release = showable.guard(record("Notice is ninety days [lease].", retrieved=None))
    assert release.verdict == "unknown"


def test_where_nothing_was_retrieved_a_refusal_is_shown_and_an_assertion_held():
    assert showable.guard(record("Notice is ninety days.", retrieved=[])).verdict == "hold"
    declined = showable.guard(record("I have no evidence for the notice period in these documents.", retrieved=[]))
    assert (declined.verdict, declined.rests_on.reading) == ("show", "full")


def test_a_source_without_text_leaves_the_verdict_open():
    release = showable.guard(record("Notice is ninety days [lease].", retrieved=[{"source_id": "lease"}]))
    assert (release.verdict, "resolvability.text_missing" in release.codes) == ("unknown", True)


def test_with_a_judge_the_verdict_rests_on_all_three_rubrics():
    release = showable.guard(record("The tenant must give ninety days' written notice [lease]."), judge="lexical")
    assert release.rests_on.semantic in {"pass", "fail", "unknown"}
    assert release.rests_on.reading == "full"
    assert (
        release.verdict
        == showable.score(
            record("The tenant must give ninety days' written notice [lease]."), judge="lexical"
        ).release.verdict
    )


def test_a_mapping_that_is_no_record_is_an_input_error():
    with pytest.raises(showable.InputError, match="retrieved"):
        showable.guard({"question": "q", "answer": "a", "retrieved": "nothing"})


@pytest.mark.parametrize(("name", "answer", "verdict", "code"), ROWS, ids=[row[0] for row in ROWS])
def test_what_a_lean_reading_holds_a_full_one_does_not_show(name, answer, verdict, code):
    given = Record.model_validate(record(answer))
    lean, full = release_inline(given, GENERAL), release_inline(given, GENERAL, full=True)
    if lean.verdict == "hold":
        assert full.verdict != "show"


def call(*answers, retrieved=SOURCES, **more):
    log = None if retrieved is None else Record.model_validate(record("", retrieved)).retrieved
    return GuardCall(api="chat", question="q", answers=answers, retrieved=log, **more)


def test_of_several_answers_the_strictest_decides():
    good, bad = GivenAnswer("Notice is ninety days [lease]."), GivenAnswer("Notice is ninety days [appeal].")
    assert decide(call(good, good), Policy()).verdict == "show"
    assert decide(call(good, bad), Policy()).verdict == "hold"
    assert decide(call(), Policy()).verdict == "unknown"


def test_tool_calls_are_scanned_and_are_no_answer():
    assert (
        decide(call(GivenAnswer("", finish="tools", beside=('{"query": "notice"}',)), retrieved=None), Policy()).verdict
        == "show"
    )
    hidden = GivenAnswer("", finish="tools", beside=("noti\u200bce",))
    assert decide(call(hidden, retrieved=None), Policy()).verdict == "hold"
    aside = GivenAnswer("As held before [appeal], let me look.", finish="tools")
    assert decide(call(aside), Policy()).verdict == "hold"


def test_a_cut_answer_is_unknown():
    release = decide(call(GivenAnswer("Notice is ninety days [lease].", finish="length")), Policy())
    assert (release.verdict, release.codes) == ("unknown", ("structural.truncated",))


def test_findings_of_scanners_hold_where_the_policy_lists_them():
    found = Finding(code="scanner.secrets", outcome=Outcome.FAIL, reason="a key")

    def scanner(_call):
        return [found]

    answer = GivenAnswer("Notice is ninety days [lease].")
    assert decide(call(answer), Policy(scanners=(scanner,))).verdict == "show"
    held = decide(call(answer), Policy(scanners=(scanner,), holding=frozenset({"scanner.secrets"})))
    assert (held.verdict, held.reasons, held.codes) == ("hold", ("a key",), ("scanner.secrets",))


def test_where_a_verdict_is_required_none_is_unknown():
    answer = GivenAnswer("Notice is ninety days [lease].")
    release = decide(call(answer), Policy(semantic="required"))
    assert (release.verdict, release.codes) == ("unknown", ("semantic.unjudged",))


def test_a_claim_of_a_critical_kind_needs_a_verdict_under_the_legal_profile():
    legal = load_profile("legal")
    kinds = {
        "claims": [
            {
                "text": "The court held that notice must be in writing.",
                "kind": "holding",
                "citations": [{"source_id": "lease", "quoted_span": "ninety days' written notice"}],
            }
        ]
    }
    answer = GivenAnswer(json.dumps(kinds))
    assert decide(call(answer), Policy(profile=legal, semantic="off", reading="full")).verdict == "show"
    release = decide(call(answer), Policy(profile=legal, semantic="critical", reading="full"))
    assert (release.verdict, "semantic.unjudged" in release.codes) == ("unknown", True)


def test_the_decision_touches_no_network_clock_or_environment():
    outside = {"socket", "ssl", "asyncio", "time", "os", "random", "httpx", "httptools", "uvloop"}
    for name in ("decide", "call", "lean_reading", "acting"):
        tree = ast.parse(Path(decide_file.__file__).with_name(f"{name}.py").read_text("utf-8"))
        imported = {
            alias.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names
        }
        assert not imported & outside, name


QUOTES = [
    "ninety days' written notice",
    "ninety",
    "sixty days",
    "e-mail to the agent",
    "ays' wri",
    "a",
    "",
    None,
    "Notice may",
    "notice.",
    "neunzig Tage ü",
    "giving  ninety",
]
CITATIONS = st.fixed_dictionaries(
    {"source_id": st.sampled_from(["lease", "amendment", "lease", "amendment", "nowhere", "1", "LEASE", ""])},
    optional={
        "quoted_span": st.sampled_from(QUOTES),
        "page": st.sampled_from([2, 3, None]),
        "url": st.sampled_from([None, "https://example.org/amendment", "http://198.51.100.1/"]),
    },
)
CLAIMS = st.fixed_dictionaries(
    {
        "text": st.sampled_from(
            [
                "Notice is ninety days.",
                "See evil.example.",
                "Hid\u200bden.",
                "Über alles.",
                "Two\nlines.",
                "http://a@b/",
                "",
            ]
        ),
        "citations": st.lists(CITATIONS, max_size=3),
    },
    optional={"kind": st.sampled_from(["holding", None])},
)
ANSWERS = st.fixed_dictionaries(
    {"claims": st.lists(CLAIMS, max_size=3)},
    optional={
        "refusal": st.sampled_from(["none", "no_evidence"]),
        "text": st.sampled_from(["", "Notice is ninety days [lease].", "[nowhere]"]),
    },
)


CLAIM = '{"text": "Notice is ninety days.", "citations": [{"source_id": "lease", "quoted_span": "ninety days"}]}'
WRITTEN = [
    # answers as text that no JSON writer makes; source: RFC 8259, 4: names within an object should be unique
    (f'{{"claims": [{CLAIM}]}}', "show"),
    (f'{{"claims": [{CLAIM}], "claims": [{CLAIM}]}}', "unknown"),
    (f'{{"claims": [{CLAIM[:-1]}, "text": "Another."}}]}}', "unknown"),
    (f'{{"claims": [{CLAIM}], "refusal": "none", "refusal": "none"}}', "unknown"),
    (f'{{"claims": [{CLAIM}]}} {{"claims": [{CLAIM}]}}', "unknown"),
    (f'{{"claims": [{CLAIM}]', "unknown"),
]


@pytest.mark.parametrize(("text", "verdict"), WRITTEN)
def test_a_field_that_stands_twice_is_not_in_order(text, verdict):
    _in_order_agrees(text, load_profile("general"), verdict)


@pytest.mark.parametrize("profile", ["general", "legal"])
@given(answer=ANSWERS)
@settings(max_examples=150)
def test_what_is_told_to_be_in_order_passes_every_check(profile, answer):
    _in_order_agrees(json.dumps(answer), load_profile(profile))


def _in_order_agrees(text, rules, verdict=None):
    made = Record.model_validate(record(text))
    quick = release_inline(made, rules)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decide_file, "citations_in_order", lambda *_args: None)
        slow = release_inline(made, rules)
    assert quick.model_copy(update={"codes": slow.codes}) == slow
    assert quick.codes == slow.codes or (slow.verdict == "show" and not quick.codes)
    assert verdict in {None, quick.verdict}
