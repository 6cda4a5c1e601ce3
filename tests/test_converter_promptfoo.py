"""promptfoo: `EvaluateResult`, `EvaluateSummaryV2`, `EvaluateSummaryV3` and `OutputFile` of its `src/types/index.ts`."""

import pytest
from converter_examples.promptfoo import DOCUMENTS, ROWS
from tables import every_row

import showable
from showable.converters.fields import FAILED, NO_ANSWER, NO_LOG
from showable.converters.promptfoo import (
    AS_JSON,
    IN_ANSWER,
    NUMBERED,
    ONE_TEXT,
    READ_FROM,
    STRIPPED,
    WHOLE_PROMPT,
    Promptfoo,
)
from showable.converters.shape import FieldError, Row

FERRY = "The ferry to Tarn leaves at 07:40."
CONTEXT = [FERRY, "Tickets cost four crowns."]
BASE = {
    "prompt": {"raw": "the whole prompt", "label": "p"},
    "provider": {"id": "openai:x", "label": ""},
    "vars": {"query": "When does the ferry to Tarn leave?", "context": CONTEXT},
    "response": {"output": f"{FERRY[:-1]} [1]."},
    "testCase": {"vars": {}},
    "success": True,
    "testIdx": 4,
    "promptIdx": 1,
}


def convert(**changed):
    return Promptfoo().convert(Row(BASE | changed, "row-1", line=1))


def given(**more):
    return {"vars": {"query": "When does the ferry to Tarn leave?", **more}}


def test_a_result_becomes_a_record_and_loses_its_verdicts():
    made = Promptfoo().convert(Row(ROWS[0], "row-9"))
    record = made.record
    assert (record.id, record.question) == ("test-0-prompt-0", "When does the ferry to Tarn leave?")
    assert record.gold.answer == "It leaves at 07:40."
    assert record.metadata == {
        "testIdx": 0,
        "promptIdx": 0,
        "promptId": "aa11",
        "id": "0b8c2f0e-1111-4222-8333-000000000001",
        "latencyMs": 812,
        "cost": 0.0004,
        "provider": "openai:gpt-4o-mini",
        "prompt_label": "prompt.txt: answer",
        "test_metadata": {"area": "ferries"},
        "vars": {"lang": "en"},
    }
    lost = ["gradingResult", "score", "success", "testCase.assert", "testCase.options"]
    assert made.lost == (*lost, "response.tokenUsage", "response.cached")


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        # source: promptfoo itself calls a step `test-0-prompt-0-…`; its `id` is another one in every run
        ({}, "test-4-prompt-1"),
        ({"promptIdx": None}, "test-4-prompt-0"),
        ({"testIdx": None, "id": "uuid"}, "uuid"),
        ({"testIdx": None}, "row-1"),
    ],
)
def test_an_id_is_the_same_in_the_next_run(changed, expected):
    assert convert(**changed).record.id == expected


@pytest.mark.parametrize(
    ("changed", "question", "note"),
    [
        (given(), "When does the ferry to Tarn leave?", None),
        ({"vars": {"question": "When?"}}, "When?", None),
        ({"vars": {"topic": "ferries"}}, "the whole prompt", WHOLE_PROMPT),
        ({"vars": {"query": ["When?"]}}, "the whole prompt", WHOLE_PROMPT),
        ({"vars": {}, "testCase": {"vars": {"query": "When?"}}}, "When?", None),
        ({"vars": {}, "prompt": "a prompt"}, "a prompt", WHOLE_PROMPT),
        ({"vars": {}, "prompt": {"raw": '[{"role":"system","content":"s"},{"role":"user","content":"When?"}]'}}, "When?", WHOLE_PROMPT),
        ({"vars": {}, "prompt": {"raw": "[not JSON"}}, "[not JSON", WHOLE_PROMPT),
        ({"vars": {}, "prompt": {"raw": "[prompt stripped]"}}, "[prompt stripped]", STRIPPED),
    ],
)  # fmt: skip
def test_the_question_is_a_variable_or_the_prompt(changed, question, note):
    made = convert(**changed)
    assert made.record.question == question
    assert note is None or note in made.notes


