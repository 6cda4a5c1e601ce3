"""The coordinate parts of a claim: the items of a list, the clauses of a sentence, the sentences of a claim."""

from __future__ import annotations

from showable.judges.lexical.words import Words, is_content

_JOINTS = frozenset(
    {"and", "but", "or", "while", "which", "who", "becaus", "after", "befor", "when", "where", "although"}
)
_LINKS = frozenset({"and", "or"})
_ITEM = 3
"""Content words of an item of a list, at most."""
_REST = 0.75
"""Share of the rest of the claim that must be there for an item to be what is missing."""
_LEAST = 1e-9
"""A weight below it is nothing but rounding."""
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


def missing_item(claim: Words, text: str, weights: dict[str, float], found: dict[str, float]) -> str | None:
    """Give the item after an "and" that the passage lacks although it has the rest of the claim, or None.

    The item before it is found, the rest is covered, and of the item either the first content word is missing and
    nothing follows it in the claim, or all of it is missing.
    """
    total = sum(weights.values())
    had = sum(weight * found.get(term, 0.0) for term, weight in weights.items())
    before = None
    for at, word in enumerate(claim.terms):
        if is_content(word):
            before = word
        if word not in _LINKS or before not in found:
            continue
        end = _item_end(claim, text, at + 1)
        inside = [i for i in range(at + 1, end) if is_content(claim.terms[i])]
        if not 0 < len(inside) <= _ITEM or claim.terms[inside[0]] in found:
            continue
        item = {claim.terms[i] for i in inside}
        rest = total - sum(weights.get(term, 0.0) for term in item)
        covered = had - sum(weights.get(term, 0.0) * found.get(term, 0.0) for term in item)
        if (end == len(claim.terms) or item.isdisjoint(found)) and rest > _LEAST and covered / rest >= _REST:
            return text[claim.starts[inside[0]] : claim.ends[inside[-1]]]
    return None


def _item_end(claim: Words, text: str, start: int) -> int:
    for at in range(start, len(claim.terms)):
        if claim.terms[at] in _JOINTS or (
            at > start and not _BREAKS.isdisjoint(text[claim.ends[at - 1] : claim.starts[at]])
        ):
            return at
    return len(claim.terms)
