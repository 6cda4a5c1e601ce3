"""The files of --sources: which one a citation means, by its name, its cite, its ids or its title."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from showable.documents.document import Document
from showable.documents.read import read_document
from showable.errors import InputError, SettingError
from showable.read.word_sets import word_set
from showable.records.record import Reference

HEAD = 4_000
"""Characters at the beginning of a file that say what it is."""
MOST_FILES = 2_000
_WORD = re.compile(r"[^\W_]+")
_LONG_WORD = re.compile(r"[^\W_]{5,}")
_VERSUS = re.compile(r" vs? ")
_IDS = ("doi", "pmid", "pmcid", "arxiv", "isbn", "nct", "number", "accession", "nbk", "url")
_LEAST_ID = 5
"""A shorter number stands in almost any text."""
_LEAST_TITLE = 3
_TITLE_PAGE = 1_200
"""Characters in which an opinion has its caption and its cite, and an article its title; further on stand those of others."""
_SMALL = word_set("a an and at by for from in of on or the to v vs with inc co corp ltd llc state states united people")
_CAPTION_GAP = 100
"""Characters on either side of the ``v.`` of a caption in which the name of that side begins."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file: what it is called and how it begins, folded for comparison, beside its text."""

    document: Document
    head: str = field(init=False)
    stem: str = field(init=False)
    words: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        """Fold once what every citation is held against."""
        object.__setattr__(self, "head", folded(self.document.text[:HEAD]))
        object.__setattr__(self, "stem", folded(PurePath(self.document.name).stem))
        object.__setattr__(self, "words", frozenset(_long_words(self.document.text)))

    def may_hold(self, quoted: str) -> bool:
        """Return whether so many words of a quotation stand in the file that aligning the two is worth its time."""
        wanted = set(_long_words(quoted))
        return len(wanted & self.words) >= len(wanted) / 2


@dataclass(frozen=True, slots=True)
class Library:
    """The files that quotations are looked for in, and those that could not be read, one line each."""

    files: tuple[SourceFile, ...]
    unread: tuple[str, ...] = ()

    @classmethod
    def read(cls, folder: Path, leave_out: Sequence[Path] = ()) -> Library:
        """Read every file below a folder but hidden ones and those that are checked themselves. Raises SettingError where there is none."""
        if not folder.is_dir():
            raise SettingError(f"--sources: {folder} is no folder")
        checked = {path.resolve() for path in leave_out}
        paths = sorted(path for path in folder.rglob("*") if path.is_file() and not _hidden(path, folder))
        paths = [path for path in paths if path.resolve() not in checked]
        if len(paths) > MOST_FILES:
            raise SettingError(f"--sources: {folder} holds {len(paths):,} files, and at most {MOST_FILES:,} are read")
        files, unread = [], []
        for path in paths:
            try:
                document = read_document(path)
            except InputError as error:
                unread.append(str(error))
            else:
                files.append(SourceFile(document))
                unread += document.unread
        if not files:
            raise SettingError(f"--sources: no file in {folder} can be read" + (f": {unread[0]}" if unread else ""))
        return cls(tuple(files), tuple(unread))

    def meant(self, reference: Reference) -> tuple[SourceFile, ...]:
        """Return the files that a citation means: by an id, else by its cite, else by its names or title. Empty where none is told."""
        fields = reference.fields
        for told in (_by_id, _by_cite, _by_name):
            if files := tuple(one for one in self.files if told(one, fields)):
                return files
        return ()


def folded(text: str) -> str:
    """Fold a text to its words, in single blanks, with a blank at either end so that whole words can be looked for."""
    return f" {' '.join(_WORD.findall(text.casefold()))} "


def _long_words(text: str) -> list[str]:
    return _LONG_WORD.findall(text.casefold())


def _hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith((".", "~$")) for part in path.relative_to(folder).parts)


def _by_id(one: SourceFile, fields: dict[str, str]) -> bool:
    return any(_stands(one, fields[name]) for name in _IDS if len(fields.get(name, "")) >= _LEAST_ID)


def _by_cite(one: SourceFile, fields: dict[str, str]) -> bool:
    parts = [fields.get(name, "") for name in ("volume", "reporter", "page")]
    cites = [" ".join(parts)] if all(parts) else []
    return any(_opens_with(one, cite) for cite in (*cites, *filter(None, fields.get("parallel", "").split("; "))))


def _by_name(one: SourceFile, fields: dict[str, str]) -> bool:
    left, right = fields.get("plaintiff", ""), fields.get("defendant", "")
    if not (left and right):
        left, _, right = fields.get("case_name", "").partition(" v. ")
    if left and right:
        return any(_is_caption(place, _names(left), _names(right)) for place in (one.stem, one.head[:_TITLE_PAGE]))
    title = folded(fields.get("title", "")).split()
    if len(title) >= _LEAST_TITLE and (_opens_with(one, " ".join(title)) or f" {' '.join(title[:6])} " in one.stem):
        return True
    surname = folded(fields.get("authors", "").split(";")[0].split(",")[0]).split()
    year = fields.get("year", "")
    return bool(surname and year) and surname[0] in one.stem and year in one.stem


def _is_caption(place: str, left: list[str], right: list[str]) -> bool:
    """Return whether the names of the two sides stand about a ``v``; a side of small words alone (a state) is let pass."""
    for versus in _VERSUS.finditer(place):
        before = place[max(0, versus.start() - _CAPTION_GAP) : versus.start() + 1]
        after = place[versus.end() - 1 : versus.end() + _CAPTION_GAP]
        told = [f" {names[0]} " in beside for names, beside in ((left, before), (right, after)) if names]
        if told and all(told):
            return True
    return False


def _names(side: str) -> list[str]:
    return [word for word in folded(side).split() if word not in _SMALL and len(word) > 1]


def _stands(one: SourceFile, words: str) -> bool:
    looked_for = folded(words)
    return looked_for in one.head or looked_for in one.stem


def _opens_with(one: SourceFile, words: str) -> bool:
    looked_for = folded(words)
    return looked_for in one.head[:_TITLE_PAGE] or looked_for in one.stem
