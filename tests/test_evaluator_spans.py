import json
from dataclasses import replace

import pytest
from scored_traces import LLM, ROOT, TRACE, live

from showable import __version__
from showable.records.findings import Outcome
from showable.records.spans import Span
from showable.traces.evaluator_spans import MARKER, evaluation_events, evaluator_spans, is_ours
from showable.traces.otlp.decode import decode_logs, decode_request
from showable.traces.otlp.encode import encode_spans
from showable.traces.otlp.encode_logs import encode_events

PROTOBUF = "application/x-protobuf"


def by_name(score, **more):
    return {span.name: span for span in evaluator_spans(score, **more)}


def test_spans_stand_beside_the_answer_and_link_to_it():
    # Source: OpenInference, "Evaluator spans": a new span with exactly one link to its target.
    spans = evaluator_spans(live())
    assert [span.name for span in spans] == ["eval.structural", "eval.resolvability", "eval.semantic"]
    for span in spans:
        assert (span.trace_id, span.parent_id) == (TRACE, ROOT)
        assert [(link.trace_id, link.span_id) for link in span.links] == [(TRACE, LLM)]
        assert 0 < span.start_ns < span.end_ns
    assert len({span.span_id for span in spans}) == 3


def test_an_answer_without_a_parent_becomes_the_parent():
    assert {span.parent_id for span in evaluator_spans(live(parent=None))} == {LLM}


@pytest.mark.parametrize(("changed", "name", "label", "value", "says"), [
    ({}, "eval.structural", "pass", 1.0, "in order"),
    ({}, "eval.semantic", "pass", 1.0, "in order"),
    ({"text": "The notice period is 30 days [gone]."}, "eval.resolvability", "fail", 0.0, "gone"),
    ({"label": None, "chosen": False}, "eval.semantic", "unknown", None, "not read by the judge: clean, chosen with probability 0.15"),
    ({"label": "unknown"}, "eval.semantic", "unknown", None, "the table says so"),
    ({"structural": Outcome.NOT_APPLICABLE}, "eval.structural", "not_applicable", None, "nothing that this could be asked of"),
])  # fmt: skip
def test_every_convention_says_the_same(changed, name, label, value, says):
    # Source: the outcomes given; a score only where something was decided.
    said = by_name(live(**changed))[name].attributes
    assert said["gen_ai.evaluation.name"] == said["evaluations.0.evaluation.name"] == name.removeprefix("eval.")
    assert said["gen_ai.evaluation.score.label"] == said["evaluations.0.evaluation.label"] == label
    assert said.get("gen_ai.evaluation.score.value") == said.get("evaluations.0.evaluation.score") == value
    assert says in said["gen_ai.evaluation.explanation"]
    assert said["gen_ai.evaluation.explanation"] == said["evaluations.0.evaluation.explanation"]
    assert ("error.type" in said) == (label == "unknown")
    kinds = ("openinference.span.kind", "gen_ai.span.kind", "fi.span.kind")
    assert {said[key] for key in kinds} == {"EVALUATOR"}
    assert said["gen_ai.evaluation.target_span_id"] == LLM
    assert said[MARKER] == f"showable@{__version__}"
    assert is_ours(said)


def test_conventions_read_them_back():
    from showable.traces.conventions.read import read_span

    for span in evaluator_spans(live()):
        facts = read_span(span)
        assert facts.kind == "EVALUATOR"
        assert {(e.name, e.label) for e in facts.evaluations} == {(span.name.removeprefix("eval."), "pass")}


def test_the_whole_answer_is_told_once_by_the_rubric_that_decides_it():
    spans = by_name(live())
    assert [name for name, span in spans.items() if "showable.bucket" in span.attributes] == ["eval.semantic"]
    said = spans["eval.semantic"].attributes
    assert said["showable.bucket"] == "correct"
    assert (said["showable.sample.stratum"], said["showable.sample.probability"]) == ("clean", 0.15)
    without = by_name(live(rubrics=("structural",)))
    assert list(without) == ["eval.structural"]
    assert "showable.bucket" in without["eval.structural"].attributes


def test_claims_are_told_as_json():
    spans = by_name(live("The notice period is 30 days [gone]."))
    (claim,) = json.loads(spans["eval.resolvability"].attributes["showable.claims"])
    assert claim["citations"][0]["source_id"] == "gone"
    assert claim["citations"][0]["exists"] == "fail"


def test_the_semantic_span_waits_for_the_judge():
    waiting = live(label=None, chosen=True)
    assert list(by_name(waiting)) == ["eval.structural", "eval.resolvability"]


def test_the_same_score_is_the_same_span_and_another_is_another():
    first, again = evaluator_spans(live()), evaluator_spans(live(scored_ns=live().scored_ns + 5))
    assert [span.span_id for span in first] == [span.span_id for span in again]
    waiting, judged = by_name(live(label=None, signature="showable 0.1.0 | judge:none")), by_name(live())
    assert waiting["eval.structural"].span_id == judged["eval.structural"].span_id
    failed = by_name(live(label="unsupported"))
    assert failed["eval.semantic"].span_id != judged["eval.semantic"].span_id


def test_the_service_and_project_of_the_answer_are_kept():
    resource = {"service.name": "shop", "openinference.project.name": "leases"}
    target = Span(TRACE, LLM, service="shop", resource=resource, attributes={"gen_ai.response.id": "r-1"})
    assert all(span.resource == resource for span in evaluator_spans(live(), target=target))
    (_, _, event), *_ = evaluation_events(live(), target=target)
    assert event.attributes["gen_ai.response.id"] == "r-1"


def test_they_travel():
    sent = evaluator_spans(live())
    assert [replace(span, problems=()) for span in decode_request(encode_spans(sent), PROTOBUF).spans] == sent


def test_events_are_those_of_the_genai_convention():
    # Source: OpenTelemetry semantic conventions for generative AI, event `gen_ai.evaluation.result`.
    events = evaluation_events(live(label=None, chosen=False))
    assert decode_logs(encode_events(events, "leases"), PROTOBUF).events == events
    assert [(trace, span, event.name) for trace, span, event in events] == [
        (TRACE, LLM, "gen_ai.evaluation.result")
    ] * 3
    *_, semantic = (event.attributes for _, _, event in events)
    assert semantic["error.type"] == "unknown"
    assert "gen_ai.evaluation.score.value" not in semantic
    assert semantic["gen_ai.evaluation.score.label"] == "unknown"


def test_long_texts_are_cut():
    long = "word " * 5_000
    for span in evaluator_spans(live(f"{long}[lease].")):
        assert len(span.attributes["gen_ai.evaluation.explanation"]) <= 2_000
        assert len(span.attributes["showable.claims"]) < 2_000
