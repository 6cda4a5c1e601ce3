"""From an external reference to the source of the log that it names: by its id, by its title, or by its words in the text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple
from urllib.parse import unquote

from showable.read.phrase_index import PhraseIndex
from showable.records.record import Reference, Source
from showable.records.regex import regex

_IDS = {
    "doi": "doi", "pmid": "pmid", "pmcid": "pmcid", "arxiv": "arxiv", "isbn": "isbn", "issn": "issn", "nct": "nct",
    "nbk": "nbk", "fda_application": "number", "sec_accession": "accession",
}  # fmt: skip
_EXACT = frozenset({"doi", "pmid", "pmcid", "arxiv", "nct", "nbk"})
_SHORTEST_PMID = 6
_VERSUS = regex(r"(?i)\bvs?\.?\s")
_CAPTION = 100
_TELLING = 3
_CITED_BY = ("volume", "reporter", "page")
_HEAD = 400
_SHORTEST_NAME = 8
_SHORTEST_PARTY = 4
_MOST_WORDS = 60
_SHORT = frozenset({"case_short", "supra"})
_POINTERS = frozenset({"id", "supra"})

Standing = Literal["named", "mentioned", "nowhere", "unsearchable"]


class Placed(NamedTuple):
    """Where a reference stands in the log.

    ``named``: one source is it, by id, title or heading. ``mentioned``: one source or more contain it in their
    text. ``nowhere``: every source has text, and none contains it. ``unsearchable``: some have no text, or it only points back, at nothing.
    """

    standing: Standing
    source_ids: tuple[str, ...] = ()


class SearchedLog:
    """The sources of a log, indexed for the references that are looked for in them; the same reference is looked for once."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self.sources = tuple(sources)
        self._placed: dict[tuple[str, ...], Placed] = {}
        self._cites: dict[tuple[str, int], frozenset[tuple[str, str]]] = {}

    def __bool__(self) -> bool:
        return bool(self.sources)

    def place(self, reference: Reference) -> Placed:
        """Find the sources that a reference names."""
        key = (reference.kind, reference.text, *(part for field in reference.fields.items() for part in field))
        if key not in self._placed:
            self._placed[key] = self._found(reference)
        return self._placed[key]

    def _found(self, reference: Reference) -> Placed:
        forms = _forms(reference)
        found = _matching(reference, forms, self._said) or self._by_case_name(reference)
        found = found or _matching(reference, forms, self._heads)
        if found:
            return Placed("named" if len(found) == 1 else "mentioned", self._ids(found))
        if found := _matching(reference, forms, self._texts):
            return Placed("mentioned", self._ids(found))
        if reference.kind in _POINTERS:
            return Placed("unsearchable")
        return Placed("nowhere" if forms and all(source.text for source in self.sources) else "unsearchable")

    def _ids(self, numbers: Iterable[int]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.sources[number].source_id for number in sorted(numbers)))

    @cached_property
    def _said(self) -> _Searched:
        return _Searched([_said_of(source) for source in self.sources])

    @cached_property
    def _heads(self) -> _Searched:
        return _Searched([(source.text or "")[:_HEAD] for source in self.sources])

    @cached_property
    def _texts(self) -> _Searched:
        return _Searched([source.text or "" for source in self.sources])

    @cached_property
    def _titles(self) -> _Searched:
        return _Searched([_folded(source.title or "") for source in self.sources])

    def _by_case_name(self, reference: Reference) -> set[int]:
        """Find the sources whose title is the caption of the case; a short form may give its first party alone.

        One that is said to stand elsewhere in the same reporter is not it: a right name makes no right citation.
        """
        name = _folded(reference.fields.get("case_name", ""))
        if len(name) >= _SHORTEST_NAME and " v " in name:
            named = self._titled(name)
        elif reference.kind in _SHORT and len(name) >= _SHORTEST_PARTY:
            named = {n for n in self._titled(name, first=True) if " v " in self._titles.texts[n]}
        else:
            return set()
        return {number for number in named if not self._stands_elsewhere(reference, number)}

    def _titled(self, name: str, *, first: bool = False) -> set[int]:
        """Return the sources in whose title a name stands as words of their own, with `first` as the first of several."""
        titles = self._titles
        ends = " " if first else ("", " ")
        return {
            number
            for number, at in titles.index.places(name)
            if (at == 0 if first else titles.texts[number][:at][-1:] in {"", " "})
            and titles.texts[number].startswith(name, at)
            and titles.texts[number][at + len(name) :][:1] in ends
        }

    def _stands_elsewhere(self, reference: Reference, number: int) -> bool:
        fields = reference.fields
        if not all(fields.get(field) for field in _CITED_BY):
            return False
        letters = r"[\s.]*".join(map(re.escape, re.findall(r"\w+", fields["reporter"])))
        if not letters:
            return False
        if (letters, number) not in self._cites:
            cite = rf"(?i)(?<!\w)(\d+)\s+{letters}\.?\s*(\d+)(?!\w)"
            self._cites[letters, number] = frozenset(re.findall(cite, self._said.texts[number]))
        cites = self._cites[letters, number]
        return bool(cites) and (fields["volume"], fields["page"]) not in cites


