"""The text that findings of one answer point into, and the region of it that each is about."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Any

from showable.read.answer import read_answer
from showable.read.structured import SCHEMA, TRUNCATED, parse_structured
from showable.records.findings import Finding
from showable.records.record import Record
from showable.records.scorecard import Scorecard
from showable.report.untrusted import printable

_SNIPPET = 300
_STEERING = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
_OF_JSON = frozenset({SCHEMA, TRUNCATED})
"""Findings on the JSON that came, which is not the text that was read out of it."""


def sarif_message(text: str, limit: int | None = None) -> dict[str, str]:
    """Return a message whose text is text alone: `[words](address)` in it would be a link (SARIF 2.1.0, 3.11.6)."""
    return {"text": re.sub(r"[\\\[\]]", r"\\\g<0>", printable(text, limit=limit))}


class AnswerText:
    """The text of one answer, in which every other region can be found. Offsets and columns are in code points.

    What could steer a terminal or reorder a line stands in it as U+FFFD, one for one, so that offsets hold.
    """

    def __init__(self, record: Record) -> None:
        """Take the text that the spans of a scorecard index: the answer's own, or its claims one below the other."""
        read = _text_read(record)
        self._read_as_given = read == record.answer
        self.text = _STEERING.sub("\ufffd", read)
        self._breaks = [match.start() for match in re.finditer("\n", self.text)]

    def region(self, finding: Finding, card: Scorecard) -> dict[str, Any]:
        """Return the region of a finding: its own place, else that of its citation or claim, else the whole answer."""
        start, end = self._span(finding, card)
        region = {"charOffset": start, "charLength": end - start}
        region["startLine"], region["startColumn"] = self._place(start)
        region["endLine"], region["endColumn"] = self._place(end)
        return region | {"snippet": {"text": printable(self.text[start:end][: 2 * _SNIPPET], limit=_SNIPPET)}}

    def _span(self, finding: Finding, card: Scorecard) -> tuple[int, int]:
        own = finding.where if self._read_as_given or finding.code not in _OF_JSON else None
        for span in (own, *_places_of(finding, card)):
            if span is not None and 0 <= span[0] <= span[1] <= len(self.text):
                return span
        return 0, len(self.text)

    def _place(self, offset: int) -> tuple[int, int]:
        """Return line and column, both from 1, of an offset; a line break belongs to the line that it ends."""
        before = bisect_right(self._breaks, offset - 1)
        return before + 1, offset - (self._breaks[before - 1] + 1 if before else 0) + 1


def _text_read(record: Record) -> str:
    """Return the text that was read, without reading plain text once more."""
    answer = record.answer
    if answer is None:
        return ""
    if isinstance(answer, str) and parse_structured(answer) is None:
        return answer
    return read_answer(record).text


def _places_of(finding: Finding, card: Scorecard) -> tuple[tuple[int, int] | None, ...]:
    """Return the places of the citation and of the claim that a finding is about, where they are known."""
    subject = finding.subject
    if subject.claim is None or not 0 <= subject.claim < len(card.claims):
        return ()
    claim = card.claims[subject.claim]
    known = subject.citation is not None and 0 <= subject.citation < len(claim.citations)
    return (claim.citations[subject.citation].span if known and subject.citation is not None else None, claim.span)
