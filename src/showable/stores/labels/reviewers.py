"""The people who label: one name, one role. A name is the same however its letters are cased."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import cast

from showable.records.labels import ROLES, ReviewerRole
from showable.stores.labels.label_file import LabelFile, RefusedLabelError, now, written

_NAME = re.compile(r"[^\s|,][^|,\r\n]{0,59}")


@dataclass(frozen=True, slots=True)
class Reviewer:
    """One person who labels: the name as first given, the role, and since when (UTC)."""

    name: str
    role: ReviewerRole
    since: str


def all_reviewers(file: LabelFile) -> list[Reviewer]:
    """Return everybody who labels here, in the order in which they came."""
    return [_of(row) for row in file.rows("SELECT name, role, since FROM reviewers ORDER BY since, key")]


def enter(file: LabelFile, name: str, role: str) -> Reviewer:
    """Take in a person, or know them again. Raises SettingError for a bad name, and for a second role."""
    name = _checked(name)
    if role not in ROLES:
        raise RefusedLabelError(f"expected one of {', '.join(ROLES)}, got {role[:40]!r}", "role")
    with file.writing():
        known = _known(file, name)
        if known is None:
            known = Reviewer(name, role, written(now()))
            file.write("INSERT INTO reviewers VALUES (?, ?, ?, ?)", (_key(name), name, role, known.since))
    if known.role != role:
        said = f"{known.name} labels here as {known.role}, not as {role}; take another name for another role"
        raise RefusedLabelError(said, "role")
    return known


def must_agree(file: LabelFile, name: str, role: ReviewerRole) -> None:
    """Take in a label's reviewer. Raises SettingError where the name stands here in another role or spelling."""
    known = enter(file, name, role)
    if known.name != name:
        said = f"{name!r} is written {known.name!r} here; names that differ by case alone are one person"
        raise RefusedLabelError(said, "reviewer")


def _known(file: LabelFile, name: str) -> Reviewer | None:
    row = file.first("SELECT name, role, since FROM reviewers WHERE key=?", (_key(name),))
    return None if row is None else _of(row)


def _of(row: tuple[str, str, str]) -> Reviewer:
    return Reviewer(row[0], cast("ReviewerRole", row[1]), row[2])


def _key(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def _checked(name: str) -> str:
    name = unicodedata.normalize("NFC", name.strip())
    if not _NAME.fullmatch(name) or not name.isprintable():
        raise RefusedLabelError(f"expected 1 to 60 characters without commas and bars, got {name[:60]!r}", "name")
    return name
