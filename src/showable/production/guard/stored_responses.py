"""What stored responses are held to when they are asked for again: the log of their call, and whether they were held."""

from __future__ import annotations

import hashlib
import os
import time
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from typing import get_args

import orjson

from showable.production.guard.call import LogForm
from showable.production.guard.retrieval import FoundLog, GivenLog
from showable.records.findings import Finding

KEPT_S = 24 * 3600
_IN_MEMORY = 256


class StoredResponses:
    """Responses by tenant and id, a file each in a folder that all workers of a guard share, for a day.

    A disk that refuses costs the memory that other workers would have had, never the answer.
    """

    def __init__(self, folder: Path, kept_s: float = KEPT_S) -> None:
        folder.mkdir(exist_ok=True, mode=0o700)
        self._folder, self._kept_s = folder, kept_s
        self._memory: OrderedDict[str, tuple[FoundLog, bool]] = OrderedDict()

    def remember(self, tenant: str, response_id: str, log: FoundLog, *, held: bool) -> None:
        """Keep what a response is held to."""
        key = _key(tenant, response_id)
        self._memory[key] = log, held
        self._memory.move_to_end(key)
        if len(self._memory) > _IN_MEMORY:
            self._memory.popitem(last=False)
        given = GivenLog(retrieved=log.retrieved, shown=log.shown, question=log.question)
        written = {
            "log": orjson.Fragment(given.model_dump_json()),
            "log_from": log.log_from,
            "doubts": [orjson.Fragment(doubt.model_dump_json()) for doubt in log.doubts],
            "held": held,
        }
        draft = self._folder / f"{key}.{os.getpid()}"
        with suppress(OSError):
            draft.write_bytes(orjson.dumps(written))
            draft.replace(self._folder / key)

    def find(self, tenant: str, response_id: str) -> tuple[FoundLog, bool] | None:
        """Return the log of a response and whether it was held; None for one that no worker remembers.

        Another worker may have held since what this one has shown: the file decides, where there is one.
        """
        key = _key(tenant, response_id)
        path = self._folder / key
        try:
            if time.time() - path.stat().st_mtime >= self._kept_s:
                return None
            kept = orjson.loads(path.read_bytes())
            log = GivenLog.model_validate(kept["log"])
            doubts = tuple(Finding.model_validate(doubt, strict=False) for doubt in kept["doubts"])
            form = kept["log_from"] if kept["log_from"] in get_args(LogForm) else None
            return FoundLog(log.retrieved, log.shown, log.question or "", form, doubts), bool(kept["held"])
        except (OSError, ValueError, KeyError, TypeError):
            return self._memory.get(key)

    def forget_old(self) -> None:
        """Remove what is no longer kept."""
        now = time.time()
        for path in self._folder.iterdir():
            with suppress(FileNotFoundError):  # another worker was quicker
                if now - path.stat().st_mtime >= self._kept_s:
                    path.unlink(missing_ok=True)


def _key(tenant: str, response_id: str) -> str:
    return hashlib.sha256(f"{tenant}\n{response_id}".encode("utf-8", "surrogatepass")).hexdigest()
