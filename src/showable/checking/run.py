"""Check documents: find every citation, ask about each distinct one once, and put together what came of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from showable.checking.quoting import quotes_of
from showable.checking.scanning import flags_of, refused
from showable.checking.sources import Library
from showable.checking.spotting import Spotted, spot
from showable.documents.document import Document
from showable.records.lookups import LookupResult
from showable.records.record import Reference
from showable.report.check_outcome import Checked, CheckedCitation, CheckedDocument, DocumentText, QuoteCheck

Tell = Callable[[LookupResult], None]
"""Is told of every answer as it comes."""


class Consultation(Protocol):
    """Looks references up, many at a time. It never raises over what the world does: that is a status."""

    async def lookup_all(
        self, references: Sequence[Reference], done: Callable[[int, LookupResult], None] | None = None
    ) -> list[LookupResult]:
        """Look references up, and tell `done` each result as it comes with the place of its reference."""
        ...


_Key = tuple[str, tuple[tuple[str, str], ...]]
_NOT_ASKED = "the check was stopped before an answer came"


def question(reference: Reference) -> _Key:
    """Return what an answer depends on: all that is claimed, for each page that is pointed into may lie beyond the case."""
    return reference.kind, tuple(sorted((reference.fields or {"text": reference.text}).items()))


@dataclass(slots=True)
class Check:
    """Documents, their citations, and the answers so far: what is known can be put together at any time."""

    documents: Sequence[Document]
    library: Library | None = None
    spotted: list[Spotted] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    """For every citation, the index at which its document's citations begin."""
    questions: dict[_Key, Reference] = field(default_factory=dict)
    """Every distinct reference that has to be asked about, short forms as what they point to."""
    answers: dict[_Key, LookupResult] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Find the citations, and refuse the addresses that must not be asked."""
        for document in self.documents:
            found = spot(document)
            self.first += [len(self.spotted)] * len(found)
            self.spotted += found
        meant = filter(None, map(self._meant, range(len(self.spotted))))
        self.questions = {question(reference): reference for reference in meant}
        for key, reference in self.questions.items():
            if (answer := refused(reference)) is not None:
                self.answers[key] = answer

    @property
    def open(self) -> int:
        """Count the questions that nobody has answered."""
        return sum(key not in self.answers for key in self.questions)

    @property
    def distinct(self) -> int:
        """Count the citations behind the open questions: those that differ in their pin cite alone are one."""
        open_ones = (reference for key, reference in self.questions.items() if key not in self.answers)
        return len({question(_without_pin(reference)) for reference in open_ones})

    def _meant(self, at: int) -> Reference | None:
        """Return what has to be asked about a citation; None for a short form of which nobody can tell what it points to."""
        one = self.spotted[at]
        if one.reference.kind not in POINTING:
            return one.reference
        if one.found.antecedent is None:
            return None
        return as_pointed(one.reference, self.spotted[self.first[at] + one.found.antecedent].reference)

    async def run(self, consultation: Consultation, tell: Tell) -> None:
        """Ask all questions that have no answer yet. Answers stay where this is cancelled."""
        asked = {key: reference for key, reference in self.questions.items() if key not in self.answers}
        keys = list(asked)

        def done(place: int, result: LookupResult) -> None:
            self.answers[keys[place]] = result
            tell(result)

        await consultation.lookup_all(list(asked.values()), done)

    def outcome(
        self,
        *,
        asked: Sequence[str] = (),
        profile: str = "general",
        offline: bool = False,
        stopped: str | None = None,
        version: str = "",
    ) -> Checked:
        """Put together what is known. A question without an answer is ``unreachable``."""
        quotes = quotes_of(self.spotted, self.first, self.library) if self.library is not None else {}
        return Checked(
            documents=tuple(
                CheckedDocument(
                    name=document.name,
                    format=document.format,
                    citations=sum(one.document is document for one in self.spotted),
                    unread=document.unread,
                    notes=document.notes,
                )
                for document in self.documents
            ),
            citations=tuple(self._checked(at, quotes.get(at, ())) for at in range(len(self.spotted))),
            asked=tuple(asked),
            profile=profile,
            offline=offline,
            sources=None if self.library is None else len(self.library.files),
            stopped=stopped,
            version=version,
        )

    def _checked(self, at: int, quotes: Sequence[QuoteCheck]) -> CheckedCitation:
        one, meant = self.spotted[at], self._meant(at)
        points_to = one.found.antecedent if one.reference.kind in POINTING else None
        settled = _nowhere(one.reference) if meant is None else self._answer(meant)
        compared = any(row.field == "pin" for row in settled.compared)
        pin = None if meant is None or compared else pin_note(meant, settled.found)
        return CheckedCitation(
            raw=one.reference.text,
            full=one.full(),
            parallel=one.found.group is not None,
            kind=one.reference.kind,
            where=one.where(),
            passage=one.passage(),
            antecedent=None if points_to is None else self.first[at] + points_to,
            quotes=tuple(quotes),
            flags=flags_of(one),
            notes=() if pin is None else (pin,),
            claimed=settled.claimed or (meant or one.reference).fields,
            registry=None if settled.registry in _NOBODY else settled.registry,
            **{name: getattr(settled, name) for name in _CARRIED},
        )

    def _answer(self, meant: Reference) -> LookupResult:
        answer = self.answers.get(question(meant))
        return answer or LookupResult(status="unreachable", registry="", claimed=meant.fields, reason=_NOT_ASKED)


_NOBODY = frozenset({"", "none"})
_CARRIED = ("status", "asked", "found", "compared", "reason", "url", "at", "cached")


def _without_pin(reference: Reference) -> Reference:
    fields = {name: said for name, said in reference.fields.items() if name != "pin"}
    return reference.model_copy(update={"fields": fields})


def _nowhere(short: Reference) -> LookupResult:
    said = "it points back to a citation in full, and which one cannot be told"
    return LookupResult(status="not_covered", registry="", claimed=short.fields, reason=said)


def text_of(document: Document) -> DocumentText:
    """Return a document's text with its page and part breaks, for a page that shows it."""
    breaks: list[tuple[int, str]] = []
    last: tuple[int | None, str | None] = (None, None)
    for mark in document.marks:
        part = None if mark.part is None or mark.part.startswith("paragraph") else mark.part
        if (mark.page, part) != last:
            said = ", ".join(([] if mark.page is None else [f"page {mark.page}"]) + ([] if part is None else [part]))
            breaks += [(mark.start, said or "text")] if said or breaks else []
            last = (mark.page, part)
    return DocumentText(document.name, document.text, tuple(breaks))


