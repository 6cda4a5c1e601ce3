"""The coordinate parts of a claim: the items of a list, the clauses of a sentence, the sentences of a claim."""

from __future__ import annotations

from probative.judges.lexical.words import Words, is_content

_JOINTS = frozenset({"and", "but", "or", "while", "which", "who", "becaus", "after", "befor", "when", "where", "although"})
_BREAKS = frozenset(",;:.!?()\n")


def split_parts(claim: Words, text: str, least: int) -> list[list[str]]:
    """Cut a claim at its punctuation and conjunctions into parts of at least `least` content terms each."""
    parts: list[list[str]] = []
    current: list[str] = []
    for at, term in enumerate(claim.terms):
        joint = term in _JOINTS or (at > 0 and not _BREAKS.isdisjoint(text[claim.ends[at - 1] : claim.starts[at]]))
        if joint and len(current) >= least:
            parts.append(current)
            current = []
        if is_content(term):
            current.append(term)
    if len(current) >= least or not parts:
        parts.append(current)
    else:
        parts[-1] = parts[-1] + current
    return parts


def part_shares(parts: list[list[str]], weights: dict[str, float], credit: dict[str, float]) -> list[float]:
    """Give for each part the share of its weight that is covered; a part without content words counts as covered."""
    shares = []
    for part in parts:
        whole = sum(weights[term] for term in part if term in weights)
        shares.append(sum(weights[t] * credit.get(t, 0.0) for t in part if t in weights) / whole if whole else 1.0)
    return shares
