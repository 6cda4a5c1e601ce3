"""Connections that only keep a place, and tokens that are guessed: whoever comes to work is let in all the same."""

from __future__ import annotations

import asyncio
import http.client
import resource
import socket
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from page_server import served as page_of
from review_server import served as review_of
from review_server import small_run
from test_serve_receiver import SPAN, TRACE, receiving, request_of

from showable.cli.serve import check_settings
from showable.errors import SettingError
from showable.review import connections
from showable.review.connections import Connections, most_connections
from showable.serving import guesses
from showable.serving.guesses import MOST_WRONG, Guesses
from showable.serving.settings import ServeSettings
from showable.stores.traces.opening import open_trace_store

TOKEN, READ_TOKEN = "a-token-of-an-exporter", "a-token-of-its-readers"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def wires(port, count, sent=b""):
    held = [socket.create_connection(("127.0.0.1", port), timeout=60) for _ in range(count)]
    for wire in held:
        if sent:
            wire.sendall(sent)
    return held


def ask(port, path="/", method="GET", body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        reply = connection.getresponse()
        return reply.status, dict(reply.getheaders()), reply.read()
    finally:
        connection.close()


def port_of(url):
    return int(url.rpartition(":")[2])


HEAD = b"POST /enter HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 90\r\n\r\nt"


@pytest.mark.parametrize(
    "sent",
    [b"", b"GET / HT", b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"],
    ids=["nothing", "half a head", "asked once"],
)
def test_idle_connections_keep_nobody_out_of_the_page(sent, tmp_path, monkeypatch):
    monkeypatch.setattr(connections, "most_connections", lambda: 10)
    with page_of(tmp_path / "t.db") as url:
        held = wires(port_of(url), 30, sent)
        assert [ask(port_of(url), "/healthz")[0] for _ in range(3)] == [200] * 3
        held[0].settimeout(5)
        with suppress(ConnectionResetError):  # how being cut off may look from here
            while held[0].recv(65_536):
                pass
        for wire in held:
            wire.close()


def test_idle_connections_keep_nobody_out_of_the_labelling_page(tmp_path):
    """The attack itself: more sockets than the process may have descriptors."""
    with review_of(small_run(tmp_path / "run", 1)) as server:
        inherited = max(int(entry.name) for entry in Path(f"/proc/{server.process.pid}/fd").iterdir())
        limit = 2 * inherited + 60  # half of them are for connections, and a fork has those of the tests before it
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (limit, limit))
        port = port_of(server.url)
        held = wires(port, limit)
        held += wires(port, 20, b"POST /api/labels HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n1")
        assert [ask(port, "/healthz")[0] for _ in range(3)] == [200] * 3
        for wire in held:
            wire.close()
        code, _, err = server.stop()
    assert code == 0
    assert len(err) < 1_000, "and the log stays short"


def test_who_asks_nothing_is_soon_sent_away_from_the_page(tmp_path, monkeypatch):
    monkeypatch.setattr(connections, "FIRST_S", 0.05)
    with page_of(tmp_path / "t.db") as url:
        for sent in (b"", b"GET / HT"):
            (wire,) = wires(port_of(url), 1, sent)
            with wire:
                assert wire.recv(100) == b""


def test_a_token_that_does_not_come_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr("showable.serving.pages.door.READ_S", 0.05)
    with page_of(tmp_path / "t.db", token=TOKEN) as url:
        (wire,) = wires(port_of(url), 1, HEAD)
        with wire:
            assert wire.recv(65_536).startswith(b"HTTP/1.1 408 ")


class Wire:
    """A transport that remembers whether it was cut off."""

    def __init__(self):
        self.cut = False

    def abort(self):
        self.cut = True


def test_the_longest_idle_gives_way_and_one_at_work_only_after_a_minute(monkeypatch):
    monkeypatch.setattr(connections, "most_connections", lambda: 2)

    async def scene():
        held, made = Connections(), {name: Wire() for name in "abcde"}
        now = [0.0]
        monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now[0], raising=False)
        assert held.opened("a", made["a"])
        assert held.opened("b", made["b"])
        held.busy("a")
        assert held.opened("c", made["c"]), "b asks nothing"
        assert (made["a"].cut, made["b"].cut) == (False, True)
        held.busy("c")
        assert not held.opened("d", made["d"]), "both are at work"
        held.idle("c")
        assert held.opened("d", made["d"])
        assert made["c"].cut
        held.busy("d")
        now[0] = connections.BUSY_S + 1
        held.closed("d")
        held.opened("d", made["d"])
        held.busy("d")
        assert held.opened("e", made["e"]), "a has been at work for too long"
        assert (made["a"].cut, made["d"].cut) == (True, False)

    asyncio.run(scene())


