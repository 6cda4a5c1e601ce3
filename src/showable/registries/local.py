"""Imported citations: a firm's own list, a retraction file, volumes of a reporter. Asked first, and without a network."""

from __future__ import annotations

import os
from pathlib import Path

from showable.former_name import user_folder
from showable.records import Found, Reference
from showable.registries.answers import found, missed, not_held, several
from showable.registries.local_sets.entry_keys import ID_KINDS, PARTS, claimed_title, reference_keys
from showable.registries.local_sets.lookups import CASE_KINDS, look_up
from showable.registries.local_sets.store import SetAbout, SetStore
from showable.registries.settings import Settings
from showable.registries.web.asking import Pace, Web
from showable.rubrics.metadata.cases import claimed_cite, claimed_name

_DOCKET = ("number", "court", "court_text", "plaintiff", "defendant")
"""What the answer about a docket number depends on beside its key."""
_NOTHING = "no citations have been imported; showable registry import FILE --name NAME"


def default_store() -> Path:
    """Return where imported sets are kept where nothing else is said: one file a user, in the folder for data (XDG)."""
    root = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return user_folder(Path(root)) / "citations.sqlite"


def store_of(settings: Settings) -> Path:
    """Return the file that settings name as the address of `local`, else the user's own."""
    told = settings.base.get("local")
    return Path(told).expanduser() if told else default_store()


class Local:
    """The sets that `showable registry import` has put into one SQLite file; no address, no limits, no key.

    A record answers whatever set it is from. A miss is ``not_found`` only for a kind that a set was imported as
    complete for (for cases, where the set is of whole volumes, only within those), else ``not_covered``. A page
    inside a case is answered with that case. The file is the one that `settings` gives as the address of `local`,
    else `default_store()`; where there is none, nothing is made and every answer is ``not_covered``.
    """

    name = "local"
    kinds = frozenset({*CASE_KINDS, "bibliographic", "news", "url", *ID_KINDS, *PARTS})
    pace = Pace(per_second=1_000_000, at_once=1)

    def __init__(self, web: Web | None = None, settings: Settings | None = None, *, path: Path | None = None) -> None:
        del web  # everything is on disk
        self.path = path or store_of(settings or Settings())
        self._store = SetStore.open(self.path) if self.path.is_file() else None
        self.sets: tuple[SetAbout, ...] = tuple(self._store.sets()) if self._store else ()
        self.proves: frozenset[str] = frozenset(kind for one in self.sets for kind in one.complete_for)

    def close(self) -> None:
        """Close the file."""
        if self._store is not None:
            self._store.close()
            self._store = None

    def not_configured(self) -> str | None:
        """Report that nothing was imported."""
        return None if self.sets else _NOTHING

    def key(self, reference: Reference) -> str | None:
        """Return what the answer depends on; None where a reference names nothing that could be looked up."""
        if reference.kind in CASE_KINDS:
            cite, name = claimed_cite(reference), claimed_name(reference)
            parts = [*(cite.key if cite else ()), name.casefold()]
        else:
            keys = reference_keys(reference.kind, reference.fields)
            own = _DOCKET if reference.kind == "docket" and keys else ()
            parts = [*(f"{kind}:{key}" for kind, key in keys), claimed_title(reference).casefold()]
            parts += [reference.fields.get(name, "").casefold() for name in own]
        return " ".join(parts) if any(parts) else None

    async def find(self, reference: Reference) -> Found:
        """Look a reference up in all sets."""
        if self._store is None or not self.sets:
            return not_held(self.name, _NOTHING)
        if reference.kind not in self.kinds or self.key(reference) is None:
            return not_held(self.name, "nothing in it can be looked up")
        kind = "case" if reference.kind in CASE_KINDS else reference.kind
        complete = [one for one in self.sets if kind in one.complete_for]
        by_volume = all(one.volumes for one in complete)
        answer = look_up(self._store, reference, [one.name for one in complete], by_volume=by_volume)
        if answer.entries:
            return found(self.name, answer.entries).model_copy(update={"near": answer.near})
        if answer.ambiguous:
            return several(self.name, (), None, answer.reason)
        proves = self.proves if answer.covered else frozenset()
        return missed(self.name, proves, kind, None, _why(answer.reason, kind, complete), near=answer.near)


def _why(reason: str, kind: str, complete: list[SetAbout]) -> str:
    if not complete:
        return f"{reason}; none is complete for {kind}"
    names = ", ".join(one.name for one in complete)
    return f"{reason}; complete for {kind}: {names}"
