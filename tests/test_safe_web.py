"""The way out: what may be asked and what not, redirects, caps, times, pace and patience, over real HTTP on loopback."""

import asyncio
import gzip
import json
import socket
import threading
import zlib
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st
from registry_doubles import UNHURRIED, loopback_web, serve

from showable.registries.settings import Settings
from showable.registries.web.addresses import first_denied, unwrapped, why_not_address, why_not_name
from showable.registries.web.asking import (
    BlockedError,
    NoSuchHostError,
    OddReplyError,
    Pace,
    RateLimitedError,
    Reply,
    UnreachableError,
)
from showable.registries.web.client import SafeNetwork, addresses_of, agent_of
from showable.registries.web.limits import DEADLINE, Limits
from showable.registries.web.pacing import Turnstile
from showable.registries.web.waiting import told_pace, told_to_wait

QUICK = Limits(connect_s=1.0, read_s=0.3, total_s=0.6, patience_s=10.0)
"""Times short enough to run out within a test."""


def routes(*handlers):
    app = web.Application()
    for method, path, handler in handlers:
        app.router.add_route(method, path, handler)
    return app


def ask(way, method, url, **options):
    async def once():
        return await way.ask(method, url, **options)

    return asyncio.run(once())


@contextmanager
def raw_server(answer):
    """A server below HTTP: reads one request and hands the socket over."""
    listener = socket.create_server(("127.0.0.1", 0))
    stop = threading.Event()

    def run():
        while not stop.is_set():
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(5)
                with suppress(OSError):  # the client may hang up
                    connection.recv(65_536)
                    answer(connection, stop)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        stop.set()
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


# --- addresses ---------------------------------------------------------------------------------------------

DENIED = [
    ("0.0.0.0", "RFC 791"),  # noqa: S104 - an address to refuse
    ("10.1.2.3", "RFC 1918"),
    ("100.64.0.1", "RFC 6598"),
    ("100.100.100.200", "a cloud's metadata, within RFC 6598"),
    ("127.0.0.1", "loopback"),
    ("127.255.255.254", "loopback"),
    ("168.63.129.16", "a cloud's own service on a public address"),
    ("169.254.169.254", "metadata"),
    ("172.31.255.255", "RFC 1918"),
    ("192.0.0.192", "RFC 6890"),
    ("192.0.2.1", "RFC 5737"),
    ("192.88.99.1", "RFC 7526"),
    ("192.168.1.1", "RFC 1918"),
    ("198.19.255.255", "RFC 2544"),
    ("203.0.113.9", "RFC 5737"),
    ("224.0.0.1", "multicast"),
    ("239.255.255.250", "multicast"),
    ("255.255.255.255", "broadcast"),
    ("::", "unspecified"),
    ("::1", "loopback"),
    ("::8.8.8.8", "IPv4-compatible, RFC 4291"),
    ("::ffff:127.0.0.1", "mapped loopback"),
    ("::ffff:169.254.169.254", "mapped metadata"),
    ("::ffff:0:8.8.8.8", "translated, RFC 2765"),
    ("64:ff9b::8.8.8.8", "NAT64, RFC 6052"),
    ("64:ff9b::7f00:1", "NAT64 to loopback"),
    ("64:ff9b:1::1", "RFC 8215"),
    ("100::1", "RFC 6666"),
    ("2001::1", "Teredo, RFC 4380"),
    ("2001:db8::1", "RFC 3849"),
    ("2002:7f00:1::", "6to4 to loopback"),
    ("2002:808:808::", "6to4, RFC 3056"),
    ("3fff::1", "RFC 9637"),
    ("5f00::1", "RFC 9602"),
    ("fc00::1", "RFC 4193"),
    ("fd00:ec2::254", "a cloud's metadata, within RFC 4193"),
    ("fe80::1", "link-local"),
    ("fe80::1%eth0", "of one link"),
    ("2606:4700::1111%1", "of one link"),
    ("fec0::1", "RFC 3879"),
    ("ff02::1", "multicast"),
    ("ff0e::1", "multicast of global scope"),
    ("not an address", "no address"),
    ("", "no address"),
    ("2130706433", "no address in the one form that resolvers give"),
]
PUBLIC = ["8.8.8.8", "1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "2a00:1450:4001::200e", "::ffff:8.8.8.8"]


@pytest.mark.parametrize(("address", "source"), DENIED)
def test_an_address_that_is_not_public_is_denied(address, source):
    assert why_not_address(address, 443), source


@pytest.mark.parametrize("address", PUBLIC)
def test_a_public_address_is_allowed_on_the_two_ports_of_the_web(address):
    assert why_not_address(address, 80) is None
    assert why_not_address(address, 443) is None
    assert "neither 80 nor 443" in why_not_address(address, 8080)
    assert "neither 80 nor 443" in why_not_address(address, 22)


def test_every_address_of_a_host_has_to_be_allowed():
    assert first_denied(["8.8.8.8", "1.1.1.1"], 443) is None
    assert "127.0.0.1" in first_denied(["8.8.8.8", "127.0.0.1"], 443)


def test_what_is_allowed_is_one_address_and_one_port():
    allow = frozenset({("127.0.0.1", 8000)})
    assert why_not_address("127.0.0.1", 8000, allow) is None
    assert why_not_address("127.0.0.1", 8001, allow)
    assert why_not_address("127.0.0.2", 8000, allow)
    assert why_not_address("::ffff:127.0.0.1", 8000, allow)


def test_a_mapped_address_is_connected_to_as_what_was_vetted():
    assert unwrapped("::ffff:8.8.8.8") == "8.8.8.8"
    assert unwrapped("2606:4700:4700::1111") == "2606:4700:4700::1111"


@given(st.ip_addresses(v=4))
def test_no_form_of_an_ipv4_address_is_more_welcome_than_the_address(address):
    plain = why_not_address(str(address), 443)
    assert (why_not_address(f"::ffff:{address}", 443) is None) == (plain is None)
    for form in (f"64:ff9b::{address}", f"::{address}", f"::ffff:0:{address}"):
        assert why_not_address(form, 443)
    assert plain or address.is_global


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST.", "a.localhost", "printer.local", "metadata.google.internal",
                                  "router.home.arpa", "x.onion", "metadata", "", "a" * 254])  # fmt: skip
