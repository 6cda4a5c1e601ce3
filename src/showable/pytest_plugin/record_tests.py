"""The marker: one test a record of a file. A line or a row that is no record is one test that says so."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from showable.records.record import Record

MARKER = "showable_records"


class HeldLine:
    """One line of a file, by where it begins: the record is read when its test runs, so a large file is never held.

    `problem` stands in place of what is no record; `record` in place of what had to be read with the whole file.
    """

    __slots__ = ("number", "offset", "path", "problem", "record")

    def __init__(
        self, path: Path, number: int, offset: int = 0, *, problem: str | None = None, record: Record | None = None
    ) -> None:
        self.path, self.number, self.offset, self.problem, self.record = path, number, offset, problem, record

    def read(self) -> Record:
        """Return the record. Fails the test with file, line and field where it is none, or has changed meanwhile."""
        if self.record is not None:
            return self.record
        if self.problem is not None:
            pytest.fail(self.problem, pytrace=False)
        from showable.pytest_plugin.record_lines import read_at  # noqa: PLC0415 - loads pydantic

        return read_at(self.path, self.number, self.offset)


def parametrize_records(metafunc: pytest.Metafunc) -> None:
    """Parametrise a test that bears the marker, itself or through its class or module. Several markers are several files."""
    files: dict[str, list[Path]] = {}
    for marker in _closest(metafunc.definition):
        given, argname = _read_marker(marker.args, marker.kwargs, metafunc.definition.nodeid)
        named, path = files.setdefault(argname, []), _find(given, metafunc)
        if path not in named:
            named.append(path)
    for argname, paths in files.items():
        _parametrize(metafunc, argname, paths)


def _closest(definition: pytest.Item) -> list[pytest.Mark]:
    """Return all markers of what bears any and is closest to the test: itself, its class or its module."""
    found = list(definition.iter_markers_with_node(MARKER))
    return [marker for node, marker in found if node is found[0][0]]


def _parametrize(metafunc: pytest.Metafunc, argname: str, paths: list[Path]) -> None:
    if argname not in metafunc.fixturenames:
        if any(mark.name == MARKER for mark in metafunc.definition.own_markers):
            pytest.fail(
                f"{metafunc.definition.nodeid}: {MARKER} gives {argname!r}, which is no argument", pytrace=False
            )
        return  # a class or a module may hold tests of other things
    from showable.pytest_plugin.record_lines import held_in_files  # noqa: PLC0415 - loads pydantic

    found = held_in_files(paths, metafunc.config)
    metafunc.parametrize(argname, [line for _, line in found], ids=[name for name, _ in found])


def _read_marker(args: tuple[Any, ...], kwargs: Mapping[str, Any], where: str) -> tuple[str, str]:
    """Take a marker apart. Raises a collection error that says how it is written."""
    named = dict(kwargs)
    path, argname = (
        [*args, *([named.pop("path")] if "path" in named and not args else [])],
        named.pop("argname", "record"),
    )
    if len(path) != 1 or named or not isinstance(argname, str) or not isinstance(path[0], str | Path):
        written = f'@pytest.mark.{MARKER}("answers.jsonl", argname="record")'
        pytest.fail(
            f"{where}: {MARKER} takes the path of one file, and may name the argument: {written}", pytrace=False
        )
    return str(path[0]), argname


def _find(given: str, metafunc: pytest.Metafunc) -> Path:
    """Look for a file beside the test, then in the root directory; where it is in neither, it is missing beside the test."""
    beside = metafunc.definition.path.parent / given
    at_root = metafunc.config.rootpath / given
    return at_root if at_root.exists() and not beside.exists() else beside
