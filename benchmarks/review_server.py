"""How long the labelling page takes over a run of 5,000 records: to open it, to answer with a page, to keep a label.

    python benchmarks/review_server.py [N]

The run is made here, in a temporary folder: answers of two claims and three citations, ten passages of about 800 characters.
The figures are the medians of the repeats, beside the time that parsing the whole run takes.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from review_server import served, small_run

from showable.records.evidence import Evidence
from showable.records.record import Record
from showable.records.scorecard import Scorecard
from showable.review.reading_runs import OpenRun
from showable.stores.run_folder import EVIDENCE, RECORDS, SCORES, read_run_lines

REPEATS = 5
PASSAGE = "Leave: every employee has 20 days of leave, and carries at most five of them over. " * 10


def median_of(do: Callable[[], object], repeats: int = REPEATS) -> float:
    """Give the median seconds of a few calls."""
    taken = []
    for _ in range(repeats):
        began = time.perf_counter()
        do()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def parse_all(run: Path) -> None:
    """Read the run as a whole, as a page without an index would have to."""
    for name, model in ((RECORDS, Record), (EVIDENCE, Evidence), (SCORES, Scorecard)):
        for _ in read_run_lines(run / name, model):
            pass


def main() -> None:
    """Print the figures."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    with tempfile.TemporaryDirectory() as folder:
        run = small_run(Path(folder) / "run", n, passage=PASSAGE, more_passages=8)
        size = sum((run / name).stat().st_size for name in (RECORDS, EVIDENCE, SCORES))
        print(f"{n:,} records, {size / 1e6:.0f} MB")
        index, parse = median_of(lambda: OpenRun(run)), median_of(lambda: parse_all(run), 3)
        print(f"index {index:.3f} s, parsing all of it {parse:.3f} s: {parse / index:.0f} times as long")
        began = time.perf_counter()
        with served(run) as server:
            listening = time.perf_counter() - began
            server.reviewer().get("/")
            print(
                f"start of the command to the first page {time.perf_counter() - began:.2f} s, listening after {listening:.2f} s"
            )
            ada = server.reviewer("Ada", "senior")
            began = time.perf_counter()
            assert ada.post("/api/queues", {"kind": "stratified", "overlap": 50}).status_code == 200
            print(f"a queue of all records {time.perf_counter() - began:.2f} s")
            ada.get("/label/stratified")
            print(f"the start page {median_of(lambda: ada.get('/')) * 1e3:.0f} ms", end=", ")
            print(f"a record's page {median_of(lambda: ada.get('/label/stratified/1'), 20) * 1e3:.0f} ms", end=", ")
            values = iter(["supported", "partial"] * 20)
            kept = median_of(lambda: ada.label("r7", "support", next(values), 0, 0, queue="stratified"), 20)
            print(f"a label kept {kept * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
