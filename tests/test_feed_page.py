"""Issues on the dashboard: what the list and the page of one say, what a form may do, and how it looks in Chromium."""

import json
import re
import time
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from browser import BY_LOOKS, DESKTOP, PHONE, alone, faults, needs_chromium, shared
from fed_pages import HOSTILE, TITLES, fed
from page_server import served
from test_serve_page import get

from showable.errors import SettingError
from showable.production.feed.nouns import TrendDay
from showable.production.feed.place import feed_beside
from showable.production.feed.store import FeedStore
from showable.production.feed.tickets.webhooks import hex_hmac
from showable.review.reading_runs import OpenRun
from showable.serving.pages.feed_list import FeedView, read_feed_view, spark
from showable.stores.promotions import Promotions


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return fed(tmp_path_factory.mktemp("fed"), time.time_ns())


@pytest.fixture(scope="module")
def url(place):
    with served(place) as address:
        yield address


def token_of(text):
    return re.search(r'name="token" value="([^"]+)"', text)[1]


def send(url, path, form, *, token=None, origin="null", site="same-origin"):
    """Send a form as the page does."""
    token = token or token_of(get(url, "/feed/EF-1")[2])
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Origin": origin, "Sec-Fetch-Site": site}
    body = urlencode({"token": token, "who": "Kim", **form}, doseq=True)
    return get(url, path, "POST", body, **headers)


# -- the list ----------------------------------------------------------------------------------------------------------

TABS = [
    # tab, the states in it, by the feed's own states: one issue of each but two that are ongoing
    ("open", 7), ("new", 2), ("escalating", 1), ("regressed", 1), ("ongoing", 3), ("archived", 1), ("resolved", 1),
]  # fmt: skip


@pytest.mark.parametrize(("tab", "n"), TABS)
def test_each_tab_holds_its_states_and_counts_them(url, tab, n):
    status, _, text = get(url, f"/feed?tab={tab}")
    assert status == 200
    assert text.count('class="issue-row"') == n
    assert re.search(rf'aria-current="page">[\w ]+ <span class="num">{n}<', text)


def test_the_most_urgent_issue_comes_first_and_another_order_can_be_asked_for(url):
    def order(query):
        return re.findall(r'<a href="/feed/(EF-\d)">', get(url, f"/feed?{query}")[2])

    assert order("sort=priority")[:3] == ["EF-1", "EF-2", "EF-4"]
    assert order("sort=last")[:3] == ["EF-1", "EF-2", "EF-3"]
    assert order("sort=share&model=m-small") == order("sort=share")
    assert order("model=another") == []
    assert get(url, "/feed?tab=x")[0] == 400
    with pytest.raises(SettingError):
        read_feed_view({"sort": "x"})


def test_a_row_says_what_it_rests_on_and_unknown_is_no_zero(url):
    text = get(url, "/feed?tab=escalating")[2]
    row = " ".join(re.sub(r"<[^>]+>", " ", text.partition('class="issue-row"')[2].partition("</li>")[0]).split())
    assert "▲ Escalating EF-2 · Ada" in row
    assert "61 answers 1.5 % [1.2, 1.9] of 4,000 read" in row
    assert "generator, 56 of 61" in row
    assert "safety ? 61 unknown" in row
    assert "linear open" in row


def test_what_is_not_grouped_is_listed_and_what_is_held_up_is_said(url):
    text = get(url, "/feed?tab=not_grouped")[2]
    assert 'class="plain loose"' in text
    assert "Nothing is sent to slack until" in text
    assert "1 message to ticket systems refused" in text


def test_without_a_feed_the_page_says_how_to_make_one(tmp_path):
    with served(tmp_path / "traces.db") as url:
        status, _, text = get(url, "/feed")
        assert (status, "showable feed build --store" in text) == (200, True)
        assert get(url, "/feed/EF-1")[0] == 404
    with served(tmp_path / "traces.db", read_token="a" * 20) as url:
        assert get(url, "/feed")[0] == 401
        assert send(url, "/feed/EF-1/resolve", {}, token="x")[0] == 401


def test_a_day_that_was_not_measured_is_a_gap_and_nothing_is_drawn_through_it():
    days = [TrendDay(day=f"2026-09-{n:02}", members=n, answers=9, rate=None if n == 3 else 0.1, low=0.05, high=0.2) for n in range(1, 6)]  # fmt: skip
    drawn = spark(days)
    assert (drawn.path.count("M"), drawn.band.count("M"), drawn.band.count("Z")) == (2, 2, 2)
    assert spark(()).path == ""
    assert "nan" not in spark([TrendDay(day="2026-09-01", members=0, answers=3, rate=0.0, low=0.0, high=0.0)] * 2).band


# -- one issue, and what is done to it ---------------------------------------------------------------------------------


