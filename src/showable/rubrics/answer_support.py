"""From the claims to the answer: one calibrated probability that everything in it is supported.

An answer is as good as its worst claim, but of many claims, each a little unsure, the worst always looks bad. So a small
logistic function over the claims' log odds decides (`training/answer_head.py` fits it), for the judges that it was fitted for.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import starmap

from pydantic import Field, model_validator

from showable.records.findings import Outcome, Subject
from showable.records.scorecard import AnswerSupport
from showable.records.wire import Span, Wire
from showable.rubrics.checks import Checks
from showable.rubrics.resolvability import Resolution
from showable.rubrics.retrieval_log import RetrievalLog
from showable.rubrics.semantic import ClaimSupport

HEADS = "answer_heads.json"
"""The heads, by the part of a judge's name before its revision."""

FEATURES: dict[str, Callable[[Sequence[float]], float]] = {
    "least": min,
    "second": lambda odds: sorted(odds)[:2][-1],
    "mean": lambda odds: math.fsum(odds) / len(odds),
    "count": lambda odds: math.log(len(odds)),
}
"""Features of an answer, from the log odds of its claims beyond their thresholds; all but the count rise with every claim's."""


class AnswerHead(Wire):
    """A logistic function over some of `FEATURES`, without a constant: an answer of one claim is as good as that claim.

    p is a probability where good and bad answers are equally frequent.

    `judge` is the one it was fitted for; `uncertain` the band of p in which nothing is decided, both ends in it.
    """

    judge: str
    weights: dict[str, float]
    uncertain: tuple[float, float] = Field(strict=False)

    @model_validator(mode="after")
    def _known(self) -> AnswerHead:
        if unknown := self.weights.keys() - FEATURES.keys():
            raise ValueError(f"weights: {', '.join(sorted(unknown))}: no feature of this version")
        if any(weight < 0 for name, weight in self.weights.items() if name != "count"):
            raise ValueError("weights: a claim with more support cannot make an answer worse")
        if not 0.0 <= self.uncertain[0] <= self.uncertain[1] <= 1.0:
            raise ValueError("uncertain: two probabilities, the lower first")
        return self

    def probability(self, odds: Sequence[float]) -> float:
        """Return the probability that all claims are supported, from their log odds."""
        z = math.fsum(weight * FEATURES[name](odds) for name, weight in self.weights.items())
        return 1.0 / (1.0 + math.exp(-max(-40.0, min(40.0, z))))

    def outcome(self, p: float) -> Outcome:
        """Decide on an answer by its probability."""
        low, high = self.uncertain
        return Outcome.PASS if p > high else Outcome.FAIL if p < low else Outcome.UNKNOWN

    @property
    def revision(self) -> str:
        """Eight hexadecimal digits that change with every number of the head."""
        return hashlib.blake2b(self.model_dump_json().encode(), digest_size=4).hexdigest()


def head_for(judge: str) -> AnswerHead | None:
    """Return the head for a judge, by its name; None for one that none was fitted for."""
    return _heads().get(judge.partition("@")[0])


@cache
def _heads() -> dict[str, AnswerHead]:
    text = files("showable.rubrics").joinpath(HEADS).read_text("utf-8")
    return {name: AnswerHead.model_validate_json(json.dumps(held)) for name, held in json.loads(text).items()}


@dataclass(frozen=True, slots=True)
class Decision:
    """What the claims come to together, and how each of them is read where the answer is supported and where it is not."""

    support: AnswerSupport | None
    if_supported: Sequence[ClaimSupport]
    if_not: Sequence[ClaimSupport]

    @property
    def readings(self) -> list[Sequence[ClaimSupport]]:
        """The readings that are open: one where it is decided, or there is nothing to decide, else both."""
        if self.support is None or self.support.outcome is Outcome.PASS:
            return [self.if_supported]
        return [self.if_not] if self.support.outcome is Outcome.FAIL else [self.if_supported, self.if_not]


def decide_answer(
    supports: Sequence[ClaimSupport],
    resolutions: Sequence[Sequence[Resolution]],
    log: RetrievalLog,
    head: AnswerHead | None,
) -> Decision:
    """Decide whether the claims of an answer are all supported, from the probability of each.

    A claim without one (a text is missing, a judge failed) takes no part and stays as open as it is. Without a head, or
    a probability, every claim is read by itself.
    """
    by_p = [one.read_by_p(resolved, log) for one, resolved in zip(supports, resolutions, strict=True)]
    pairs = list(zip(by_p, resolutions, strict=True))
    odds = {index: value for index, value in enumerate(starmap(claim_odds, pairs)) if value is not None}
    if head is None or not odds:
        return Decision(None, supports, supports)
    p = head.probability(list(odds.values()))
    least = min(odds, key=lambda index: odds[index])
    support = AnswerSupport(p=round(p, 4), outcome=head.outcome(p), least=least, claims=len(odds))
    good = [
        replace(one, own=Outcome.PASS if resolved else one.own, log=Outcome.PASS) if index in odds else one
        for index, (one, resolved) in enumerate(pairs)
    ]
    if not any(Outcome.FAIL in {one.own if resolved else one.log, one.log} for one, resolved in pairs):
        by_p[least] = _unsupported(*pairs[least])
    return Decision(support, good, by_p)


def claim_odds(claim: ClaimSupport, resolved: Sequence[Resolution]) -> float | None:
    """Return the log odds that a claim is supported, of one read by p; None where that is open for want of a probability."""
    return None if (claim.own if resolved else claim.log) is Outcome.UNKNOWN else claim.odds(resolved)


def _unsupported(claim: ClaimSupport, resolved: Sequence[Resolution]) -> ClaimSupport:
    """Read a claim as unsupported by what it cites; by the log too, unless a passage that it does not cite supports it."""
    cited = {resolution.citation.source_id for resolution in resolved}
    table = claim.verdicts
    elsewhere = any(table.of_whole(i) is Outcome.PASS for i in table.single if i not in cited) and resolved
    denied = claim.contradicted is Outcome.PASS  # where no other passage was read, its own nearly supports it
    return replace(
        claim,
        own=Outcome.FAIL,
        log=Outcome.PASS if elsewhere else Outcome.FAIL,
        contradicted=Outcome.PASS if denied else Outcome.FAIL,
    )


def report_answer(support: AnswerSupport | None, spans: Sequence[Span | None], checks: Checks) -> None:
    """Write down what the claims come to together, on the least supported one."""
    if support is None or support.outcome is Outcome.PASS:
        return
    said = f"the probability that {_all(support.claims)} is {support.p:.2f}"
    checks.note("semantic.answer", support.outcome, said, Subject(claim=support.least), spans[support.least])


def _all(claims: int) -> str:
    return "its claim is supported" if claims == 1 else f"all its {claims} claims are supported"
