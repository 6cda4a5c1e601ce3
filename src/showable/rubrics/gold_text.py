"""Gold answers in words: names, lists, "there are none", and longer ones whose facts are looked for one by one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from showable.read.quantities import Quantity, find_quantities, same_quantity
from showable.read.question_focus import stems
from showable.records.regex import regex
from showable.rubrics.gold_question import Asked
from showable.rubrics.gold_reading import Match
from showable.rubrics.gold_statements import RESTATES, Statement, decisive

_WORDS = regex(r"[^\W_]+")
_ARTICLES = regex(r"\b(?:the|a|an)\b")
_STATED = r"(?:stated|mentioned|specified|disclosed|addressed|indicated|said)"
_NONE = regex(
    rf"^\W*(?:(?:there (?:are|is|were|was) (?:none|no\b.*|not any.*))|none|nothing|n/?a|not (?:{_STATED}|applicable|available|given|reported|known|answerable)\b.*|"
    rf"(?:it|this|that) (?:is|was)(?: not|n['’]t) (?:{_STATED}|given|reported|provided|known)\b.*|(?:\w+ ){{1,6}}(?:is|are|was|were)(?: not|n['’]t) {_STATED}|"
    r"(?:(?:it|this|that) )?(?:cannot|can['’]t|can not) be (?:determined|answered|established|inferred|known)\b.*|"
    rf"no(?:t)? (?:such )?\S+ (?:is|are|was|were) {_STATED}\b.*|nothing (?:is|was) {_STATED}\b.*|no such \w+(?: \w+)?(?: (?:exists?|(?:is|was) (?:made|given|found)))?\b(?: in .*)?|"
    r"(?:(?:no|not enough|insufficient) information|no (?:mention|answer))\b.*|unknown|unspecified|unstated|unanswerable|"
    r"(?:\w+ ){1,5}(?:is|are|was|were) silent\b.*|(?:\w+ ){1,5}(?:do|does|did)(?: not|n['’]t) (?:say|state|mention|specify|disclose|indicate)(?: (?!that\b)\w+){0,8}|"
    r"(?:\w+ ){1,5}(?:contains?|has|have|includes?|makes?) no (?:such \w+|mention|information|reference)\b.*)\W*$"
)
_SAYS_NONE = regex(r"\b(?:none|nothing|no|not|neither|nor|never|without)\b|n['’]t\b")
_DENIES = regex(
    r"\bthere (?:are|is|were|was) (?:no|not any)\b|\b(?:has|have|had) no\b|\b(?:does|do|did) not have any\b|\bnone\b"
)
_SOURCE = (
    r"(?:documents?|context|filings?|passages?|text|evidence|information|sources?|reports?|pages?|excerpts?|table)"
)
_NOT_SAID = regex(
    rf"\b{_SOURCE}\b[^.]{{0,60}}\b(?:does|do|did) not (?:\w+ )?(?:provide|contain|include|mention|state|specify|list|give|disclose|say)|\bno information\b"
    r"|\bnot (?:\w+ )?(?:provided|stated|specified|given|available)\b|\b(?:cannot|could not|unable to) (?:\w+ )?(?:determine|find|identify|locate)"
)
_THERE_IS_NONE = regex(
    r"^\W*(?:there (?:are|is|were|was) (?:none|no|not any)\b(?! (?:\w+ )?(?:information|mention|reference|indication|answer)\b)|no such\b|none\b|nothing\W*$)"
)
_NO_SUCH = regex(r"\b(?:contains?|has|have|includes?|makes?) no such\b")
_EITHER = regex(r"^\W*(?:n/?a|not (?:applicable|available|given|reported))\b")
_COMPARES = regex(
    r"\b(?:most|least|largest|biggest|greatest|highest|lowest|smallest|more|less|higher|lower|larger|best|worst|main|primary)\b"
)
_ITEMS = regex(r"\n\s*(?:[-•*]|\d+[.)])?\s*|;\s*|\(\d\)\s*|(?:^|(?<=\s))-(?=[A-Z\d])")
_NAMES = regex(r",\s*(?:and |or )?|\s+(?:and|or|&)\s+|;\s*")
_WHO = regex(r"\W*(?:by |to |for |from |with )?(?:who|whom|whose)\b", re.IGNORECASE)
"""Questions that ask for somebody: "the tenant" is another than "the landlord", though neither is a proper name."""
_LONG_WORD = regex(r"[^\W_]{4,}")
_SENTENCE = regex(r"(?<=[a-z0-9)%][.!])\s+(?=[A-Z])")
_SAYS_AS_MUCH = 0.5
_SHORT_STEMS, _NAME_WORDS, _FEW_FACTS = 5, 8, 4
_ITEM_FOUND = 0.5
_HALF, _MOSTLY, _HARDLY = 0.5, 0.6, 0.15


def normalised(text: str) -> str:
    """Fold a text for comparison: lower case, no accents, articles or punctuation, single spaces."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))
    return " ".join(_WORDS.findall(_ARTICLES.sub(" ", plain)))


