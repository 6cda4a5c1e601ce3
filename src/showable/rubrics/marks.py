"""What the marks of a claim decide against a passage, whoever judges its words: values in tables, and reckonings."""

from __future__ import annotations

from collections.abc import Sequence

from showable.records.evidence import Pair, Verdict
from showable.rubrics.follow_up import is_elliptic, own_words, value_of_another
from showable.rubrics.reckoning import Reckoning, reckon
from showable.rubrics.table_values import ValueCheck, check_values, denies, unsaid

NAME = "marks@1"
"""Who says so, in the place of a judge's name."""
_HOLDS, _FAILS = 0.95, 0.03
"""Probability of support where marks decide: above every threshold for what holds, below every one for what does not."""
_UNSAID = 0.67
"""Share of a claim's words that may stand nowhere in a table whose value it has right; a claim with more says more than that."""
_LONGEST_QUOTE, _MOST_PIECES = 400, 8


def settled_by_marks(pair: Pair, verdict: Verdict, *, own: bool, before: str = "") -> Verdict:
    """Return the verdict of marks where they decide a pair, else the judge's.

    `own` says that the claim cites the passage: only there is a value in the wrong place held against it as a contradiction.
    `before` is the question before a follow-up. A failed call stays one, and whatever a judge suspects of the passage stays.
    """
    if verdict.failure is not None:
        return verdict
    claim = own_words(pair)  # a value of the question is none of the claim's
    checks = check_values(claim, pair.passage, pair.question)
    suspects = [check.value for check in checks if check.standing in {"elsewhere", "tied"}]
    reckonings = reckon(claim, pair.passage, pair.question, suspects)
    if not checks and before and (other := value_of_another(claim, pair.passage, pair.question or "", before)):
        return _against(verdict, other, own=own and is_elliptic(claim))
    if not checks and not reckonings:
        return verdict
    reckoned = {r.value for r in reckonings if r.outcome == "holds" and (r.cued or r.value not in suspects)}
    steps = " ".join(r.value for r in reckonings if "=" in r.value)
    checks = [check for check in checks if check.value not in reckoned and check.value not in steps]
    reckonings = [r for r in reckonings if r.value in reckoned or r.value not in suspects]
    return _weighed(pair._replace(claim=claim), verdict, checks, reckonings, own=own)


def _weighed(
    pair: Pair, verdict: Verdict, checks: Sequence[ValueCheck], reckonings: Sequence[Reckoning], *, own: bool
) -> Verdict:
    """Return what values in tables and reckonings come to together: one that is wrong decides, else all must hold."""
    denied = denies(pair.claim)
    misplaced = next((check for check in checks if check.standing in {"elsewhere", "absent"} and check.addressed), None)
    wrong = next((r for r in reckonings if r.outcome == "fails"), None)
    if wrong is not None and (misplaced is None or (misplaced.standing == "absent" and wrong.cued)):
        return _against(verdict, wrong.told, own=own, miscalculated=own)
    if misplaced is not None and not (denied and misplaced.value != "none"):
        return _against(verdict, misplaced.reason, own=own)
    if _all_hold(pair.claim, checks, reckonings, denied=denied):
        return _for(pair, verdict, checks, reckonings)
    if verdict.label == "contradicted" and any(r.outcome == "open" and r.operands for r in reckonings):
        return verdict.model_copy(update={"label": "unsupported"})  # something does come out at the value
    return verdict


def _all_hold(claim: str, checks: Sequence[ValueCheck], reckonings: Sequence[Reckoning], *, denied: bool) -> bool:
    """Return whether every value stands where the claim puts it or comes out, and the claim says little else."""
    values = [check for check in checks if check.value != "none"]
    if any(check.standing != "stands" for check in checks) or any(r.outcome != "holds" for r in reckonings):
        return False
    if denied and (values or not checks):
        return False
    return bool(reckonings) or unsaid(claim, checks) <= _UNSAID


def _against(verdict: Verdict, reason: str, *, own: bool, miscalculated: bool = False) -> Verdict:
    p = _FAILS if verdict.p is None else min(_FAILS, verdict.p)
    label = "contradicted" if own else "unsupported"
    return verdict.model_copy(
        update={"label": label, "judge": NAME, "p": p, "raw_p": None, "reason": reason, "miscalculated": miscalculated}
    )


def _for(pair: Pair, verdict: Verdict, checks: Sequence[ValueCheck], reckonings: Sequence[Reckoning]) -> Verdict:
    """Return support, with the row or the operands relied on as its quote and their places as its reason."""
    places = [operand.place for r in reckonings for operand in r.operands]
    places += [at for c in checks if c.found and (at := c.table.place_of(c.found.row)) is not None]
    told = "; ".join([r.told for r in reckonings] + [check.reason for check in checks])
    span = (min(a for a, _ in places), max(b for _, b in places)) if places else None
    short = span is not None and span[1] - span[0] <= _LONGEST_QUOTE
    pieces = " … ".join(pair.passage[start:end] for start, end in places[:_MOST_PIECES])
    quote = pair.passage[slice(*span)] if span is not None and short else pieces
    return verdict.model_copy(
        update={
            "label": "supported",
            "judge": NAME,
            "p": _HOLDS if verdict.p is None else max(_HOLDS, verdict.p),
            "raw_p": None,
            "reason": told,
            "quote": quote or None,
            "quote_span": span if short else None,
        }
    )
