"""A run together with its labels, as the `labels` commands need them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from showable.measure.consensus import Settled, settle
from showable.measure.label_status import (
    LabelStatus,
    QueueStatus,
    Share,
    reviewer_statuses,
    target_statuses,
)
from showable.measure.labelled_answer import digest_of
from showable.measure.labelled_refusals import refusal_cases
from showable.measure.stale_labels import Freshness, part_stale
from showable.profiles.load import read_profile_json
from showable.records.profile import Profile
from showable.records.record import Record
from showable.records.scorecard import Scorecard
from showable.stores.baselines import resolve_run
from showable.stores.labels.store import LABELS, LabelStore
from showable.stores.run_folder import EVIDENCE, PROFILE, RECORDS, SCORES, need_finished_run
from showable.stores.run_reading import SUMMARY, joined
from showable.stores.runs_of import one_run


@dataclass(frozen=True)
class LabelledRun:
    """A finished run: its folder, the fingerprint of its records, the label file, and the profile that says whose labels count."""

    path: Path
    fingerprint: str
    labels: Path
    profile: Profile

    def entries(self) -> Iterator[tuple[Record, Scorecard]]:
        """Read every record with its scorecard, in the order of the run."""
        return joined(self.path, SCORES, Scorecard)

    @cached_property
    def cards(self) -> dict[str, Scorecard]:
        """The scorecards by record."""
        return {record.id: card for record, card in self.entries()}

    @cached_property
    def answers(self) -> dict[str, str]:
        """The digests of the answers by record: what tells a label that no longer counts."""
        return {record.id: digest_of(record, card) for record, card in self.entries()}

    @property
    def own_files(self) -> set[Path]:
        """The files that must not be written over."""
        folder = self.path.resolve()
        names = (RECORDS, EVIDENCE, SCORES, PROFILE, SUMMARY, "run.json", "report.html")
        return {folder / name for name in names} | {self.labels.resolve()}

    def parted(self, store: LabelStore) -> Freshness:
        """Part the labels by whether they still count."""
        return part_stale(store.current(), self.answers)

    def settled(self, store: LabelStore) -> Settled:
        """Settle what still counts, by the run's profile."""
        held_out = store.hold_out()
        refusals = refusal_cases(self.cards.values(), held_out)
        return settle(self.parted(store).fresh, self.profile.counts, held_out, refusals=refusals)


def labelled_run(run: Path, labels: Path | None) -> LabelledRun:
    """Find a finished run by its folder or pinned name. Raises InputError or SettingError where there is none."""
    folder = one_run(resolve_run(run))
    facts, _ = need_finished_run(folder)
    profile = read_profile_json(folder / PROFILE)
    return LabelledRun(folder, str(facts.get("fingerprint")), labels or folder / LABELS, profile)


def open_labels(about: LabelledRun, *, make: bool = False) -> LabelStore:
    """Open the labels of a run. Raises SettingError where there are none, unless they are to be made."""
    return LabelStore.open(about.labels, run_fingerprint=about.fingerprint, make=make)


def status_of(about: LabelledRun, store: LabelStore) -> LabelStatus:
    """Return how far labelling is."""
    labels, parted = store.current(), about.parted(store)
    settled = about.settled(store)
    labelled = {label.record for label in labels} & about.cards.keys()
    people = [(one.name, one.role) for one in store.reviewers()]
    return LabelStatus(
        run=about.path.resolve().name,
        file=str(about.labels),
        records=len(about.cards),
        labelled=len(labelled),
        labels=len(labels),
        reviewers=tuple(reviewer_statuses(people, labels, parted.stale)),
        targets=tuple(target_statuses(parted.fresh, settled)),
        queues=tuple(_queue_statuses(store)),
        stale=dict(Counter(one.why for one in parted.stale)),
        hold_out=len(store.hold_out()),
        hold_out_labelled=len(labelled & set(store.hold_out())),
    )


def _queue_statuses(store: LabelStore) -> Iterator[QueueStatus]:
    people = [one.name for one in store.reviewers()]
    for queue in store.queues():
        dealt = {name: store.records_dealt(queue.name, name) for name in people}
        finished = {record for records in dealt.values() for record, done in records if done}
        shares = [
            Share(name=name, done=sum(done for _, done in dealt[name]), dealt=len(dealt[name]))
            for name in people
            if dealt[name]
        ]
        yield QueueStatus(
            name=queue.name,
            kind=queue.kind,
            n=queue.n,
            overlap=queue.overlap,
            unfinished=queue.n - len(finished),
            reviewers=tuple(shares),
        )
