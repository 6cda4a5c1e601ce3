"""The tables of a trace store in ClickHouse, and how one version becomes the next."""

from __future__ import annotations

from showable.stores.traces.clickhouse_engine import Engine
from showable.stores.traces.errors import StoreError

DAY_NS = 86_400_000_000_000
_FIRST = f"""
-- in the order in which spans came, for reading on; a trace is found by its bloom filter. A span that moved to the end stands there
-- again, with `again` = 1. No key is unique here: the one writer asks what is held before it adds
CREATE TABLE IF NOT EXISTS spans (
    position Int64 CODEC(Delta, ZSTD), trace_id String CODEC(ZSTD), span_id String CODEC(ZSTD), parent_id String CODEC(ZSTD),
    at_ns Int64 CODEC(Delta, ZSTD), service LowCardinality(String), name LowCardinality(String), again UInt8,
    body String CODEC(ZSTD),
    INDEX by_trace trace_id TYPE bloom_filter(0.001) GRANULARITY 1, INDEX by_time at_ns TYPE minmax GRANULARITY 1
) ENGINE = MergeTree PARTITION BY intDiv(at_ns, {DAY_NS}) ORDER BY position;
-- the row of an answer with the highest version counts: always read with FINAL
CREATE TABLE IF NOT EXISTS answers (
    id String CODEC(ZSTD), trace_id String CODEC(ZSTD), span_id String CODEC(ZSTD),
    started_ns Int64 CODEC(Delta, ZSTD), scored_ns Int64 CODEC(Delta, ZSTD), exported_ns Int64 CODEC(Delta, ZSTD), version UInt64 CODEC(Delta, ZSTD),
    service LowCardinality(String), model LowCardinality(String), prompt_version LowCardinality(String),
    profile LowCardinality(String), cohort LowCardinality(String),
    bucket LowCardinality(String), cause LowCardinality(String), refusal LowCardinality(String),
    structural LowCardinality(String), resolvability LowCardinality(String), semantic LowCardinality(String),
    diagnosis LowCardinality(String), stratum LowCardinality(String), probability Float64,
    chosen UInt8, judged UInt8, failing UInt8, complete UInt8,
    latency_ms Nullable(Float64), tokens_in Nullable(Int64), tokens_out Nullable(Int64), cost_usd Nullable(Float64),
    retrieval_logged UInt8, retrieved_ids Array(String) CODEC(ZSTD), cited_ids Array(String) CODEC(ZSTD),
    loss_codes Array(LowCardinality(String)),
    question String CODEC(ZSTD), answer String CODEC(ZSTD), record String CODEC(ZSTD), scorecard String CODEC(ZSTD),
    rest String CODEC(ZSTD),
    INDEX by_id id TYPE bloom_filter(0.001) GRANULARITY 1, INDEX by_trace trace_id TYPE bloom_filter(0.001) GRANULARITY 1
) ENGINE = ReplacingMergeTree(version) PARTITION BY intDiv(started_ns, {DAY_NS}) ORDER BY (started_ns, id);
CREATE TABLE IF NOT EXISTS marks (name String, value Int64, version UInt64) ENGINE = ReplacingMergeTree(version) ORDER BY name;
CREATE TABLE IF NOT EXISTS texts (source_id String, text String CODEC(ZSTD), version UInt64)
    ENGINE = ReplacingMergeTree(version) ORDER BY source_id;
CREATE TABLE IF NOT EXISTS gauges (process String, gauges String, version UInt64)
    ENGINE = ReplacingMergeTree(version) ORDER BY process;
"""
_SECOND = """
-- events that came in log records before the span that they name
CREATE TABLE IF NOT EXISTS waiting_events (trace_id String, span_id String, body String CODEC(ZSTD), at_ns Int64)
    ENGINE = ReplacingMergeTree ORDER BY (trace_id, span_id, body);
"""
_THIRD = """
-- of guarded answers: the route, what the client received, and how long the guard took
ALTER TABLE answers ADD COLUMN IF NOT EXISTS route LowCardinality(String) DEFAULT '';
ALTER TABLE answers ADD COLUMN IF NOT EXISTS release LowCardinality(String) DEFAULT '';
ALTER TABLE answers ADD COLUMN IF NOT EXISTS guard_ms Nullable(Float64);
"""
STEPS = (_FIRST, _SECOND, _THIRD)
"""What leads from each version to the next. ClickHouse has no transaction around it, so every statement can be run again."""
VERSION = len(STEPS)
_VERSIONS = "CREATE TABLE IF NOT EXISTS schema_version (version UInt32) ENGINE = MergeTree ORDER BY version"


def prepare(engine: Engine, *, make: bool) -> None:
    """Bring the database to this version. Raises StoreError where it is newer, or holds no store and none is to be made."""
    held = engine.first("EXISTS TABLE schema_version")[0]
    if not held and not make:
        raise StoreError(
            f"{engine.name}: there is no trace store; `showable serve` and `showable traces import` make one"
        )
    if not held:
        engine.command(_VERSIONS)
    version = int(engine.first("SELECT max(version) FROM schema_version")[0])
    if version > VERSION:
        said = f"the trace store is of schema {version}, and this version reads up to {VERSION}"
        raise StoreError(f"{engine.name}: {said}; use the newer version of showable that wrote it")
    for number, step in enumerate(STEPS[version:], version + 1):
        for statement in step.split(";\n"):
            if statement.strip():
                engine.command(statement)
        engine.insert("schema_version", {"version": [number]})
