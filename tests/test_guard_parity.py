"""A stream is guarded like a plain reply: the same answers are read, the same is decided, and shown bytes are the upstream's."""

import json

import httpx
import pytest
from guarded import BAD, GOOD, LOG, SSE, Reply, as_stream, chat, guarding, messages, model, responses, structured
from hypothesis import given
from hypothesis import strategies as st

from showable.production.guard.call import GuardCall, Policy
from showable.production.guard.decide import decide
from showable.production.guard.incoming_stream import IncomingStream
from showable.production.guard.proxy import WIRES
from showable.production.guard.retrieval import FoundLog, read_given, with_reply_sources
from showable.production.guard.wire.asked import MalformedError
from showable.production.guard.wire.events import Events

PATHS = {"chat": "/v1/chat/completions", "responses": "/v1/responses", "messages": "/v1/messages"}
UNICODE = (
    "Die Frist beträgt neunzig Tage – „giving ninety days' written notice“ [lease]. 期限は九十日です 🏠 [amendment]."
)
DOCUMENT = {
    "type": "document",
    "source": {"type": "text", "media_type": "text/plain", "data": "Notice is ninety days."},
    "title": "Lease",
}
CITED = {
    "type": "char_location",
    "cited_text": "Notice is ninety days.",
    "document_index": 0,
    "document_title": "Lease",
    "start_char_index": 0,
    "end_char_index": 22,
}
TOOL = {"type": "tool_use", "id": "t1", "name": "answer", "input": json.loads(structured("nowhere"))}
SEARCHED = {
    "type": "file_search_call",
    "id": "fs",
    "status": "completed",
    "queries": ["n"],
    "results": [{"file_id": "f1", "filename": "a", "score": 1, "text": "Notice is ninety days."}],
}


