"""Contracts and scanners within a running guard: other gateways' calls, the route's scanners, and those of others."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from guarded import BAD, GOOD, LOG, chat, guarding, messages, model, responses
from tables import every_row

from showable.errors import InputError
from showable.production.guard.guard_file import read_guard_file

PATHS = {"chat": "/v1/chat/completions", "responses": "/v1/responses", "messages": "/v1/messages"}
SHAPES = {"chat": chat, "responses": responses, "messages": messages}
LITELLM = "/beta/litellm_basic_guardrail_api"
KEY = "ghp_" + "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17"
"""A token that expired; its checksum is right."""
CONFIG = """[upstream.model]
base_url = "http://127.0.0.1:PORT"
[[route]]
name = "all"
upstream = "model"
profile = "general"
no_retrieval = "hold"
semantic = "off"
"""


def asked(api, *, stream=False):
    body = {"model": "m", "stream": stream, "showable": LOG, "max_tokens": 9}
    return body | (
        {"input": "How much?"} if api == "responses" else {"messages": [{"role": "user", "content": "How much?"}]}
    )


@contextmanager
def scanning(reply, status=200):
    """Run a scanner of somebody else's, which says the same to everybody."""
    seen = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            seen.append(
                (self.headers.get("x-api-key"), json.loads(self.rfile.read(int(self.headers["content-length"]))))
            )
            body = json.dumps(reply).encode()
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


# contracts


def test_a_log_is_put_and_another_gateway_asks():
    with guarding(model(chat())) as guard, httpx.Client(base_url=guard.url) as client:
        assert client.put("/showable/logs/log-1", json=LOG).is_success
        body = {
            "input_type": "response",
            "texts": [GOOD],
            "request_headers": {"x-showable-log": "log-1"},
            "litellm_call_id": "c",
        }
        good = client.post(LITELLM, json=body)
        bad = client.post(LITELLM, json=body | {"texts": [BAD]})
        assert (good.status_code, good.json()) == (200, {"action": "NONE"})
        assert (bad.status_code, bad.json()["action"]) == (200, "BLOCKED")
        assert (good.headers["x-showable-release"], bad.headers["x-showable-release"]) == ("show", "hold")
        record = client.get(f"/showable/calls/{bad.headers['x-showable-call']}").json()
        assert record["codes"] == ["resolvability.not_retrieved"]
        native = client.post("/showable/guard", json={"response": chat(BAD), "log": LOG}).json()
        assert (native["action"], native["codes"]) == ("hold", ["resolvability.not_retrieved"])
        webhook = client.post(
            "/showable/future-agi", json={"request": {}, "response": chat(GOOD), "metadata": {"showable_log": "log-1"}}
        )
        assert webhook.json()["pass"] is True
        assert guard.upstream.asked == []


@every_row(
    "path, body, status, kind",
    [
        ("/showable/guard", b"{", 400, "invalid_request"),
        ("/showable/guard", b'{"response": {"choices": []}, "profile": "medical"}', 400, "profile_not_allowed"),
        (LITELLM, b'{"input_type": "x"}', 400, "invalid_request"),
        ("/showable/other", b"{}", 404, "unknown_endpoint"),
    ],
)
def test_a_mistaken_call_of_a_contract(path, body, status, kind):
    with guarding(model(chat())) as guard:
        reply = httpx.post(guard.url + path, content=body)
        assert (reply.status_code, reply.json()["error"]["type"]) == (status, kind)


def test_a_contract_asks_for_the_key_of_the_guard_and_keeps_tenants_apart():
    top = '[key.a]\nsecret = "env:A"\n[key.b]\nsecret = "env:B"\n'
    keys = {"A": "a" * 16, "B": "b" * 16}
    with guarding(model(chat()), top=top, environment=keys) as guard, httpx.Client(base_url=guard.url) as client:
        body = {"response": chat(GOOD), "log_id": "log-1"}
        client.put("/showable/logs/log-1", json=LOG, headers={"x-api-key": keys["A"]})
        assert client.post("/showable/guard", json=body).status_code == 401
        assert client.post("/showable/guard", json=body, headers={"x-api-key": keys["A"]}).json()["action"] == "show"
        assert client.post("/showable/guard", json=body, headers={"x-api-key": keys["B"]}).json()["action"] == "hold"


