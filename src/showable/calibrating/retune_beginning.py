"""What is known of a retune before any judge is asked: what may change, which labels there are, and what is missing."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

import numpy as np

from showable.calibrating.candidates import Rows, What
from showable.calibrating.retune_judging import Asking, first_of_groups
from showable.calibrating.retune_report import PartCounts, RetuneReport
from showable.calibrating.retune_rows import LabelledClaims
from showable.calibrating.retune_split import Split, flags
from showable.errors import SettingError
from showable.judges.origin import origin
from showable.measure.acceptance import LEAST_CLUSTERS, MOST_LOOKS, best_look
from showable.measure.agreement import Flags
from showable.measure.calibration_report import Missing, Refused
from showable.measure.least_n import LEAST_PER_CLASS, missing_labels, missing_said
from showable.records.profile import Profile
from showable.stores.judge_versions import JudgeVersions


@dataclass(frozen=True, slots=True)
class Wanted:
    """What may change, under which rules, and the seed of the split and of every fit."""

    what: frozenset[What]
    rules: Profile
    seed: int = 0


def applicable(what: frozenset[What], asking: Asking) -> frozenset[What]:
    """Leave out what this judge has no place for; what was wanted in vain by itself is a mistake. Raises SettingError."""
    can: set[What] = {"thresholds", "probability"}
    if asking.embedded is not None:
        can.add("head")
    if asking.with_shots is not None:
        can.add("examples")
    if not what & can:
        said = " and ".join(sorted(what))
        raise SettingError(
            f"{asking.judge.name}: {said} cannot be retuned; only the embedded judge (or a model with a head) has a head,"
            " and only a chat judge reads examples"
        )
    return what & can


def key_of(claims: LabelledClaims, asking: Asking, wanted: Wanted, what: frozenset[What]) -> str:
    """Return the digest of all that decides what a retune comes to, but for what was done before."""
    rules = wanted.rules
    moving = [*origin(asking.judge), rules.label, str(rules.thresholds), claims.digest, sorted(what), wanted.seed]
    return hashlib.blake2b(json.dumps(moving).encode(), digest_size=8).hexdigest()


def begin(
    claims: LabelledClaims, asking: Asking, wanted: Wanted, versions: JudgeVersions, split: Split
) -> RetuneReport:
    """Count the parts, say what stands, and refuse where there is too little to fit on or to test on."""
    name, prompt = origin(asking.judge)
    standing = versions.standing(name, prompt, wanted.rules.name)
    notes = []
    if not split.by_passage:
        notes.append(
            "most pairs share passages: questions alone part them, so that unseen pairs may have seen passages"
        )
    if split.dropped:
        notes.append(f"{split.dropped} labels of the hold-out were fitted on before it was pinned; they take no part")
    named = None if standing is None else standing.name
    report = RetuneReport(
        judge=name,
        profile=wanted.rules.name,
        folder=str(versions.path),
        labels=claims.digest,
        reviewers=claims.reviewers,
        fitting=_count(claims, split, split.fitting),
        unseen=_count(claims, split, split.unseen),
        left_out=claims.left_out,
        notes=tuple(notes),
        standing=named,
        stands=named,
        file=None if standing is None else str(versions.path / standing.file),
    )
    return report.model_copy(update={"refused": _refusal(claims, split, versions, report)})


def _count(claims: LabelledClaims, split: Split, rows: Rows) -> PartCounts:
    one_each = np.intersect1d(first_of_groups(claims.rows), rows)
    labels = flags([claims.rows[i] for i in one_each.tolist()])
    clusters = len(np.unique(split.clusters[one_each]))
    return PartCounts(positives=int(labels.sum()), negatives=int((~labels).sum()), clusters=clusters)


def _refusal(claims: LabelledClaims, split: Split, versions: JudgeVersions, report: RetuneReport) -> Refused | None:
    """Return what is missing for a fit and a test, if anything."""
    missing: list[Missing] = []
    said = []
    for name, counts in (("fitting", report.fitting), ("unseen", report.unseen)):
        lacking = missing_labels("support", "all", counts.positives, counts.negatives)
        if lacking:
            missing += lacking
            said.append(f"the {name} part has {missing_said(lacking)}")
        elif counts.clusters < LEAST_CLUSTERS:
            said.append(f"the {name} part comes from {counts.clusters} questions, {LEAST_CLUSTERS} at least")
    if said:
        need = 2 * LEAST_PER_CLASS
        reason = (
            f"{'; '.join(said)}; half of all labels is fitted on and half stays unseen: about {need} of each at least"
        )
        return Refused(reason=reason, missing=tuple(missing))
    if look_at(claims, split, versions, np.intersect1d(first_of_groups(claims.rows), split.unseen)) is None:
        reason = f"the unseen labels were looked at {MOST_LOOKS} times, or too few questions have either label; label new records"
        return Refused(reason=reason)
    return None


def look_at(claims: LabelledClaims, split: Split, versions: JudgeVersions, rows: Rows) -> tuple[int, Flags] | None:
    """Choose which of the unseen rows to test on, and say the how-manieth look that is; None where there is no such choice."""
    looked = versions.split.unseen
    looks = np.array([looked.get(claims.rows[i].key, 0) for i in rows.tolist()], dtype=np.int64)
    return best_look(looks, flags([claims.rows[i] for i in rows.tolist()]), split.clusters[rows])
