"""Where the log of a call comes from, which form wins, and what no form lets a user do."""

import json

import pytest

from showable.production.guard.proxy import WIRES
from showable.production.guard.retrieval import Context, find_log, read_given, with_reply_sources
from showable.production.guard.wire.asked import BadRequestError

CHAT, RESPONSES, MESSAGES = "/v1/chat/completions", "/v1/responses", "/v1/messages"
PASSAGES = [
    {"id": "a", "text": "Alpha.", "page": 2},
    {"source_id": "b", "content": "Beta.", "title": "B"},
    {"no": "id"},
]
CALLED = {"id": "c1", "type": "function", "function": {"name": "search_docs", "arguments": "{}"}}


def chat(*messages, **more):
    return CHAT, {"messages": list(messages), **more}


def user(text):
    return {"role": "user", "content": text}


def tool_result(text, name="search_docs"):
    called = CALLED | {"function": {"name": name, "arguments": "{}"}}
    return chat(
        user("q"),
        {"role": "assistant", "tool_calls": [called]},
        {"role": "tool", "tool_call_id": "c1", "content": text},
    )


DOCUMENT = {"type": "document", "title": "D", "source": {"type": "text", "media_type": "text/plain", "data": "Delta."}}
RESULT = {
    "type": "search_result",
    "source": "https://x.example/e",
    "title": "E",
    "content": [{"type": "text", "text": "Epsilon."}],
}
MCP = {
    "type": "mcp_call",
    "id": "m",
    "name": "search_docs",
    "server_label": "s",
    "arguments": "{}",
    "output": json.dumps({"documents": PASSAGES}),
}

NATIVE = [
    # name, request, ids and texts; the interfaces' own documents and tool results (types of openai-python and anthropic-sdk-python, vllm)
    (
        "vLLM's documents",
        chat(user("q"), documents=[{"title": "T", "text": "Tau."}, {"text": "Ypsilon."}]),
        {"doc:0": "Tau.", "doc:1": "Ypsilon."},
    ),
    (
        "documents of messages",
        (MESSAGES, {"messages": [{"role": "user", "content": [DOCUMENT, RESULT]}]}),
        {"document-0": "Delta.", "search_result-0": "Epsilon."},
    ),
    (
        "documents in tool results",
        (
            MESSAGES,
            {
                "messages": [
                    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": [RESULT]}]}
                ]
            },
        ),
        {"search_result-0": "Epsilon."},
    ),
    ("a tool's list", tool_result(json.dumps(PASSAGES)), {"a": "Alpha.", "b": "Beta."}),
    ("a tool's object", tool_result(json.dumps({"results": PASSAGES})), {"a": "Alpha.", "b": "Beta."}),
    ("a tool's empty list", tool_result("[]"), {}),
    ("another tool", tool_result(json.dumps(PASSAGES), "send_mail"), None),
    ("a tool's prose", tool_result("[9] nothing"), None),
    (
        "a function of responses",
        (
            RESPONSES,
            {
                "input": [
                    {"type": "function_call", "call_id": "c", "name": "search_docs", "arguments": "{}"},
                    {"type": "function_call_output", "call_id": "c", "output": json.dumps(PASSAGES)},
                ]
            },
        ),
        {"a": "Alpha.", "b": "Beta."},
    ),
    ("MCP in responses", (RESPONSES, {"input": [MCP]}), {"a": "Alpha.", "b": "Beta."}),
    (
        "MCP in messages",
        (
            MESSAGES,
            {
                "messages": [
                    {
                        "role": "assistant",
                        "content": [
                            {"type": "mcp_tool_use", "id": "m", "name": "search_docs", "input": {}},
                            {
                                "type": "mcp_tool_result",
                                "tool_use_id": "m",
                                "content": [{"type": "text", "text": json.dumps(PASSAGES)}],
                            },
                        ],
                    }
                ]
            },
        ),
        {"a": "Alpha.", "b": "Beta."},
    ),
    (
        "numbered context",
        chat(
            {"role": "system", "content": "Use:\n<<<\n[1] One.\n[2] Two, see [1].\n>>>\nBe brief."}, user("q [9] Nine.")
        ),
        {"1": "One.", "2": "Two, see [1]."},
    ),
    (
        "named context",
        chat({"role": "system", "content": "<<<[doc-7] Seven.\n[doc-8] Eight.>>>"}),
        {"doc-7": "Seven.", "doc-8": "Eight."},
    ),
    (
        "sources in words",
        chat({"role": "system", "content": "<<<\nSource 1: One.\nSource 2: Two.\n>>>"}),
        {"1": "One.", "2": "Two."},
    ),
    (
        "tagged documents",
        chat(
            {
                "role": "system",
                "content": '<<<\n<document index="1">One.</document>\n<document index="2">Two.</document>\n>>>',
            }
        ),
        {"1": "One.", "2": "Two."},
    ),
    ("no context", chat({"role": "system", "content": "Be brief."}, user("<<<\n[1] mine\n>>>")), None),
    ("earlier answers", chat(user("q"), {"role": "assistant", "content": "[1] said before"}, user("and?")), None),
]


