"""What a judge is retuned on: pairs of claim and passage with people's word on them, from runs or from labelled files."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import cast

from showable.calibrating.people import People
from showable.read.answer import read_answer
from showable.records.evidence import Label as VerdictLabel
from showable.records.evidence import Pair
from showable.records.profile import Profile
from showable.records.record import Record
from showable.records.scorecard import Scorecard
from showable.rubrics.pointing import Pointing
from showable.rubrics.retrieval_log import RetrievalLog
from showable.validation.rows import NEITHER, LabelledPair

_MOST_JOINED = 0.5
"""Share of all pairs that one cluster may hold before passages stop joining questions."""


@dataclass(frozen=True, slots=True)
class LabelledClaim:
    """One pair with what people say of it. `pinned` belongs to a hold-out and is never fitted on.

    `cluster` is shared by pairs that are not independent; `group` by chunks of one source, of which the judge's best
    stands for all. `rubric` is the digest of the text that the label was given under, `reviewers` how many gave one.
    """

    pair: Pair
    label: VerdictLabel
    place: str
    cluster: Hashable
    group: Hashable | None = None
    pinned: bool = False
    rubric: str | None = None

    @property
    def positive(self) -> bool:
        """Check whether people call it supported: partial is not."""
        return self.label == "supported"

    @property
    def key(self) -> str:
        """Return a digest of the pair, without what anybody says of it."""
        written = json.dumps([*self.pair, str(self.group)], ensure_ascii=True)
        return hashlib.blake2b(written.encode(), digest_size=8).hexdigest()


@dataclass(frozen=True, slots=True)
class LabelledClaims:
    """Pairs, how many people labelled them, and what was left out, by reason."""

    rows: list[LabelledClaim]
    reviewers: int
    left_out: dict[str, int]

    @property
    def digest(self) -> str:
        """Return the digest of all pairs with their labels, whatever their order."""
        written = sorted(f"{row.key} {row.label} {row.pinned}" for row in self.rows)
        return hashlib.blake2b("\n".join(written).encode(), digest_size=8).hexdigest()


def claims_of_run(
    run: str, cards: Iterable[tuple[Record, Scorecard]], people: People, rules: Profile
) -> LabelledClaims:
    """Join what people say of a run's citations to the pairs that its judge was asked about.

    What is stale, or disagrees and was not adjudicated, takes no part; nor do citations without a text in the log.
    """
    settled, support = people.settled, [one for one in people.labels if one.about == "support"]
    left_out = {
        "stale": sum(people.stale.values()),
        "not counted": sum(label.about == "support" for label in settled.not_counted),
        "unsettled": people.count("support", "unsettled") + people.count("support", "unsettled", held_out=True),
        "cannot tell": people.count("support", "cannot_tell") + people.count("support", "cannot_tell", held_out=True),
        "no text in the log": 0,
    }
    wanted = {target: value for target, value in settled.gold.items() if target.about == "support"}
    records = {target.record for target in wanted}
    pairs = {record.id: (record.question, _pairs(record, rules)) for record, _ in cards if record.id in records}
    rubrics = {label.target: label.rubric for label in support}
    rows = []
    for target, value in wanted.items():
        question, of_record = pairs[target.record]
        pair = of_record.get((target.claim, target.citation))
        if pair is None:
            left_out["no text in the log"] += 1
            continue
        place = f"{run}: {target.record}, claim {target.claim}, citation {target.citation}"
        pinned, label = target.record in people.hold_out, cast("VerdictLabel", value)
        rows.append(LabelledClaim(pair, label, place, question, pinned=pinned, rubric=rubrics[target]))
    reviewers = {label.reviewer for label in support if rules.counts("support", label.role)}
    return LabelledClaims(_once(rows, left_out), len(reviewers), {why: n for why, n in left_out.items() if n})


def _pairs(record: Record, rules: Profile) -> dict[tuple[int | None, int | None], Pair]:
    """Return what a judge is asked about every citation whose source has a text, by claim and citation."""
    reading = read_answer(record, rules)
    if reading.answer is None:
        return {}
    log = RetrievalLog(record)
    pairs: dict[tuple[int | None, int | None], Pair] = {}
    for index, claim in enumerate(reading.answer.claims):
        pointing = Pointing(claim.citations, log)
        for place, citation in enumerate(claim.citations):
            passage = pointing.text(citation.source_id or "", pointing.targets[place])
            if passage is not None:
                pairs[index, place] = Pair(claim.text, passage, claim.context, record.question, claim.kind)
    return pairs


def claims_of_file(name: str, rows: Sequence[tuple[int, LabelledPair]]) -> LabelledClaims:
    """Take the rows of a labelled file. They say yes or no: what is not supported counts as `unsupported`.

    Rows of one `group` and claim all have the highest label of any, as in `gather_units`; one of 0.5 is then left out. Rows
    of one `question` (else `group`) are one cluster.
    """
    found = []
    labels = _highest(rows)
    for (number, row), label in zip(rows, labels, strict=True):
        if label == NEITHER:
            continue
        own: Hashable = (name, number) if row.group is None else (name, row.group)
        found.append(
            LabelledClaim(
                pair=Pair(row.claim, row.passage, kind=row.kind),
                label="supported" if label == 1.0 else "unsupported",
                place=f"{name}:{number}",
                cluster=own if row.question is None else row.question,
                group=None if row.group is None else f"{row.group}\x1f{row.claim}",
            )
        )
    left_out = {"labelled 0.5": labels.count(NEITHER), "given twice": 0}
    kept = found if any(row.group is not None for row in found) else _once(found, left_out)
    return LabelledClaims(kept, 1, {why: n for why, n in left_out.items() if n})


def _highest(rows: Sequence[tuple[int, LabelledPair]]) -> list[float]:
    """Return each row's label, or the highest in its group: that of the source, of which the row is a chunk."""
    of_source: dict[Hashable, float] = {}
    sources = [number if row.group is None else (row.group, row.claim) for number, row in rows]
    for source, (_, row) in zip(sources, rows, strict=True):
        of_source[source] = max(row.label, of_source.get(source, 0.0))
    return [of_source[source] for source in sources]


