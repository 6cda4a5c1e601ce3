"""Where a passage seems to give orders to the model that reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from showable.read.injection import suspect_injection
from showable.read.scan.finding import ScanFinding, Span
from showable.records.regex import regex

_LINES = regex(r"[^\n]+")
_SENTENCES = regex(r"[^.!?\n]+[.!?]*")
_REASON = "it reads like an order to the model, or forges the prompt's own structure"


def scan_passage(text: str) -> list[ScanFinding]:
    """Find the sentences of a passage that seem to be orders to the model that reads it.

    The smallest place that is suspect by itself is given: a sentence, a line, or else the whole passage,
    where only its parts together are (an order spelt over several lines). A suspicion, never a proof.
    """
    if not suspect_injection(text):
        return []
    places = list(_within(text, (0, len(text)), _LINES)) or [(0, len(text))]
    spans = [part for place in places for part in (list(_within(text, place, _SENTENCES)) or [place])]
    return [ScanFinding("injection", "order", _REASON, span, "warning") for span in spans]


def _within(text: str, span: Span, parts: re.Pattern[str]) -> Iterator[Span]:
    for match in parts.finditer(text, *span):
        if match[0].strip() and suspect_injection(match[0]):
            yield match.span()
