"""From judged rows to what is measured: one unit a row, or one a group of chunks, with the decision it came to."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from showable.records.evidence import Verdict
from showable.validation.rows import NEITHER, LabelledPair

NumberedRow = tuple[int, LabelledPair]
_QUESTION, _PAIR = "question", "pair"


@dataclass(frozen=True, slots=True)
class Unit:
    """What one label is about: a row, or all chunks of a source.

    `decision` is None where the judge gave nothing to decide by; `reason` then says why. `cluster` is shared by
    units that are not independent of one another: of one question, one source, or one and the same pair. `chunks` counts the
    rows behind it. `judge` gave the verdict that stands; `kind` is that of the first row by content. `digest` is that of all
    rows behind it, whatever their order; `key` that of what the label is about, without what anybody says of it.
    """

    id: str
    label: float
    p: float | None
    verdict: str
    coverage: float
    decision: bool | None
    reason: str | None
    cluster: Hashable
    chunks: int
    mixed: bool
    judge: str
    kind: str | None
    digest: str
    key: str

    @property
    def of_question(self) -> bool:
        """Check whether it belongs to a question."""
        return isinstance(self.cluster, tuple) and self.cluster[0] == _QUESTION

    @property
    def in_any_file(self) -> bool:
        """Check whether its cluster, a question or a pair, may be in another file too; a group's name is its file's own."""
        return isinstance(self.cluster, tuple)

    @property
    def measured(self) -> bool:
        """Check whether it counts: labelled yes or no, and decided."""
        return self.label != NEITHER and self.decision is not None


def gather_units(
    rows: Sequence[NumberedRow],
    verdicts: Sequence[Verdict],
    coverages: Sequence[float],
    at: float,
    per_kind: Mapping[str, float] | None = None,
) -> list[Unit]:
    """Make units of rows that share `group` and claim, in the order of their first rows.

    The chunk with the highest p stands for its group, and the highest coverage of any. A chunk without a decision leaves
    its group undecided unless another one supports the claim: it might have. Where the labels of chunks differ, the
    highest is the label of the source. `per_kind` holds the thresholds of kinds that are not cut at `at`. Inside a group
    chunks count in the order of their contents, wherever they stand in the file: the kind of a group is that of the first.
    """
    members: dict[Hashable, list[int]] = {}
    written = [row.model_dump_json() for _, row in rows]
    for index, (_, row) in enumerate(rows):
        key = index if row.group is None else (row.group, row.claim)
        members.setdefault(key, []).append(index)
    cuts = per_kind or {}
    return [
        _unit(
            [rows[i] for i in places],
            [verdicts[i] for i in places],
            max(coverages[i] for i in places),
            cuts.get(rows[places[0]][1].kind or "", at),
            digest_of([written[i] for i in places]),
        )
        for places in (sorted(inside, key=written.__getitem__) for inside in members.values())
    ]


def order_by_content(digests: Sequence[str], clusters: Sequence[Hashable]) -> list[int]:
    """Return the places of what has these digests in an order that contents alone decide, cluster by cluster.

    What is dealt out or resampled in it is the same wherever a row stands in its file, and whichever file comes first.
    """
    inside: dict[Hashable, list[str]] = defaultdict(list)
    for digest, cluster in zip(digests, clusters, strict=True):
        inside[cluster].append(digest)
    whole = {cluster: digest_of(sorted(members)) for cluster, members in inside.items()}
    return sorted(range(len(digests)), key=lambda i: (whole[clusters[i]], digests[i]))


def digest_of(lines: Sequence[str]) -> str:
    """Return the digest of some lines in their order."""
    hashed = blake2b(digest_size=8)
    for line in lines:
        hashed.update(line.encode("utf-8", "replace") + b"\n")
    return hashed.hexdigest()


def digest_of_labels(rows: Sequence[NumberedRow]) -> str:
    """Return a digest of what was labelled and how, in whatever order it was given."""
    return digest_of(sorted(row.model_dump_json() for _, row in rows))


def _unit(rows: Sequence[NumberedRow], verdicts: Sequence[Verdict], coverage: float, at: float, digest: str) -> Unit:
    best = max(range(len(rows)), key=lambda i: _strength(verdicts[i]))
    verdict, (number, row) = verdicts[best], rows[best]
    decision = decide(verdict, at)
    unjudged = [one for one in verdicts if decide(one, at) is None]
    p, said, reason = verdict.p, str(verdict.label), verdict.reason
    if unjudged and not decision:
        decision, p, said, reason = None, None, "unknown", unjudged[0].reason
    labels = {one.label for _, one in rows}
    own = f"line {number}" if row.group is None else f"group {row.group}"
    return Unit(
        id=row.id if row.id is not None else own,
        label=max(labels),
        p=p,
        verdict=said,
        coverage=coverage,
        decision=decision,
        reason=reason,
        cluster=_cluster(row),
        chunks=len(rows),
        mixed=len(labels) > 1,
        judge=verdict.judge,
        kind=rows[0][1].kind,
        digest=digest,
        key=key_of([one for _, one in rows]),
    )


def key_of(rows: Sequence[LabelledPair]) -> str:
    """Return the digest of what one label is about: group, claim, and the passages with the kind of each."""
    chunks = sorted({(row.passage, row.kind or "") for row in rows})
    return digest_of([json.dumps([rows[0].group, rows[0].claim, chunks])])


def _cluster(row: LabelledPair) -> Hashable:
    if row.question is not None:
        return _QUESTION, row.question
    if row.group is not None:
        return f"group {row.group}"
    return _PAIR, digest_of([json.dumps([row.claim, row.passage])])


def decide(verdict: Verdict, at: float) -> bool | None:
    """Decide by p where there is one, also where the judge is uncertain; else by the label; None for a bare ``unknown``."""
    if verdict.p is not None:
        return verdict.p >= at
    return None if verdict.label == "unknown" else verdict.label == "supported"


def _strength(verdict: Verdict) -> float:
    """Order the chunks of a group: by p, a bare label as 1 or 0, and what has neither last."""
    if verdict.p is not None:
        return verdict.p
    return -1.0 if verdict.label == "unknown" else float(verdict.label == "supported")