def test_an_issue_shows_evidence_contrast_fix_answers_and_tickets(url):
    text = get(url, "/feed/EF-1")[2]
    plain = " ".join(re.sub(r"<[^>]+>", " ", text).split())
    for said in (
        "91 % of 142 answers come from prompt version p8",
        "2 statements of the model dropped",
        "prompt version p8",
        "pages.carry 86 % of its answers bear it out",
        "gone : deleted meanwhile",
        "split from EF-3",
        "github open",
        "It occurs with these: no cause is claimed.",
    ):
        assert said in plain, said
    assert '<a class="evidence" href="#E1">E1</a>' in text
    assert 'id="E1"' in text
    assert "refused" in get(url, "/feed/EF-3")[2]


def test_what_others_wrote_is_text_and_nothing_else(url):
    for path in ("/feed", "/feed/EF-1", "/feed/EF-9", "/feed/EF-3"):
        text = get(url, path)[2]
        assert "<script>document" not in text
        assert "<img src=x" not in text
        assert "\u202e" not in text
        assert "&lt;script&gt;" in text
    assert HOSTILE in dict(enumerate(title for _, title in TITLES)).values()


def test_every_action_is_an_event_with_who_and_can_be_taken_back(url, place):
    def state(name="EF-4"):
        with FeedStore.open(feed_beside(str(place)), make=False) as feed:
            return feed.issue(name)

    for action, form, holds in (
        ("assign", {"to": "Ada"}, lambda: state().assignee == "Ada"),
        ("rename", {"title": "A lapsed statute"}, lambda: state().title == "A lapsed statute"),
        ("archive", {"until": "for_good"}, lambda: state().state == "archived"),
        ("reopen", {}, lambda: state().state == "ongoing"),
        ("resolve", {}, lambda: state().state == "resolved"),
        ("merge", {"into": "EF-5"}, lambda: state().lineage.merged_into == "EF-5"),
    ):
        status, headers, _ = send(url, f"/feed/EF-4/{action}", form)
        assert (status, headers["Location"]) == (303, "/feed/EF-5" if action == "merge" else "/feed/EF-4")
        assert "SameSite=Strict" in headers["Set-Cookie"]
        assert "HttpOnly" in headers["Set-Cookie"]
        assert holds(), action
    with FeedStore.open(feed_beside(str(place)), make=False) as feed:
        last = feed.events("EF-4")[-1]
    assert (last.kind, last.who) == ("merge", "Kim")
    assert send(url, "/feed/EF-4/undo", {"seq": last.seq})[0] == 303
    assert state().lineage.merged_into is None


def test_members_that_are_not_the_same_are_split_off(url, place):
    with FeedStore.open(feed_beside(str(place)), make=False) as feed:
        members = [one.answer for one in feed.members("b1", "EF-6")]
    assert len(members) > 1
    status, headers, _ = send(url, "/feed/EF-6/split", {"answer": members[:1]})
    assert status == 303
    with FeedStore.open(feed_beside(str(place)), make=False) as feed:
        made = headers["Location"].rpartition("/")[2]
        assert [one.answer for one in feed.members("b1", made)] == members[:1]
        assert feed.issue(made).lineage.split_from == "EF-6"


def test_ten_answers_wait_to_be_labelled_and_questions_for_a_word(url, place):
    """What `showable review` opens: a finished run of the very answers, and candidates that nobody signed yet."""
    for _ in range(2):  # the same ten again are the same folder
        assert send(url, "/feed/EF-1/label", {})[0] == 303
        assert send(url, "/feed/EF-1/promote", {})[0] == 303
    text = get(url, "/feed/EF-1")[2]
    folder, promotions = (
        Path(found) for found in re.findall(r"<code>showable review (?:\S+ --promotions )?(\S+)</code>", text)
    )
    with FeedStore.open(feed_beside(str(place)), make=False) as feed:
        members = {one.answer for one in feed.members("b1", "EF-1")}
        kinds = [event.kind for event in feed.events("EF-1")]
    assert len(list(folder.parent.glob("*.EF-1-*"))) == 1
    assert {card.id for card in OpenRun(folder).cards()} <= members
    with Promotions(promotions, make=False) as held:
        assert {one.issue for one in held.candidates("EF-1")} == {"EF-1"}
        assert held.standing() == {}
    assert [kind for kind in kinds if kind in {"label", "promote"}] == ["label", "promote"] * 2