def test_a_name_of_a_local_network_is_denied(host):
    assert why_not_name(host)


@pytest.mark.parametrize(
    "host", ["example.org", "api.crossref.org", "localhost.example.org", "local.gov.uk", "8.8.8.8"]
)
def test_a_public_name_is_none_of_these(host):
    assert why_not_name(host) is None


# --- what goes out and what does not ------------------------------------------------------------------------


async def echo(request):
    body = await request.text()
    seen = {"method": request.method, "path": request.raw_path, "headers": dict(request.headers), "body": body}
    return web.json_response(seen, headers={"Set-Cookie": "a=b"})


def echoing():
    return routes(("*", "/{path:.*}", echo))


def test_a_request_goes_out_as_it_is_asked_for(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")  # RFC 863's port: a proxy that would be noticed
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    with serve(echoing()) as base:
        way = loopback_web(base)
        doi = f"{base}/works/10.1016%2FS0140-6736(97)11096-0?a=b#part"
        seen = ask(way, "GET", doi, params={"q r": "é&+"}, headers={"Accept": "text/x"}).json()
        assert seen["path"] == "/works/10.1016%2FS0140-6736(97)11096-0?a=b&q+r=%C3%A9%26%2B"
        assert seen["headers"]["Accept-Encoding"] == "gzip"
        assert seen["headers"]["Accept"] == "text/x"
        assert seen["headers"]["Host"] == base.removeprefix("http://")
        posted = ask(way, "POST", base, form={"text": "576 U.S. 644"}).json()
        assert posted["body"] == "text=576+U.S.+644"
        assert posted["headers"]["Content-Type"] == "application/x-www-form-urlencoded"
        assert "Cookie" not in posted["headers"]
        head = ask(way, "HEAD", base)
        assert (head.status, head.body) == (200, b"")


def test_no_cookie_comes_back_on_a_kept_connection():
    async def twice(base):
        way = loopback_web(base, keep_alive=True)
        try:
            return [(await way.ask("GET", base)).json()["headers"] for _ in range(2)]
        finally:
            await way.aclose()

    with serve(echoing()) as base:
        assert not [headers for headers in asyncio.run(twice(base)) if "Cookie" in headers]


@pytest.mark.parametrize(("url", "reason"), [
    ("http://user:secret@127.0.0.1:{port}/", "a user or a password"),
    ("http://user@127.0.0.1:{port}/", "a user or a password"),
    ("ftp://127.0.0.1:{port}/", "ftp scheme"),
    ("file:///etc/passwd", "file scheme"),
    ("javascript:alert(1)", "javascript scheme"),
    ("//127.0.0.1:{port}/", "no scheme"),
    ("http:///path", "without a host"),
    ("http://[::1", "no address"),
    ("http://8.8.8.8:99999/", "neither 80 nor 443"),
    ("", "no scheme"),
    ("http://localhost:{port}/", "local network"),
    ("http://[::1]:{port}/", "not a public address"),
    ("http://[::ffff:127.0.0.1]:{port}/", "not a public address"),
    ("http://127.1:{port}/", "not a public address"),
    ("http://0x7f000001:{port}/", "not a public address"),
    ("http://2130706433:{port}/", "not a public address"),
    ("http://169.254.169.254/latest/meta-data/", "not a public address"),
    ("http://127.0.0.1:22/", "not a public address"),
])  # fmt: skip
def test_an_address_that_may_not_be_asked_is_blocked(url, reason):
    asked = []

    async def count(request):
        asked.append(request.path)
        return web.Response()

    def like_the_system(host, port):
        return {"127.1": "127.0.0.1", "0x7f000001": "127.0.0.1", "2130706433": "127.0.0.1"}.get(host, host)

    async def resolver(host, port):
        return [like_the_system(host, port)]

    with serve(routes(("*", "/{path:.*}", count))) as base:
        port = int(base.rpartition(":")[2])
        way = SafeNetwork(resolver=resolver, keep_alive=False).bind("x", UNHURRIED)
        with pytest.raises(BlockedError, match=reason):
            ask(way, "GET", url.format(port=port))
    assert asked == []


def test_a_policy_for_urls_is_asked_at_every_hop():
    async def away(request):
        raise web.HTTPFound("http://look-alike.example/")

    seen = []

    def vet_url(url):
        seen.append(url)
        return "it looks like another" if "look-alike" in url else None

    with serve(routes(("GET", "/", away))) as base, pytest.raises(BlockedError, match="looks like another"):
        ask(loopback_web(base, vet_url=vet_url), "GET", base)
    assert seen == ["http://look-alike.example/"]  # the server's own pair is on the allow-list


def test_a_name_is_resolved_once_a_connection_and_every_connection_is_vetted():
    """DNS rebinding: a first answer that is public, a second that is not."""
    answers = [["93.184.216.34"], ["127.0.0.1"]]

    async def rebinding(host, port):
        return answers.pop(0)

    dialled = []

    async def dial(self, host, port, *_):
        dialled.append((host, port))
        raise __import__("httpcore").ConnectError("nobody there")

    async def both():
        way = SafeNetwork(resolver=rebinding, limits=QUICK).bind("x", UNHURRIED)
        with pytest.raises(UnreachableError, match="nobody there"):
            await way.ask("GET", "http://rebound.example/")
        with pytest.raises(BlockedError, match=r"127\.0\.0\.1"):
            await way.ask("GET", "http://rebound.example/")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("httpcore.AnyIOBackend.connect_tcp", dial)
        asyncio.run(both())
    assert dialled == [("93.184.216.34", 80)]


def test_one_private_address_among_public_ones_is_enough_to_refuse():
    async def mixed(host, port):
        return ["93.184.216.34", "10.0.0.1"]

    way = SafeNetwork(resolver=mixed).bind("x", UNHURRIED)
    with pytest.raises(BlockedError, match=r"10\.0\.0\.1"):
        ask(way, "GET", "https://mixed.example/")


def test_the_name_stays_with_http_though_the_connection_goes_to_the_address():
    with serve(echoing()) as base:
        port = int(base.rpartition(":")[2])

        async def resolver(host, _):
            assert host == "registry.example"
            return ["127.0.0.1"]

        way = loopback_web(base, resolver=resolver)
        assert (
            ask(way, "GET", f"http://registry.example:{port}/").json()["headers"]["Host"] == f"registry.example:{port}"
        )


def test_a_host_that_is_not_there_is_told_apart_from_one_that_does_not_answer():
    async def nobody(host, port):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    async def not_now(host, port):
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure")

    with pytest.raises(NoSuchHostError, match=r"gone\.example"):
        ask(SafeNetwork(resolver=nobody).bind("x", UNHURRIED), "GET", "https://gone.example/")
    with pytest.raises(UnreachableError, match="Temporary") as caught:
        ask(SafeNetwork(resolver=not_now).bind("x", UNHURRIED), "GET", "https://gone.example/")
    assert not isinstance(caught.value, NoSuchHostError)


def test_a_resolver_that_hangs_is_left():
    async def hang(host, port):
        await asyncio.sleep(60)

    way = SafeNetwork(resolver=hang, limits=Limits(connect_s=0.05, tries=1)).bind("x", UNHURRIED)
    with pytest.raises(UnreachableError, match=r"within 0\.05 s"):
        ask(way, "GET", "https://slow.example/")


def test_certificates_are_verified_and_none_are_taken_from_the_environment(monkeypatch, tmp_path):
    import ssl

    from showable.registries.web.connections import _verified

    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "missing.pem"))
    _verified.cache_clear()
    context = _verified()
    assert context.verify_mode == ssl.CERT_REQUIRED
    assert context.check_hostname
    assert context.cert_store_stats()["x509_ca"] > 50


