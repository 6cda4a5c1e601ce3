"""What the guard refuses of HTTP, keys and bodies before anything is asked of an upstream, and its own endpoints."""

import json
import socket

import httpx
import pytest
from guarded import GOOD, LOG, chat, config_text, guarding, model

from showable.production.guard import client_connection
from showable.production.guard.request_body import upstream_body

CHAT = "/v1/chat/completions"
BODY = json.dumps({"model": "m", "messages": [{"role": "user", "content": "q"}], "showable": LOG}).encode()
LINE = b"POST /v1/chat/completions HTTP/1.1\r\n"
HOST = b"host: x\r\n"


def length(body=BODY):
    return b"content-length: %d\r\n\r\n%b" % (len(body), body)


@pytest.fixture(scope="module")
def guard():
    with guarding(model(chat(GOOD)), {"max_request": 100_000}) as running:
        yield running


def exchange(guard, raw):
    with socket.create_connection(("127.0.0.1", guard.port), timeout=20) as client:
        client.sendall(raw)
        found = b""
        while b"\r\n\r\n" not in found or (b"connection: close" in found and not found.endswith(b"}")):
            data = client.recv(65536)
            if not data:
                break
            found += data
    return found


REFUSED = [
    # name, bytes, status; RFC 9112 §3, §6, §11 (request smuggling), and what llhttp lets pass
    ("two hosts", LINE + HOST + HOST + length(), 400),
    ("no host", LINE + length(), 400),
    ("absolute target", b"POST http://evil.example/v1/chat/completions HTTP/1.1\r\n" + HOST + length(), 400),
    ("target of two slashes", b"POST //v1/chat/completions HTTP/1.1\r\n" + HOST + length(), 400),
    ("CONNECT", b"CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443\r\n\r\n", 400),
    ("length and chunked", LINE + HOST + b"transfer-encoding: chunked\r\n" + length(), 400),
    ("two lengths", LINE + HOST + b"content-length: 3\r\n" + length(), 400),
    ("identity, chunked", LINE + HOST + b"transfer-encoding: identity, chunked\r\n\r\n0\r\n\r\n", 400),
    ("xchunked", LINE + HOST + b"transfer-encoding: xchunked\r\n\r\n0\r\n\r\n", 400),
    ("space before the colon", LINE + HOST + b"content-length : 3\r\n\r\nabc", 400),
    ("folded header", LINE + HOST + b"x-a: b\r\n c\r\n" + length(), 400),
    ("NUL in a header", LINE + HOST + b"x-a: b\x00c\r\n" + length(), 400),
    ("HTTP/2 preface", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
    ("upgrade", b"GET /v1/models HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n", 501),
    ("many headers", LINE + HOST + b"".join(b"x-%d: 1\r\n" % n for n in range(101)) + length(), 431),
    ("large headers", LINE + HOST + b"x-a: " + b"a" * 70_000 + b"\r\n" + length(), 431),
    ("large body", LINE + HOST + b"content-length: 99999999\r\n\r\n", 413),
]


@pytest.mark.parametrize(("name", "raw", "status"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_cannot_be_vouched_for_is_refused_and_the_connection_closed(guard, name, raw, status):
    before = len(guard.upstream.asked)
    found = exchange(guard, raw)
    assert found.startswith(b"HTTP/1.1 %d " % status), found
    assert b"connection: close" in found
    assert len(guard.upstream.asked) == before


def test_requests_are_answered_one_by_one(guard):
    whole = LINE + HOST + length()
    with socket.create_connection(("127.0.0.1", guard.port), timeout=20) as client:
        client.sendall(whole + whole)
        found = b""
        while data := client.recv(65536):
            found += data
    assert found.count(b"HTTP/1.1 ") == 1
    assert b"pipelining_refused" in found


def test_a_connection_is_kept_and_bodies_may_be_chunked(guard):
    chunked = (
        LINE
        + HOST
        + b"transfer-encoding: chunked\r\n\r\n"
        + b"".join(b"%x\r\n%b\r\n" % (len(p), p) for p in (BODY[:9], BODY[9:]))
        + b"0\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", guard.port), timeout=20) as client:
        for raw in (LINE + HOST + length(), chunked, LINE + HOST + b"expect: 100-continue\r\n" + length()):
            client.sendall(raw)
            found = b""
            while GOOD.encode() not in found:
                found += client.recv(65536)
    asked = guard.upstream.asked[-2:]
    assert [request.header(b"transfer-encoding") for request in asked] == [None, None]
    assert asked[0].body == asked[1].body


def test_what_keeps_the_guard_waiting_is_closed(monkeypatch):
    monkeypatch.setattr(client_connection, "HEADER_S", 0.0)
    with guarding(model(chat())) as guard, socket.create_connection(("127.0.0.1", guard.port), timeout=20) as client:
        client.sendall(LINE)
        assert client.recv(10) == b""


BODIES = [
    # name, body, headers, status, kind
    ("no JSON", b"{", {}, 400, "invalid_json"),
    ("no object", b"[]", {}, 400, "invalid_json"),
    ("nested without end", b"[" * 100_000 + b"]" * 100_000, {}, 400, "invalid_json"),
    ("deep", b'{"a":' * 9_000 + b"1" + b"}" * 9_000, {}, 400, "invalid_json"),
    ("no messages", b'{"model": "m"}', {}, 400, "invalid_request"),
    ("no log", b'{"model": "m", "messages": []}', {}, 400, "no_retrieval"),
    (
        "a log that is none",
        b'{"model": "m", "messages": [], "showable": {"retrieved": [{"id": "a"}]}}',
        {},
        400,
        "invalid_request",
    ),
    ("an unknown log", b'{"model": "m", "messages": []}', {"x-showable-log": "nope"}, 400, "unknown_log"),
    ("compressed", BODY, {"content-encoding": "gzip"}, 415, "unsupported_encoding"),
    ("too large for the route", b'{"messages": [], "pad": "' + b"x" * 100_000 + b'"}', {}, 413, "request_too_large"),
]


@pytest.mark.parametrize(("name", "body", "headers", "status", "kind"), BODIES, ids=[row[0] for row in BODIES])
def test_a_body_that_cannot_be_read_costs_nothing(guard, name, body, headers, status, kind):  # noqa: PLR0917 - a row
    before = len(guard.upstream.asked)
    reply = httpx.post(f"{guard.url}{CHAT}", content=body, headers=headers)
    assert (reply.status_code, reply.json()["error"]["type"]) == (status, kind)
    assert reply.headers["x-showable-release"] == "error"
    assert len(guard.upstream.asked) == before


def test_a_wrong_log_names_its_field(guard):
    reply = httpx.post(
        f"{guard.url}{CHAT}", json={"messages": [], "showable": {"retrieved": [{"source_id": "a", "txt": "b"}]}}
    )
    assert "showable.retrieved.0.txt" in reply.json()["error"]["message"]


def test_calls_beyond_what_fits_are_refused_before_anything_is_sent(guard, monkeypatch):
    monkeypatch.setattr("showable.production.guard.proxy.MOST_BUFFERED", 10)
    before = len(guard.upstream.asked)
    reply = httpx.post(f"{guard.url}{CHAT}", content=BODY)
    assert (reply.status_code, reply.json()["error"]["type"]) == (503, "guard_overloaded")
    assert (reply.headers["x-should-retry"], reply.headers["retry-after"], len(guard.upstream.asked)) == (
        "true",
        "1",
        before,
    )


KEYED = """[key.team-a]
secret = "env:A"
[key.team-b]
secret = "env:B"
"""
SECRETS = {"A": "a" * 20, "B": "b" * 20, "UPSTREAM": "sk-upstream-credential"}


def test_keys_separate_tenants_and_never_reach_the_upstream(caplog):
    with guarding(model(chat(GOOD)), top=KEYED, upstream={"key": "env:UPSTREAM"}, environment=SECRETS) as guard:

        def post(key, **more):
            headers = {"authorization": f"Bearer {key}"} if key else {}
            return httpx.post(f"{guard.url}{CHAT}", content=BODY, headers=headers | more)

        assert [post(key).status_code for key in ("", "wrong", "A")] == [401] * 3
        mine = post(SECRETS["A"])
        assert mine.status_code == 200
        asked = guard.upstream.asked[-1]
        assert asked.header(b"authorization") == b"Bearer sk-upstream-credential"
        assert SECRETS["A"].encode() not in b"".join(value for _, value in asked.headers)
        place = f"{guard.url}/showable/calls/{mine.headers['x-showable-call']}"
        assert httpx.get(place, headers={"x-showable-key": SECRETS["A"]}).json()["release"] == "show"
        assert httpx.get(place, headers={"x-showable-key": SECRETS["B"]}).status_code == 404
        assert httpx.get(place).status_code == 401
        httpx.put(
            f"{guard.url}/showable/logs/mine", json=LOG, headers={"x-showable-key": SECRETS["A"]}
        ).raise_for_status()
        bare = json.dumps({"model": "m", "messages": []}).encode()
        headers = {"x-showable-log": "mine"}
        assert (
            httpx.post(f"{guard.url}{CHAT}", content=bare, headers=headers | {"x-api-key": SECRETS["A"]}).headers[
                "x-showable-release"
            ]
            == "show"
        )
        assert (
            httpx.post(f"{guard.url}{CHAT}", content=bare, headers=headers | {"x-api-key": SECRETS["B"]}).json()[
                "error"
            ]["type"]
            == "unknown_log"
        )
        assert httpx.get(f"{guard.url}/metrics").status_code == 401
        assert httpx.get(f"{guard.url}/healthz").json() == {"status": "ok"}
    assert not any(secret in caplog.text for secret in SECRETS.values())


def test_a_key_of_the_guard_is_not_passed_on_as_the_clients_credential():
    with guarding(model(chat(GOOD)), top=KEYED, environment=SECRETS) as guard:
        bearer = httpx.post(f"{guard.url}{CHAT}", content=BODY, headers={"authorization": f"Bearer {SECRETS['A']}"})
        headers = {"authorization": "Bearer sk-client", "x-showable-key": SECRETS["A"]}
        apart = httpx.post(f"{guard.url}{CHAT}", content=BODY, headers=headers)
        assert (bearer.status_code, apart.status_code, len(guard.upstream.asked)) == (401, 200, 1)
        assert guard.upstream.asked[0].header(b"authorization") == b"Bearer sk-client"


def test_names_of_models_do_not_become_time_series_without_end():
    with guarding(model(chat(GOOD))) as guard:
        for number in range(110):
            body = json.dumps({"model": f"m{number}", "messages": [], "showable": LOG})
            httpx.post(f"{guard.url}{CHAT}", content=body)
        text = httpx.get(f"{guard.url}/metrics").text
    assert 95 < text.count("showable_guard_calls_total{") <= 101


def test_a_log_is_put_and_named_by_a_header(guard):
    put = httpx.put(f"{guard.url}/showable/logs/run-7", json=LOG)
    assert put.json() == {"id": "run-7"}
    reply = httpx.post(f"{guard.url}{CHAT}", json={"model": "m", "messages": []}, headers={"x-showable-log": "run-7"})
    assert reply.headers["x-showable-release"] == "show"
    record = httpx.get(f"{guard.url}/showable/calls/{reply.headers['x-showable-call']}").json()
    assert record["log_from"] == "header"
    assert "ninety" not in json.dumps(record)
    wrong = [httpx.put(f"{guard.url}/showable/logs/x", content=body) for body in (b"{", b'{"retrieved": 1}')]
    assert [reply.json()["error"]["type"] for reply in wrong] == ["invalid_json", "invalid_request"]
    assert httpx.put(f"{guard.url}/showable/logs/", json=LOG).status_code == 400
    assert httpx.get(f"{guard.url}/showable/nothing").status_code == 404


def test_the_upstream_gets_the_bytes_of_the_client_but_for_the_own_field():
    rows = [
        (
            b'{"model": "m", "n": 1.50, "messages": [] , "showable": {"retrieved": []}}',
            b'{"model": "m", "n": 1.50, "messages": [] }',
        ),
        (b'{"a": "\\"showable\\"", "showable": {"showable": null}}', b'{"a": "\\"showable\\""}'),
        (b'{"showable": 1}', b"{}"),
        (b'{"showable": 1, "n": 1.5}', b'{"n":1.5}'),
        (b'{"n": 1.50}', b'{"n": 1.50}'),
    ]
    for raw, expected in rows:
        assert upstream_body(raw, json.loads(raw), with_usage=False) == expected
    streams = [
        (b'{"stream": true}', b'{"stream": true,"stream_options":{"include_usage":true}}'),
        (b"{}", b'{"stream_options":{"include_usage":true}}'),
        (b'{"stream_options": {"x": 1}}', b'{"stream_options":{"x":1,"include_usage":true}}'),
        (b'{"stream_options": null}', b'{"stream_options":{"include_usage":true}}'),
    ]
    for raw, expected in streams:
        assert upstream_body(raw, json.loads(raw), with_usage=True) == expected


def test_a_config_is_read_anew_only_where_it_is_valid():
    with guarding(model(chat(GOOD))) as guard:
        whole = guard.config.read_text()
        guard.config.write_text(whole.replace('"all"', '"other"'))
        guard.call_soon(guard.worker.reload)
        reply = httpx.post(f"{guard.url}{CHAT}", content=BODY)
        record = httpx.get(f"{guard.url}/showable/calls/{reply.headers['x-showable-call']}").json()
        assert record["route"] == "other"
        guard.config.write_text("nothing = 1\n" + whole)
        guard.call_soon(guard.worker.reload)
        assert httpx.post(f"{guard.url}{CHAT}", content=BODY).headers["x-showable-release"] == "show"


def test_the_smallest_config_is_what_the_tests_use():
    assert config_text(9000).splitlines() == [
        "",
        "[upstream.model]",
        'base_url = "http://127.0.0.1:9000"',
        'apis = ["chat", "responses", "messages"]',
        'key = "client"',
        "[[route]]",
        'name = "all"',
        'upstream = "model"',
        'profile = "general"',
        'no_retrieval = "reject"',
        'semantic = "off"',
    ]