def says_none(gold: str) -> bool:
    """Check for a gold answer that there is nothing of the kind, or that it is not stated."""
    return _NONE.match(gold.lower().strip()) is not None


def says_unstated(gold: str) -> bool | None:
    """Check whether gold is "not stated"; "there is none" is an answer, "n/a" may be either."""
    lowered = gold.lower().strip()
    if not says_none(gold) or _THERE_IS_NONE.match(lowered) or _NO_SUCH.search(lowered):
        return False
    return None if _EITHER.match(lowered) else True


def compare_none(gold: str, answer: Sequence[Statement]) -> Match:
    """Compare with "there are none" or "not stated": a denial about what was asked agrees, an assertion disagrees.

    That the documents do not say is a denial only where gold says that they do not.
    """
    chosen = next((s for s in answer if s.restates >= RESTATES), None)
    if chosen is None:
        return Match(
            "unknown", "gold says that there is none; no statement takes up the question in its words", undecided=True
        )
    lowered = chosen.text.lower()
    following = [s.text for s in answer[answer.index(chosen) + 1 :][:2]] if lowered.endswith(":") else []
    if any(says_none(line) for line in following):
        return Match("agrees", "the answer, like gold, lists none", (chosen.text, *following))
    outright = [s.text for s in answer if s.restates >= RESTATES and _DENIES.search(s.text.lower())]
    if outright:
        return Match("agrees", "the answer, like gold, says that there is none", tuple(outright))
    if _SAYS_NONE.search(lowered):
        if _NOT_SAID.search(lowered) and says_unstated(gold) is False:
            return Match("absent", "the answer says that it is not stated, gold that there is none", (chosen.text,))
        return Match("agrees", "the answer, like gold, says that there is none", (chosen.text,))
    return Match("disagrees", "gold says that there is none, the answer names some", (chosen.text,))


def compare_choice(gold: str, asked: Asked, answer: Sequence[Statement]) -> Match | None:
    """Compare a choice among options that the question names; None where gold picks no single one of them."""
    picked = [c for c in asked.choices if stems(c) & stems(gold)]
    if len(picked) != 1:
        return None
    others = [c for c in asked.choices if c != picked[0]]
    comparing = [s for s in answer if s.restates >= RESTATES or _COMPARES.search(s.text.lower())]
    for statement in [s for s in (decisive(comparing), *comparing) if s is not None]:
        own, rival = _place(statement, picked), _place(statement, others)
        if own == rival:  # both are absent
            continue
        if rival < 0 or 0 <= own < rival:
            return Match("agrees", f"the answer picks {picked[0]}", (statement.text,))
        return Match("disagrees", f"the answer does not pick {picked[0]}", (statement.text,))
    return Match("unknown", "no statement of the answer picks one of the options in such words", undecided=True)


def _place(statement: Statement, options: Sequence[str]) -> int:
    """Find where the first of the options is named in a statement, -1 where none is."""
    words = [w[:6] for w in _WORDS.findall(statement.said.lower())]
    places = [i for option in options for i, w in enumerate(words) if w in stems(option)]
    return min(places, default=-1)


def compare_text(gold: str, asked: Asked, text: str, answer: Sequence[Statement]) -> Match:
    """Compare a gold answer in words: found as it stands, by its names, or by its facts; else undecided."""
    return _verbatim(gold, text, answer) or _by_names(gold, asked, answer) or _by_facts(gold, asked, answer)


def _verbatim(gold: str, text: str, answer: Sequence[Statement]) -> Match | None:
    wanted = normalised(gold)
    if not wanted:
        return None
    said = "\n".join(s.said for s in answer) if any(s.denied for s in answer) else text
    if f" {wanted} " not in f" {normalised(said)} ":
        return None
    carrying = [s for s in answer if f" {wanted} " in f" {normalised(s.said)} "]
    return Match("agrees", "the gold answer stands in the answer", tuple(s.text for s in carrying))


