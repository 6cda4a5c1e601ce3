"""EDGAR-CORPUS (Loukas et al. 2021, ECONLP): annual reports of companies by their items, without the tables."""

from __future__ import annotations

from pathlib import Path

from pydantic import ConfigDict, Field

from showable.errors import InputError
from showable.harness.corpora.chunking import chunk, id_of
from showable.harness.corpora.labelled_rows import Published, parsed, read_bytes, shaped
from showable.records.record import Source

ENDINGS = (".jsonl", ".jsonl.gz", ".json")
_SECTION = "section_"


class _Report(Published):
    """A report; ``section_1``, ``section_1A`` … hold the text of its items, in the order of the row."""

    model_config = ConfigDict(extra="allow")

    filename: str = Field(min_length=1)
    cik: str
    year: str


def read_reports(path: Path) -> list[Source]:
    """Read rows of reports (JSON Lines, or one report as JSON). Raises InputError with the line and field."""
    data = read_bytes(path)
    if path.suffix == ".json":
        return _passages(shaped(parsed(data, str(path)), _Report, str(path)), str(path), None)
    return [
        source
        for number, line in enumerate(data.split(b"\n"), start=1)
        if line.strip()
        for source in _passages(shaped(parsed(line, str(path), number), _Report, str(path), number), str(path), number)
    ]


def _passages(report: _Report, path: str, line: int | None) -> list[Source]:
    parts = []
    for name, text in (report.model_extra or {}).items():
        if not name.startswith(_SECTION):
            continue
        if not isinstance(text, str):
            raise InputError("expected a string", path=path, line=line, field=name)
        if text.strip():
            parts.append(f"Item {name.removeprefix(_SECTION)}\n\n{text.strip()}")
    if not parts:
        raise InputError("expected the text of an item in section_1, section_1A …", path=path, line=line)
    title = f"{Path(report.filename).stem.replace('_', ' ')}, 10-K"
    told = {"cik": report.cik, "year": report.year}
    return chunk(id_of(report.filename), "\n\n".join(parts), title=title, metadata=told)
