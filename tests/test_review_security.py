"""What the labelling page's server refuses, what it tells nobody, and that text of others stays text."""

import http.client
import json
import uuid

import pytest
from review_server import find_token, served, small_run
from starlette.testclient import TestClient

from showable.review.app import Review, make_app
from showable.review.guard import MOST_BYTES, Door, is_loopback
from showable.review.reading_runs import OpenRun
from showable.review.sessions import MOST_NAMELESS, Sessions
from showable.stores.labels.store import LabelStore

EVERYWHERE = "0.0.0.0"  # noqa: S104 - nothing is bound to it here
HOSTILE = {
    "markup": "</script><script>alert('pwned')</script><img src=x onerror=alert(1)>{{7*7}}<!--",
    "terminal": "\x1b[31mred\x1b]0;title\x07\x9b2J",
    "direction": "abc\u202etxt.exe\u2066\u200f",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("review")
    said = " ".join(HOSTILE.values())
    run = small_run(
        folder / "run",
        6,
        question=said.replace("{", "{{").replace("}", "}}"),
        passage=said,
        answer=f"{said} [1]. B [2].",
    )
    with served(run) as server:
        server.run = run
        yield server


@pytest.fixture(scope="module")
def ada(server):
    ada = server.reviewer("Ada", "senior")
    assert ada.post("/api/queues", {"kind": "random", "overlap": 6}).status_code == 200
    assert ada.get("/label/random").status_code == 303
    return ada


def raw(server, method, path, headers=(), body=None):
    """Ask without a client that puts a path or a header right."""
    connection = http.client.HTTPConnection("127.0.0.1", int(server.url.rpartition(":")[2]), timeout=20)
    try:
        connection.putrequest(
            method, path, skip_host=any(name == "Host" for name, _ in headers), skip_accept_encoding=True
        )
        for name, value in headers:
            connection.putheader(name, value)
        connection.endheaders()
        for chunk in body or ():
            try:
                connection.send(chunk)
            except OSError:  # refused before it was all sent
                break
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def label_body(**change):
    return {"id": uuid.uuid4().hex, "record": "r1", "about": "bucket", "value": "wrong"} | change


class TestHeaders:
    @pytest.mark.parametrize(
        ("method", "path"),
        [("GET", "/"), ("GET", "/label/random/1"), ("GET", "/label/random"), ("GET", "/adjudicate"), ("GET", "/agreement"),
         ("GET", "/export/labels.csv"), ("GET", "/static/theme.css"), ("GET", "/static/none.css"), ("GET", "/none"), ("GET", "/healthz"),
         ("GET", "/api/labels"), ("PUT", "/"), ("POST", "/api/labels"), ("POST", "/api/undo"), ("HEAD", "/")],
    )  # fmt: skip
    def test_every_answer_has_them(self, ada, method, path):
        headers = ada.client.request(method, ada.url + path).headers
        assert headers["content-security-policy"] == (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
            " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        )
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert "server" not in headers
        assert headers["cache-control"] == ("no-cache" if path == "/static/theme.css" else "no-store")

    def test_a_file_asked_for_by_its_digest_may_be_kept(self, ada):
        page = ada.get("/").text
        url = next(part for part in page.split('"') if part.startswith("/static/") and ".css?" in part)
        assert "immutable" in ada.get(url).headers["cache-control"]

    @pytest.mark.parametrize(
        ("method", "path"),
        [("GET", "/api/labels"), ("PUT", "/api/labels"), ("DELETE", "/api/undo"), ("POST", "/"), ("POST", "/agreement"), ("PATCH", "/label/random/1")],
    )  # fmt: skip
    def test_another_method_is_405(self, ada, method, path):
        assert ada.client.request(method, ada.url + path).status_code == 405


class TestHosts:
    @pytest.mark.parametrize(
        ("host", "status"),
        [("127.0.0.1", 200), ("localhost", 200), ("LOCALHOST:9000", 200), ("[::1]:8642", 200), ("127.0.0.1:1", 200),
         ("attacker.example.com", 421), ("127.0.0.1.example.com", 421), ("localhost.example.com:80", 421), ("", 421),
         ("10.0.0.1", 421), ("[", 421), ("user@127.0.0.1", 421), ("127.0.0.1@example.com", 421), ("127.0.0.1/static/?", 421),
         ("127.0.0.1/healthz#", 421), ("127.0.0.1?", 421), ("127.0.0.1\\@example.com", 421), ("127.0.0.1:80:80", 421)],
    )  # fmt: skip
    def test_only_its_own_names_are_answered_to(self, server, host, status):
        assert raw(server, "GET", "/healthz", [("Host", host)])[0] == status

    def test_two_host_headers_are_refused(self, server):
        status, _, _ = raw(server, "GET", "/healthz", [("Host", "127.0.0.1"), ("Host", "example.com")])
        assert status in {400, 421}  # the HTTP parser may refuse it before we do

    @pytest.mark.parametrize(
        ("bound", "asked", "answers"),
        [(EVERYWHERE, "192.0.2.7:8642", True), (EVERYWHERE, "example.com", False), ("::", "[2001:db8::1]:8642", True),
         ("192.0.2.7", "192.0.2.7", True), ("192.0.2.7", "192.0.2.8", False), ("box.example.org", "BOX.example.org:1", True)],
    )  # fmt: skip
    def test_bound_elsewhere_it_answers_to_addresses_but_to_no_other_name(self, bound, asked, answers):
        assert Door.at(bound, 8642).answers_to(asked) is answers


class TestCrossSite:
    """Each row is what an honest page sends, but for one thing."""

    @pytest.mark.parametrize(
        ("change", "status"),
        [
            ({}, 200),
            ({"Origin": None, "Sec-Fetch-Site": "same-origin"}, 200),
            ({"Content-Type": "application/json; charset=utf-8"}, 200),
            ({"Content-Type": "text/plain"}, 403),
            ({"Content-Type": "application/x-www-form-urlencoded"}, 403),
            ({"Content-Type": "multipart/form-data; boundary=application/json"}, 403),
            ({"Content-Type": None}, 403),
            ({"X-Showable": None}, 403),
            ({"X-Showable": "guess"}, 403),
            ({"X-Showable": "ünïcode".encode()}, 403),
            ({"Origin": None}, 403),
            ({"Origin": "null"}, 403),
            ({"Origin": "http://example.com"}, 403),
            ({"Origin": "http://127.0.0.1:1"}, 403),
            ({"Origin": "file://"}, 403),
            ({"Origin": "http://["}, 403),
            ({"Sec-Fetch-Site": "cross-site"}, 403),
            ({"Sec-Fetch-Site": "same-site"}, 403),
            ({"Sec-Fetch-Site": "none"}, 403),
            ({"Cookie": "none=1"}, 401),
        ],
    )
    @pytest.mark.parametrize("path", ["/api/labels", "/api/leave"])
    def test_a_post_of_another_site_is_refused(self, server, path, change, status):
        person = server.reviewer("Ada", "senior")
        known = {"Content-Type": "application/json", "X-Showable": person.token, "Origin": person.url}
        headers = {name: value for name, value in (known | change).items() if value is not None}
        body = json.dumps(label_body() if path == "/api/labels" else {})
        assert person.client.post(person.url + path, content=body, headers=headers).status_code == status

    def test_the_token_of_another_session_is_not_taken(self, server, ada):
        ben = server.reviewer("Ben")
        reply = ben.post("/api/labels", label_body(), **{"X-Showable": ada.token})
        assert reply.status_code == 403

    def test_who_has_not_entered_gets_nothing_but_the_start_page(self, server):
        nobody = server.reviewer()
        nobody.token = find_token(nobody.get("/").text)
        for path in ("/label/random", "/label/random/1", "/adjudicate", "/agreement", "/export/labels.jsonl"):
            assert (nobody.get(path).status_code, nobody.get(path).headers["location"]) == (303, "/")
        for path in ("/api/labels", "/api/undo", "/api/done", "/api/queues", "/api/adjudicate", "/api/settle-only"):
            assert nobody.post(path, {}).status_code == 401

    def test_cookies_are_for_our_pages_alone(self, server):
        cookie = server.reviewer().get("/").headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert cookie.startswith(f"showable_{server.url.rpartition(':')[2]}=")

    def test_a_link_on_another_site_is_followed_once_more_from_here(self, server):
        page = server.reviewer().get("/label/random/1", **{"Sec-Fetch-Site": "cross-site"})
        assert page.status_code == 200
        assert "refresh" in page.text
        assert find_token(server.reviewer().get("/").text)

    def test_entering_changes_cookie_and_token(self, server):
        one = server.reviewer()
        one.get("/")
        cookie, token = dict(one.client.cookies), find_token(one.get("/").text)
        one.enter("Cleo")
        assert dict(one.client.cookies) != cookie
        assert one.token != token


class TestBodies:
    def headers(self, ada):
        cookies = "; ".join(f"{name}={value}" for name, value in ada.client.cookies.items())
        return [
            ("Content-Type", "application/json"),
            ("X-Showable", ada.token),
            ("Origin", ada.url),
            ("Cookie", cookies),
        ]

    def test_a_long_body_is_413_when_its_length_is_stated(self, server, ada):
        headers = [*self.headers(ada), ("Content-Length", str(MOST_BYTES + 1))]
        status, _, said = raw(server, "POST", "/api/labels", headers, [b"x" * 1000])
        assert (status, json.loads(said)) == (413, {"error": "a body may be 64 KiB long"})

    def test_a_long_body_is_413_when_it_comes_in_chunks(self, server, ada):
        chunks = [b"%x\r\n%s\r\n" % (16_384, b" " * 16_384)] * 5
        headers = [*self.headers(ada), ("Transfer-Encoding", "chunked")]
        status, _, said = raw(server, "POST", "/api/labels", headers, chunks)
        assert (status, json.loads(said)) == (413, {"error": "a body may be 64 KiB long"})

    def test_the_longest_comment_fits(self, ada):
        assert ada.label("r2", "comment", "☃" * 4_000).status_code == 200

    @pytest.mark.parametrize(
        ("body", "said"),
        [
            (b"", "not JSON"),
            (b"{", "not JSON"),
            (b"[]", "expected an object"),
            (b"null", "expected an object"),
            (b"\xff\xfe", "not JSON"),
            (b"[" * 60_000, "not JSON"),
            (b'{"a":' * 10_000, "not JSON"),
            (b'{"id":"a","record":"r1","about":"bucket","value":NaN}', "value: expected"),
            (b'{"id":"a","record":"r1","about":"bucket","value":"\\ud800"}', "not JSON"),
            (
                b'{"id":"a","record":"\\u001b[31m","about":"bucket","value":"wrong"}',
                "record: the run has none of the id",
            ),
            (b'{"id":"a","record":"r1","about":"bucket","value":"wrong","\\u001b[31mevil":1}', "evil: unknown field"),
            (b'{"id":"a","record":"r1","about":"extra_claims","value":' + b"9" * 5_000 + b"}", "not JSON"),
        ],
    )
    def test_what_is_no_label_is_400_and_one_line(self, ada, body, said):
        reply = ada.post("/api/labels", body)
        assert reply.status_code == 400
        assert reply.json()["error"].startswith(said)
        assert "\x1b" not in reply.json()["error"]
        assert "\n" not in reply.json()["error"]


class TestPaths:
    @pytest.mark.parametrize(
        "path",
        ["/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static/..%5capp.py", "/static//etc/passwd",
         "/static/%2fetc%2fpasswd", "/static/theme.css%00.js", "/static/.", "/static/", "/static/__init__.py", "/../../etc/passwd",
         "/label/..%2f..%2frun.json", "/label/../run.json", "/label/%00", "/label/random/..%2f1", "/label/random'--", "/label/RANDOM",
         "/export/labels.sqlite", "/export/..%2flabels.sqlite", "/adjudicate/-1", "/adjudicate/1e3", "/label/random/-1", "/label/random/" + "9" * 400],
    )  # fmt: skip
    def test_none_leads_out_of_the_package(self, server, ada, path):
        status, _, body = raw(server, "GET", path, TestBodies().headers(ada))
        assert status == 404
        assert b"root:" not in body


class TestText:
    """Nothing in a record steers a page, however it gets there."""

    def test_markup_in_records_comments_and_names_stays_text(self, server, ada):
        name = "<q>Zo"
        eve = server.reviewer(name, "senior")
        assert eve.label("r3", "comment", HOSTILE["markup"] + HOSTILE["terminal"]).status_code == 200
        assert eve.label("r3", "bucket", "wrong").status_code == 200
        assert ada.label("r3", "bucket", "correct").status_code == 200
        eve.get("/label/random")
        for path in ("/", "/label/random/1", "/label/random/2", "/adjudicate", "/adjudicate/1", "/agreement"):
            for person in (ada, eve):
                page = person.get(path).text
                for written in ("<script>alert", "<img src=x", "<q>Zo", "49<!--", "\x1b", "\x9b", "\u202e", "\u2066"):
                    assert written not in page, (path, written)

    def test_exports_keep_what_was_written(self, server):
        fay = server.reviewer("Fay")
        fay.label("r4", "comment", HOSTILE["markup"])
        line = json.loads(fay.get("/export/labels.jsonl?whose=mine").text)
        assert line["value"] == HOSTILE["markup"]
        reply = fay.get("/export/labels.jsonl?whose=mine")
        assert reply.headers["content-disposition"] == 'attachment; filename="labels.jsonl"'

    def test_names_that_steer_are_refused(self, server):
        one = server.reviewer()
        one.token = find_token(one.get("/").text)
        for name in ("a\u202eb", "a\x1b[31m", "", " ", "a" * 61, "a,b", "a|b", "a\nb"):
            reply = one.post("/api/enter", {"name": name, "role": "senior"})
            assert reply.status_code == 400, name
            assert "\x1b" not in reply.text


class TestToken:
    """Bound where others can reach it. Asked in this process: a test listens on loopback alone."""

    @pytest.fixture
    def door(self):
        return Door.at("192.0.2.7", 8642)

    @pytest.fixture
    def client(self, tmp_path, door):
        run = OpenRun(small_run(tmp_path / "run", 2))
        with LabelStore.open(tmp_path / "labels.sqlite") as store:
            app = make_app(Review(run, store, door))
            yield TestClient(app, base_url="http://192.0.2.7:8642", follow_redirects=False)

    def test_the_address_that_is_printed_lets_in_and_leaves_the_address_bar(self, door, client):
        assert door.url == f"http://192.0.2.7:8642/?token={door.token}"
        assert len(door.token) >= 32
        first = client.get(f"/?token={door.token}")
        assert (first.status_code, first.headers["location"]) == (303, "/")
        cookie = first.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert door.token not in cookie
        assert client.get("/").status_code == 200

    def test_a_redirect_never_leads_elsewhere(self, door, client):
        reply = client.get(f"http://192.0.2.7:8642//evil.example.com/?token={door.token}")
        assert reply.headers["location"] == "/"

    @pytest.mark.parametrize(
        "path", ["/", "/?token=", "/?token=guess", "/label/random/1", "/export/labels.csv", "/nothing"]
    )
    def test_without_it_nothing_is_answered(self, client, path):
        reply = client.get(path)
        assert reply.status_code == 403
        assert "set-cookie" not in reply.headers
        assert reply.headers["x-content-type-options"] == "nosniff"

    @pytest.mark.parametrize("host", ["192.0.2.7:8642/static/?", "localhost/healthz?", "192.0.2.7/static/#"])
    def test_no_path_in_the_host_leads_around_it(self, client, host, monkeypatch):
        """The host is refused; and where it were not, the path that is looked at is the one that is answered."""
        assert client.get("/", headers={"Host": host}).status_code == 421
        monkeypatch.setattr(Door, "answers_to", lambda *_: True)
        assert client.get("/", headers={"Host": host}).status_code == 403

    def test_posts_need_it_too(self, client):
        assert client.post("/api/enter", json={"name": "Ada", "role": "senior"}).status_code == 403

    def test_every_start_has_another(self):
        assert len({Door.at("192.0.2.7", 1).token for _ in range(50)}) == 50

    @pytest.mark.parametrize(
        ("host", "here"),
        [("127.0.0.1", True), ("localhost", True), ("::1", True), ("127.8.9.1", True), (EVERYWHERE, False), ("::", False),
         ("192.168.0.2", False), ("example.org", False), ("localhost.example.org", False)],
    )  # fmt: skip
    def test_it_is_asked_for_wherever_others_can_reach(self, host, here):
        assert is_loopback(host) is here
        assert (Door.at(host, 1).token is None) is here


def test_browsers_that_never_enter_do_not_pile_up():
    sessions = Sessions()
    entered = sessions.enter(sessions.begin(), "Ada", "senior")
    first = sessions.begin()
    for _ in range(MOST_NAMELESS):
        last = sessions.begin()
    assert sessions.find(first.key) is None
    assert sessions.find(last.key) == last
    assert sessions.find(entered.key) == entered
    assert sessions.find("") is sessions.find(None) is None
