"""The page of a difference: what it shows, what it lets no text do, and how it works in a browser."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from browser import BY_LOOKS, DESKTOP, PHONE, alone, faults, needs_chromium, shared
from difference_views import (
    ATTACK,
    RTL,
    assert_harmless,
    comment_of,
    decided,
    few,
    html_of,
    many,
    one_move,
    record,
    view,
)
from hypothesis import given
from hypothesis import strategies as st
from scorecards import FAIL, PASS, SIGNATURE, card, claim

from showable.errors import SettingError
from showable.records import Answer, Gold, Record, Source
from showable.report.difference import changes as changes_module
from showable.report.difference import page as page_module
from showable.report.difference.changes import compared
from showable.report.difference.page import MOST_BYTES, render_difference
from showable.report.difference.sides import anchor_of
from showable.ship_gate import decide


class Page(HTMLParser):
    """Collects what a page would show, its elements with their attributes, and the text of marked words."""

    def __init__(self, html):
        super().__init__()
        self.text, self.elements, self.open, self.marked = "", [], [], {"del": [], "ins": []}
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "br", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in self.marked:
            self.marked[self.open[-1]].append(data)
        if not {"script", "style"} & set(self.open):
            self.text += data

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def flat(self):
        return " ".join(self.text.split())


# The page


def test_the_page_is_whole_strict_and_loads_nothing():
    written = html_of(few(moved=False), few(moved=True))
    page = Page(written)
    assert page.open == []
    assert written.startswith("<!DOCTYPE html>")
    assert not {"link", "img", "iframe", "object"} & {tag for tag, _ in page.elements}
    assert not [a for _, a in page.elements if "style" in a or any(name.startswith("on") for name in a)]
    assert all(a["href"].startswith("#") for a in page.all("a"))
    assert "http" not in written.replace("http-equiv", "")
    policy = next(a["content"] for a in page.all("meta") if a.get("http-equiv"))
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy


def test_the_gate_stands_on_top_then_the_flow_then_what_moved():
    said = Page(html_of(few(moved=False), few(moved=True))).flat
    places = [
        said.index(part)
        for part in (
            "DO NOT SHIP",
            "Wrong answers rose by 1, from 1 to 2.",
            "Of 12 questions 2 moved (2 worse, 0 better), 1 stayed in their bucket for another cause, 1 kept bucket and cause",
            "The gate, line by line",
            "What this can show. n = 12",
            "From which bucket to which",
            "Causes gained and lost",
            "By category of question",
            "Questions that moved 2, and 1 with another cause, the worst first",
            "lease-1 correct → became wrong worse",
            "lease-2 correct → became refused worse",
            "case-9 unsupported invented source → now miscited another cause",
            "Same bucket, other answer 1",
            "lease-4",
            str(SIGNATURE),
        )
    ]
    assert places == sorted(places)


def test_both_answers_stand_side_by_side_with_their_words_marked():
    page = Page(html_of(*one_move(gold=Gold(answer="30 days"))))
    assert page.marked == {"del": ["words only in the baseline", "30"], "ins": ["words only in the candidate", "60"]}
    assert "Gold 30 days" in page.flat


def test_claims_show_their_verdict_and_the_passage_relied_on():
    cited = claim("contradicted", (PASS, FAIL), text="It is 60 days.", contradicted_by=("d1",))
    quoted = cited.citations[0].model_copy(update={"quote": "30 days", "quote_span": (14, 21)})
    cited = cited.model_copy(update={"citations": (quoted,)})
    sources = (Source(source_id="d1", text="The period is 30 days.", title="Lease"),)
    base, cand = (
        view([(record("q", answer, retrieved=sources), card("q", bucket, claims=claims))])
        for answer, bucket, claims in (("30 days [1].", "correct", ()), ("60 days [1].", "wrong", (cited,)))
    )
    written = html_of(base, cand)
    assert "The period is <mark>30 days</mark>." in written
    assert "contradicted by <bdi>d1</bdi>" in written
    assert "decides" in Page(written).text


def test_cells_of_the_flow_lead_to_the_first_question_of_theirs():
    page = Page(html_of(few(moved=False), few(moved=True)))
    leads = {a["data-value"]: a["href"] for a in page.all("a") if a.get("data-filter") == "flow"}
    assert leads["correct-wrong"] == "#q=lease-1"
    assert leads["correct-refused"] == "#q=lease-2"
    ids = [a["id"] for _, a in page.elements if "id" in a]
    assert len(ids) == len(set(ids))
    assert {a["href"][1:] for a in page.all("a")} <= set(ids)


ANCHORS = [
    ("lease-1", "q=lease-1"),
    ("a b", "q=a%20b"),
    ('"><script>', "q=%22%3E%3Cscript%3E"),
    ("ü", "q=%C3%BC"),
    ("\ud800", "q=%ED%A0%80"),
]


@pytest.mark.parametrize(("key", "expected"), ANCHORS)
def test_the_link_to_a_question_is_its_id_percent_encoded(key, expected):
    """Source: RFC 3986, section 2.1, over UTF-8."""
    assert anchor_of(key) == expected


@given(st.text(min_size=1, max_size=400), st.text(min_size=1, max_size=400))
def test_links_are_short_and_tell_ids_apart(one, other):
    assert len(anchor_of(one)) <= 400
    assert re.fullmatch(r"q=[\w.~%-]+", anchor_of(one), re.ASCII)
    assert (anchor_of(one) == anchor_of(other)) == (one == other)


def test_hostile_text_in_every_field_stays_text():
    key = ATTACK.replace("\ud800", "")  # a constrained field takes no half character
    cards = [
        card(
            key,
            bucket,
            why=ATTACK,
            category=ATTACK,
            claims=(claim("contradicted", (PASS, FAIL), text=ATTACK, contradicted_by=(ATTACK,)),),
        )
        for bucket in ("correct", "wrong")
    ]
    source = Source(source_id=key, text=ATTACK, title=ATTACK)
    sides = [
        view(
            [
                (
                    Record(
                        id=key,
                        question=ATTACK,
                        answer=ATTACK + n,
                        retrieved=(source,) * int(n),
                        gold=Gold(answer=ATTACK),
                    ),
                    c,
                )
            ],
            ATTACK,
        )
        for n, c in zip("12", cards, strict=True)
    ]
    written = html_of(*sides)
    page = Page(written)
    assert page.open == []
    assert [tag for tag, _ in page.elements].count("script") == 1
    assert "img" not in {tag for tag, _ in page.elements}
    assert "\x1b" not in written
    assert "\u202e" not in written
    written.encode()
    assert_harmless(comment_of(*sides))


def test_a_decision_over_repeats_says_that_the_answers_are_of_one_run():
    base, cand = few(moved=False), few(moved=True)
    cards = [[entry.card for entry in side.entries()] for side in (base, cand)]
    repeats = decide([cards[0]], [cards[0], cards[0], cards[1]], SIGNATURE, SIGNATURE)
    assert "folds repeats" in Page(render_difference(repeats, compared(base, cand))).flat
    assert "folds repeats" not in Page(html_of(base, cand)).flat


@pytest.mark.parametrize(
    ("sides", "said"),
    [
        ((view([]), view([])), "INCONCLUSIVE"),
        (one_move("unknown", "unknown"), "INCONCLUSIVE"),
        (one_move("correct", "correct", ("same", "same")), "The two runs are identical, question by question."),
        (one_move("correct", "correct"), "None: bucket and cause of every question are the same"),
        (one_move("correct", "wrong", (None, "")), "No answer was given."),
        (one_move(key="k" * 300), "k" * 100),
        (one_move(answers=(RTL, RTL + " [1]")), RTL),
        (one_move(answers=(Answer(), Answer(text=""))), "The answer is empty."),
    ],
)
def test_pages_of_unusual_runs(sides, said):
    page = Page(html_of(*sides))
    assert page.open == []
    assert said in page.flat


def test_beyond_the_caps_questions_are_named_and_then_counted(monkeypatch):
    monkeypatch.setattr(page_module, "_MOST_LISTED", 50)
    written = html_of(many(400, "correct", "It is"), many(400, "wrong", "It was"))
    page = Page(written)
    assert len(page.all("article")) == changes_module.MOST_OUTCOMES == 300
    assert "100 more questions have another outcome and are not shown" in page.flat
    assert "q00349 and 50 more." in page.flat
    drift = Page(html_of(many(400, "correct", "It is"), many(400, "correct", "It was")))
    assert "250 more answers changed and are not shown" in drift.flat


def test_of_many_categories_the_largest_are_shown():
    def side(bucket):
        cards = [card(f"q{i}", bucket, category=f"c{min(i, 80):02}") for i in range(100)]
        return view([(record(c.id), c) for c in cards])

    page = Page(html_of(side("correct"), side("wrong")))
    assert "21 smaller categories are not shown." in page.flat
    assert "c80" in page.flat, "the largest is among them, though the last by name"


def test_categories_show_what_is_as_expected_where_gold_says_what_is_called_for():
    def side(bucket, expected):
        names = ("answerable", "adversarial")
        cards = (card(name, bucket, category=name, expected=expected, answerable=True) for name in names)
        return view([(record(one.id), one) for one in cards])

    told = html_of(side("correct", ("correct",)), side("refused", ("correct",)))
    assert told.count('<td class="number met"><span class="was">1/1</span> → <b>0/1</b></td>') == 2
    assert "is not as expected. Informs, decides nothing." in told
    silent = html_of(side("correct", ()), side("refused", ()))
    assert "By category of question" in silent
    assert "As expected" not in silent
    assert 'class="number met"' not in silent


def test_the_page_stays_below_its_bytes_whatever_the_answers(monkeypatch):
    monkeypatch.setattr(page_module, "MOST_BYTES", 300_000)
    monkeypatch.setattr(page_module, "MOST_ANSWERS_BYTES", 100_000)
    sides = [
        view([(record(f"q{i}", '"<&' * 1_500 + end), card(f"q{i}", bucket)) for i in range(40)])
        for bucket, end in (("correct", "a"), ("wrong", "b"))
    ]
    written = html_of(*sides)
    assert len(written.encode()) < 300_000 + 100_000
    shown = len(Page(written).all("article"))
    assert 0 < shown < 40
    assert f"{40 - shown} more questions have another outcome and are not shown" in Page(written).flat
    assert MOST_BYTES < 15_000_000


def test_unlike_runs_have_no_report():
    base, cand = few(moved=False), few(moved=True)
    other = SIGNATURE.model_copy(update={"judge": "chat@2"})
    with pytest.raises(SettingError, match="not measured alike"):
        decide([], [], SIGNATURE, other)
    fewer = view(list(cand.entries())[1:])
    with pytest.raises(SettingError, match="different questions"):
        decided(base, fewer)
    page = Page(render_difference(decided(base, base), compared(base, fewer)))
    assert "Only in the baseline: 1" in page.flat


# In a browser


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("difference")
    attacked = one_move(key=ATTACK.replace("\ud800", ""), answers=(ATTACK, ATTACK + " more"))
    made = {
        "few": html_of(few(moved=False), few(moved=True)),
        "same": html_of(few(moved=False), few(moved=False)),
        "none": html_of(view([]), view([])),
        "attacked": html_of(*attacked),
    }
    for name, written in made.items():
        (folder / f"{name}.html").write_text(written, encoding="utf-8")
    return folder


@needs_chromium
@pytest.mark.parametrize(
    ("look", "names"),
    [
        pytest.param((DESKTOP, "light"), ["few"], id="desktop"),
        pytest.param((PHONE, "dark"), ["attacked"], id="phone"),
        pytest.param((DESKTOP, "light"), ["same", "none", "attacked"], id="desktop-others", marks=pytest.mark.slow),
        pytest.param((PHONE, "dark"), ["few", "same", "none"], id="phone-others", marks=pytest.mark.slow),
    ],
)
def test_the_page_fits_and_has_no_serious_fault(pages, browser, look, names):
    with shared(browser, *look) as page:
        for name in names:
            page.goto(f"file://{pages}/{name}.html")
            page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
            assert faults(page, rules=None if look[0] == DESKTOP else BY_LOOKS) == []
            assert page.errors == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert all(url.startswith("file:") for url in page.asked)


@needs_chromium
def test_filters_search_and_links_work(pages, browser):
    with shared(browser) as page:
        page.goto(f"file://{pages}/few.html")
        shown = page.locator(".questions > article:visible")
        assert shown.count() == 3
        page.locator("[data-filter=flow][data-value=correct-refused]").click()
        assert shown.count() == 1
        assert page.locator(".status").inner_text() == "1 of 3 shown: correct → refused"
        page.locator(".clear").click()
        page.locator("input[type=search]").fill("60 DAYS lease-1")
        assert shown.count() == 1
        page.evaluate("location.hash = '#q=case-9'")
        page.wait_for_function("!document.getElementById('q=case-9').hidden")
        page.locator("[data-filter=cause][data-value=miscited]").click()
        assert shown.count() == 1
        page.get_by_role("button", name="Worse").click()
        assert shown.count() == 0
        assert page.locator(".nothing").is_visible()
        page.locator(".clear").click()
        page.get_by_role("button", name="Another cause").click()
        assert shown.count() == 1
        assert page.get_by_role("button", name="Better").count() == 0  # none got better
        page.get_by_role("button", name="All", exact=True).click()
        for key, there in (("j", "lease-1"), ("j", "lease-2"), ("k", "lease-1")):
            page.keyboard.press(key)
            assert page.evaluate("document.activeElement.closest('article')?.id") == f"q={there}"
        page.goto(f"file://{pages}/few.html#q=lease-4")
        page.reload()
        assert page.locator("[id='q=lease-4']").get_attribute("open") is not None
        assert page.errors == []


@needs_chromium
def test_everything_shown_is_readable_without_script(pages, browser):
    with alone(browser, java_script_enabled=False) as page:
        page.goto(f"file://{pages}/few.html")
        assert page.locator(".questions > article:visible").count() == 3
        assert not page.locator(".tools").is_visible()
        page.locator("[data-filter=flow][data-value=correct-wrong]").click()
        assert page.url.endswith("#q=lease-1")
