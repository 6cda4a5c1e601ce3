"""Runs as reports see them, made of scorecards by hand, and each format read back."""

from __future__ import annotations

import csv
import io
import json

from lxml import etree
from scorecards import FAIL, PASS, SIGNATURE, UNKNOWN, card, claim, few_cards

from showable.measure.summary import summarise
from showable.records import Finding, Gold, Record, Source, Subject
from showable.report.junit import write_junit
from showable.report.run_view import Entry, RunView
from showable.report.sarif import write_sarif
from showable.report.table import write_table

NAME_300 = "n" * 300
HEBREW = "תקופת ההודעה היא שלושים יום"
HOSTILE = [
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "]]><failure/><!-- & \" ' -->",
    "| a | b |\n|---|---|\n| 1 | 2 |\n\n</details>\n# heading",
    "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x00\x01\x08\x0b",
    "@octocat fixes #1 ![x](http://evil.example/a.png) [y](javascript:alert(1)) `code`",
    "\ufffe\uffff \ud800 half \udfff",
    '=HYPERLINK("http://evil.example")',
    f"\u202e{HEBREW}\u2066",
    "\t+cmd|' /C calc'!A0",
    "```\nfence\n~~~",
]  # fmt: skip


def size(text):
    """Count UTF-16 units: no service counts more characters for the same text."""
    return len(text.encode("utf-16-le")) // 2


def recorded(scored, **fields):
    """A record that a scorecard may be of: its claims are its answer, and it cites what was retrieved."""
    answer = " ".join(one.text for one in scored.claims) or "Nothing can be said."
    retrieved = [Source(source_id="d1", text="The usual dose is 40 mg a day. It is taken with food.", title="Leaflet")]
    return Record(**{"id": scored.id, "question": "How much?", "answer": answer, "retrieved": retrieved, **fields})


def view_of(cards, kept=None, name="run-1", **changed):
    cards = list(cards)
    kept = [recorded(one) for one in cards] if kept is None else list(kept)
    summary = summarise(cards, SIGNATURE, "runs/run-1").model_copy(update=changed)
    return RunView(name, summary, lambda: (Entry(*pair) for pair in zip(kept, cards, strict=True)))


def hostile_entry(text, key="x"):
    """One wrong answer with the text in every field that can hold it. Copies are not validated, so halves of characters stand too."""
    said = claim("contradicted", (PASS, FAIL), log_support=FAIL, contradicted=PASS, contradicted_by=("d1",))
    said = said.model_copy(
        update={"text": text, "kind": text, "contradicted_by": (text,), "gold": "disagrees", "span": (0, len(text))}
    )
    finding = Finding(code="semantic.contradicted", outcome=FAIL, subject=Subject(claim=0), where=(0, len(text)))
    other = Finding(code="structural.pattern", outcome=UNKNOWN)
    scored = card(key, "wrong", cause="contradicts_gold").model_copy(
        update={
            "id": text + key,
            "why": text,
            "category": text,
            "claims": (said,),
            "findings": (finding.model_copy(update={"reason": text}), other.model_copy(update={"code": text})),
            "question_hash": text,
        }
    )
    source = Source(source_id="d1").model_copy(update={"source_id": text, "text": text, "title": text})
    record = Record(id="x", question="q", answer="a", gold=Gold()).model_copy(
        update={
            "id": text + key,
            "question": text,
            "answer": text,
            "retrieved": (source,),
            "gold": Gold().model_copy(update={"answer": text}),
        }
    )
    return Entry(record, scored)


def hostile_view(texts):
    entries = [hostile_entry(text, str(n)) for n, text in enumerate(texts)]
    cards = [entry.card for entry in entries]
    return view_of(cards, [entry.record for entry in entries], name=texts[0])


def written(write, *given):
    file = io.BytesIO()
    write(*given, file)
    return file.getvalue()


def junit_of(view):
    return etree.fromstring(written(write_junit, view))


def sarif_of(view, **bounds):
    file = io.BytesIO()
    write_sarif(view, file, **bounds)
    return json.loads(file.getvalue())


def table_of(view):
    text = written(write_table, view).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


WHAT_COMES = {
    "nothing": [],
    "one": [card("only", "wrong", cause="contradicts_gold")],
    "all unknown": [card(f"u{n}", "unknown", cause="undecided", why="the judge timed out") for n in range(5)],
    "every bucket": list(few_cards()),
}