def test_a_server_that_speaks_no_tls_is_unreachable():
    def no_tls(connection, _):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

    with raw_server(no_tls) as base, pytest.raises(UnreachableError, match="TLS"):
        ask(loopback_web(base), "GET", base.replace("http:", "https:"))


def test_a_port_where_nobody_listens_is_unreachable_and_not_asked_again():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(UnreachableError, match="no connection"):
        ask(loopback_web(port), "GET", f"http://127.0.0.1:{port}/")


# --- redirects ---------------------------------------------------------------------------------------------


def redirect(to, status=302):
    async def handler(request):
        return web.Response(status=status, headers={"Location": to})

    return handler


def test_redirects_are_followed_and_told():
    with serve(
        routes(("GET", "/a", redirect("b", 301)), ("GET", "/b", redirect("/c?d=e#f", 307)), ("GET", "/c", echo))
    ) as base:
        reply = ask(loopback_web(base), "GET", f"{base}/a")
        assert reply.url == f"{base}/c?d=e"
        assert reply.hops == (f"{base}/a", f"{base}/b")


@pytest.mark.parametrize(("status", "method", "expected"), [
    (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "HEAD", "HEAD"),
    (307, "POST", "POST"), (308, "POST", "POST"), (302, "HEAD", "HEAD"),
])  # fmt: skip
def test_the_method_follows_as_rfc_9110_says(status, method, expected):
    seen = []

    async def target(request):
        seen.append((request.method, await request.text()))
        return web.Response()

    with serve(routes(("*", "/a", redirect("/b", status)), ("*", "/b", target))) as base:
        form = {"k": "v"} if method == "POST" else None
        ask(loopback_web(base), method, f"{base}/a", form=form)
    assert seen == [(expected, "k=v" if expected == "POST" else "")]


