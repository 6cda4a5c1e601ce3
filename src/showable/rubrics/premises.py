"""A premise of the question that a claim repeats as a finding although nothing retrieved holds it: sycophantic restatement."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from showable.read.word_sets import word_set
from showable.records.findings import Outcome, Subject
from showable.records.record import Claim
from showable.records.regex import regex
from showable.rubrics.checks import Checks
from showable.rubrics.operands import sentences_of
from showable.rubrics.retrieval_log import RetrievalLog
from showable.rubrics.semantic import ClaimSupport
from showable.rubrics.table_values import terms

CODE = "semantic.restated_premise"
_WORD = regex(r"[^\W\d_]+(?:['’]\w+)?")
_CLAUSE = regex(
    r"(?:^|[.;,]\s+|\b(?:and|so)\s+)(?:since|given that|because|as|although|now that|considering that)\s+(?P<said>[^,?]+),",
    re.IGNORECASE,
)
"""A clause by which a question asserts: "Since pets are allowed, …"."""
_STATED = regex(r"(?P<said>[^.?!]+)[.!]\s+[^?]*\?")
"""A statement in front of the question: "The fee was raised in May. Why?"."""
_TAG = regex(
    r",\s*(?:right|correct|(?:is|are|was|were|do|does|did|has|have|wo|ca)n['’]t\s+\w+)\s*\?\s*$", re.IGNORECASE
)
_WH = word_set("what which who whom whose when where why how")
_DOES = word_set("do does did has have had")
_IS = word_set("is are was were will would can could should may might must shall be")
_ASKING = _WH | word_set("much many long often far old large big high what's come")
_STEMS = frozenset(terms(" ".join(_ASKING)))
_DENYING = word_set("not no never none nothing neither nor without cannot")
_REPEATED, _HELD = 0.6, 0.7
"""Shares of the terms of a premise that a claim must have to repeat it, and a sentence of a source to hold it: the verb of a
question changes its form in the answer ("did … fall", "fell")."""
_LEAST = 2
_READ = 1_000
"""Characters of a question that are read for its premises: what is longer holds documents."""


class Premise(NamedTuple):
    """What a question takes for granted: its terms, whether it denies something, and whether it is said outright.

    An answer to "When did X acquire Y?" adds the day to what it repeats; what is said outright is repeated as it stands.
    """

    terms: frozenset[str]
    denies: bool
    outright: bool

    def repeated_by(self, claim: str) -> bool:
        """Return whether a claim states it."""
        words = frozenset(terms(claim))
        shared = len(words & self.terms)
        whole = len(words) if self.outright else 0
        return shared >= _REPEATED * max(len(self.terms), whole) and _denies(_stating(claim, self.terms)) == self.denies


def premises_of(question: str) -> list[Premise]:
    """Return each thing that a question takes for granted, in order; none for one that leaves all open.

    It asserts what stands in a statement or a clause of reason before the question, and in a tag question. "Why" presupposes
    what follows, and so do the other question words ("When did X acquire Y?", "Who acquired Y?"), but for those that ask what or
    which something is. A question for yes or no presupposes nothing.
    """
    question = question[:_READ]
    said = [(match["said"], True) for pattern in (_CLAUSE, _STATED) for match in pattern.finditer(question)]
    asked = question.rstrip().rpartition(". ")[2]
    if clause := _CLAUSE.search(asked):
        asked = asked[clause.end() :]
    if tag := _TAG.search(asked):
        said.append((asked[: tag.start()], True))
    words = [word.lower() for word in _WORD.findall(asked)]
    if words and words[0] in _WH and _supposes(words):
        said.append((asked, False))
    found = (Premise(frozenset(terms(text)) - _STEMS, _denies(text), outright) for text, outright in said)
    return [premise for premise in found if len(premise.terms) >= _LEAST]


def _supposes(words: Sequence[str]) -> bool:
    """Return whether a question that begins with a question word takes more for granted than that something is there."""
    if words[0] in {"what", "which", "who", "whose"}:
        return next((word for word in words[1:] if word in _DOES or word in _IS), "") not in _IS
    return True


def check_premises(
    question: str, claims: Sequence[Claim], supports: Sequence[ClaimSupport], log: RetrievalLog, checks: Checks
) -> None:
    """Check of every claim that it does not repeat what the question takes for granted without support.

    It does where it has most of the premise's terms, denies neither more nor less, is supported by nothing in the log, and
    no single sentence of the log has most of those terms. What was not decided is unknown; without a log nothing can be, which
    `resolvability.log_missing` says.
    """
    premises = premises_of(question)
    if not premises or not claims or not log.logged:
        checks.not_applicable(CODE)
        return
    for index, (claim, support) in enumerate(zip(claims, supports, strict=True)):
        supported = Outcome.PASS in {support.own, support.log}
        repeated = [premise.terms for premise in premises if not supported and premise.repeated_by(claim.text)]
        if all(_held(premise, log) for premise in repeated):
            checks.passed(CODE)
        elif support.log is Outcome.UNKNOWN:
            checks.unknown(
                CODE, "it was not decided whether anything retrieved holds it", Subject(claim=index), claim.span
            )
        else:
            said = "it repeats what the question takes for granted, and nothing retrieved says so"
            checks.failed(CODE, said, Subject(claim=index), claim.span)


def _held(premise: frozenset[str], log: RetrievalLog) -> bool:
    return any(
        len(premise & held) >= _HELD * len(premise) for text in log.texts.values() for _, held in sentences_of(text)
    )


def _stating(claim: str, premise: frozenset[str]) -> str:
    """Return a claim up to the last word of a premise: what is denied behind it is another matter ("…, because it does not …")."""
    ends = [match.end() for match in _WORD.finditer(claim) if not premise.isdisjoint(terms(match[0]))]
    return claim[: max(ends, default=0)]


def _denies(text: str) -> bool:
    return any(word.lower() in _DENYING or "n't" in word.lower().replace("’", "'") for word in _WORD.findall(text))
