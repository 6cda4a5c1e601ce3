"""Questions whose answer is the subject, or is said to be it."""

from __future__ import annotations

import re

from statements.answers import inside, kind
from statements.clauses import STRANDED, with_object
from statements.lexicon import (
    ADVERBS,
    AUXILIARIES,
    BE,
    DETERMINERS,
    DO,
    HAVE,
    MODALS,
    NOUN_VERBS,
    PREDICATES,
    PREPOSITIONS,
    VERBS,
    bare,
)
from statements.subjects import participle_at, predicate_at
from statements.verbs import is_participle, is_past
from statements.wording import sentence

_PLURALS = {"is": "are", "was": "were", "has": "have"}


def _no_subject(answer: str) -> bool:
    """Whether an answer is a verb phrase or a clause, which no sentence starts with."""
    words = answer.split()
    verbal = words[0] in (VERBS - NOUN_VERBS) | AUXILIARIES
    participle = words[0].islower() and is_participle(words[0]) and (len(words) == 1 or "to" in words)
    return verbal or participle or bool(re.search(r"\b(?:is|was|were|are|has|had)\b", answer))


def _plural(answer: str) -> bool:
    singular = answer.endswith(("ss", "us", "is", "'s", "ics")) or re.match(r"an? ", answer)
    return kind(answer) == "phrase" and answer.endswith("s") and not singular


def with_subject(answer: str, words: list[str]) -> str | None:
    """The answer before a finite verb and what follows it; None where the answer cannot be a subject."""
    if _no_subject(answer):
        return None
    verb = _PLURALS.get(words[0], words[0]) if _plural(answer) else words[0]
    return sentence(inside(answer), verb, words[1:])


_HANGING = STRANDED | {"called", "named", "known", "considered"}


def copula(aux: str, words: list[str], answer: str) -> str | None:
    """`What was the capital of France?` and its like; `words` follow the form of `be`."""
    said = inside(answer)
    if said.split()[0] in VERBS - NOUN_VERBS:
        said = "to " + said
    first, last = bare(words[0]), bare(words[-1]).lower()
    if last in _HANGING:
        return _hanging(aux, words, said)
    to_verb = len(words) > 1 and words[-2] == "to" and last in VERBS
    relative = any(word in {"that", "who", "which", "whose", "where"} for word in words)
    ends_inverted = participle_at(words) == len(words) - 1 and not relative
    if is_participle(first) or first.endswith("ing") or first in PREDICATES | PREPOSITIONS | ADVERBS:
        return with_subject(answer, [aux, *words])
    if to_verb or ends_inverted or re.search(r"\b(?:called|named) (?:that|which|who)\b", " ".join(words)):
        return None
    if first.lower() in {"a", "an"} and kind(answer) != "phrase":
        return sentence(said, aux, words)
    names = all(word[:1].isupper() or word in {"of", "the"} for word in words)
    owned = any(word.endswith(("'s", "s'", "’s")) or word == "of" for word in words)
    return sentence(words, aux, said) if first.lower() in DETERMINERS or names or owned else None


def _hanging(aux: str, words: list[str], said: str) -> str | None:
    """A question that ends in a preposition or in `called`: the answer follows it."""
    ends = [end for end in (participle_at(words), predicate_at(words)) if end is not None]
    if len(words) < 2 or (not ends and bare(words[-1]) in {"known", "of", "for"}):
        return None
    at = min(ends, default=len(words) - 1)
    return sentence(words[:at], aux, words[at:], said)


def what(words: list[str], answer: str) -> str | None:  # noqa: PLR0911  (a table of forms reads best as one return each)
    """What, who, which with no noun of its own."""
    aux = words[0].lower()
    rest = words[1:]
    if aux in DO and rest:
        return with_object(aux, rest, answer)
    if aux in MODALS and rest:
        if rest[-1] == "be":
            return sentence(rest[:-1], aux, "be", inside(answer))
        return with_subject(answer, words) if rest[0] in VERBS else with_object(aux, rest, answer)
    if aux in BE and rest:
        return copula(aux, rest, answer)
    if aux in HAVE and rest:
        return with_subject(answer, words) if is_participle(bare(rest[0])) or rest[0] in DETERMINERS else None
    if is_past(aux) or (aux.endswith("s") and (aux[:-1] in VERBS or aux[:-2] in VERBS)):
        return with_subject(answer, words)
    return None
