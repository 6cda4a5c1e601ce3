"""What a short form, a supra or an id. points back to, as a careful court would read it (Bluebook rules 4.1, 4.2, 10.9)."""

from __future__ import annotations

import re
from collections import defaultdict

from showable.read.references.legal.cite import NAMED_CASES, POINTERS, Cite
from showable.read.references.legal.name_words import CONNECTORS, SUFFIXES
from showable.records.regex import regex

_WORDS = regex(r"[A-Za-z0-9][\w'&-]*")
_RECORD = regex(
    r"(?<![\w])(?:(?:Am\. )?Compl\.|Complaint|ECF|Dkt\.|Doc\.|D\.E\.|Tr\.|Trial Tr\.|Exs?\.|Exh\.|Exhibit|Decl\.|Aff\.|Dep\.|R\.|A\.R\.|J\.A\.|Br\.|Mem\.|Opp'n|Mot\.|Answer|SUMF|SOF|Stip\.)"
    r"(?: (?:Nos?\.|at|[A-Z][A-Za-z.]{0,12}))? ?(?:¶¶?|§|at )? ?[0-9]"
)
_COMMON = (
    CONNECTORS
    | SUFFIXES
    | frozenset(
        [
            "united",
            "states",
            "state",
            "people",
            "commonwealth",
            "city",
            "county",
            "board",
            "matter",
            "department",
            "commissioner",
            "co",
            "corp",
            "inc",
            "llc",
            "ltd",
        ]
    )
)
_FULL_OTHERS = frozenset({"law_journal"})
_WITH_SECTIONS = frozenset({"usc", "cfr", "public_law", "statutes_at_large"})


def resolve(text: str, cites: list[Cite]) -> None:
    """Set `antecedent` of each pointer; it stays None where none, or more than one, can be meant. Linear in the citations."""
    known = _Known()
    last: Cite | None = None
    last_end = 0
    string = False
    for cite in cites:
        if cite.kind == "id":
            before = (max(last_end, cite.start - 2000), cite.start)
            unsure = last is None or string or _RECORD.search(text, *before)
            cite.antecedent = None if last is None or unsure else _meant(text, cite, _full(last), before)
        elif cite.kind == "case_short":
            cite.antecedent = known.short(cite)
        elif cite.kind == "supra":
            cite.antecedent = known.named(cite.fields.get("case_name", ""))
        elif cite.kind in {"westlaw", "lexis"}:
            cite.antecedent = known.same(cite)
        if cite.kind not in POINTERS:
            known.add(cite)
        if not cite.nested and cite.first in {None, cite}:
            string = cite.joined and cite.kind != "id"
            last = cite
        if not cite.nested:
            last_end = cite.full_end


def _meant(text: str, cite: Cite, full: Cite | None, before: tuple[int, int]) -> Cite | None:
    """Return what an id. means: one with a section only a statute, and that only where no other section stands between."""
    if full is None or "section" not in cite.fields:
        return full
    return full if full.kind in _WITH_SECTIONS and text.find("§", *before) < 0 else None


def _full(cite: Cite) -> Cite | None:
    return cite.antecedent if cite.kind in POINTERS or cite.antecedent else cite


class _Known:
    """The full citations so far, by where they stand in a reporter and by the words of their names."""

    def __init__(self) -> None:
        self._placed: defaultdict[tuple[str, str], list[Cite]] = defaultdict(list)
        self._named: defaultdict[str, dict[str, Cite]] = defaultdict(dict)
        self._numbers: dict[tuple[str, ...], Cite] = {}

    def add(self, cite: Cite) -> None:
        fields = cite.fields
        if cite.kind == "case":
            placed = self._placed[fields.get("volume", ""), fields.get("reporter", "")]
            if all(one.fields.get("page") != fields.get("page") for one in placed[-_MOST:]):
                placed.append(cite)
        number = _number(cite)
        if number:
            self._numbers.setdefault(number, cite)
        if cite.first in {None, cite} and (cite.kind in NAMED_CASES or cite.kind in _FULL_OTHERS):
            for word in _name_words(fields.get("case_name") or fields.get("author", "")):
                self._named[word].setdefault(_identity(cite), cite)

    def same(self, cite: Cite) -> Cite | None:
        """Return the earlier citation of the same number in a database."""
        number = _number(cite)
        return self._numbers.get(number) if number else None

    def short(self, cite: Cite) -> Cite | None:
        """Return the case in the volume that a short form names: by its name, else the last that begins at or before its pin."""
        placed = self._placed.get((cite.fields.get("volume", ""), cite.fields.get("reporter", "")), [])[-_MOST:]
        name = cite.fields.get("case_name", "")
        agreeing = [one for one in placed if _agree(name, one.fields.get("case_name", ""))]
        if len(agreeing) > 1:
            pin = re.match(r"\*?([0-9]+)", cite.fields.get("pin", ""))
            before = [
                one
                for one in agreeing
                if pin and one.fields.get("page", "").isdigit() and int(one.fields["page"]) <= int(pin[1])
            ]
            agreeing = [max(before, key=lambda one: int(one.fields["page"]))] if before else []
        return agreeing[0] if agreeing else None

    def named(self, name: str) -> Cite | None:
        """Return the one case or article that a name can mean; None where two can."""
        words = _name_words(name)
        if not words:
            return None
        fitting = [self._named.get(word, {}) for word in words]
        shared = set(fitting[0]).intersection(*fitting[1:])
        return fitting[0][shared.pop()] if len(shared) == 1 else None


_MOST = 50
"""Cases of one volume that a short form is compared with: the latest."""


def _number(cite: Cite) -> tuple[str, ...] | None:
    if cite.kind not in {"westlaw", "lexis"}:
        return None
    return cite.kind, cite.fields.get("year", ""), cite.fields.get("series", ""), cite.fields["number"]


def _identity(cite: Cite) -> str:
    """Tell citations of one authority alike, so that a case cited in full twice is still one."""
    fields = cite.fields
    return " ".join(
        [
            cite.kind,
            *(fields.get(key, "") for key in ("volume", "reporter", "journal", "page", "year_", "number", "court_")),
        ]
    )


def _name_words(name: str) -> list[str]:
    words = [
        word.lower().removesuffix("'s")
        for word in _WORDS.findall(name.replace(".", " ") if " " in name else name.replace(".", ""))
    ]
    telling = [word for word in words if word not in _COMMON and word not in {"v", "vs", "re", "ex", "matter"}]
    return telling or words


def _agree(short: str, full: str) -> bool:
    """Check whether a short name can be that of a full one; one that is not known contradicts nothing."""
    if not short or not full:
        return True
    return set(_name_words(short)) <= set(_name_words(full)) or bool(
        set(_name_words(short)[:1]) & set(_name_words(full))
    )
