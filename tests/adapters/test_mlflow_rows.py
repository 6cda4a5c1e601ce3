"""Rows of MLflow as records, in the forms that they come in; none of it needs the package."""

import pytest

from showable.adapters.mlflow_rows import as_record
from showable.errors import InputError

SAID = {"role": "assistant", "content": "A."}
CLAIMS = {"claims": [{"text": "A.", "citations": [{"source_id": "1"}]}], "refusal": "none", "model": "m"}
# inputs, outputs, question, answer; source: the forms that MLflow's evaluation takes and its flavours write
FORMS = [
    ("Q?", "A.", "Q?", "A."),
    ({"question": "Q?"}, {"answer": "A."}, "Q?", "A."),
    ({"query": "Q?"}, {"response": "A.", "retrieved": []}, "Q?", "A."),
    ({"topic": "Q?"}, {"text": "A."}, "Q?", "A."),
    (
        {"messages": [{"role": "system", "content": "S."}, {"role": "user", "content": "Q?"}]},
        {"messages": [SAID]},
        "Q?",
        "A.",
    ),
    (
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "Q?"}]}]},
        {"choices": [{"message": SAID}]},
        "Q?",
        "A.",
    ),
    ({"question": "Q?"}, {"answer": None}, "Q?", None),
    ({"question": "Q?"}, None, "Q?", None),
    ({"question": "Q?"}, "", "Q?", ""),
]


@pytest.mark.parametrize(("inputs", "outputs", "question", "answer"), FORMS)
def test_questions_and_answers_are_found(inputs, outputs, question, answer):
    record = as_record(inputs=inputs, outputs=outputs)
    assert (record.question, record.answer) == (question, answer)


def test_claims_are_taken_as_they_are_and_gold_in_either_form():
    record = as_record(inputs="Q?", outputs=CLAIMS, expectations={"gold": {"answerable": False}})
    assert record.answer.claims[0].citations[0].source_id == "1"
    assert record.gold.answerable is False
    assert as_record(inputs="Q?", outputs="A.", expectations={"expected_response": "B."}).gold.answer == "B."
    assert as_record(inputs="Q?", outputs="A.", expectations={"expected_facts": ["B."]}).gold is None


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"inputs": {"a": 1}, "outputs": "A."}, "inputs: no question"),
        ({"inputs": "Q?", "outputs": {"tokens": 7, "cost": 8}}, "outputs: no answer"),
        ({"inputs": "Q?", "outputs": {"claims": [{"txt": "A."}]}}, r"outputs.claims.0.text: this field is missing"),
        (
            {"inputs": "Q?", "outputs": "A.", "expectations": {"gold": {"anser": "B."}}},
            "expectations.gold.anser: unknown field",
        ),
        (
            {"inputs": "Q?", "outputs": {"answer": "A.", "retrieved": "B."}},
            "outputs.retrieved: expected a list of passages",
        ),
    ],
)
def test_what_is_no_row_is_one_clear_line(row, said):
    with pytest.raises(InputError, match=said):
        as_record(**row)


class Span:
    """What a trace's span shows of itself."""

    def __init__(self, span_id, parent_id, kind, began, outputs=None):
        self.span_id, self.parent_id, self.span_type, self.start_time_ns, self.outputs = (
            span_id,
            parent_id,
            kind,
            began,
            outputs,
        )


class Trace:
    def __init__(self, *spans):
        self.info = type("Info", (), {"trace_id": "tr-1"})
        self.data = type("Data", (), {"spans": list(spans)})


def texts(*spans):
    found = as_record(inputs="Q?", outputs="A.", trace=Trace(*spans)).retrieved
    return None if found is None else [one.text for one in found]


# spans, texts in the order they were retrieved; source: a retrieval inside a retrieval is not what the model saw
TRACES = [
    ([Span("a", None, "CHAIN", 1)], None),
    ([Span("a", None, "RETRIEVER", 1, [])], []),
    ([Span("a", None, "RETRIEVER", 1, None)], None),
    ([Span("b", None, "RETRIEVER", 2, ["two"]), Span("a", None, "RETRIEVER", 1, ["one"])], ["one", "two"]),
    (
        [Span("a", None, "RETRIEVER", 1, ["out"]), Span("b", "a", "CHAIN", 2), Span("c", "b", "RETRIEVER", 3, ["in"])],
        ["out"],
    ),
    ([Span("a", "b", "CHAIN", 1), Span("b", "a", "CHAIN", 2), Span("c", "a", "RETRIEVER", 3, ["one"])], ["one"]),
    ([Span("a", "gone", "RETRIEVER", 1, '["one", "two"]')], ["one", "two"]),
    ([Span("a", None, "RETRIEVER", 1, "one text")], ["one text"]),
]


@pytest.mark.parametrize(("spans", "read"), TRACES)
def test_the_retrieval_log_is_what_the_outer_retrievers_returned(spans, read):
    assert texts(*spans) == read


def test_a_record_of_a_trace_has_its_id():
    record = as_record(inputs="Q?", outputs="A.", trace=Trace())
    assert (record.id, record.trace_id) == ("tr-1", "tr-1")


def test_an_answer_nested_without_end_is_not_looked_for_without_end():
    nested = "A."
    for _ in range(5000):
        nested = {"answer": nested}
    with pytest.raises(InputError, match="no answer"):
        as_record(inputs="Q?", outputs=nested)
