"""What the rules take for no refusal and the trained reader is sure declines.

The rules are right where they speak and silent on wordings that nobody listed; the reader is right where it is sure.
"""

from __future__ import annotations

from collections.abc import Sequence

from showable.read.reading import Extent, RefusalKind, RefusalReading
from showable.read.sentences import Sentence
from showable.reader.read import Read
from showable.records.roles import BASES, EXTENTS, ReadSentence, ReadText

SURE = 0.9
"""From this probability on that an answer declines, the reader overrules the rules' silence."""
_DECLINES = 0.5
_LONGEST, _MOST = 6_000, 80
"""Characters and sentences of an answer that the reader is asked about: a pass over them takes a tenth of a second."""
_KINDS: dict[str, RefusalKind] = {
    "evidence": "no_evidence",
    "scope": "out_of_scope",
    "policy": "harm",
    "clarification": "ambiguous",
}
_SILENT = frozenset({"heading", "code"})


def read_overlooked(
    question: str, text: str, sentences: Sequence[Sentence], read: Read
) -> tuple[RefusalReading, ReadText]:
    """Return how far a text declines by the reader alone, ``none`` where it is not sure, and what the reader said."""
    said = read(question, text, [(s.start, s.end) for s in sentences if s.kind not in _SILENT])
    return refusal_of(said), said


def refusal_of(said: ReadText) -> RefusalReading:
    """Return the refusal that a reading is sure of: its likeliest extent, its kind, and the sentences that decline."""
    p = dict(zip(EXTENTS, said.extent, strict=True))
    spans = tuple(one.span for one in said.sentences if _declines(one))
    if 1.0 - p["none"] < SURE or not spans:
        return RefusalReading()
    extent: Extent = "partial" if p["partial"] > p["full"] + p["refused_then_answered"] else "full"
    kind = _KINDS[max(zip(said.basis, BASES, strict=True))[1]]
    asks = any(one.role == "question" for one in said.sentences)
    return RefusalReading(extent=extent, kind=kind, spans=spans, asks_back=asks)


def _declines(one: ReadSentence) -> bool:
    return one.declines >= _DECLINES
