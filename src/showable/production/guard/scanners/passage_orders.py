"""Retrieved passages that seem to give orders to the model that reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from showable.read.injection import suspect_injection
from showable.read.scan.passages import scan_passage
from showable.records.findings import Finding, Outcome
from showable.records.record import Source

CODE = "structural.passage_injection"

_QUOTED = re.compile(r"“[^“”\n]{1,2000}”|\"[^\"\n]{1,2000}\"|«[^«»\n]{1,2000}»|‘[^‘’\n]{1,2000}’")
_WINDOW = 200
"""How far before a quotation the words are looked for that introduce it."""
_OTHER_SENTENCE = re.compile(r".*[.!?\n“”\"«»]", re.DOTALL)
_FOLLOWED = re.compile(r",?\s([^\W\d_])")
"""Words of the same sentence after it: `"…," said the witness`; not those of the next."""
_FORGED = re.compile(r"(?i)<\|[a-z_]{2,20}\|>|\[/?inst\]|<</?sys>>|<start_of_turn>|</?(?:system|assistant|user)>")
"""Signs of a prompt's own structure: nobody's speech holds them."""


def scan_passages(sources: Sequence[Source]) -> Iterator[Finding]:
    """Yield one finding for each passage that orders its reader about.

    So does one that forges a prompt's structure. Speech that a passage reports is let be: a court's charge to a jury, a witness in quotation marks within a sentence
    of somebody else's. So an order in disguise of a quotation passes here; what it brings the model to say is held to
    the sources all the same.
    """
    for source in sources:
        text = "\n".join(filter(None, (source.text, source.title)))  # a title is shown to the model as well
        found = scan_passage(text)
        if found and not _FORGED.search(text) and not suspect_injection(_without_reported_speech(text)):
            continue
        if found:
            first, last = found[0].where
            more = f", and {len(found) - 1} more" if len(found) > 1 else ""
            reason = f"{source.source_id!r}, characters {first}–{last}: {found[0].reason}{more}"
            yield Finding(code=CODE, outcome=Outcome.FAIL, reason=reason)


def _without_reported_speech(text: str) -> str:
    """Return a text without the quotations that stand within another's sentence."""
    kept: list[str] = []
    at = 0
    for match in _QUOTED.finditer(text):
        start, end = match.span()
        follows = _FOLLOWED.match(text, end)
        if _is_introduced(text[max(0, start - _WINDOW) : start]) or (follows and follows[1].islower()):
            kept += [text[at : start + 1], text[end - 1 : end]]
            at = end
    return "".join([*kept, text[at:]])


def _is_introduced(before: str) -> bool:
    """Return True for words of the same sentence before a quotation: ``The judge told the jury, "…"``."""
    clause = _OTHER_SENTENCE.sub("", before)
    return clause[-1:].isspace() and any(map(str.isalpha, clause))
