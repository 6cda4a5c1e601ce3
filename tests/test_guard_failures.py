"""What breaks, breaks closed: no answer is released undecided, no call is paid twice, and nothing stays open."""

import asyncio
import errno
import json
import logging
import socket
import threading
import time
from pathlib import Path

import httpx
import pytest
from guarded import BAD, GOOD, LOG, ROUTE, SECRET, Reply, as_stream, chat, guarding, in_turn, messages, model, responses

from showable.production.guard.upstream import Breaker, UpstreamError

CHAT, RESPONSES, MESSAGES = "/v1/chat/completions", "/v1/responses", "/v1/messages"
ASKED = {"model": "m", "messages": [{"role": "user", "content": "q"}], "showable": LOG}
STREAMED = ASKED | {"stream": True}
PLAIN = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
EVENTS = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


def chunk(data):
    return b"%x\r\n%b\r\n" % (len(data), data)


def sized(body, head=PLAIN, more=0):
    return head + b"content-length: %d\r\n\r\n" % (len(body) + more) + body


WHOLE = json.dumps(chat(BAD)).encode()
STREAM = "".join(as_stream(chat(BAD))).encode()
CUT = STREAM[: len(STREAM) // 2]

ROWS = [
    # name, request, what the upstream writes, and then, status, kind; sources: the table of failures in the design, RFC 9112
    ("resets before the head", ASKED, [b""], "reset", 502, "upstream_malformed"),
    ("closes before the head", ASKED, [b""], "close", 502, "upstream_malformed"),
    ("closes in the head", ASKED, [PLAIN], "close", 502, "upstream_malformed"),
    ("closes in the body", ASKED, [sized(WHOLE, more=9)], "close", 502, "upstream_malformed"),
    ("resets after the head", ASKED, [PLAIN + b"content-length: 99\r\n\r\n"], "reset", 502, "upstream_malformed"),
    ("a shorter length than the body's", ASKED, [sized(WHOLE, more=-9)], "keep", 502, "upstream_malformed"),
    ("no HTTP", ASKED, [b"SSH-2.0-x\r\n"], "close", 502, "upstream_malformed"),
    ("a bad chunk", ASKED, [PLAIN + b"transfer-encoding: chunked\r\n\r\nzz\r\n"], "close", 502, "upstream_malformed"),
    ("HTML with 200", ASKED, [sized(b"<html>oops</html>")], "keep", 502, "upstream_malformed"),
    ("JSON that is no object", ASKED, [sized(b"[]")], "keep", 502, "upstream_malformed"),
    ("an object that is no reply", ASKED, [sized(b'{"hello": 1}')], "keep", 502, "upstream_malformed"),
    (
        "gzip unasked",
        ASKED,
        [sized(b"\x1f\x8b\x08", PLAIN + b"content-encoding: gzip\r\n")],
        "keep",
        502,
        "upstream_malformed",
    ),
    (
        "a redirect",
        ASKED,
        [b"HTTP/1.1 302 Found\r\nlocation: http://198.51.100.1/\r\ncontent-length: 0\r\n\r\n"],
        "keep",
        502,
        "upstream_malformed",
    ),
    (
        "a large answer",
        ASKED,
        [PLAIN + b"transfer-encoding: chunked\r\n\r\n", *[chunk(b"x" * 60_000)] * 5],
        "stall",
        502,
        "answer_too_large",
    ),
    ("a stream that is cut in an event", STREAMED, [EVENTS + chunk(CUT)], "close", 502, "upstream_malformed"),
    (
        "a stream without its last event",
        STREAMED,
        [EVENTS + chunk(STREAM.replace(b"data: [DONE]\n\n", b"")) + b"0\r\n\r\n"],
        "keep",
        502,
        "upstream_malformed",
    ),
    (
        "a stream that goes on after its end",
        STREAMED,
        [EVENTS + chunk(STREAM + STREAM) + b"0\r\n\r\n"],
        "keep",
        502,
        "upstream_malformed",
    ),
    (
        "a stream of no JSON",
        STREAMED,
        [EVENTS + chunk(b"data: {\n\ndata: [DONE]\n\n") + b"0\r\n\r\n"],
        "keep",
        502,
        "upstream_malformed",
    ),
    (
        "a stream with an error",
        STREAMED,
        [EVENTS + chunk(CUT.rpartition(b"data:")[0] + b'data: {"error": {"message": "m"}}\n\n') + b"0\r\n\r\n"],
        "keep",
        502,
        "upstream_malformed",
    ),
    (
        "a stream cut in a character",
        STREAMED,
        [EVENTS + chunk('data: {"é'.encode()[:-1])],
        "close",
        502,
        "upstream_malformed",
    ),
    ("a large stream", STREAMED, [EVENTS, *[chunk(b"data: " + b"x" * 60_000)] * 5], "stall", 502, "answer_too_large"),
    (
        "a compressed stream",
        STREAMED,
        [EVENTS.replace(b"transfer", b"content-encoding: gzip\r\ntransfer") + chunk(b"\x1f\x8b") + b"0\r\n\r\n"],
        "keep",
        502,
        "upstream_malformed",
    ),
]


@pytest.fixture(scope="module")
def guard():
    written = {}
    with guarding(lambda _request: written["now"], {"max_answer": 200_000}) as running:
        running.written = written
        yield running


@pytest.mark.parametrize(("name", "body", "parts", "then", "status", "kind"), ROWS, ids=[row[0] for row in ROWS])
def test_a_reply_that_is_not_whole_is_an_error_and_no_answer(guard, name, body, parts, then, status, kind):  # noqa: PLR0917 - a row
    guard.written["now"] = Reply(parts, then)
    guard.worker.proxy.upstreams["model"].breaker = Breaker(guard.loop.time)
    reply = httpx.post(f"{guard.url}{CHAT}", json=body, timeout=30)
    assert (reply.status_code, reply.json()["error"]["type"]) == (status, kind)
    assert reply.headers["x-should-retry"] == "false"
    assert reply.headers["x-showable-release"] == "error"
    assert SECRET not in reply.text
    assert len(guard.upstream.asked) == ROWS.index((name, body, parts, then, status, kind)) + 1
    guard.call_soon(lambda: None)
    assert (guard.worker.proxy.open, guard.worker.proxy.buffered) == (0, 0)


def test_what_is_whole_passes_however_it_is_framed():
    good = json.dumps(chat(GOOD)).encode()
    framed = [
        [sized(good)],
        [
            PLAIN + b"transfer-encoding: chunked\r\n\r\n",
            *[chunk(good[i : i + 50]) for i in range(0, len(good), 50)],
            b"0\r\n\r\n",
        ],
        [b"HTTP/1.1 100 Continue\r\n\r\n" + sized(good)],
    ]
    written = {}
    with guarding(lambda _request: written["now"]) as guard:
        for parts in framed:
            written["now"] = Reply(parts)
            assert httpx.post(f"{guard.url}{CHAT}", json=ASKED).content == good
        written["now"] = Reply([PLAIN + b"connection: close\r\n\r\n" + good], "close")
        assert httpx.post(f"{guard.url}{CHAT}", json=ASKED).content == good
        whole = "".join(as_stream(chat(GOOD))).encode() + b"data: [DONE]\n\n"
        written["now"] = Reply([EVENTS + chunk(whole) + b"0\r\n\r\n"])
        assert httpx.post(f"{guard.url}{CHAT}", json=STREAMED).content == whole


@pytest.mark.parametrize("status", [400, 401, 429, 500, 529])
def test_an_error_of_the_upstream_is_passed_as_it_is(status):
    body = b'{"error": {"message": "from the provider"}}'
    with guarding(lambda _request: (status, body, b"application/json")) as guard:
        reply = httpx.post(f"{guard.url}{CHAT}", json=ASKED)
    assert (reply.status_code, reply.content, reply.headers["x-showable-release"]) == (status, body, "error")


@pytest.mark.parametrize(
    ("path", "body", "shape"),
    [
        (CHAT, ASKED, "error"),
        (MESSAGES, ASKED, "type"),
        (RESPONSES, {"model": "m", "input": "q", "showable": LOG}, "error"),
    ],
)
def test_where_nobody_listens_the_call_may_be_made_again(path, body, shape):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        with guarding(model(chat()), upstream={"base_url": f"http://127.0.0.1:{taken.getsockname()[1]}"}) as guard:
            replies = [httpx.post(f"{guard.url}{path}", json=body) for _ in range(6)]
    assert [reply.status_code for reply in replies] == [502] * 5 + [503]
    assert [reply.headers["x-should-retry"] for reply in replies] == ["true"] * 6
    assert [reply.json()["error"]["type"] for reply in replies[-2:]] == ["upstream_unreachable", "upstream_open"]
    assert next(iter(replies[0].json())) == shape


def test_an_upstream_that_says_nothing_is_given_up():
    with guarding(lambda _request: Reply([PLAIN], "stall"), upstream={"timeout_s": 0.05}) as guard:
        reply = httpx.post(f"{guard.url}{CHAT}", json=ASKED, timeout=30)
    assert (reply.status_code, reply.json()["error"]["type"], reply.headers["x-should-retry"]) == (
        504,
        "upstream_timeout",
        "false",
    )


def test_an_answer_that_drips_is_given_up():
    drops = [b"x" for _ in range(100)]

    async def drip(client, _reply):
        client.write(PLAIN + b"content-length: 100000\r\n\r\n")
        for drop in drops:
            client.write(drop)
            await asyncio.sleep(0.02)

    limits = {"timeout_s": 30, "longest_s": 0.2}
    with guarding(lambda _request: Reply([], "stall"), upstream=limits) as guard:
        guard.upstream._raw = drip
        reply = httpx.post(f"{guard.url}{CHAT}", json=ASKED, timeout=30)
    assert (reply.status_code, reply.json()["error"]["type"]) == (504, "upstream_timeout")
    assert "too long over its answer" in reply.json()["error"]["message"]


def test_a_client_may_leave_at_any_byte():
    """Of its request, and of the reply, plain and streamed: nothing stays open or held."""
    with guarding(model(chat(GOOD))) as guard:
        for body in (json.dumps(ASKED).encode(), json.dumps(STREAMED).encode()):
            request = b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n%b" % (
                len(body),
                body,
            )
            for size in [*range(0, len(request), 61), len(request)]:
                for read in (0, 1, 700) if size == len(request) else (0,):
                    with socket.create_connection(("127.0.0.1", guard.port), timeout=20) as client:
                        client.sendall(request[:size])
                        if read:
                            client.recv(read)
        until = time.monotonic() + 30
        while (guard.worker.connections or guard.worker.proxy.open) and time.monotonic() < until:
            guard.call_soon(lambda: None)
        assert (len(guard.worker.connections), guard.worker.proxy.open, guard.worker.proxy.buffered) == (0, 0, 0)
        assert httpx.post(f"{guard.url}{CHAT}", json=ASKED).headers["x-showable-release"] == "show"


