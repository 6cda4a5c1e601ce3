"""A team's own JSON Schema: name and arguments are held to it as they are, and what it allows is no error."""

import json

import pytest

import showable
from showable.errors import InputError
from showable.profiles.own_schema import read_own_schema
from showable.read.own_schema import differences
from showable.records.profile import GENERAL, OwnSchema

CITATION = {"type": "object", "properties": {"source_id": {"type": "string"}}, "required": ["source_id"]}
CLAIM = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "citations": {"type": "array", "items": {"$ref": "#/$defs/citation"}},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
    },
    "required": ["text", "citations", "confidence"],
    "additionalProperties": False,
}
SCHEMA = {
    "$defs": {"citation": CITATION},
    "type": "object",
    "properties": {
        "claims": {"type": "array", "items": CLAIM},
        "refusal": {"enum": ["none", "no_evidence"]},
        "audience": {"type": "string"},
    },
    "required": ["claims", "refusal"],
    "additionalProperties": False,
}
LEASE = "Either party may end the lease by giving 30 days' notice in writing."
SAID = "Either party may end the lease by giving 30 days' notice."


def claim(**fields):
    return {"text": SAID, "citations": [{"source_id": "lease"}], "confidence": 0.9} | fields


def answer(*claims, **fields):
    return {"claims": list(claims or [claim()]), "refusal": "none"} | fields


def call(arguments, name="cite"):
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"role": "assistant", "tool_calls": [{"id": "1", "type": "function", "function": function}]}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    function = {"type": "function", "function": {"name": "cite", "parameters": SCHEMA}}
    (tmp_path / "schema.json").write_text(json.dumps(function))
    return tmp_path


def score(said, own=None):
    own = own or OwnSchema(text=json.dumps(SCHEMA), function="cite")
    text = said if isinstance(said, str) else json.dumps(said)
    record = {"id": "a", "question": "How long?", "answer": text, "retrieved": [{"source_id": "lease", "text": LEASE}]}
    return showable.score(record, judge="lexical", profile=GENERAL.model_copy(update={"own_schema": own}))


def schema_findings(card):
    return [finding.reason for finding in card.findings if finding.code == "structural.schema"]


HELD_TO = [
    # (what the model said, bucket, what structural.schema says, source)
    (call(answer()), "correct", [], "as asked: a field more than ours, which theirs asks for"),
    (answer(), "correct", [], "the arguments alone, as a log may keep them"),
    (call(answer(audience="tenants")), "correct", [], "a field that may be there"),
    (call(answer(), name="respond"), "correct", ["function: expected 'cite', got 'respond'"], "another function"),
    (
        {"name": "respond", "input": answer()},
        "correct",
        ["function: expected 'cite', got 'respond'"],
        "Anthropic's shape",
    ),
    (
        call(answer(claim(confidence="high"))),
        "correct",
        ["claims.0.confidence: 'high' is not of type 'number'"],
        "a type",
    ),
    (
        call(answer(claim(confidence=2))),
        "correct",
        ["claims.0.confidence: 2 is greater than the maximum of 1"],
        "a bound",
    ),
    (
        call(answer(claim(), claim(citations=[{}]))),
        "correct",
        ["claims.1.citations.0: 'source_id' is a required"],
        "inside",
    ),
    (call(answer(refusal="ambiguous")), "correct", ["refusal: 'ambiguous' is not one of"], "ours, and none of theirs"),
    (
        call(answer(mood="good")),
        "correct",
        ["Additional properties are not allowed ('mood' was unexpected)"],
        "unasked",
    ),
    (call({"statements": [SAID]}), "unknown", ["claims: this field is missing"], "nothing that can be read as claims"),
    (call(answer(claim(text=7))), "unknown", ["claims.0.text: 7 is not of type 'string'"], "what neither can read"),
    (f"{SAID[:-1]} [lease].", "correct", ["expected a call of cite, got text"], "text where a call was asked for"),
]


@pytest.mark.parametrize(("said", "bucket", "found", "source"), HELD_TO, ids=range(len(HELD_TO)))
def test_an_answer_is_held_to_their_schema(said, bucket, found, source):
    card = score(said)
    reasons = schema_findings(card)
    for expected in found:
        assert any(expected in reason for reason in reasons), (source, reasons)
    assert bool(reasons) == bool(found), (source, reasons)
    assert (card.checks["structural.schema"].passed == 1) == (not found)
    if bucket == "correct" and "inside" not in source:
        assert (card.bucket, len(card.claims)) == ("correct", 1), source
    elif bucket == "unknown":
        assert card.bucket == "unknown", source


