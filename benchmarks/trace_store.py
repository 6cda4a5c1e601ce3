"""How long the trace store takes to keep spans, to read them on, and to answer what the dashboard asks, at several sizes.

    python benchmarks/trace_store.py [--engine sqlite|chdb] [--spans 1,3,10] [--folder FOLDER]

Sizes are millions of spans, one scored answer to 20 spans, 15 % of them judged afterwards, over seven days. 2,000 traces are kept
through the store's own calls, and then copied within it, under other ids and at other times. Figures are medians of
the repeats, on the clock and of the processor (other work on the machine lengthens the first alone), and the ratio of the clock's to the size before. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from filled_trace_stores import BATCH, BEGAN, DAY, SERVICES, SPANS, WEEK, filled, made_trace

from showable.stores.traces.store import TraceStore, Where

REPEATS = 5
DIMENSIONS = ("structural", "resolvability", "semantic", "bucket", "cause", "refusal", "diagnosis")


def median_ms(ask: Callable[[], object]) -> tuple[float, float]:
    """Give the median milliseconds of a few calls, on the clock and of all threads of this process; the first is not counted."""
    ask()
    taken = []
    for _ in range(REPEATS):
        began, used = time.perf_counter(), time.process_time()
        ask()
        taken.append((time.perf_counter() - began, time.process_time() - used))
    return statistics.median(t for t, _ in taken) * 1e3, statistics.median(t for _, t in taken) * 1e3


def questions(store: TraceStore) -> dict[str, Callable[[], object]]:
    """Give what the dashboard asks, by name."""
    week, hour = Where(since_ns=BEGAN, until_ns=BEGAN + WEEK), DAY // 24
    failing = replace(week, failing=True)
    last = store.answers(week, limit=1)[0]
    fifty = store.answers(failing, limit=50)[-1].id
    service = replace(week, service=SERVICES[0])
    return {
        "7 dimensions by hour and service": lambda: store.counts(
            week, dimensions=DIMENSIONS, by="service", step_ns=hour
        ),
        "buckets by hour": lambda: store.counts(week, dimensions=["bucket"], step_ns=hour),
        "3 dimensions by model, one service": lambda: store.counts(
            service, dimensions=DIMENSIONS[:3], by="model", step_ns=hour
        ),
        "latest 50 answers": lambda: store.answers(week, limit=50),
        "latest 50 failures": lambda: store.answers(failing, limit=50),
        "the next 50 failures": lambda: store.answers(failing, limit=50, after=fifty),
        "50 answers by their text": lambda: store.answers(replace(week, text="987654"), limit=50),
        "values to choose from (4)": lambda: [
            store.values(by) for by in ("service", "model", "prompt_version", "profile")
        ],
        "one trace": lambda: (store.spans_of(last.trace_id), store.scores_of(last.trace_id)),
        "cited but not retrieved, 50": lambda: store.not_retrieved(week, limit=50),
        "cited but not retrieved, all": lambda: store.not_retrieved(week, limit=10**7),
        "waiting for the judge, 50": lambda: store.to_judge(50),
        "waiting to be sent on, 50": lambda: store.to_export(50),
        "how much is held": store.holdings,
    }


def rates(store: TraceStore, chance: random.Random) -> None:
    """Print spans a second into a store of this size, and out of it."""
    batches = [[s for _ in range(BATCH // SPANS) for s in made_trace(chance, BEGAN + WEEK)[0]] for _ in range(20)]
    began, used = time.perf_counter(), time.process_time()
    for batch in batches:
        store.add_spans(batch)
    into, used = 20 * BATCH / (time.perf_counter() - began), 20 * BATCH / (time.process_time() - used)
    began, position, read = time.perf_counter(), 0, 0
    while read < 50_000 and (page := store.spans_after(position, 5_000)):
        position, read = page[-1][0], read + len(page)
    print(
        f"  {into:,.0f} spans/s in (batches of {BATCH}; {used:,.0f} a second of processor), {read / (time.perf_counter() - began):,.0f} spans/s read on"
    )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", choices=["sqlite", "chdb"], default="sqlite")
    parser.add_argument("--spans", default="1", help="millions, separated by commas")
    parser.add_argument("--folder", type=Path, help="where the stores are made (a temporary folder)")
    asked = parser.parse_args()
    sizes = [int(float(size) * 1e6) for size in asked.spans.split(",")]
    load = os.getloadavg()[0]
    print(
        f"{asked.engine}, {os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}, load {load:.1f} before"
    )
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder, filled(asked.engine, Path(folder), sizes) as stores:
        before: dict[str, float] = {}
        for _, store in stores:
            held = store.holdings()
            print(f"  {held.spans:,} spans, {held.answers:,} answers, {(held.bytes or 0) / 1e6:,.0f} MB on disk")
            for name, ask in questions(store).items():
                taken, used = median_ms(ask)
                ratio = f"  {taken / before[name]:5.1f} times" if name in before else ""
                print(f"  {name:36} {taken:9.1f} ms  {used:9.1f} ms of processor{ratio}")
                before[name] = taken
            rates(store, random.Random(1))  # noqa: S311 - no secret
            sys.stdout.flush()


if __name__ == "__main__":
    main()