def test_a_full_disk_and_a_clock_set_back_change_no_decision(monkeypatch):
    write, now = Path.write_bytes, time.time

    def full(path, data):
        if path.parent.name in {"logs", "responses"} or path.name.startswith("counters"):
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, data)

    with guarding(model(chat(GOOD))) as guard:
        assert httpx.put(f"{guard.url}/showable/logs/one", json=LOG).status_code == 200
        monkeypatch.setattr(Path, "write_bytes", full)
        refused = httpx.put(f"{guard.url}/showable/logs/two", json=LOG)
        assert (refused.status_code, refused.json()["error"]["type"]) == (500, "guard_failed")
        assert httpx.post(f"{guard.url}{CHAT}", json=ASKED).headers["x-showable-release"] == "show"
        guard.upstream.script = model(responses(BAD))
        asked = {"model": "m", "input": "q", "showable": LOG}
        assert httpx.post(f"{guard.url}{RESPONSES}", json=asked).headers["x-showable-release"] == "hold"
        assert httpx.get(f"{guard.url}{RESPONSES}/resp_1").headers["x-showable-release"] == "hold"
        monkeypatch.setattr(time, "time", lambda: now() - 3600)
        guard.upstream.script = model(chat(GOOD))
        bare = {"model": "m", "messages": []}
        kept = httpx.post(f"{guard.url}{CHAT}", json=bare, headers={"x-showable-log": "one"})
        assert kept.headers["x-showable-release"] == "show"


