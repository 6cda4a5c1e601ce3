"""LiteLLM's generic guardrail against its real proxy: each fact that the contract rests on, by name."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack

import pytest
from litellm_proxy import LITELLM, chain

pytestmark = [
    pytest.mark.peers,
    pytest.mark.skipif(not LITELLM.is_file(), reason="asks a real proxy of LiteLLM: make test-peers"),
]

TEXT = "Notice must be given thirty days before the term ends."
GOOD = "Thirty days before the term ends, as the lease itself says [lease-4]."
BAD = "Ninety days, whatever the lease may say about it elsewhere [lease-9]."
NAMED = {"x-showable-log": "log-1"}
DOCUMENT = {
    "type": "document",
    "source": {"type": "text", "media_type": "text/plain", "data": TEXT},
    "citations": {"enabled": True},
}
BODIES = {
    "/v1/chat/completions": {"model": "m", "messages": [{"role": "user", "content": "When?"}]},
    "/v1/responses": {"model": "m", "input": "When?"},
    "/v1/messages": {
        "model": "claude",
        "max_tokens": 99,
        "messages": [{"role": "user", "content": [DOCUMENT, {"type": "text", "text": "When?"}]}],
    },
}
EACH = pytest.mark.parametrize("path", BODIES)


@pytest.fixture(scope="module")
def proxy(tmp_path_factory):
    """Start the chain once; the loop runs only while a test asks something of it."""
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        started = runner.run(stack.enter_async_context(chain(tmp_path_factory.mktemp("litellm"))))
        try:
            yield runner, started
        finally:
            runner.run(stack.aclose())


@pytest.fixture
def ask(proxy):
    """Return what asks the proxy for an answer that the model gives, and what the guard was told of it."""
    runner, linked = proxy
    linked.clear()
    linked.guard.logs.clear()
    linked.guard.logs.put("", "log-1", json.dumps({"retrieved": [{"source_id": "lease-4", "text": TEXT}]}).encode())

    def asked(path, text, *, stream=False, way="buffered", headers=NAMED, **more):
        linked.model.text = text
        body = BODIES[path] | {"stream": stream, "guardrails": [way]} | more
        return runner.run(linked.client.post(path, json=body, headers=headers))

    asked.guard, asked.model = linked.guard, linked.model
    return asked


@EACH
@pytest.mark.parametrize("stream", [False, True])
def test_a_good_answer_passes_and_a_bad_one_does_not(ask, path, stream):
    good = ask(path, GOOD, stream=stream)
    assert good.status_code == 200
    assert all(word in good.text for word in ("Thirty", "itself", "lease-4"))
    assert [body["texts"] for body in ask.guard.calls("response")] == [[GOOD]]
    ask.guard.received.clear()
    bad = ask(path, BAD, stream=stream)
    assert [body["texts"] for body in ask.guard.calls("response")] == [[BAD]]
    assert "held back" in bad.text
    assert not any(piece in bad.text for piece in ("Ninety", "whatever", "lease-9"))


@EACH
def test_a_block_is_a_400_in_the_interfaces_own_shape(ask, path):
    reply = ask(path, BAD)
    error = reply.json()["error"]
    assert reply.status_code == 400
    assert error["message"].startswith("This answer is held back")
    assert error["type"] == "invalid_request_error"
    assert (reply.json().get("type") == "error") is (path == "/v1/messages")


def test_a_block_of_a_buffered_stream_is_a_failed_response_on_responses_alone(ask):
    statuses = {path: ask(path, BAD, stream=True).status_code for path in BODIES}
    assert statuses == {"/v1/chat/completions": 400, "/v1/responses": 200, "/v1/messages": 400}
    assert "response.failed" in ask("/v1/responses", BAD, stream=True).text


@EACH
def test_both_calls_share_an_id_and_only_the_first_has_the_question(ask, path):
    ask(path, GOOD)
    (before,), (after,) = ask.guard.calls("request"), ask.guard.calls("response")
    assert before["litellm_call_id"] == after["litellm_call_id"]
    assert before["texts"] == ["When?"]
    assert before["structured_messages"]
    assert after["structured_messages"] is None


def test_documents_of_messages_reach_the_guard_in_no_call(ask):
    ask("/v1/messages", GOOD)
    assert TEXT in json.dumps(ask.model.asked)
    assert TEXT not in json.dumps(ask.guard.received)


@pytest.mark.parametrize(("path", "field"), [("/v1/chat/completions", "annotations"), ("/v1/messages", "citations")])
def test_citation_objects_reach_the_client_and_not_the_guard(ask, path, field):
    reply = ask(path, GOOD)
    assert field in reply.text
    assert not any(field in json.dumps(body) for _, body in ask.guard.received)


@EACH
def test_the_header_of_the_log_is_forwarded_and_other_values_are_not(ask, path):
    ask(path, GOOD, headers=NAMED | {"x-other": "secret"})
    for _, body in ask.guard.received:
        headers = {name.lower(): value for name, value in body["request_headers"].items()}
        assert headers["x-showable-log"] == "log-1"
        assert headers["x-other"] == "[present]"
        assert headers.get("authorization", "[present]") == "[present]"


def test_the_calls_are_joined_where_only_the_question_brings_the_log(ask):
    result = json.dumps({"results": [{"id": "lease-4", "text": TEXT}]})
    call = {"id": "k", "type": "function", "function": {"name": "search_leases", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "When?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "k", "content": result},
    ]
    ask.guard.tools = ("search_*",)
    assert ask("/v1/chat/completions", GOOD, headers={}, messages=messages).status_code == 200
    assert ask("/v1/chat/completions", BAD, headers={}, messages=messages).status_code == 400


def test_without_a_log_nothing_passes(ask):
    assert ask("/v1/chat/completions", GOOD, headers={}).status_code == 400


@EACH
def test_an_endpoint_that_is_down_closes_the_route(ask, path):
    ask.guard.down = True
    reply = ask(path, GOOD)
    assert reply.status_code >= 400
    assert "lease-4" not in reply.text


def test_a_stream_that_is_not_buffered_has_begun_when_it_is_blocked(ask):
    """This is why the docs prescribe `streaming_buffer_until_moderated`: without it the route is not protected."""
    reply = ask("/v1/chat/completions", BAD, stream=True, way="sampled")
    (first, *_) = ask.guard.calls("response")
    assert reply.status_code == 200
    assert "Ninety" in reply.text
    assert len(first["texts"][0]) < len(BAD)


@EACH
def test_a_reply_without_an_action_passes_everything(ask, path):
    """This is why an action is always written."""
    ask.guard.instead = {}
    assert "lease-9" in ask(path, BAD).text


def test_a_reply_that_intervenes_does_not_change_a_stream(ask):
    """This is why the guard blocks, and never intervenes."""
    ask.guard.instead = {"action": "GUARDRAIL_INTERVENED", "texts": ["***"]}
    assert "***" in ask("/v1/chat/completions", BAD).text
    streamed = ask("/v1/chat/completions", BAD, stream=True)
    assert "lease-9" in streamed.text
    assert "***" not in streamed.text


def test_a_field_of_the_body_goes_on_to_the_provider(ask):
    """This is why the log is named in a header where LiteLLM stands in front."""
    ask("/v1/chat/completions", GOOD, showable={"retrieved": []})
    assert ask.model.asked[-1][1]["showable"] == {"retrieved": []}
    assert "showable" not in json.dumps([body.get("request_data") for _, body in ask.guard.received])
