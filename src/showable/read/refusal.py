"""Reading of refusals: whether an answer declines, how far, of what kind, and in which words."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import TYPE_CHECKING

from showable.read.decline import Decline
from showable.read.decline_cues import cues_in, may_decline
from showable.read.declining import antecedents, find_declines
from showable.read.declining_clause import CONNECTIVE, POLITE, declining_clause, declining_parts
from showable.read.policy_phrases import withholds_on_principle
from showable.read.question_focus import Focus, focus, stems, topic, years
from showable.read.question_parts import leaves_a_part
from showable.read.reading import Extent, RefusalKind, RefusalReading
from showable.read.refusal_phrases import PART_ONLY
from showable.read.roles import assign_roles, covers, is_aside
from showable.records.record import RefusalField
from showable.records.regex import regex
from showable.records.scorecard import Role

if TYPE_CHECKING:
    from showable.read.sentences import Sentence

__all__ = ["assign_roles", "read_refusal", "settle_extent", "without_declines"]

_WHOLE_SHARE = 0.5
_OTHER_PART_SHARE = 0.3
_FEWEST_WORDS = 3
_DETAIL = regex(
    r"\b(?:that|this|the (?:second|first|last|other|latter|former|remaining)|other) (?:part|half|portion)|\bthe (?:rest|remainder|latter)\b|\bany other\b|\bany further\b|\bbeyond (?:this|that)\b|\bother than\b|\badditional\b|\bno other\b"
)
_WORKED_OUT = regex(
    r"\b(?:therefore|thus|hence|accordingly|consequently|rounded|we can (?:\w+ )?(?:calculate|compute|derive|conclude|infer|deduce)"
    r"|can be (?:calculated|computed|derived|inferred|concluded|deduced|worked out)|this (?:implies|means|indicates))\b"
)
_PLAIN = (("’", "'"), ("\n", " "), ("\t", " "), ("\r", " "), ("\u00a0", " "), ("\u202f", " "))
_BULLETS = " -*•#>0123456789.)"
_SILENT_KINDS = frozenset({"code", "quote_block", "heading", "table_row"})
_FIELD_KINDS: dict[str, RefusalKind] = {
    "ambiguous": "ambiguous",
    "out_of_scope": "out_of_scope",
    "no_evidence": "no_evidence",
}


@dataclass(frozen=True, slots=True)
class _Read:
    """One sentence: its offsets, its folded words, and what in it declines."""

    start: int
    end: int
    folded: str
    declines: tuple[Decline, ...]

    @property
    def core(self) -> tuple[Decline, ...]:
        return tuple(d for d in self.declines if d.sense != "need")


def read_refusal(
    text: str, sentences: Sequence[Sentence], field: RefusalField | str = "none", *, question: str = ""
) -> RefusalReading:
    """Read how far an answer declines; `extent` is ``none``, ``partial`` or ``full`` until the claims are known.

    ``full`` means that the very question is declined, ``partial`` a detail or a part of it. The text beats the
    structured `field`, which decides only where there is no text, and the kind where the text gives none. With the
    `question`, an absence that is the answer ("Does the lease mention renewal?" - "It does not.") is no refusal.
    """
    if not text.strip():
        kind = _FIELD_KINDS.get(field)
        return RefusalReading(extent="full", kind=kind, asks_back=kind == "ambiguous") if kind else RefusalReading()
    folded = _fold(text)
    asked = focus(question) if question else None
    cues = cues_in(folded)
    if not any(may_decline(folded[s.start : s.end].lstrip(_BULLETS), cues) for s in sentences):
        return RefusalReading()
    spoken = [s for s in sentences if s.kind not in _SILENT_KINDS]
    before = antecedents([folded[s.start : s.end].lstrip(_BULLETS) for s in spoken])
    read = [_read(folded, s.start, s.end, cues, named) for s, named in zip(spoken, before, strict=True)]
    if question:
        read = [_without_echoes(r, _fold(question)) for r in read]
    if asked and asked.about_text:
        read = [replace(r, declines=tuple(d for d in r.declines if not _answers(r, d))) for r in read]
    declining = [i for i, r in enumerate(read) if r.declines]
    if not declining or _is_hedge(read, asked) or _only_asks_for_more(read):
        return RefusalReading()
    spans = tuple(
        (read[i].start + start, read[i].start + end)
        for i in declining
        for start, end in declining_parts(read[i].folded, read[i].declines)
    )
    extent: Extent = "full" if _whole(read, asked, question) else "partial"
    asks_back = any(d.sense == "ask" for r in read for d in r.declines)
    return RefusalReading(extent=extent, kind=_kind(read, field, _fold(question)), spans=spans, asks_back=asks_back)


def settle_extent(refusal: RefusalReading, roles: Sequence[Role]) -> RefusalReading:
    """Decide the extent once it is known which claims answer the question.

    Declining the very question and answering it all the same is ``refused_then_answered``; declining a part
    and answering another is ``partial``; without an answering claim it is ``full``.
    """
    if refusal.extent == "none":
        return refusal
    if "answering" not in roles:
        return replace(refusal, extent="full")
    return replace(refusal, extent="partial" if refusal.extent == "partial" else "refused_then_answered")


def without_declines(text: str, sentences: Sequence[Sentence], refusal: RefusalReading) -> list[Sentence]:
    """Cut what declines out of the sentences, so that claims are read from the rest: "(I don't know, but) it is 30 days"."""
    if not refusal.spans:
        return list(sentences)
    kept: list[Sentence] = []
    spans, past = sorted(refusal.spans), 0
    for sentence in sentences:
        while past < len(spans) and spans[past][1] < sentence.start:
            past += 1
        near = spans[past : bisect_right(spans, sentence.end, key=itemgetter(0))]
        if not any(start < sentence.end and sentence.start < end for start, end in near):
            kept.append(sentence)
            continue
        at = sentence.start
        for start, end in (*near, (sentence.end, sentence.end)):
            if start > sentence.end or end < at:
                continue
            connective = CONNECTIVE.match(text, at, max(at, start))
            first = connective.end() if connective else at
            fewest = 1 if connective and connective["joint"] else _FEWEST_WORDS
            if len(text[first:start].split()) >= fewest:
                kept.append(replace(sentence, start=first, end=start))
            at = max(at, end)
    return kept


def _fold(text: str) -> str:
    """Lower-case, straighten apostrophes and make all white space plain, without moving an offset."""
    lowered = text.lower()
    folded = lowered if len(lowered) == len(text) else text
    for fancy, plain in _PLAIN:  # faster than str.translate
        folded = folded.replace(fancy, plain)
    return folded


def _read(folded: str, start: int, end: int, cues: tuple[str, ...], before: str) -> _Read:
    raw = folded[start:end]
    words = raw.lstrip(_BULLETS)
    offset = start + len(raw) - len(words)
    found = find_declines(words, before) if may_decline(words, cues) else ()
    return _Read(offset, end, words, tuple(found))


def _without_echoes(read: _Read, question: str) -> _Read:
    """Drop what only repeats the question: "How many cannot be answered?" - "1,310 cannot be answered."."""
    kept = tuple(d for d in read.declines if read.folded[d.start : d.end] not in question)
    return replace(read, declines=kept)


def _answers(read: _Read, decline: Decline) -> bool:
    """Check whether, to a question on what a text says, this absence is the answer ("no, it does not")."""
    return decline.hides and not re.search(r"\b(?:provided|whether|retrieved|supplied|given)\b", read.folded)


def _asserts(read: _Read) -> bool:
    """Check whether a sentence puts forward content of its own, as against courtesy, questions and asides."""
    body = read.folded
    if read.declines:
        body = _remainder(read)
    if "?" in body[-3:] or len(body.split()) < _FEWEST_WORDS or POLITE.match(body):
        return False
    return not is_aside(body)


def _remainder(read: _Read) -> str:
    """Take what a declining sentence says besides declining: the clause after "but", the one before "however"."""
    start, end = _decline_span(read)
    before, after = read.folded[: start - read.start], read.folded[end - read.start :]
    return max(before, after, key=len).strip(" ,;:-—–")


def _decline_span(read: _Read) -> tuple[int, int]:
    start, end = declining_clause(read.folded, read.declines)
    return read.start + start, read.start + end


def _is_hedge(read: Sequence[_Read], asked: Focus | None) -> bool:
    """Check whether an answer follows what only seemed to decline.

    That is so when all of it is weak ("not explicitly stated, but it is 5"), or when what the documents
    do not say outright is then worked out from what they do say ("so we can conclude that …").
    """
    declines = [d for r in read for d in r.core]
    if not declines:
        return False
    first = next(i for i, r in enumerate(read) if r.core)
    if all(d.weak and d.sense == "harm" for d in declines):
        first = 0  # "This is not legal advice" may also come after the answer
    later = [_remainder(r) if r.declines else r.folded for r in read[first:] if _asserts(r)]
    if all(d.weak for d in declines):
        return any(asked is None or _bears_on(words, asked) for words in later)
    if any(d.sense != "absent" for d in declines):
        return False
    return any(_WORKED_OUT.search(words) and (asked is None or covers(words, asked)) for words in later)


def _bears_on(words: str, asked: Focus) -> bool:
    if asked.quantity and not re.search(r"\d", words):
        return False
    return bool(stems(words) & asked.stems) or bool(re.search(r"\d", words))


def _only_asks_for_more(read: Sequence[_Read]) -> bool:
    """Check whether the only declining words ask for more after something has been asserted: that is an offer."""
    if any(r.core for r in read):
        return False
    first = next(i for i, r in enumerate(read) if r.declines)
    return any(_asserts(r) for r in read[:first])


def _whole(read: Sequence[_Read], asked: Focus | None, question: str) -> bool:
    """Check whether the very question is declined, rather than a detail or one of its parts."""
    core = [i for i, r in enumerate(read) if r.core] or [i for i, r in enumerate(read) if r.declines]
    before = [r.folded for r in read[: core[0]] if _asserts(r)]
    if _asserts(read[core[0]]) and _decline_span(read[core[0]])[0] > read[core[0]].start:
        before.append(_remainder(read[core[0]]))
    declined = " ".join(read[i].folded for i in core)
    if (before and _DETAIL.search(declined)) or PART_ONLY.search(declined):
        return False
    if asked is None:
        return not before and not _DETAIL.search(declined)
    others = [_remainder(r) if r.declines else r.folded for r in read if _asserts(r)]
    named = stems(" ".join(r.folded for r in read if r.declines))
    if before and len(others) == len(before) and leaves_a_part(question, named):
        return False
    if any(covers(words, asked) for words in before) or _declines_a_part(declined, named, others, asked):
        return False
    generic = any(not topic(read[i].folded) or any(d.sense == "ask" for d in read[i].declines) for i in core)
    return generic or not before or len(named & asked.stems) / max(1, len(asked.stems)) >= _WHOLE_SHARE


def _declines_a_part(declined: str, named: frozenset[str], others: Sequence[str], asked: Focus) -> bool:
    """Check whether something else that was asked for is answered: another year, the other half of the question."""
    said = " ".join(others)
    other_years = asked.years - years(declined)
    if years(declined) & asked.years and years(said) & other_years:
        return True
    if not asked.several or not named & asked.stems:
        return False
    fresh = (stems(said) & asked.stems) - named
    return len(fresh) / len(asked.stems) >= _OTHER_PART_SHARE


def _kind(read: Sequence[_Read], field: str, question: str) -> RefusalKind:
    senses = {d.sense for r in read for d in r.declines}
    if not senses & {"absent", "need", "scope"} and (
        "harm" in senses or withholds_on_principle([r.folded for r in read], question)
    ):
        return "harm"
    if "ask" in senses and not senses & {"absent", "scope"}:
        return "ambiguous"
    if "scope" in senses:
        return "out_of_scope"
    generic = not any(topic(r.folded) for r in read if r.declines)
    return _FIELD_KINDS.get(field, "no_evidence") if generic else "no_evidence"