def test_no_key_and_no_word_of_an_answer_is_in_a_log(caplog):
    secrets = {"authorization": "Bearer sk-of-the-provider", "x-showable-key": "k" * 20}
    with (
        caplog.at_level(logging.DEBUG),
        guarding(
            lambda _request: Reply([EVENTS + chunk(CUT)], "close"),
            top='[key.a]\nsecret = "env:K"',
            environment={"K": "k" * 20},
        ) as guard,
    ):
        for body in (ASKED, STREAMED):
            assert httpx.post(f"{guard.url}{CHAT}", json=body, headers=secrets).status_code == 502
        kept = json.dumps([call.record() for call in guard.worker.proxy.calls._calls.values()])
        metrics = httpx.get(f"{guard.url}/metrics", headers=secrets).text
    told = caplog.text.partition("HTTP Request")[0] + kept + metrics
    assert not [words for words in ("sk-of", "k" * 20, SECRET, "ninety") if words in told]


OUTSIDE = [
    # on_error, on_unknown, answer, release; source: what could not be scanned is never `show`: a closed route holds it, on an open
    # one the other checks decide, and what they let through is `unverified`; `unguarded` is what nothing was decided on
    ("closed", "show", GOOD, "hold"),
    ("closed", "hold", GOOD, "hold"),
    ("open", "show", GOOD, "unverified"),
    ("open", "hold", GOOD, "unverified"),
    ("open", "show", BAD, "hold"),
    ("open", "hold", CUT_OFF := "Notice is ninety days [lease]. And", "hold"),
    ("open", "show", CUT_OFF, "unverified"),
]


