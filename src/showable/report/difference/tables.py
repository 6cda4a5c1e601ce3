"""The tables on top of a difference: rules, the flow between buckets, categories, causes. Each cell knows where it leads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from showable.measure.decision import Decision, GateLine
from showable.measure.expectations import in_order
from showable.records.scorecard import Bucket
from showable.report.decision_words import label_of, numbers_of, p_value
from showable.report.difference.changes import Change, Changes, Flow, direction_of
from showable.report.expected_words import met_on_both_sides

BUCKETS: tuple[Bucket, ...] = ("correct", "refused", "unknown", "unsupported", "wrong")
"""From the best to the worst, so that what got worse stands to the right of the diagonal."""
IN_ORDER: tuple[Bucket, ...] = ("correct", "refused", "wrong", "unsupported", "unknown")
"""As all other tables have them."""
MOST_IDS = 8
MOST_CATEGORIES = 60

Find = Callable[[str, str], str | None]
"""Gives the anchor of the first question shown that has something: a flow, a cause, a category."""


@dataclass(frozen=True, slots=True)
class Cell:
    """How many questions went one way; `tone` is ``worse``, ``better``, ``undecided`` or ``same``."""

    before: Bucket
    after: Bucket
    count: int
    tone: str
    anchor: str | None

    @property
    def key(self) -> str:
        """What the filter calls this flow."""
        return f"{self.before}-{self.after}"


@dataclass(frozen=True, slots=True)
class FlowRow:
    """All questions of one bucket of the baseline."""

    bucket: Bucket
    cells: tuple[Cell, ...]
    total: int


@dataclass(frozen=True, slots=True)
class BucketLine:
    """One bucket: how many before, how many after."""

    bucket: Bucket
    before: int
    after: int

    @property
    def tone(self) -> str:
        """Whether more or fewer of this bucket is ``better``, ``worse`` or ``level``."""
        rise = self.after - self.before
        if not rise or self.bucket == "refused":
            return "level"
        return "better" if (rise > 0) == (self.bucket == "correct") else "worse"


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of the gate, ready to be printed. Ids are pairs of the id and its anchor, None where it is not shown."""

    label: str
    name: str
    numbers: tuple[str, str] | None
    ok: bool | None
    reason: str
    p: tuple[str, str, str] | None
    worse: tuple[tuple[str, str | None], ...]
    better: tuple[tuple[str, str | None], ...]
    more_worse: int
    more_better: int


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """One category: acceptable and as expected before and after, and the ways its questions went that are no standstill.

    `expected` is None where gold says of no question what it calls for.
    """

    name: str
    key: str
    n: int
    acceptable: tuple[int, int]
    expected: tuple[str, str] | None
    cells: tuple[Cell, ...]
    rule: Rule | None
    anchor: str | None


@dataclass(frozen=True, slots=True)
class CauseRow:
    """One cause: how many have it before and after, and how many lost and gained it."""

    cause: str
    before: int
    after: int
    lost: int
    gained: int
    anchor: str | None


def flow_rows(changes: Changes, find: Find) -> list[FlowRow]:
    """Return the flow between buckets, a row a bucket of the baseline."""
    return [
        FlowRow(
            before,
            tuple(_cell((before, after), changes.flows, find) for after in BUCKETS),
            sum(changes.flows[before, after] for after in BUCKETS),
        )
        for before in BUCKETS
    ]


def bucket_lines(changes: Changes, order: Sequence[Bucket] = BUCKETS) -> list[BucketLine]:
    """Count every bucket on both sides."""
    return [
        BucketLine(
            bucket,
            sum(count for (before, _), count in changes.flows.items() if before == bucket),
            sum(count for (_, after), count in changes.flows.items() if after == bucket),
        )
        for bucket in order
    ]


def rules(lines: Sequence[GateLine], anchors: Mapping[str, str]) -> list[Rule]:
    """Make the gate's lines ready to be printed."""
    return [_rule(line, anchors) for line in lines]


def category_rows(changes: Changes, decision: Decision, anchors: Mapping[str, str], find: Find) -> list[CategoryRow]:
    """Return the categories in the order of the protocol, of many those with the most questions; none where all questions have the same or none."""
    by_name = {line.name: line for line in decision.categories}
    rows = []
    keys = category_keys(changes)
    largest = sorted(changes.categories, key=lambda name: (-changes.categories[name].total(), name))
    for name in in_order(largest[:MOST_CATEGORIES]):
        flows = changes.categories[name]
        before, after = (sum(n for flow, n in flows.items() if flow[side] in {"correct", "refused"}) for side in (0, 1))
        cells = tuple(_cell((b, a), flows, find) for b in BUCKETS for a in BUCKETS if a != b and flows[b, a])
        ordered = tuple(sorted(cells, key=lambda cell: (cell.tone != "worse", -cell.count)))
        anchor = find("category", keys[name])
        line = by_name.get(name)
        rule, met = (None, None) if line is None else (_rule(line, anchors), met_on_both_sides(line))
        rows.append(CategoryRow(name, keys[name], flows.total(), (before, after), met, ordered, rule, anchor))
    return rows if len(rows) > 1 else []


def cause_rows(changes: Changes, find: Find) -> list[CauseRow]:
    """Return the causes that a question lost or gained, those that grew most first."""
    causes = changes.lost.keys() | changes.gained.keys()
    rows = [
        CauseRow(
            cause,
            changes.before_causes[cause],
            changes.after_causes[cause],
            changes.lost[cause],
            changes.gained[cause],
            find("cause", cause),
        )
        for cause in causes
    ]
    return sorted(rows, key=lambda row: (row.before - row.after, -row.gained, row.cause))


def category_keys(changes: Changes) -> dict[str, str]:
    """Return every category a short key, as its name may hold anything."""
    return {name: f"c{number}" for number, name in enumerate(sorted(changes.categories))}


def finder(shown: Sequence[tuple[Change, str]], keys: Mapping[str, str]) -> Find:
    """Index the questions shown (with their anchors) by flow, cause and category."""
    first: dict[tuple[str, str], str] = {}
    for change, anchor in shown:
        before, after = change.before, change.after
        has = [("flow", f"{before.bucket}-{after.bucket}"), ("category", keys[change.category])]
        has += [("cause", cause) for cause in (before.cause, after.cause) if cause and before.cause != after.cause]
        for each in has:
            first.setdefault(each, anchor)
    return lambda kind, key: first.get((kind, key))


def _cell(flow: Flow, flows: Counter[Flow], find: Find) -> Cell:
    before, after = flow
    tone = direction_of(before, after) or "same"
    return Cell(before, after, flows[flow], tone, find("flow", f"{before}-{after}"))


def _rule(line: GateLine, anchors: Mapping[str, str]) -> Rule:
    test = line.test
    said = test is not None and test.better + test.worse > 0
    return Rule(
        label=label_of(line),
        name=line.name,
        numbers=numbers_of(line),
        ok=line.ok,
        reason=line.reason,
        p=(p_value(test.p), p_value(test.mid_p), p_value(test.adjusted_p)) if test is not None and said else None,
        worse=tuple((key, anchors.get(key)) for key in line.worse[:MOST_IDS]),
        better=tuple((key, anchors.get(key)) for key in line.better[:MOST_IDS]),
        more_worse=max(0, len(line.worse) - MOST_IDS),
        more_better=max(0, len(line.better) - MOST_IDS),
    )
