"""Answers that arrive as JSON: what is read, what is refused and which field is named."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import every_row

from showable.read.structured import answer_schema, answer_start, function_schema, open_thought, parse_structured
from showable.records import Answer, Citation, Claim

ONE = {"claims": [{"text": "The fee is due.", "citations": [{"source_id": "doc-7"}]}], "refusal": "none"}
ONE_JSON = json.dumps(ONE)
READ = Answer(claims=(Claim(text="The fee is due.", citations=(Citation(source_id="doc-7"),)),))


def call(arguments, name="answer"):
    return {"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}}


def message(*calls):
    return {"role": "assistant", "content": None, "tool_calls": list(calls)}


PROSE = [
    "The fee is due [1].",
    "[1] says that the fee is due.",
    "[1]",
    "[1, 2]",
    "[]",
    "",
    "   ",
    f"Here is the answer: {ONE_JSON}",
    f"{ONE_JSON} I hope this helps.",
    f"```json\n{ONE_JSON}\n``` I hope this helps.",
    f"The fee is due, as the answer says:\n```json\n{ONE_JSON}\n```",
    f"I cannot answer.\n```json\n{ONE_JSON}\n```",
    f"Here is the answer:\n```json\n{ONE_JSON}\n```\nThe fee is due.",
    f"Here are two answers:\n```json\n{ONE_JSON}\n```\n```json\n{ONE_JSON}\n```",
    'Here is the answer:\n```json\n{"fee": 5}\n```',
    "{curly} prose",
    "```python\nprint(1)\n```",
    "<think>The fee?</think>The fee is due [1].",
    f"<think>{ONE_JSON}</think>",
    f"<think>{ONE_JSON}",
    '"Quoted" prose.',
    "null",
    "42",
]

ANSWERS = [
    (ONE_JSON, "json"),
    (f"  \n{json.dumps(ONE, indent=2)}\n ", "json"),
    (f"```json\n{ONE_JSON}\n```", "json"),
    (f"```\n{ONE_JSON}\n```", "json"),
    (f"```JSON\r\n{ONE_JSON}\r\n```\n", "json"),
    (f"```json\n{ONE_JSON}", "json"),
    (f"Here it is:\n```json\n{ONE_JSON}\n```", "json"),
    (f"Here is the answer:\n```json\n{ONE_JSON}\n```", "json"),
    (f"Sure! Here's the JSON you asked for:\n\n```json\n{ONE_JSON}\n```\n", "json"),
    (f"Based on the passages, here is my answer in JSON format:\n```json\n{ONE_JSON}\n```", "json"),
    (f"**Final answer:**\n```json\n{ONE_JSON}\n```", "json"),
    (f"<think>Is it {{due}}?</think>\n{ONE_JSON}", "json"),
    (f'<think>{{"claims": []}}</think>{ONE_JSON}', "json"),
    (f"<thinking>a</thinking><think>b</think> ```json\n{ONE_JSON}\n```", "json"),
    (json.dumps(ONE_JSON), "json"),
    (json.dumps(message(call(ONE_JSON))), "tool_call"),
    (json.dumps(message(call(ONE))), "tool_call"),
    (json.dumps([call(ONE_JSON)]), "tool_call"),
    (json.dumps(call(ONE_JSON)), "tool_call"),
    (json.dumps({"name": "answer", "arguments": ONE_JSON}), "tool_call"),
    (json.dumps({"name": "answer", "arguments": ONE}), "tool_call"),
    (json.dumps({"role": "assistant", "function_call": {"name": "answer", "arguments": ONE_JSON}}), "tool_call"),
    (json.dumps({"type": "function_call", "call_id": "c", "name": "answer", "arguments": ONE_JSON}), "tool_call"),
    (json.dumps({"choices": [{"index": 0, "message": message(call(ONE_JSON))}]}), "tool_call"),
    (
        json.dumps({"output": [{"type": "reasoning"}, {"type": "function_call", "name": "a", "arguments": ONE_JSON}]}),
        "tool_call",
    ),
    (
        json.dumps({"content": [{"type": "text", "text": "x"}, {"type": "tool_use", "name": "a", "input": ONE}]}),
        "tool_call",
    ),
    (json.dumps(message(call('{"query": "fee"}', "search"), call(ONE_JSON))), "tool_call"),
    (json.dumps(message(call("{}", "now"), call(ONE_JSON))), "tool_call"),
    (json.dumps(message(call('{"claims": [', "answer"), call(ONE_JSON))), "tool_call"),
]

# text, code, words the reason must hold
REFUSED = [
    ('{"claims": [{"text": "The fee', "truncated_json", "before it is complete"),
    ('{"claims": [{"text": "The \\"fee', "truncated_json", ""),
    ('{"claims": [{"text": "The fee\\', "truncated_json", ""),
    ('{"claims": [', "truncated_json", ""),
    ('{"claims": [{"text": "a"}]', "truncated_json", ""),
    ("{", "truncated_json", ""),
    ('```json\n{"claims": [{"text": "a"', "truncated_json", ""),
    ('```json\n{"claims": [{"text": "a"\n```', "truncated_json", ""),
    ('Here is the answer:\n```json\n{"claims": [{"text": "a"\n```', "truncated_json", ""),
    ('{"tool_calls": [{"function": {"arguments": "{', "truncated_json", ""),
    (json.dumps(message(call('{"claims": ['))), "truncated_json", "tool_calls.0.function.arguments"),
    ('{"claims": [{"txt": "a"}]}', "schema", "claims.0.text"),
    ('{"claims": [{"text": "a", "cites": []}]}', "schema", "claims.0.cites: unknown field"),
    ('{"claims": [{"text": 4}]}', "schema", "claims.0.text"),
    ('{"claims": null}', "schema", "claims: expected a list, got null"),
    ('{"claims": [{"text": "a", "citations": [{"source_id": ["x"]}]}]}', "schema", "claims.0.citations.0.source_id"),
    ('{"claims": [], "refusal": "maybe"}', "schema", "refusal"),
    ('{"claims": [], "refusal": null}', "schema", "refusal"),
    ('{"answer": "The fee is due [1]."}', "schema", "answer: unknown field"),
    ('{"claims": [], "claims": []}', "schema", "claims: the field stands twice"),
    ('{"claims": NaN}', "schema", "NaN"),
    ('{"\x1b[31mevil": 1}'.replace("\x1b", "\\u001b"), "schema", "evil: unknown field"),
    (r'{"claims":[{"text":"\ud800 x","citations":[{"source_id":"\ud800"}]}]}', "schema", r"\ud800 is half a character"),
    (r'{"text": "a \uDFFF"}', "schema", r"\udfff is half a character"),
    (r'{"\udc00": 1, "\udc00": 2}', "schema", "the field stands twice"),
    (
        json.dumps(message(call(r'{"text": "\ud83d"}'))),
        "schema",
        r"tool_calls.0.function.arguments: \ud83d is half a character",
    ),
    (json.dumps(message(call({"text": "\ud83d"}))), "schema", r"\ud83d is half a character"),
    (json.dumps(r'{"text": "\ud800"}'), "schema", "half a character"),
    ("{'claims': []}", "schema", "not JSON"),
    ('{"claims": [],}', "schema", "not JSON"),
    (f"{ONE_JSON}{ONE_JSON}", "schema", "more than one"),
    (f"{ONE_JSON}\n\n{ONE_JSON}", "schema", "more than one"),
    (f"[{ONE_JSON}]", "schema", "expected one object"),
    (json.dumps(message(call(ONE_JSON), call(ONE_JSON))), "schema", "2 tool calls carry an answer"),
    (
        json.dumps(message(call('{"query": "fee"}'))),
        "schema",
        "tool_calls.0.function.arguments: claims: this field is missing",
    ),
    (
        json.dumps(message(call("{}"), call('{"claims": [{}]}'))),
        "schema",
        "tool_calls.1.function.arguments: claims.0.text",
    ),
    (json.dumps(message()), "schema", "no tool call carries an answer"),
    (json.dumps(message(call(ONE_JSON * 2))), "schema", "more than one"),
    (json.dumps(message(call(7))), "schema", "tool_calls.0"),
    ('{"claims":' * 20_000, "schema", "nested too deeply"),
    ('{"claims": ' + "9" * 5_000 + "}", "schema", "not JSON"),
]


@every_row("text", PROSE)
def test_prose_is_not_json(text):
    assert parse_structured(text) is None


@every_row(("text", "form"), ANSWERS)
def test_an_answer_is_read_however_it_is_wrapped(text, form):
    assert parse_structured(text) == (form, READ, [])


@every_row(("text", "code", "said"), REFUSED)
def test_what_breaks_the_schema_is_a_problem_that_names_the_field(text, code, said):
    form, answer, problems = parse_structured(text)
    assert form in {"json", "tool_call"}
    assert answer is None
    (problem,) = problems
    assert problem.code == f"structural.{code}"
    assert said in problem.reason
    assert 0 <= problem.where[0] <= problem.where[1] <= len(text)


def test_a_problem_points_at_the_json_after_the_thought():
    text = '<think>{"claims": 1}</think> {"claims": 2}'
    _, _, (problem,) = parse_structured(text)
    assert text[slice(*problem.where)] == '{"claims": 2}'


def test_the_answer_begins_after_what_was_thought():
    text = " <think>a</think>\n<think>b</think>The fee."
    assert text[answer_start(text) :] == "The fee."
    assert answer_start("<think>never closed") == 0
    assert answer_start("The fee.") == 0


def test_a_thought_that_is_never_closed_is_found():
    text = "<think>a</think> <think>b"
    assert text[slice(*open_thought(text))] == " <think>b"
    assert open_thought("<think>a</think>The fee.") is None
    assert open_thought("The <think> fee.") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [(r'{"text": "\ud83d\ude00"}', "😀"), (r'{"text": "\\ud800"}', r"\ud800")],
    ids=["a pair is one character", "an escaped backslash"],
)
def test_what_only_looks_like_half_a_character_is_read(text, said):
    _, answer, problems = parse_structured(text)
    assert (answer.text, problems) == (said, [])


def test_an_id_may_be_a_number():
    _, answer, _ = parse_structured('{"claims": [{"text": "a", "citations": [{"source_id": 7}]}]}')
    assert answer.claims[0].citations[0].source_id == "7"


def test_an_answer_may_be_text_alone():
    _, answer, _ = parse_structured('{"text": "The fee is due [1]."}')
    assert (answer.text, answer.claims) == ("The fee is due [1].", ())


@given(st.one_of(st.text(max_size=80), st.text(alphabet='{}[]",:\\ `<think/>0claims', max_size=80)))
def test_no_text_raises(text):
    parsed = parse_structured(text)
    if parsed is not None:
        _, answer, problems = parsed
        assert answer is not None or problems


@given(st.integers(0, len(ONE_JSON) - 1).map(lambda size: ONE_JSON[:size]))
def test_every_cut_off_answer_is_truncated_or_not_json(text):
    parsed = parse_structured(text)
    if len(text) > 0:
        assert parsed is not None
        assert [p.code for p in parsed[2]] == ["structural.truncated_json"]


# OpenAI's guide to structured outputs, "supported schemas": these keywords, every property required, no others allowed.
_STRICT = {"type", "description", "properties", "required", "additionalProperties", "items", "enum"}


def _objects(schema):
    yield schema
    for inner in (*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])):
        yield from _objects(inner)


def test_the_schema_is_one_that_strict_output_accepts():
    for part in _objects(answer_schema()):
        assert set(part) <= _STRICT
        if part["type"] == "object":
            assert part["additionalProperties"] is False
            assert part["required"] == list(part["properties"])


def test_the_schema_asks_for_fields_of_the_answer():
    schema = answer_schema()
    claim = schema["properties"]["claims"]["items"]
    assert set(schema["properties"]) <= set(Answer.model_fields)
    assert set(claim["properties"]) <= set(Claim.model_fields)
    assert set(claim["properties"]["citations"]["items"]["properties"]) <= set(Citation.model_fields)


def _instances(schema):
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    made = [st.none()] if "null" in kinds else []
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "string" in kinds:
        made.append(st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=10))
    if "array" in kinds:
        made.append(st.lists(_instances(schema["items"]), max_size=3))
    if "object" in kinds:
        made.append(st.fixed_dictionaries({name: _instances(part) for name, part in schema["properties"].items()}))
    return st.one_of(made)


@given(_instances(answer_schema()))
def test_whatever_a_model_answers_under_the_schema_is_an_answer(value):
    form, answer, problems = parse_structured(json.dumps(value))
    assert (form, problems) == ("json", [])
    assert len(answer.claims) == len(value["claims"])
    form, same, _ = parse_structured(json.dumps(message(call(json.dumps(value)))))
    assert (form, same) == ("tool_call", answer)


def test_every_optional_field_may_be_null():
    citation = {"source_id": "doc-7", "quoted_span": None, "page": None, "url": None}
    value = {"claims": [{"text": "a", "citations": [citation], "kind": None}], "refusal": "none", "text": None}
    assert parse_structured(json.dumps(value))[1].claims[0].citations[0].source_id == "doc-7"


def test_the_function_carries_the_same_schema():
    tool = function_schema(answer_schema())
    assert tool["type"] == "function"
    assert tool["function"]["parameters"] == answer_schema()
    assert tool["function"]["strict"] is True