_PAGE = re.compile(r"\*?(\d{1,6})")


def pin_note(reference: Reference, found: Mapping[str, str]) -> str | None:
    """State that a pin cite lies outside the pages that the registry gives; None where it does not, or nothing is known.

    A note and no status: last pages are often missing from registries or counted without an appendix.
    """
    pin = _page(reference.fields.get("pin"))
    ends = [_page(end) for end in re.split("[–-]", found.get("pages", ""))]
    first, last = ends[0], ends[-1] if len(ends) > 1 else None
    if pin is None or found.get("volume", reference.fields.get("volume")) != reference.fields.get("volume"):
        return None
    if last is not None and pin > last:
        return f"the pin cite, {reference.fields['pin']}, lies beyond the last page, {last}"
    if first is not None and pin < first:
        return f"the pin cite, {reference.fields['pin']}, lies before the first page, {first}"
    return None


def _page(said: str | None) -> int | None:
    match = _PAGE.match((said or "").strip())
    return int(match[1]) if match else None


POINTING = frozenset({"id", "supra", "case_short"})
"""Kinds that only point back at a citation given in full."""


def as_pointed(short: Reference, full: Reference) -> Reference:
    """Return what a short form stands for: all of the citation in full, but its own pin cite or section.

    ``Id. at 9`` after ``576 U.S. 644, 675`` is page 9 of the same case, and ``Id. § 3`` after ``28 U.S.C. § 1331``
    is another section, that may not exist though the first one does. A bare ``Id.`` is the very same place.
    """
    own = {name: short.fields[name] for name in ("pin", "section", "subsection") if short.fields.get(name)}
    if "section" in own and "section" not in full.fields:
        own = {"pin": own["pin"]} if "pin" in own else {}
    if not own:
        return full
    kept = {name: said for name, said in full.fields.items() if name != "pin" and not _moves(name, own)}
    return full.model_copy(update={"fields": {**kept, **own, **_part(full.fields, own)}})


def _moves(name: str, own: Mapping[str, str]) -> bool:
    return name == "subsection" and "section" in own


def _part(full: Mapping[str, str], own: Mapping[str, str]) -> dict[str, str]:
    """Return the part of the C.F.R. that a section lies in: its number up to the dot."""
    part, dot, _ = own.get("section", "").partition(".")
    return {"part": part} if dot and "part" in full else {}
