"""What judging cost, in words."""

from __future__ import annotations

from showable.records.evidence import Cost


def cost_in_words(cost: Cost) -> str:
    """Return calls, tokens and dollars."""
    money = "price unknown" if cost.usd is None else f"${cost.usd:.4f}"
    calls = "1 judge call" if cost.calls == 1 else f"{cost.calls:,} judge calls"
    return f"{calls}, {cost.tokens_in:,} tokens in, {cost.tokens_out:,} out, {money}"
