"""How far the judge agrees with people and people with each other, on the labels so far that this person may know of."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from showable.errors import ShowableError
from showable.measure.calibration_report import CalibrationReport
from showable.profiles.load import read_profile_json
from showable.records.labels import Label
from showable.records.profile import Profile
from showable.report.calibration_page import calibration_body
from showable.report.untrusted import printable
from showable.review.desk import Desk
from showable.review.room_templates import render_room
from showable.stores.labels.store import LABELS, LabelStore
from showable.stores.run_folder import PROFILE

LEAST_TOGETHER = 5
"""Records of others of which a count no longer tells what was said on which."""
_KEPT = 8
"""Reports kept while nothing changes: one for each person who looks, since what they may know differs."""


def render(desk: Desk) -> str:
    """Render the report of the labels so far, computed anew when a label was given since.

    Records that this person still has to label take no part, whoever labelled them: no figure may tell them what others
    said there. What they look at is noted, as after an export.
    """
    labels = desk.store.current()
    seen = [label for label in labels if label.record not in desk.hidden]
    held_back = len({label.record for label in labels} & desk.hidden)
    desk.store.note_seen(desk.visit.name or "", told_apart(seen, desk.visit.name))
    report, trouble = None, None
    try:
        report = _computed(_State.of(desk)) if seen else None
    except ShowableError as error:
        trouble = printable(str(error))
    return render_room(
        "agreement.html.j2",
        desk=desk,
        visit=desk.visit,
        body=None if report is None else calibration_body(report),
        trouble=trouble,
        held_back=held_back,
        other_profile=_other_profile(desk) is not None,
        data={"token": desk.visit.token},
    )


def told_apart(labels: Iterable[Label], name: str | None) -> set[str]:
    """Return the records of which figures over these labels tell what others said: all where they are few, else none."""
    others = {label.record for label in labels if label.reviewer != name}
    return others if len(others) < LEAST_TOGETHER else set()


@dataclass(frozen=True, slots=True)
class _State:
    """All that the report depends on: a hold-out that is pinned, or a queue that is made, is no new label."""

    run: Path
    file: Path
    changes: int
    hidden: frozenset[str]
    hold_out: tuple[str, ...]
    queues: tuple[str, ...]
    profile: str | None

    @classmethod
    def of(cls, desk: Desk) -> _State:
        store = desk.store
        queues = tuple(queue.name for queue in store.queues())
        return cls(
            desk.run.path, store.path, store.count(), desk.hidden, tuple(store.hold_out()), queues, _other_profile(desk)
        )


@lru_cache(maxsize=_KEPT)
def _computed(state: _State) -> CalibrationReport:
    """Hold the run against its labels."""
    from showable.calibrating.from_run import calibrate_run  # noqa: PLC0415 - scipy is slow to import, and only this page needs it

    with tempfile.TemporaryDirectory(prefix="showable-") as folder:
        part = Path(folder) / LABELS
        _copy(state.file, part, state.hidden)
        rules = None if state.profile is None else Profile.model_validate_json(state.profile)
        report = calibrate_run(state.run, part, name="page", profile=rules).report
    source = f"{state.run.name}, its labels as of change {state.changes:,}"
    return report.model_copy(update={"source": source, "calibration": None, "file": None})


def _copy(file: Path, part: Path, hidden: Collection[str]) -> None:
    """Copy the log of a label file but for the labels on some records; its hold-out and the kinds of its queues come along."""
    with (
        LabelStore.open(file, make=False) as store,
        LabelStore.open(part, run_fingerprint=store.run_fingerprint()) as copy,
    ):
        copy.add_many(label for label in store.history() if label.record not in hidden)
        if pinned := store.hold_out():
            copy.pin_hold_out(pinned, store.hold_out_topped_up())
        for queue in store.queues():
            copy.make_queue(queue.name, queue.kind, store.records_of(queue.name), queue.overlap, queue.seed)


def _other_profile(desk: Desk) -> str | None:
    """Return the profile that the page was started under, as JSON, where it is another than the run's own."""
    given = desk.run.profile
    return None if given == read_profile_json(desk.run.path / PROFILE) else given.model_dump_json()