def _by_names(gold: str, asked: Asked, answer: Sequence[Statement]) -> Match | None:
    """Compare a name, or a list of names, by the words of each; None where gold is a longer text."""
    names = [n.strip(" .") for n in _NAMES.split(" ".join(gold.split())) if n.strip(" .")]
    keys = [stems(n) for n in names]
    if not keys or any(len(k) > _SHORT_STEMS or not k for k in keys) or len(gold.split()) > _NAME_WORDS * len(names):
        return None
    carrying = [[s for s in answer if (k - asked.stems or k) <= s.stems] for k in keys]
    found = sum(bool(c) for c, k in zip(carrying, keys, strict=True) if k - asked.stems)
    if found == len(keys):
        return Match("agrees", "the answer names what gold names", tuple(s.text for c in carrying for s in c))
    anywhere = frozenset().union(*(s.stems for s in answer)) if answer else frozenset()
    if not _WHO.match(asked.text) and not all(w[:1].isupper() or w[:1].isdigit() for w in _LONG_WORD.findall(gold)):
        return Match("unknown", "gold may stand in the answer in other words", undecided=True)
    if any((k - asked.stems or k) & anywhere for k in keys):
        return Match("unknown", f"the answer has {found} of the {len(keys)} names of gold", undecided=True)
    return _other_name(gold, asked, answer)


def _other_name(gold: str, asked: Asked, answer: Sequence[Statement]) -> Match:
    """Gold's name is nowhere: a short answer that restates the question names something else."""
    chosen = decisive(answer)
    if chosen is not None and chosen.restates > _SAYS_AS_MUCH and chosen.stems - asked.stems and not asked.yes_no:
        return Match("disagrees", f"the answer to the question is another than {gold}", statements=(chosen.text,))
    return Match("absent", "nothing of the gold answer is in the answer")


def _by_facts(gold: str, asked: Asked, answer: Sequence[Statement]) -> Match:
    """Look for the facts of a longer gold answer: its numbers, and its words that are not the question's."""
    main = _SENTENCE.split(gold, maxsplit=1)[0] if "\n" not in gold else gold
    keys = _key_stems(main, asked)
    said = frozenset().union(*(s.stems for s in answer)) if answer else frozenset()
    numbers = _fresh(main, asked)
    stated = [q for s in answer for q in s.quantities]
    numbers_found = sum(any(same_quantity(q, w) for w in stated) for q in numbers)
    share = (len(keys & said) + numbers_found) / (len(keys) + len(numbers)) if keys or numbers else 0.0
    carrying = tuple(s.text for s in answer if carries(s.stems, s.text, keys, numbers))
    items = gold_items(gold)
    missing = [i for i in items if not _item_found(i, asked, said, stated)]
    if len(items) > 1:
        share = max(share, 1 - len(missing) / len(items))
    enough = _HALF if len(keys) + len(numbers) >= _FEW_FACTS else _MOSTLY
    if share >= enough and not _other_numbers(numbers, carrying, asked):
        return Match(
            "agrees", f"{share:.0%} of the facts of gold are in the answer", carrying, bool(missing) or share < _MOSTLY
        )
    if share <= _HARDLY and len(keys) + len(numbers) >= _SHORT_STEMS:
        return Match("absent", f"{share:.0%} of the facts of gold are in the answer")
    return Match(
        "unknown", f"{share:.0%} of the facts of gold are in the answer", carrying, bool(missing), undecided=True
    )


def _other_numbers(numbers: Sequence[Quantity], carrying: Sequence[str], asked: Asked) -> bool:
    """Check whether the statements that carry gold's words have numbers of the same kind as gold's, and none of gold's."""
    stated = [q for text in carrying for q in _fresh(text, asked)]
    if not numbers or any(same_quantity(q, w) for q in stated for w in numbers):
        return False
    return bool({q.kind for q in stated} & {q.kind for q in numbers})


def _key_stems(gold: str, asked: Asked) -> frozenset[str]:
    words = frozenset(w for w in stems(gold) if not any(c.isdigit() for c in w))
    return words - asked.stems or words


def _fresh(gold: str, asked: Asked) -> list[Quantity]:
    return [q for q in find_quantities(gold) if not any(same_quantity(q, known) for known in asked.quantities)]


def carries(words: frozenset[str], text: str, keys: frozenset[str], numbers: Sequence[Quantity]) -> bool:
    """Check whether a statement carries facts of gold: one of its numbers, or at least two of its words."""
    if len(words & keys) >= min(2, len(keys)) > 0:
        return True
    return bool(numbers) and any(same_quantity(q, w) for q in find_quantities(text) for w in numbers)


def gold_items(gold: str) -> list[str]:
    """Split a gold answer into the parts it lists; one part where it lists nothing."""
    lead, *rest = [i.strip() for i in _ITEMS.split(gold) if i and stems(i)] or [gold]
    if not rest:
        return [gold]
    return rest if lead.endswith(":") else [lead, *rest]


def _item_found(item: str, asked: Asked, said: frozenset[str], stated: Sequence[Quantity]) -> bool:
    keys, numbers = _key_stems(item, asked), _fresh(item, asked)
    found = len(keys & said) + sum(any(same_quantity(q, w) for w in stated) for q in numbers)
    return found >= _ITEM_FOUND * (len(keys) + len(numbers))
