"""Quoted words beside a citation, looked for in the files that were given as its sources."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from showable.checking.sources import Library, SourceFile
from showable.checking.spotting import Spotted
from showable.read.quoted import find_quoted
from showable.report.check_outcome import QuoteCheck, QuoteStatus
from showable.rubrics.quotes import QuoteMatch, find_quote

_FARTHEST = 400
"""Characters between a quotation and the citation after it, beyond which it is not that citation's."""
_AFTER = 60
"""Characters between a citation and a quotation in its parenthetical, or right after it in its sentence."""
_MOST_CHANGED = 4
_LONGEST = 3_000
"""Characters beyond which marks that do not close have made a quotation of running text."""


@dataclass(frozen=True, slots=True)
class _Quoted:
    words: str
    start: int
    end: int


def quotes_of(spotted: Sequence[Spotted], first: Sequence[int], library: Library) -> dict[int, list[QuoteCheck]]:
    """Return, by the index of its citation, every quotation with what became of looking for it."""
    checks: dict[int, list[QuoteCheck]] = {}
    begin = 0
    while begin < len(spotted):
        document = spotted[begin].document
        end = next((at for at in range(begin, len(spotted)) if spotted[at].document is not document), len(spotted))
        if document.entries is None:
            for quoted in _quotations(document.text):
                at = _owner(quoted, spotted, range(begin, end), document.text)
                if at is not None:
                    antecedent = spotted[at].found.antecedent
                    full = spotted[at] if antecedent is None else spotted[first[at] + antecedent]
                    checks.setdefault(at, []).append(check_quote(quoted.words, quoted.start, quoted.end, full, library))
        begin = end
    return checks


def _quotations(text: str) -> list[_Quoted]:
    """Find the quotations of a text, line by line joined to paragraphs, each with its place."""
    found, at = [], 0
    for paragraph in text.split("\n\n"):
        # a quotation may go on over a line end, and the reader of quotations takes one line
        line, seek = paragraph.replace("\r", " ").replace("\n", " "), 0
        for words in find_quoted(line):
            probe = words.split(" …")[0]
            where = line.find(probe, seek)
            if where >= 0 and len(words) <= _LONGEST:
                found.append(_Quoted(words, at + where, at + where + len(probe)))
                seek = where + len(probe)
        at += len(paragraph) + 2
    return found


def _owner(quoted: _Quoted, spotted: Sequence[Spotted], among: range, text: str) -> int | None:
    """Return whose a quotation is.

    That of the citation in whose parenthetical it stands, or that comes before it in the same sentence with
    hardly a word between; else of the next one after it in its paragraph.
    """
    starts = [spotted[at].found.span[0] for at in among]
    before = bisect_right(starts, quoted.start) - 1
    if before >= 0:
        one = spotted[among[before]]
        inside = one.found.full[0] <= quoted.start < one.found.full[1]
        between = text[one.found.span[1] : quoted.start]
        close = len(between) <= _AFTER and "\n\n" not in between
        if inside or (close and (between.rstrip().endswith(("(", "(“", '("', "“(")) or _parenthetical(between))):
            return among[before]
    if before + 1 < len(starts):
        gap = text[quoted.end : starts[before + 1]]
        if len(gap) <= _FARTHEST and "\n\n" not in gap:
            return among[before + 1]
    if before >= 0:
        one = spotted[among[before]]
        if one.sentence[0] <= quoted.start < one.sentence[1]:
            return among[before]
    return None


def _parenthetical(between: str) -> bool:
    """Return whether a parenthesis that opens after a citation is still open: ``(2015) (holding that “…``."""
    return between.count("(") > between.count(")")


def check_quote(words: str, start: int, end: int, cited: Spotted, library: Library) -> QuoteCheck:
    """Look for quoted words in the files that a citation means, or in all where none can be told to be its source.

    Only a file that is the citation's own can prove a quotation wrong. Without one, words that stand in
    another file are found there, and all else is not known.
    """
    meant = library.meant(cited.reference)
    candidates = meant or [one for one in library.files if one.may_hold(words)]
    matches = [(one, find_quote(words, one.document.text)) for one in candidates]
    good = next(((one, match) for one, match in matches if _stands(match)), None)
    near = next(((one, match) for one, match in matches if match.match == "approximate"), None)

    def told(status: QuoteStatus, reason: str, one: tuple[SourceFile, QuoteMatch] | None = None) -> QuoteCheck:
        source = None if one is None else one[0].document.name
        place = None if one is None or one[1].where is None else str(one[0].document.place(one[1].where[0]))
        return QuoteCheck(quote=words, status=status, source=source, place=place, reason=reason, start=start, end=end)

    if good is not None:
        return told("found", f"stands in {good[0].document.name}", good)
    if near is not None:
        changed = "; ".join(near[1].changed[:_MOST_CHANGED])
        if meant:
            return told("misquoted", f"{near[0].document.name} has other words: {changed}", near)
        said = (
            f"no given file says that it is the source; the nearest words stand in {near[0].document.name}: {changed}"
        )
        return told("no_source", said, near)
    if meant:
        names = ", ".join(one.document.name for one in meant[:3])
        partly = [one for one in meant if one.document.unread]
        if partly:
            return told("no_source", f"is not in what could be read of {names}; some of its pages could not")
        return told("absent", f"is not in {names}", (meant[0], QuoteMatch("absent")))
    return told("no_source", "no given file says that it is the source, and the words stand in none of them")


def _stands(match: QuoteMatch) -> bool:
    """Return whether words stand in a text, slips of the pen let pass."""
    return match.match in {"verbatim", "normalised", "too_short"} or (
        match.match == "approximate" and not match.changed
    )
