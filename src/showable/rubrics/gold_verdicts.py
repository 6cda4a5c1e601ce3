"""Settling agreement with gold by a judge, asked both ways: the gold answer against the answer, its claims against gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from showable.records.evidence import Label, Pair, PairRole, PairVerdict, Verdict
from showable.records.record import Gold
from showable.records.scorecard import GoldAgreement
from showable.records.signature import Thresholds
from showable.rubrics.gold_reading import GoldReading

_STATEMENT_WORDS = 4
"""A gold answer of fewer words ("Yes", "Paris") states something only together with its question."""
_WHOLE = frozenset({"polarity", "none", "choice"})
"""Comparisons in which part of the gold answer is no answer: the reason given may be found, the yes or no must be."""
_CLAIM_AGREEMENT: dict[Label, GoldAgreement] = {
    "supported": "agrees",
    "partial": "agrees",
    "unsupported": "absent",
    "contradicted": "disagrees",
    "unknown": "unknown",
}


def gold_pairs(question: str, gold: Gold, claims: Sequence[str], text: str) -> list[tuple[PairRole, int, Pair]]:
    """List what to ask a judge where words and numbers left agreement undecided.

    Role ``gold_in_answer`` (claim index 0): does the answer entail the gold answer? Role ``answer_in_gold``, one a claim:
    does the gold answer entail, or contradict, what the claim says?
    """
    if not gold.answer or not gold.answer.strip():
        return []
    said = text if text.strip() else "\n".join(claims)
    alone = len(gold.answer.split()) >= _STATEMENT_WORDS
    wanted = gold.answer if alone else f"{question.strip()} {gold.answer}"
    pairs: list[tuple[PairRole, int, Pair]] = [("gold_in_answer", 0, Pair(wanted, said, question=question))]
    statement = f"{question.strip()}\n{gold.answer}"
    pairs += [("answer_in_gold", i, Pair(claim, statement, question=question)) for i, claim in enumerate(claims)]
    return pairs


def settle_with_verdicts(reading: GoldReading, pairs: Sequence[PairVerdict], thresholds: Thresholds) -> GoldReading:
    """Settle an undecided reading by the verdicts on `gold_pairs`; a decided one stays as it is.

    Gold entailed by the answer: agrees; entailed in part: agrees, incomplete (not of a yes or no, which has no parts). Contradicted by the answer, or a claim
    contradicted by gold: disagrees. Neither: absent. Where the judge could not say, or finds said what is only denied, unknown.
    """
    forward = [p.verdict for p in pairs if p.role == "gold_in_answer"]
    if not reading.undecided or not forward:
        return reading
    back = {p.claim: _label(p.verdict, thresholds) for p in pairs if p.role == "answer_in_gold"}
    per_claim = tuple(_CLAIM_AGREEMENT[back.get(i, "unknown")] for i in range(len(reading.per_claim)))
    label = _label(forward[0], thresholds)
    judge = forward[0].judge
    if label == "partial" and reading.how in _WHOLE:
        label = "unknown"
    if label in {"supported", "partial"} and reading.denied:
        return replace(reading, reason=f"{judge} finds gold in the answer, where it is only denied")
    if label in {"supported", "partial"}:
        why = "entails gold" if label == "supported" else "entails part of gold"
        settled = replace(
            reading,
            overall="agrees",
            incomplete=label == "partial" or reading.incomplete,
            reason=f"{judge}: the answer {why}",
        )
    elif label == "contradicted" or "contradicted" in back.values():
        settled = replace(reading, overall="disagrees", reason=f"{judge}: the answer and gold contradict one another")
    elif label == "unknown":
        return replace(reading, per_claim=per_claim, reason=f"{judge}: {forward[0].reason or 'it cannot be said'}")
    else:
        settled = replace(reading, overall="absent", reason=f"{judge}: the answer does not entail gold")
    return replace(settled, per_claim=_consistent(settled.overall, per_claim), how="judge", undecided=False)


def _label(verdict: Verdict, thresholds: Thresholds) -> Label:
    """Take the probability at the threshold where there is one, the label where there is none.

    An answer that seems to tell a judge what to say is not taken at its word.
    """
    if verdict.injection_suspected:
        return "unknown"
    if verdict.p is None or verdict.label in {"unknown", "contradicted"}:
        return verdict.label
    if verdict.p >= thresholds.support:
        return "supported"
    return "unsupported" if verdict.label == "supported" else verdict.label


def _consistent(overall: GoldAgreement, per_claim: tuple[GoldAgreement, ...]) -> tuple[GoldAgreement, ...]:
    """Make claims and answer go together: where the answer disagrees a claim does, where it agrees none is held against it.

    A claim that the judge sees contradicted beside an answer that it sees entail gold is left open: one of the two
    verdicts is mistaken, and which cannot be told.
    """
    if overall == "disagrees":
        return per_claim if "disagrees" in per_claim else _blame(per_claim)
    return tuple("unknown" if a == "disagrees" else a for a in per_claim)


def _blame(per_claim: tuple[GoldAgreement, ...]) -> tuple[GoldAgreement, ...]:
    """Where the whole answer contradicts gold, and no claim alone does, take the first claim that does not agree with it."""
    worst = next((i for i, a in enumerate(per_claim) if a != "agrees"), 0)
    return tuple("disagrees" if i == worst else a for i, a in enumerate(per_claim))
