"""Questions of number and means: `how many`, `how much`, `how long`, `how`."""

from __future__ import annotations

import re

from statements.answers import inside, kind, means
from statements.clauses import adjunct, clause, with_object
from statements.lexicon import ADVERBS, AUXILIARIES, BE, DETERMINERS, DO, HAVE, MODALS, PREPOSITIONS, VERBS, bare
from statements.nouns import noun_at
from statements.subjects import participle_at
from statements.verbs import is_participle, is_past
from statements.wording import sentence


def how(words: list[str], answer: str) -> str | None:
    """The words behind `how` and an answer as a statement; None where the answer is no number and no means."""
    first = words[0].lower()
    if first in AUXILIARIES and len(words) > 1:
        return adjunct(first, words[1:], means(answer))
    if first in {"many", "much"}:
        return _quantity(words, answer)
    if first == "long" and len(words) > 2 and words[1] in AUXILIARIES:
        turned_clause = clause(words[1], words[2:])
        return (
            sentence(turned_clause[0], turned_clause[1], inside(answer))
            if turned_clause and kind(answer) == "number" and not turned_clause[1]
            else None
        )
    return None


def _quantity(words: list[str], answer: str) -> str | None:  # noqa: PLR0911  (a table of forms reads best as one return each)
    at = (
        noun_at(words)
        if words[0] == "many"
        else next((i for i in range(1, min(6, len(words))) if words[i] in AUXILIARIES or is_past(words[i])), None)
    )
    noun_end = at
    if at is None:
        at = next((i for i in range(2, min(6, len(words))) if bare(words[i]) in VERBS and words[i] != "of"), None)
        noun_end = at
    if at is None or noun_end is None or kind(answer) not in {"number", "year"}:
        return None
    noun = [word for word in words[1:noun_end] if word]
    head = bare(noun[0]).lower()[:4] if noun else ""
    said = (
        inside(answer)
        if not noun or head in answer.lower() or len(answer.split()) > 2
        else f"{inside(answer)} {' '.join(noun)}"
    )
    if words[0] == "much" and noun and not re.search(r"\d", answer):
        return None
    if words[0] == "much" and noun:
        said = (
            f"{inside(answer)} of {' '.join(noun)}"
            if bare(noun[0]) != "money" and "percent" not in answer and "%" not in answer
            else inside(answer)
        )
    aux, rest = words[at].lower(), words[at + 1 :]
    if aux in DO | MODALS and rest and rest[0] not in VERBS:
        return with_object(aux, rest, said)
    if aux in BE and rest and rest[0] == "there":
        return sentence("there", aux, said, rest[1:])
    if aux in HAVE and rest and not is_participle(bare(rest[0])):
        return None
    if aux in BE and rest and (rest[0][:1].isupper() or rest[0] in DETERMINERS):
        return None
    if (
        aux in BE
        and rest
        and participle_at(rest) is not None
        and not is_participle(bare(rest[0]))
        and bare(rest[0]) not in ADVERBS | PREPOSITIONS
    ):
        return None
    return sentence(said, words[at:]) if rest else None
