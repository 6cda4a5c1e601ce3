"""A check on the terminal: what is bad first, with what the registry has; then what could not be checked; then a count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from textwrap import wrap

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from showable.records.lookups import PROVEN_BAD
from showable.report.check_outcome import BAD_QUOTE, Checked, CheckedCitation, headline
from showable.report.check_words import MEANING, counted, kind_in_words, reason_of
from showable.report.untrusted import printable

WIDTH = 120
"""The widest that lines are set: longer ones are hard to follow."""
MOST_BAD = 200
MOST_OF_GROUP = 100
"""Citations of one reason that are named, for someone has to check them by hand; the rest are counted."""
MOST_GOOD = 400
MOST_LINES_IN_BRIEF, MOST_NOTES_IN_BRIEF = 24, 2
LONG = 40
"""Citations beyond which the count at the top has gone out of sight, and is said once more at the end."""
MOST_PLACES = 8
"""Places of one citation that are named; the rest are counted."""
_CITED, _VALUE, _REASON, _PASSAGE = 300, 240, 400, 400
"""Characters shown of a citation, of one field, of a reason, of a passage."""
_STYLES = {"bad": "red", "unchecked": "magenta", "look": "yellow", "good": "green"}
_SIGNS = {"agrees": ("=", "="), "differs": ("≠", "!"), "unknown": ("?", "?")}


def render_check(checked: Checked, *, console: Console, details: bool = True) -> None:
    """Print what a check came to, as wide as the console and no wider than 120 columns; without `details`, one screen of it."""
    page = _Page(console, min(WIDTH, console.width), checked)
    page.line(headline(checked), style="bold")
    if checked.stopped:
        page.line(f"Not finished: {checked.stopped}. What is known so far:", style="bold")
    for said in checked.unread:
        page.line(f"Not read: {said}", style="magenta")
    if details:
        _in_full(checked, page)
    elif checked.citations:
        _in_brief(checked, page)
    notes = [note for document in checked.documents for note in document.notes]
    for note in notes if details else notes[:MOST_NOTES_IN_BRIEF]:
        page.line(f"Note: {note}", style="dim")
    if not details and len(notes) > MOST_NOTES_IN_BRIEF:
        page.line(f"… and {len(notes) - MOST_NOTES_IN_BRIEF:,} more notes", style="dim")
    if details and len(checked.citations) > LONG:
        page.title(headline(checked))


def _in_full(checked: Checked, page: _Page) -> None:
    """Print every citation under its standing."""
    by_standing = {name: [one for one in checked.citations if one.standing == name] for name in _STYLES}
    _bad(by_standing["bad"], page)
    _unchecked(by_standing["unchecked"], page)
    _look(by_standing["look"], page)
    _good([*by_standing["look"], *by_standing["good"]], page)
    if said := what_would_decide(checked):
        page.line(said)


def _in_brief(checked: Checked, page: _Page) -> None:
    """Print a line a citation, what is bad first with its reason, as far as a screen goes."""
    ranked = [(name, one) for name in _STYLES for one in checked.citations if one.standing == name]
    page.console.print()
    left = MOST_LINES_IN_BRIEF
    for at, (name, one) in enumerate(ranked):
        decides = f" → {one.registry}" if name == "unchecked" and one.registry else ""
        said = printable(f"{one.label:<13} {page.place(one)}: {one.shown}", limit=page.width - 2 - len(decides))
        reason = printable(_fault(one), limit=2 * (page.width - 8)) if name == "bad" else ""
        left -= 1 + len(wrap(reason, page.width - 4))
        if left < 0:
            page.line(f"… and {len(ranked) - at:,} more", indent=2)
            break
        page.console.print(Text(f"  {said}{decides}", style=_STYLES[name]), soft_wrap=True)
        if reason:
            page.line(reason, indent=4)
    page.console.print()
    if said := what_would_decide(checked):
        page.line(said)
    page.line("--details prints what each registry has beside what is claimed", style="dim")


def _fault(citation: CheckedCitation) -> str:
    """Return the reason why a citation is bad: its own, or its quotation's."""
    if citation.status in PROVEN_BAD:
        return f"{citation.registry}: {reason_of(citation)}" if citation.registry else reason_of(citation)
    return next(quote.reason for quote in citation.quotes if quote.status in BAD_QUOTE)


