"""What an answer leaves out that stands beside the words it relies on, or against them: cherry picking."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from showable.read.word_sets import word_set
from showable.records.findings import Outcome, Subject
from showable.records.record import Claim
from showable.records.regex import regex
from showable.rubrics.checks import Checks
from showable.rubrics.operands import sentences_of
from showable.rubrics.retrieval_log import RetrievalLog
from showable.rubrics.semantic import ClaimSupport
from showable.rubrics.table_values import terms

CODE = "semantic.cherry_picking"
_WORD = regex(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
"""A word, with what a hyphen joins: "no-take" denies nothing."""
_DENYING = word_set(
    "not no never none nothing nobody neither nor without cannot only alone except excluding excluded unless less fewer"
)
_CONTRASTING = word_set("however but yet though although nevertheless nonetheless except unless")
_ANAPHORIC = word_set("this that these those it its they their such he she his her there then")
_SCOPE = word_set("in on at for under during below above within once when if after before since with among until")
_EMPTY = frozenset(terms(" ".join((*_DENYING, *_CONTRASTING, *_ANAPHORIC, *_SCOPE, "where", "when", "also", "apply"))))
"""Terms that add nothing by themselves: an answer may say "unless X" for "this does not apply where X"."""
_BREAK = regex(
    r"[,;:]\s+(?:but|except|excluding|unless|though|although|however|provided|other than|save)\b"
    r"|\s(?:unless|except|excluding|provided that|but not|but only)\b",
    re.IGNORECASE,
)
"""Where a clause begins that takes back a part of what stands before it: "…, except on Mondays"."""
_SAID = 0.5
"""Share of the new terms of a qualifier that an answer must have to have told it."""
_LEAST_NEW = 2
"""Terms that a qualifier must bring in beyond the words relied on: one word is too little to be missed."""
_RELIED = 0.5
"""Share of a claim's terms that a sentence must have to be the one it relies on."""
_OPENING = 5
"""Words of a sentence among which a pronoun refers to the sentence before."""


def check_left_out(
    claims: Sequence[Claim], supports: Sequence[ClaimSupport], log: RetrievalLog, answer: str, checks: Checks
) -> None:
    """Check of every supported claim that the answer tells what speaks against it and what qualifies it.

    Evidence against it is a source that a verdict finds to contradict it, and that no other claim rests on. A qualifier is the
    sentence behind the one relied on, or the end of that, where it denies, limits or sets a condition, and where the answer has
    less than half of what it adds. Claims without support are not applicable: nothing was picked for them.
    """
    told = frozenset(terms(answer))
    if not claims:
        checks.not_applicable(CODE)
    for index, (claim, support) in enumerate(zip(claims, supports, strict=True)):
        if support.own is not Outcome.PASS:
            checks.not_applicable(CODE)
        elif why := _against(index, supports) or next(_qualifiers(claim, support, log, told), ""):
            checks.failed(CODE, why, Subject(claim=index), claim.span)
        else:
            checks.passed(CODE)


def _against(index: int, supports: Sequence[ClaimSupport]) -> str:
    """Name the sources that contradict a claim, unless another claim of the answer rests on one of them."""
    against = supports[index].verdicts.contradicting
    others = (support.verdicts for at, support in enumerate(supports) if at != index)
    if not against or any(table.of_whole(source_id) is Outcome.PASS for table in others for source_id in against):
        return ""
    return f"{', '.join(map(repr, against))} says otherwise, and the answer does not tell"


def _qualifiers(claim: Claim, support: ClaimSupport, log: RetrievalLog, told: frozenset[str]) -> Iterator[str]:
    """Yield what is left out beside the words that each source is cited for."""
    words = frozenset(terms(claim.text))
    cited = dict.fromkeys(citation.source_id or "" for citation in claim.citations)
    for source_id in cited:
        if support.verdicts.of(source_id) is not Outcome.PASS or source_id not in log.texts:
            continue
        sentences = sentences_of(log.texts[source_id])
        at = max(range(len(sentences)), key=lambda n: len(words & sentences[n][1]), default=None)
        if at is None or len(words & sentences[at][1]) < _RELIED * len(words):
            continue
        relied, relied_terms = sentences[at]
        if tail := _BREAK.search(relied):
            head = frozenset(terms(relied[: tail.start()]))
            if len(words & head) >= len(words & relied_terms) and _untold(relied_terms - head, told):
                yield f"{source_id!r} goes on: {relied[tail.start() :].strip(' ,;:')}"
        if at + 1 < len(sentences):
            behind, behind_terms = sentences[at + 1]
            if (
                "|" not in behind
                and _restricts(behind, words & relied_terms)
                and _untold(behind_terms - relied_terms - words, told)
            ):
                yield f"{source_id!r} goes on: {behind}"


def _untold(added: frozenset[str], told: frozenset[str]) -> bool:
    new = added - _EMPTY
    return len(new) >= _LEAST_NEW and len(new & told) < _SAID * len(new)


def _restricts(sentence: str, subject: frozenset[str]) -> bool:
    """Return whether a sentence takes back a part of what stands before it, about the same subject.

    It begins with a contrast, or it denies or limits and refers back, by a word or by a pronoun at its beginning.
    """
    words = [word.lower() for word in _WORD.findall(sentence)]
    if not words or words[0] in _CONTRASTING:
        return bool(words)
    denies = any(word in _DENYING or word[-2:] in {"'t", "’t"} for word in words)
    refers = not subject.isdisjoint(terms(sentence)) or not _ANAPHORIC.isdisjoint(words[:_OPENING])
    return refers and (denies or words[0] in _SCOPE)