def test_half_of_the_descriptors_are_for_connections(monkeypatch):
    for soft, most in ((120, 60), (1_024, 512), (1, 1), (1_000_000, 1_000), (resource.RLIM_INFINITY, 1_000)):
        monkeypatch.setattr(connections.resource, "getrlimit", lambda _, soft=soft: (soft, soft))
        assert most_connections() == most


# Tokens ----------------------------------------------------------------------------------------------------------------------


def test_wrong_tokens_have_a_budget_and_who_knew_the_right_one_is_let_in():
    now = [0.0]
    budget = Guesses(lambda: now[0])
    budget.note("exporter", right=True)
    for _ in range(MOST_WRONG):
        assert not budget.bars("guesser")
        budget.note("guesser", right=False)
    assert budget.bars("guesser")
    assert budget.bars("guesser, by another address"), "one budget for all"
    assert not budget.bars("exporter")
    now[0] += guesses.EACH_S
    assert not budget.bars("guesser"), "one a second"
    budget.note("guesser", right=False)
    assert budget.bars("guesser")
    budget.note("exporter", right=False)
    assert budget.bars("exporter"), "it guesses, too"
    now[0] += 1_000_000
    for _ in range(MOST_WRONG):
        assert not budget.bars("guesser")
        budget.note("guesser", right=False)
    assert budget.bars("guesser"), "the budget grows no further"


def test_addresses_that_are_known_are_not_kept_without_end():
    budget = Guesses(lambda: 0.0)
    for number in range(3_000):
        budget.note(str(number), right=True)
    assert len(budget._known) == 1_000


def test_guesses_at_the_receiver_are_refused_right_or_wrong_until_time_has_passed(tmp_path, monkeypatch):
    monkeypatch.setattr(guesses, "EACH_S", 1e9)
    with receiving(partial(open_trace_store, tmp_path / "s.sqlite"), token=TOKEN) as server:
        said = [server.ask("/metrics", Authorization=f"Bearer guess-{n}").status for n in range(MOST_WRONG + 2)]
        assert said == [401] * MOST_WRONG + [429] * 2
        last = server.ask("/v1/traces", request_of((TRACE, SPAN)), Authorization=f"Bearer {TOKEN}")
        assert last.status == 429, "the answer to the right one would tell it from others"
        assert server.ask("/metrics").status == 401, "to show none is no guess"


def test_an_exporter_that_has_shown_the_token_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(guesses, "MOST_WRONG", 0)
    with receiving(partial(open_trace_store, tmp_path / "s.sqlite"), token=TOKEN) as server:
        budget = server.receiver.doorway._handler.__self__._guesses
        budget.note("127.0.0.1", right=True)
        assert server.ask("/v1/traces", request_of((TRACE, SPAN)), Authorization=f"Bearer {TOKEN}").status == 200


