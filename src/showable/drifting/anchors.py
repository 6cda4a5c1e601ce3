"""Freeze an anchor, and judge it anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from showable.drifting.anchor_file import Anchor, frozen_rows
from showable.evaluation import close_judge
from showable.measure.drift.anchor import FIGURES, LEAST_CLUSTERS, LEAST_PER_CLASS, AnchorRow, compare_judges
from showable.measure.drift.report import DECIDED, DriftReport, Watched
from showable.records.evidence import Judge, Verdict
from showable.records.signature import Signature, Thresholds
from showable.validation.judging import judge_pairs
from showable.validation.once import keep_once
from showable.validation.rows import NEITHER, LabelledPair
from showable.validation.units import digest_of, gather_units, key_of

Told = Callable[[int], None]
NumberedRows = Sequence[tuple[int, LabelledPair]]


@dataclass(frozen=True, slots=True)
class Labelled:
    """Labelled rows to be frozen: where they come from, the profile, and what was left out of them.

    `under` is what the run that they come from was scored under; None of a file.
    """

    source: str
    profile: str
    rows: NumberedRows
    notes: tuple[str, ...] = ()
    under: Signature | None = None

    def decided(self) -> Labelled:
        """Leave out the rows that people call neither yes nor no."""
        kept = [(number, row) for number, row in self.rows if row.label != NEITHER]
        left = len(self.rows) - len(kept)
        notes = (*self.notes, f"{left} rows labelled 0.5 left out") if left else self.notes
        return replace(self, rows=kept, notes=notes)

    def once(self) -> Labelled:
        """Leave out labels that are given twice, and those that contradict one another. Chunks of a group all stay."""
        chunks = {number for number, row in self.rows if row.group is not None}
        found = keep_once(
            self.rows,
            key=lambda one: one[0] if one[0] in chunks else key_of([one[1]]),
            label=lambda one: one[1].label,
            rank=lambda one: (one[1].question is None, digest_of([one[1].model_dump_json()])),
        )
        return replace(self, rows=found.kept, notes=(*self.notes, *found.notes()))


async def freeze(labelled: Labelled, judge: Judge, thresholds: Thresholds, told: Told, *, at_once: int) -> Anchor | str:
    """Judge labelled rows and give them as an anchor, sealed; or say why not, where the judge decides none of them."""
    verdicts = await _judge(judge, labelled.rows, told, at_once)
    if all(verdict.label == "unknown" and verdict.p is None for verdict in verdicts):
        return f"{judge.name} decided none of {len(verdicts)} rows: {_why_unknown(verdicts)}"
    return Anchor(
        source=labelled.source,
        judge=judge.name,
        prompt=judge.prompt_hash,
        calibration=_calibration(judge),
        thresholds=thresholds,
        profile=labelled.profile,
        at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        rows=frozen_rows(labelled.rows, verdicts),
    ).sealed()


@dataclass(frozen=True, slots=True)
class Check:
    """How an anchor is checked: under which thresholds (None: its own), at which false-alarm rate, held to which bound."""

    thresholds: Thresholds | None = None
    false_alarms: float = 0.05
    bound: float | None = None
    at_once: int = 8


async def check(anchor: Anchor, name: str, judge: Judge, told: Told, setting: Check) -> DriftReport:
    """Judge the rows of an anchor anew and compare. Where nothing is decided now, nothing is measured."""
    verdicts = await _judge(judge, anchor.numbered, told, setting.at_once)
    thresholds = setting.thresholds or anchor.thresholds
    rows = anchor_rows(anchor, verdicts, thresholds)
    about = f"{name} ({anchor.digest[:8]}, {len(rows)} rows, frozen {anchor.at})"
    notes = _said_of_judges(anchor, judge, thresholds)
    if not any(row.now is not None for row in rows):
        return _nothing_decided(anchor, about, verdicts, setting, notes)
    return compare_judges(
        rows, about=about, profile=anchor.profile, false_alarms=setting.false_alarms, bound=setting.bound, notes=notes
    )


def anchor_rows(anchor: Anchor, verdicts: Sequence[Verdict], thresholds: Thresholds) -> list[AnchorRow]:
    """Lay what the judge said then and now side by side; chunks of one source are one row, as in `validate`."""
    numbered = anchor.numbered
    coverage = [0.0] * len(numbered)
    before, now = (
        gather_units(numbered, said, coverage, at.support, at.per_kind)
        for said, at in ((anchor.verdicts, anchor.thresholds), (verdicts, thresholds))
    )
    return [
        AnchorRow(old.label == 1.0, old.decision, new.decision, old.cluster, old.p, new.p)
        for old, new in zip(before, now, strict=True)
    ]


async def _judge(judge: Judge, rows: NumberedRows, told: Told, at_once: int) -> list[Verdict]:
    from showable.validation.entailment import pair_of  # noqa: PLC0415 - with what it imports, a tenth of a second

    try:
        judged = await judge_pairs(judge, [pair_of(row) for _, row in rows], told, at_once=at_once)
    finally:
        await close_judge(judge)
    return judged.verdicts


def _calibration(judge: Judge) -> str | None:
    label = getattr(judge, "calibration_label", None)
    return None if label is None else str(label)


def _said_of_judges(anchor: Anchor, judge: Judge, thresholds: Thresholds) -> list[str]:
    """Return what of the judge is another than when the anchor was frozen."""
    parts = (
        ("judge", anchor.judge, judge.name),
        ("prompt", anchor.prompt, judge.prompt_hash),
        ("calibration", anchor.calibration, _calibration(judge)),
        ("thresholds", str(anchor.thresholds), str(thresholds)),
    )
    changed = [f"{what}: {then or '-'} → {now or '-'}" for what, then, now in parts if then != now]
    return changed or [f"the same judge by name: {judge.name}"]


def _why_unknown(verdicts: Sequence[Verdict]) -> str:
    return next((verdict.reason for verdict in verdicts if verdict.reason), "no reason given")


def too_small(anchor: Anchor) -> str | None:
    """Say of an anchor that no check can measure everything by it; None where it is large enough.

    Rows are counted as a check counts them: chunks of one source as one, and what the judge left undecided not at all.
    """
    rows = [row for row in anchor_rows(anchor, anchor.verdicts, anchor.thresholds) if row.before is not None]
    clusters = {label: [row.cluster for row in rows if row.label == label] for label in (True, False)}
    short = [
        f"{LEAST_PER_CLASS - len(own)} more labelled {label:d}"
        for label, own in clusters.items()
        if len(own) < LEAST_PER_CLASS
    ]
    said = [f"{LEAST_PER_CLASS} rows of each label: {' and '.join(short)} are missing"] if short else []
    if any(len(set(own)) < LEAST_CLUSTERS for own in clusters.values()):
        yes, no = (len(set(own)) for own in clusters.values())
        said.append(f"{LEAST_CLUSTERS} questions or sources of each label: {yes} are of label 1 and {no} of label 0")
    if not said:
        return None
    whole = f"a check takes {'; and '.join(said)}"
    if len(rows) == len(anchor.rows):
        return whole
    return f"{whole}; chunks of one source count as one row, and what the judge left undecided as none"


def _nothing_decided(
    anchor: Anchor, about: str, verdicts: Sequence[Verdict], setting: Check, notes: Sequence[str]
) -> DriftReport:
    """Report a judge that could not be asked: that is no drift, and no all-clear."""
    said = f"the judge decided none of {len(verdicts)} rows: {_why_unknown(verdicts)}"
    return DriftReport.of(
        "anchor",
        about,
        tuple(
            Watched(what=name, profile=anchor.profile, state="unknown", window="none", reason=said)
            for name in (*FIGURES, DECIDED)
        ),
        false_alarms=setting.false_alarms,
        family="nothing was measured",
        notes=tuple(notes),
    )
