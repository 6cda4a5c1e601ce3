"""The stores that `trace_store.py` asks: traces made and kept through the store's own calls, then copied within it."""

from __future__ import annotations

import contextlib
import hashlib
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from showable.records import Outcome
from showable.records.record import Answer, Citation, Claim, Record, Source
from showable.records.scorecard import CitationScore, ClaimScore, Scorecard
from showable.records.spans import Span
from showable.records.traced import LiveScore, TracedAnswer
from showable.stores.traces.opening import open_trace_store
from showable.stores.traces.store import TraceStore

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
    from showable.stores.traces.clickhouse_opening import _connected, open_database  # noqa: PLC0415 - an extra

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