def put_together(parts: Sequence[LabelledClaims]) -> LabelledClaims:
    """Put labels from several places together; a pair that two of them label differently is left out as unsettled.

    Rows stand in the order of their digests, which is the same wherever a row stands in its file, and whichever file comes
    first: parts and folds are dealt out in it.
    """
    left_out: dict[str, int] = defaultdict(int)
    for part in parts:
        for why, n in part.left_out.items():
            left_out[why] += n
    rows = sorted(_once([row for part in parts for row in part.rows], left_out), key=lambda row: row.key)
    return LabelledClaims(rows, max(part.reviewers for part in parts), {why: n for why, n in left_out.items() if n})


def _once(rows: Sequence[LabelledClaim], left_out: dict[str, int]) -> list[LabelledClaim]:
    """Keep every pair once; leave out those on which labels disagree. A pair that is pinned anywhere is pinned."""
    by_key: dict[str, list[LabelledClaim]] = defaultdict(list)
    for row in rows:
        by_key[row.key].append(row)
    kept = []
    for same in by_key.values():
        if len({row.label for row in same}) > 1:
            left_out["unsettled"] = left_out.get("unsettled", 0) + 1
            continue
        left_out["given twice"] = left_out.get("given twice", 0) + len(same) - 1
        kept.append(replace(min(same, key=_said_most), pinned=any(row.pinned for row in same)))
    return kept


def _said_most(row: LabelledClaim) -> tuple[bool, str, str]:
    """Order rows of one pair, so that which of them stands is not chance: those with a question first."""
    return not isinstance(row.cluster, str), str(row.cluster), row.rubric or ""


def join_clusters(rows: Sequence[LabelledClaim]) -> tuple[list[int], bool]:
    """Number what may not be parted: pairs of one question, and of one passage; say whether passages joined anything.

    Where passages would join more than half of all pairs to one cluster, as with a single document, questions alone do.
    """
    by_both = _components([(("q", row.cluster), ("p", row.pair.passage)) for row in rows])
    if max(Counter(by_both).values(), default=0) <= _MOST_JOINED * len(rows):
        return by_both, True
    return _components([(("q", row.cluster),) for row in rows]), False


def _components(keys: Sequence[tuple[Hashable, ...]]) -> list[int]:
    """Number the connected parts of rows that share a key, in the order of their first rows."""
    parent: dict[Hashable, Hashable] = {}

    def root(one: Hashable) -> Hashable:
        parent.setdefault(one, one)
        while parent[one] != one:
            parent[one] = parent[parent[one]]
            one = parent[one]
        return one

    for first, *rest in keys:
        for other in rest:
            parent[root(other)] = root(first)
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(root(first), len(numbers)) for first, *_ in keys]
