"""The clauses of an answer, and how much of the question each takes up: in its words, in another form, or by initials."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from showable.read.question_focus import stems
from showable.rubrics.gold_negation import MARKER
from showable.rubrics.gold_question import Asked
from showable.rubrics.gold_statements import Statement

_CUT = re.compile(
    r"[;:()\n—]|\.\s|,(?!\d)|\s–\s|\s(?=(?:and|but|yet|while|whilst|whereas|although|though|since|because|after|before|until|when|which|who|whose|where|than|followed by|ahead of|as opposed to)\s)",
    re.IGNORECASE,
)
_AND = re.compile(r"\W*and\b", re.IGNORECASE)
VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|does|do|did|will|would|can|could|may|might|must|shall|should|came|comes|gave|took|won|lost|held|made|got|went|wrote|led|ran|met|saw|left"
    r"|(?<!['’])\b[a-z]{2,}ed|(?<!['’])\b[a-z]{3,}(?<!s)s)\b"
)
"""What may be a verb: more than there are, since a noun in -s is not told from a verb."""
_WORD = re.compile(r"[^\W_]+(?:[-&][^\W_]+)*")
_FAMILIES = tuple(
    re.compile(rf"(?:{words})")
    for words in (
        r"writ\w*|wrote|author\w*|penned|draft\w*",
        r"win\w*|won|award\w*|victor\w*",
        r"buy\w*|bought|purchas\w*|acquir\w*",
        r"sell\w*|sold|vend\w*",
        r"mak\w*|made|manufac\w*|produc\w*",
        r"lead|leads|leader\w*|led|head|heads|headed|ceo",
        r"pay\w*|paid|bear|bears|bore|borne",
        r"hold|holds|held|holder",
        r"lend\w*|lent|loan\w*",
        r"build\w*|built",
        r"choos\w*|chose\w*|select\w*|pick\w*",
        r"teach\w*|taught",
        r"found|founds|foundi\w*|founde\w*|establ\w*|set up",
        r"caus\w*|trigge\w*|due|reason",
        r"judg\w*|decid\w*|decis\w*|rule[ds]?|ruling",
        r"control\w*|compar\w*|placeb\w*",
    )
)
_SHORT, _ROOT, _SHORTEST = 3, 5, 4


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of a statement, where it stands, the stems of its words, and the stems of the question that they take up."""

    statement: Statement
    text: str
    start: int
    words: frozenset[str]
    shared: frozenset[str]

    @property
    def opens(self) -> bool:
        """Whether it is the first of its statement."""
        return not self.statement.said[: self.start].strip()


def clauses(answer: Sequence[Statement], asked: Asked) -> Iterator[Clause]:
    """Cut statements into clauses; the members of a plain list ("Chad, Mali and Togo") stay together."""
    for statement in answer:
        said = MARKER.sub(lambda m: " " * len(m[0]), statement.said)
        edges = [0, *(m.start() for m in _CUT.finditer(said)), len(said)]
        pieces: list[tuple[int, int]] = []
        for start, end in pairwise(edges):
            if pieces and _is_listed(said[slice(*pieces[-1])], said[start:end], asked):
                pieces[-1] = (pieces[-1][0], end)
            else:
                pieces.append((start, end))
        for start, end in pieces:
            words = stems(said[start:end])
            if words:
                yield Clause(statement, said[start:end], start, words, taken_up(said[start:end], asked))


def _is_listed(left: str, right: str, asked: Asked) -> bool:
    """Tell whether two pieces belong together: neither is a clause for itself."""
    if _AND.match(right):
        return not (VERB.search(left) and (VERB.search(right) or taken_up(right, asked)))
    few = len(right.split()) <= _SHORT and right[:1] in {",", " "}
    return few and right[:1] == "," and not VERB.search(right) and not taken_up(right, asked)


def taken_up(text: str, asked: Asked) -> frozenset[str]:
    """Give the stems of the question that a text takes up, in any form; initials stand for the words that they begin."""
    words = stems(text)
    found = {a for a in asked.stems if any(akin(w, a) for w in words)}
    for initials in re.findall(r"\b[A-Z]{2,5}\b", text):
        found |= _spelled_out(initials.lower(), asked)
    return frozenset(found)


def akin(word: str, other: str) -> bool:
    """Tell whether two stems are of one word, or one family: dissent and dissenting, wrote and author."""
    root, base = (re.sub(r"(?:ing?|e|y|i)$", "", w) for w in (word, other))
    if word == other or (min(len(root), len(base)) >= _SHORTEST and root[:_ROOT] == base[:_ROOT]):
        return True
    return any(f.fullmatch(word) and f.fullmatch(other) for f in _FAMILIES)


def _spelled_out(initials: str, asked: Asked) -> frozenset[str]:
    words = [w for w in re.findall(r"[^\W\d_]+", asked.text.lower()) if w not in {"of", "the", "and", "for"}]
    at = "".join(w[0] for w in words).find(initials)
    return stems(" ".join(words[at : at + len(initials)])) & asked.stems if at >= 0 else frozenset()


def content_words(text: str) -> list[tuple[int, int]]:
    """Give the places of a text's words that stems are made of."""
    return [m.span() for m in _WORD.finditer(text) if stems(m[0])]
