"""Drift over the latest answers of a window: each rate on its charts, profile by profile.

Structural and resolvability outcomes are of every answer. What a judge had to be asked for is watched over judged answers
alone, thinned so that each had the same chance to be here: those that look bad are judged more often, and unthinned a
change of how many look bad would pass for a change of the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from showable.measure.drift.answers import WATCHED, CardInBrief, ClaimP, ScoredAnswer
from showable.measure.drift.rate_chart import LEAST_BASELINE
from showable.measure.drift.report import DriftReport
from showable.measure.drift.stream import StreamSetting, watch_stream
from showable.measure.tail_sampling import draw
from showable.records.traced import LiveScore
from showable.serving.pages.words import exact
from showable.stores.traces.store import AnswerRow, TraceStore, Where

MOST_ANSWERS, MOST_JUDGED = 2_000, 800
"""Answers looked at, the latest, and of them those whose whole scores are read: evenly among those that may be judged."""
_DECIDED = {"fail": True, "pass": False}
_SEED = 7


def look_for_drift(store: TraceStore, where: Where) -> DriftReport | None:
    """Watch the latest answers of a window, the older half of them being the baseline; None where there are too few."""
    rows = store.answers(where, limit=MOST_ANSWERS)
    if len(rows) < 2 * LEAST_BASELINE:
        return None
    maybe_judged = [row.id for row in rows if row.semantic != "unknown" or row.bucket != "unknown"]
    every = -(-len(maybe_judged) // MOST_JUDGED) or 1
    return watch(rows, store.scores(maybe_judged[::every]))


def watch(rows: Sequence[AnswerRow], scores: Sequence[LiveScore]) -> DriftReport:
    """Watch answers, latest first as lists have them, with the whole scores of some of them."""
    kept = {score.id: score for score in thinned([score for score in scores if score.judged])}
    answers = [_answer(row, kept) for row in reversed(rows)]
    before = len(answers) // 2
    setting = StreamSetting(baseline=before, horizon=len(answers) - before)
    return watch_stream(answers, setting, about=f"the {len(answers):,} latest")


def thinned(scores: Sequence[LiveScore]) -> list[LiveScore]:
    """Keep of judged answers so many that each had the same probability of being kept, by a draw that its id decides."""
    least = min((score.probability for score in scores), default=1.0)
    return [score for score in scores if draw(score.id, _SEED) < least / score.probability]


def _answer(row: AnswerRow, kept: Mapping[str, LiveScore]) -> ScoredAnswer:
    score = kept.get(row.id)
    outcomes: dict[str, bool | None] = dict.fromkeys(WATCHED)
    p = None
    if score is not None:
        answer = ScoredAnswer.of(_brief(score), "", row.profile, None)
        outcomes, p = dict(answer.outcomes), answer.p
        outcomes["semantic_failed"] = _DECIDED.get(str(score.semantic))
    outcomes |= {f"{name}_failed": _DECIDED.get(said) for name, said in _of_every_answer(row).items()}
    return ScoredAnswer(row.id, "", exact(row.started_ns) or None, row.profile, outcomes, p)


def _of_every_answer(row: AnswerRow) -> dict[str, str]:
    return {"structural": row.structural, "resolvability": row.resolvability}


def _brief(score: LiveScore) -> CardInBrief:
    card = score.scorecard
    claims = tuple(ClaimP(p=claim.p) for claim in card.claims)
    return CardInBrief(
        id=score.id, bucket=card.bucket, cause=card.cause, refusal=card.refusal, claims=claims, checks=card.checks
    )