def test_no_credential_and_no_form_goes_to_another_host():
    with (
        serve(echoing()) as other,
        serve(routes(("*", "/a", redirect(f"{other}/x")), ("*", "/b", redirect(f"{other}/x", 307)))) as base,
    ):
        way = loopback_web(base, other)
        secrets = {
            "Authorization": "Token t",
            "Crossref-Plus-API-Token": "t",
            "X-NEXT-GEN-CSO": "t",
            "Accept": "text/x",
        }
        seen = ask(way, "GET", f"{base}/a", headers=secrets).json()["headers"]
        assert seen["Accept"] == "text/x"
        assert not {"Authorization", "Crossref-Plus-API-Token", "X-NEXT-GEN-CSO"} & seen.keys()
        assert seen["Host"] == other.removeprefix("http://")
        with pytest.raises(BlockedError, match="posted"):
            ask(way, "POST", f"{base}/b", form={"loginId": "a", "password": "b"})


def test_a_credential_stays_on_its_own_host():
    with serve(routes(("GET", "/a", redirect("/b")), ("GET", "/b", echo))) as base:
        seen = ask(loopback_web(base), "GET", f"{base}/a", headers={"Authorization": "Token t"}).json()
        assert seen["headers"]["Authorization"] == "Token t"


@pytest.mark.parametrize(("location", "kind", "reason"), [
    ("http://169.254.169.254/latest/meta-data/", BlockedError, "not a public address"),
    ("http://localhost/", BlockedError, "local network"),
    ("http://u:p@example.org/", BlockedError, "a user"),
    ("file:///etc/passwd", BlockedError, "file scheme"),
    ("http://[::1", OddReplyError, "no address"),
    ("/a", UnreachableError, "in a circle"),
    ("http://127.0.0.1:1/", BlockedError, "not a public address"),
])  # fmt: skip
def test_a_redirect_is_vetted_like_any_address(location, kind, reason):
    with serve(routes(("GET", "/a", redirect(location)))) as base, pytest.raises(kind, match=reason):
        ask(loopback_web(base), "GET", f"{base}/a")


def test_no_secret_is_told_of_a_circle():
    with serve(routes(("GET", "/a", redirect("/a?api_key=s3cret")))) as base, pytest.raises(UnreachableError) as caught:
        ask(loopback_web(base), "GET", f"{base}/a", params={"api_key": "s3cret"})
    assert "circle" in str(caught.value)
    assert "s3cret" not in str(caught.value)


def test_more_than_five_redirects_are_too_many():
    async def deeper(request):
        raise web.HTTPFound(f"/{int(request.path[1:]) + 1}")

    with serve(routes(("GET", "/{n}", deeper))) as base, pytest.raises(UnreachableError, match="more than 5"):
        ask(loopback_web(base), "GET", f"{base}/0")

    async def to_five(request):
        number = int(request.path[1:])
        if number < 5:
            raise web.HTTPFound(f"/{number + 1}")
        return web.Response(text="there")

    with serve(routes(("GET", "/{n}", to_five))) as base:
        reply = ask(loopback_web(base), "GET", f"{base}/0")
        assert (reply.text(), len(reply.hops)) == ("there", 5)


def test_a_registry_says_where_a_redirect_may_lead():
    """doi.org content negotiation goes to a registration agency, and nowhere else."""
    with (
        serve(echoing()) as agency,
        serve(routes(("GET", "/a", redirect(f"{agency}/x")), ("GET", "/b", redirect("/a")))) as base,
    ):
        way = loopback_web(base, agency)
        assert ask(way, "GET", f"{base}/a", redirects_to=frozenset()).status == 302
        assert ask(way, "GET", f"{base}/a", redirects_to=frozenset({"127.0.0.1"})).status == 200
        elsewhere = agency.replace("127.0.0.1", "127.0.0.2")
        with (
            serve(routes(("GET", "/c", redirect(elsewhere)))) as third,
            pytest.raises(UnreachableError, match="does not answer"),
        ):
            ask(loopback_web(third), "GET", f"{third}/c", redirects_to=frozenset({"api.crossref.org"}))


