"""A folder of documents, or one file of them, as a corpus."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from showable.documents.document import Document
from showable.documents.read import read_document
from showable.errors import InputError
from showable.harness.corpora.chunking import chunk, id_of
from showable.harness.corpora.corpus import Corpus
from showable.harness.corpora.labelled_rows import read_bytes
from showable.harness.corpora.passage_rows import sources_in
from showable.records.record import Source

_ROWS = (".jsonl", ".jsonl.gz", ".ndjson")
_DOCUMENTS = (".txt", ".text", ".md", ".markdown", ".html", ".htm", ".xhtml", ".pdf", ".docx")
_KINDS = "txt, md, html, pdf, docx, jsonl"
_HEADING = re.compile(r"^#\s+(\S.*?)\s*#*\s*$", re.MULTILINE)


def read_folder(path: Path) -> Corpus:
    """Read a folder (with its folders, hidden ones left out, in the order of their names) or one file.

    A document's id is its path within the folder. Files of other kinds, or that cannot be read, are named in `notes`
    with the reason. Raises InputError where the path is missing, or nothing in it can be read.
    """
    if not path.exists():
        raise InputError("no such file or folder", path=str(path))
    read = _Reading()
    if path.is_dir():
        for file in _files(path, read.notes):
            read.try_file(file, id_of(_name(file.relative_to(path).as_posix())))
    else:
        read.file(path, id_of(_name(path.name)))
    if not read.sources:
        raise InputError(read.nothing(), path=str(path))
    return Corpus(
        name=_on_a_line(_name(path.resolve().name)),
        origin=str(path),
        licence="the folder's own; not stated",
        sources=tuple(read.sources),
        notes=tuple(read.told()),
    )


class _Reading:
    """What has been read so far, and what could not be."""

    def __init__(self) -> None:
        self.sources: list[Source] = []
        self.notes: list[str] = []
        self.left_out: list[str] = []
        self.count = 0
        self._seen: dict[str, Path] = {}

    def try_file(self, path: Path, name: str) -> None:
        """Read a file of a folder; one that cannot be read is noted."""
        self.count += 1
        if path.exists() and not path.is_file():  # reading a pipe waits for ever
            self.left_out.append(f"{path}: is no file (a pipe, a device?)")
            return
        try:
            self.file(path, name)
        except InputError as error:
            self.left_out.append(str(error))

    def file(self, path: Path, name: str) -> None:
        """Read a file. Raises InputError, and then nothing of it is kept."""
        sources, notes = _read_file(path, name)
        if not sources:
            raise InputError("holds nothing", path=str(path))
        within: set[str] = set()
        for source in sources:
            there = path if source.source_id in within else self._seen.get(source.source_id)
            if there is not None:
                raise InputError(f"the id {source.source_id!r} stands twice, also in {there}", path=str(path))
            within.add(source.source_id)
        self._seen.update(dict.fromkeys(within, path))
        self.sources.extend(sources)
        self.notes.extend(notes)

    def told(self) -> Iterator[str]:
        """Yield what a reader of the corpus should know."""
        if self.left_out:
            yield f"{len(self.left_out)} of {self.count} files left out:"
            yield from (f"left out: {said}" for said in self.left_out)
        yield from self.notes

    def nothing(self) -> str:
        """Return why there is nothing."""
        if not self.count:
            why = f"; {self.notes[0]}" if self.notes else ""
            return f"no documents in this folder (read are {_KINDS}; hidden files are not){why}"
        first, *others = self.left_out
        more = f" (and {len(others)} more)" if others else ""
        return f"none of {self.count} files could be read: {first}{more}"


def _read_file(path: Path, name: str) -> tuple[list[Source], list[str]]:
    ending = path.name.casefold()
    if ending.endswith(_ROWS):
        return sources_in(str(path), read_bytes(path)), []
    if path.suffix and not ending.endswith(_DOCUMENTS):
        raise InputError(f"is called {path.suffix}, and read are {_KINDS}", path=str(path))
    document = read_document(path)
    return _passages(document, name, path), [*document.unread, *document.notes]


def _passages(document: Document, name: str, path: Path) -> list[Source]:
    paged = any(mark.page is not None for mark in document.marks)
    pages: Callable[[int], int | None] | None = (lambda offset: document.place(offset).page) if paged else None
    heading = _HEADING.search(document.text) if document.format == "markdown" else None
    title = heading[1] if heading else _name(path.stem)
    return chunk(name, document.text, title=title, pages=pages, metadata={"file": _name(path.name)})


def _name(of_file: str) -> str:
    """Write a name as text: the bytes of a name need not be UTF-8, and no file of text could hold them then."""
    return os.fsencode(of_file).decode("utf-8", "replace")


def _on_a_line(name: str) -> str:
    """Make a name that stands in a signature, which is one line of fields between bars."""
    return "".join("_" if sign == "|" or not sign.isprintable() else sign for sign in name)


def _files(folder: Path, notes: list[str]) -> Iterator[Path]:
    """Yield the files, and note the folders that are not gone into: one that cannot be read, a link (it may lead in a circle)."""

    def unread(error: OSError) -> None:
        notes.append(f"{error.filename}: this folder cannot be read: {error.strerror or error}")

    for place, folders, files in os.walk(folder, onerror=unread):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        links = [path for name in folders if (path := Path(place) / name).is_symlink()]
        notes += [f"{path}: is a link to a folder, and is not followed" for path in links]
        yield from (Path(place) / name for name in sorted(files) if not name.startswith("."))
