"""What each scanner of the guard costs an answer, in microseconds of CPU, and what they flag in clean text.

    python benchmarks/guard_scanners.py [--data ../shared/data] [--rounds N]

The answer is 2,000 characters of clean legal prose with citations, the log eight passages of 5,000; hostile texts of
20,000 characters are made of what each scanner looks for. Least of N rounds, of process time, which other processes on
the machine lengthen by a third or so. `personal_data` is measured where presidio is installed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from itertools import islice
from pathlib import Path

from showable.errors import SettingError
from showable.production.guard.call import GivenAnswer, GuardCall
from showable.production.guard.scanners.choose import choose_scanners
from showable.production.guard.scanners.topics import Topic
from showable.read.injection import _REMEMBERED
from showable.read.scan.everything import scan_addresses, scan_hidden
from showable.records.record import Source

PROSE = "The court held that notice must be given within thirty days [1]; see Smith v. Jones, 412 F. Supp. 3d 891. "
PASSAGE = (
    "A tenant who holds over after the term pays double rent for the time of holding over, as § 7.2 of the lease says. "
)
NAMES = ("injection", "code", "secrets", "language", "topics", "personal_data")
TOPICS = {"tax": Topic(words=("VAT", "withholding tax", "excise"), patterns=(r"(?i)\btax(?:able|ation)\b",))}
HOSTILE = (
    "<a onx=",
    "javascript:",
    "'; drop table a",
    "' union select ",
    "`<b>` ",
    "ghp_",
    "eyJhbGciOiJIUzI1NiJ9.eyJ",
    "4111 1111 ",
)


def of_length(piece: str, length: int) -> str:
    """Repeat a piece to a length."""
    return (piece * (length // len(piece) + 1))[:length]


def least(work, rounds: int) -> float:
    """Return the least time of some rounds, in microseconds."""
    times = []
    for _ in range(rounds):
        start = time.process_time_ns()
        for _ in range(20):
            work()
        times.append((time.process_time_ns() - start) / 20_000)
    return min(times)


def call_of(answer: str, passage: str = PASSAGE) -> GuardCall:
    """Build a call with eight passages."""
    log = tuple(Source(source_id=str(n), text=of_length(f"{n} {passage}", 5000)) for n in range(8))
    return GuardCall("chat", "When must notice be given?", (GivenAnswer(answer),), log)


def clean_calls(data: Path) -> list[GuardCall]:
    """Return calls whose answer and passage are one clause of a contract, or one paragraph of an abstract."""
    texts: list[str] = []
    for name in ("contractnli", "pubmedqa"):
        with gzip.open(data / "qa" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            rows = map(json.loads, islice(lines, 1100))
            texts += dict.fromkeys(passage["text"] for row in rows for passage in row["passages"])
    return [GuardCall("chat", "What?", (GivenAnswer(text),), (Source(source_id="1", text=text),)) for text in texts]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args()
    scanners = {}
    for name in NAMES:
        try:
            (scanners[name],), _ = choose_scanners([name], TOPICS)
        except SettingError as error:
            print(f"{name}: left out, {error}")
    answer = of_length(PROSE, 2000)
    call, hostile = call_of(answer), [call_of(of_length(piece, 20_000)) for piece in HOSTILE]
    print(f"{'scanner':<22} {'µs, clean answer':>17} {'µs, worst of 20,000 characters':>31}")
    for name, work in (("addresses", scan_addresses), ("hidden_characters", scan_hidden)):
        worst = max(least(lambda w=work, c=c: list(w(c.answers[0].text)), 1) for c in hostile)
        print(f"{name + ' (always)':<22} {least(lambda w=work: list(w(answer)), given.rounds):>17.1f} {worst:>31.0f}")
    for name, scanner in scanners.items():
        worst = max(least(lambda s=scanner, c=c: list(s(c)), 1) for c in hostile)
        print(f"{name:<22} {least(lambda s=scanner: list(s(call)), given.rounds):>17.1f} {worst:>31.0f}")
    _REMEMBERED.clear()
    start = time.process_time_ns()
    list(scanners["injection"](call))
    print(f"injection, passages seen for the first time: {(time.process_time_ns() - start) / 1000:.0f} µs")
    if not given.data.is_dir():
        print(f"clean texts: {given.data} is missing")
        return
    calls = clean_calls(given.data)
    for name, scanner in scanners.items():
        flagged = sum(bool(list(scanner(one))) for one in calls)
        print(f"{name:<22} flags {flagged} of {len(calls)} clean texts (contractnli, pubmedqa)")


if __name__ == "__main__":
    main()