def test_a_scanner_that_is_down_closes_a_route_and_an_open_one_goes_by_the_other_checks():
    tables = []
    for error, unknown, _, _ in dict.fromkeys((e, u, 0, 0) for e, u, _, _ in OUTSIDE):
        fields = ROUTE | {"name": f"{error}-{unknown}", "model": f"{error}-{unknown}", "scanners": ["down"]}
        fields |= {"on_error": error, "on_unknown": unknown}
        tables.append("\n".join(["[[route]]", *(f"{key} = {json.dumps(value)}" for key, value in fields.items())]))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        down = f'[scanner.down]\nurl = "http://127.0.0.1:{taken.getsockname()[1]}"\n'
        text = '[upstream.model]\nbase_url = "http://127.0.0.1:PORT"\n' + down + "\n".join(tables)
        said = {}

        def script(request):
            return model(said["now"])(request)

        with guarding(script, text=text) as guard:
            found = []
            for error, unknown, answer, _ in OUTSIDE:
                said["now"] = chat(answer, finish_reason="length" if answer == CUT_OFF else "stop")
                reply = httpx.post(f"{guard.url}{CHAT}", json=ASKED | {"model": f"{error}-{unknown}"})
                assert answer == BAD or "scanner.unavailable" in reply.headers["x-showable-reasons"]
                found.append((error, unknown, answer, reply.headers["x-showable-release"]))
            metrics = httpx.get(f"{guard.url}/metrics").text
    assert found == OUTSIDE
    assert 'kind="scanner_unavailable"' in metrics


