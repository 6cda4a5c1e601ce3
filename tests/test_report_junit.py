"""A run, and the decision of a gate, as JUnit XML."""

from __future__ import annotations

import json

import pytest
from gate_runs import gate as decided
from gate_runs import run as letters
from lxml import etree
from report_checks import JUNIT
from report_views import (
    WHAT_COMES,
    junit_of,
    view_of,
    written,
)
from scorecards import SIGNATURE, few_cards

from showable.report.json_report import gate_document, write_document
from showable.report.junit import write_gate_junit


@pytest.mark.parametrize("cards", WHAT_COMES.values(), ids=WHAT_COMES)
def test_junit_is_valid(cards):
    tree = junit_of(view_of(cards))
    assert JUNIT.validate(tree), JUNIT.error_log


def test_junit_says_what_failed_and_why():
    cases = {case.get("name"): case for case in junit_of(view_of(few_cards()))[0].findall("testcase")}
    failure = cases["dose-1"].find("failure")
    assert failure.get("type") == "contradicts_source"
    assert failure.get("message").startswith("wrong: claim 1 is contradicted by d1")
    assert failure.text.splitlines() == [
        "wrong (contradicts_source): claim 1 is contradicted by d1: the passage says 40 mg, the claim 400 mg",
        "question: How much?",
        "claim 1 (contradicted): The usual dose is 400 mg [bold]a day[/bold].",
        "passage d1: The usual dose is 40 mg a day. It is taken with food.",
    ]
    assert cases["case-9"].find("failure").get("type") == "invented_source"
    skipped = cases["trial-3"].find("skipped")
    assert (skipped.get("type"), skipped.get("message")) == ("undecided", "unknown: the judge timed out")
    assert skipped.text.startswith("unknown (undecided): the judge timed out\n")  # GitLab shows no messages, only text
    assert cases["moon-1"].find("failure") is None  # a refusal passes, an over-refusal too: it may be shown
    assert "cause: over_refusal" in cases["moon-1"].findtext("system-out")
    assert cases["dose-1"].get("classname") == "showable.tempt_wrong"


def test_junit_invents_no_times_and_is_signed():
    tree = junit_of(view_of(few_cards()))
    assert not tree.xpath("//@time | //@timestamp | //@hostname")
    properties = {one.get("name"): one.get("value") for one in tree.find("testsuite/properties")}
    assert properties["signature"] == str(SIGNATURE)
    assert properties["rate.acceptable"] == "81.8 % (9/11, 95 % CI 52.3–94.9); 1 unknown"


GATES = [
    # baseline, candidate, the element of `ship`, failing rules, skipped rules: as the gate's rules are described
    ("ccccr", "ccccr", None, set(), set()),
    ("cccc", "cccw", "failure", {"wrong", "acceptable"}, {"refusal_quality"}),
    ("cccc", "cccu", "failure", {"unsupported", "acceptable"}, {"refusal_quality"}),
    ("", "", "error", set(), set()),
    ("????", "????", "error", set(), set()),
]


@pytest.mark.parametrize(("before", "after", "kind", "fails", "skips"), GATES)
def test_a_gate_in_junit(before, after, kind, fails, skips):
    decision = decided(letters(before), letters(after))
    tree = etree.fromstring(written(write_gate_junit, decision))
    assert JUNIT.validate(tree), JUNIT.error_log
    cases = {case.get("name"): case for case in tree[0].findall("testcase")}
    assert set(cases) == {"ship", *(line.name for line in decision.lines)}
    ship = cases.pop("ship")
    assert [child.tag for child in ship] == ([kind] if kind else [])  # never a silent pass where nothing was measured
    failing = {name for name, case in cases.items() if case.find("failure") is not None}
    assert failing == {line.name for line in decision.lines if line.ok is False}
    assert fails <= failing
    skipped = {name for name, case in cases.items() if case.find("skipped") is not None}
    assert skips <= skipped == {line.name for line in decision.lines if line.ok is None}
    suite = tree[0]
    assert int(suite.get("tests")) == len(cases) + 1
    assert int(suite.get("failures")) + int(suite.get("errors")) + int(suite.get("skipped")) == len(
        suite.xpath("testcase/failure | testcase/error | testcase/skipped")
    )


def test_a_gate_names_the_questions_that_got_worse():
    tree = etree.fromstring(written(write_gate_junit, decided(letters("cccc"), letters("cccw"))))
    wrong = next(case for case in tree[0].findall("testcase") if case.get("name") == "wrong")
    assert "worse: q3" in wrong.findtext("failure")
    assert {one.get("name"): one.get("value") for one in tree.find("testsuite/properties")}["signature"] == str(
        SIGNATURE
    )


def test_a_gate_in_json_is_what_the_command_prints():
    decision = decided(letters("cccc"), letters("cccw"))
    assert json.loads(written(write_document, gate_document(decision))) == json.loads(decision.model_dump_json())
