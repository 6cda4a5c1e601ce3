"""Retune a judge on people's labels: fit on one part, test once on the other, and keep what was not shown to be better aside.

Which change is put to the test is decided by cross-validation on the fitting part, so that the unseen labels are looked at
once a retune, by one candidate. Every look is written down before its result is known, and raises the bar for the next.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from showable.calibrating.candidates import WHATS, Labelled, Recipe, Rows, Said, Settings, What, fit, take
from showable.calibrating.cross_validation import choose_recipe, cross_validate
from showable.calibrating.retune_beginning import Wanted, applicable, begin, key_of, look_at
from showable.calibrating.retune_judging import Asking, best_of_groups
from showable.calibrating.retune_report import RetuneReport
from showable.calibrating.retune_rows import LabelledClaims
from showable.calibrating.retune_split import Split, flags, part, renumbered
from showable.calibrating.retune_undecided import need_decided, note_undecided
from showable.calibrating.shots import Corrected, choose_shots
from showable.calibrating.undecided import UndecidedError
from showable.judges.embedded.head import head_of
from showable.judges.origin import origin
from showable.measure.acceptance import Measured, Sides, VersionTest, hold_beside, too_few
from showable.records.calibration import Calibration, FittedOn
from showable.records.evidence import Pair
from showable.stores.judge_versions import JudgeVersion, JudgeVersions, Tried, stem_of

_NO_BETTER = "no change was better where it could be fitted (cross-validated); the unseen labels were not looked at"

_ALIKE = "decides every unseen label as what stands does, so that there is nothing to test; none was looked at"
_TOO_FEW = "too few of the unseen labels are decided by both versions to test anything"
_NO_P = "the judge gives no probability, and without one there is no threshold to move and nothing to map"


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The candidate that is put to the test: what it is, how it is measured, and what cross-validation said of all."""

    recipe: Recipe | None
    measured: Measured
    tried: tuple[Tried, ...]


async def retune(claims: LabelledClaims, asking: Asking, wanted: Wanted, versions: JudgeVersions) -> RetuneReport:
    """Make a version, or say why not. Raises SettingError where nothing that is wanted can be changed about this judge.

    The same labels, judge, wishes and seed come to the version that they came to before, and no label is looked at anew.
    Where the judge leaves too many of the labelled pairs undecided, that is said, and nothing is written.
    """
    what = applicable(wanted.what, asking)
    before = versions.with_key(key_of(claims, asking, wanted, what))
    split = part(claims.rows, versions.parts, seed=wanted.seed)
    report = begin(claims, asking, wanted, versions, split)
    if before is not None:
        return report.model_copy(update={"version": before, "nothing_new": True})
    if report.refused is not None:
        return report
    try:
        return await _Retune(claims, asking, wanted, versions, split, what).run(report)
    except UndecidedError as error:
        return report.model_copy(update={"refused": error.refused, "cost": asking.cost})


