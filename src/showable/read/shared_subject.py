"""Which words the second verb of a sentence shares with the first: its subject, or that and the auxiliary."""

from __future__ import annotations

from typing import NamedTuple

from showable.read.predication import Token, is_finite, names_object
from showable.read.verbs import NEVER_PASSIVE
from showable.read.word_sets import word_set

ADVERBS = word_set(
    "also then later subsequently now still currently therefore thus never often previously eventually finally usually "
    "generally typically however moreover furthermore today instead only"
)
_HELPERS = ("be", "have", "do", "modal")


class Half(NamedTuple):
    """The part to the left of a coordinator: its words (those it took over first), and where its verb stands."""

    words: list[Token]
    verb: int


def shared_words(half: Half, right: list[Token]) -> int | None:
    """Count the words of the left part that the right one, which opens with a verb, takes over; None for no split.

    "Acme acquired Foo and sold it" shares the subject, "The drug was tested in 2019 and approved by the FDA" the
    auxiliary too. Where the form of the right verb leaves open what it is parallel to, nothing is shared.
    """
    verb, following = right[0], right[1]
    main = _main_verb(half)
    if following.word in ("and", "but", "yet", "or", ",", ";") or _lacks_object(half, main):
        return None
    if half.words[half.verb].form == "modal" and verb.word in ("have", "do"):
        return main
    if verb.form in ("ed", "participle"):
        return _with_past(half, right)
    if verb.form in ("base", "base?"):
        return _with_base(half, right)
    if verb.form == "third?":
        left = half.words[half.verb]
        present = left.form in ("third", "third?") or left.word in ("is", "has")
        return half.verb if present and names_object(following) else None
    return None if verb.form == "none" else half.verb


def _with_past(half: Half, right: list[Token]) -> int | None:
    """Share with a form in -ed: a participle where the left verb is perfect or passive, else a past."""
    main = _main_verb(half)
    helpers = half.words[half.verb : main]
    if any(t.form in _HELPERS for t in right[1:]) or any(_negates(t) for t in helpers):
        return None
    perfect = any(t.form == "have" for t in helpers) and half.words[main].form in ("ed", "participle")
    passive = any(t.form == "be" or t.word == "been" for t in helpers)
    continues = right[0].form == "participle" or right[1].word == "by"
    if (passive and continues and right[0].word not in NEVER_PASSIVE) or (perfect and not passive):
        return main
    return half.verb if right[0].form == "ed" and _is_past(half, right, passive=passive) else None


def _is_past(half: Half, right: list[Token], *, passive: bool) -> bool:
    """Check whether a form in -ed is a past: an object follows it, or nothing near it may be a participle."""
    left = half.words[half.verb].form
    if left == "modal":
        return False
    if names_object(right[1]) or right[0].word in NEVER_PASSIVE:
        return True
    if passive or left not in ("ed", "past"):
        return False
    parallel = any(t.form == "ed" for t in half.words[half.verb + 1 :])
    return is_finite(right, 0) and not parallel


def _with_base(half: Half, right: list[Token]) -> int | None:
    """Share with a base form: a modal ("must pay rent and keep …") or a plural present ("Banks accept … and make …")."""
    if right[0].form == "base?" and not names_object(right[1]):
        return None
    if any(t.word == "to" or _negates(t) for t in half.words[half.verb :]):
        return None
    left = half.words[half.verb].form
    if left == "modal":
        main = _main_verb(half)
        return main if main + 1 < len(half.words) else None
    return half.verb if left in ("base", "base?") else None


def _lacks_object(half: Half, main: int) -> bool:
    """Check whether the left part stops at its main verb: what both verbs act on stands behind the second."""
    return main + 1 == len(half.words) and half.words[main].form in (
        "ed",
        "participle",
        "base",
        "base?",
        "third",
        "third?",
    )


def _main_verb(half: Half) -> int:
    """Return the index of the main verb: past the auxiliaries and the adverbs between them."""
    at = half.verb
    while at < len(half.words) - 1:
        token = half.words[at]
        helps = token.form in _HELPERS or token.word == "been" or _negates(token)
        if not helps and not token.word.endswith("ly") and token.word not in ADVERBS:
            break
        at += 1
    return at


def _negates(token: Token) -> bool:
    return token.word in ("not", "never", "cannot") or token.word.endswith("n't")
