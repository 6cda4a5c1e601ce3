"""What a hostile server, a hostile citation and a hostile setting can do to the way out: nothing but be told apart."""

import asyncio
import socket
import threading

import pytest
from aiohttp import web
from registry_doubles import UNHURRIED, loopback_web, serve

from showable.records import Entry, Found, Reference
from showable.registries.answers import without_secrets
from showable.registries.consult_cache import AnswerCache
from showable.registries.consultation import Consultation
from showable.registries.courtlistener import CourtListener
from showable.registries.edgar import Edgar
from showable.registries.federal_register import FederalRegister
from showable.registries.find_case_law import FindCaseLaw
from showable.registries.settings import Settings, settings_from
from showable.registries.us_code import UsCode
from showable.registries.web.asking import BlockedError, OddReplyError, Pace, Reply, TroubleError
from showable.registries.web.client import SafeNetwork
from showable.registries.web.pacing import Turnstile
from showable.registries.web.pinning import system_resolver

HALF = "\ud800"
"""A lone surrogate: JSON can carry one, UTF-8 cannot."""


def answering(asked, status=200, **headers):
    async def answer(request):
        asked.append((request.path_qs, dict(request.headers)))
        return web.Response(status=status, text="{}", headers=headers)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    return app


def ask(way, url, **options):
    async def once():
        return await way.ask("GET", url, **options)

    return asyncio.run(once())


# --- what is asked for -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["xn--a", "xn--0", "xn--\u00e9"])  # RFC 5891 section 4.4: no label decodes to these
def test_a_host_that_only_looks_encoded_is_no_address(host):
    with pytest.raises(BlockedError, match="no address"):
        ask(loopback_web(), f"http://{host}/")
    leading = answering([], 302, Location=f"http://{host.encode().decode('latin-1')}/")
    with serve(leading) as base, pytest.raises(OddReplyError, match="what is no address"):
        ask(loopback_web(base), base)


@pytest.mark.parametrize(
    "options",
    [
        {"headers": {"Authorization": "Token s3cret\n"}},  # RFC 9110 section 5.5: no CR, LF or NUL in a field
        {"headers": {"Authorization": "Token s3cret\r\nX-Other: 1"}},
        {"headers": {"Authorization": "Token s3cret\0"}},
        {"headers": {"Authorization": "Token s3crét"}},
        {"headers": {"Authorization": f"s3cret{HALF}"}},
        {"form": {"text": f"s3cret{HALF}"}},
    ],
    ids=ascii,
)
def test_what_no_request_may_hold_is_not_sent_and_not_shown(options):
    asked = []
    with serve(answering(asked)) as base, pytest.raises(OddReplyError) as error:
        ask(loopback_web(base), base, **options)
    assert asked == []
    assert "s3cr" not in str(error.value)


def test_a_parameter_of_half_a_character_is_no_address():
    asked = []
    with serve(answering(asked)) as base, pytest.raises(TroubleError):
        ask(loopback_web(base), base, params={"q": HALF})
    assert asked == []


def test_space_around_a_key_is_none_of_it():
    settings = settings_from(
        {
            "SHOWABLE_COURTLISTENER_TOKEN": "s3cret\r\n",
            "SHOWABLE_MAILTO": " a@example.org\n",
            "SHOWABLE_NCBI_KEY": " ",
        }
    )
    assert (settings.secrets, settings.mailto) == ({"SHOWABLE_COURTLISTENER_TOKEN": "s3cret"}, "a@example.org")
    asked = []
    fields = {"volume": "576", "reporter": "U.S.", "page": "644"}
    with serve(answering(asked)) as base:
        registry = CourtListener(loopback_web(base), Settings(base={"courtlistener": base}, secrets=settings.secrets))
        asyncio.run(registry.find(Reference(kind="case", text="x", fields=fields)))
    assert {headers["Authorization"] for _, headers in asked} == {"Token s3cret"}


