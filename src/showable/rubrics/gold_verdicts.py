"""Settling agreement with gold by a judge, asked both ways: gold against the answer, its claims against gold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from showable.records.evidence import Label, Pair, PairRole, PairVerdict, Verdict
from showable.records.record import Gold
from showable.records.scorecard import GoldAgreement
from showable.records.signature import Thresholds
from showable.rubrics.gold_polarity import gold_polarity
from showable.rubrics.gold_question import read_question
from showable.rubrics.gold_reading import GoldReading
from showable.rubrics.semantic import log_odds

STATEMENT_WORDS = 4
"""A gold answer of fewer words ("Yes", "Paris") states something only together with its question."""
_GOLD, _SAME, _CONTRARY = 0, 1, 2
"""Numbers of the pairs that ask the answer for gold as it stands, for its yes or no, and for the contrary."""
_NEAR = 0.5
"""Log odds between a yes and a no within which a judge hardly tells them apart."""
_DOUBT = 0.25
"""Probability below which the odds are three to one that an answer which says gold's yes or no has another reason."""
_POLAR = 'The answer to "{}" is {}.'
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
    """List what to ask a judge where marks left agreement undecided.

    Role ``gold_in_answer``: does the answer entail the gold answer (number 0), its yes or no (1), the contrary (2)? Role
    ``answer_in_gold``, one a claim: does the gold answer entail, or contradict, what the claim says?
    """
    if not gold.answer or not gold.answer.strip():
        return []
    said, asked = text if text.strip() else "\n".join(claims), question.strip()
    alone = len(gold.answer.split()) >= STATEMENT_WORDS
    wanted = {_GOLD: gold.answer if alone else f"{asked} {gold.answer}"}
    polarity = gold_polarity(gold.answer) if read_question(question).yes_no else None
    if polarity is not None:
        contrary = "no" if polarity == "yes" else "yes"
        wanted |= {_SAME: _POLAR.format(asked, polarity), _CONTRARY: _POLAR.format(asked, contrary)}
    pairs: list[tuple[PairRole, int, Pair]] = [
        ("gold_in_answer", number, Pair(statement, said, question=question)) for number, statement in wanted.items()
    ]
    statement = f"{asked}\n{gold.answer}"
    return pairs + [("answer_in_gold", i, Pair(c, statement, question=question)) for i, c in enumerate(claims)]


def asks_yes_or_no(claim: str) -> bool:
    """Check whether a claim is that a question is answered by yes or no."""
    before, between, _ = _POLAR.split("{}")
    return claim.startswith(before) and claim.endswith((f"{between}yes.", f"{between}no."))


def settle_with_verdicts(reading: GoldReading, pairs: Sequence[PairVerdict], thresholds: Thresholds) -> GoldReading:
    """Settle an open reading by the verdicts on `gold_pairs`; a decided one stays.

    Gold entailed by the answer: agrees; entailed in part: agrees, incomplete. Contradicted by the answer, or a claim
    contradicted by gold: disagrees. Neither: absent. Of a yes or no the likelier one is what the answer says. Where the
    judge could not say, or finds said what is only denied, unknown.
    """
    forward = {p.claim: p.verdict for p in pairs if p.role == "gold_in_answer"}
    polar = _of_yes_and_no(forward[_SAME], forward[_CONTRARY]) if forward.keys() >= {_GOLD, _SAME, _CONTRARY} else None
    if (
        polar
        and reading.reasoned
        and _is_near(forward[_SAME], forward[_CONTRARY])
        and _label(forward[_GOLD], thresholds) == "supported"
    ):
        polar = "supported"
    doubted = polar not in {None, "unknown"} and reading.reasoned and _is_doubted(forward[_GOLD])
    if reading.overall == "agrees" and doubted:
        reason = f"{reading.reason}, and {forward[_GOLD].judge} does not find its reason"
        absent: GoldAgreement = "absent"
        return replace(reading, overall=absent, per_claim=(absent,) * len(reading.per_claim), reason=reason)
    if not reading.undecided or not forward:
        return reading
    back = {p.claim: _label(p.verdict, thresholds) for p in pairs if p.role == "answer_in_gold"}
    per_claim = tuple(_CLAIM_AGREEMENT[back.get(i, "unknown")] for i in range(len(reading.per_claim)))
    verdict = next(iter(forward.values()))
    label = _label(verdict, thresholds)
    if polar is not None:
        label, back = "unsupported" if doubted and polar == "supported" else polar, {}
    elif label == "partial" and reading.how in _WHOLE:
        label = "unknown"
    judge = verdict.judge
    if label in {"supported", "partial"} and reading.denied:
        return replace(reading, reason=f"{judge} finds gold in the answer, where it is only denied or of another role")
    if label == "unknown":
        return replace(reading, per_claim=per_claim, reason=f"{judge}: {verdict.reason or 'it cannot be said'}")
    overall, why = _overall(label, back)
    settled = replace(
        reading,
        overall=overall,
        incomplete=reading.incomplete or label == "partial",
        reason=f"{judge}: the answer {why}",
    )
    return replace(settled, per_claim=_consistent(overall, per_claim), how="judge", undecided=False)


def _is_doubted(verdict: Verdict) -> bool:
    return verdict.label == "contradicted" or (verdict.p is not None and verdict.p < _DOUBT)


def _overall(label: Label, back: dict[int, Label]) -> tuple[GoldAgreement, str]:
    if label in {"supported", "partial"}:
        return "agrees", "entails gold" if label == "supported" else "entails part of gold"
    if label == "contradicted" or "contradicted" in back.values():
        return "disagrees", "and gold contradict one another"
    return "absent", "does not entail gold"


def _is_near(same: Verdict, contrary: Verdict) -> bool:
    """Check whether a judge hardly tells a yes from a no, so that gold's reason tells them apart."""
    if same.p is None or contrary.p is None:
        return True
    return abs(log_odds(same.p) - log_odds(contrary.p)) < _NEAR


def _of_yes_and_no(same: Verdict, contrary: Verdict) -> Label:
    """Return whether the answer says gold's yes or no, the contrary, or cannot be read."""
    if same.injection_suspected:
        return "unknown"
    if same.p is not None and contrary.p is not None:
        return "unknown" if same.p == contrary.p else "supported" if same.p > contrary.p else "contradicted"
    if same.label == contrary.label or "unknown" in {same.label, contrary.label}:
        return "unknown"
    return "supported" if same.label == "supported" or contrary.label == "contradicted" else "contradicted"


def _label(verdict: Verdict, thresholds: Thresholds) -> Label:
    """Return the label by the probability at the threshold, where there is one.

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
    """Make claims and answer go together: where it agrees, no claim is held against it.

    A claim that the judge sees contradicted beside an answer that it sees entail gold is left open: one of the two
    verdicts is mistaken, and which cannot be told. Where the whole answer contradicts gold and no claim alone does, the
    first one that does not agree is the one.
    """
    if overall != "disagrees":
        return tuple("unknown" if a == "disagrees" else a for a in per_claim)
    if "disagrees" in per_claim:
        return per_claim
    worst = next((i for i, a in enumerate(per_claim) if a != "agrees"), 0)
    return tuple("disagrees" if i == worst else a for i, a in enumerate(per_claim))