def call(name, arguments):
    return {"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}}


CASES = {
    # reply, request; every kind of answer that the three interfaces give (specs of OpenAI's and Anthropic's libraries)
    "chat good": (chat(GOOD), {}),
    "chat bad": (chat(BAD), {}),
    "chat unicode": (chat(UNICODE), {}),
    "chat structured": (chat(structured()), {}),
    "chat misquoted": (chat(structured(quote="giving sixty days' written notice")), {}),
    "chat refusal": (chat(None, refusal="I cannot say [appeal]."), {}),
    "chat cut": (chat(GOOD, finish_reason="length"), {}),
    "chat filtered": (chat(GOOD, finish_reason="content_filter"), {}),
    "chat tool": (chat(None, finish_reason="tool_calls", tool_calls=[call("search", '{"query": "notice"}')]), {}),
    "chat answer in a tool": (
        chat(None, finish_reason="tool_calls", tool_calls=[call("answer", structured("nowhere"))]),
        {},
    ),
    "chat reasoning": (chat(GOOD, reasoning_content="hidden\u200b thoughts"), {}),
    "chat pages": (
        chat(
            "It is so.",
            annotations=[
                {
                    "type": "url_citation",
                    "url_citation": {"url": "https://x.example/", "start_index": 0, "end_index": 5},
                }
            ],
        ),
        {},
    ),
    "chat empty": (chat(""), {}),
    "responses good": (responses(GOOD), {}),
    "responses bad": (responses(BAD), {}),
    "responses unicode": (responses(UNICODE), {}),
    "responses files": (
        responses(
            "Notice is ninety days.",
            annotations=[{"type": "file_citation", "file_id": "lease", "filename": "l", "index": 22}],
        ),
        {},
    ),
    "responses unknown file": (
        responses(
            "Notice is ninety days.",
            annotations=[{"type": "file_citation", "file_id": "f9", "filename": "l", "index": 22}],
        ),
        {},
    ),
    "responses refusal": (
        responses(
            output=[
                {
                    "type": "message",
                    "id": "m",
                    "role": "assistant",
                    "status": "completed",
                    "content": [{"type": "refusal", "refusal": "No [appeal]."}],
                }
            ]
        ),
        {},
    ),
    "responses call": (
        responses(
            output=[
                {
                    "type": "function_call",
                    "id": "f",
                    "call_id": "c",
                    "name": "answer",
                    "arguments": structured("nowhere"),
                    "status": "completed",
                }
            ]
        ),
        {},
    ),
    "responses searched": (
        responses(
            output=[
                SEARCHED,
                *responses(
                    "Notice is ninety days.",
                    annotations=[{"type": "file_citation", "file_id": "f1", "filename": "a", "index": 22}],
                )["output"],
            ]
        ),
        {"no log": True},
    ),
    "responses cut": (responses(GOOD, status="incomplete", incomplete_details={"reason": "max_output_tokens"}), {}),
    "messages good": (messages(GOOD), {}),
    "messages bad": (messages(BAD), {}),
    "messages unicode": (messages(UNICODE), {}),
    "messages cited": (
        messages(content=[{"type": "text", "text": "Notice is ninety days.", "citations": [CITED]}]),
        {"messages": [{"role": "user", "content": [DOCUMENT, {"type": "text", "text": "q"}]}], "no log": True},
    ),
    "messages cited elsewhere": (
        messages(
            content=[{"type": "text", "text": "Notice is ninety days.", "citations": [CITED | {"document_index": 4}]}]
        ),
        {"messages": [{"role": "user", "content": [DOCUMENT]}], "no log": True},
    ),
    "messages thinking": (
        messages(
            content=[{"type": "thinking", "thinking": "hm\u200bm", "signature": ""}, {"type": "text", "text": GOOD}]
        ),
        {},
    ),
    "messages tool": (messages(content=[TOOL], stop_reason="tool_use"), {}),
    "messages cut": (messages(GOOD, stop_reason="max_tokens"), {}),
}


def read(api, request):
    body = ({"input": "q"} if api == "responses" else {"messages": [{"role": "user", "content": "q"}]}) | {
        k: v for k, v in request.items() if k != "no log"
    }
    wire = WIRES[PATHS[api]]
    asked = wire.asked(body)
    given = read_given(LOG)
    log = (
        FoundLog(asked.native, None, "q", "native" if asked.native else None)
        if "no log" in request
        else FoundLog(given.retrieved, None, "q", "field")
    )
    return wire, asked, log


def decided(wire, asked, log, reply):
    log = with_reply_sources(log, wire.reply_sources(reply, asked))
    answers = wire.answers(reply, asked)
    made = GuardCall(api=wire.api, question="q", answers=answers, retrieved=log.retrieved)
    return decide(made, Policy()), answers


def arrived(wire, chunks):
    stream = IncomingStream(wire.assembler(), drop_usage=False)
    for chunk in chunks:
        list(stream.feed(chunk))
    list(stream.close())
    return stream


@pytest.mark.parametrize("name", CASES)
@given(data=st.data())
def test_a_stream_reads_like_the_plain_reply_however_it_is_cut(name, data):
    reply, request = CASES[name]
    wire, asked, _log = read(name.split()[0], request)
    lines = data.draw(st.sampled_from(["\n", "\r\n", "\r"]))
    raw = "".join(as_stream(reply)).replace("\n", lines).encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=30)))
    chunks = [raw[a:b] for a, b in zip([0, *cuts], [*cuts, len(raw)], strict=True)]
    stream = arrived(wire, chunks)
    assert stream.raw == raw
    assert wire.answers(stream.reply(), asked) == wire.answers(reply, asked)
    assert wire.usage(stream.reply()) == wire.usage(reply) or wire.api == "chat"


@pytest.mark.parametrize("name", CASES)
def test_a_stream_is_decided_on_like_the_plain_reply(name):
    reply, request = CASES[name]
    wire, asked, log = read(name.split()[0], request)
    stream = arrived(wire, ["".join(as_stream(reply)).encode()])
    assert decided(wire, asked, log, stream.reply()) == decided(wire, asked, log, reply)


