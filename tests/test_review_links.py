"""Links to the labelling page from elsewhere: they lead there, and end nobody's session."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from browser import alone, needs_chromium
from review_server import served, small_run
from starlette.testclient import TestClient

from showable.review.app import Review, make_app
from showable.review.guard import Door
from showable.review.reading_runs import OpenRun
from showable.stores.labels.store import LabelStore


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return small_run(tmp_path_factory.mktemp("review") / "run", 2)


@pytest.mark.parametrize(
    ("headers", "begins", "source"),
    [
        (
            {"Sec-Fetch-Site": "cross-site"},
            False,
            "a link elsewhere: the Strict cookie is held back, a new one would replace it",
        ),
        (
            {"Sec-Fetch-Site": "same-origin"},
            True,
            "the page asks for itself again, now with the cookie if there is one",
        ),
        ({"Sec-Fetch-Site": "none"}, True, "typed into the address bar"),
        ({}, True, "a browser that says nothing of it"),
    ],
)
def test_a_first_visit_begins_a_session_unless_another_site_led_there(run, headers, begins, source):
    with LabelStore.open(run / "labels.sqlite") as store:
        app = make_app(Review(OpenRun(run), store, Door("127.0.0.1", 80)))
        reply = TestClient(app, base_url="http://127.0.0.1").get("/", headers=headers)
    assert reply.status_code == 200, source
    assert ("set-cookie" in reply.headers) is begins, source
    assert ("http-equiv='refresh'" in reply.text) is not begins, source


@contextmanager
def another_site(address):
    """A site of another name, with a link to an address and a button that opens it."""
    html = f"<a id=link href='{address}'>x</a><button id=open onclick=\"window.open('{address}')\">y</button>".encode()

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(html)))
            self.end_headers()
            self.wfile.write(html)

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@needs_chromium
def test_following_a_link_or_being_sent_by_a_window_leaves_the_reviewer_in(run, browser):
    with served(run) as server, another_site(f"{server.url}/") as elsewhere:
        alice = server.reviewer("Alice", "senior")
        (cookie,) = alice.client.cookies.jar
        with alone(browser) as page:
            page.context.add_cookies(
                [
                    {
                        "name": cookie.name,
                        "value": cookie.value,
                        "url": server.url,
                        "sameSite": "Strict",
                        "httpOnly": True,
                    }
                ]
            )
            page.goto(elsewhere)
            page.click("#link")
            page.get_by_text("Alice").first.wait_for()
            page.goto(elsewhere)
            with page.expect_popup() as opened:
                page.click("#open")
            opened.value.get_by_text("Alice").first.wait_for()
            held = {one["name"]: one["value"] for one in page.context.cookies(server.url)}
        assert held[cookie.name] == cookie.value, "the same session"
        assert alice.post("/api/queues", {"kind": "random"}).status_code == 200, "and her open tabs still label"