# --- bodies ------------------------------------------------------------------------------------------------


def body(content, coding=None, chunked=False):
    async def handler(request):
        response = web.StreamResponse(headers={"Content-Encoding": coding} if coding else {})
        await response.prepare(request)
        for start in range(0, len(content), 1_000 if chunked else max(len(content), 1)):
            await response.write(content[start : start + (1_000 if chunked else len(content))])
        return response

    return handler


def bomb(megabytes):
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    zeros = bytes(1_000_000)
    return b"".join([*(packer.compress(zeros) for _ in range(megabytes)), packer.flush()])


RAW = zlib.compressobj(wbits=-15)
RAW_DEFLATE = RAW.compress(b"hello") + RAW.flush()


@pytest.mark.parametrize(("content", "coding", "expected"), [
    (b"hello", None, b"hello"),
    (b"", None, b""),
    (b"", "gzip", b""),
    (gzip.compress(b"hello", mtime=0), "gzip", b"hello"),
    (gzip.compress(b"hello", mtime=0), "x-GZIP", b"hello"),
    (gzip.compress(b"hel", mtime=0) + gzip.compress(b"lo", mtime=0), "gzip", b"hello"),  # RFC 1952 section 2.2
    (zlib.compress(b"hello"), "deflate", b"hello"),
    (RAW_DEFLATE, "deflate", b"hello"),  # RFC 9110 section 8.4.1.2
    (b"hello", "identity", b"hello"),
])  # fmt: skip
def test_a_body_is_unpacked(content, coding, expected):
    with serve(routes(("GET", "/", body(content, coding)))) as base:
        assert ask(loopback_web(base), "GET", base).body == expected


@pytest.mark.parametrize(("content", "coding", "kind", "reason"), [
    (bytes(3_000_000), None, UnreachableError, "more than 2000000 bytes"),
    (bomb(50), "gzip", UnreachableError, "more than 2000000 bytes"),
    (zlib.compress(bytes(50_000_000), 9), "deflate", UnreachableError, "more than 2000000 bytes"),
    (gzip.compress(bomb(20), mtime=0), "gzip, gzip", OddReplyError, "not asked for"),
    (b"\x00\x01", "br", OddReplyError, "not asked for"),
    (b"\x28\xb5\x2f\xfd", "zstd", OddReplyError, "not asked for"),
    (gzip.compress(b"hello", mtime=0)[:-6], "gzip", OddReplyError, "too early"),
    (b"hello", "gzip", OddReplyError, "damaged"),
    (b"\x00hello", "deflate", OddReplyError, r"damaged|too early"),
])  # fmt: skip
def test_a_body_that_is_too_large_or_damaged_is_not_taken(content, coding, kind, reason):
    app = routes(("GET", "/", body(content, coding, chunked=len(content) > 100_000)))
    with serve(app) as base, pytest.raises(kind, match=reason):
        ask(loopback_web(base), "GET", base)


def test_a_bomb_is_never_held_in_memory():
    import tracemalloc

    packed = bomb(200)
    with serve(routes(("GET", "/", body(packed, "gzip")))) as base:
        way = loopback_web(base)
        ask(way, "HEAD", base)
        tracemalloc.start()
        try:
            with pytest.raises(UnreachableError):
                ask(way, "GET", base, largest=100_000)
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert most < 20_000_000


def test_the_cap_is_the_callers():
    with serve(routes(("GET", "/", body(b"x" * 100)))) as base:
        assert len(ask(loopback_web(base), "GET", base, largest=100).body) == 100
        with pytest.raises(UnreachableError, match="more than 99 bytes"):
            ask(loopback_web(base), "GET", base, largest=99)


def test_json_that_is_none_is_odd():
    with pytest.raises(OddReplyError, match="no JSON"):
        Reply(200, "", b"<html>").json()


# --- times -------------------------------------------------------------------------------------------------


def drip(header):
    def answer(connection, stop):
        connection.sendall(header)
        while not stop.wait(0.05):
            connection.sendall(b"x")

    return answer


def silent(connection, stop):
    stop.wait(5)


