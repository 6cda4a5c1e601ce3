"""A file of records: what it holds, line by line, and what is wrong with it, before anything is scored."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from showable.errors import InputError
from showable.records.lines import Line, read_lines
from showable.records.record import Record

_KEPT_PROBLEMS = 20


@dataclass(slots=True)
class FileCheck:
    """How many records a file holds, a fingerprint of its bytes, and its problems (the first few in full).

    `name` is what the file is called towards people: `-` for standard input, wherever it was put by. `profiles`
    counts the records by the profile that they name, `named` those whose id was made from their line.
    """

    path: Path
    name: str = ""
    records: int = 0
    rejected: int = 0
    fingerprint: str = ""
    problems: list[InputError] = field(default_factory=list)
    profiles: Counter[str | None] = field(default_factory=Counter)
    named: int = 0


def read_record_lines(path: Path) -> Iterator[Line[Record]]:
    """Yield every line as a Record or as its problem; an id that was seen before is a problem too.

    A Record without an id is called by its line: ``line-7``.
    """
    first_seen: dict[int, int] = {}
    for line in read_lines(path, Record, naming=True):
        if line.value is not None:
            key = _key(line.value.id)
            if key in first_seen:
                said = f"{line.value.id!r} stands on line {first_seen[key]} already"
                yield Line(line.number, None, InputError(said, path=str(path), line=line.number, field="id"))
                continue
            first_seen[key] = line.number
        yield line


def check_record_file(path: Path, name: str | None = None) -> FileCheck:
    """Read the whole file once, so that a mistake on its last line is known before the first judge call.

    Raises InputError where it cannot be opened or holds no line at all.
    """
    check = FileCheck(path, name or str(path))
    for line in read_record_lines(path):
        if line.problem is None:
            check.records += 1
            check.named += line.named
            check.profiles[line.value.profile if line.value else None] += 1
            continue
        check.rejected += 1
        if len(check.problems) < _KEPT_PROBLEMS:
            found = line.problem
            check.problems.append(InputError(found.message, path=check.name, line=found.line, field=found.field))
    if not check.records and not check.rejected:
        raise InputError("holds no records", path=check.name)
    with path.open("rb") as handle:
        check.fingerprint = hashlib.file_digest(handle, "sha256").hexdigest()[:16]
    return check


def _key(record_id: str) -> int:
    """Keep 8 bytes an id: a million records fit, and two ids share a key once in 10^13."""
    return int.from_bytes(hashlib.blake2b(record_id.encode(), digest_size=8).digest())
