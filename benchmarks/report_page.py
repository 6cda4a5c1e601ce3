"""The page of a run: how large it gets, how long it takes to write, and how soon a reader can use it.

Runs are made up here: answers of a few sentences that cite passages of about 1,200 or 20,000 characters, a few of which
several questions share. Time to interactive is from navigation (a file on disk) to the moment the page answers to keys, in
Chromium; the search goes through everything for words that stand in one passage alone.

    python benchmarks/report_page.py [--records 5000] [--large 100000]
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from playwright.sync_api import sync_playwright

from showable.measure.summary import summarise
from showable.records import Gold, Record, Scorecard, Source
from showable.records.findings import Finding, Outcome, Subject
from showable.records.scorecard import ChunkScore, CitationScore, ClaimScore
from showable.records.signature import Signature
from showable.report.html import render_run
from showable.report.run_view import Entry, RunView

SIGNATURE = Signature(version="0", rubric="0", parser="0", judge="made-up")
MADE_UP = 5_000
PASSAGES = 3
CLAIMS = 4
SYLLABLES = (
    "ba",
    "ce",
    "di",
    "fo",
    "gu",
    "ha",
    "je",
    "ki",
    "lo",
    "mu",
    "na",
    "pe",
    "ri",
    "so",
    "tu",
    "va",
    "we",
    "gru",
)


def words(chance: random.Random, characters: int) -> str:
    """Make prose of about this many characters out of words that repeat as words of a language do."""
    made: list[str] = []
    size = 0
    while size < characters:
        rank = int(chance.paretovariate(0.9))
        word = "".join(random.Random(rank).choices(SYLLABLES, k=1 + rank % 3))  # noqa: S311 - no secret
        made.append(word)
        size += len(word) + 1
    return " ".join(made)


def entries(count: int, characters: int) -> Iterator[Entry]:
    """Yield a run of `count` records whose passages have about `characters` characters; beyond 5,000 they come again under other ids."""
    made = made_up(min(count, MADE_UP), characters)
    for number in range(count):
        record, card = made[number % len(made)]
        if number >= len(made):
            name = {"id": f"question-{number:06}"}
            record, card = record.model_copy(update=name), card.model_copy(update=name)
        yield Entry(record, card)


@cache
def made_up(count: int, characters: int) -> list[Entry]:
    """Make records that have passages of their own."""
    chance = random.Random(7)  # noqa: S311 - no secret
    stock = [words(chance, characters) for _ in range(200)]
    return [entry(number, chance, stock) for number in range(count)]


def entry(number: int, chance: random.Random, stock: list[str]) -> Entry:
    """Make one record with its scorecard; one passage in three is shared with other records."""
    texts = [chance.choice(stock), *(varied(chance, chance.choice(stock), number) for _ in range(PASSAGES - 1))]
    sources = tuple(
        Source(source_id=f"doc-{number}-{n}", title=words(chance, 40), page=n, text=text)
        for n, text in enumerate(texts)
    )
    sentences = [f"{words(chance, 90).capitalize()} [{n % PASSAGES + 1}]." for n in range(CLAIMS)]
    bucket = chance.choices(("correct", "refused", "unsupported", "wrong", "unknown"), (60, 15, 15, 7, 3))[0]
    record = Record(
        id=f"question-{number:06}",
        question=f"{words(chance, 70).capitalize()}?",
        retrieved=sources,
        answer=" ".join(sentences),
        gold=Gold(answer=words(chance, 60), answerable=True, category="answerable"),
    )
    return Entry(record, scored(record, sentences, bucket, chance))


def varied(chance: random.Random, text: str, number: int) -> str:
    """Make a passage that no other record has: the words of a stock passage in another order, and its number."""
    parts = text.split(" ")
    at = chance.randrange(len(parts))
    chance.shuffle(parts)
    return " ".join([*parts[at:], f"needle{number}", *parts[:at]])


def scored(record: Record, sentences: list[str], bucket: str, chance: random.Random) -> Scorecard:
    """Make a scorecard that could belong to the record."""
    claims, at = [], 0
    good = bucket in ("correct", "refused")
    for n, sentence in enumerate(sentences):
        outcome = Outcome.PASS if good or n else Outcome.FAIL
        relied = chance.randrange(400)
        citation = CitationScore(
            source_id=record.retrieved[n % PASSAGES].source_id,
            raw=f"[{n % PASSAGES + 1}]",
            exists=Outcome.PASS,
            resolves=Outcome.PASS,
            supports=outcome,
            quote_span=(relied, relied + 90),
            span=(at + len(sentence) - 4, at + len(sentence) - 1),
        )
        claims.append(
            ClaimScore(
                text=sentence,
                span=(at, at + len(sentence)),
                support="supported" if outcome is Outcome.PASS else "unsupported",
                p=round(chance.random(), 3),
                citations=(citation,),
            )
        )
        at += len(sentence) + 1
    finding = Finding(
        code="semantic.not_entailed", outcome=Outcome.FAIL, subject=Subject(claim=0, citation=0), reason="not in it"
    )
    return Scorecard(
        id=record.id,
        bucket=bucket,  # type: ignore[arg-type] - one of the five
        cause=None if bucket == "correct" else "no_evidence",
        citation_exists=Outcome.PASS,
        citation_supports=Outcome.PASS if good else Outcome.FAIL,
        category="answerable",
        claims=tuple(claims),
        chunks=tuple(ChunkScore(source_id=one.source_id, chars=len(one.text or "")) for one in record.retrieved or ()),
        findings=() if good else (finding,),
        gold_agreement="agrees" if good else "absent",
    )


def run(count: int, characters: int) -> RunView:
    """Give a made-up run as a report sees it."""
    stream = partial(entries, count, characters)
    summary = summarise((card for _, card in stream()), SIGNATURE, run="runs/made-up")
    return replace(RunView("made-up", summary, stream), name=f"{count} records")


def in_chromium(path: Path) -> tuple[float, float, float]:
    """Give the seconds until the page answers, until a record is read, and until a search has been through everything."""
    executable = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.goto("about:blank")
        began = time.perf_counter()
        page.goto(path.as_uri(), wait_until="commit")
        page.wait_for_selector("html[data-ready] a.row", state="attached")
        usable = time.perf_counter() - began
        began = time.perf_counter()
        page.keyboard.press("j")
        page.keyboard.press("o")
        page.wait_for_selector("#reader .claim-card")
        read = time.perf_counter() - began
        page.keyboard.press("Escape")
        began = time.perf_counter()
        page.fill("#search", "needle7")
        page.wait_for_selector("#status[data-searched=needle7]", timeout=120_000)
        searched = time.perf_counter() - began
        browser.close()
    return usable, read, searched


MOST_MB = 30


def measure(count: int, characters: int, folder: Path) -> str:
    """Give one line of the table."""
    view = run(count, characters)
    began = time.perf_counter()
    html = render_run(view)
    rendering = time.perf_counter() - began
    path = folder / f"{count}-{characters}.html"
    path.write_text(html, encoding="utf-8")
    usable, read, searched = in_chromium(path)
    size = path.stat().st_size / 1e6
    assert size < MOST_MB, f"the page of {count:,} records has {size:.1f} MB"
    shown = len(json.loads(html.split('id="index">', 1)[1].split("</script>", 1)[0])["rows"])
    return f"{count:>8,} {characters:>8,} {shown:>7,} {size:>8.1f} {rendering:>9.1f} {usable:>8.2f} {read:>8.2f} {searched:>8.1f}"


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--records", type=int, default=5_000)
    options.add_argument("--large", type=int, default=100_000)
    options.add_argument("--memory", action="store_true", help="also trace the peak of memory of the large run")
    chosen = options.parse_args()
    print(" records  passage   shown       MB  render s  usable s  record s  search s")
    with tempfile.TemporaryDirectory() as folder:
        sizes = [(chosen.records, 1_200), (chosen.records, 20_000)]
        for count, characters in [*sizes, *([(chosen.large, 1_200)] if chosen.large else [])]:
            print(measure(count, characters, Path(folder)), flush=True)
    if chosen.memory:
        tracemalloc.start()
        render_run(run(chosen.large, 1_200))
        print(f"peak of memory over the large run: {tracemalloc.get_traced_memory()[1] / 1e6:.0f} MB", file=sys.stderr)


if __name__ == "__main__":
    main()
