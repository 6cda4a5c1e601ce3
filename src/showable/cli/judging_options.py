"""Who judges the answers of a run, and by which rules: the options, and what they are turned into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from showable.cli.calibration_option import CalibrationOption, judge_under, open_calibration, rules_under, shots_of
from showable.cli.look_up_options import LookUpOption, OfflineOption, make_registries
from showable.cli.options import ChatOptions, JudgeOption, ProfileOption, ThresholdOption, make_judge, read_profile
from showable.cli.rubric_option import RubricOption, read_rubrics, refuse_untested, rules_with

if TYPE_CHECKING:
    from collections import Counter

    from showable.records.calibration import Calibration
    from showable.records.evidence import Judge
    from showable.records.lookups import Registries
    from showable.records.profile import Profile
    from showable.records.rubric_file import OwnRubric


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingOptions:
    """Which judge, under which rules, and whether registries are asked."""

    judge: JudgeOption = None
    threshold: ThresholdOption = None
    calibration: CalibrationOption = None
    profile: ProfileOption = None
    rubric: RubricOption = None
    look_up: LookUpOption = False
    offline: OfflineOption = False


@dataclass(frozen=True, slots=True)
class Judging:
    """A judge under its calibration, and what the rules are made of once the records have said which profile."""

    judge: Judge
    options: JudgingOptions
    fitted: Calibration | None
    rubrics: tuple[OwnRubric, ...]

    def rules(self, named: Counter[str | None] | None = None) -> Profile:
        """Give the rules in force; `named` counts the profiles that the records name. Raises SettingError where they clash."""
        given = self.options
        rules = rules_under(self.fitted, read_profile(given.profile, given.threshold, named))
        return rules_with(self.rubrics, rules, thresholds_given=bool(given.threshold or self.fitted))

    def registries(self, rules: Profile) -> Registries | None:
        """Make whatever is to be asked about citations."""
        return make_registries(rules, look_up=self.options.look_up, offline=self.options.offline)


def open_judging(
    options: JudgingOptions,
    chat: ChatOptions,
    *,
    critical: str | None,
    concurrency: int = 8,
    dry_run: bool = False,
) -> Judging:
    """Make the judge that was asked for. Raises SettingError where an option does not go with it."""
    fitted = open_calibration(options.calibration, threshold=options.threshold)
    rubrics = read_rubrics(options.rubric)
    shots = shots_of(fitted)
    plain = make_judge(
        options.judge, chat, concurrency=concurrency, critical=critical, shots=shots, rubrics=rubrics, dry_run=dry_run
    )
    made = judge_under(fitted, plain)
    refuse_untested(options.rubric, rubrics, made, chat.domain)
    return Judging(made, options, fitted, rubrics)