@every_row(
    ("changed", "answer", "note"),
    [
        # source: `applyGradingResult` puts an assertion's reason into `error`; the answer stands
        ({"error": "Expected output to …", "failureReason": 1}, f"{FERRY[:-1]} [1].", None),
        # source: `applyGradingError`: the grader failed, the answer stands
        ({"error": "grader: 500", "failureReason": 2}, f"{FERRY[:-1]} [1].", None),
        ({"error": "API error", "failureReason": 2, "response": {"error": "API error"}}, None, FAILED),
        ({"error": "API error", "response": None}, None, FAILED),
        ({"failureReason": 2, "response": None}, None, FAILED),
        ({"response": {"output": "half", "error": "timeout"}}, None, FAILED),
        ({"response": {"output": ""}}, None, NO_ANSWER),
        ({"response": {}}, None, NO_ANSWER),
        ({"error": "is not what was expected", "failureReason": 1, "response": {"output": ""}}, None, NO_ANSWER),
        ({"response": {"output": "[output stripped]"}}, None, STRIPPED),  # source: PROMPTFOO_STRIP_RESPONSE_OUTPUT
        ({"response": {"output": {"answer": "A [1].", "took": 3}}}, "A [1].", IN_ANSWER),
        ({"response": {"output": {"text": "A [1]."}}}, '{"text": "A [1]."}', AS_JSON),
        ({"response": {"output": 42}}, "42", AS_JSON),
    ],
)
def test_the_answer_is_the_output_or_null_with_a_reason(changed, answer, note):
    made = convert(**changed)
    assert made.record.answer == answer
    assert note is None or note in made.notes
    if answer is None:
        assert showable.score(made.record, judge="lexical").bucket == "unknown"


def graded(**metadata):
    return {"pass": True, "score": 1, "reason": "", "componentResults": [{"pass": True, "metadata": metadata}]}


NUMBERS = f"Passages:\n[1] {FERRY}\n[2] Tickets cost four crowns.\nTwo lines."


@every_row(
    ("changed", "texts", "notes"),
    [
        ({}, CONTEXT, (READ_FROM.format("vars.context"),)),
        ({"response": {"output": "A [1].", "metadata": {"documents": [{"id": "t", "content": "x"}]}}}, ["x"], (READ_FROM.format("response.metadata.documents"),)),
        ({**given(), "metadata": {"context": "one text"}}, ["one text"], (READ_FROM.format("metadata.context"),)),
        ({**given(), "gradingResult": graded(context="one text")}, ["one text"], (READ_FROM.format("gradingResult.context"),)),
        ({**given(), "gradingResult": graded(context="joined", contextUnits=CONTEXT)}, CONTEXT, (READ_FROM.format("gradingResult.contextUnits"),)),
        (given(context=FERRY), [FERRY], (READ_FROM.format("vars.context"),)),
        (given(context=NUMBERS), [FERRY, "Tickets cost four crowns.\nTwo lines."], (READ_FROM.format("vars.context"), NUMBERED)),
        (given(context="[1] a\n[3] b"), ["[1] a\n[3] b"], (READ_FROM.format("vars.context"),)),
        ({**given(context=FERRY), "response": {"output": "A [2]."}}, None, (ONE_TEXT,)),
        (given(context="file://context.txt"), None, (NO_LOG,)),
        (given(context={"a": 1}), None, (NO_LOG,)),
        (given(context=[]), [], (READ_FROM.format("vars.context"),)),
        (given(), None, (NO_LOG,)),
    ],
)  # fmt: skip
def test_the_log_is_the_context_wherever_it_stands(changed, texts, notes):
    made = convert(**changed)
    log = made.record.retrieved
    assert (log if log is None else [source.text for source in log]) == texts
    assert made.notes == notes


