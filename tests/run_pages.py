"""Runs to look at, and the page of a run: as it is written, read without a browser; and opened in one Chromium."""

from __future__ import annotations

import base64
import gzip
import json
from contextlib import contextmanager
from html.parser import HTMLParser

from browser import alone, shared
from scorecards import FAIL, PASS, SIGNATURE, card, claim, few_cards

from showable.measure.summary import summarise
from showable.records import Finding, Gold, Record, Source, Subject
from showable.records.scorecard import CitationScore, Release
from showable.report.html import render_run
from showable.report.run_view import Entry, RunView

VOID = {"meta", "br", "input"}
ANSWER = "The dose is 400 mg [1]. مقدار الجرعة 😀 أربعون. It is taken with food."
TABLE = "| Drug | Dose |\n|------|------|\n| A    | 1 mg |\n| BB   | 20 mg |"
PASSAGE = "Dosing. The dose is 40 mg once daily, and no more than that. Crème brûlée is not a contraindication."


class Page(HTMLParser):
    """Collects what a page would show without script, and what it holds in scripts."""

    def __init__(self, html):
        super().__init__()
        self.html, self.text, self.tags, self.attributes, self.open, self.scripts = html, "", [], [], [], []
        self.feed(html)
        self.close()
        self.text = " ".join(self.text.split())

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag == "script":
            self.scripts.append([dict(attrs), ""])
        if tag not in VOID and not self.get_starttag_text().endswith("/>"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] == ["script"]:
            self.scripts[-1][1] += data
        elif self.open[-1:] != ["style"]:
            self.text += data

    @property
    def index(self):
        return next(json.loads(text) for attributes, text in self.scripts if attributes.get("id") == "index")

    @property
    def blocks(self):
        return [unpack(text) for attributes, text in self.scripts if attributes.get("class") == "block"]


def unpack(text):
    return json.loads(gzip.decompress(base64.b64decode(text)))


def view(cards, change=None, **fields):
    cards = list(cards)
    entries = [
        Entry(Record(**{"id": c.id, "question": "How long?", "answer": "30 days [d1].", **fields}), c) for c in cards
    ]
    summary = summarise(cards, SIGNATURE, run="runs/first")
    return RunView("first", summary.model_copy(update=change or {}), lambda: iter(entries))


def page(cards, change=None, **fields):
    return Page(render_run(view(cards, change, **fields)))


def run_of(entries, **change):
    entries = list(entries)
    summary = summarise((entry.card for entry in entries), SIGNATURE, run="runs/first")
    return RunView("first", summary.model_copy(update=change), lambda: iter(entries))


def dose():
    """One record with all that the reader shows; places count characters, so that 😀 is one."""
    first = CitationScore(
        source_id="d1",
        raw="[1]",
        exists=PASS,
        supports=FAIL,
        quote_span=(8, 36),
        span=(19, 22),
        status="retracted",
        registry="crossref",
    )
    claims = (
        claim("contradicted", text="The dose is 400 mg", span=(0, 23), p=0.45, contradicted=PASS, contradicted_by=("d1",)).model_copy(update={"citations": (first,)}),
        claim("supported", text="مقدار الجرعة 😀 أربعون", span=(24, 46)),
        claim("uncited", text="It is taken with food", span=(47, 69), gold="not_applicable"),
    )  # fmt: skip
    findings = (
        Finding(
            code="semantic.contradicted",
            outcome=FAIL,
            subject=Subject(claim=0, citation=0),
            reason="40 mg",
            where=(19, 22),
        ),
        Finding(code="structural.uncited_claim", outcome=FAIL, subject=Subject(claim=2), where=(47, 69)),
    )
    scored = card("dose", "wrong", cause="contradicts_source", category="tempt_wrong", claims=claims, findings=findings, why="a retrieved passage contradicts it",
                  release=Release(verdict="hold", reasons=("it is wrong",), text="Ask a pharmacist."))  # fmt: skip
    record = Record(id="dose", question="What is the dose?", answer=ANSWER, gold=Gold(answer="40 mg", answerable=True),
                    retrieved=(Source(source_id="d1", text=PASSAGE, title="Leaflet", page=2, url="https://example.org/leaflet"), Source(source_id="d2")))  # fmt: skip
    return Entry(record, scored)


def few():
    yield dose()
    for one in few_cards():
        fields = {"retrieved": (Source(source_id="d1", text="Passage of " + one.id, url="javascript:alert(1)"),)}
        yield Entry(
            Record(id=one.id, question=f"Question {one.id}?", answer=TABLE if one.id == "lease-2" else None, **fields),
            one,
        )


def many(count):
    for n in range(count):
        bucket = ("correct", "wrong", "unsupported", "refused", "unknown")[n % 5]
        text = f"Passage {n} holds the word needle{n}." if n % 2 else "A passage that many share."
        one = card(
            f"q{n:05}",
            bucket,
            cause="no_evidence" if n % 5 == 2 else None,
            category=f"kind {n % 3}",
            claims=(claim("supported", text=f"Claim {n}."),),
        )
        yield Entry(
            Record(
                id=one.id,
                question=f"Question {n}?",
                answer=f"Claim {n}.",
                retrieved=(Source(source_id="s", text=text),),
            ),
            one,
        )


@contextmanager
def served(browser, entries, policy):
    """Open the page of a run as if from a server that sends a policy of its own; what this refuses is no fault of the page."""
    html = render_run(run_of(entries))
    with alone(browser) as page:
        page.route("**/*", lambda route: route.fulfill(body=html, headers={"content-type": "text/html; charset=utf-8", "content-security-policy": policy}))  # fmt: skip
        page.goto("http://run.example/report.html")
        yield page


@contextmanager
def opened(browser, folder, entries, fragment="", change=None, **context):
    """Write the page of a run and open it; nothing may go wrong on it, and it may fetch nothing."""
    path = folder / "report.html"
    path.write_text(render_run(run_of(entries, **(change or {}))), encoding="utf-8")
    scripts = context.get("java_script_enabled", True)
    with shared(browser, **context) if scripts else alone(browser, **context) as page:
        page.goto(f"{path.as_uri()}{fragment}")
        if scripts:
            page.wait_for_selector("html[data-ready]", state="attached")
        yield page
        assert page.errors == []
        assert {url.partition("#")[0] for url in page.asked} == {path.as_uri()}


def listed(page):
    return page.locator("#list a.row .id").all_text_contents()


def fragment(page):
    return page.url.partition("#")[2]


def search_for(page, words):
    page.fill("#search", words)
    page.wait_for_selector("#list", state="visible")
    done = words.strip().replace('"', '\\"')
    page.wait_for_selector(f'#status[data-searched="{done}"]', state="attached")
    return listed(page)