FORMS = [
    # what is wrong with the form; the status
    ({"path": "/feed/EF-7/reopen", "form": {}, "token": "guessed"}, 403),
    ({"path": "/feed/EF-7/reopen", "form": {}, "origin": "http://evil.example"}, 403),
    ({"path": "/feed/EF-7/reopen", "form": {}, "site": "cross-site"}, 403),
    ({"path": "/feed/EF-7/reopen", "form": {"who": " "}}, 400),
    ({"path": "/feed/EF-7/delete", "form": {}}, 400),
    ({"path": "/feed/EF-99/resolve", "form": {}}, 400),
    ({"path": "/feed/EF-7/archive", "form": {"until": "tomorrow"}}, 400),
    ({"path": "/feed/EF-7/merge", "form": {"into": "EF-7"}}, 400),
    ({"path": "/feed/EF-7/undo", "form": {"seq": "x"}}, 400),
    ({"path": "/feed/EF-7/assign", "form": {"to": "x" * 9_000}}, 413),
]


@pytest.mark.parametrize(("asked", "status"), FORMS)
def test_a_form_that_is_not_ours_or_not_right_does_nothing(url, place, asked, status):
    with FeedStore.open(feed_beside(str(place)), make=False) as feed:
        before = len(feed.events())
    assert send(url, **asked)[0] == status
    assert get(url, "/feed/EF-7/reopen")[0] == 405
    with FeedStore.open(feed_beside(str(place)), make=False) as feed:
        assert len(feed.events()) == before


# -- Chromium ----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@needs_chromium
@pytest.mark.parametrize(("path", "size", "scheme"), [("/feed", DESKTOP, "light"), ("/feed/EF-1", DESKTOP, "light"), ("/feed", PHONE, "dark"), ("/feed/EF-1", PHONE, "dark")])  # fmt: skip
def test_it_is_accessible_fits_and_loads_nothing_from_elsewhere(browser, url, path, size, scheme):
    with shared(browser, size, scheme) as page:
        page.goto(url + path)
        assert faults(page, rules=BY_LOOKS if scheme == "dark" else None) == []
        assert page.errors == []
        assert {asked.startswith(url) for asked in page.asked} == {True}
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.title() != "gone"


def arrived(page, said):
    """Wait for the page that says what was done, and for its script."""
    page.wait_for_selector(f"text={said}")
    page.wait_for_load_state("load")


@needs_chromium
def test_an_issue_is_assigned_resolved_labelled_and_promoted_by_keyboard_alone(browser, url):
    with alone(browser) as page:
        page.goto(url + "/feed/EF-1")
        page.keyboard.press("a")
        page.keyboard.type("Noor")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "who"  # it has to be said who acts
        page.keyboard.type("Kim")
        page.focus("form[data-key=a] input[name=to]")
        page.keyboard.press("Enter")
        arrived(page, "assigned to Noor")
        page.keyboard.press("r")
        arrived(page, "resolved, by person")
        page.keyboard.press("o")
        arrived(page, "opened again")
        page.keyboard.press("l")
        arrived(page, "answers out to label")
        page.keyboard.press("p")
        arrived(page, "questions for the regression set")
        assert page.errors == []


def test_an_address_round_trips():
    view = FeedView("new", "share", (("model", "m & n"),))
    assert read_feed_view(dict(parse_qsl(urlsplit(view.address()).query))) == view
    assert FeedView().address() == "/feed"


# -- what ticket systems tell ------------------------------------------------------------------------------------------


def test_a_signed_webhook_resolves_an_issue_through_the_page_and_any_other_does_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("SHOWABLE_GITHUB_TOKEN", "t")
    monkeypatch.setenv("SHOWABLE_GITHUB_WEBHOOK_SECRET", "hook-secret")
    (tmp_path / "tickets.toml").write_text('name = "prod"\npage = "https://h"\n[github]\nrepository = "o/r"\n')
    path = fed(tmp_path, time.time_ns())
    event = {"action": "closed", "issue": {"number": 1, "updated_at": "2030-01-01T00:00:00Z"}, "repository": {"full_name": "o/r"}, "sender": {"login": "kim"}}  # fmt: skip
    body = json.dumps(event)

    def post(url, body, key="hook-secret", target="github"):
        headers = {"X-GitHub-Event": "issues", "X-Hub-Signature-256": f"sha256={hex_hmac(key, body.encode())}"}
        return get(url, f"/feed/hooks/{target}", "POST", body, Host="feed.example.org", **headers)[0]

    def state():
        with FeedStore.open(feed_beside(str(path)), make=False) as feed:
            return feed.issue("EF-1").state

    with served(path, tickets=tmp_path / "tickets.toml", read_token="r" * 20) as url:
        assert post(url, body, key="guessed") == 401
        assert post(url, body, target="jira") == 404
        assert post(url, "x" * 3_000_000) == 413
        assert post(url, "{}") == 200  # signed, and of no concern
        assert get(url, "/feed/hooks/github")[0] == 401  # a page like any other
        assert state() == "ongoing"
        assert post(url, body) == 200
        assert state() == "resolved"
        assert post(url, body) == 401  # it came before
    with served(path) as url:
        assert post(url, body) == 404
