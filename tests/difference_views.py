"""Two runs that differ, made by hand, with the page and the comment on them."""

from __future__ import annotations

import re

from scorecards import SIGNATURE, card, few_cards

from showable.measure.summary import summarise
from showable.records import Gold, Record, Source
from showable.report.difference.changes import compared
from showable.report.difference.markdown import render_gate_markdown
from showable.report.difference.page import render_difference
from showable.report.run_view import Entry, RunView
from showable.ship_gate import decide

ATTACK = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\x1b[31m\u202e@octocat #1 | `x` &amp; \ud800"
RTL = "مدة الإشعار ثلاثون يوما وفقا للبند الرابع"


def record(key="q", answer="The notice period is 30 days [1].", **fields):
    return Record(**{"id": key, "question": "How long is the notice period?", "answer": answer, **fields})


def view(entries, name="main"):
    entries = [Entry(*entry) for entry in entries]
    return RunView(name, summarise((entry.card for entry in entries), SIGNATURE), lambda: iter(entries))


def decided(baseline, candidate):
    sides = [[entry.card for entry in side.entries()] for side in (baseline, candidate)]
    return decide(*sides, SIGNATURE, SIGNATURE)


def html_of(baseline, candidate):
    return render_difference(decided(baseline, candidate), compared(baseline, candidate))


def comment_of(baseline, candidate, **limit):
    return render_gate_markdown(decided(baseline, candidate), compared(baseline, candidate), **limit)


def one_move(before="correct", after="wrong", answers=("It is 30 days [1].", "It is 60 days [1]."), key="q", **fields):
    return [
        view([(record(key, answer, **fields), card(key, bucket, answerable=True))], name)
        for bucket, answer, name in zip((before, after), answers, ("main", "candidate"), strict=True)
    ]


def few(*, moved):
    """The few cards, and the same with three moved: one to wrong, one to refused, one with another cause."""
    cards = list(few_cards())
    if moved:
        cards[0] = cards[0].model_copy(update={"bucket": "wrong", "cause": "contradicts_gold", "why": "gold says 30"})
        cards[1] = cards[1].model_copy(update={"bucket": "refused", "cause": "over_refusal", "refusal_quality": 1})
        cards[7] = cards[7].model_copy(update={"cause": "miscited"})
    answers = {c.id: f"The answer of {c.id} is 30 days [1]." for c in cards}
    if moved:
        answers |= {
            "lease-1": "The answer of lease-1 is 60 days [1].",
            "lease-4": "According to clause 4, 30 days [1].",
        }
    sources = (Source(source_id="d1", text="The period is 30 days.", title="Lease"), Source(source_id="d2", text="x"))
    log = tuple(reversed(sources)) if moved else sources
    return view(
        [(record(c.id, answers[c.id], retrieved=log, gold=Gold(answer="30 days")), c) for c in cards],
        "candidate" if moved else "main",
    )


def many(n, bucket, answer):
    return view([(record(f"q{i:05}", f"{answer} number {i}."), card(f"q{i:05}", bucket)) for i in range(n)])


CODE = re.compile(r"<code>[^<>]*</code>")
OWN_TAGS = re.compile(r"</?(?:details(?: open)?|summary|sub|del|ins|code)>")


def assert_harmless(markdown):
    """What GitHub would make of it: no markup but ours, and outside code no mention, reference or address."""
    assert "<" not in OWN_TAGS.sub("", markdown)
    bare = CODE.sub("", markdown)
    decoded = re.sub(r"&#(\d+);", lambda found: "\x00" + chr(int(found[1])), bare)
    assert not re.search(r"@\w", decoded), "a mention is found in what is rendered"
    assert not re.search(r"\x00?#\d|\bgh-\d", decoded, re.IGNORECASE)
    assert not re.search(r"https?://|www\.|ftp://", bare, re.IGNORECASE)
    assert not re.search(r"!\[|\]\(", bare)
    assert not re.search("[\x00-\x09\x0b-\x1f\u202a-\u202e\u2066-\u2069]", markdown)
