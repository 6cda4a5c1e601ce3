"""The labelling page, driven by keyboard in a real browser against the real server."""

import json
import os
import re
import signal
from contextlib import ExitStack, closing, contextmanager
from urllib.parse import urlsplit

import pytest
from browser import DESKTOP, PHONE, alone, faults, needs_chromium, shared, watched
from label_records import GOLD, MARKUP, every_state, fifty, write_records
from review_server import SENTINEL, find_token, served, small_run
from typer.testing import CliRunner

from showable.cli import app
from showable.stores.labels.store import LabelStore

READY = "html[data-ready=yes]"
FIFTY = (("six", 6), ("fifty", 50))
"""Queues of short answers, and how many they hold."""
STATES = [one["id"].split()[0] for one in every_state()]


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """The server over answers in every state and fifty short ones, scored by the lexical judge; queues of each."""
    folder = tmp_path_factory.mktemp("review")
    records = write_records(folder / "records.jsonl", [*every_state(), *fifty()])
    scored = CliRunner().invoke(
        app, ["score", str(records), "--judge", "lexical", "--out", str(folder / "run"), "--json"]
    )
    assert scored.exit_code == 0, scored.output
    with LabelStore.open(folder / "run" / "labels.sqlite") as store:
        store.make_queue("states", "random", [one["id"] for one in every_state()], overlap=len(STATES))
        for name, count in FIFTY:
            store.make_queue(name, "random", [one["id"] for one in fifty()][:count], overlap=count)
    with served(folder / "run") as server:
        yield server


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A run whose every word of the tool is marked, and what gives its server: started anew where it was killed."""
    run, running = small_run(tmp_path_factory.mktemp("small") / "run", 3), []
    open_ones = ExitStack()
    with LabelStore.open(run / "labels.sqlite") as store:
        store.make_queue("two", "random", ["r1", "r2"], overlap=2)
        store.make_queue("last", "random", ["r3"], overlap=1)

    def up(port=0):
        if not running or running[-1].process.wait(os.WNOHANG) is not None:
            running.append(open_ones.enter_context(served(run, port=port)))
        return running[-1]

    with open_ones:
        yield run, up


@contextmanager
def visitor(browser, server, name, role="senior", at=shared):
    """Somebody at a browser, who has entered. What the page asked for and what went wrong are kept."""
    someone = server.reviewer(name, role)
    with closing(someone.client), at(browser) as page:
        cookies = someone.client.cookies.items()
        page.context.add_cookies([{"name": key, "value": value, "url": server.url} for key, value in cookies])
        page.home, page.someone, page.dealt = server.url, someone, 0
        yield page
        assert page.errors == []
        assert {urlsplit(url).netloc for url in page.asked} == {urlsplit(server.url).netloc}


def visit(page, record):
    """Open the page of a record; what stands before it in the queue is dealt, and not looked at."""
    place = STATES.index(record) + 1
    while page.dealt < place:
        page.someone.get(f"/label/states?after={page.dealt}")
        page.dealt += 1
    page.locator("#saved.busy, #saved.bad").wait_for(
        state="detached"
    )  # a page with unsent labels asks before it is left
    page.goto(f"{page.home}/label/states/{place}")
    page.wait_for_selector(READY)


def press(page, keys):
    for key in keys.split():
        page.keyboard.press(key)


def shows(page, selector, words):
    from playwright.sync_api import expect

    expect(page.locator(selector)).to_contain_text(words)


def stands(page, selector, times):
    from playwright.sync_api import expect

    expect(page.locator(selector)).to_have_count(times)


def saved(page):
    shows(page, "#saved", "All saved")


COVERED = """() => { const box = document.getElementById('toast').getBoundingClientRect();
  const places = [0.02, 0.5, 0.98].map((part) => document.elementFromPoint(box.left + part * box.width, box.top + box.height / 2));
  return places.filter((one) => one?.closest('button, a, input, textarea, .left, .scroller, .verdict-bar')).map((one) => one.outerHTML); }"""


def toasts(page, words):
    """Something is said in passing, and it lies over nothing that is read or pressed."""
    shows(page, "#toast.on", words)
    assert page.eval_on_selector("#toast", "(one) => getComputedStyle(one).pointerEvents") == "none"
    assert page.evaluate(COVERED) == []


def title(page):
    return page.inner_text("#panel-title")


@needs_chromium
@pytest.mark.parametrize(
    ("queue", "count", "names"),
    [(*FIFTY[0], ("Ann", "Ben")), pytest.param(*FIFTY[1], ("Cleo", "Dan"), marks=pytest.mark.slow)],
    ids=["six", "fifty"],
)
def test_two_reviewers_label_every_answer_by_keyboard_from_entering_to_export(browser, desk, queue, count, names):
    pages = [watched(browser.new_context(viewport={"width": 900, "height": 600})) for _ in range(2)]
    for page, name in zip(pages, names, strict=True):
        page.goto(desk.url)
        page.wait_for_selector("#name:focus")  # the browser moves there after the page has loaded
        page.keyboard.type(name)
        page.keyboard.press("Enter")
    for page in pages:
        page.wait_for_selector(f"a[href='/label/{queue}']")
        page.focus(f"a[href='/label/{queue}']")
        page.keyboard.press("Enter")
    for at in range(1, count + 1):
        for page, keys in zip(pages, ("s1", "p2"), strict=True):
            page.wait_for_url(
                f"**/label/{queue}/{at}"
            )  # its script has run by then; looking into each page would cost more
            if at in {3, 5}:
                assert page.inner_text("#question-side").startswith(f"Question {at} ")
                assert page.is_visible("#time-left") == (at > 3), "an estimate of the first few would be a guess"
            page.keyboard.type(keys)
            page.keyboard.press("Enter")
    exported = []
    for page in pages:
        page.wait_for_selector("#panel[data-about=end]")
        assert page.inner_text("#done") == str(count)
        with page.expect_download() as given:
            page.click(".end a[href^='/export/labels.jsonl']")
        exported += [json.loads(line) for line in given.value.path().read_text().splitlines()]
        assert page.errors == []
        assert {urlsplit(url).netloc for url in page.asked} == {urlsplit(desk.url).netloc}
        page.context.close()
    assert len(exported) == 2 * count * 2
    words = {(one["reviewer"], one["about"], one["value"]) for one in exported}
    assert words == {
        (names[0], "support", "supported"), (names[0], "bucket", "correct"), (names[1], "support", "partial"), (names[1], "bucket", "wrong")
    }  # fmt: skip
    assert len({(one["reviewer"], one["record"], one["about"]) for one in exported}) == 4 * count
    assert all(one["blind"] and one["seconds"] is not None for one in exported)


POST = """([path, body, token]) => fetch(path, { method: "POST", body: JSON.stringify(body),
  headers: { "Content-Type": "application/json", "X-Showable": token } }).then((reply) => reply.json())"""


@needs_chromium
@pytest.mark.slow
def test_labels_undo_notes_and_kinds_outlive_a_reload(browser, desk):
    with visitor(browser, desk, "Rita") as page:
        visit(page, "marked")
        assert title(page) == "Claim 1 of 3 · citation 1 of 2"
        press(page, "s p")
        saved(page)
        page.reload()
        page.wait_for_selector(READY)
        assert title(page) == "Claim 2 of 3"
        assert page.locator(".chip.done").count() == 1
        press(page, "z")
        shows(page, "#panel-title", "citation 2 of 2")
        assert page.locator(".chip.done").count() == 0
        toasts(page, "taken back")
        press(page, "u")
        saved(page)
        press(page, "k Control+z")
        stands(page, ".cite.done", 1)  # the toast of the first undo may still be seen
        shows(page, "#toast", "Claim 1, citation 2: taken back")
        press(page, "t")
        page.keyboard.type("Opening hours")
        page.keyboard.press("Enter")
        press(page, "n")
        page.keyboard.type("s p u: a <b>note</b>")
        page.keyboard.press("Escape")
        press(page, "e 2")
        press(page, "b 4")
        assert title(page) == "Refusal quality", "it is asked where one calls it refused"
        press(page, "3")
        saved(page)
        page.reload()
        page.wait_for_selector(READY)
        assert page.input_value("#comment") == "s p u: a <b>note</b>"
        assert page.input_value("#kind") == "opening_hours"
        own = {about: page.inner_text(f"[data-own={about}]") for about in ("bucket", "refusal_quality", "extra_claims")}
        assert own == {"bucket": "○ Refused", "refusal_quality": "3", "extra_claims": "2"}
        assert title(page) == "Claim 1 of 3 · citation 2 of 2", "it goes on where it was left"


@needs_chromium
@pytest.mark.slow
def test_a_lost_reply_to_an_undo_takes_back_no_second_label(browser, desk):
    with visitor(browser, desk, "Lou") as page:
        visit(page, "marked")
        press(page, "s p")
        saved(page)
        page.route("**/api/undo", lambda route: (route.fetch(), route.abort()))
        page.route("**/label/states/*", lambda route: route.abort())
        assert page.evaluate("fetch(location.pathname).then(() => 'came', () => 'lost')") == "lost"
        for _ in range(2):
            press(page, "z")
            toasts(page, "it is not known whether your last label was taken back")
        page.unroute("**/label/states/*")
        press(page, "z")
        toasts(page, "Claim 1, citation 2: taken back. (The reply to undo was lost; this stands now.)")
        assert title(page) == "Claim 1 of 3 · citation 2 of 2"
        assert page.locator(".cite.done").count() == 1, "three keys took back one label"
        page.unroute("**/api/undo")
        press(page, "z")
        toasts(page, "Claim 1, citation 1: taken back.")
        assert all("ERR_FAILED" in said for said in page.errors)
        page.errors.clear()


@needs_chromium
def test_an_undo_is_told_as_it_was_done_where_the_page_cannot_be_read_again(browser, desk):
    with visitor(browser, desk, "Mia") as page:
        visit(page, "marked")
        press(page, "s p")
        saved(page)
        press(page, "k s")
        saved(page)
        page.route("**/label/states/*", lambda route: route.abort())
        assert page.evaluate("fetch(location.pathname).then(() => 'came', () => 'lost')") == "lost"
        press(page, "z")
        toasts(page, "Claim 1, citation 2: Partial again.")
        press(page, "z")
        toasts(page, "Claim 1, citation 2: taken back.")
        assert page.locator(".cite.done").count() == 1
        page.unroute("**/label/states/*")
        press(page, "z")
        toasts(page, "Claim 1, citation 1: taken back.")
        assert page.locator(".cite.done").count() == 0
        assert all("ERR_FAILED" in said for said in page.errors)
        page.errors.clear()


@needs_chromium
def test_nothing_of_the_tool_is_in_the_page_before_ones_own_word(browser, small):
    server = small[1]()
    with visitor(browser, server, "Ana") as page:
        page.goto(f"{server.url}/label/two")
        page.wait_for_selector(READY)
        for key in ("l", "j", "j", "b", "l", "r", "e", "j", "g"):
            assert SENTINEL not in page.content()
            page.keyboard.press(key)
        page.keyboard.press("Escape")
        key = page.evaluate("JSON.parse(document.getElementById('data').textContent).record")
        press(page, "b 1")
        saved(page)
        assert SENTINEL not in page.content(), "the bucket would give the citations away"
        press(page, "s")
        shows(page, "#before", "The tool agrees")
        assert "0.94" in page.inner_text("#said") or "agrees" in page.inner_text("#said")
        assert f"{SENTINEL} 0 p1" not in page.content(), "it is read where one goes back to it"
        press(page, "k")
        assert f"{SENTINEL} 0 p1" in page.inner_text(".judge")
        assert not re.search(rf"{SENTINEL} (0 p2|1 p2|bucket|point)", page.content())
        press(page, "j s c")
        saved(page)
        assert title(page) == "Uncited sentences", "it is the last question of what asserts something"
        assert page.is_visible("#skip")
        press(page, "j")
        shows(page, "#verdict-bar", "All but the number of uncited sentences is labelled")
        press(page, "k 2")
        page.wait_for_selector("#next-answer")
        shows(page, "#verdict-bar", "Everything is labelled.")
        saved(page)
        page.wait_for_selector(".summary small.differs")
        words = page.inner_text(".summary")
        assert re.search(r"Claim 1, citation 2\s+✓\s*Supported\s+△\s*Not supported, p 0.13\s+differs", words), words
        assert re.search(r"The whole answer\s+✓\s*Correct\s+. ?(Correct|Wrong)", words), key
        press(page, "Enter")
        page.wait_for_selector(f"{READY} #question-side:has-text('Question 2 ')")
        assert SENTINEL not in page.content()
        press(page, "z")
        page.wait_for_selector(f"{READY} #question-side:has-text('Question 1 ')")
        assert title(page) == "Your labels", "who is done with an answer is not led to the last question again"
        shows(page, "#verdict-bar", "All but the number of uncited sentences is labelled")
        page.goto(f"{server.url}/label/two/2")
        page.wait_for_selector(READY)
        press(page, "s s s 4 0")
        shows(page, "#verdict-bar", "Everything is labelled.")
        saved(page)


@needs_chromium
@pytest.mark.slow
def test_labels_given_while_the_server_is_away_arrive_once_when_it_is_back(browser, small):
    run, up = small
    server = up()
    opened = browser.new_context(viewport=DESKTOP)
    someone = server.reviewer("Abe", "senior")
    opened.add_cookies(
        [{"name": key, "value": value, "url": server.url} for key, value in someone.client.cookies.items()]
    )
    page = opened.new_page()
    warned = []
    page.on("dialog", lambda dialog: (warned.append(dialog.type), dialog.dismiss()))
    page.goto(f"{server.url}/label/last")
    page.wait_for_selector(READY)
    press(page, "s")
    saved(page)
    assert server.stop(signal.SIGKILL)[0] == -signal.SIGKILL
    press(page, "p u")
    shows(page, "#saved", "2 not saved yet")
    assert "kept in this browser" in page.inner_text("#trouble")
    assert page.locator("#saved.good").count() == 0
    press(page, "1 Enter")
    shows(page, "#toast", "not saved yet")
    press(page, "z")
    shows(page, "#toast", "Undo needs the server")
    assert title(page) == "Uncited sentences", "nothing was undone, nothing was left"
    page.evaluate("location.reload()")
    shows(page, "#saved", "3 not saved yet")
    assert warned == ["beforeunload"], "who leaves is warned"
    up(urlsplit(server.url).port)
    page.click("#saved button")
    saved(page)
    assert page.is_hidden("#trouble")
    page.click("#skip")
    page.wait_for_selector("#panel[data-about=end]")
    opened.close()
    someone.client.close()
    with LabelStore.open(run / "labels.sqlite") as store:
        assert [(one.about, one.value) for one in store.history() if one.reviewer == "Abe"] == [
            ("support", "supported"), ("support", "partial"), ("support", "unsupported"), ("bucket", "correct")
        ]  # fmt: skip


@needs_chromium
@pytest.mark.slow
def test_a_second_tab_sees_what_the_first_did_and_says_so(browser, desk):
    with visitor(browser, desk, "Tom", at=alone) as first:  # at last with a label unsent, which a page is not left with
        visit(first, "quoted")
        second = watched(first.context)
        second.goto(first.url)
        second.wait_for_selector(READY)
        press(first, "s s")
        saved(first)
        second.evaluate("dispatchEvent(new Event('focus'))")
        shows(second, "#toast", "2 labels were changed in another tab")
        assert second.locator(".chip.done").count() == 1
        second.evaluate("dispatchEvent(new Event('focus'))")
        press(second, "k k k k u")
        saved(second)
        press(first, "k k k k p")
        shows(first, "#toast", "changed in another tab")
        assert second.errors == []
        entered = second.evaluate(
            POST, ["/api/enter", {"name": "Bob", "role": "engineer"}, find_token(second.content())]
        )
        assert entered["name"] == "Bob"
        press(first, "s")
        shows(first, "#trouble", "kept in this browser and not sent: Bob has entered in this browser")
        assert first.inner_text("#saved span") == "1 not saved yet"
        assert any("403" in said for said in first.errors)
        first.errors.clear()
    theirs = desk.reviewer("Bob", "engineer").get("/export/labels.jsonl?whose=mine").text
    assert theirs.strip() == "", "nothing of Tom's is said in Bob's name"


@needs_chromium
def test_markup_and_hidden_characters_stay_text(browser, desk):
    with visitor(browser, desk, "Hans") as page:
        visit(page, "hostile")
        assert MARKUP in page.inner_text(".question")
        assert MARKUP in page.inner_text(".passage")
        assert page.locator("img, iframe, main script, .source a, .passage *:not(mark, span)").count() == 0
        assert "300� people��" in page.inner_text("#answer")
        assert "\u241b[31mroof�" in page.inner_text("#answer")
        assert "� stands for a character" in page.inner_text("#left")
        press(page, "n")
        page.keyboard.insert_text(MARKUP)
        press(page, "Escape x")
        shows(page, "#before", "The tool")
        press(page, "k t")
        page.keyboard.insert_text(MARKUP)
        press(page, "Enter x x 1 0")
        page.wait_for_selector("#next-answer")
        saved(page)
        page.reload()
        page.wait_for_selector(READY)
        assert page.input_value("#comment") == MARKUP
        assert page.title().startswith("Answer ")


@needs_chromium
@pytest.mark.slow
def test_what_was_retrieved_is_read_beside_the_whole_answer_and_from_a_citation(browser, desk):
    with visitor(browser, desk, "Rolf") as page:
        visit(page, "refusal")
        assert page.locator("#log summary").count() == 3
        assert page.locator("#log details[open], #log .tag").count() == 0
        press(page, "l l")
        assert page.locator("#log details[open]").count() == 1
        assert page.inner_text("#log details[open] code") == "fees-2031#1"
        assert "A lost card is replaced" in page.inner_text("#log .log-text >> visible=true")
        assert page.evaluate("document.activeElement.closest('details').open")
        assert GOLD not in page.content(), "it would lead whoever has not said their own"
        press(page, "L 4")
        shows(page, "#panel-title", "Refusal quality")
        assert page.locator("#log details[open]").count() == 1, "what is open stays open"
        press(page, "1 b")
        shows(page, ".judge .gold", GOLD)
        visit(page, "quoted")
        press(page, "l")
        assert page.inner_text("#log details[open] code") == "rules-v4#1"
        assert page.locator("#log .tag").all_inner_texts() == [
            "cited by claims 1, 2",
            "cited by claim 2",
            "cited by claim 3",
        ]
        press(page, "Escape")
        assert page.locator("#log").count() == 0
        assert page.is_visible("mark.own")
        press(page, "l s")
        assert title(page).startswith("Claim 2")
        assert page.locator("#log").count() == 0, "the next citation begins with its passage"
        saved(page)
        visit(page, "nothing")
        shows(page, "#log", "holds no retrieval log")
        visit(page, "uncited")
        shows(page, "#log", "The search returned nothing")
        visit(page, "no-text")
        press(page, "l")
        shows(page, "#log", "The log holds no text of it")


@needs_chromium
@pytest.mark.slow
def test_the_place_is_in_view_and_the_verdicts_in_reach(browser, desk):
    with visitor(browser, desk, "Pia") as page:
        visit(page, "long")
        inside = """() => { const box = document.getElementById('scroller').getBoundingClientRect();
          const place = document.querySelector('.passage mark').getBoundingClientRect(); return place.top > box.top && place.bottom < box.bottom; }"""
        assert page.evaluate(inside)
        assert page.evaluate("scrollY") == 0
        visit(page, "quoted")
        assert page.inner_text("mark.own").endswith(
            "open from 09:00 to 18:00 on weekdays] "
        ) or "09:00 to 18:00" in page.inner_text("mark.own")
        assert "does not stand" not in page.inner_text(".legend")
        assert "https://library.example.org/rules/v4#page=1" in page.inner_text(".source")
        visit(page, "no-text")
        assert "holds no text" in page.inner_text(".notice.nothing")
        assert page.get_attribute("[data-value=cannot_tell]", "aria-pressed") == "false"
        assert "suggested" in page.get_attribute("[data-value=cannot_tell]", "class")
        page.set_viewport_size(PHONE)
        for record in ("long", "many", "quoted"):
            visit(page, record)
            boxes = page.eval_on_selector_all(
                ".choice",
                "(all) => all.map((one) => { const box = one.getBoundingClientRect(); return [box.left, box.right, box.bottom, box.height] })",
            )
            assert all(
                left >= 0 and right <= 390 and bottom <= 844 and height >= 44 for left, right, bottom, height in boxes
            )
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            assert page.evaluate(inside) or record == "many"
        page.click("[data-value=supported]")
        page.click("#sheet-toggle")
        assert page.is_hidden("#panel-body")
        page.click(".chip[data-claim='2']")
        assert page.is_visible("#panel-body")
        assert title(page) == "Claim 3 of 4"
        saved(page)
        page.click("#undo")
        toasts(page, "Claim 1: taken back")


def states(page):
    """Lead a page through its states; gives the name of each, and which of axe's rules hang on it (None for all)."""
    visit(page, "quoted")
    press(page, "s")
    shows(page, "#before", "The tool")
    press(page, "k")
    page.wait_for_selector(".judge")
    yield "what the tool said", None
    page.emulate_media(color_scheme="dark")
    yield "in the dark", ["color-contrast"]
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(PHONE)
    press(page, "l")
    yield "the log, on a phone", None
    page.set_viewport_size(DESKTOP)
    press(page, "j p s c 1")
    page.wait_for_selector("#skip")
    yield "the last question", None
    press(page, "2")
    page.wait_for_selector(".summary")
    saved(page)
    yield "the summary", None
    press(page, "b g")
    yield "the guide", None
    visit(page, "rtl")
    yield "from right to left", None


@needs_chromium
@pytest.mark.parametrize(
    "looked_at",
    [{"what the tool said", "the log, on a phone"}, pytest.param(None, marks=pytest.mark.slow)],
    ids=["two states", "any state"],
)
def test_axe_finds_nothing_serious_in_any_state(browser, desk, looked_at):
    with visitor(browser, desk, "Axel" if looked_at else "Axella") as page:
        found = {
            name: faults(page, rules=rules) for name, rules in states(page) if looked_at is None or name in looked_at
        }
        assert {name: said for name, said in found.items() if said} == {}
        assert len(found) == (len(looked_at) if looked_at else 7)