def test_a_client_that_leaves_ends_the_call_of_the_upstream():
    asked = threading.Event()

    def script(_request):
        asked.set()
        return Reply([EVENTS + chunk(CUT)], "stall")

    with guarding(script) as guard:
        with socket.create_connection(("127.0.0.1", guard.port)) as client:
            body = json.dumps(STREAMED).encode()
            client.sendall(
                b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n%b" % (len(body), body)
            )
            assert asked.wait(10)
        while guard.upstream.left == 0 or guard.worker.proxy.open:
            guard.call_soon(lambda: None)
        assert guard.worker.proxy.buffered == 0


@pytest.mark.parametrize(("mode", "release", "released"), [("closed", "hold", False), ("open", "unguarded", True)])
def test_a_fault_of_the_guard_itself_holds_unless_the_route_says_otherwise(
    monkeypatch, caplog, mode, release, released
):
    def broken(_call, _policy):
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("showable.production.guard.deciding.decide", broken)
    with caplog.at_level(logging.ERROR), guarding(model(chat(BAD)), {"on_error": mode}) as guard:
        replies = [httpx.post(f"{guard.url}{CHAT}", json=body) for body in (ASKED, STREAMED)]
        metrics = httpx.get(f"{guard.url}/metrics").text
    assert [reply.headers["x-showable-release"] for reply in replies] == [release] * 2
    assert [("held back" not in reply.text) for reply in replies] == [released] * 2
    assert ("showable_guard_unguarded_total" in metrics) == released
    assert "the guard failed: ZeroDivisionError" in caplog.text
    assert "a bug" not in caplog.text  # a message may hold the very words that are not to be kept


def test_an_error_in_a_stream_that_has_begun_is_the_last_event():
    answer = "Notice is ninety days [lease]. It may be given by e-mail [amendment]. And so"
    events = "".join(as_stream(chat(answer))[:-4]).encode()
    with guarding(lambda _request: Reply([EVENTS + chunk(events)], "close"), {"stream": "sentence"}) as guard:
        reply = httpx.post(f"{guard.url}{CHAT}", json=STREAMED)
    chunks = [json.loads(line[6:]) for line in reply.text.splitlines() if line.startswith("data: {")]
    said = "".join(one["choices"][0]["delta"].get("content", "") for one in chunks if "choices" in one)
    assert reply.status_code == 200
    assert said.startswith("Notice is ninety days")
    assert "And so" not in said
    assert json.loads(reply.text.split("data: ")[-2])["error"]["type"] == "upstream_malformed"
    assert reply.text.endswith("data: [DONE]\n\n")


@pytest.mark.parametrize(("api", "made", "ping"), [(CHAT, chat, '"delta":{}'), (MESSAGES, messages, '"type":"ping"')])
@pytest.mark.parametrize("answer", [GOOD, BAD])
def test_a_client_that_waits_long_is_kept_and_gets_the_verdict_in_the_stream(api, made, ping, answer):
    """The upstream waits until a keep-alive has been seen."""
    events = as_stream(made(answer))
    seen = threading.Event()

    def script(_request):
        first, rest = "".join(events[:3]).encode(), "".join(events[3:]).encode()
        return Reply([EVENTS + chunk(first), seen, chunk(rest) + b"0\r\n\r\n"])

    with guarding(script, {"keepalive_s": 0.01}) as guard:
        text = ""
        with httpx.stream("POST", f"{guard.url}{api}", json=STREAMED | {"max_tokens": 9}, timeout=30) as reply:
            for part in reply.iter_text():
                text += part
                if ping in part:
                    seen.set()
    assert text.count(ping) >= 1
    assert ("courts" in text or "agree" in text) is False
    assert text.endswith("".join(events)) == (answer == GOOD)
    assert reply.headers["x-showable-release"] == "pending"


def test_a_response_that_failed_is_passed_as_what_it_is():
    failed = responses(output=[], status="failed", error={"code": "server_error", "message": "m"})
    with guarding(model(failed)) as guard:
        reply = httpx.post(f"{guard.url}{RESPONSES}", json={"model": "m", "input": "q", "showable": LOG})
    assert (reply.headers["x-showable-release"], reply.json()["status"]) == ("not_an_answer", "failed")


