"""Rules that say which rubrics run on which answers, the scorers that they name, and the outcome of each rubric."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from scorecards import card, claim
from tables import every_row

from showable.errors import InputError
from showable.judges.lexical import LexicalJudge
from showable.measure.measures import citation_resolves, citation_supports
from showable.measure.rubric_outcomes import ONLY_WARNINGS, rubric_outcomes
from showable.records.findings import Outcome
from showable.records.record import Answer, Citation, Claim, Record, Source
from showable.records.traced import TracedAnswer
from showable.report.finding_words import FINDING_WORDS
from showable.traces.rules import ALL_RUBRICS, load_rules
from showable.traces.scorers import (
    NotPassedError,
    Scored,
    Scorer,
    assert_passes,
    grade_unjudged,
    resolvability,
    rubrics,
    semantic,
    structural,
)

PASS, FAIL, UNKNOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN, Outcome.NOT_APPLICABLE
LEASE = (Source(source_id="lease", text="The notice period is thirty days."),)


def record(answer, retrieved=LEASE, **more):
    return Record(id="a", question="What is the notice period?", answer=answer, retrieved=retrieved, **more)


def cites(source_id="lease", **more):
    citation = Citation(source_id=source_id, **more)
    return Answer(claims=(Claim(text="The notice period is thirty days.", citations=(citation,)),))


def traced(**of):
    return TracedAnswer(**{"record": record(cites()), "trace_id": "t", "span_id": "s", **of})


def rules(tmp_path, text):
    path = tmp_path / "tags.toml"
    path.write_text(text)
    return load_rules(path)


TAGS = """
[[rule]]
name = "experiment"
service = "leases*"
attributes = {"app.variant" = "b", "app.beta" = "true"}
cohort = "variant b"
always = true

[[rule]]
name = "chat without citations"
kind = "agent"
rubrics = []

[[rule]]
name = "law"
model = "big-?"
span = "answer*"
profile = "legal"
judge = "lexical"
sample = 1

