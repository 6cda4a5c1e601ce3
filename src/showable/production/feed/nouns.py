"""What the error feed keeps: batches, members, issues, and what people did about them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from showable.records.traced import Diagnosis
from showable.records.wire import Many, Wire

State = Literal["provisional", "new", "ongoing", "escalating", "regressed", "resolved", "archived", "fading"]
EventKind = Literal[
    "merge",  # body {into}
    "split",  # body {into, moved: [answer ids], kept: [answer ids]}
    "assign",  # body {to}, "" for nobody
    "rename",  # body {title}, "" for the title from rules
    "resolve",  # body {by: person | ticket | gate, members: [answer ids known then], versions: {name: those seen then}}
    "archive",  # body {until: escalating | for_good | a count of further answers, members}
    "reopen",  # body {}: takes back resolve and archive
    "undo",  # body {seq}
    "promote",  # body {candidates: [their ids], new: how many of them}: proposed for the regression set
    "quote",  # body {}: tickets may quote it
    "label",  # body {answers: [ids], folder}: laid out to be labelled
    "state",  # written by a batch, body {from, to}
    "left",  # written by a batch, body {answers: [ids]}: scored again, they pass
]
Target = Literal["prompt", "retrieval", "reranker", "index", "schema", "measurement", "unknown"]
DimensionName = Literal["factual_grounding", "privacy_and_safety", "instruction_adherence", "optimal_plan_execution"]


class Batch(Wire):
    """One grouping of the failing answers of a window.

    `id` is a digest of space, parameters and items, so the same batch twice is one; `at_ns` is when it was made, Unix
    nanoseconds. `n` counts failing answers, `passing` those that pass, `unknown` those not decided; `not_grouped` are
    failing answers that stand in no issue. `sampled` is how many distinct failures the cores were looked for among.
    """

    id: str
    at_ns: int
    since_ns: int | None = None
    until_ns: int | None = None
    space: str
    parameters: str
    n: int
    passing: int = 0
    unknown: int = 0
    not_grouped: int = 0
    sampled: int = 0


class Member(Wire):
    """One answer's place in a batch.

    `p` is the probability that it belongs to its group; `also` gives those of other groups from .05 on, by name. `cluster` is
    the name before people's merges, `issue` the one after them; both are None for what is not grouped.
    """

    answer: str
    cluster: str | None
    issue: str | None
    p: float = Field(ge=0.0, le=1.0)
    core: bool = False
    also: dict[str, float] = Field(default_factory=dict)


class Fix(Wire):
    """What to try first: a category from rules, words from a template. `share` of the members bear it out.

    It is a hypothesis until a gate shows it on the issue's regression questions. `rests_on` names evidence cards.
    """

    category: str
    text: str
    target: Target = "unknown"
    share: float | None = None
    rests_on: Many[str] = ()


class Share(Wire):
    """The share of all answers that an issue affects, with its interval. None: nothing to compare with."""

    rate: float | None = None
    low: float | None = None
    high: float | None = None
    read: int = 0


class Contrast(Wire):
    """A value of a field that occurs with an issue more often than among passing answers of the same services.

    `share_in` and `share_out` are weighted shares; `odds` is the odds ratio with a half added to each cell, `q` from
    Benjamini and Hochberg over all tests of the batch; `n` members have it. It occurs with the issue: no cause is claimed.
    """

    field: str
    value: str
    share_in: float
    share_out: float
    odds: float
    q: float
    n: int


class DimensionScore(Wire):
    """One of four scores over an issue's members, 1 to 5: median, 10th percentile, how many, and how many unknown.

    `why` says what the unknown ones lack. Scores are never averaged, and the four are never put together.
    """

    median: float | None = None
    p10: float | None = None
    n: int = 0
    unknown: int = 0
    why: str = ""


class Representative(Wire):
    """An answer that stands for an issue, or one on its boundary, with the probability that it belongs."""

    id: str
    p: float


class TrendDay(Wire):
    """One day (UTC, ISO date) of an issue: members, answers of its services, and the share with its interval."""

    day: str
    members: int
    answers: int
    rate: float | None = None
    low: float | None = None
    high: float | None = None


class Lineage(Wire):
    """Where an issue comes from and where it went."""

    split_from: str | None = None
    merged_into: str | None = None
    absorbed: Many[str] = ()


class Statement(Wire):
    """A sentence about an issue that evidence cards support, and the cards it cites."""

    text: str
    cites: Many[str]
    kind: Literal["observation", "hypothesis"] = "observation"


class Issue(Wire):
    """A group of answers that fail alike, as it stood after one batch and with people's words applied.

    `n` counts affected answers. Times are Unix nanoseconds of the answers, None where they carry none. `batches` counts the
    batches it stood in: before two it is provisional. `priority` is affected answers × what the worse of grounding and
    safety lacks to 5; its parts are `n` and `scores`.
    """

    issue: str
    state: State
    title: str
    n: int
    fix: Fix
    share: Share = Share()
    first_ns: int | None = None
    last_ns: int | None = None
    services: Many[str] = ()
    versions: dict[str, Many[str]] = Field(default_factory=dict)
    since: str = ""
    traces: int = 0
    diagnosis: dict[Diagnosis, int] = Field(default_factory=dict)
    causes: dict[str, int] = Field(default_factory=dict)
    contrast: Many[Contrast] = ()
    scores: dict[DimensionName, DimensionScore] = Field(default_factory=dict)
    priority: float = 0.0
    representatives: Many[Representative] = ()
    boundary: Many[Representative] = ()
    neighbours: Many[str] = ()
    trend: Many[TrendDay] = ()
    statements: Many[Statement] = ()
    dropped: int = 0
    assignee: str = ""
    lineage: Lineage = Lineage()
    batches: int = 1
    batch: str = ""
    space: str = ""


class Event(Wire):
    """Something a person, a ticket or a batch did to an issue; `body` is as `EventKind` says. `seq` counts from 1."""

    seq: int = 0
    at_ns: int
    who: str
    issue: str
    kind: EventKind
    body: dict[str, Any] = Field(default_factory=dict)


class Card(Wire):
    """A piece of evidence about an issue, made by code: what is said in words, and the numbers it holds by name."""

    id: str
    kind: str
    text: str
    values: dict[str, Any] = Field(default_factory=dict)
