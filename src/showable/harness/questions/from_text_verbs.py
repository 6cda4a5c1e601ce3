"""Turn a plain statement round into a question: the verbs whose forms are known, and the auxiliaries that move to the front."""

from __future__ import annotations

import re
from typing import NamedTuple

AUXILIARIES = frozenset(
    ("is", "are", "was", "were", "will", "must", "shall", "may", "can", "has", "have", "had", "should")
)
BE = frozenset({"is", "are", "was", "were"})

_REGULAR = (
    "accept allow apply amount charge close contain cover deliver earn employ end enter expire finish include last limit"
    " measure offer open pass permit produce provide publish reach receive record release remain renew report require"
    " return serve start store supply treat visit work join own occur cost award need carry approve elect found establish move plan save use replace retain train vote sign hire import export"
    " collect consume generate issue need employ attract review house seat"
)
_IRREGULAR = {
    "begin": ("begins", "began"),
    "become": ("becomes", "became"),
    "buy": ("buys", "bought"),
    "come": ("comes", "came"),
    "fall": ("falls", "fell"),
    "get": ("gets", "got"),
    "give": ("gives", "gave"),
    "grow": ("grows", "grew"),
    "hold": ("holds", "held"),
    "keep": ("keeps", "kept"),
    "make": ("makes", "made"),
    "pay": ("pays", "paid"),
    "rise": ("rises", "rose"),
    "run": ("runs", "ran"),
    "sell": ("sells", "sold"),
    "spend": ("spends", "spent"),
    "take": ("takes", "took"),
    "bear": ("bears", "bore"),
    "build": ("builds", "built"),
    "leave": ("leaves", "left"),
    "lend": ("lends", "lent"),
    "lose": ("loses", "lost"),
    "win": ("wins", "won"),
    "weigh": ("weighs", "weighed"),
}


class Verb(NamedTuple):
    """How a verb form is asked with: ``opens`` with ``does`` and ``open``."""

    auxiliary: str
    base: str


def _forms() -> dict[str, Verb]:
    forms = dict[str, Verb]()
    for base in _REGULAR.split():
        stem = base.removesuffix("e")
        third = base + ("es" if base.endswith(("s", "sh", "ch", "x")) else "s")
        third = base[:-1] + "ies" if re.search(r"[^aeiou]y$", base) else third
        past = base[:-1] + "ied" if re.search(r"[^aeiou]y$", base) else stem + "ed"
        past = {"permit": "permitted", "occur": "occurred", "cost": "cost", "plan": "planned"}.get(base, past)
        forms |= {third: Verb("does", base), past: Verb("did", base)}
    for base, (third, past) in _IRREGULAR.items():
        forms |= {third: Verb("does", base), past: Verb("did", base)}
    return forms


VERBS: dict[str, Verb] = _forms()
"""Third person and past of the verbs that state figures and dates. A plural present (`fees rise`) is told from no noun, so it is left out."""

_ONE = re.compile(r"(?:(?i:the|a|an|each|every)\s|[A-Z])")
_ARTICLES = frozenset({"the", "a", "an", "each", "every"})


def read_verb(word: str, subject: str) -> Verb | None:
    """Return how a verb form is asked with; None where it is no form known here, or where it may be a noun (`the works`)."""
    verb = VERBS.get(word)
    return None if verb is None or _ONE.match(subject) is None or subject.casefold() in _ARTICLES else verb
