"""When the signs amount to a contradiction: one checkable thing differs, in one sentence, and all the rest is there.

A contradiction makes an answer wrong, so each rule asks for the same words around the thing that differs.
"""

from __future__ import annotations

from showable.judges.lexical.signs import Signs
from showable.judges.lexical.words import Words, is_content, terms_of
from showable.read.quantities import Quantity

_REST = 0.8
"""Share of the claim's remaining words that the window must have: same subject, same predicate."""
_REST_NEGATED = 0.6
"""The same for a negation, where the negated predicate itself, of two words or more, stands there unnegated."""
_WITH_UNIT = frozenset({"duration", "money", "percent", "percentage_points", "measure"})
_BOUNDS = terms_of(
    "over under above below than least most up about around nearly almost half within minimum maximum not"
)
_BESIDE = 3
_ITEM = 4
_SENTENCE = 3
"""Words that make a sentence but for its subject."""


def find_conflict(signs: Signs, passage: Words) -> str | None:
    """Return in words what the passage has instead, where a contradiction is sure."""
    return _number(signs, passage) or _direction(signs, passage) or _negation(signs, passage)


def find_objection(signs: Signs, passage: Words) -> str | None:
    """Return in words what keeps a well covered claim from support, contradiction or not."""
    if signs.numbers.missing:
        return f"not in the passage: {', '.join(quantity.text for quantity in signs.numbers.missing)}"
    if signs.opposite:
        here, there = signs.opposite[0]
        return f"the claim says “{signs.claim.surface[here]}”, the passage only “{passage.surface[there]}”"
    return _of_another_subject(signs, passage)


def _of_another_subject(signs: Signs, passage: Words) -> str | None:
    """Find the sentence in the passage with another subject: "Lyon is the capital of France" of Paris."""
    terms, low, high = signs.claim.terms, *signs.coverage.window
    content = [at for at, term in enumerate(terms) if is_content(term)]
    known = next((n for n, at in enumerate(content) if terms[at] in signs.coverage.found), 0)
    rest, there = terms[content[known - 1] + 1 :] if known else [], passage.terms[low:high]
    if len(rest) < _SENTENCE or not any(there[at : at + len(rest)] == rest for at in range(len(there))):
        return None
    return f"the passage does not say it of {' '.join(signs.claim.surface[: content[known - 1] + 1])}"


def find_missing_item(signs: Signs) -> str | None:
    """Return the item of a list that the passage lacks: its first word, after "and" or "or"."""
    words = signs.claim
    for at, link in enumerate(words.terms):
        if link in {"and", "or"}:
            item = next(
                (n for n in range(at + 1, min(at + _ITEM, len(words.terms))) if is_content(words.terms[n])), None
            )
            if item is not None and words.terms[item] not in signs.coverage.found:
                return words.surface[item]
    return None


def _rest_covered(signs: Signs, without: set[str]) -> float:
    """Return the share of the claim's weight, some terms left out, that the window has."""
    held = signs.coverage
    kept = {t: w for t, w in held.weights.items() if t not in without}
    total = sum(kept.values())
    return sum(w * held.credit.get(t, 0.0) for t, w in kept.items()) / total if total else 0.0


def _number(signs: Signs, passage: Words) -> str | None:
    """A quantity of the claim is replaced by one of the same unit, and neither is a bound."""
    numbers = signs.numbers
    if len(numbers.missing) != 1 or len(numbers.replaced) != 1:
        return None
    ours, theirs = numbers.replaced[0]
    here, there = _tokens(signs.claim, ours), _tokens(passage, theirs)
    if not here or not there or _bounded(signs.claim, here[0]) or _bounded(passage, there[0]):
        return None
    if _rest_covered(signs, {signs.claim.terms[at] for at in here}) < _REST:
        return None
    if ours.kind not in _WITH_UNIT and not _same_noun(signs.claim, here, passage, there):
        return None
    return f"the passage has {theirs.text}, the claim says {ours.text}"


def _tokens(words: Words, quantity: Quantity) -> list[int]:
    low, high = quantity.span
    return [at for at, start in enumerate(words.starts) if low <= start < high]


def _bounded(words: Words, at: int) -> bool:
    return not _BOUNDS.isdisjoint(words.terms[max(0, at - 2) : at])


def _same_noun(claim: Words, here: list[int], passage: Words, there: list[int]) -> bool:
    """Check whether both numbers stand beside the same word: before the same noun, or after the same one."""
    after = claim.terms[here[-1] + 1 : here[-1] + 2]
    if after and is_content(after[0]) and after == passage.terms[there[-1] + 1 : there[-1] + 2]:
        return True
    before = claim.terms[max(0, here[0] - 2) : here[0]]
    return any(map(is_content, before)) and before == passage.terms[max(0, there[0] - 2) : there[0]]


def _direction(signs: Signs, passage: Words) -> str | None:
    """A word of the claim is replaced by its opposite, between the same neighbours."""
    if len(signs.opposite) != 1 or signs.flipped or signs.numbers.missing:
        return None
    here, there = signs.opposite[0]
    if _rest_covered(signs, {signs.claim.terms[here]}) < _REST or not _same_place(signs.claim, here, passage, there):
        return None
    return f"the passage has “{passage.surface[there]}”, the claim says “{signs.claim.surface[here]}”"


def _same_place(claim: Words, here: int, passage: Words, there: int) -> bool:
    """Check whether the nearest content words before and after stand on the same sides in the passage."""
    before = next((t for t in reversed(claim.terms[:here]) if is_content(t)), None)
    after = next((t for t in claim.terms[here + 1 :] if is_content(t)), None)
    left = passage.terms[max(0, there - _BESIDE) : there]
    right = passage.terms[there + 1 : there + 1 + _BESIDE]
    return (before is None or before in left) and (after is None or after in right)


def _negation(signs: Signs, passage: Words) -> str | None:
    """The one negated predicate of either side stands flatly, with its neighbour, unnegated on the other."""
    ours, theirs = signs.negations
    if ours.cues + theirs.cues != 1 or ours.qualified or theirs.qualified or signs.opposite or signs.numbers.replaced:
        return None
    if _rest_covered(signs, set()) < (_REST_NEGATED if len(signs.flipped) > 1 else _REST):
        return None
    for here, there in signs.flipped:
        if (here in ours.heads or there in theirs.heads) and _has_neighbour(signs.claim, here, passage, there):
            side = "claim" if ours.cues else "passage"
            return f"“{signs.claim.surface[here]}” is negated in the {side} only"
    return None


def _has_neighbour(claim: Words, here: int, passage: Words, there: int) -> bool:
    before = next((t for t in reversed(claim.terms[:here]) if is_content(t)), None)
    after = next((t for t in claim.terms[here + 1 :] if is_content(t)), None)
    close = passage.terms[max(0, there - _BESIDE) : there + 1 + _BESIDE]
    return before in close or after in close