class _Searched:
    """Texts with their index, one for each source."""

    def __init__(self, texts: list[str]) -> None:
        self.texts = texts
        self.index = PhraseIndex(texts)


class _Form(NamedTuple):
    """A way in which a reference may be written: the words that it begins with, and what matches all of it, nothing longer."""

    phrase: str
    pattern: str


def _matching(reference: Reference, forms: Iterable[_Form], searched: _Searched) -> set[int]:
    """Return the numbers of the texts in which a reference is written."""
    found: set[int] = set()
    for form in forms:
        pattern = _compiled(form.pattern)
        for number, at in searched.index.places(form.phrase):
            if number in found:
                continue
            text = searched.texts[number]
            if pattern.match(text, at) and not _of_another(reference, text, at):
                found.add(number)
    return found


def _of_another(reference: Reference, words: str, at: int) -> bool:
    """Check whether the numbers of a case stand behind the caption of another, with not a word in common."""
    name = reference.fields.get("case_name", "")
    before = words[max(0, at - _CAPTION) : at]
    if not name or not _VERSUS.search(name) or not _VERSUS.search(before):
        return False
    parties = {word for word in _folded(name).split() if len(word) >= _TELLING}
    return bool(parties) and not parties & set(_folded(before).split())


def _said_of(source: Source) -> str:
    """Put together what the log says of a source beside its text."""
    about = [f"{name}: {value}" for name, value in source.metadata.items() if isinstance(value, str | int)]
    return "\n".join([source.source_id, source.title or "", source.doi or "", unquote(source.url or ""), *about])


def _folded(words: str) -> str:
    return " ".join(re.findall(r"\w+", words.casefold()))


def _forms(reference: Reference) -> list[_Form]:
    """Return the ways in which a reference may be written."""
    fields = reference.fields
    named = [kind for kind in _IDS if reference.kind in {kind, "bibliographic"} and fields.get(_IDS[kind])]
    written = [_id(kind, fields[_IDS[kind]]) for kind in named]
    if all(fields.get(field) for field in _CITED_BY):
        written.append(_cite(*(fields[field] for field in _CITED_BY)))
    elif reference.kind == "case_short" and fields.get("volume") and fields.get("reporter"):
        written.append(_cite(fields["volume"], fields["reporter"], None))
    if parallel := fields.get("parallel"):
        written += [_loose(cite) for cite in parallel.split("; ") if cite.strip()]
    if not written and (title := fields.get("title")) and len(title) >= _SHORTEST_NAME:
        written.append(_loose(title))
    if not written:
        written.append(_loose(reference.text))
    return [form for form in written if form is not None]


def _id(kind: str, value: str) -> _Form | None:
    """Match an id to the letter, and none that goes on; hyphens may be left out of those that have a fixed length.

    A short PubMed id is a number like any other: it must be said to be one.
    """
    if kind not in _EXACT:
        return _loose(value)
    label, said = (r"pmid\W*", "pmid") if kind == "pmid" and len(value) < _SHORTEST_PMID else ("", "")
    version = r"(?:v\d+)?" if kind == "arxiv" else ""
    return _Form(said + value, rf"(?<!\w){label}{re.escape(value)}{version}(?!\w|[-./:;]\w)")


def _cite(volume: str, reporter: str, page: str | None) -> _Form | None:
    """Match a reporter cite however it is spaced; any first page where only a page within is cited."""
    parts = re.findall(r"\w+", reporter)
    letters = r"[\s.]*".join(map(re.escape, parts))
    last = re.escape(page) if page else "[0-9]+"
    pattern = rf"(?<!\d){re.escape(volume)}\s+{letters}\.?\s*{last}(?!\d)"
    return _Form(f"{volume} {reporter} {page or ''}", pattern) if parts else None


def _loose(words: str) -> _Form | None:
    """Match the same words and numbers, the first 60 of them, whatever stands between them."""
    parts = re.findall(r"\w+", words)[:_MOST_WORDS]
    return _Form(" ".join(parts), r"(?<!\w)" + r"\W*".join(map(re.escape, parts)) + r"(?!\w)") if parts else None


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    return regex(pattern, re.IGNORECASE)
