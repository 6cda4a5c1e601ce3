"""Subject, verb and rest of a question behind its auxiliary, with the answer as object or at the end."""

from __future__ import annotations

from statements.answers import inside, kind
from statements.lexicon import ADVERBS, BE, DETERMINERS, DO, MODALS, PREPOSITIONS, VERBS, bare
from statements.subjects import base_verb_at, participle_at, predicate_at, subject_end
from statements.verbs import is_participle, past, third_person
from statements.wording import sentence

STRANDED = PREPOSITIONS - {"like", "as", "than", "per", "down", "up", "out", "off"}


_LIGHT = frozenset({"do", "happen"})


def _finite(aux: str, verb: str) -> str:
    core = bare(verb)
    form = past(core) if aux == "did" else third_person(core) if aux == "does" else core
    return verb.replace(core, form, 1)


def clause(aux: str, words: list[str]) -> tuple[list[str], list[str]] | None:
    """Words after the auxiliary as (subject with its verb, rest)."""
    if aux in DO | MODALS:
        at = base_verb_at(words)
        if at is None:
            return None
        end = subject_end(words, at=at)
        middle = [*words[end:at], _finite(aux, words[at])] if aux in DO else [aux, *words[end : at + 1]]
        if aux in MODALS and words[at] == "be" and len(words) > at + 1 and is_participle(bare(words[at + 1])):
            return [*words[:end], *middle, words[at + 1]], words[at + 2 :]
        return [*words[:end], *middle], words[at + 1 :]
    at = participle_at(words)
    if at is None:
        return None
    said_of = predicate_at(words)
    if said_of is not None and said_of < at and words[said_of] not in DETERMINERS:
        return [*words[:said_of], aux], words[said_of:]
    end = subject_end(words, at=at)
    return [*words[:end], aux, *words[end : at + 1]], words[at + 1 :]


def adjunct(aux: str, words: list[str], phrase: str | None) -> str | None:
    """A statement with a phrase of time, place, cause or means at its end."""
    if phrase is None:
        return None
    turned_clause = clause(aux, words)
    if turned_clause is not None:
        head, rest = turned_clause
        if rest and bare(rest[-1]).lower() in STRANDED:
            rest = rest[:-1]
        return sentence(head, rest, phrase)
    if aux in BE and len(words) <= 8 and not any(is_participle(bare(word)) for word in words if word.islower()):
        at = predicate_at(words)
        return (
            sentence(words, aux, phrase)
            if at is None or words[at] in {"the", "a", "an"}
            else sentence(words[:at], aux, words[at:], phrase)
        )
    return None


def with_object(aux: str, words: list[str], answer: str) -> str | None:  # noqa: PLR0911  (a table of forms reads best as one return each)
    """A statement whose object is the answer."""
    turned_clause = clause(aux, words)
    if turned_clause is None:
        return None
    head, rest = turned_clause
    verb = bare(words[base_verb_at(words) or 0]) if aux in DO | MODALS else bare(head[-1])
    said = inside(answer)
    if verb in _LIGHT:
        return None
    if rest and bare(rest[-1]).lower() in STRANDED | {"up", "out", "off", "as", "like"}:
        return sentence(head, rest, said)
    if rest and rest[0] == "to" and len(rest) > 1 and rest[1] in VERBS:
        return sentence(head, rest, said) if len(rest) == 2 and rest[1] not in _LIGHT else None
    starts = bare(rest[0]).lower() if rest else ""
    if starts in STRANDED and len(rest) > 1 and rest[1] in PREPOSITIONS:
        return sentence(head, rest[0], said, rest[1:])
    if (
        not rest
        or starts in PREPOSITIONS | ADVERBS | {"when", "because", "that", "while", "if", "where", "as"}
        or starts.endswith("ly")
    ):
        if verb in {"believe", "say", "think", "claim", "argue", "state"} and kind(said) == "phrase":
            return None
        return sentence(head, said, rest)
    return None
