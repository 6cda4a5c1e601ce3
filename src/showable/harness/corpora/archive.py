"""The files of a published data set as they were downloaded: one file, a folder, a zip or a tar archive."""

from __future__ import annotations

import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from showable.errors import InputError
from showable.harness.corpora.labelled_rows import read_bytes

CHECKSUMS = "checksums.json"
"""What is written beside downloaded files; it is no file of the data set."""
_LARGEST = 1_000_000_000
"""Bytes of one unpacked file of an archive."""
_DAMAGE = (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, NotImplementedError, RuntimeError)


@dataclass(frozen=True, slots=True)
class Member:
    """A file: its name within the folder or archive, how messages call it, and its bytes."""

    name: str
    shown: str
    data: bytes


def members(path: Path, wanted: Callable[[str], bool]) -> Iterator[Member]:
    """Yield the files whose name within the folder or archive is `wanted`, in the order of their names.

    A single file is given whatever it is called. Raises InputError where the path is missing or damaged.
    """
    if not path.exists():
        raise InputError("no such file or folder", path=str(path))
    if path.is_dir():
        names = {
            file.relative_to(path).as_posix(): file
            for file in path.rglob("*")
            if file.is_file() and file.name != CHECKSUMS
        }
        for name in sorted(filter(wanted, names)):
            yield Member(name, str(names[name]), read_bytes(names[name]))
    elif zipfile.is_zipfile(path):
        yield from _unpacked(path, wanted, _of_zip)
    elif tarfile.is_tarfile(path):
        yield from _unpacked(path, wanted, _of_tar)
    else:
        yield Member(path.name, str(path), read_bytes(path))


def _unpacked(
    path: Path,
    wanted: Callable[[str], bool],
    files: Callable[[Path, Callable[[str], bool]], Iterator[tuple[str, bytes]]],
) -> Iterator[Member]:
    try:
        for name, data in files(path, wanted):
            if len(data) > _LARGEST:
                raise InputError(f"holds {name}, of more than {_LARGEST // 1_000_000} MB", path=str(path))
            yield Member(name, f"{path}/{name}", data)
    except _DAMAGE as error:
        raise InputError(f"is a damaged archive: {error}", path=str(path)) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=str(path)) from None


def _of_zip(path: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(path) as archive:
        for name in sorted(filter(wanted, archive.namelist())):
            with archive.open(name) as member:
                yield name, member.read(_LARGEST + 1)


def _of_tar(path: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    """Read a tar archive in one go, then in the order of names: going back in a compressed one means reading it again."""
    found: dict[str, bytes] = {}
    with tarfile.open(path) as archive:
        for member in archive:
            if member.isfile() and wanted(member.name) and (held := archive.extractfile(member)) is not None:
                found[member.name] = held.read(_LARGEST + 1)
    yield from sorted(found.items())
