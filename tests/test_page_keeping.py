"""What the page of a run keeps of its records: the worst of them, within a number and a size."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from run_pages import Page, page, unpack
from scorecards import FAIL, SIGNATURE, UNKNOWN, card, claim, loose

from showable.measure.summary import summarise
from showable.measure.worst import place
from showable.records import Finding, Record, Source
from showable.records.signature import Thresholds
from showable.report.page.body import MOST_ITEMS, body_of
from showable.report.page.keeping import Keeping
from showable.report.page.packing import dump, pack
from showable.report.page.write import page_parts
from showable.report.run_view import Entry, RunView


def test_a_passage_that_records_share_is_kept_once():
    shared, own = "Shared passage. " * 40, "Only here. " * 30
    entries = [
        Entry(Record(id=f"q{n:03}", question="?", answer="!", retrieved=(Source(source_id="s", text=shared), Source(source_id="o", text=f"{own}{n}"))), card(f"q{n:03}"))
        for n in range(120)
    ]  # fmt: skip
    keeping = Keeping(Thresholds())
    keeping.add_all(entries)
    packed = pack(keeping)
    blocks = [unpack(block) for block in packed.blocks]
    texts = [text for block in blocks for text in block["texts"]]
    assert texts.count(shared) == 1
    assert len(texts) == 121
    assert packed.index["texts"] == [0, 51, 101], "50 records a block, the shared passage in the first"
    for block in blocks:
        for body in block["records"]:
            assert [texts[passage["text"]] for passage in body["passages"]] == [shared, f"{own}{int(body['id'][1:])}"]


@settings(max_examples=40)
@given(st.permutations(range(30)), st.integers(1, 30))
def test_the_worst_are_kept_whatever_the_order(order, most):
    cards = [card(f"q{n:02}", ("correct", "wrong", "unknown", "refused", "unsupported")[n % 5]) for n in range(30)]
    keeping = Keeping(Thresholds(), most=most)
    keeping.add_all(Entry(Record(id=cards[n].id, question="?", answer="!"), cards[n]) for n in order)
    assert [kept.place for kept, _ in keeping.records()] == sorted(map(place, cards))[:most]


def test_beyond_its_memory_the_keeping_lets_the_best_go():
    def entry(n):
        text = "".join(chr(0x4E00 + (n * 7919 + i * i) % 20000) for i in range(3000))
        return Entry(
            Record(id=f"q{n:02}", question="?", answer="!", retrieved=(Source(source_id="d", text=text),)),
            card(f"q{n:02}", "wrong"),
        )

    keeping = Keeping(Thresholds(), memory=60_000)
    keeping.add_all(map(entry, range(40)))
    ids = [body["id"] for _, body in keeping.records()]
    assert 1 < len(ids) < 40
    assert ids == [f"q{n:02}" for n in range(len(ids))]
    assert keeping.seen == 40
    keeping.add(Entry(Record(id="q39", question="?", answer="!"), card("q39", "wrong")))
    assert len(keeping) == len(ids), "a small one is not kept where worse ones had to go"


def test_the_page_says_how_many_answers_it_does_not_hold(monkeypatch):
    monkeypatch.setattr("showable.report.page.keeping.MOST_RECORDS", 25)
    monkeypatch.setattr(Keeping.__init__, "__kwdefaults__", {"most": 25, "memory": 10**8})
    made = page([card(f"q{n:03}", "wrong" if n == 130 else "correct") for n in range(131)])
    assert "holds the 25 answers that most need a look" in made.text
    assert "106 of 131 are not shown here: all are in runs/first/scores.jsonl" in made.text
    assert made.index["rows"][0][0] == "q130"
    assert made.index["n"] == 131
    assert "not shown here" not in page([card("q")]).text


def test_blocks_stop_where_the_bytes_are_used_up():
    entries = [Entry(Record(id=f"q{n:03}", question="?", answer=f"{n} " * 50), card(f"q{n:03}")) for n in range(300)]
    keeping = Keeping(Thresholds())
    keeping.add_all(entries)
    whole = pack(keeping)
    assert whole.count == 300
    part = pack(keeping, most_bytes=sum(map(len, whole.blocks)) // 2)
    assert 0 < part.count < 300
    assert part.count % 50 == 0
    assert part.blocks == whole.blocks[: len(part.blocks)]
    assert len(part.index["rows"]) == part.count


def test_an_endless_record_is_cut_and_says_so():
    claims = [claim("supported", text=f"Claim number {i}.") for i in range(MOST_ITEMS + 7)]
    claims[-1] = claim("contradicted", text="The last.")
    findings = tuple(Finding(code="semantic.unjudged", outcome=UNKNOWN) for _ in range(MOST_ITEMS + 5))
    scored = card("q", "wrong", claims=tuple(claims), loose=(loose(FAIL),) * (MOST_ITEMS + 2), findings=findings)
    record = Record(
        id="q",
        question="?",
        answer="a" * 100_000,
        retrieved=tuple(Source(source_id=f"d{n}", text="b" * 50_000) for n in range(40)),
    )
    body, texts = body_of(record, scored, Thresholds())
    assert body["more"] == 40_000
    assert body["claims_more"] == 7
    assert body["claims"][-1]["text"] == "The last.", "the claim that decides is kept wherever it stands"
    assert body["findings_more"] == 5
    assert {len(text) for text in texts} == {15_000}, "600,000 characters for 40 passages"
    assert body["passages"][39]["more"] == 35_000


@pytest.mark.slow
def test_the_page_stays_under_thirty_megabytes_however_hostile_the_run():
    """Characters that take four bytes, do not compress, and are six bytes long where they are escaped."""
    text = "".join(chr(0x10000 + (n * n * 7919 + n * 104729) % 0x8000) for n in range(30_000))
    keeping = Keeping(Thresholds())

    def entry(n):
        part = text[n:] + text[:n] + "'\"<&>" * 200
        claims = tuple(claim("unsupported", text=part[i * 90 : i * 90 + 2_000]) for i in range(300))
        record = Record(
            id=f"{n}{part[:600]}", question=part, answer=part, retrieved=(Source(source_id="d", text=part),)
        )
        return Entry(record, card(record.id, "wrong", claims=claims, category="'" * 600))

    keeping.add_all(map(entry, range(20)))
    cards = [entry(n).card for n in range(20)]
    html = "".join(page_parts(RunView("x", summarise(cards, SIGNATURE), lambda: iter(())), keeping))
    assert len(html.encode()) < 30e6
    assert 0 < len(Page(html).index["rows"]) <= 20


@given(st.recursive(st.text(), lambda inner: st.lists(inner, max_size=3), max_leaves=5))
def test_json_in_a_script_reads_back_and_never_ends_it(value):
    written = dump(value)
    assert json.loads(written) == value
    assert "<" not in written
