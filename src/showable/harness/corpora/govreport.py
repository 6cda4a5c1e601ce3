"""GovReport (Huang et al. 2021, NAACL): long reports of two United States government research agencies, without questions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic import Field

from showable.errors import InputError
from showable.harness.corpora.archive import Member, members
from showable.harness.corpora.chunking import chunk, id_of
from showable.harness.corpora.corpus import Corpus
from showable.harness.corpora.labelled_rows import Published, parsed, shaped
from showable.records.record import Source

ADDRESS = "https://drive.usercontent.google.com/download?id=1ik8uUVeIU-ky63vlnvxtfN2ZN-TUeov2&export=download&confirm=t"
LICENCE = "CC BY 4.0"

_SPLIT = "test"
_ROWS = (".jsonl", ".jsonl.gz")


class _Section(Published):
    section_title: str = ""
    paragraphs: list[str] = Field(default_factory=list)
    subsections: list[_Section] = Field(default_factory=list)


class _Report(Published):
    """A report as released: `reports` is the body of one of the Congressional Research Service, `report` of one of the GAO."""

    id: str = Field(min_length=1)
    title: str | None = None
    url: str | None = None
    released_date: str | list[str] | None = None
    reports: _Section | None = None
    report: list[_Section] | None = None


class _Row(Published):
    """A report as a row of text, as it is published for summarising."""

    id: str = Field(min_length=1)
    document: str = Field(min_length=1)
    title: str | None = None


def read_govreport(path: Path) -> Corpus:
    """Read the released reports: the archive or its folder (``crs/``, ``gao/``, ``split_ids/``), a report's file, or rows.

    Where the release's own lists of splits are there, its test split is read: 973 reports, about 60,000 passages.
    Nothing is labelled: the summaries that come with the reports ask no question. Raises InputError.
    """
    lists = [file for file in members(path, _lists_the_split) if _lists_the_split(file.name)]
    chosen = {line for file in lists for line in file.data.decode("utf-8", "replace").split()}
    skipped: set[str] = set()

    def wanted(name: str) -> bool:
        if not name.endswith((".json", *_ROWS)):
            return False
        if chosen and PurePosixPath(name).stem not in chosen:
            skipped.add(name)
            return False
        return True

    sources: list[Source] = []
    count = 0
    for file in members(path, wanted):
        sources += _passages(file)
        count += 1
    if not sources:
        raise InputError("holds no reports", path=str(path))
    notes = (f"the {_SPLIT} split is read: {count} reports; {len(skipped)} of other splits are not",) if skipped else ()
    return Corpus(name="govreport", origin=str(path), licence=LICENCE, sources=tuple(sources), notes=notes)


def _lists_the_split(name: str) -> bool:
    return name.endswith(f"_{_SPLIT}.ids")


def _passages(file: Member) -> Iterator[Source]:
    if file.name.endswith(_ROWS):
        for number, line in enumerate(file.data.split(b"\n"), start=1):
            if line.strip():
                row = shaped(parsed(line, file.shown, number), _Row, file.shown, number)
                yield from chunk(id_of(row.id), row.document, title=row.title)
        return
    value: Any = parsed(file.data, file.shown)
    report = shaped(value, _Report, file.shown)
    sections = [report.reports] if report.reports is not None else report.report
    if sections is None:
        raise InputError("expected the body of a report in `reports` or `report`", path=file.shown)
    text = "\n\n".join(part for section in sections for part in _parts(section))
    if not text:
        raise InputError("the report is empty", path=file.shown)
    dated = "; ".join(report.released_date) if isinstance(report.released_date, list) else report.released_date
    told = {"released": dated} if dated else {}
    yield from chunk(id_of(report.id), text, title=report.title, url=report.url, metadata=told)


def _parts(section: _Section) -> Iterator[str]:
    """Yield a section's title and paragraphs, then those of the sections in it, as they are printed."""
    yield from (part for part in (section.section_title.strip(), *map(str.strip, section.paragraphs)) if part)
    for inner in section.subsections:
        yield from _parts(inner)
