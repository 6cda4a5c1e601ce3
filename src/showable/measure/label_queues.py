"""Which records to label, and in which order: by chance, by bucket, where the judge wavers, where two judges differ, what failed."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from showable.errors import SettingError
from showable.measure.labelled_refusals import tool_reads_refusal
from showable.measure.worst import SEVERITY, place
from showable.records.findings import Outcome
from showable.records.scorecard import ClaimScore, Scorecard, Support
from showable.records.signature import Thresholds

QueueKind = Literal["random", "stratified", "uncertain", "disagreement", "failed", "hold_out"]
QUEUE_KINDS: tuple[QueueKind, ...] = get_args(QueueKind)
HOLD_OUT = 50
"""Records held out, so that a calibration can be tried on what nothing was fitted on."""
LEAST_REFUSALS = 10
"""Of a hold-out of full size: refusals are rare, and are tried by their own rubrics."""

_SCALE = {"supported": 3, "partial": 2, "unsupported": 1, "contradicted": 0}
"""How far apart two judges can be on one claim …"""
_UNDECIDED = 0.5
"""… and how far where one of them decided nothing."""
_FAILED = ("wrong", "unsupported")


def build_queue(
    kind: str,
    cards: Iterable[Scorecard],
    *,
    seed: int,
    n: int | None = None,
    second: Iterable[Scorecard] | None = None,
    thresholds: Thresholds | None = None,
) -> list[str]:
    """Return the ids of the records of a queue in their order, at most `n`. The order of `cards` does not matter.

    `random`: by chance. `stratified`: round robin by bucket and, within it, by cause, so that the rare are as many as the
    common at every length. `uncertain`: first where a cited claim's p lies nearest to its threshold (of `thresholds`,
    0.5 unless given), then where something is unknown; the rest is left out. `disagreement`: what `second`, another
    judge's run of the same records, sees otherwise, the most opposed first. `failed`: what is in no acceptable bucket or
    has a failed finding, the worst first. `hold_out`: `draw_hold_out`. Ties are broken by `seed`.

    Raises SettingError for another kind, for an `n` below 1, and for `disagreement` without a second run.
    """
    if n is not None and n < 1:
        raise SettingError(f"n: expected at least 1, got {n}")
    held = list(cards)
    if kind == "random":
        ids = [card.id for card in _by_chance(held, seed)]
    elif kind == "stratified":
        ids = _stratified(held, seed)
    elif kind == "uncertain":
        ids = _uncertain(held, seed, thresholds or Thresholds())
    elif kind == "disagreement":
        if second is None:
            raise SettingError("disagreement: needs a second run of the same records by another judge")
        ids = _disagreeing(held, second, seed)
    elif kind == "failed":
        ids = _failed(held, seed)
    elif kind == "hold_out":
        ids = list(draw_hold_out(held, seed, HOLD_OUT if n is None else n).records)
    else:
        raise SettingError(f"queue: expected one of {', '.join(QUEUE_KINDS)}, got {kind[:40]!r}")
    return ids[:n]


def hold_out_size(records: int) -> int:
    """Return how many of a run's records to hold out: 50, and never more than half, for pinned is pinned and the rest is fitted on."""
    return min(HOLD_OUT, max(1, records // 2))


@dataclass(frozen=True, slots=True)
class HoldOut:
    """The records to hold out, in their order; `topped_up` of them are refusals that chance alone would not have drawn."""

    records: tuple[str, ...]
    topped_up: int = 0


def draw_hold_out(cards: Iterable[Scorecard], seed: int, n: int = HOLD_OUT) -> HoldOut:
    """Draw the records to hold out by chance, so that what holds on them holds for the run; all where there are no more than `n`.

    Where chance brings fewer than `LEAST_REFUSALS` answers that the tool reads as refusals (half of `n` where that is less)
    and the run has more, the next ones take the places of what was drawn last of the others. Drawn with a seed of its own,
    so that it is not just the head of the random queue.
    """
    lots = _by_chance(cards, f"hold-out {seed}")
    drawn, rest = lots[:n], lots[n:]
    have = sum(tool_reads_refusal(card) for card in drawn)
    missing = max(0, min(LEAST_REFUSALS, n // 2) - have)
    added = [card for card in rest if tool_reads_refusal(card)][:missing]
    others = [card.id for card in drawn if not tool_reads_refusal(card)]
    dropped = set(others[len(others) - len(added) :])
    kept = [card.id for card in drawn if card.id not in dropped]
    return HoldOut((*kept, *(card.id for card in added)), len(added))


def _chance(seed: object, key: str) -> bytes:
    """Return a record its lot. Alike on every machine, and whatever other records there are."""
    return hashlib.blake2b(f"{seed}\x1f{key}".encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _by_chance(cards: Iterable[Scorecard], seed: object) -> list[Scorecard]:
    return sorted(cards, key=lambda card: (_chance(seed, card.id), card.id))


def _stratified(cards: Sequence[Scorecard], seed: object) -> list[str]:
    by_bucket: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for card in _by_chance(cards, seed):
        by_bucket[card.bucket][card.cause or ""].append(card.id)
    buckets = [
        _in_turn([causes[cause] for cause in sorted(causes)])
        for _, causes in sorted(by_bucket.items(), key=_worst_first)
    ]
    return _in_turn(buckets)


def _worst_first(entry: tuple[str, object]) -> int:
    return SEVERITY[entry[0]]


def _in_turn(groups: Sequence[Sequence[str]]) -> list[str]:
    """Take one of each group in turn; one that is used up is passed over."""
    longest = max(map(len, groups), default=0)
    return [group[turn] for turn in range(longest) for group in groups if turn < len(group)]


def _uncertain(cards: Iterable[Scorecard], seed: int, thresholds: Thresholds) -> list[str]:
    ranked = []
    for card in _by_chance(cards, seed):
        margins = [
            abs(claim.p - thresholds.of(claim.kind)) for claim in card.claims if claim.p is not None and claim.citations
        ]
        if margins:
            ranked.append((False, min(margins), card.id))
        elif _has_unknown(card):
            ranked.append((True, 0.0, card.id))
    return [key for *_, key in sorted(ranked, key=lambda entry: entry[:2])]


def _has_unknown(card: Scorecard) -> bool:
    outcomes = (card.citation_exists, card.citation_supports)
    return (
        card.bucket == "unknown"
        or Outcome.UNKNOWN in outcomes
        or any(claim.support == "unknown" for claim in card.claims)
    )


def _disagreeing(cards: Iterable[Scorecard], second: Iterable[Scorecard], seed: int) -> list[str]:
    others = {card.id: card for card in second}
    shared = [(card, others[card.id]) for card in _by_chance(cards, seed) if card.id in others]
    if not shared:
        raise SettingError("disagreement: the second run has no record in common with this one")
    ranked = [(_opposition(*pair), pair[0].id) for pair in shared]
    return [key for opposed, key in sorted(ranked, key=lambda entry: entry[0], reverse=True) if any(opposed)]


def _opposition(a: Scorecard, b: Scorecard) -> tuple[float, int, int]:
    """Return how opposed two readings of one answer are: the widest difference on a claim, on how many pairs, and the buckets'.

    Only outcomes count: another p with the same outcome is no disagreement. Claims that are not the same text were read
    otherwise, and have nothing to compare.
    """
    both = [(x, y) for x, y in zip(a.claims, b.claims, strict=False) if x.text == y.text]
    widest = max((_apart(x.support, y.support) for x, y in both), default=0.0)
    pairs = sum(_citations_apart(x, y) for x, y in both)
    return widest, pairs, abs(SEVERITY[a.bucket] - SEVERITY[b.bucket])


def _apart(one: Support, other: Support) -> float:
    if one == other:
        return 0.0
    return float(abs(_SCALE[one] - _SCALE[other])) if one in _SCALE and other in _SCALE else _UNDECIDED


def _citations_apart(x: ClaimScore, y: ClaimScore) -> int:
    return sum(one.supports != other.supports for one, other in zip(x.citations, y.citations, strict=False))


def _failed(cards: Iterable[Scorecard], seed: int) -> list[str]:
    failing = [card for card in _by_chance(cards, seed) if card.bucket in _FAILED or _has_failed_finding(card)]
    return [card.id for card in sorted(failing, key=lambda card: place(card)[:2])]


def _has_failed_finding(card: Scorecard) -> bool:
    return any(finding.outcome is Outcome.FAIL for finding in card.findings)
