"""Speed and memory of everything but the judge, on answers made here.

One answer: 10 claims, 12 citations, 8 sources of 1,500 characters. The judge answers at once
(`supported`), so that what is timed is reading, gathering, the rubrics and the scorecard.

    python benchmarks/speed.py             the table
    python benchmarks/speed.py --records N the number of records streamed from disk (default 100,000)

Of an answer under the legal profile with 6 references to the world, what finding them, placing them in the log
and all scanners add is timed too: exit 1 where that is over 2 ms. It is the least of five medians; a loaded
machine can still exceed it.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median

from showable.evaluation import evaluate_one, evaluate_stream
from showable.profiles.load import load_profile
from showable.read.answer import read_answer
from showable.read.log_references import place
from showable.read.markers import find_markers
from showable.read.reference_lists import find_reference_list
from showable.read.references.find import find_references
from showable.read.resolve import resolve
from showable.records import GENERAL, Cost, Record, Verdict
from showable.rubrics.checks import Checks
from showable.rubrics.retrieval_log import RetrievalLog
from showable.rubrics.scanning import check_scans
from showable.rubrics.structural import check_structure

FACTS = (
    "The lease of Unit {i} runs for ten years from 1 March 20{i}4 and may be ended by either party on six months' written notice",
    "Rent of ${i},400 a month falls due on the first working day and bears interest at {i}.5 % when it is late",
    "The Tenant keeps the interior in repair, and the Landlord the roof and the outer walls, under clause {i}.2",
)
CITED = (
    "A party may waive the clause by its conduct. Hollins v. Marden Freight Co., 412 F.3d 118, 124 (7th Cir. 2005). "
    "Acceptance of late rent over eleven months was enough there, although the lease asked for a waiver in writing. "
    "The Constitution protects the choice, as Obergefell v. Hodges, 576 U.S. 644 (2015), holds, and 42 U.S.C. § 1983 gives "
    "the remedy against those who act under color of state law.\n\n"
    "Notice follows 17 C.F.R. § 240.10b-5 where securities are part of the price. The notice has to name the clause, the "
    "amount of $14,250, and the day on which the breach is to be cured, which may be no sooner than 30 days after it is "
    "received. Surveys of practice agree that most landlords wait for twice as long "
    "(https://doi.org/10.1000/xyz123; doi:10.5555/12345678). The rent stays due in the meantime, with interest of 4.5 % "
    "a year, and the tenant remains answerable for repairs to the interior under clause 7.2 until the keys are returned."
)
CITED_LOG = [
    {"source_id": "obergefell", "title": "Obergefell v. Hodges, 576 U.S. 644 (2015)", "text": FACTS[2] * 8},
    {
        "source_id": "survey",
        "title": "A survey of practice",
        "metadata": {"doi": "10.1000/xyz123"},
        "text": FACTS[0] * 8,
    },
    *({"source_id": f"lease-{i}", "title": f"Lease {i}", "text": FACTS[i % 3] * 8} for i in range(6)),
]
SIX = 6
LIMIT_MS = 2.0
JUDGE_NAME = "instant@1"


class Instant:
    """A judge that takes no time."""

    name, prompt_hash = JUDGE_NAME, None
    _verdict = Verdict(label="supported", judge=JUDGE_NAME, p=0.9)

    async def verdicts(self, pairs):
        return [self._verdict] * len(pairs)

    def estimate(self, pairs):  # noqa: ARG002 - the protocol gives them
        return Cost()


def make_record(number: int = 0) -> Record:
    """Make the answer of the table: 10 claims, 12 citations."""
    facts = [FACTS[i % 3].format(i=i + 1) for i in range(10)]
    sources = []
    for s in range(8):
        text = ". ".join(FACTS[(s + k) % 3].format(i=s + k + 1) for k in range(20))
        sources.append({"source_id": f"doc-{s}", "text": text[:1500], "title": f"Lease {s}"})
    marks = [f"[{i % 8 + 1}]" if i % 5 else f"[{i % 8 + 1}, {i % 8 + 2 if i % 8 < 7 else 1}]" for i in range(10)]
    answer = " ".join(f"{fact} {mark}." for fact, mark in zip(facts, marks, strict=True))
    return Record.model_validate(
        {"id": f"r{number}", "question": "What does the lease say?", "retrieved": sources, "answer": answer}
    )


def make_cited_record() -> Record:
    """Make an answer with six references to the world, two of them in the log."""
    return Record.model_validate(
        {"id": "cited", "question": "Is the clause enforceable?", "retrieved": CITED_LOG, "answer": CITED}
    )


def added() -> tuple[float, float]:
    """Time finding the references of an answer, and joining them to the log with all scanners, in milliseconds."""
    record, profile = make_cited_record(), load_profile("legal")
    found = find_references(CITED)
    assert len(found) == SIX, f"the answer must have {SIX} references, has {[one.reference.text for one in found]}"
    reading = read_answer(record)
    number = itertools.count()

    def find() -> None:
        find_references(f"{CITED} {next(number)}")  # another text each time, so that nothing is answered from memory

    def join() -> None:
        for one in found:
            place(one.reference, record.retrieved)
        check_scans(replace(reading, text=f"{CITED} {next(number)}"), RetrievalLog(record), profile, Checks())

    return min(timed(find, 100) for _ in range(5)), min(timed(join, 100) for _ in range(5))


def timed(work: Callable[[], object], rounds: int = 400) -> float:
    """Time a piece of work: the median of `rounds`, in milliseconds."""
    work()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return median(times) * 1000


def parts(record: Record) -> dict[str, float]:
    """Time the parts of the flow on one record."""
    reading = read_answer(record)
    assert reading.answer is not None
    claims = reading.answer.claims
    counted = len(claims), sum(len(claim.citations) for claim in claims)
    assert counted == (10, 12), f"the answer must have 10 claims and 12 citations, has {counted}"
    nothing = find_reference_list("")
    loop = asyncio.new_event_loop()
    try:
        return {
            "finding and joining markers": timed(lambda: resolve(find_markers(reading.text)[0], nothing, record)),
            "structural rubric": timed(lambda: check_structure(record, reading, RetrievalLog(record), Checks())),
            "reading": timed(lambda: read_answer(record)),
            "everything but the judge": timed(
                lambda: loop.run_until_complete(evaluate_one(record, Instant(), GENERAL))
            ),
        }
    finally:
        loop.close()


async def stream(count: int) -> float:
    """Score a stream of records: answers a second."""
    records = [make_record(i) for i in range(count)]
    start = time.perf_counter()
    async for _ in evaluate_stream(records, Instant(), GENERAL):
        pass
    return count / (time.perf_counter() - start)


def write_records(path: Path, count: int) -> None:
    """Write small records to disk: a question, two sources, an answer of one claim."""
    source = [
        {"source_id": "a", "text": "The notice period is thirty (30) days."},
        {"source_id": "b", "text": "Rent is due monthly."},
    ]
    with path.open("w") as handle:
        for i in range(count):
            row = {
                "id": f"r{i}",
                "question": "q?",
                "retrieved": source,
                "answer": "The notice period is thirty days [1].",
            }
            handle.write(json.dumps(row) + "\n")


def memory(count: int) -> tuple[float, float]:
    """Score records streamed from disk by the command line: peak MB of the process, records a second."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.jsonl"
        write_records(path, count)
        start = time.perf_counter()
        command = [
            sys.executable,
            "-m",
            "showable",
            "score",
            str(path),
            "--judge",
            "lexical",
            "--out",
            f"{folder}/run",
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603 - our own command
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, count / (time.perf_counter() - start)


def main() -> int:
    """Print the table, and say whether references and scanners add as little as they may."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--records", type=int, default=100_000)
    count = options.parse_args().records
    print("an answer of 10 claims and 12 citations over 8 sources of 1,500 characters, median of 400")
    for name, ms in parts(make_record()).items():
        print(f"  {name:<28}{ms:8.3f} ms")
    found, joined = added()
    print(f"  finding six references      {found:8.3f} ms, in an answer of {len(CITED):,} characters")
    print(f"  joining them, all scanners  {joined:8.3f} ms, under the legal profile")
    print(f"  streamed, one core          {asyncio.run(stream(1000)):8.0f} answers/s")
    small, _ = memory(1000)
    peak, rate = memory(count)
    print(f"small records streamed from disk, judged by `lexical`, into a run folder: {rate:.0f}/s")
    print(f"  peak memory of {1000:>9,} records {small:8.0f} MB\n  peak memory of {count:>9,} records {peak:8.0f} MB")
    if joined > LIMIT_MS:
        print(f"the join and the scanners add over {LIMIT_MS:g} ms to an answer", file=sys.stderr)
    return 1 if joined > LIMIT_MS else 0


if __name__ == "__main__":
    sys.exit(main())
