"""Return what a run would cost before it is run."""

from __future__ import annotations

from showable.cli.scoring import Plan, good_records
from showable.gather import bounds
from showable.judges.cascade import CascadeName
from showable.read.answer import read_answer
from showable.records.evidence import Cost

_WHEN = "the least if every cited passage supports its claim, the most if none does"
_WHEN_CASCADE = (
    "nothing if the first judge is sure of every claim, none is critical and no answer failed another rubric,"
    " the most if of none"
)


def estimate(plan: Plan) -> tuple[Cost, Cost]:
    """Add up the least and the most that judging every record may cost. Nothing is called.

    A cascade may cost nothing, where its first judge is sure of every claim.
    """
    least, most = Cost(), Cost()
    for record in good_records(plan.check.path):
        low, high = bounds(record, read_answer(record, plan.profile), plan.judge, plan.profile, plan.corpus)
        least, most = least + low, most + high
    return (least if CascadeName.parse(plan.judge.name) is None else Cost()), most


def describe_estimate(plan: Plan, least: Cost, most: Cost) -> str:
    """Say it in three lines."""
    if most.usd is None:
        money = "price unknown: give --price-in and --price-out (USD per million tokens)"
    else:
        money = f"${least.usd or 0.0:.4f} to ${most.usd:.4f}"
    if not most.calls:
        return f"{plan.check.records} records, judge {plan.judge.name}: embedded, no call and no cost"
    tokens_in = f"{least.tokens_in:,} to {most.tokens_in:,} tokens in"
    tokens_out = f"{least.tokens_out:,} to {most.tokens_out:,} out"
    return "\n".join(
        [
            f"{plan.check.records} records, judge {plan.judge.name}",
            f"{least.calls:,} to {most.calls:,} judge calls, {tokens_in}, {tokens_out}",
            f"{money}; {_WHEN if CascadeName.parse(plan.judge.name) is None else _WHEN_CASCADE}",
            "verdicts that are cached cost nothing",
        ]
    )
