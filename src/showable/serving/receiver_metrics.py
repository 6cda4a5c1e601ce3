"""What `/metrics` says: the receiver's own counts, and what the other processes last said of themselves."""

from __future__ import annotations

import re
import time
from collections import Counter as Counts
from collections.abc import Callable, Iterable, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from showable.report.untrusted import printable
from showable.serving.floors import PREFIX
from showable.serving.parcels import Unpacked
from showable.serving.receiver_answers import Signal
from showable.stores.traces.store import Count

CONTENT_TYPE = CONTENT_TYPE_LATEST
MOST_SERVICES = 100
OTHERS = "(others)"
_LONGEST_LABEL = 100
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Tallies:
    """The receiver's counts. Counters may be raised from any thread."""

    def __init__(self, backlog: Callable[[], int], connections: Callable[[], int]) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter("showable_requests", "Requests answered", ["signal", "status"], registry=self.registry)
        self.spans = Counter(
            "showable_spans", "Spans received, by what became of them", ["outcome"], registry=self.registry
        )
        self.logs = Counter(
            "showable_log_records_not_kept", "Log records that are no event of GenAI", registry=self.registry
        )
        self.export = Histogram(
            "showable_export_seconds",
            "A request's time to its answer",
            ["signal"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.commit = Histogram(
            "showable_commit_seconds", "A transaction's time", buckets=_SECONDS, registry=self.registry
        )
        waiting = Gauge("showable_backlog_bytes", "Bytes of requests that wait to be stored", registry=self.registry)
        waiting.set_function(backlog)
        open_ = Gauge("showable_connections", "Connections of exporters", registry=self.registry)
        open_.set_function(connections)
        self._backlog, self._spans = backlog, {name: self.spans.labels(name) for name in _OUTCOMES}
        self._totals = dict.fromkeys(_OUTCOMES, 0)

    def unpacked(self, signal: Signal, found: Unpacked) -> None:
        """Count what a request held that is not kept."""
        if signal == "logs":
            self.logs.inc(found.rejected)
        else:
            self._count("rejected", found.rejected)

    def committed(self, spans: int, new: int, seconds: float) -> None:
        """Count a transaction."""
        self.commit.observe(seconds)
        self._count("accepted", new)
        self._count("duplicate", spans - new)

    def failed(self, spans: int) -> None:
        """Count spans that the store did not take; their exporter was told to send them again."""
        self._count("refused", spans)

    def beat(self) -> dict[str, float]:
        """Return what other processes see of this one."""
        return {
            "at_ns": float(time.time_ns()),
            "backlog_bytes": float(self._backlog()),
            **{f"spans_{name}": float(total) for name, total in self._totals.items()},
        }

    def text(self, others: Iterable[Metric]) -> bytes:
        """Write everything in Prometheus' text format."""
        families = CollectorRegistry()
        families.register(_Fixed(others))
        return generate_latest(self.registry) + generate_latest(families)

    def _count(self, outcome: str, n: int) -> None:
        if n:
            self._spans[outcome].inc(n)
            self._totals[outcome] += n


_OUTCOMES = ("accepted", "duplicate", "rejected", "refused")


class _Fixed(Collector):
    """Metrics that were read elsewhere."""

    def __init__(self, metrics: Iterable[Metric]) -> None:
        self._metrics = list(metrics)

    def collect(self) -> Iterable[Metric]:
        """Return them."""
        return self._metrics


def of_processes(gauges: Mapping[str, Mapping[str, float]], now_ns: int) -> list[Metric]:
    """Return each gauge of each other process as ``showable_<process>_<gauge>``, and how long ago it was said."""
    out: list[Metric] = []
    for process, held in sorted(gauges.items()):
        if process == "receiver" or process.startswith(PREFIX):  # said better by its own counts, and by `of_floors`
            continue
        for name, value in sorted(held.items()):
            at = name == "at_ns"
            metric = _name(f"showable_{process}_{'age_seconds' if at else name}")
            words = f"Said by the process {process}" if not at else f"Seconds since {process} last said anything"
            out.append(GaugeMetricFamily(metric, words, value=(now_ns - value) / 1e9 if at else value))
    return out


def of_floors(gauges: Mapping[str, Mapping[str, float]]) -> list[Metric]:
    """Return what this week comes to under each profile that has a floor: share, floor, and whether it lies below."""
    families = [
        (GaugeMetricFamily(f"showable_resolvability_{name}", words, labels=["profile"]), key)
        for name, key, words in (
            ("share", "share", "Mean share of an answer's citations that resolve, this week"),
            ("floor", "floor", "The profile's floor under it"),
            ("below_floor", "below", "1 where this week lies below the floor, which is an alarm"),
        )
    ]
    for process, held in sorted(gauges.items()):
        if process.startswith(PREFIX) and held.get("n"):
            label = printable(process.removeprefix(PREFIX), limit=_LONGEST_LABEL)
            for family, key in families:
                family.add_metric([label], held[key])
    return [family for family, _ in families]


def of_answers(counts: Iterable[Count]) -> list[Metric]:
    """Return the answers of the last hour by service, rubric and outcome.

    Names of services come from outside: a label shows no control characters, and the services beyond the `MOST_SERVICES` largest
    are counted together, so that nobody can make a monitoring system hold a series for every name they think of.
    """
    held, sizes = list(counts), Counts[str]()
    for count in held:
        sizes[count.group] += count.n
    named = {name: printable(name, limit=_LONGEST_LABEL) for name, _ in sizes.most_common(MOST_SERVICES)}
    totals, weights = Counts[tuple[str, str, str]](), dict[tuple[str, str, str], float]()
    for count in held:
        labels = (named.get(count.group, OTHERS), count.dimension, printable(count.value, limit=_LONGEST_LABEL))
        totals[labels] += count.n
        weights[labels] = weights.get(labels, 0.0) + count.weight
    family = GaugeMetricFamily(
        "showable_answers_last_hour",
        "Answers that started within the last hour, counted one by one. What a judge says is known of those it read alone",
        labels=["service", "rubric", "outcome"],
    )
    standing = GaugeMetricFamily(
        "showable_answers_weight_last_hour",
        "How many answers those stand for that a judge read: the sum of 1/p. Rates over all traffic are ratios of these",
        labels=["service", "rubric", "outcome"],
    )
    for labels, n in totals.items():
        family.add_metric(labels, n)
        standing.add_metric(labels, weights[labels])
    return [family, standing]


def _name(text: str) -> str:
    return re.sub(r"[^a-zA-Z0-9_]", "_", text)