@pytest.mark.parametrize(("answer", "reason"), [
    (silent, r"no answer within 0\.3 s"),
    (drip(b"HTTP/1.1 200 OK\r\nX-"), r"no whole answer within 0\.6 s"),  # slow-loris in the headers
    (drip(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"), r"no whole answer within 0\.6 s"),  # and in the body
])  # fmt: skip
def test_a_server_that_takes_its_time_is_left(answer, reason):
    with raw_server(answer) as base, pytest.raises(UnreachableError, match=reason):
        ask(loopback_web(base, limits=QUICK), "GET", base, retry=False)


@pytest.mark.parametrize(("said", "kind"), [
    (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", UnreachableError),
    (b"", UnreachableError),
    (b"SSH-2.0-OpenSSH_9.6\r\n", UnreachableError),
    (b"HTTP/1.1 200 OK\r\nA: " + b"x" * 200_000 + b"\r\n\r\n", UnreachableError),
    (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", UnreachableError),
])  # fmt: skip
def test_what_is_no_http_is_unreachable(said, kind):
    def answer(connection, _):
        connection.sendall(said)

    with raw_server(answer) as base, pytest.raises(kind):
        ask(loopback_web(base), "GET", base, retry=False)


# --- patience ----------------------------------------------------------------------------------------------


class InTurn:
    """Gives its answers one after the other, the last for ever, and counts."""

    def __init__(self, *answers):
        self.answers, self.asked = answers, 0

    async def reply(self, request):
        status, headers, text = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        return web.Response(status=status, headers=headers, text=text)


@pytest.fixture
def no_jitter(monkeypatch):
    """Chance takes no time, what a service asks for does."""
    monkeypatch.setattr("showable.registries.web.retrying._FIRST_S", 0.0)


OK = (200, {}, "ok")


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
def test_a_passing_failure_is_tried_again(status, no_jitter):
    handler = InTurn((status, {}, ""), (status, {"Retry-After": "0"}, ""), OK)
    with serve(routes(("GET", "/", handler.reply))) as base:
        assert ask(loopback_web(base), "GET", base).text() == "ok"
    assert handler.asked == 3


@pytest.mark.parametrize("status", [200, 204, 301, 304, 400, 401, 403, 404, 406, 410, 451, 501])
def test_any_other_answer_is_given_back_at_once(status):
    handler = InTurn((status, {}, ""))
    with serve(routes(("GET", "/", handler.reply))) as base:
        assert ask(loopback_web(base), "GET", base).status == status
    assert handler.asked == 1


@pytest.mark.parametrize(
    ("status", "kind"), [(429, RateLimitedError), (503, UnreachableError), (500, UnreachableError)]
)
def test_a_failure_that_lasts_is_given_up_after_three_tries(status, kind, no_jitter):
    handler = InTurn((status, {}, ""))
    with serve(routes(("GET", "/", handler.reply))) as base, pytest.raises(kind):
        ask(loopback_web(base), "GET", base)
    assert handler.asked == 3


@pytest.mark.parametrize("status", [429, 500, 503])
def test_whoever_wants_no_retry_gets_the_answer_as_it_is(status):
    handler = InTurn((status, {"Retry-After": "7200"}, ""))
    with serve(routes(("GET", "/", handler.reply))) as base:
        assert ask(loopback_web(base), "GET", base, retry=False).status == status
    assert handler.asked == 1


def in_an_hour():
    return (datetime.now(UTC) + timedelta(hours=1)).replace(microsecond=0)


@pytest.mark.parametrize("answer", [
    lambda: (429, {"Retry-After": "3600"}, ""),
    lambda: (503, {"Retry-After": "3600"}, ""),
    lambda: (429, {"Retry-After": format_datetime(in_an_hour(), usegmt=True)}, ""),
    lambda: (429, {}, json.dumps({"wait_until": in_an_hour().isoformat()})),
    lambda: (429, {}, json.dumps({"wait_util": in_an_hour().isoformat().replace("+00:00", "Z")})),
    lambda: (429, {}, json.dumps({"wait_until": in_an_hour().replace(tzinfo=None).isoformat()})),
    lambda: (429, {}, '{"detail": "Request was throttled. Expected available in 3600 seconds."}'),
])  # fmt: skip
def test_a_wait_beyond_the_deadline_is_told_at_once_with_its_end(answer):
    handler = InTurn(answer())
    with (
        serve(routes(("GET", "/", handler.reply))) as base,
        pytest.raises(RateLimitedError, match=in_an_hour().strftime("%Y-%m-%dT%H")),
    ):
        ask(loopback_web(base), "GET", base)
    assert handler.asked == 1


def test_while_a_service_asks_to_be_left_alone_nobody_else_asks_it(no_jitter):
    handler = InTurn((429, {"Retry-After": "3600"}, ""), OK)

    async def two(base):
        way = loopback_web(base)
        with pytest.raises(RateLimitedError, match="until"):
            await way.ask("GET", base)
        with pytest.raises(RateLimitedError, match=r"left alone for 3[56]\d\d s"):
            await way.ask("GET", base)

    with serve(routes(("GET", "/", handler.reply))) as base:
        asyncio.run(two(base))
    assert handler.asked == 1


def test_a_wait_within_the_deadline_is_kept(no_jitter):
    handler = InTurn((429, {"Retry-After": "1"}, ""), OK)
    with serve(routes(("GET", "/", handler.reply))) as base:

        async def timed():
            loop = asyncio.get_running_loop()
            start = loop.time()
            await loopback_web(base).ask("GET", base)
            return loop.time() - start

        assert asyncio.run(timed()) >= 1.0


NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(("headers", "text", "expected"), [
    ({}, b"", None),
    ({"retry-after": "12"}, b"", 12),
    ({"retry-after": " 12 "}, b"", 12),
    ({"retry-after": "-1"}, b"", None),
    ({"retry-after": "soon"}, b"", None),
    ({"retry-after": "²"}, b"", None),
    ({"retry-after": "9" * 400}, b"", 10 * 365 * 86_400.0),
    ({"retry-after": "Thu, 01 Jan 2026 00:01:00 GMT"}, b"", 60),
    ({"retry-after": "Wed, 31 Dec 2025 00:00:00 GMT"}, b"", 0),
    ({}, b'{"wait_until": "2026-01-01T00:00:30Z"}', 30),
    ({"retry-after": "5"}, b'{"wait_util": "2026-01-01T00:00:30+00:00"}', 30),
    ({}, b'{"wait_until": 5}', None),
    ({}, b'{"wait_until": "tomorrow"}', None),
    ({}, b'{"wait_until": "0001-01-01T00:00:00+14:00"}', 0),
    ({}, b"[1]", None),
    ({}, b"{", None),
    ({}, b"Rate exceeded.", None),
    ({}, b'{"detail": ["x"]}', None),
    ({}, b"[" * 20_000, None),
])  # fmt: skip
def test_how_long_a_service_asks_to_wait(headers, text, expected):
    assert told_to_wait(Reply(429, "", text, headers), NOW) == expected


@pytest.mark.parametrize(("headers", "expected"), [
    ({}, (None, None)),
    ({"x-rate-limit-limit": "50", "x-rate-limit-interval": "1s"}, (50.0, None)),
    ({"x-rate-limit-limit": "10", "x-rate-limit-interval": "1s", "x-concurrency-limit": "3"}, (10.0, 3)),
    ({"x-rate-limit-limit": "60", "x-rate-limit-interval": "1m"}, (1.0, None)),
    ({"x-rate-limit-limit": "0", "x-rate-limit-interval": "1s"}, (None, None)),
    ({"x-rate-limit-limit": "5", "x-rate-limit-interval": "0s"}, (None, None)),
    ({"x-rate-limit-limit": "5"}, (None, None)),
    ({"x-rate-limit-limit": "many", "x-rate-limit-interval": "1s"}, (None, None)),
    ({"x-concurrency-limit": "0"}, (None, None)),
])  # fmt: skip
def test_limits_told_in_headers(headers, expected):
    """The headers of api.crossref.org, Access and authentication, 2025-12."""
    assert told_pace(headers) == expected


# --- pace --------------------------------------------------------------------------------------------------


class FakeLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to the next timer, so that waits are exact and take no time."""

    _jumped = 0.0

    def time(self):
        return self._jumped

    def _run_once(self):
        if not self._ready and self._scheduled:
            self._jumped = max(self._jumped, self._scheduled[0]._when)
        super()._run_once()


def on_a_fake_clock(work):
    with asyncio.Runner(loop_factory=FakeLoop) as runner:
        return runner.run(work())


@given(st.integers(1, 30), st.floats(0.2, 50.0), st.integers(1, 8), st.lists(st.floats(0, 5), min_size=30, max_size=30))
def test_requests_are_evenly_spaced_and_never_too_many_at_once(n, per_second, at_once, lengths):
    starts, inside, most = [], 0, 0

    async def work():
        turnstile = Turnstile(Pace(per_second, at_once))

        async def one(length):
            nonlocal inside, most
            async with turnstile.turn(1e9):
                starts.append(asyncio.get_running_loop().time())
                inside += 1
                most = max(most, inside)
                await asyncio.sleep(length)
                inside -= 1

        await asyncio.gather(*(one(length) for length in lengths[:n]))
        assert turnstile._inside == turnstile._waiting == 0

    on_a_fake_clock(work)
    assert len(starts) == n
    assert most <= at_once
    assert all(b - a >= 1 / per_second - 1e-9 for a, b in pairwise(starts))


def test_a_turn_that_cannot_come_in_time_is_refused_at_once():
    async def work():
        turnstile = Turnstile(Pace(1, 1))
        loop = asyncio.get_running_loop()

        async def one(deadline):
            async with turnstile.turn(deadline):
                return loop.time()

        results = await asyncio.gather(*(one(5.5) for _ in range(10)), return_exceptions=True)
        return results, loop.time()

    results, ended = on_a_fake_clock(work)
    served = [result for result in results if isinstance(result, float)]
    assert served == [0, 1, 2, 3, 4, 5]
    assert {type(result) for result in results if not isinstance(result, float)} == {RateLimitedError}
    assert ended <= 5.5


def test_a_turn_given_up_leaves_the_way_free():
    async def work():
        turnstile = Turnstile(Pace(100, 1))

        async def hold():
            async with turnstile.turn(1e9):
                await asyncio.sleep(100)

        first, second = asyncio.create_task(hold()), asyncio.create_task(hold())
        await asyncio.sleep(1)
        second.cancel()
        first.cancel()
        await asyncio.gather(first, second, return_exceptions=True)
        async with turnstile.turn(1e9):
            return turnstile._inside, turnstile._waiting

    assert on_a_fake_clock(work) == (1, 0)


def test_a_told_limit_slows_and_never_hurries():
    turnstile = Turnstile(Pace(5, 2))
    turnstile.slow_to(50, 10)
    assert (turnstile._apart_s, turnstile._at_once) == (0.2, 2)
    turnstile.slow_to(2, 1)
    assert (turnstile._apart_s, turnstile._at_once) == (0.5, 1)


def test_crossref_tells_its_limit_in_headers():
    handler = InTurn(
        (200, {"X-Rate-Limit-Limit": "2", "X-Rate-Limit-Interval": "1s", "X-Concurrency-Limit": "1"}, "ok")
    )

    async def twice(base):
        way = loopback_web(base)
        await way.ask("GET", base)
        turnstile = way.network.turnstile("127.0.0.1", int(base.rpartition(":")[2]), UNHURRIED)
        return turnstile._apart_s, turnstile._at_once

    with serve(routes(("GET", "/", handler.reply))) as base:
        assert asyncio.run(twice(base)) == (0.5, 1)


def test_registries_on_one_host_share_its_turns_at_the_slower_pace():
    async def look():
        network = SafeNetwork()
        fast, slow = network.turnstile("h", 443, Pace(10, 4)), network.turnstile("h", 443, Pace(3, 1))
        assert fast is slow
        assert network.turnstile("other", 443, Pace(10, 4)) is not fast
        return fast._apart_s, fast._at_once

    assert asyncio.run(look()) == (1 / 3, 1)


def test_the_deadline_of_a_consultation_bounds_a_request():
    with raw_server(silent) as base:

        async def hurried():
            DEADLINE.set(asyncio.get_running_loop().time() + 0.2)
            await loopback_web(base).ask("GET", base)

        with pytest.raises(UnreachableError, match=r"no whole answer within 0\.[12]"):  # the time that it was given
            asyncio.run(hurried())


# --- wiring ------------------------------------------------------------------------------------------------


def test_one_network_serves_several_event_loops_and_leaves_nothing_open():
    with serve(echoing()) as base:
        way = loopback_web(base, keep_alive=True)

        async def once():
            try:
                return (await way.ask("GET", base)).status
            finally:
                await way.aclose()

        assert [asyncio.run(once()) for _ in range(3)] == [200, 200, 200]


def test_connections_are_kept_where_that_is_wanted():
    ports = set()

    async def note(request):
        ports.add(request.transport.get_extra_info("peername"))
        return web.Response()

    async def thrice(base):
        way = loopback_web(base, keep_alive=True)
        for _ in range(3):
            await way.ask("GET", base)
        await way.aclose()

    with serve(routes(("GET", "/", note))) as base:
        asyncio.run(thrice(base))
    assert len(ports) == 1


def test_what_one_registry_may_ask_no_other_may_even_on_a_kept_connection():
    async def both(base):
        network = SafeNetwork()
        port = int(base.rpartition(":")[2])
        own = network.bind("own", UNHURRIED, allow=frozenset({("127.0.0.1", port)}))
        other = network.bind("other", UNHURRIED)
        try:
            assert (await own.ask("GET", base)).status == 200
            with pytest.raises(BlockedError):
                await other.ask("GET", base)
        finally:
            await network.aclose()

    with serve(echoing()) as base:
        asyncio.run(both(base))


def test_addresses_in_the_settings_are_allowed_as_they_stand():
    bases = {"crossref": "http://10.0.0.5:8080/api", "doi_org": "https://mirror.corp", "x": "http://[", "y": "nowhere"}
    assert addresses_of(Settings(base=bases)) == {("10.0.0.5", 8080), ("mirror.corp", 443)}


def test_a_page_named_in_a_text_is_none_of_the_users_own_addresses(tmp_path, monkeypatch):
    """What a citation names must not reach a mirror in the user's network, though registries may."""
    from showable.records import Reference
    from showable.registries.consult import make_consultation

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    asked = []

    async def count(request):
        asked.append(request.path)
        return web.json_response({"responseCode": 100}, status=404)

    async def run(base):
        made = make_consultation(Settings(base={"doi_org": base}), order={"doi": ["doi_org"], "url": ["web_page"]})
        references = [
            Reference(kind="doi", text="10.1234/none", fields={"doi": "10.1234/none"}),
            Reference(kind="url", text=base, fields={"url": f"{base}/secret"}),
        ]
        try:
            return await made.lookup_all(references)
        finally:
            await made.aclose()

    with serve(routes(("*", "/{path:.*}", count))) as base:
        by_doi, by_url = asyncio.run(run(base))
    assert by_doi.status == "not_found"
    assert by_url.status == "blocked_url"
    assert asked
    assert not [path for path in asked if "secret" in path or "robots" in path]


def test_who_asks_says_so():
    assert agent_of(Settings(mailto="library@example.org\r\nX: y")).endswith("(mailto:library@example.org X: y)")
    assert agent_of(Settings()).startswith("showable/")
