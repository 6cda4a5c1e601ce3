"""What holds for a live answer: the rule that matches it, and the profile and the signature that follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from showable.errors import InputError, SettingError
from showable.evaluation import sign
from showable.judging_settings import Judging
from showable.measure.tail_sampling import check_share
from showable.profiles.load import BUILT_IN, load_profile
from showable.records.evidence import Cost, Judge, Pair, Verdict
from showable.records.profile import Profile
from showable.records.record import Record
from showable.records.traced import TracedAnswer
from showable.serving.settings import ServeSettings
from showable.traces.rules import Applied, Rules, load_rules

GENERAL = "general"


class NoJudge:
    """Stands in a signature where no judge was asked."""

    name = "none"
    prompt_hash: str | None = None

    async def verdicts(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """Say nothing of any pair."""
        return [Verdict(label="unknown", judge=self.name, reason="no judge was asked") for _ in pairs]

    def estimate(self, pairs: Sequence[Pair]) -> Cost:  # noqa: ARG002 - as a judge is asked
        """Cost nothing."""
        return Cost()


@dataclass(frozen=True, slots=True)
class Holding:
    """What holds for one answer."""

    applied: Applied
    profile: Profile


class LiveRules:
    """The rules of the settings, with their profiles loaded. Raises InputError or SettingError where one cannot be used."""

    def __init__(self, settings: ServeSettings, *, chooser: Callable[..., Judge] | None = None) -> None:
        check_share(settings.sample, "--sample")
        self.rules: Rules = load_rules(settings.rules)
        self.judging = Judging(settings, chooser=chooser)
        self._server, self._seed = _pinned(self.judging), settings.seed
        names = BUILT_IN if self._server is None else (self._server,)
        self._profiles: dict[str, Profile] = {name: self.judging.rules_on(load_profile(name)) for name in names}
        for rule in self.rules.rules:
            if rule.profile is not None:
                self._load(rule.name, rule.profile)
        self._signatures: dict[tuple[str, int], str] = {}

    @property
    def by_attributes(self) -> bool:
        """Whether a span's attributes are needed to say what holds."""
        return self.rules.by_attributes

    @property
    def floors(self) -> dict[str, float]:
        """The floor under resolvability of every profile that has one, by its name."""
        return {one.name: one.floor for one in self._profiles.values() if one.floor is not None}

    def of(self, traced: TracedAnswer, attributes: Mapping[str, Any]) -> Holding:
        """Return what holds for an answer; `attributes` are those of its span, on top of its resource's.

        The profile is the rule's, else the server's, else the one that the record names where it is one that is shipped
        (a trace names no files of this machine), else the general one. Under a calibration or rubrics of one's own the
        server's is that of the calibration, else the general one: they were made for one profile.
        """
        applied = self.rules.for_answer(traced, attributes)
        return Holding(applied, self._profiles[self._profile_name(applied, traced.record)])

    def signature(self, judge: Judge, profile: Profile, registries: str | None = None) -> str:
        """Return the printed signature; a profile's is made once a judge."""
        key = (
            judge.name,
            id(profile),
        )  # a profile lives as long as this; its label takes longer to make than a look-up
        if key not in self._signatures:
            self._signatures[key] = str(sign(judge, profile, self._seed, registries=registries))
        return self._signatures[key]

    def check_judges(self) -> None:
        """Make every judge that may be asked, before anything is read. Raises SettingError, InputError at a rule's place."""
        for name in (*self._profiles,):
            self.judging.judge(self._profiles[name])
        for rule in self.rules.rules:
            if rule.judge is not None:
                try:
                    self.judging.judge(self._profiles[rule.profile or self._server or GENERAL], spec=rule.judge)
                except SettingError as error:
                    raise self.rules.wrong(rule.name, "judge", str(error)) from None

    def _profile_name(self, applied: Applied, record: Record) -> str:
        if applied.profile is not None:
            return applied.profile
        if self._server is not None:
            return self._server
        return record.profile if record.profile in BUILT_IN else GENERAL

    def _load(self, rule: str, name: str) -> None:
        if name in self._profiles:
            return
        try:
            self._profiles[name] = self.judging.rules_on(load_profile(name))
        except InputError:
            raise
        except SettingError as error:
            raise self.rules.wrong(rule, "profile", str(error)) from None


def _pinned(judging: Judging) -> str | None:
    """Return the profile of every answer that no rule gives another; None where each answer may name its own."""
    if judging.settings.profile is not None:
        return judging.settings.profile
    if judging.fitted is not None:
        return judging.fitted.profile
    return GENERAL if judging.rubrics else None
