"""The check of a deployed chain: against the guard itself, and against gateways that leak in every way a gateway may."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import socket
from contextlib import suppress

import pytest
from aiohttp import ClientSession, web
from guarded import guarding
from typer.testing import CliRunner

from showable.cli.guard import app
from showable.production.guard.chain_check import PATHS, Chain, check_chain

CLOSED = {"no_retrieval": "reject"}


def free_port():
    """A port of loopback that nobody listens at, and that the system gives to no connection in between."""
    while True:
        port = 20_000 + secrets.randbelow(12_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def outcomes(report):
    return {(one.api, one.stream, one.bad): one.outcome for one in report.tried}


def every(held, shown):
    return {
        (api, stream, bad): held if bad else shown for api in PATHS for stream in (False, True) for bad in (True, False)
    }


def checked_guard(**route):
    """Check a chain that is the guard alone."""
    port = free_port()
    with guarding(None, CLOSED | route, upstream={"base_url": f"http://127.0.0.1:{port}"}) as guard:
        return asyncio.run(check_chain(Chain(guard.url, "m"), ("127.0.0.1", port), list(PATHS)))


def test_a_guarded_chain_is_proven():
    report = checked_guard()
    assert outcomes(report) == every("held", "shown")
    assert (report.leaked, report.proves) == (False, True)


def test_streams_that_are_audited_leak():
    report = checked_guard(stream="audit")
    leaks = {key for key, outcome in outcomes(report).items() if outcome == "leaked"}
    assert leaks == {(api, True, True) for api in PATHS}


def test_a_guard_that_holds_everything_proves_nothing():
    report = checked_guard(verify_shown=True, on_unknown="hold")
    assert (report.leaked, report.proves) == (False, False)


def test_logs_are_put_where_the_guard_is_named():
    port = free_port()
    with guarding(None, CLOSED, upstream={"base_url": f"http://127.0.0.1:{port}"}) as guard:
        report = asyncio.run(check_chain(Chain(guard.url, "m", guard=guard.url), ("127.0.0.1", port), ["chat"]))
    assert report.proves


WORDS = re.compile(r'(?<=[ "])[a-z]{9}(?= )')


def relay(model, change):
    """A gateway of somebody else's: asks the model, and changes what it says."""

    async def handler(request):
        async with ClientSession() as session, session.post(model + request.path, data=await request.read()) as reply:
            body, kind = await reply.text(), reply.headers["content-type"]
        return web.Response(body=change(body).encode(), status=reply.status, headers={"content-type": kind})

    return handler


def one_word(text):
    return json.dumps({"error": {"message": f"held: {WORDS.findall(text)[-1]}"}})


def cut_in_pieces(text):
    """Send each word in two pieces of a stream, none of them whole."""
    words = WORDS.findall(text)
    pieces = [part for word in words for part in (word[:4], word[4:])]
    return "".join(f"data: {json.dumps({'choices': [{'delta': {'content': piece}}]})}\n\n" for piece in pieces)


@pytest.mark.parametrize(
    ("change", "bad", "good"),
    [
        (lambda text: text, "leaked", "shown"),
        (one_word, "leaked", "not_shown"),
        (cut_in_pieces, "leaked", "shown"),
        (lambda text: '{"error": {"message": "blocked"}}', "held", "not_shown"),
    ],
)
def test_gateways_that_leak(change, bad, good):
    async def scenario():
        port = free_port()
        application = web.Application()
        application.router.add_post("/{path:.*}", relay(f"http://127.0.0.1:{port}", change))
        runner = web.AppRunner(application, shutdown_timeout=0.1)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        try:
            return await check_chain(Chain(url, "m"), ("127.0.0.1", port), ["chat"])
        finally:
            await runner.cleanup()

    report = asyncio.run(scenario())
    assert set(outcomes(report).values()) == {bad, good}
    assert report.leaked is (bad == "leaked")
    assert not report.proves


def test_a_chain_that_does_not_ask_the_model_proves_nothing():
    port = free_port()
    with guarding(None, CLOSED) as guard:  # its upstream is another
        guard.upstream.script = lambda request: (404, b"{}", b"application/json")
        report = asyncio.run(check_chain(Chain(guard.url, "m"), ("127.0.0.1", port), ["chat"]))
    assert set(outcomes(report).values()) == {"not_asked"}
    assert not report.proves


def test_the_command_says_so_and_exits_by_it():
    port = free_port()
    invoke = CliRunner().invoke
    with guarding(None, CLOSED, upstream={"base_url": f"http://127.0.0.1:{port}"}) as guard:
        asked = ["check", guard.url, "--model", "m", "--listen", f"127.0.0.1:{port}", "--api", "chat"]
        good = invoke(app, asked)
        document = json.loads(invoke(app, [*asked, "--json"]).stdout)
    assert good.exit_code == 0, good.output
    assert "No part of a bad answer came back" in good.stdout
    assert (document["leaked"], document["proves"], len(document["tried"])) == (False, True, 4)
    with guarding(None, CLOSED | {"stream": "audit"}, upstream={"base_url": f"http://127.0.0.1:{port}"}) as guard:
        leaky = invoke(app, ["check", guard.url, *asked[2:]])
    assert leaky.exit_code == 1
    assert "LEAKED" in leaky.stdout
    nobody = invoke(app, ["check", f"http://127.0.0.1:{free_port()}", *asked[2:]])
    assert nobody.exit_code == 3
    assert "Nothing is proven" in nobody.stdout
