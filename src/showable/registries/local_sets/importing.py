"""Imports one file of known citations as a set: all of it that can be read, or nothing."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from pydantic_core import PydanticSerializationError

from showable.errors import InputError, SettingError
from showable.read.references.identifier_checks import doi_fault
from showable.records import Entry
from showable.registries.local_sets.cap_volume import entry_of_case, is_cap, volumes_of
from showable.registries.local_sets.citation_rows import fields_of_citation
from showable.registries.local_sets.columns import fields_of_row, known_columns
from showable.registries.local_sets.entry_keys import id_key
from showable.registries.local_sets.field_rows import KINDS, RowError, entry_of_fields
from showable.registries.local_sets.retraction_watch import HEADER, entry_of_retraction
from showable.registries.local_sets.row_files import (
    FORMS,
    Form,
    Row,
    csv_rows,
    form_of,
    json_rows,
    jsonl_rows,
    line_rows,
    sqlite_rows,
)
from showable.registries.local_sets.store import Described, Kept, SetAbout, SetStore

_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What is to be imported: the file, the set's name, and how to read it.

    `kind` overrides the kind of every row. `complete_for` are the kinds of which the file has every one there
    is, so that a miss proves something. `columns` maps a field to the column that holds it. `form` and
    `table` (of an SQLite database) are told from the file where they are None.
    """

    file: Path
    name: str
    kind: str | None = None
    complete_for: tuple[str, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    form: str | None = None
    table: str | None = None
    shown: str | None = None
    """What the file is called in messages, where it is read from a copy (standard input)."""

    @property
    def path(self) -> str:
        """The file's name as the user gave it."""
        return self.shown or str(self.file)

    def check(self) -> None:
        """Refuse what cannot be meant, before anything is read. Raises SettingError."""
        if not self.name.strip() or len(self.name) > _LONGEST_NAME or not self.name.isprintable():
            raise SettingError(f"--name: expected one line of 1 to {_LONGEST_NAME} characters")
        for flag, kinds in (("--kind", (self.kind,) if self.kind else ()), ("--complete-for", self.complete_for)):
            if unknown := [kind for kind in kinds if kind not in KINDS]:
                raise SettingError(f"{flag}: {unknown[0]!r} is none of {', '.join(sorted(KINDS))}")
        if self.form is not None and self.form not in FORMS:
            raise SettingError(f"--format: {self.form!r} is none of {', '.join(FORMS)}")
        known_columns(self.columns)


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of an import: what is now known of the set, and each row that was left out, with the reason."""

    about: SetAbout
    bad: tuple[InputError, ...]


def import_file(plan: ImportPlan, store: SetStore) -> Imported:
    """Import a file as a set, in place of the set of that name. The same file again changes nothing but the date.

    A bad row is left out and reported, unless the set is to be complete: a miss would then prove what was merely
    misread. Raises InputError and SettingError; nothing has changed then.
    """
    plan.check()
    form = _form(plan)
    reading = _Reading(plan, form)
    about = store.put(plan.name, reading.entries(), reading.describe)
    return Imported(about, tuple(reading.bad))


class _Reading:
    """One pass over a file, with what it counts."""

    def __init__(self, plan: ImportPlan, form: Form) -> None:
        self.plan, self.form = plan, form
        self.bad: list[InputError] = []
        self._kinds: Counter[str] = Counter()
        self._findable: set[str] = set()
        self._volumes: set[tuple[str, str]] = set()
        self._seen: set[bytes] = set()

    def entries(self) -> Iterator[Kept]:
        """Yield each entry once, whether or not it is there twice."""
        read = self._reader()
        try:
            for row in _rows(self.plan, self.form):
                kept = self._one(row, read)
                if kept is not None:
                    yield kept
        except UnicodeDecodeError as error:
            said = f"expected text in UTF-8: byte 0x{error.object[error.start]:02x}"
            raise InputError(said, path=self.plan.path) from None

    def describe(self) -> Described:
        """Return what was read. Raises InputError where it is nothing, or not all of a set that is to be complete."""
        plan = self.plan
        if fault := self._fault():
            raise InputError(fault, path=plan.path)
        about = SetAbout(
            name=plan.name,
            source=Path(plan.path).name or plan.path,
            form=self.form,
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            sha256=_fingerprint(plan.file),
            kinds=dict(sorted(self._kinds.items())),
            bad=len(self.bad),
            complete_for=tuple(sorted(set(plan.complete_for))),
            volumes=len(self._volumes),
        )
        return about, self._volumes

    def _fault(self) -> str | None:
        complete_for = self.plan.complete_for
        if not self._kinds:
            return f"no row of it can be imported; first: {self.bad[0]}" if self.bad else "there are no rows in it"
        if self.bad and complete_for:
            said = f"{len(self.bad)} rows cannot be read, so that it is not complete for {', '.join(complete_for)}"
            return f"{said}; first: {self.bad[0]}"
        absent = next((kind for kind in complete_for if kind not in self._findable), None)
        return (
            None
            if absent is None
            else f"--complete-for {absent}: it has none of that kind, so that all would be missing"
        )

    def _one(self, row: Row, read: Callable[[Row], Kept]) -> Kept | None:
        try:
            kept = read(row) if row.problem is None else None
            mark = _mark(kept) if kept else b""
            problem = row.problem
        except RowError as error:
            kept, problem = None, str(error)
        except PydanticSerializationError:
            kept, problem = None, "half a character (a lone surrogate), which cannot be kept as text"
        if kept is None:
            self.bad.append(InputError(problem or "cannot be read", path=self.plan.path, line=row.number))
            return None
        if self.form == "cap":
            self._volumes |= volumes_of([kept])
        if mark in self._seen:
            return None
        self._seen.add(mark)
        self._kinds[kept.kind] += 1
        self._findable |= {kept.kind, *(kind for kind, _ in kept.ids), *(["bibliographic"] if kept.entry.title else [])}
        return kept

    def _reader(self) -> Callable[[Row], Kept]:
        if self.form == "cap":
            return lambda row: entry_of_case(row.values, row.number)
        if self.form == "retraction-watch":
            return lambda row: entry_of_retraction(row.values, row.number)
        if self.form == "doi-list":
            return _listed_doi
        return lambda row: _of_row(row, self.plan)


def _rows(plan: ImportPlan, form: Form) -> Iterator[Row]:
    match form:
        case "csv" | "retraction-watch":
            return csv_rows(plan.file)
        case "json" | "cap":
            return json_rows(plan.file)
        case "jsonl":
            return jsonl_rows(plan.file)
        case "sqlite":
            return sqlite_rows(plan.file, plan.table)
        case "doi-list":
            return line_rows(plan.file)


def _form(plan: ImportPlan) -> Form:
    """Tell the form; a file that was named as CSV or JSON may still be one of the two that have a reader of their own."""
    found = form_of(plan.file) if plan.form is None else next(form for form in FORMS if form == plan.form)
    if found == "json" and plan.form is None:
        first = next((row.values for row in json_rows(plan.file)), None)
        return "cap" if is_cap([first]) else "json"
    if found == "retraction-watch" and plan.form is not None:
        first = next((row.values for row in csv_rows(plan.file) if row.values), {})
        if missing := sorted(HEADER - first.keys()):
            raise InputError(f"column {missing[0]}: missing", path=plan.path, line=1)
    return found


def _of_row(row: Row, plan: ImportPlan) -> Kept:
    kind, fields = fields_of_row(row.values, plan.columns)
    kind = plan.kind or kind
    cited = fields.pop("citation", "").strip()
    if cited:
        told, read = fields_of_citation(cited, kind)
        kind, fields = kind or told, {**read, **fields}
    return entry_of_fields(fields, kind, row.number)


def _listed_doi(row: Row) -> Kept:
    doi = id_key("doi", str(row.values))
    if fault := doi_fault(doi):
        raise RowError(f"doi: {str(row.values)[:60]!r}: {fault}")
    return Kept("doi", Entry(ids={"doi": doi}), (("doi", doi),), row.number)


def _mark(kept: Kept) -> bytes:
    same = f"{kept.kind}\x1f{kept.ids}\x1f{kept.entry.model_dump_json()}"
    return hashlib.sha256(same.encode("utf-8", "surrogatepass")).digest()


def _fingerprint(path: Path) -> str:
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def read_columns(pairs: Sequence[str]) -> dict[str, str]:
    """Read ``field=Column`` pairs. Raises SettingError naming the pair that is none."""
    columns: dict[str, str] = {}
    for pair in pairs:
        name, equals, column = pair.partition("=")
        if not equals or not name.strip() or not column.strip():
            raise SettingError(f"--column {pair!r}: expected FIELD=COLUMN, such as title=Title")
        columns[name.strip()] = column.strip()
    known_columns(columns)
    return columns
