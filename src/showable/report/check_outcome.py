"""What a check of documents came to: the nouns that its reports show."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

from pydantic import Field

from showable.records.lookups import PROVEN_BAD, FieldCheck, LookupStatus
from showable.records.wire import Many, Wire

QuoteStatus = Literal["found", "misquoted", "absent", "no_source"]
Standing = Literal["bad", "unchecked", "look", "good"]
"""``look``: nothing speaks against the citation, and something about it is worth a person's look."""
STANDINGS: tuple[Standing, ...] = get_args(Standing)
BAD_QUOTE: frozenset[QuoteStatus] = frozenset({"misquoted", "absent"})


class Where(Wire):
    """A place in a document. `start` and `end` index its text, the rest is what a reader can turn to.

    `end_line` and `end_column` are those of the character after the last one.
    """

    document: str
    page: int | None = None
    line: int
    column: int = 1
    part: str | None = None
    start: int
    end: int
    end_line: int | None = None
    end_column: int | None = None

    def __str__(self) -> str:
        """Say the place as one would to a colleague, without the document's name."""
        page = [] if self.page is None else [f"page {self.page}"]
        return ", ".join([*page, self.part or f"line {self.line}"])


class QuoteCheck(Wire):
    """Quoted words beside a citation, looked for in the given files. `source` is the file, `place` where in it."""

    quote: str
    status: QuoteStatus
    source: str | None = None
    place: str | None = None
    reason: str
    start: int
    end: int


class Flag(Wire):
    """What a scanner found inside a citation: an invisible character, an address that looks like another."""

    code: str
    reason: str
    severity: Literal["error", "warning", "low"] = "warning"
    start: int
    end: int


class CheckedCitation(Wire):
    """One citation of a document and what became of it.

    `raw` is the citation as written, `full` with the names and the parenthesis that belong to it, and with its
    `parallel` cites if it has any, each of which is a citation of its own. `claimed` and `found` are what the document says of it and what
    `registry` has, `compared` the two field by field. `antecedent` is the index, among all citations, of
    the full one that a short form points back to; its status is that one's. `passage` is the sentence it
    stands in. `notes` hold what is worth knowing and proves nothing, such as a pin cite beyond the last page.
    """

    raw: str
    full: str = ""
    parallel: bool = False
    kind: str
    where: Where
    status: LookupStatus
    registry: str | None = None
    asked: Many[str] = ()
    claimed: dict[str, str] = Field(default_factory=dict)
    found: dict[str, str] = Field(default_factory=dict)
    compared: Many[FieldCheck] = ()
    reason: str | None = None
    url: str | None = None
    at: str | None = None
    cached: bool = False
    passage: str = ""
    antecedent: int | None = None
    quotes: Many[QuoteCheck] = ()
    flags: Many[Flag] = ()
    notes: Many[str] = ()

    @property
    def shown(self) -> str:
        """Return the words to show it by: an entry of a BibTeX file by its authors and title, any other as it is written.

        Parallel cites share their names and parenthesis, so that which of them is meant has to be said.
        """
        fields = self.claimed
        if fields.get("style") == "bibtex" and fields.get("title"):
            year = f" ({fields['year']})" if "year" in fields else ""
            return f"{fields.get('authors', '').split(';')[0]}: {fields['title']}{year}".removeprefix(": ")
        if self.parallel:
            return f"{self.full} [{' '.join(self.raw.split())}]"
        return self.full or self.raw

    @property
    def standing(self) -> Standing:
        """Return how it is to be shown: bad, not checked, worth a look, or good."""
        if self.status in PROVEN_BAD or any(quote.status in BAD_QUOTE for quote in self.quotes):
            return "bad"
        if self.status != "resolved":
            return "unchecked"
        worth = any(flag.severity != "low" for flag in self.flags)
        return "look" if worth or self.notes or any(quote.status == "no_source" for quote in self.quotes) else "good"

    @property
    def label(self) -> str:
        """The status to show: its own, or ``bad_quote`` where only the quotation is wrong."""
        return "bad_quote" if self.standing == "bad" and self.status not in PROVEN_BAD else self.status


class CheckedDocument(Wire):
    """One file: how many citations it holds, what of it could not be read, and what else its reader should know."""

    name: str
    format: str
    citations: int = 0
    unread: Many[str] = ()
    notes: Many[str] = ()


class Checked(Wire):
    """Documents and every citation in them, in order of place.

    `asked` are the registries that were to be asked, `stopped` says why the check ended early, if it did.
    """

    documents: Many[CheckedDocument]
    citations: Many[CheckedCitation] = ()
    asked: Many[str] = ()
    profile: str = "general"
    offline: bool = False
    sources: int | None = None
    stopped: str | None = None
    version: str = ""

    @cached_property
    def standings(self) -> Counter[str]:
        """Count the citations of each standing."""
        return Counter(citation.standing for citation in self.citations)

    @property
    def statuses(self) -> dict[str, int]:
        """Count the citations of each label, the most frequent first."""
        return dict(Counter(citation.label for citation in self.citations).most_common())

    @property
    def unread(self) -> tuple[str, ...]:
        """Everything that could not be read, of all documents."""
        return tuple(line for document in self.documents for line in document.unread)


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The text of a document for a page that shows it; `breaks` are offsets with the words that head what follows (``page 2``)."""

    name: str
    text: str
    breaks: tuple[tuple[int, str], ...] = ()


def headline(checked: Checked) -> str:
    """Return in one line what came of it."""
    total = len(checked.citations)
    of = checked.documents[0].name if len(checked.documents) == 1 else f"{len(checked.documents)} documents"
    if not total:
        return f"No citation found in {of}"
    bad, unchecked = checked.standings["bad"], checked.standings["unchecked"]
    parts = [f"{bad} bad"] if bad else [] if unchecked else ["none bad"]  # nobody knows that of the unchecked
    parts += [f"{unchecked} could not be checked"] if unchecked else []
    parts.append(f"{total - bad - unchecked} resolved")
    return f"{total} citation{'' if total == 1 else 's'} in {of}: {', '.join(parts)}"


def to_document(checked: Checked) -> dict[str, Any]:
    """Return what ``check --json`` prints: everything, with the counts and the words of the headline before it."""
    counts = {"citations": len(checked.citations)} | {str(name): checked.standings[name] for name in STANDINGS}
    summary = {
        "said": headline(checked),
        "exit_code": exit_code(checked),
        "counts": counts,
        "statuses": checked.statuses,
    }
    held = checked.model_dump(mode="json")
    for citation, shown in zip(checked.citations, held["citations"], strict=True):
        shown["standing"], shown["label"] = citation.standing, citation.label
    return summary | held


def exit_code(checked: Checked) -> int:
    """Return 1 where a citation is proven bad, else 3 where one, or a part of a document, could not be checked, else 0."""
    if checked.standings["bad"]:
        return 1
    return 3 if checked.standings["unchecked"] or checked.unread else 0
