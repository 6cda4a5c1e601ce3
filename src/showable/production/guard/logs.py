"""Retrieval logs that an application puts before it asks: kept for minutes, shared by the workers through a folder."""

from __future__ import annotations

import hashlib
import os
import time
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path

import orjson

from showable.production.guard.retrieval import GivenLog, read_given

KEPT_S = 15 * 60
LARGEST = 20 * 1024 * 1024
_IN_MEMORY = 256


class LogStore:
    """Logs by tenant and id, a file each in a folder that all workers of a guard share.

    A log that is put again under its id replaces the first, and its time begins anew. Those read last stay in memory.
    """

    def __init__(self, folder: Path, kept_s: float = KEPT_S) -> None:
        self._folder, self._kept_s = folder, kept_s
        self._memory: OrderedDict[str, tuple[float, GivenLog]] = OrderedDict()

    def put(self, tenant: str, log_id: str, body: bytes) -> None:
        """Keep a log. Raises BadRequestError where it is none, ValueError where it is no JSON."""
        read_given(orjson.loads(body), "log")
        path = self._folder / _key(tenant, log_id)
        draft = path.with_suffix(f".{os.getpid()}")
        draft.write_bytes(body)
        draft.replace(path)

    def get(self, tenant: str, log_id: str) -> GivenLog | None:
        """Return a log that is still kept, None where there is none."""
        key = _key(tenant, log_id)
        try:
            written = (self._folder / key).stat().st_mtime
            if time.time() - written >= self._kept_s:
                return None
            kept = self._memory.get(key)
            if kept is None or kept[0] != written:
                kept = written, read_given(orjson.loads((self._folder / key).read_bytes()), "log")
                self._memory[key] = kept
                while len(self._memory) > _IN_MEMORY:
                    self._memory.popitem(last=False)
        except FileNotFoundError:
            return None
        return kept[1]

    def forget_old(self) -> None:
        """Remove what is no longer kept."""
        now = time.time()
        for key in [key for key, (written, _) in self._memory.items() if now - written >= self._kept_s]:
            del self._memory[key]
        for path in self._folder.iterdir():
            with suppress(FileNotFoundError):  # another worker may be quicker
                if now - path.stat().st_mtime >= self._kept_s:
                    path.unlink()


def _key(tenant: str, log_id: str) -> str:
    return hashlib.sha256(f"{tenant}\n{log_id}".encode("utf-8", "surrogatepass")).hexdigest()
