"""How long the trace store takes to keep spans, to read them on, and to answer what the dashboard asks, at several sizes.

    python benchmarks/trace_store.py [--engine sqlite|chdb] [--spans 1,3,10] [--folder FOLDER]

Sizes are millions of spans, one scored answer to 20 spans, 15 % of them judged afterwards, over seven days. 2,000 traces are kept
through the store's own calls, and then copied within it, under other ids and at other times. Figures are medians of
the repeats, on the clock and of the processor (other work on the machine lengthens the first alone), and the ratio of the clock's to the size before. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import platform
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from probative.records import Outcome
from probative.records.record import Answer, Citation, Claim, Record, Source
from probative.records.scorecard import CitationScore, ClaimScore, Scorecard
from probative.records.spans import Span
from probative.records.traced import LiveScore, TracedAnswer
from probative.stores.traces.opening import open_trace_store
from probative.stores.traces.store import TraceStore, Where

REPEATS = 5
SPANS, SEED_TRACES, BATCH = 20, 2_000, 500
DAY = 86_400_000_000_000
WEEK = 7 * DAY
BEGAN = 20_000 * DAY
WORDS = (
    "the",
    "notice",
    "period",
    "of",
    "this",
    "lease",
    "is",
    "thirty",
    "days",
    "and",
    "rent",
    "due",
    "unless",
    "agreed",
)
SERVICES, MODELS = [f"service-{n}" for n in range(8)], [f"model-{n}" for n in range(5)]
DIMENSIONS = ("structural", "resolvability", "semantic", "bucket", "cause", "refusal", "diagnosis")


def words(chance: random.Random, n: int) -> str:
    """Give text; numbers among the words keep it from repeating."""
    return " ".join(chance.choice(WORDS) if chance.random() < 0.8 else str(chance.randrange(10**6)) for _ in range(n))


def made_trace(chance: random.Random, at_ns: int) -> tuple[list[Span], LiveScore]:
    """Make a trace of 20 spans, of about a kilobyte each, and its scored answer: one in twenty cites what was not retrieved."""
    trace_id = f"{chance.getrandbits(128):032x}"
    service, resource = (
        chance.choice(SERVICES),
        {"service.name": "s", "telemetry.sdk.name": "opentelemetry", "host.name": "h"},
    )
    spans = [
        Span(
            trace_id,
            f"{chance.getrandbits(64):016x}",
            name=("retrieval", "llm.completion", "step")[n % 3],
            start_ns=at_ns + n,
            end_ns=at_ns + n + 10**6,
            service=service,
            attributes={
                "gen_ai.span.kind": "CHAIN",
                "input.value": words(chance, 60),
                "output.value": words(chance, 60),
            },
            resource=resource,
        )
        for n in range(SPANS)
    ]
    return spans, made_score(chance, spans[1])


def made_score(chance: random.Random, span: Span) -> LiveScore:
    """Make the scored answer of a span: ten passages, two claims."""
    retrieved = [f"doc-{chance.randrange(10_000)}" for _ in range(10)]
    invented = chance.random() < 0.05
    cited = ["doc-none" if invented else retrieved[0], retrieved[1]]
    texts = [words(chance, 20) for _ in cited]
    claims = tuple(Claim(text=t, citations=(Citation(source_id=i),)) for t, i in zip(texts, cited, strict=True))
    sources = tuple(Source(source_id=i, text=words(chance, 40)) for i in retrieved)
    key = f"{span.trace_id}:{span.span_id}"
    record = Record(id=key, question=words(chance, 12), answer=Answer(claims=claims), retrieved=sources)
    exist = [Outcome.FAIL if i == "doc-none" else Outcome.PASS for i in cited]
    scores = tuple(
        ClaimScore(
            text=t,
            support="unknown",
            citations=(CitationScore(source_id=i, exists=e, resolves=e, supports=Outcome.UNKNOWN),),
        )
        for t, i, e in zip(texts, cited, exist, strict=True)
    )
    card = Scorecard(
        id=key,
        bucket="unsupported" if invented else "unknown",
        cause="invented_source" if invented else "undecided",
        citation_exists=Outcome.FAIL if invented else Outcome.PASS,
        citation_supports=Outcome.UNKNOWN,
        claims=scores,
    )
    traced = TracedAnswer(
        record,
        span.trace_id,
        span.span_id,
        service=span.service,
        model=chance.choice(MODELS),
        started_ns=span.start_ns,
        spans=SPANS,
    )
    resolved = Outcome.FAIL if invented else Outcome.PASS
    chosen = invented or chance.random() < 0.15
    of_sample = {
        "stratum": "failing" if invented else "clean",
        "probability": 1.0 if invented else 0.15,
        "chosen": chosen,
    }
    outcomes = (Outcome.PASS, resolved, Outcome.UNKNOWN)
    return LiveScore(
        traced, card, *outcomes, judged=False, signature="s", profile="legal", scored_ns=span.start_ns, **of_sample
    )


def fill(store: TraceStore, traces: int, chance: random.Random, within_ns: int = WEEK) -> tuple[float, float]:
    """Keep traces through the store's own calls, the chosen answers once more as judged; gives seconds for spans and for scores."""
    spans_s = scores_s = 0.0
    each = BATCH // SPANS
    for first in range(0, traces, each):
        made = [made_trace(chance, BEGAN + within_ns * n // traces) for n in range(first, min(first + each, traces))]
        scores = [score for _, score in made]
        judged = [
            replace(score, judged=True, semantic=Outcome.PASS)
            for score in scores
            if score.chosen and chance.random() < 0.98
        ]
        began = time.perf_counter()
        store.add_spans([span for spans, _ in made for span in spans])
        kept = time.perf_counter()
        store.add_scores(scores, checkpoint=first)
        if judged:
            store.add_scores(judged)
        spans_s, scores_s = spans_s + kept - began, scores_s + time.perf_counter() - kept
    return spans_s, scores_s


def copy_rows(store, copies: int) -> None:
    """Fill SQLite from what it holds: each copy under its own trace ids, in its own stretch of the seven days."""
    file = store.file
    narrow = [row[1] for row in file.rows("PRAGMA table_info(answers)")][1:]
    spans = file.rows("SELECT trace, span, parent, at_ns, service, name, body FROM spans ORDER BY position")
    answers = file.rows(f"SELECT {', '.join(narrow)} FROM answers ORDER BY row")  # noqa: S608 - our own names
    texts = file.rows("SELECT question, answer, record, scorecard, rest FROM answer_texts ORDER BY row")
    into = f"INSERT INTO answers ({', '.join(narrow)}) VALUES ({', '.join('?' * len(narrow))})"  # noqa: S608 - our own names
    for n in range(1, copies):
        later = WEEK * n // copies

        def renamed(trace: bytes, n: int = n) -> bytes:
            return hashlib.md5(trace + n.to_bytes(4), usedforsecurity=False).digest()

        with file.writing():
            rows = ((renamed(t), s, p, at + later, *rest) for t, s, p, at, *rest in spans)
            file.write_all(
                "INSERT INTO spans (trace, span, parent, at_ns, service, name, body) VALUES (?, ?, ?, ?, ?, ?, ?)", rows
            )
            moved = []
            for _, trace_id, span_id, started, *rest in answers:
                other = renamed(bytes.fromhex(trace_id)).hex()
                moved.append((f"{other}:{span_id}", other, span_id, started + later, *rest))
            file.write_all(into, moved)
            file.write_all(
                "INSERT INTO answer_texts (question, answer, record, scorecard, rest) VALUES (?, ?, ?, ?, ?)", texts
            )
    with file.writing():
        file.write("UPDATE counters SET n = n * ?", (copies,))


def copy_within(store, seed: str, spans: int) -> None:
    """Fill ClickHouse from the seed's tables: each copy under its own ids, at its own time of the seven days."""
    copies = max(1, spans // (SEED_TRACES * SPANS))
    trace = "lower(hex(MD5(concat(trace_id, toString({n})))))"
    for n in range(copies):
        moved = f"intDiv({{at}} - {BEGAN}, {copies}) + {BEGAN} + intDiv({WEEK} * {n}, {copies})"
        renamed = trace.format(n=n)
        store.engine.command(
            f"INSERT INTO spans SELECT * REPLACE (position + {n} * toInt64({SEED_TRACES * SPANS}) AS position,"  # noqa: S608 - our own names
            f" {renamed} AS trace_id, {moved.format(at='at_ns')} AS at_ns) FROM"
            f" (SELECT * REPLACE (toInt64(rowNumberInAllBlocks() + 1) AS position) FROM (SELECT * FROM {seed}.spans ORDER BY position))"
        )
        columns = f"{renamed} AS trace_id, concat({renamed}, ':', span_id) AS id, {moved.format(at='started_ns')} AS started_ns"
        for judged in (0, 1):  # the judged ones come later, in a part of their own
            store.engine.command(
                f"INSERT INTO answers SELECT * REPLACE ({columns}) FROM {seed}.answers WHERE judged = {judged}"  # noqa: S608 - the same
            )


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


@contextlib.contextmanager
def filled(engine: str, folder: Path, sizes: Sequence[int]) -> Iterator[Iterator[tuple[int, TraceStore]]]:
    """Give the stores one after the other, each filled."""
    yield (_in_clickhouse if engine == "chdb" else _in_sqlite)(folder, sizes)


def _in_sqlite(folder: Path, sizes: Sequence[int]) -> Iterator[tuple[int, TraceStore]]:
    for size in sizes:
        with contextlib.closing(open_trace_store(folder / f"{size}.db")) as store:
            copies = max(1, size // (SEED_TRACES * SPANS))
            chance = random.Random(size)  # noqa: S311 - no secret
            spans_s, scores_s = fill(store, SEED_TRACES, chance, WEEK // copies)
            print(
                f"the seed: kept at {SEED_TRACES * SPANS / spans_s:,.0f} spans/s and {SEED_TRACES / scores_s:,.0f} answers/s"
            )
            began = time.perf_counter()
            copy_rows(store, copies)
            print(f"{size:,} spans: copied in {time.perf_counter() - began:.0f} s")
            yield size, store


def _in_clickhouse(folder: Path, sizes: Sequence[int]) -> Iterator[tuple[int, TraceStore]]:
    from probative.stores.traces.clickhouse_opening import _connected, open_database  # noqa: PLC0415 - an extra

    def opened(name: str):
        return open_database(_connected("chdb", interface="chdb", path=str(folder)), "chdb", name)

    with contextlib.closing(opened("seed")) as seed:
        spans_s, scores_s = fill(seed, SEED_TRACES, random.Random(0))  # noqa: S311 - no secret
        n = SEED_TRACES * SPANS
        print(f"the seed: kept at {n / spans_s:,.0f} spans/s and {SEED_TRACES / scores_s:,.0f} answers/s")
        for size in sizes:
            with contextlib.closing(opened(f"of_{size}")) as store:
                began = time.perf_counter()
                copy_within(store, "seed", size)
                print(f"{size:,} spans: copied in {time.perf_counter() - began:.0f} s")
                yield size, store
                store.engine.command(f"DROP DATABASE of_{size}")


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
