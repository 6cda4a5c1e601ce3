"""Inspect's ``.eval`` files: zip archives with one file a sample, read one sample at a time, within limits."""

from __future__ import annotations

import copy
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from showable.converters.json_text import JsonError, decode, parse_json
from showable.errors import InputError
from showable.records.lines import plain_name

LARGEST_MEMBER = 256 << 20
"""Bytes of one sample, unpacked; a larger one is refused before, and while, it is unpacked."""
LARGEST_RATIO = 1000
SMALLEST_BOMB = 256 << 20
"""An archive of more bytes than this, unpacked, is refused where it is packed more than a thousandfold: no log is."""
NO_ZSTANDARD = (
    "packed with Zstandard, which this Python cannot unpack: install the package zstandard (or backports.zstd), "
    "or write the log as JSON (inspect log convert FILE --to json --output-dir DIR)"
)

_ZSTANDARD = 93
_STARTS = ("header.json", "_journal/start.json")
"""One of them is in every log: the second alone in one that is still being written."""
_DAMAGED = (BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError)


def read_archive(path: Path) -> tuple[Mapping[str, Any], Iterator[tuple[str, Any]]] | None:
    """Return the header of a log, and its samples with their names; None where the archive is no log.

    Raises InputError where it is damaged, packed as no log is, or packed in a way that cannot be read here.
    """
    try:
        with ZipFile(path) as archive:
            # Of two members with one name the later one counts: so Inspect replaces a sample.
            members = {info.filename: info for info in archive.infolist()}
            start = next((members[name] for name in _STARTS if name in members), None)
            if start is None:
                return None
            _refuse_bomb(path, members)
            header = _parsed(archive, start)
    except _DAMAGED as error:
        raise InputError(f"no zip archive that can be read: {error}", path=str(path)) from None
    samples = [info for name, info in members.items() if name.startswith("samples/") and name.endswith(".json")]
    return (header if isinstance(header, Mapping) else {}), _samples(path, samples)


def _refuse_bomb(path: Path, members: Mapping[str, ZipInfo]) -> None:
    total = sum(info.file_size for info in members.values())
    if total > SMALLEST_BOMB and total > LARGEST_RATIO * path.stat().st_size:
        raise InputError("refused: packed more than a thousandfold, as zip bombs are", path=str(path))


def _samples(path: Path, members: list[ZipInfo]) -> Iterator[tuple[str, Any]]:
    with ZipFile(path) as archive:
        for info in members:
            yield plain_name(info.filename), _parsed(archive, info)


def _parsed(archive: ZipFile, info: ZipInfo) -> Any:
    name = plain_name(info.filename)
    try:
        return parse_json(decode(_unpacked(archive, info)))
    except JsonError as error:
        raise InputError(error.told(), path=str(archive.filename), field=name) from None
    except NotImplementedError:
        raise InputError(
            f"packed by method {info.compress_type}, which this Python cannot unpack",
            path=str(archive.filename),
            field=name,
        ) from None
    except _DAMAGED as error:
        raise InputError(f"damaged: {error}", path=str(archive.filename), field=name) from None


def _unpacked(archive: ZipFile, info: ZipInfo) -> bytes:
    """Unpack a member, and never more of it than is allowed, whatever size it declares."""
    raw = None if info.file_size > LARGEST_MEMBER else _read(archive, info)
    if raw is None or len(raw) > LARGEST_MEMBER:
        said = f"larger than {LARGEST_MEMBER >> 20} MiB when unpacked"
        raise InputError(said, path=str(archive.filename), field=plain_name(info.filename))
    return raw


def _read(archive: ZipFile, info: ZipInfo) -> bytes:
    try:
        with archive.open(info) as stream:
            return stream.read(LARGEST_MEMBER + 1)
    except NotImplementedError:
        if info.compress_type != _ZSTANDARD:
            raise
        return _read_zstandard(archive, info)


def _read_zstandard(archive: ZipFile, info: ZipInfo) -> bytes:
    """Unpack Zstandard, which Inspect writes by now and `zipfile` knows from Python 3.14, with a package that knows it."""
    packed = copy.copy(info)
    packed.compress_type, packed.file_size = ZIP_STORED, info.compress_size
    packed.CRC = None  # type: ignore[assignment] # the sum is that of the unpacked bytes: checked below
    with archive.open(packed) as stored:
        unpacking = _unpacking(stored)
        try:
            raw: bytes = unpacking.read(LARGEST_MEMBER + 1)
        except _DAMAGED:
            raise
        except Exception as error:  # noqa: BLE001 - each package has an error of its own
            raise BadZipFile(str(error)) from None
    if len(raw) <= LARGEST_MEMBER and zlib.crc32(raw) != info.CRC:
        raise BadZipFile("the check sum is wrong")
    return raw


_UNPACKING: dict[str, Callable[[Any, IO[bytes]], Any]] = {
    "zstandard": lambda package, stored: package.ZstdDecompressor().stream_reader(stored, read_across_frames=True),
    "backports.zstd": lambda package, stored: package.ZstdFile(stored),
}


def _unpacking(stored: IO[bytes]) -> Any:
    """Open packed bytes with the first package that is installed. Raises InputError where none is."""
    for package, unpacking in _UNPACKING.items():
        with suppress(ImportError):
            return unpacking(import_module(package), stored)
    raise InputError(NO_ZSTANDARD)