def what_would_decide(checked: Checked) -> str:
    """Return which registries would decide the citations that were looked up offline, and the command that asks them."""
    waiting = any(one.standing == "unchecked" and one.registry for one in checked.citations)
    if not (checked.offline and waiting):
        return ""
    files = " ".join(document.name for document in checked.documents)
    return (
        f"Behind each arrow: who would decide it. Ask them: showable check {files}. Or import a list of your own:"
        " showable registry import FILE --name NAME."
    )


class _Page:
    """A console and a width, and the few ways in which lines are set on it."""

    def __init__(self, console: Console, width: int, checked: Checked) -> None:
        self.console, self.width, self.citations = console, width, checked.citations
        self.several = len(checked.documents) > 1
        self.ascii = console.options.ascii_only

    def line(self, said: str, *, indent: int = 0, style: str = "", hang: int = 0) -> None:
        """Print a paragraph, wrapped between words, what follows its first line set in by `hang` more."""
        room = max(20, self.width - indent)
        lines = wrap(printable(said), room, subsequent_indent=" " * hang, break_on_hyphens=False) or [""]
        for one in lines:
            self.console.print(Text(" " * indent + one, style=style), soft_wrap=True)

    def title(self, said: str) -> None:
        """Print the heading of a section."""
        self.console.print()
        self.line(said, style="bold")

    def place(self, citation: CheckedCitation) -> str:
        """Return where a citation stands, with the document where there are several."""
        name = f"{citation.where.document}, " if self.several else ""
        return f"{name}{citation.where}"

    def pointed(self, citation: CheckedCitation) -> str | None:
        """Return which citation in full a short form points back to, and where that one stands."""
        if citation.antecedent is None:
            return None
        full = self.citations[citation.antecedent]
        return f"{full.raw}, {self.place(full)}"

    def places(self, citations: Sequence[CheckedCitation]) -> str:
        """List the places of one citation that stands several times: ``page 1, line 4; page 3, line 9``."""
        places = list(dict.fromkeys(map(self.place, citations)))
        more = [f"{len(places) - MOST_PLACES} more places"] if len(places) > MOST_PLACES else []
        return "; ".join([*places[:MOST_PLACES], *more])

    def entry(self, citations: Sequence[CheckedCitation], indent: int) -> None:
        """Print where a citation stands and what it is, on one line where it fits."""
        pointed = self.pointed(citations[0])
        said = f"{self.places(citations)}: {citations[0].shown}{f' (as {pointed})' if pointed else ''}"
        self.line(printable(said, limit=_CITED), indent=indent, hang=2)

    def more(self, number: int, indent: int) -> None:
        """Report how many are not named, and where they are."""
        if number > 0:
            self.line(f"and {number:,} more; -o FILE.html and --json have them all", indent=indent)

    def table(self, table: Table, indent: int) -> None:
        """Print a table."""
        self.console.print(Padding(table, (0, 0, 0, indent)), width=self.width)


def _bad(citations: Sequence[CheckedCitation], page: _Page) -> None:
    """Print what is bad, each fault once with all the places where it stands."""
    if not citations:
        return
    page.title("Bad")
    groups: dict[tuple[object, ...], list[CheckedCitation]] = {}
    for one in citations:
        said = (
            one.label,
            one.registry,
            one.shown,
            one.reason,
            one.antecedent,
            one.notes,
            tuple(quote.quote for quote in one.quotes),
        )
        groups.setdefault(said, []).append(one)
    for at, held in enumerate(list(groups.values())[:MOST_BAD]):
        if at:
            page.console.print()
        page.line(f"{page.places(held)}: {held[0].label}", indent=2, style=f"bold {_STYLES['bad']}", hang=2)
        _body(held[0], page)
    page.more(len(groups) - MOST_BAD, 2)


def _body(citation: CheckedCitation, page: _Page) -> None:
    """Print one citation with everything that speaks for and against it."""
    page.line(printable(citation.shown, limit=_CITED), indent=4)
    if citation.status in PROVEN_BAD:
        who = f"{citation.registry}: " if citation.registry else ""
        page.line(printable(f"{who}{reason_of(citation)}", limit=_REASON), indent=4, hang=2)
        if pointed := page.pointed(citation):
            page.line(printable(f"points back to {pointed}"), indent=4, hang=2)
        else:
            _fields(citation, page)
    for quote in citation.quotes:
        if quote.status in BAD_QUOTE:
            page.line(printable(f"quoted: “{quote.quote}”", limit=_PASSAGE), indent=4, hang=2)
            page.line(printable(f"{quote.status}: {quote.reason}", limit=_REASON), indent=4, hang=2)
    _remarks(citation, page)
    page.line(f"read as: {kind_in_words(citation.kind)}", indent=4, style="dim")
    if citation.passage and printable(citation.passage) != printable(citation.shown):
        page.line(printable(f"in: {citation.passage}", limit=_PASSAGE), indent=4, style="dim", hang=2)


