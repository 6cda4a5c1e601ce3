"""Questions that name what they ask for: `what city`, `in which year`, `what type of engine`."""

from __future__ import annotations

from statements.answers import inside, timed
from statements.clauses import STRANDED, adjunct, clause, with_object
from statements.copulas import with_subject
from statements.lexicon import ADVERBS, AUXILIARIES, BE, DETERMINERS, DO, HAVE, MODALS, NOUN_VERBS, VERBS, bare
from statements.subjects import participle_at, predicate_at
from statements.verbs import is_participle, is_past
from statements.wording import sentence
from statements.words import word_set

TIME_NOUNS = frozenset({"year", "years", "month", "date", "day", "century", "decade", "time"})


PLACE_NOUNS = word_set(
    "city country state town place location area region county continent university school college building province island"
)


_SORT_NOUNS = frozenset(
    {"type", "types", "kind", "kinds", "sort", "form", "forms", "name", "names", "percentage", "term", "word", "title"}
)


def noun_at(words: list[str]) -> int | None:
    """Index of the auxiliary or finite verb after a noun phrase of at most eight words."""
    for at in range(1, min(len(words), 9)):
        word = bare(words[at]).lower()
        if word in AUXILIARIES:
            return at
        stem = word.removesuffix("s")
        agrees = word.endswith("s") != words[at - 1].endswith("s")
        if (
            words[at].islower()
            and stem in VERBS
            and agrees
            and (stem not in NOUN_VERBS or set(words[at + 1 : at + 2]) & DETERMINERS)
        ):
            return at
        follows = at + 1 < len(words) and words[at + 1] not in AUXILIARIES
        if follows and words[at].islower() and is_past(word) and words[at - 1].lower() not in {"of", "the"}:
            return at
    return None


def with_noun(words: list[str], answer: str, *, front: str = "") -> str | None:
    """What, which or whose with a noun: `what city …`, `in which year …`; `front` is the preposition before it."""
    at = noun_at(words)
    if at is None or at + 1 >= len(words):
        return None
    noun, aux, rest = words[:at], bare(words[at]).lower(), words[at + 1 :]
    head = bare(noun[noun.index("of") - 1 if "of" in noun else -1]).lower()
    if head in TIME_NOUNS or (front in {"in", "on", "during"} and head == "season"):
        unsaid = aux not in AUXILIARIES or (aux in BE and not participle_at(rest))
        return None if unsaid else adjunct(aux, rest, timed(answer))
    if front:
        said = inside(answer)
        phrase = said if said.lower().startswith(front + " ") else f"{front} {said}"
        return None if head in _SORT_NOUNS else adjunct(aux, rest, phrase)
    if noun[0] in _SORT_NOUNS:
        return _sorted_noun(noun, aux, rest, answer)
    owned = any(word.endswith(("s'", "'s", "’s", "s’")) for word in noun)
    if "of" in noun or owned or (aux not in AUXILIARIES and set(rest[:6]) & DO):
        return None
    return _by_auxiliary(aux, rest, answer, words[at:])


def _by_auxiliary(aux: str, rest: list[str], answer: str, predicate: list[str]) -> str | None:
    """The answer in the noun's place: object behind do-support, said of the subject behind `be`, else the subject."""
    if aux in DO | MODALS and rest[0] not in VERBS:
        return with_object(aux, rest, answer)
    if aux in BE:
        ends_inverted = participle_at(rest) == len(rest) - 1 and len(rest) > 1 and not is_participle(bare(rest[0]))
        if ends_inverted or bare(rest[-1]).lower() in STRANDED:
            return _adjunct_be(aux, rest, answer)
        if rest[0].lower() in DETERMINERS or rest[0][:1].isupper():
            return sentence(rest, aux, inside(answer)) if predicate_at(rest) is None else None
    plain = rest[0] in DETERMINERS | ADVERBS and not participle_at(rest)
    if aux in HAVE and not is_participle(bare(rest[0])) and not plain:
        return None
    return with_subject(answer, predicate)


def _adjunct_be(aux: str, rest: list[str], answer: str) -> str | None:
    if bare(rest[-1]).lower() not in STRANDED:
        return None
    ends = [end for end in (participle_at(rest), predicate_at(rest)) if end is not None]
    at = min(ends, default=len(rest) - 1)
    return sentence(rest[:at], aux, rest[at:], inside(answer)) if at else None


def _sorted_noun(noun: list[str], aux: str, rest: list[str], answer: str) -> str | None:
    """`What type of music did X play?` → `The type of music that X played was …`."""
    if "percent" in answer or "%" in answer:
        inverts = aux in AUXILIARIES - BE - HAVE and rest[0] not in VERBS
        said = f"{answer} {' '.join(noun[1:])}"
        return None if inverts else sentence(said, aux, rest)
    if aux in BE and is_participle(bare(rest[0])):
        return sentence("the", noun, "that", aux, rest, aux, inside(answer))
    turned = clause(aux, rest) if aux in DO else None
    if turned is None:
        return None
    verb = {(True, True): "were", (True, False): "was", (False, True): "are", (False, False): "is"}
    return sentence(
        "the", noun, "that", turned[0], turned[1], verb[aux == "did", noun[0].endswith("s")], inside(answer)
    )
