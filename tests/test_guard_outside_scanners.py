"""Other people's scanners, asked over real connections on loopback: what they say, and all that can go wrong."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from pydantic import ValidationError
from tables import every_row

from showable.errors import SettingError
from showable.production.guard.call import GivenAnswer, GuardCall
from showable.production.guard.scanners.outside import PATH, UNAVAILABLE, OutsideScanner, OutsideScanners
from showable.records.findings import Outcome

CALL = GuardCall(
    "chat", "When?", (GivenAnswer("Thirty days.", refusal=None, beside=("thinking",)), GivenAnswer("Sixty."))
)
TEXTS = ["Thirty days.", "thinking", "Sixty."]
PATIENT, HASTY = 30_000, 60
"""Milliseconds: enough for a busy machine; and for a scanner that never answers."""


@asynccontextmanager
async def serving(handler):
    """Serve every path by one handler on loopback."""
    application = web.Application(client_max_size=1 << 30)
    application.router.add_route("*", "/{path:.*}", handler)
    runner = web.AppRunner(application, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def saying(body, status=200, **headers):
    async def handler(request):
        await request.read()
        text = body if isinstance(body, str) else json.dumps(body)
        return web.Response(text=text, status=status, headers=headers, content_type="application/json")

    return handler


async def found(handler, *, deadline_ms=PATIENT, **settings):
    async with serving(handler) as url:
        scanner = OutsideScanner(url=url, deadline_ms=deadline_ms, **settings)
        async with OutsideScanners({"other": scanner}, {"other": "s3cret"}) as scanners:
            return await scanners.ask(["other"], CALL, call_id="c1", model="m")


# (reply, status, (code, outcome, words of the reason) or None, source)
REPLIES = [
    ({"action": "NONE"}, 200, None, "passes"),
    (
        {"action": "BLOCKED", "blocked_reason": "toxic\nwords"},
        200,
        ("scanner.other", "fail", "blocks it: toxic words"),
        "blocks",
    ),
    ({"action": "BLOCKED"}, 200, ("scanner.other", "fail", "blocks it"), "blocks without a reason"),
    (
        {"action": "BLOCKED", "blocked_reason": {"a": 1}},
        200,
        ("scanner.other", "fail", "blocks it"),
        "a reason that is none",
    ),
    ({"action": "GUARDRAIL_INTERVENED", "texts": TEXTS}, 200, None, "changes nothing"),
    ({"action": "GUARDRAIL_INTERVENED", "texts": ["***"]}, 200, ("scanner.other", "fail", "change its words"), "masks"),
    ({"action": "GUARDRAIL_INTERVENED"}, 200, (UNAVAILABLE, "unknown", "no texts"), "intervenes with nothing"),
    ({}, 200, (UNAVAILABLE, "unknown", "no action"), "LiteLLM would take it for NONE"),
    ({"action": "none"}, 200, (UNAVAILABLE, "unknown", "no action"), "another word"),
    ([], 200, (UNAVAILABLE, "unknown", "no action"), "no object"),
    ("{", 200, (UNAVAILABLE, "unknown", "not JSON"), "malformed"),
    ("[" * 100_000, 200, (UNAVAILABLE, "unknown", "not JSON"), "nested too deep"),
    ("\u00ff", 200, (UNAVAILABLE, "unknown", "not JSON"), "no JSON"),
    ({"action": "NONE"}, 500, (UNAVAILABLE, "unknown", "status 500"), "an error"),
    ({"action": "NONE"}, 401, (UNAVAILABLE, "unknown", "status 401"), "a wrong key"),
    ({"action": "NONE"}, 201, (UNAVAILABLE, "unknown", "status 201"), "not what the contract says"),
    ('{"action": "NONE", "x": "' + "x" * (1 << 20) + '"}', 200, (UNAVAILABLE, "unknown", "larger than"), "huge"),
]


@every_row("reply, status, expected, source", REPLIES)
async def _check_reply(reply, status, expected, source):
    findings = await found(saying(reply, status))
    if expected is None:
        assert findings == []
        return
    (finding,) = findings
    code, outcome, words = expected
    assert (finding.code, finding.outcome.value) == (code, outcome)
    assert words in finding.reason
    assert "\n" not in finding.reason


def test_replies():
    asyncio.run(_check_reply())


def test_what_is_sent_is_what_litellm_sends():
    seen = []

    async def handler(request):
        seen.append((request.path, request.headers.get("x-api-key"), await request.json()))
        return web.json_response({"action": "NONE"})

    assert asyncio.run(found(handler, key="env:OTHER_KEY", params={"level": 3})) == []
    ((path, key, body),) = seen
    assert (path, key) == (PATH, "s3cret")
    assert (body["input_type"], body["texts"], body["litellm_call_id"], body["model"]) == ("response", TEXTS, "c1", "m")
    assert body["additional_provider_specific_params"] == {"level": 3}
    assert set(body) == {
        "input_type", "litellm_call_id", "litellm_trace_id", "texts", "structured_messages", "images", "tools", "tool_calls",
        "model", "request_data", "request_headers", "litellm_version", "additional_provider_specific_params",
    }  # fmt: skip


def test_a_redirect_is_not_followed():
    seen = []

    async def handler(request):
        seen.append(request.path)
        raise web.HTTPTemporaryRedirect(location="/elsewhere")

    (finding,) = asyncio.run(found(handler))
    assert (finding.code, seen) == (UNAVAILABLE, [PATH])


def test_nothing_is_carried_from_one_question_to_the_next():
    seen = []

    async def handler(request):
        seen.append(request.headers.get("cookie"))
        response = web.json_response({"action": "NONE"})
        response.set_cookie("who", "tenant-a")
        return response

    async def scenario():
        async with (
            serving(handler) as url,
            OutsideScanners({"a": OutsideScanner(url=url, deadline_ms=PATIENT)}, {}) as scanners,
        ):
            for _ in range(2):
                await scanners.ask(["a"], CALL, call_id="c", model=None)

    asyncio.run(scenario())
    assert seen == [None, None]


def test_an_encoded_reply_is_not_decoded():
    (finding,) = asyncio.run(found(saying({"action": "NONE"}, **{"Content-Encoding": "gzip"})))
    assert (finding.code, "encoded" in finding.reason) == (UNAVAILABLE, True)


@pytest.mark.parametrize("headers_first", [False, True])
def test_one_that_does_not_answer_is_given_up_at_its_deadline(headers_first):
    async def scenario():
        never = asyncio.Event()

        async def handler(request):
            response = web.StreamResponse()
            if headers_first:
                await response.prepare(request)
                await response.write(b'{"action": ')
            await never.wait()
            return response

        async def asked():
            try:
                return await found(handler, deadline_ms=HASTY)
            finally:
                never.set()

        return await asked()

    (finding,) = asyncio.run(scenario())
    assert (finding.code, finding.outcome) == (UNAVAILABLE, Outcome.UNKNOWN)
    assert f"{HASTY} ms" in finding.reason


def test_one_that_is_not_there_or_hangs_up_is_unavailable():
    async def scenario():
        async def hang_up(reader, writer):
            await reader.read(10)
            writer.close()

        server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        both = {"up": OutsideScanner(url=f"http://127.0.0.1:{port}", deadline_ms=PATIENT)}
        async with OutsideScanners(both, {}) as scanners:
            hung_up = await scanners.ask(["up"], CALL, call_id="c", model=None)
            server.close()
            await server.wait_closed()
            gone = await scanners.ask(["up"], CALL, call_id="c", model=None)
        return [*hung_up, *gone]

    findings = asyncio.run(scenario())
    assert [finding.code for finding in findings] == [UNAVAILABLE, UNAVAILABLE]


def test_all_are_asked_at_once():
    async def scenario():
        arrived = asyncio.Barrier(3)

        async def handler(request):
            await arrived.wait()  # until the two others are asked as well
            return web.json_response({"action": "BLOCKED" if request.path.startswith("/b") else "NONE"})

        async with serving(handler) as url:
            three = {name: OutsideScanner(url=f"{url}/{name}", deadline_ms=PATIENT) for name in "abc"}
            async with OutsideScanners(three, {}) as scanners:
                return await scanners.ask(["a", "b", "c"], CALL, call_id="c", model=None)

    assert [finding.code for finding in asyncio.run(scenario())] == ["scanner.b"]


def test_nobody_is_asked_about_nothing():
    async def scenario():
        async with OutsideScanners({"a": OutsideScanner(url="http://127.0.0.1:9")}, {}) as scanners:
            return await scanners.ask(["a"], GuardCall("chat", "", (GivenAnswer(""),)), call_id="c", model=None)

    assert asyncio.run(scenario()) == []


@every_row(
    "settings, words",
    [
        ({"url": "ftp://h"}, "expected http://HOST"),
        ({"url": "http://"}, "expected http://HOST"),
        ({"url": "http://u:p@h"}, "without a user"),
        ({"url": "http://h?x=1"}, "without a user"),
        ({"url": "http://h:99999"}, "expected http://HOST"),
        ({"url": "http://h", "key": "s3cret"}, "env:"),
        ({"url": "http://h", "deadline_ms": 0}, "greater than or equal to 1"),
        ({"url": "http://h", "retries": 3}, "Extra inputs"),
    ],
)
def test_mistaken_settings(settings, words):
    with pytest.raises(ValidationError) as raised:
        OutsideScanner(**settings)
    assert words in str(raised.value)


def test_the_path_of_the_contract_is_added_once():
    assert (
        OutsideScanner(url="http://h:1/api/").url
        == OutsideScanner(url=f"http://h:1/api{PATH}").url
        == f"http://h:1/api{PATH}"
    )


def test_a_key_without_a_value_is_told():
    with pytest.raises(SettingError, match=r"scanner\.a: key: .*header"):
        OutsideScanners({"a": OutsideScanner(url="http://h", key="env:K")}, {"a": "two\nlines"})


@every_row(
    "name, words",
    [
        ("secrets", "a scanner of the guard"),
        ("addresses", "a scanner of the guard"),
        ("a b", "expected letters"),
        ("x\r\ny: z", "expected letters"),
    ],
)
def test_names_that_are_taken_or_none(name, words):
    with pytest.raises(SettingError, match=words) as raised:
        OutsideScanners({name: OutsideScanner(url="http://h")}, {})
    assert "\n" not in str(raised.value)