def test_guesses_at_the_page_are_refused_and_a_browser_that_entered_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(guesses, "EACH_S", 1e9)
    with page_of(tmp_path / "t.db", token=TOKEN) as url:
        port = port_of(url)
        _, headers, _ = ask(port, "/enter", "POST", f"token={TOKEN}", **FORM)
        cookie = headers["Set-Cookie"].partition(";")[0]
        said = [ask(port, "/enter", "POST", f"token=guess-{n}", **FORM)[0] for n in range(MOST_WRONG + 2)]
        assert said == [403] * MOST_WRONG + [429] * 2
        status, headers, body = ask(port, "/enter", "POST", f"token={TOKEN}", **FORM)
        assert status == 429
        assert "Set-Cookie" not in headers
        assert b"too many wrong tokens" in body.lower()
        assert ask(port, "/traces", Cookie=cookie)[0] == 200


def test_readers_may_have_a_token_of_their_own(tmp_path):
    store = partial(open_trace_store, tmp_path / "s.sqlite")
    with receiving(store, token=TOKEN, read_token=READ_TOKEN) as server:
        sent = request_of((TRACE, SPAN))
        shown = {token: (server.ask("/v1/traces", sent, Authorization=f"Bearer {token}").status,
                         server.ask("/metrics", Authorization=f"Bearer {token}").status) for token in (TOKEN, READ_TOKEN)}  # fmt: skip
    assert shown == {TOKEN: (200, 401), READ_TOKEN: (401, 200)}
    with page_of(tmp_path / "s.sqlite", token=TOKEN, read_token=READ_TOKEN) as url:
        assert ask(port_of(url), "/enter", "POST", f"token={TOKEN}", **FORM)[0] == 403
        assert ask(port_of(url), "/enter", "POST", f"token={READ_TOKEN}", **FORM)[0] == 303


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"token": "a"}, "--token: expected at least 16 characters, got 1; "),
        ({"token": "x" * 15}, "--token: expected at least 16 characters, got 15; "),
        ({"token": "", "host": "0.0.0.0"}, "--token: expected at least 16 characters, got 0; "),  # noqa: S104 - not bound
        ({"token": TOKEN, "read_token": "short"}, "--read-token: expected at least 16 characters, got 5; "),
    ],
)
def test_a_short_token_is_refused(settings, words):
    with pytest.raises(SettingError) as error:
        check_settings(ServeSettings("t.db", judge="lexical", **settings))
    assert str(error.value).startswith(words)
    assert "SHOWABLE_" in str(error.value)
    assert "\n" not in str(error.value)


def test_the_command_takes_both_from_the_environment_and_refuses_short_ones(cli, monkeypatch, tmp_path):
    monkeypatch.setenv("SHOWABLE_READ_TOKEN", "short")
    monkeypatch.setenv("SHOWABLE_TOKEN", TOKEN)
    code, _, err = cli("serve", "--store", tmp_path / "t.db", "--judge", "lexical")
    assert (code, err.count("\n")) == (2, 1)
    assert "--read-token: expected at least 16 characters" in err
    assert "SHOWABLE_TOKEN" in cli("serve", "--help")[1]


# Sites -----------------------------------------------------------------------------------------------------------------------


def test_the_receiver_takes_the_origin_that_it_is_itself(tmp_path):
    with receiving(partial(open_trace_store, tmp_path / "s.sqlite")) as server:
        own, port = f"http://127.0.0.1:{server.port}", server.port
        origins = {
            None: 200, own: 200, own.upper(): 200, f"http://localhost:{port}": 403, f"http://127.0.0.1:{port + 1}": 403,
            "http://127.0.0.1": 403, "http://localhost:3000": 403, f"{own}.evil.example": 403, f"{own}/": 403, "null": 403, "": 403,
            f"ftp://127.0.0.1:{port}": 403,
        }  # fmt: skip
        for origin, status in origins.items():
            headers = {} if origin is None else {"Origin": origin}
            assert server.ask("/v1/traces", request_of((TRACE, SPAN)), **headers).status == status, origin
        rebound = {"Origin": "http://evil.example", "Host": "evil.example"}
        assert server.ask("/v1/traces", request_of((TRACE, SPAN)), **rebound).status == 403, "by DNS rebinding"