[[rule]]
name = "the rest"
rubrics = ["structural", "resolvability"]
"""


@pytest.mark.parametrize(
    ("of", "attributes", "rule"),
    [
        ({"service": "leases-eu"}, {"app.variant": "b", "app.beta": True}, "experiment"),
        ({"service": "leases-eu"}, {"app.variant": "b", "app.beta": False}, "the rest"),
        ({"service": "leases-eu"}, {"app.variant": ["a", "b"], "app.beta": "true"}, "experiment"),
        ({"service": "leases-eu"}, {}, "the rest"),
        ({"service": "Leases"}, {"app.variant": "b", "app.beta": True}, "the rest"),
        ({"service": "leases", "kind": "AGENT"}, {"app.variant": "b", "app.beta": True}, "experiment"),
        ({"kind": "AGENT", "model": "big-1", "name": "answer"}, {}, "chat without citations"),
        ({"model": "big-1", "name": "answer it"}, {}, "law"),
        ({"model": "big-10", "name": "answer it"}, {}, "the rest"),
    ],
)
def test_the_first_rule_whose_conditions_all_hold_decides(tmp_path, of, attributes, rule):
    assert rules(tmp_path, TAGS).for_answer(traced(**of), attributes).rule == rule


def test_what_a_rule_says_is_applied_whole(tmp_path):
    made = rules(tmp_path, TAGS)
    law = made.for_answer(traced(model="big-1", name="answer"), {})
    assert (law.profile, law.judge, law.sample, law.always, law.cohort) == ("legal", "lexical", 1.0, False, None)
    rest = made.for_answer(traced(), {})
    assert rest.off == (("semantic", "rule 'the rest' switches it off"),)


def test_without_a_file_all_rubrics_run_on_every_answer():
    assert load_rules(None).for_answer(traced()) == ALL_RUBRICS
    assert not ALL_RUBRICS.off


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("[[rule]", 1, "no TOML"),
        ('[rule]\nname = "a"', 1, "rule: expected [[rule]], in double brackets"),
        ("[[rules]]\n", 1, "rules: unknown field"),
        ('[[rule]]\nname = "a"\n\n[[rule]]\nservice = "x"', 4, "name: this field is missing"),
        ('[[rule]]\nname = "a"\n[[rule]]\nname = "b"\nservices = "x"', 5, "services: unknown field"),
        ('[[rule]]\nname = "a"\nrubrics = ["structure"]', 3, "rubrics.0: expected 'structural', "),
        ('[[rule]]\nname = "a"\nrubrics = ["semantic", "semantic"]', 3, "rubrics: a rubric is named twice"),
        ('[[rule]]\nname = "a"\nsample = 1.5', 3, "sample: expected a share above 0 and at most 1, got 1.5"),
        ('[[rule]]\nname = "a"\nsample = 0', 3, "sample: expected a share above 0 and at most 1, got 0"),
        ('[[rule]]\nname = "a"\nalways = "yes"', 3, "always: expected true or false, got 'yes'"),
        ('[[rule]]\nname = "a"\n[rule.attributes]\nx = 3', 4, "attributes.x: expected a string, got 3"),
        ('[[rule]]\nname = "a"\n[[rule]]\nname = "a"', 4, "name: there is another rule 'a'"),
        ('[[rule]]\nname = "a"\nrubrics = []\nalways = true', 4, "always: the rule switches the semantic rubric off"),
        ('[[rule]]\nname = "a"\nscorers = ["none"]', 3, "scorers: expected package.module:object, got 'none'"),
        (
            '[[rule]]\nname = "a"\nscorers = ["nothing.here:x"]',
            3,
            "scorers: cannot load nothing.here:x: ModuleNotFound",
        ),
        ('[[rule]]\nname = "a"\nscorers = ["math:pi"]', 3, "scorers: math:pi is no scorer"),
    ],
)
def test_a_file_that_is_wrong_is_one_line_with_its_place(tmp_path, text, line, said):
    with pytest.raises(InputError) as caught:
        rules(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'tags.toml'}:{line}: {said}")
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        load_rules(Path(tmp_path / "none.toml"))


def test_scorers_are_named_in_rules_and_are_the_same_objects(tmp_path):
    text = '[[rule]]\nname = "a"\nscorers = ["showable.traces.scorers:structural"]'
    assert rules(tmp_path, text).for_answer(traced()).scorers == (structural,)


@every_row(
    ("of", "expected"),
    [
        (record(cites()), (PASS, PASS, UNKNOWN)),
        (record(cites("other")), (PASS, FAIL, FAIL)),
        (record("The notice period is thirty days."), (FAIL, NOT_APPLICABLE, NOT_APPLICABLE)),
        (record("I cannot answer this from the documents."), (NOT_APPLICABLE,) * 3),
        (record("I cannot answer this from the documents.", retrieved=()), (NOT_APPLICABLE,) * 3),
        (record("The notice period is thirty days [lease]. It may be extended."), (PASS, PASS, UNKNOWN)),
        (record(cites(), retrieved=None), (PASS, UNKNOWN, UNKNOWN)),
        (record(cites(), retrieved=()), (PASS, FAIL, FAIL)),
        (record(cites(quoted_span="The notice period is ninety weeks.")), (PASS, FAIL, UNKNOWN)),
        (record(cites("le\u200base")), (FAIL, FAIL, FAIL)),
        (record(None), (FAIL, UNKNOWN, UNKNOWN)),
        (record('{"claims": [{"text": "The not'), (FAIL, UNKNOWN, UNKNOWN)),
    ],
)  # fmt: skip
def test_outcomes_of_the_rubrics_without_a_judge(of, expected):
    assert tuple(rubric_outcomes(grade_unjudged(of))) == expected


@every_row("exists", list(Outcome))
@every_row("supports", list(Outcome))
def test_outcomes_agree_with_what_a_run_counts(exists, supports):
    made = card(citation_exists=exists, citation_supports=supports, claims=(claim("unknown", (exists, supports)),))
    outcomes = rubric_outcomes(made)
    counted = {PASS: "passed", FAIL: "failed", UNKNOWN: "unknown", NOT_APPLICABLE: "not_applicable"}
    assert getattr(citation_supports(made), counted[outcomes.semantic]) == 1
    assert getattr(citation_resolves(made), counted[outcomes.resolvability]) == 1


def test_only_warnings_of_the_reports_do_not_fail_an_answer():
    warned = {code for code, words in FINDING_WORDS.items() if words.gravity == "warning"}
    assert {code for code in warned if code.startswith("structural.")} == ONLY_WARNINGS


def test_a_scorer_in_a_test_passes_or_says_why():
    assert assert_passes(structural, record(cites())).outcome is PASS
    assert assert_passes(resolvability, record("I cannot answer this from the documents.")).outcome is NOT_APPLICABLE
    assert assert_passes(semantic(LexicalJudge()), record(cites())).outcome is PASS
    with pytest.raises(NotPassedError, match=r"a: resolvability is fail\nresolvability\.not_retrieved .*'other'"):
        assert_passes(resolvability, record(cites("other")))
    with pytest.raises(NotPassedError, match="resolvability is unknown"):
        assert_passes(resolvability, record(cites(), retrieved=None))


def test_several_rubrics_are_as_good_as_the_worst():
    both = rubrics("structural", "resolvability")
    assert both.score(record(cites("other"))).outcome is FAIL
    assert rubrics(judge=LexicalJudge()).rubrics == ("structural", "resolvability", "semantic")
    assert isinstance(both, Scorer)
    with pytest.raises(ValueError, match="needs a judge"):
        rubrics("semantic")
    with pytest.raises(ValueError, match="none of structural"):
        rubrics("structure")


def test_a_scorer_of_ones_own_needs_three_names():
    own = SimpleNamespace(
        name="short", asks_judge=False, score=lambda r: Scored(PASS if len(r.question) < 40 else FAIL)
    )
    assert isinstance(own, Scorer)
    assert assert_passes(own, record(cites())).outcome is PASS