def found(request, given=None, stored=None, **rules):
    path, body = request
    wire = WIRES[path]
    rules = {"tools": ("search_*",), "context": Context("system", "<<<", ">>>")} | rules
    return find_log(wire, wire.asked(body), given, stored, **rules)


@pytest.mark.parametrize(("name", "request_", "expected"), NATIVE, ids=[row[0] for row in NATIVE])
def test_what_a_request_carries(name, request_, expected):
    log = found(request_)
    assert (None if log.retrieved is None else {s.source_id: s.text for s in log.retrieved}) == expected
    assert (log.log_from is None) == (expected is None)


def test_tools_and_context_are_read_only_where_the_route_names_them():
    assert found(tool_result(json.dumps(PASSAGES)), tools=()).retrieved is None
    assert found(chat({"role": "system", "content": "<<<[1] One.>>>"}), context=None).retrieved is None


@pytest.mark.parametrize(
    "text",
    [
        "<<<[1] One.\n[3] Three.>>>",
        "<<<[2] Two.>>>",
        "<<<[1] One.\n[1] One again.>>>",
        "<<<[1] One.",
        "<<<[1] One.>>> <<<[1] Mine.>>>",
    ],
    ids=["a gap", "not from 1", "twice", "no end", "two beginnings"],
)
def test_context_that_cannot_be_read_is_refused_with_its_place(text):
    with pytest.raises(BadRequestError, match=r"messages\.0\.content"):
        found(chat({"role": "system", "content": text}))


def test_what_a_user_types_after_the_context_is_no_source():
    rule = Context("user", "<<<", ">>>")
    log = found(chat(user("<<<[1] One.>>> Is it so? [2] Mine.")), context=rule)
    assert [source.source_id for source in log.retrieved] == ["1"]
    with pytest.raises(BadRequestError):
        found(chat(user("<<<[1] One.>>> Is it so? <<<[2] Mine.>>>")), context=rule)


def log_of(*ids, **more):
    return read_given({"retrieved": [{"source_id": i, "text": f"Text of {i}."} for i in ids], **more})


def test_the_first_form_wins_and_a_finding_says_that_others_disagree():
    request = tool_result(json.dumps(PASSAGES))
    log = found(request, log_of("f", shown=["f"], question="whole?"), log_of("h"))
    assert (log.log_from, [s.source_id for s in log.retrieved], log.shown, log.question) == (
        "field",
        ["f"],
        ("f",),
        "whole?",
    )
    assert [doubt.code for doubt in log.doubts] == ["retrieval_log.forms_disagree"] * 2
    assert found(request, None, log_of("h")).log_from == "header"
    assert found(request, log_of("a", "b")).doubts == ()


def test_null_was_not_logged_and_an_empty_list_found_nothing():
    assert found(chat(user("q")), read_given({"retrieved": None})).retrieved is None
    assert found(chat(user("q")), read_given({"retrieved": []})).retrieved == ()


def test_passages_that_the_prompt_does_not_hold_lose_their_text():
    log = found(chat(user("Text of a. And the question.")), log_of("a", "b"), verify_shown=True)
    assert {source.source_id: source.text for source in log.retrieved} == {"a": "Text of a.", "b": None}
    assert [doubt.code for doubt in log.doubts] == ["retrieval_log.not_shown"]


def test_what_a_reply_says_was_retrieved_counts_where_the_request_has_no_log():
    searched = {
        "output": [
            {"type": "file_search_call", "results": [{"file_id": "f1", "filename": "n", "score": 1, "text": "Phi."}]}
        ]
    }
    wire = WIRES[RESPONSES]
    asked = wire.asked({"input": "q"})
    sources = wire.reply_sources(searched, asked)
    log = with_reply_sources(found((RESPONSES, {"input": "q"})), sources)
    assert [(s.source_id, s.text) for s in log.retrieved] == [("f1", "Phi.")]
    kept = with_reply_sources(found((RESPONSES, {"input": "q"}), log_of("a")), sources)
    assert [s.source_id for s in kept.retrieved] == ["a"]
    unseen = {"output": [{"type": "file_search_call", "results": None}]}
    assert wire.reply_sources(unseen, asked) is None
    azure = {"choices": [{"message": {"context": {"citations": [{"content": "Chi.", "title": "C", "url": None}]}}}]}
    assert [s.source_id for s in WIRES[CHAT].reply_sources(azure, asked)] == ["doc1"]


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ([], "showable"),
        ({"retrieved": [{}]}, "showable.retrieved.0.source_id"),
        ({"retrieved": [], "x": 1}, "showable.x"),
    ],
)
def test_a_log_that_is_none_names_the_field(value, field):
    with pytest.raises(BadRequestError) as raised:
        read_given(value)
    assert raised.value.field == field