def test_without_a_schema_a_field_more_stays_an_error():
    """It may be a slip of the pen: `citation` for `citations`."""
    record = {
        "id": "a",
        "question": "q",
        "answer": json.dumps(answer()),
        "retrieved": [{"source_id": "lease", "text": LEASE}],
    }
    card = showable.score(record, judge="lexical")
    assert card.bucket == "unknown"
    assert "unknown field" in schema_findings(card)[0]


def test_of_several_calls_theirs_is_the_answer():
    said = call(answer())
    said["tool_calls"].insert(0, {"type": "function", "function": {"name": "draft", "arguments": json.dumps(answer())}})
    assert score(said).bucket == "correct"
    assert score(said, OwnSchema(text=json.dumps(SCHEMA))).bucket == "unknown"


def test_no_more_than_a_few_differences_are_listed():
    reasons = schema_findings(score(call(answer(*(claim(confidence="x" * 1000) for _ in range(40))))))
    assert len(reasons) == 6
    assert reasons[-1] == "and 35 more differences"
    assert max(map(len, reasons)) < 250


FILES = [
    # (the file, the function, source)
    (SCHEMA, None, "the schema alone"),
    ({"name": "cite", "parameters": SCHEMA}, "cite", "Gemini, OpenAI's responses"),
    ({"type": "function", "function": {"name": "cite", "strict": True, "parameters": SCHEMA}}, "cite", "OpenAI's chat"),
    ({"name": "cite", "description": "…", "input_schema": SCHEMA}, "cite", "Anthropic"),
    ({"type": "json_schema", "json_schema": {"name": "cite", "schema": SCHEMA}}, "cite", "structured output"),
    ({"type": "object", "properties": {"name": {"type": "string"}}}, None, "a field called name is no function"),
]


@pytest.mark.parametrize(("held", "function", "source"), FILES, ids=range(len(FILES)))
def test_a_schema_is_read_in_the_shapes_that_models_are_given_it(folder, held, function, source):
    (folder / "s.json").write_text(json.dumps(held))
    own = read_own_schema(folder / "s.json")
    assert own.function == function, source
    assert json.loads(own.text) == (SCHEMA if held is not FILES[-1][0] else held)
    assert differences(own, answer()) == [] or held is FILES[-1][0]


NO_SCHEMAS = [
    ("{", "s.json:1: expected JSON"),
    ("[]", "s.json: expected a JSON Schema or a function, got list"),
    ('{"type": "objekt"}', "s.json: type: 'objekt' is not valid"),
    ('{"properties": {"a": {"minimum": "1"}}}', "s.json: properties.a.minimum: '1' is not of type 'number'"),
    ('{"$ref": "http://127.0.0.1:9/x.json"}', "s.json: $ref: expected #/… inside of the file"),
    ('{"$ref": "#/$defs/none"}', "s.json: $ref: expected #/… inside of the file, got '#/$defs/none'"),
    ('{"$ref": "file:///etc/passwd"}', "s.json: $ref: expected #/…"),
    ("\udcff", "s.json: expected JSON in UTF-8"),
    ("[" * 100_000, "s.json: expected JSON in UTF-8"),
]


@pytest.mark.parametrize(("text", "said"), NO_SCHEMAS, ids=range(len(NO_SCHEMAS)))
def test_what_is_no_schema_is_one_line(cli, folder, text, said):
    (folder / "s.json").write_text(text, errors="surrogateescape")
    (folder / "in.jsonl").write_text(json.dumps({"id": "a", "question": "q", "answer": "x", "retrieved": []}))
    code, _, err = cli("score", "in.jsonl", "--judge", "lexical", "--schema", "s.json")
    assert (code, err.count("\n")) == (2, 1), err
    assert said in err
    with pytest.raises(InputError):
        read_own_schema(folder / "none.json")


def test_a_run_under_a_schema_signs_it_and_regrades_alike(cli, folder):
    row = {"id": "a", "question": "How long?", "retrieved": [{"source_id": "lease", "text": LEASE}]}
    (folder / "in.jsonl").write_text(json.dumps(row | {"answer": json.dumps(call(answer(), name="respond"))}))
    command = ("score", "in.jsonl", "--judge", "lexical", "--json")
    plain = json.loads(cli(*command)[1])
    code, out, err = cli(*command, "--schema", "schema.json", "--out", "run")
    assert code == 0, err
    held = json.loads(out)
    assert held["findings"]["structural.schema"]["failed"] == 1
    assert held["buckets"]["correct"] == 1
    assert held["signature"] != plain["signature"]
    again = json.loads(cli("regrade", "run", "--out", "again", "--json")[1])
    assert again["findings"] == held["findings"]