def asserting(*assertions):
    return {"testCase": {"assert": list(assertions)}}


@pytest.mark.parametrize(
    ("assertions", "gold"),
    [
        ([{"type": "factuality", "value": "At 07:40."}], {"answer": "At 07:40."}),
        ([{"type": "equals", "value": "x"}, {"type": "model-graded-factuality", "value": "y"}], {"answer": "y"}),
        ([{"type": "similar:cosine", "value": ["a", "b"]}], {"answer": "a", "aliases": ("b",)}),
        ([{"type": "assert-set", "assert": [{"type": "equals", "value": "x"}]}], {"answer": "x"}),
        ([{"type": "equals", "value": "{{ query }}"}], {"answer": "When does the ferry to Tarn leave?"}),
        ([{"type": "is-refusal"}], {"expected": ("refused",)}),
        # what must be contained is only a part of an answer, and what must not be equal is none
        ([{"type": "contains", "value": "07:40"}, {"type": "not-equals", "value": "x"}, {"type": "llm-rubric", "value": "kind"}], None),
        ([{"type": "factuality", "value": "file://gold.txt"}, {"type": "equals", "value": {"a": 1}}], None),
        ([{"type": "factuality", "value": "At {{ hour }}."}, {"type": "equals", "value": "{{ missing }}"}], None),
        ([{"type": ["x"]}, 7, None], None),
        ([], None),
    ],
)  # fmt: skip
def test_references_of_assertions_are_gold_and_verdicts_never(assertions, gold):
    found = convert(**asserting(*assertions)).record.gold
    assert (found and found.model_dump(exclude_defaults=True)) == gold


def test_assertions_are_lost_unless_all_of_them_became_gold():
    assert "testCase.assert" not in convert(**asserting({"type": "factuality", "value": "x"})).lost
    assert "testCase.assert" in convert(**asserting({"type": "factuality", "value": "x"}, {"type": "cost"})).lost


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, ("correct", None)),
        ({"response": {"output": "The ferry to Tarn leaves at 07:40 [9]."}}, ("unsupported", "invented_source")),
        ({"response": {"output": "The context does not say when it leaves."}}, ("refused", "unjudged")),
        ({"response": {"error": "500"}}, ("unknown", "empty_answer")),
        ({**asserting({"type": "factuality", "value": "It leaves at 09:00."})}, ("wrong", "wrong_source")),
    ],
)
def test_a_result_lands_where_a_person_puts_it(changed, expected):
    card = showable.score(convert(**changed).record, judge="lexical")
    assert (card.bucket, card.cause) == expected


def test_results_are_found_in_files_of_both_versions():
    assert [place for place, _ in Promptfoo().rows(DOCUMENTS[0])] == [f"results.results[{i}]" for i in range(4)]
    assert [place for place, _ in Promptfoo().rows(DOCUMENTS[1])] == ["results[0]"]
    for other in ({"results": {}}, {"results": {"results": []}}, {"results": [{"query": "q"}]}, []):
        assert Promptfoo().rows(other) is None


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"vars": [1]}, "vars: expected an object, got a list"),
        ({"vars": {}, "prompt": {}}, "prompt.raw: this field is missing"),
        ({"vars": {}, "prompt": {"raw": 7}}, "prompt.raw: expected a string, got a number"),
        ({"response": "text"}, "response: expected an object, got text"),
        ({"response": {"output": [float("inf")]}}, "response.output: expected text, or JSON of whole characters and finite numbers"),
        ({"testCase": []}, "testCase: expected an object, got a list"),
        ({"provider": 7}, "provider: expected an object, got a number"),
        ({"testIdx": {}}, "testIdx: expected a string or a whole number, got an object"),
    ],
)  # fmt: skip
def test_a_wrong_type_is_named_with_its_field(changed, said):
    with pytest.raises(FieldError) as told:
        convert(**changed)
    assert str(told.value) == said