def test_a_breaker_opens_at_half_of_the_last_twenty_calls():
    breaker = Breaker(lambda: 0.0)
    for _ in range(10):
        breaker.succeeded()
    for _ in range(9):
        breaker.failed()
    assert not breaker.open
    breaker.failed()
    assert breaker.open


def test_an_open_breaker_lets_one_call_through_after_ten_seconds():
    now = [0.0]
    breaker = Breaker(lambda: now[0])
    for _ in range(5):
        breaker.admit()
        breaker.failed(refused=True)
    with pytest.raises(UpstreamError):
        breaker.admit()
    now[0] = 11.0
    breaker.admit()
    with pytest.raises(UpstreamError):  # one at a time
        breaker.admit()
    breaker.failed(refused=True)
    now[0] = 20.0
    with pytest.raises(UpstreamError):  # ten seconds from the failed probe
        breaker.admit()
    now[0] = 22.0
    breaker.admit()
    breaker.left()  # a client that left says nothing of the upstream
    breaker.admit()
    breaker.succeeded()
    breaker.admit()
    breaker.admit()
    assert not breaker.open


def test_a_rewrite_is_asked_for_once_and_judged_like_any_answer():
    replies = [chat(BAD), chat(GOOD), chat(BAD), chat(BAD), chat(BAD), chat(GOOD)]
    with guarding(in_turn(*replies), {"on_fail": "rewrite"}) as guard:
        better = httpx.post(f"{guard.url}{CHAT}", json=ASKED)
        worse = httpx.post(f"{guard.url}{CHAT}", json=ASKED)
        streamed = httpx.post(f"{guard.url}{CHAT}", json=STREAMED)
        asked = [json.loads(request.body) for request in guard.upstream.asked]
    assert (better.headers["x-showable-release"], better.content) == ("rewritten", json.dumps(chat(GOOD)).encode())
    assert worse.headers["x-showable-release"] == "refused"
    assert SECRET not in worse.text
    assert "closest passage" in worse.json()["choices"][0]["message"]["content"]
    assert streamed.headers["x-showable-release"] == "rewritten"
    assert streamed.text == "".join(as_stream(chat(GOOD)))
    assert len(asked) == 6
    told = asked[1]["messages"][0]
    assert told["role"] == "system"
    assert "resolvability.not_retrieved" in told["content"]
    assert "lease, amendment" in told["content"]
    assert "showable" not in asked[1]


@pytest.mark.parametrize("made", [responses, messages])
def test_a_rewrite_reaches_every_interface(made):
    path, body = (RESPONSES, {"model": "m", "input": "q", "showable": LOG}) if made is responses else (MESSAGES, ASKED)
    with guarding(in_turn(made(BAD), made(GOOD)), {"on_fail": "rewrite"}) as guard:
        reply = httpx.post(f"{guard.url}{path}", json=body)
        told = json.loads(guard.upstream.asked[1].body)
    assert reply.headers["x-showable-release"] == "rewritten"
    assert reply.content == json.dumps(made(GOOD)).encode()
    assert "Cite only these source ids" in (told.get("instructions") or told.get("system"))


def test_a_fault_in_an_endpoint_or_a_contract_is_an_error_and_no_pass(monkeypatch):
    def broken(*_args, **_more):
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("showable.production.guard.endpoints.rule_on", broken)
    monkeypatch.setattr("showable.production.guard.counters.Counters.text", broken)
    with guarding(model(chat(GOOD))) as guard:
        ruled = httpx.post(f"{guard.url}/showable/guard", json={"response": chat(GOOD)})
        counted = httpx.get(f"{guard.url}/metrics")
        assert httpx.get(f"{guard.url}/healthz").status_code == 200
    assert [reply.status_code for reply in (ruled, counted)] == [500, 500]
    assert ruled.json()["error"]["type"] == "guard_failed"
