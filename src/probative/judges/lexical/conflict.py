"""When the signs amount to a contradiction: one checkable thing differs, and all the rest of the claim is there."""

from __future__ import annotations

from probative.judges.lexical.signs import Signs
from probative.judges.lexical.slots import Slot
from probative.judges.lexical.words import Words, is_content, term
from probative.read.quantities import Quantity

_REST = 0.8
"""Share of the remaining words that the window must have: a contradiction has the same subject and predicate."""
_REST_NEGATED = 0.6
"""The same where a predicate of two or more words is negated on one side only."""
_WITH_UNIT = frozenset({"duration", "money", "percent", "percentage_points", "measure"})


def find_conflict(signs: Signs, passage: Words) -> str | None:
    """Say in words what the passage has instead, or None where no contradiction is sure."""
    return _number(signs, passage) or _direction(signs) or _negation(signs) or _name(signs, passage)


def _rest(signs: Signs, without: set[str]) -> float:
    """Give the share of the claim's weight, some terms left out, that the window has."""
    held = signs.coverage
    kept = {t: w for t, w in held.weights.items() if t not in without}
    total = sum(kept.values())
    return sum(w * held.credit.get(t, 0.0) for t, w in kept.items()) / total if total else 0.0


def _number(signs: Signs, passage: Words) -> str | None:
    numbers = signs.numbers
    if len(numbers.missing) != 1 or len(numbers.replaced) != 1:
        return None
    ours, theirs = numbers.replaced[0]
    inside = {signs.claim.terms[at] for at in _tokens(signs.claim, ours)}
    if _rest(signs, inside) < _REST or not (ours.kind in _WITH_UNIT or _same_noun(signs.claim, ours, passage, theirs)):
        return None
    return f"the passage has {theirs.text}, the claim says {ours.text}"


def _tokens(words: Words, quantity: Quantity) -> list[int]:
    low, high = quantity.span
    return [at for at, start in enumerate(words.starts) if low <= start < high]


def _same_noun(claim: Words, ours: Quantity, passage: Words, theirs: Quantity) -> bool:
    """Say whether both numbers stand beside the same word: before the same noun, or after the same one."""
    here, there = _tokens(claim, ours), _tokens(passage, theirs)
    if not here or not there:
        return False
    after = claim.terms[here[-1] + 1 : here[-1] + 2], passage.terms[there[-1] + 1 : there[-1] + 2]
    before = claim.terms[max(0, here[0] - 2) : here[0]], passage.terms[max(0, there[0] - 2) : there[0]]
    return (bool(after[0]) and after[0] == after[1] and is_content(after[0][0])) or (
        before[0] == before[1] and any(map(is_content, before[0]))
    )


def _direction(signs: Signs) -> str | None:
    if len(signs.opposite) != 1 or signs.flipped:
        return None
    ours, theirs = signs.opposite[0]
    return f"the passage has “{theirs}”, the claim says “{ours}”" if _rest(signs, {term(ours)}) >= _REST else None


def _negation(signs: Signs) -> str | None:
    if not signs.flipped or signs.opposite:
        return None
    needed = _REST_NEGATED if len(set(signs.flipped)) > 1 else _REST
    if _rest(signs, set()) < needed:
        return None
    word = next(surface for at, surface in enumerate(signs.claim.surface) if signs.claim.terms[at] == signs.flipped[0])
    return f"“{word}” is negated on one side only"


def _name(signs: Signs, passage: Words) -> str | None:
    if len(signs.slots) != 1 or not signs.slots[0].held:
        return None
    slot = signs.slots[0]
    ours, theirs = signs.claim.surface[slot.start : slot.end], passage.surface[slot.there[0] : slot.there[1]]
    if not (_all_names(ours, slot) and all(word[0].isupper() for word in theirs)):
        return None
    if _rest(signs, set(signs.claim.terms[slot.start : slot.end])) < _REST:
        return None
    return f"the passage has {' '.join(theirs)}, the claim says {' '.join(ours)}"


def _all_names(surface: list[str], slot: Slot) -> bool:
    """Say whether words are names by their capitals; a single word that opens the claim would have one anyway."""
    return all(word[0].isupper() for word in surface) and (slot.start > 0 or len(surface) > 1)
