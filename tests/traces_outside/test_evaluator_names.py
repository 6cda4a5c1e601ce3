"""What scores are written back as is called what the conventions' own packages call it."""

import pytest
from scored_traces import live

from showable.traces.evaluator_spans import evaluation_events, evaluator_spans

semconv = pytest.importorskip("openinference.semconv.trace")
fi = pytest.importorskip("fi_instrumentation.fi_types")
otel = pytest.importorskip("opentelemetry.semconv._incubating.attributes.gen_ai_attributes")


def names_of(holder):
    return {value for name, value in vars(holder).items() if name.isupper() and isinstance(value, str)}


def test_openinference():
    said = evaluator_spans(live())[0].attributes
    fields = names_of(semconv.EvaluationAttributes)
    mine = {key.removeprefix("evaluations.0.") for key in said if key.startswith("evaluations.0.")}
    assert mine == fields
    assert said[semconv.SpanAttributes.OPENINFERENCE_SPAN_KIND] == semconv.OpenInferenceSpanKindValues.EVALUATOR.value


def test_fi():
    said = evaluator_spans(live())[0].attributes
    mine = {key for key in said if key.startswith("gen_ai.")}
    assert mine <= names_of(fi.SpanAttributes)
    assert said[fi.SpanAttributes.GEN_AI_SPAN_KIND] == fi.FiSpanKindValues.EVALUATOR.value


def test_otel_genai():
    for _, _, event in evaluation_events(live()):
        assert {key for key in event.attributes if key.startswith("gen_ai.")} <= names_of(otel)