# the scanners of a route


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("api", PATHS)
def test_a_route_scans_for_what_it_names(api, stream):
    script = SHAPES[api](f"{GOOD} {KEY}")
    for names, shown in (([], True), (["secrets"], False), (["code", "language"], True)):
        with guarding(model(script), {"scanners": names}) as guard:
            reply = httpx.post(guard.url + PATHS[api], json=asked(api, stream=stream))
            assert reply.headers["x-showable-release"] == ("show" if shown else "hold"), names
            pieces = (KEY[at : at + 4] for at in range(len(KEY) - 3))  # a stream comes in pieces
            assert any(piece in reply.text for piece in pieces) is shown
            assert ("scanner.secret" in reply.headers.get("x-showable-reasons", "")) is not shown


@pytest.mark.parametrize("stream", [False, True])
@every_row(
    "reply, status, route, release",
    [
        ({"action": "NONE"}, 200, {}, "show"),
        ({"action": "BLOCKED", "blocked_reason": "toxic"}, 200, {}, "hold"),
        ({"action": "GUARDRAIL_INTERVENED", "texts": ["***"]}, 200, {}, "hold"),
        ({}, 200, {}, "hold"),
        ({"action": "NONE"}, 500, {}, "hold"),
        ({"action": "NONE"}, 500, {"on_unknown": "show"}, "hold"),
        ({"action": "NONE"}, 500, {"on_error": "open"}, "unverified"),
    ],
)
def test_a_scanner_of_others_has_its_say(reply, status, route, release, stream):
    with scanning(reply, status) as (url, seen):
        top = f'[scanner.other]\nurl = "{url}"\nkey = "env:K"\ndeadline_ms = 30000\n'
        with guarding(
            model(chat(GOOD)), {"scanners": ["other"]} | route, top=top, environment={"K": "s3cret"}
        ) as guard:
            answered = httpx.post(guard.url + PATHS["chat"], json=asked("chat", stream=stream))
            assert answered.headers["x-showable-release"] == release
            over_contract = httpx.post(f"{guard.url}/showable/guard", json={"response": chat(GOOD), "log": LOG})
            assert over_contract.json()["action"] == release
    assert [(key, body["texts"]) for key, body in seen] == [("s3cret", [GOOD])] * 2


@every_row(
    "text, field, words",
    [
        ('scanners = ["jailbreak"]', "route.scanners", "no scanner is called 'jailbreak'"),
        ('scanners = ["topics"]', "route.scanners", "no [topic.NAME]"),
        ('scanners = ["topics"]\n[topic.t]\npatterns = ["(?=x)"]', "route.scanners", "a lookahead"),
        ("[topic.t]", "topic.t", "needs words or patterns"),
        ('[scanner.a]\nurl = "h"', "scanner.a.url", "expected http://HOST"),
        ('[scanner.secrets]\nurl = "http://h"', "scanner.secrets", "a scanner of the guard is called so"),
        ('[scanner.a]\nurl = "http://h"\nkey = "env:NOT_SET"', "scanner.a.key", "NOT_SET is not set"),
        (
            'scanners = ["a"]\nstream = "sentence"\n[scanner.a]\nurl = "http://h"',
            "route.stream",
            "cannot wait for a",
        ),
    ],
)
def test_mistaken_settings_are_told_with_file_and_field(text, field, words, tmp_path):
    path = tmp_path / "guard.toml"
    path.write_text(CONFIG.replace("PORT", "9") + text, "utf-8")
    with pytest.raises(InputError) as raised:
        read_guard_file(path, {})
    assert words in str(raised.value)
    assert raised.value.field == field
