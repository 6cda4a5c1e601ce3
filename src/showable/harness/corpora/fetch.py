"""Download a published corpus once, and hold every later opening to the checksum recorded then."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from showable.errors import InputError, SettingError
from showable.former_name import user_folder
from showable.harness.corpora.archive import CHECKSUMS
from showable.harness.corpora.published import File, Release
from showable.registries.settings import settings_from
from showable.registries.web.asking import Pace, TroubleError, Web
from showable.registries.web.client import SafeNetwork, agent_of
from showable.registries.web.limits import Limits

_OK = 200
_SECONDS = 900.0
_BEGINS: Mapping[str, re.Pattern[bytes]] = {
    "zip": re.compile(rb"PK\x03\x04"),
    "gzip": re.compile(rb"\x1f\x8b"),
    "json": re.compile(rb"(?:\xef\xbb\xbf)?\s*[\[{]"),
    "jsonl": re.compile(rb"(?:\xef\xbb\xbf)?\s*\{"),
    "submission": re.compile(rb"\s*(?:<SEC-|<IMS-|-----BEGIN PRIVACY)"),
}


@dataclass(frozen=True, slots=True)
class Fetched:
    """Where the files are (the file itself where there is one, else their folder), and what to tell of them."""

    path: Path
    notes: tuple[str, ...]


def fetched(published: Release, *, fetch: bool = True, folder: Path | None = None, web: Web | None = None) -> Fetched:
    """Return a corpus's files from the cache, downloaded where they are not in it and `fetch` allows it.

    Raises InputError where a file cannot be had, or is not the one that was downloaded first (it names the file, the
    checksum expected and the one found); SettingError where its host wants a mail address and none is set.
    """
    folder = folder or cache_folder() / published.name
    known = _recorded(folder)
    missing = [file for file in published.files if file.name not in known or not (folder / file.name).exists()]
    for file in published.files:
        if file not in missing:
            _agree(folder / file.name, known[file.name]["sha256"], _digest(folder / file.name))
    if missing and not fetch:
        raise InputError(f"is not in the cache: give a path, {published.name}:PATH", path=str(folder / missing[0].name))
    if missing:
        asyncio.run(_download(published, missing, folder, web))
    here = folder / published.files[0].name if len(published.files) == 1 else folder
    said = f"downloaded from {published.address}" if missing else f"from the cache, checksum as recorded: {here}"
    return Fetched(here, (said, f"licence: {published.shown}"))


def cache_folder() -> Path:
    """Return where downloaded corpora are kept: once a user."""
    return user_folder(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")) / "corpora"


def safe_web(published: Release) -> Web:
    """Make the way out: public addresses alone, retried, and under the user's mail address where one is set."""
    settings = settings_from(os.environ)
    if published.contact and not settings.mailto:
        raise SettingError(
            f"{published.name}: its host answers only who gives a mail address: set SHOWABLE_MAILTO, or give a path, "
            f"{published.name}:PATH"
        )
    limits = Limits(connect_s=15.0, read_s=60.0, total_s=_SECONDS, patience_s=_SECONDS)
    network = SafeNetwork(limits=limits, agent=agent_of(settings), keep_alive=False)
    return network.bind(published.name, Pace(per_second=2))


async def _download(published: Release, files: list[File], folder: Path, web: Web | None) -> None:
    way = web or safe_web(published)
    try:
        for file in files:
            _keep(folder, file, await _ask(way, published, file))
    finally:
        if (close := getattr(way, "aclose", None)) is not None:
            await close()


async def _ask(web: Web, published: Release, file: File) -> bytes:
    instead = f"give a path instead, {published.name}:PATH"
    try:
        reply = await web.ask("GET", file.address, largest=file.largest)
    except TroubleError as error:
        raise InputError(f"cannot be downloaded: {error}; {instead}", path=file.address) from None
    if reply.status != _OK:
        raise InputError(f"cannot be downloaded: status {reply.status}; {instead}", path=file.address)
    if not _BEGINS[file.kind].match(reply.body):
        raise InputError(f"gave no {file.kind} file but {reply.body[:40]!r}; {instead}", path=file.address)
    return reply.body


def _keep(folder: Path, file: File, data: bytes) -> None:
    """Write a file, whole or not at all, then its checksum; a file without a checksum counts as not there."""
    found = hashlib.sha256(data).hexdigest()
    known = _recorded(folder)
    if file.name in known:
        _agree(folder / file.name, known[file.name]["sha256"], found, f"as {file.address} gives it now, ")
    entry = {
        "address": file.address,
        "sha256": found,
        "bytes": len(data),
        "downloaded": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder / file.name, data)
        _write(folder / CHECKSUMS, (json.dumps({**known, file.name: entry}, indent=2) + "\n").encode())
    except OSError as error:
        raise SettingError(f"{folder}: cannot be written: {error.strerror or error}") from None


def _write(path: Path, data: bytes) -> None:
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        partial.write_bytes(data)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _recorded(folder: Path) -> dict[str, dict[str, Any]]:
    path = folder / CHECKSUMS
    try:
        known = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"cannot be read ({error}): remove this folder to download anew", path=str(path)) from None
    if not isinstance(known, dict) or not all(
        isinstance(entry, dict) and isinstance(entry.get("sha256"), str) for entry in known.values()
    ):
        raise InputError("holds no checksums: remove this folder to download anew", path=str(path))
    return known


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=str(path)) from None


def _agree(path: Path, expected: str, found: str, whose: str = "") -> None:
    if found != expected:
        raise InputError(
            f"{whose}is not the file that was downloaded first: expected sha256 {expected}, found {found}; "
            f"to accept it, remove {path.parent}",
            path=str(path),
        )
