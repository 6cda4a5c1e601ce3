"""Wh-questions and their answers as statements."""

from __future__ import annotations

import re

from statements.answers import caused, clean, inside, kind, placed, timed
from statements.clauses import adjunct
from statements.copulas import what
from statements.lexicon import AUXILIARIES, DETERMINERS, VERBS, bare
from statements.measures import how
from statements.nouns import TIME_NOUNS, with_noun
from statements.verbs import is_past
from statements.wording import fluent, sentence, tokens

_ASKING = frozenset({"what", "which", "who", "whom", "when", "where", "why", "how"})


_FRONTS = frozenset({"in", "at", "on", "from", "to", "for", "by", "with", "during", "under"})


def _in_place(words: list[str], said: str) -> str | None:
    """A question with its question word last, as in `The war ended in what?`, as a statement."""
    low = [bare(word).lower() for word in words]
    if low[0] in _ASKING | AUXILIARIES or (low[0] in _FRONTS and low[1] in _ASKING):
        return None
    if low[-1] in {"what", "whom"} and not set(low[:-1]) & _ASKING:
        return sentence(words[:-1], inside(said))
    if low[-2] in {"what", "which"} and not set(low[:-2]) & _ASKING:
        if low[-1] in TIME_NOUNS:
            return sentence(words[:-2], inside(said)) if kind(said) in {"year", "day", "century"} else None
        return sentence(words[:-2], inside(said)) if kind(said) == "name" else None
    if low[-3:-1] == ["how", "many"] and kind(said) == "number":
        return sentence(words[:-3], said, words[-1] if words[-1] not in said else "")
    return None


def _fronted(question: str, said: str) -> str | None:
    """A question behind a phrase and a comma, as in `After the war, who led the city?`, as a statement."""
    before, comma, asked = question.partition(", ")
    rest = tokens(asked) if comma else None
    starts = before.split()[0].lower() if before else ""
    if (
        rest is None
        or len(rest) < 3
        or starts in _ASKING | AUXILIARIES
        or re.search(r"\b(?:what|which|who|how)\b", before)
    ):
        return None
    turned = _asked([rest[0].lower(), *rest[1:]], said)
    if turned is None:
        return None
    keep = turned.split()[0].lower() not in DETERMINERS | {"there", "it", "he", "she", "they", "one", "two"}
    return f"{before}, {turned if keep else turned[:1].lower() + turned[1:]}"


def _asked(words: list[str], said: str) -> str | None:
    lead, rest = words[0].lower(), words[1:]
    adjuncts = {"when": timed, "where": placed, "why": caused}
    if lead in adjuncts:
        aux = rest[0].lower()
        return adjunct(aux, rest[1:], adjuncts[lead](said)) if aux in AUXILIARIES and len(rest) > 1 else None
    if lead == "how":
        return how(rest, said)
    if lead in {"in", "at", "on", "from", "to", "for", "by", "with", "during", "under"} and rest[0].lower() in {
        "what",
        "which",
    }:
        return with_noun(rest[1:], said, front=lead)
    if lead in {"who", "whom"}:
        return what(rest, said)
    if lead in {"what", "which"}:
        first = rest[0].lower()
        bare_verb = (
            first in AUXILIARIES
            or (is_past(bare(first)) and rest[0].islower())
            or (lead == "what" and first.endswith("s") and first[:-1] in VERBS)
        )
        return what(rest, said) if bare_verb else with_noun(rest, said)
    return None


def state(question: str, answer: str) -> str | None:
    """The statement a question and its short answer make together; None where it would not surely be fluent."""
    words, said = tokens(question), clean(answer)
    if words is None or said is None or len(words) < 3:
        return None
    return fluent(_asked(words, said) or _in_place(words, said) or _fronted(question, said))
