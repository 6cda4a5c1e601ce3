"""What people said of a run, as far as it still stands: one settled value a target, and all that takes no part, counted."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from showable.errors import InputError
from showable.measure.consensus import Settled, settle
from showable.measure.labelled_refusals import refusal_cases
from showable.measure.stale_labels import Staleness, part_stale
from showable.records.label_guide import About
from showable.records.labels import Label
from showable.records.profile import Profile
from showable.records.scorecard import Scorecard
from showable.stores.label_files import read_labels
from showable.stores.labels.label_file import RefusedLabelError
from showable.stores.labels.store import LABELS, LabelStore
from showable.stores.run_folder import SCORES, read_run_lines

CHOSEN_QUEUES = ("stratified", "uncertain", "disagreement", "failed")
"""Queues chosen by what the tool said: what is measured on them is not what holds over the run."""
NO_HOLD_OUT = "no hold-out is pinned here: all labels may be fitted on, and none are left to try the calibration on"
_SQLITE = b"SQLite format 3\x00"
_STALE: dict[Staleness, str] = {
    "another_record": "are about records that this run does not hold",
    "another_answer": "were given on another answer than the run now holds",
    "another_guide": "were given under another text of the rubric",
}


@dataclass(frozen=True, slots=True)
class People:
    """Labels of a run. `labels` still stand, comments left out; `stale` counts those that do not, by why."""

    settled: Settled
    labels: Sequence[Label]
    stale: Mapping[Staleness, int]
    hold_out: frozenset[str]
    queues: tuple[str, ...]
    source: str
    topped_up: int = 0

    @property
    def reviewers(self) -> int:
        """How many people gave them."""
        return len({label.reviewer for label in self.labels})

    @property
    def by_role(self) -> dict[str, int]:
        """How many were given in each role."""
        return dict(sorted(Counter(label.role for label in self.labels).items()))

    def fitted_on(self, profile: Profile) -> list[Label]:
        """Return the labels that a fit rests on: of support and of claim kinds, by those whose word counts, outside the hold-out."""
        return [
            label
            for label in self.labels
            if label.about in ("support", "claim_kind")
            and profile.counts(label.about, label.role)
            and label.record not in self.hold_out
        ]

    @property
    def digest(self) -> str:
        """A digest of the labels: by it one tells whether a calibration rests on these."""
        hashed = blake2b(digest_size=8)
        for label in sorted(self.labels, key=lambda one: one.id):
            hashed.update(label.model_dump_json(exclude={"held_out"}).encode("utf-8", "replace") + b"\n")
        return hashed.hexdigest()

    def count(self, about: About, which: str, *, held_out: bool = False) -> int:
        """Count the targets of a kind that are `unsettled` or `cannot_tell`, in the hold-out or outside of it."""
        targets = getattr(self.settled, which)
        return sum(one.about == about and (one.record in self.hold_out) is held_out for one in targets)

    def notes(self) -> list[str]:
        """Return what takes no part, and what the labels are a sample of."""
        found = [f"{n:,} labels {_STALE[why]}" for why, n in sorted(self.stale.items())]
        chosen = sorted({kind for kind in self.queues if kind in CHOSEN_QUEUES})
        if chosen:
            found.append(
                f"some labels come from queues chosen by what the tool said ({', '.join(chosen)}): agreement on them is not"
                " that of the whole run, and corrected rates need labels drawn by chance"
            )
        if not self.hold_out:
            found.append(NO_HOLD_OUT)
        elif self.topped_up:
            found.append(
                f"{self.topped_up} of the {len(self.hold_out)} records held out were not drawn by chance, but put there because"
                " the tool reads them as refusals: refusals are more frequent in the hold-out than in the run"
            )
        return found


def read_people(
    run: Path, labels: Path | None, profile: Profile, answers: Mapping[str, str], fingerprint: str | None
) -> People:
    """Read the labels of a run: those in its folder, or of a file (a label store, JSON Lines or CSV).

    `answers` holds the digest of each answer. Held out is what the store pins, or what an exported file says, and what the
    store in the run's folder pins, whichever of them is read. Raises SettingError or InputError where there are none or
    they cannot be read.
    """
    store = run / LABELS
    source = store if labels is None else labels
    given = _read_store(source, fingerprint) if labels is None or _is_store(labels) else _read_file(labels)
    hold_out, queues, topped_up = frozenset(given.hold_out), given.queues, given.topped_up
    if labels is not None and store.is_file() and not store.samefile(labels):
        own = _read_store(store, fingerprint)
        hold_out, queues = hold_out.union(own.hold_out), queues or own.queues
        topped_up = max(topped_up, own.topped_up)
    parted = part_stale((label for label in given.current if label.about != "comment"), answers)
    fresh_log = part_stale(given.log, answers).fresh
    refusals = refusal_cases(read_run_lines(run / SCORES, Scorecard), hold_out)
    return People(
        settled=settle(parted.fresh, profile.counts, hold_out, fresh_log, refusals),
        labels=parted.fresh,
        stale=dict(Counter(one.why for one in parted.stale)),
        hold_out=hold_out,
        queues=queues,
        source=str(source),
        topped_up=topped_up,
    )


@dataclass(frozen=True, slots=True)
class _Given:
    """What a label file holds: the last words, the whole log, the hold-out, and the kinds of the queues."""

    current: list[Label]
    log: list[Label]
    hold_out: list[str]
    queues: tuple[str, ...] = ()
    topped_up: int = 0


def _read_store(path: Path, fingerprint: str | None) -> _Given:
    with LabelStore.open(path, run_fingerprint=fingerprint, make=False) as store:
        queues = tuple(queue.kind for queue in store.queues())
        return _Given(store.current(), store.history(), store.hold_out(), queues, store.hold_out_topped_up())


def _read_file(path: Path) -> _Given:
    """Read an exported file, and of each person's words on a thing the last: what a store would give."""
    given = [label for _, label in read_labels(path)]
    with tempfile.TemporaryDirectory(prefix="showable-") as folder, LabelStore.open(Path(folder) / LABELS) as store:
        try:
            store.add_many(given)
        except RefusedLabelError as error:
            raise InputError(error.message, path=str(path), field=error.field) from None
        return _Given(store.current(), [], store.hold_out())


def _is_store(path: Path) -> bool:
    try:
        with path.open("rb") as handle:
            return handle.read(len(_SQLITE)) == _SQLITE
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from None