class _Retune:
    """One retune that was not refused: judged, fitted, tested, written down."""

    def __init__(  # noqa: PLR0917 - what a retune is made of, once, in the order of its steps
        self,
        claims: LabelledClaims,
        asking: Asking,
        wanted: Wanted,
        versions: JudgeVersions,
        split: Split,
        what: frozenset[What],
    ) -> None:
        self.claims, self.asking, self.wanted, self.versions = claims, asking, wanted, versions
        self.split, self.what = split, what
        self.shipped = Settings(wanted.rules.thresholds)

    async def run(self, report: RetuneReport) -> RetuneReport:
        """Carry it out. Raises UndecidedError where the judge decides too little to fit or to test on."""
        every = [row.pair for row in self.claims.rows]
        verdicts = await self.asking.plainly(every)
        chosen = best_of_groups(self.claims.rows, verdicts)
        name = self.asking.judge.name
        need_decided(name, self.claims.rows, verdicts, chosen, self.split)
        standing = self._standing()
        stood = await self.asking.as_standing(every, verdicts, standing)
        if stood is not verdicts:
            need_decided(f"{name} as {report.standing}", self.claims.rows, stood, chosen, self.split)
        kinds = tuple(self.claims.rows[i].pair.kind for i in chosen.tolist())
        before = take(Said.of(stood), chosen)
        data = Labelled(
            labels=flags([self.claims.rows[i] for i in chosen.tolist()]),
            kinds=kinds,
            clusters=renumbered(self.split.clusters[chosen]),
            plain=take(Said.of(verdicts), chosen),
            shipped=self.shipped,
            standing=tuple(standing.decide(before, kinds)),
        )
        fitting = np.flatnonzero(np.isin(chosen, self.split.fitting))
        recipes, without = await self._recipes(every, chosen, fitting, data)
        self.versions.remember(self.split.parts(self.claims.rows))
        usable = np.setdiff1d(fitting, without)
        picked = self._pick(recipes, data, usable)
        settings, after = (standing, before) if picked.recipe is None else fit(picked.recipe, data, usable)
        tested: VersionTest | str = _NO_BETTER if picked.tried else _NO_P
        if picked.recipe is not None:
            tested = self._test(chosen, data, (standing, before), (settings, after), picked)
        version = self._version(picked, tested, report, len(usable))
        self.versions.add(version, write_up(version, settings, report, self.claims))
        notes = (*report.notes, *note_undecided(name, verdicts))
        return _told(report.model_copy(update={"notes": notes}), version, self.versions, self.asking)

    def _standing(self) -> Settings:
        found = self.versions.standing(*origin(self.asking.judge), self.wanted.rules.name)
        if found is None:
            return self.shipped
        held = self.versions.calibration_of(found)
        head = None if held.head is None else head_of(held.head)
        return Settings(held.thresholds, held.recalibration, head, held.shots)

    async def _recipes(
        self, every: Sequence[Pair], chosen: Rows, fitting: Rows, data: Labelled
    ) -> tuple[list[Recipe], Rows]:
        """Return all candidates, and the rows that became examples: those are fitted on by nobody else."""
        recipes = [Recipe(what, lambda _: (data.plain, None)) for what in _on_p(self.what, data.plain, alone=False)]
        without = np.array([], dtype=np.int64)
        if "head" in self.what and data.plain.has_p:
            source = self.asking.head_source(every, chosen, data.labels, data.clusters, self.wanted.seed)
            recipes += [Recipe(("head", *what), source) for what in _on_p(self.what, data.plain, alone=True)]
        if "examples" in self.what:
            corrected = _corrected(self.claims, chosen, fitting, data)
            shots = choose_shots(corrected)
            if shots:
                shown = await self.asking.shown(every, shots)
                name = f"{self.asking.judge.name} with examples in its prompt"
                need_decided(name, self.claims.rows, shown, chosen, self.split)
                said = take(Said.of(shown), chosen)
                used = {(shot.claim, shot.passage) for shot in shots}
                pairs = [self.claims.rows[i].pair for i in chosen[fitting].tolist()]
                without = fitting[[(pair.claim, pair.passage) in used for pair in pairs]]
                recipes += [
                    Recipe(("examples", *what), lambda _, said=said: (said, None), shots)  # type: ignore[misc]
                    for what in _on_p(self.what, said, alone=True)
                ]
        return recipes, without

    def _pick(self, recipes: Sequence[Recipe], data: Labelled, rows: Rows) -> _Chosen:
        tried = tuple(cross_validate(recipe, data, rows, seed=self.wanted.seed) for recipe in recipes)
        found = choose_recipe(recipes, tried)
        return _Chosen(None, "balanced_accuracy", tried) if found is None else _Chosen(*found, tried)

    def _test(
        self, chosen: Rows, data: Labelled, before: tuple[Settings, Said], after: tuple[Settings, Said], picked: _Chosen
    ) -> VersionTest | str:
        """Look at the unseen labels, once: the look is written down first. Where nothing is tested, say why.

        Whether two versions decide alike can be told without any label, and then none is looked at.
        """
        unseen = np.flatnonzero(np.isin(chosen, self.split.unseen))
        found = look_at(self.claims, self.split, self.versions, chosen[unseen])
        if found is None:
            return _TOO_FEW
        look, inside = found
        rows = unseen[inside]
        kinds = data.kinds_at(rows)
        said = [settings.decide(take(one, rows), kinds) for settings, one in (before, after)]
        if said[0] == said[1] and picked.measured == "balanced_accuracy":
            return _ALIKE
        self.versions.remember(self.split.parts(self.claims.rows), self._keys(chosen[rows]))
        p = [settings.probabilities(take(one, rows)) for settings, one in (before, after)]
        given = (p[0], p[1]) if picked.measured == "brier" else None
        sides = Sides(data.labels[rows], data.clusters[rows], (said[0], said[1]), given)
        if too_few(sides.labels, sides.clusters):
            return _TOO_FEW
        return hold_beside(sides, look=look, measured=picked.measured, seed=self.wanted.seed)

    def _keys(self, rows: Rows) -> list[str]:
        """Return the digests of rows, and of all chunks of the sources that they stand for: another time another chunk may."""
        inside = [self.claims.rows[i] for i in rows.tolist()]
        groups = {row.group for row in inside} - {None}
        return sorted({row.key for row in inside} | {row.key for row in self.claims.rows if row.group in groups})

    def _version(self, picked: _Chosen, tested: VersionTest | str, report: RetuneReport, fitted: int) -> JudgeVersion:
        test = None if isinstance(tested, str) else tested
        name, prompt = origin(self.asking.judge)
        unseen = sorted(self.claims.rows[i].key for i in self.split.unseen.tolist())
        return JudgeVersion(
            name=self.versions.next_name(stem_of(name, self.wanted.rules.name)),
            outcome="accepted" if test is not None and test.better else "aside",
            why=tested if isinstance(tested, str) else tested.why,
            what=() if picked.recipe is None else tuple(one for one in WHATS if one in picked.recipe.what),
            judge=name,
            prompt=prompt,
            profile=self.wanted.rules.name,
            parent=report.standing,
            at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            labels=report.labels,
            fitting=fitted,
            unseen=report.unseen.positives + report.unseen.negatives,
            unseen_labels=hashlib.blake2b("\n".join(unseen).encode(), digest_size=8).hexdigest(),
            test=test,
            tried=picked.tried,
            seed=self.wanted.seed,
            key=key_of(self.claims, self.asking, self.wanted, self.what),
        )


