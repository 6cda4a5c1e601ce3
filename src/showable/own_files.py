"""Files that are ours: links in them are not followed, and what holds people's questions is for its owner alone."""

from __future__ import annotations

import errno
import os
import secrets
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any


def open_regular(path: Path, mode: str, **options: Any) -> IO[Any]:
    """Open a file of ours as `open` does. Raises OSError for a link, a pipe or a device, none of which we make."""
    return open(path, mode, opener=_regular, **options)


def _regular(path: str, flags: int) -> int:
    try:
        handle = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)  # a pipe without a reader would block
    except OSError as error:
        if error.errno not in {errno.ELOOP, errno.ENXIO}:
            raise
        said = "is a link, which is not followed" if error.errno == errno.ELOOP else "is no regular file"
        raise OSError(error.errno, f"{Path(path).name} {said}", path) from None
    held = os.fstat(handle)
    another_name = held.st_nlink > 1 and flags & (os.O_WRONLY | os.O_RDWR)
    if another_name or not stat.S_ISREG(held.st_mode):
        os.close(handle)
        said = "has another name (a hard link), and is not written" if another_name else "is no regular file"
        raise OSError(errno.EINVAL, f"{Path(path).name} {said}", path)
    return handle


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Write a file beside another and put it in its place at the end, so that no reader sees half of it.

    Its name cannot be known before, and it is made anew: nothing can have been put in its way. A link is replaced.
    """
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(8)}.new")
    try:
        with fresh.open("xb") as handle:
            yield handle
            handle.flush()
            os.fsync(handle.fileno())
        fresh.replace(path)
    except BaseException:
        with suppress(OSError):
            fresh.unlink()
        raise


def read_regular(path: Path) -> bytes:
    """Return what a file of ours holds. Raises OSError as `open_regular` does."""
    with open_regular(path, "rb") as handle:
        return bytes(handle.read())


def make_folder(path: Path) -> None:
    """Build a folder, and those above it, that its owner alone may enter; one that is there stays as it is."""
    with suppress(FileExistsError):
        if not path.parent.exists():
            make_folder(path.parent)
        path.mkdir(mode=0o700)


def open_database(path: Path, busy_s: float) -> sqlite3.Connection:
    """Open a SQLite file, or make one that its owner alone may read. Raises OSError, ValueError or sqlite3.Error."""
    path = path.absolute()  # `:memory:` is a file like any other here, and not SQLite's word for none
    make_folder(path.parent)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))  # SQLite makes its journals alike
    return sqlite3.connect(path, timeout=busy_s, isolation_level=None, check_same_thread=False)


def distrust(connection: sqlite3.Connection) -> None:
    """Raise sqlite3.DatabaseError where a file has code in it: views, triggers and virtual tables, of which we make none."""
    connection.execute("PRAGMA trusted_schema=OFF")
    found = connection.execute(
        "SELECT type FROM sqlite_master WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%' LIMIT 1"
    ).fetchone()
    if found is not None:
        kind = "virtual table" if found[0] == "table" else str(found[0])[:20]
        raise sqlite3.DatabaseError(f"it holds a {kind}, and showable makes none")
