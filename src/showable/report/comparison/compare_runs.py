"""Make a comparison of contenders: a row each, the gate between any two, and the effect of the refusal licence."""

from __future__ import annotations

from collections.abc import Sequence

from showable.errors import SettingError
from showable.measure.comparison import Comparison, Crossing, LicenceUnclear
from showable.measure.contender import Contender
from showable.measure.licence import licence_effect, licence_pairs, licence_unclear, swaps
from showable.measure.power import can_show
from showable.measure.repeats import GateRow, Paired, pair, questions_fingerprint, require_same_questions
from showable.records.signature import Signature
from showable.ship_gate import reasons_against, require_alike, unmeasured

FEWEST, MOST = 2, 40


def compare_runs(contenders: Sequence[Contender], signatures: Sequence[Signature]) -> Comparison:
    """Compare 2 to 40 runs over the same questions, in the order given; nothing is ranked and nothing averaged.

    Raises SettingError where they were measured differently or hold different questions, naming what differs.
    """
    if not FEWEST <= len(contenders) <= MOST:
        raise SettingError(f"compare: expected {FEWEST} to {MOST} runs, got {len(contenders)}")
    require_alike(*signatures)
    folded = [contender.folded() for contender in contenders]
    for contender, rows in zip(contenders[1:], folded[1:], strict=True):
        require_same_questions(folded[0], rows, names=(contenders[0].folder, contender.folder))
    seed = signatures[0].seed
    n = len(folded[0])
    facts = [contender.pipeline for contender in contenders]
    return Comparison(
        n=n,
        questions=questions_fingerprint(folded[0]),
        signature=signatures[0],
        rows=tuple(contender.row(number, seed=seed) for number, contender in enumerate(contenders, 1)),
        gate=_crossings(folded),
        licence=tuple(licence_effect(a + 1, b + 1, folded[a], folded[b]) for a, b in licence_pairs(facts)),
        can_show=can_show(n) if n else None,
        swaps=swaps(facts, folded),
        licence_unclear=tuple(_unclear(*sides) for sides in licence_unclear(facts)),
    )


def _unclear(without: Sequence[int], licensed: Sequence[int]) -> LicenceUnclear:
    return LicenceUnclear(
        without=tuple(place + 1 for place in without), licensed=tuple(place + 1 for place in licensed)
    )


def _crossings(folded: Sequence[Sequence[GateRow]]) -> tuple[Crossing, ...]:
    return tuple(
        _crossing(a + 1, b + 1, pair([baseline], [candidate]))
        for a, baseline in enumerate(folded)
        for b, candidate in enumerate(folded)
        if a != b
    )


def _crossing(a: int, b: int, both: Paired) -> Crossing:
    reasons = reasons_against(both)
    return Crossing(
        baseline=a,
        candidate=b,
        ship=not reasons,
        inconclusive=unmeasured(both) is not None,
        reason=reasons[0] if reasons else None,
        reasons=len(reasons),
    )
