"""How far an answer declines, by the rules and by the trained reader together: two witnesses, each weighed by how often it errs.

The reader gives a probability of each extent. Of the rules it is known how often they say which extent of answers of each
(`heads.json`, counted when the heads are fitted): Dawid and Skene, Maximum likelihood estimation of observer error-rates (1979).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from showable.read.reading import Extent, RefusalKind, RefusalReading
from showable.read.sentences import Sentence
from showable.reader.card import card
from showable.reader.read import Read
from showable.records.record import Claim
from showable.records.roles import BASES, EXTENTS, ROLES, ReadSentence, ReadText
from showable.records.scorecard import Role

RULES_WEIGHT = 3.0
"""How often the rules' word counts: the answers that their errors are counted on were written to be hard for them."""
FULL_MARGIN = 0.5
"""Log odds by which a full refusal must be ahead where the rules see none: it is acceptable, and a wrong one passes."""
LONGEST, MOST = 6_000, 80
"""Characters and sentences of an answer that the reader is asked about: a pass over them takes a tenth of a second."""
SURE_BASIS = 0.8
"""From this probability on the reader's word on what a refusal rests on stands before the rules'."""
_LEAST = 1e-4
_DECLINES = 0.3
_KINDS: dict[str, RefusalKind] = {
    "evidence": "no_evidence",
    "scope": "out_of_scope",
    "policy": "harm",
    "clarification": "ambiguous",
}
_SILENT = frozenset({"heading", "code"})
_TURNS = frozenset({"both", "claim"})


def read_sentences(
    question: str, text: str, sentences: Sequence[Sentence], listed: Sequence[tuple[int, int]], read: Read
) -> ReadText | None:
    """Return what the reader says of sentences outside of `listed` references, None where there are none or too many."""
    if len(text) > LONGEST:
        return None
    spans = [
        (s.start, s.end)
        for s in sentences
        if s.kind not in _SILENT and not any(start <= s.start < end for start, end in listed)
    ]
    if not spans or len(spans) > MOST:
        return None
    said = read(question, text, spans)
    return said if said.sentences else None


def pooled_extent(ruled: Extent, said: ReadText) -> Extent:
    """Return the likeliest extent, given what the rules and what the reader say; none where nobody sees what declines."""
    if ruled == "none" and not any(unit.declines + unit.asks >= _DECLINES for unit in said.sentences):
        return "none"
    shares = card()["rules"]
    scores = {
        extent: math.log(max(p, _LEAST)) + RULES_WEIGHT * math.log(shares[extent][ruled])
        for extent, p in zip(EXTENTS, said.extent, strict=True)
    }
    if ruled != "full":
        scores["full"] -= FULL_MARGIN
    return max(EXTENTS, key=lambda extent: scores[extent])


def with_basis(ruled: RefusalReading, said: ReadText) -> RefusalReading:
    """Return the rules' refusal for want of evidence, on the basis that the reader is sure of."""
    p, basis = max(zip(said.basis, BASES, strict=True))
    return replace(ruled, kind=_KINDS[basis]) if ruled.kind == "no_evidence" and p >= SURE_BASIS else ruled


def refusal_of(extent: Extent, ruled: RefusalReading, said: ReadText) -> RefusalReading:
    """Return the refusal of an extent that is not the rules': its kind, and the words that decline and nothing else."""
    if extent == "none":
        return RefusalReading()
    if ruled.extent != "none":
        spans = ruled.spans
        if extent != "full":
            turning = [unit.span for unit in said.sentences if unit.role in _TURNS]
            spans = tuple(
                span for span in spans if not any(span[0] < end and start < span[1] for start, end in turning)
            )
        return replace(ruled, extent=extent, spans=spans)
    units = [unit for unit in said.sentences if unit.declines + unit.asks >= _DECLINES]
    if extent != "full":
        units = [unit for unit in units if unit.role not in _TURNS]
    kind = _KINDS[max(zip(said.basis, BASES, strict=True))[1]]
    asks = any(unit.role == "question" for unit in said.sentences)
    return RefusalReading(extent=extent, kind=kind, spans=tuple(unit.span for unit in units), asks_back=asks)


def pooled_roles(extent: Extent, claims: Sequence[Claim], said: ReadText) -> tuple[Role, ...]:
    """Return the part of each claim: an aside throughout a full refusal, else what the reader takes its sentence for.

    An answer in part has at least one claim that answers, the likeliest.
    """
    if extent in {"none", "full"}:
        return tuple("answering" if extent == "none" else "aside" for _ in claims)
    answers = [_answers(_unit_of(claim, said)) for claim in claims]
    least = min(0.0, max(answers, default=0.0))
    return tuple("answering" if p >= least else "aside" for p in answers)


def _unit_of(claim: Claim, said: ReadText) -> ReadSentence | None:
    """Return the sentence or clause that most of a claim stands in."""
    if claim.span is None:
        return None
    start, end = claim.span
    return max(said.sentences, key=lambda unit: min(unit.span[1], end) - max(unit.span[0], start))


def _answers(unit: ReadSentence | None) -> float:
    """Return by how much a unit is likelier to answer than to be an aside."""
    if unit is None:
        return 0.0
    p = dict(zip(ROLES, unit.p, strict=True))
    return p["claim"] + p["both"] - p["aside"]
