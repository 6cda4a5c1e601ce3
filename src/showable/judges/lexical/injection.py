"""Sentences of a passage that give orders to its reader: they are noticed, and they are no evidence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from showable.read.injection import suspect_injection
from showable.records.regex import regex

_SENTENCE = regex(r"[^.!?\n]+[.!?\n]*")
_LABEL = regex(r"\b(?:SUPPORTED|ENTAILED|ATTRIBUTABLE|GROUNDED)\b")
"""A judge's label as a judge writes it; prose has it in small letters."""
_JUDGED = regex(r"\b(?:claims?|statements?|answers?|verdicts?|labels?)\b", re.IGNORECASE)
_QUOTED = 4
"""Sentences over which a quotation may go on; a mark without a partner, as of inches, must not swallow the rest."""
_LINE = regex(r"[^\n]+")
_EXAMPLE = regex(
    r"\s*[-*#>\d.)\s]*(?:claim|passage|statement|example|input|output|question|verdict|label)\b[^:\n]{0,20}:",
    re.IGNORECASE,
)
"""A line of a made-up example, as prompts for judges have them."""
_UNSEEN = regex(
    "[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef]"
)


def without_unseen(text: str) -> tuple[str, list[int] | None]:
    """Drop characters that nobody sees; give what is left and, unless nothing was dropped, each one's old offset."""
    if text.isascii() or not _UNSEEN.search(text):
        return text, None
    dropped = {match.start() for match in _UNSEEN.finditer(text)}
    offsets = [at for at in range(len(text)) if at not in dropped]
    return "".join(text[at] for at in offsets), offsets


def gives_orders(text: str) -> bool:
    """Check whether a text, unseen characters included, tries to instruct a judge or to give the verdict in its stead."""
    if suspect_injection(text):
        return True
    return bool(_LABEL.search(text)) and any(_gives_verdict(sentence) for sentence in _SENTENCE.findall(text))


def instructing_sentences(text: str) -> list[tuple[int, int]]:
    """Return the spans of the sentences that instruct whoever reads the text, in order; for texts that `gives_orders`.

    A sentence cut inside a quotation is taken with its other part, and so are the lines of a made-up example around its
    made-up verdict: what they state is what the writer wants to be believed.
    """
    spans = list(whole_sentences(text))
    wanted = [suspect_injection(text[a:b]) or _gives_verdict(text[a:b]) for a, b in spans]
    if any(wanted):
        for order in (range(len(spans)), reversed(range(len(spans)))):
            beside = False
            for at in order:
                beside = wanted[at] = wanted[at] or (beside and bool(_EXAMPLE.match(text[slice(*spans[at])])))
    dropped = [span for span, drop in zip(spans, wanted, strict=True) if drop]
    return dropped or _instructing_lines(text)


def _instructing_lines(text: str) -> list[tuple[int, int]]:
    """Return the lines that instruct as a whole, as one spelled backwards does; a text of one line is never dropped."""
    lines = [match.span() for match in _LINE.finditer(text)]
    return [(a, b) for a, b in lines if suspect_injection(text[a:b])] if len(lines) > 1 else []


def whole_sentences(text: str) -> Iterator[tuple[int, int]]:
    """Return the sentences; one that leaves a quotation open goes on to where it closes, if that is soon."""
    pieces = [match.span() for match in _SENTENCE.finditer(text)]
    at = 0
    while at < len(pieces):
        begin, end = pieces[at]
        joined = next(
            (
                step
                for step in range(1, _QUOTED)
                if at + step < len(pieces) and _closes(text, begin, pieces[at + step][1])
            ),
            0,
        )
        if _is_open(text[begin:end]) and joined:
            at += joined
        yield begin, pieces[at][1]
        at += 1


def _is_open(text: str) -> bool:
    return text.count('"') % 2 == 1 or text.count("“") > text.count("”")


def _closes(text: str, begin: int, end: int) -> bool:
    """Check whether a stretch on one line leaves no quotation open."""
    return "\n" not in text[begin : end - 1] and not _is_open(text[begin:end])


def _gives_verdict(sentence: str) -> bool:
    return bool(_LABEL.search(sentence) and _JUDGED.search(sentence))