@pytest.mark.parametrize(
    ("registry_class", "kind", "fields"),
    [
        (UsCode, "usc", {"title": "1" * 5_000, "section": "1"}),  # more digits than Python reads as a number
        (FederalRegister, "fed_reg", {"volume": "9" * 5_000, "page": "1"}),
        (FederalRegister, "fed_reg", {"volume": "86", "page": "\u0663"}),  # a digit, and none that a page has
        (FindCaseLaw, "neutral_uk", {"year": "2020", "court": "UKSC", "number": "\u0665"}),
        (Edgar, "sec_accession", {"accession": "0000320193-24-00012\u0663", "cik": "320193"}),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_numbers_that_are_none_reach_nobody(registry_class, kind, fields):
    asked = []
    with serve(answering(asked)) as base:
        settings = Settings(base={registry_class.name: base, "edgar_archives": base}, mailto="a@example.org")
        registry = registry_class(loopback_web(base), settings)
        found = asyncio.run(registry.find(Reference(kind=kind, text="x", fields=fields)))
    assert found.status in {"not_covered", "malformed"}
    assert asked == []


@pytest.mark.parametrize(
    "name",
    [
        "api_key",
        "apikey",
        "apiKey",
        "accessToken",
        "X-Amz-Signature",
        "X-Amz-Credential",
        "session",
        "sid",
        "key1",
        "jwt",
    ],
)
def test_no_parameter_of_a_secret_is_shown(name):
    assert without_secrets(f"https://u:p@example.com/a?{name}=s3cret&q=x#f") == "https://example.com/a?q=x"


@pytest.mark.parametrize("name", ["monkey", "keywords", "design", "assessment", "Kid", "monkeySignatures"])
def test_other_parameters_are(name):
    assert name in without_secrets(f"https://example.com/a?{name}=1")


def test_names_that_are_never_answered_keep_no_other_waiting(monkeypatch):
    """Nor whoever leaves: the event loop ends with them still asked."""
    stuck = threading.Event()

    def getaddrinfo(host, port, **_):
        if host.startswith("stuck"):
            stuck.wait(30)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("192.0.2.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)

    async def work():
        waiting = [asyncio.create_task(system_resolver(f"stuck{n}.example", 80)) for n in range(40)]
        await asyncio.sleep(0)
        answer = await asyncio.wait_for(system_resolver("quick.example", 80), 10)
        for task in waiting:
            task.cancel()
        return answer

    try:
        assert asyncio.run(work()) == ["192.0.2.1"]
        assert not stuck.is_set()
    finally:
        stuck.set()


# --- what is answered ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("body", [b"[" * 200_000, b'{"a":' * 100_000, b'{"a": ' + b"9" * 5_000 + b"}", b"\xff\xfe{}"])
def test_json_that_cannot_be_read_is_odd(body):
    with pytest.raises(OddReplyError, match="no JSON"):
        Reply(status=200, url="https://example.com/", body=body).json()


def test_hosts_that_nobody_asks_any_more_are_let_go():
    async def work(base, port):
        async def resolver(host, port):
            return ["127.0.0.1"]

        allow = frozenset((f"h{n}.example", port) for n in range(300))
        network = SafeNetwork(allow=allow, resolver=resolver)
        way = network.bind("x", UNHURRIED)
        most = 0
        for n in range(300):
            await way.ask("GET", f"http://h{n}.example:{port}/")
            most = max(most, len(network._session().lanes))
        await network.aclose()
        return most

    with serve(answering([])) as base:
        assert asyncio.run(work(base, int(base.rpartition(":")[2]))) <= 128


def test_a_place_told_to_one_who_has_left_is_given_to_the_next():
    """Python 3.11's Condition loses a word that comes together with a cancellation (its issue 112215)."""

    async def work():
        turnstile = Turnstile(Pace(1_000_000, 1))
        entered = []

        async def enter(name, hold):
            async with turnstile.turn(asyncio.get_running_loop().time() + 5):
                entered.append(name)
                await hold.wait()

        free, stay = asyncio.Event(), asyncio.Event()
        first = asyncio.create_task(enter("first", free))
        await asyncio.sleep(0.01)
        second, third = asyncio.create_task(enter("second", stay)), asyncio.create_task(enter("third", stay))
        await asyncio.sleep(0.01)
        free.set()
        while turnstile._inside:  # noqa: ASYNC110 - until the first has left, and has told the second
            await asyncio.sleep(0)
        second.cancel()
        for _ in range(10):
            await asyncio.sleep(0)
        stay.set()
        await asyncio.gather(first, third, second, return_exceptions=True)
        return entered

    assert "third" in asyncio.run(asyncio.wait_for(work(), 4))


# --- what an adapter does --------------------------------------------------------------------------------------------


class Odd:
    name, kinds, proves = "crossref", frozenset({"doi"}), frozenset({"doi"})

    def __init__(self, answer, key="k", needs=None):
        self.answer, self._key, self.needs = answer, key, needs

    def not_configured(self):
        if self.needs:
            raise self.needs

    def key(self, reference):
        return self._key

    async def find(self, reference):
        return self.answer


HAS = Found(status="found", registry="crossref", entries=(Entry(title="A title"),))


@pytest.mark.parametrize(
    ("adapter", "status"),
    [
        (Odd(None), "unreachable"),
        (Odd("not_found"), "unreachable"),
        (Odd({"status": "not_found"}), "unreachable"),
        (Odd(HAS, needs=KeyError("x")), "unreachable"),
        (Odd(HAS, key=f"10.1/{HALF}"), "resolved"),  # the cache cannot take it, which costs the cache alone
    ],
)
def test_an_adapter_that_fails_accuses_nobody(tmp_path, adapter, status):
    async def work():
        cache = AnswerCache(tmp_path / "c.sqlite")
        consultation = Consultation({"crossref": adapter}, order={"doi": ["crossref"]}, cache=cache)
        try:
            return await consultation.lookup(Reference(kind="doi", text="x", fields={"doi": "10.1000/x"}))
        finally:
            await consultation.aclose()

    assert asyncio.run(work()).status == status


def test_offline_opens_no_socket(monkeypatch):
    from showable.registries.consult import make_consultation
    from showable.registries.consult_order import DEFAULT_ORDER

    opened = []
    monkeypatch.setattr(socket.socket, "connect", lambda *a: opened.append(a))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *a, **_: opened.append(a))
    fields = {"doi": "10.1000/x", "url": "https://example.com/a", "volume": "1", "reporter": "U.S.", "page": "1"}
    references = [Reference(kind=kind, text="x", fields={**fields, kind: "1"}) for kind in DEFAULT_ORDER]

    async def work():
        consultation = make_consultation(Settings(mailto="a@example.org"), offline=True)
        try:
            return await consultation.lookup_all(references)
        finally:
            await consultation.aclose()

    assert {result.status for result in asyncio.run(work())} <= {"unreachable", "not_covered"}
    assert opened == []