@given(raw=st.binary(max_size=60), cuts=st.lists(st.integers(0, 60), max_size=8))
def test_events_are_the_same_wherever_the_bytes_are_cut(raw, cuts):
    raw = raw.replace(b"\x00", b"\r").replace(b"\x01", b"\n").replace(b"\x02", b"data: x") + b"\n\ndata: last\r\n\r\n"

    def events(chunks):
        cutter = Events()
        found = [event for chunk in chunks for event in cutter.feed(chunk)]
        return [*found, *cutter.close()], cutter.rest

    places = sorted({min(cut, len(raw)) for cut in cuts})
    whole, rest = events([raw])
    assert events([raw[a:b] for a, b in zip([0, *places], [*places, len(raw)], strict=True)]) == (whole, rest)
    assert b"".join(event.raw for event in whole) + rest == raw


def post(guard, path, body, **more):
    return httpx.post(f"{guard.url}{path}", json=body, headers=more.pop("headers", {}), timeout=30)


@pytest.mark.parametrize("api", PATHS)
@pytest.mark.parametrize("answer", [GOOD, BAD])
@pytest.mark.parametrize("mode", ["buffer", "sentence"])
def test_the_proxy_treats_stream_and_plain_alike(api, answer, mode):
    reply = {"chat": chat, "responses": responses, "messages": messages}[api](answer)
    body = {"model": "m", "max_tokens": 9, "showable": LOG} | (
        {"input": "q"} if api == "responses" else {"messages": [{"role": "user", "content": "q"}]}
    )
    with guarding(model(reply), {"stream": mode}) as guard:
        plain = post(guard, PATHS[api], body)
        stream = post(guard, PATHS[api], body | {"stream": True})
        assert [json.loads(r.body).get("showable") for r in guard.upstream.asked] == [None, None]
        path = f"/showable/calls/{stream.headers['x-showable-call']}"
        record = httpx.get(f"{guard.url}{path}").json()
    assert plain.headers["x-showable-release"] == record["release"] == ("show" if answer == GOOD else "hold")
    if answer == GOOD:
        assert plain.content == json.dumps(reply).encode()
        assert stream.content == "".join(as_stream(reply)).encode()
        assert plain.headers["x-request-id"] == "req-1"
    else:
        assert "courts" not in plain.text
        assert "agree" not in stream.text
        assert "appeal" not in stream.text


def test_by_the_sentence_what_is_supported_leaves_before_the_end():
    """The upstream stalls after the second sentence has begun: the first is there all the same."""
    events = as_stream(chat(GOOD))[:16]
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"
    with guarding(lambda _request: Reply([head + "".join(events).encode()], "stall"), {"stream": "sentence"}) as guard:
        body = {"model": "m", "stream": True, "messages": [], "showable": LOG}
        seen = b""
        with httpx.stream("POST", f"{guard.url}{PATHS['chat']}", json=body, timeout=30) as reply:
            for chunk in reply.iter_raw():
                seen += chunk
                if b"lease]" in seen or b"se]" in seen:
                    break
    assert seen
    assert "".join(events).encode().startswith(seen)


def test_words_that_events_gave_and_the_response_has_not_make_it_malformed():
    wire = WIRES[PATHS["responses"]]
    events = "".join(as_stream(responses(BAD)))
    whole = as_stream(responses(GOOD))[-1]
    last = as_stream(responses(BAD))[-1]
    stream = arrived(wire, [events.replace(last, whole).encode()])
    with pytest.raises(MalformedError, match="words of the events"):
        stream.reply()


@pytest.mark.parametrize("mode", ["buffer", "sentence", "audit"])
def test_a_mode_says_how_it_released(mode):
    with guarding(model(chat(GOOD)), {"stream": mode}) as guard:
        reply = post(guard, PATHS["chat"], {"model": "m", "stream": True, "messages": [], "showable": LOG})
    assert reply.headers["content-type"].startswith(SSE.decode())
    assert reply.headers["x-showable-release"] == {"buffer": "show", "sentence": "pending", "audit": "pending"}[mode]
    assert reply.text.endswith("data: [DONE]\n\n")
    assert '"usage"' not in reply.text