def _on_p(what: frozenset[What], said: Said, *, alone: bool) -> list[tuple[What, ...]]:
    """Return what may be done to p, each alone and together; with `alone` nothing at all is one of them."""
    found: list[tuple[What, ...]] = [()] if alone else []
    if said.has_p:
        for each in (("thresholds",), ("probability",), ("thresholds", "probability")):
            wanted: tuple[What, ...] = each
            if what.issuperset(wanted):
                found.append(wanted)
    return found


def _corrected(claims: LabelledClaims, chosen: Rows, fitting: Rows, data: Labelled) -> list[Corrected]:
    rows = [claims.rows[i] for i in chosen[fitting].tolist()]
    said = data.shipped.decide(take(data.plain, fitting), [row.pair.kind for row in rows])
    return [
        Corrected(row.pair.claim, row.pair.passage, row.label, row.pair.kind, wrong=decided is not row.positive)
        for row, decided in zip(rows, said, strict=True)
        if not row.pinned
    ]


def _told(report: RetuneReport, version: JudgeVersion, versions: JudgeVersions, asking: Asking) -> RetuneReport:
    found: dict[str, object] = {"version": version, "cost": asking.cost}
    if version.outcome == "accepted":
        found |= {"stands": version.name, "file": str(versions.path / version.file)}
    return report.model_copy(update=found)


# The calibration file of a version, and what its test said it buys.


def write_up(version: JudgeVersion, settings: Settings, report: RetuneReport, claims: LabelledClaims) -> Calibration:
    """Make the calibration file of a version."""
    rubrics = {f"support@{row.rubric}" for row in claims.rows if row.rubric is not None}
    return Calibration(
        name=version.name,
        judge=version.judge,
        prompt=version.prompt,
        profile=version.profile,
        thresholds=settings.thresholds,
        recalibration=settings.recalibration,
        head=None if settings.head is None else settings.head.model_dump(mode="json"),
        shots=settings.shots,
        fitted_on=FittedOn(
            n=version.fitting,
            positives=report.fitting.positives,
            negatives=report.fitting.negatives,
            reviewers=claims.reviewers,
            labels=version.labels,
            rubrics=tuple(sorted(rubrics)),
            at=version.at,
        ),
        bought={} if version.test is None else _bought(version.test),
    )


def _bought(test: VersionTest) -> dict[str, dict[str, float | None]]:
    gained: dict[str, float | None] = {
        "before": test.before,
        "after": test.after,
        "difference": test.difference,
        "low": test.low,
        "high": test.high,
    }
    tnr: dict[str, float | None] = {
        "before": test.tnr_before,
        "after": test.tnr_after,
        "difference": test.tnr_after - test.tnr_before,
        "low": test.tnr_low,
        "high": test.tnr_high,
    }
    return {test.measured: gained, "tnr": tnr}