def _fields(citation: CheckedCitation, page: _Page) -> None:
    if not citation.compared:
        if held := "; ".join(f"{name.replace('_', ' ')} {said}" for name, said in citation.found.items()):
            page.line(printable(f"on record: {held}", limit=_REASON), indent=4, hang=2)
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(ratio=1, overflow="fold")
    table.add_column(ratio=1, overflow="fold")
    table.add_row(*(Text(head, style="dim") for head in ("", "field", "claimed", "on record")))
    for row in citation.compared:
        sign, style = _SIGNS[row.outcome][page.ascii], "red" if row.outcome == "differs" else ""
        cells = (row.claimed, "–" if row.found is None else row.found)
        values = (Text(printable(cell, limit=_VALUE), style=style) for cell in cells)
        table.add_row(Text(sign, style=style), Text(printable(row.field.replace("_", " "), limit=20)), *values)
    page.table(table, 4)


def _remarks(citation: CheckedCitation, page: _Page) -> None:
    for flag in citation.flags:
        page.line(printable(f"note: {flag.reason}", limit=_REASON), indent=4, hang=2)
    for note in citation.notes:
        page.line(printable(f"note: {note}", limit=_REASON), indent=4, hang=2)
    for quote in citation.quotes:
        if quote.status == "no_source":
            page.line(
                printable(f"quotation not checked: {quote.reason}: “{quote.quote}”", limit=_REASON), indent=4, hang=2
            )


def _unchecked(citations: Sequence[CheckedCitation], page: _Page) -> None:
    """Say every reason once, the most frequent first, and below it the citations that it holds for."""
    if not citations:
        return
    page.title("Could not be checked")
    groups: dict[tuple[str, str], list[CheckedCitation]] = {}
    for citation in citations:
        groups.setdefault((citation.status, reason_of(citation)), []).append(citation)
    for (status, reason), held in sorted(groups.items(), key=lambda group: -len(group[1])):
        names = ", ".join(sorted({one.registry for one in held if one.registry}))
        number = f" ({counted(len(held), 'citation')})" if len(held) > 1 else ""
        page.line(
            printable(f"{status}: {reason}{f' [{names}]' if names else ''}{number}", limit=_REASON), indent=2, hang=2
        )
        same: dict[tuple[object, ...], list[CheckedCitation]] = {}
        for one in held:
            same.setdefault((one.shown, one.antecedent, one.notes, one.quotes), []).append(one)
        for alike in list(same.values())[:MOST_OF_GROUP]:
            page.entry(alike, 4)
            _remarks(alike[0], page)
        page.more(len(same) - MOST_OF_GROUP, 4)


def _look(citations: Sequence[CheckedCitation], page: _Page) -> None:
    if not citations:
        return
    page.title("Resolved, and worth a look")
    for citation in citations[:MOST_BAD]:
        page.entry([citation], 2)
        _remarks(citation, page)
    page.more(len(citations) - MOST_BAD, 2)


def _good(citations: Sequence[CheckedCitation], page: _Page) -> None:
    """Count what resolved, and name it: a citation that stands in no list is one that was not seen."""
    if not citations:
        return
    kinds = _listed(Counter(kind_in_words(one.kind) for one in citations))
    names = _listed(Counter(one.registry for one in citations if one.registry))
    page.title(f"{MEANING['resolved'][0]}: {len(citations)}")
    page.line(f"read as: {kinds}", indent=2, hang=2)
    page.line(f"on record at: {names}", indent=2, hang=2)
    quotes = sum(quote.status == "found" for one in citations for quote in one.quotes)
    if quotes:
        page.line(f"{counted(quotes, 'quotation')} found in the given sources", indent=2)
    same: dict[tuple[str, int | None], list[CheckedCitation]] = {}
    for one in citations:
        if one.standing == "good":
            same.setdefault((one.shown, one.antecedent), []).append(one)
    for alike in list(same.values())[:MOST_GOOD]:
        page.entry(alike, 4)
    page.more(len(same) - MOST_GOOD, 4)


def _listed(counts: Iterable[str] | Counter[str]) -> str:
    ranked = Counter(counts).most_common()
    return ", ".join(f"{name} {number}" for name, number in ranked)
