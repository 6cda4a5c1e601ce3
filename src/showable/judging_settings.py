"""The one reader of settings: who judges an answer, by which rules, and which registries are asked about it.

`score`, `run`, `traces score`, `serve` and the pytest plugin read the same settings here, so that what one can do all can.
Nothing heavy is imported before it is needed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from showable.errors import SettingError
from showable.former_name import user_folder

if TYPE_CHECKING:
    from collections import Counter

    from showable.judges.chat_settings import ChatSettings
    from showable.records.calibration import Calibration, Shot
    from showable.records.evidence import Judge
    from showable.records.lookups import Registries
    from showable.records.profile import OwnSchema, Profile
    from showable.records.rubric_file import OwnRubric

LOOK_UP_SECONDS = 600.0
"""How long the lookups of one answer may wait for their turn: some registries take one question a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatOptions:
    """What only a chat judge reads, by itself or behind a cascade."""

    price_in: float | None = None
    price_out: float | None = None
    samples: int | None = None
    batch: int | None = None
    domain: str | None = None
    logprobs: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingSettings:
    """Plain values, which can be handed to another process.

    `critical` are claim kinds for a cascade's second judge in place of the profile's. `keep_verdicts` False has a chat
    judge's verdicts not kept on disk. A `dry_run` makes no call, so it needs no key.
    """

    judge: str | None = None
    threshold: str | None = None
    calibration: Path | None = None
    profile: str | None = None
    rubric: Sequence[Path] | None = None
    schema: Path | None = None
    look_up: bool = False
    offline: bool = False
    critical: str | None = None
    chat: ChatOptions = ChatOptions()
    concurrency: int = 8
    keep_verdicts: bool = True
    dry_run: bool = False


class Judging:
    """Settings with their files read. Raises SettingError or InputError where one cannot be used."""

    def __init__(self, settings: JudgingSettings, *, chooser: Callable[..., Judge] | None = None) -> None:
        """Read calibration and rubrics; no judge is made before it is asked for."""
        self.settings = settings
        self.fitted = open_calibration(settings.calibration, threshold=settings.threshold)
        self.rubrics = read_rubrics(settings.rubric)
        self.own_schema = None if settings.schema is None else _read_schema(settings.schema)
        self._chooser = chooser
        self._plain: dict[str | None, Judge] = {}

    def rules(self, named: Counter[str | None] | None = None) -> Profile:
        """Return the rules in force; `named` counts the profiles that records name. Raises SettingError where they clash."""
        from showable.profiles.load import load_profile, only_profile

        return self.rules_on(load_profile(self.settings.profile or only_profile(named or {})))

    def rules_on(self, profile: Profile) -> Profile:
        """Return a profile under the thresholds, the calibration, the rubrics and the schema of the settings."""
        from showable.records.signature import Thresholds

        threshold = self.settings.threshold
        rules = profile if threshold is None else profile.at(Thresholds.parse(threshold))
        rules = rules_under(self.fitted, rules)
        rules = rules_with(self.rubrics, rules, thresholds_given=bool(threshold or self.fitted))
        return rules if self.own_schema is None else rules.model_copy(update={"own_schema": self.own_schema})

    def plain(self, spec: str | None = None) -> Judge:
        """Return the judge by itself, made once; `spec` names another than that of the settings."""
        spec = spec or self.settings.judge
        if spec not in self._plain:
            self._plain[spec] = self._make(spec)
        return self._plain[spec]

    def judge(self, rules: Profile, *, spec: str | None = None, given: Judge | None = None) -> Judge:
        """Return the judge under the calibration, a cascade with the critical kinds of the rules; `given` is one made elsewhere."""
        plain = given or self.plain(spec)
        if self.settings.critical is None:
            plain = with_critical(plain, rules)
        return judge_under(self.fitted, plain)

    def registries(self, rules: Profile) -> Registries | None:
        """Return whatever is to be asked about citations; None where nobody is."""
        return make_registries(rules, look_up=self.settings.look_up, offline=self.settings.offline)

    def _make(self, spec: str | None) -> Judge:
        given = self.settings
        made = make_judge(
            spec,
            given.chat,
            concurrency=given.concurrency,
            critical=given.critical,
            shots=shots_of(self.fitted),
            rubrics=self.rubrics,
            dry_run=given.dry_run,
            keep_verdicts=given.keep_verdicts,
            chooser=self._chooser,
        )
        refuse_untested(given.rubric, self.rubrics, made, given.chat)
        return made


def _read_schema(path: Path) -> OwnSchema:
    from showable.profiles.own_schema import read_own_schema

    return read_own_schema(path)


def tell(said: str) -> None:
    """Write a note on stderr, with nothing in it that a terminal would obey."""
    from showable.report.untrusted import printable

    print(f"showable: {printable(said)}", file=sys.stderr)  # noqa: T201 - the way of all notes


def make_judge(
    spec: str | None,
    options: ChatOptions = ChatOptions(),
    *,
    concurrency: int = 8,
    critical: str | None = None,
    shots: tuple[Shot, ...] = (),
    rubrics: tuple[OwnRubric, ...] = (),
    dry_run: bool = False,
    keep_verdicts: bool = True,
    chooser: Callable[..., Judge] | None = None,
) -> Judge:
    """Make the judge that was asked for, with its verdicts kept on disk where it is not embedded.

    A dry run makes no call, so it needs no key. Raises SettingError where an option does not go with the judge.
    """
    from showable.judges.choose import choose

    _refuse_idle(
        spec,
        critical=critical,
        samples=options.samples,
        batch=options.batch,
        domain=options.domain,
        logprobs=options.logprobs,
    )
    chat = _chat_settings(options, concurrency, shots, rubrics, dry_run=dry_run)
    kinds = frozenset(kind.strip() for kind in (critical or "").split(",") if kind.strip())
    return (chooser or choose)(spec, cache=verdict_cache() if keep_verdicts else None, chat=chat, critical=kinds)


def _chat_settings(
    options: ChatOptions, concurrency: int, shots: tuple[Shot, ...], rubrics: tuple[OwnRubric, ...], *, dry_run: bool
) -> ChatSettings:
    from showable.judges.chat_settings import ChatSettings, Domain

    return ChatSettings(
        api_key="none" if dry_run else None,
        concurrency=concurrency,
        usd_per_million_in=options.price_in,
        usd_per_million_out=options.price_out,
        samples=options.samples or 1,
        batch=options.batch or 1,
        domain=cast("Domain | None", options.domain),  # checked where it is used
        logprobs=bool(options.logprobs),
        shots=shots,
        rubrics=rubrics,
    )


def _refuse_idle(spec: str | None, *, critical: str | None, **of_chat: object) -> None:
    """Refuse options that the judge would not read: what was asked for would silently not be done."""
    kind, _, rest = (spec or "").strip().partition(":")
    if critical is not None and kind != "cascade":
        raise SettingError("--critical goes with --judge cascade:JUDGE; no other judge has a second one to ask")
    given = next((name for name, value in of_chat.items() if value is not None), None)
    if given is not None and "chat" not in {kind, rest.partition(":")[0] if kind == "cascade" else None}:
        raise SettingError(f"--{given} goes with --judge chat:MODEL or cascade:chat:MODEL")


def verdict_cache() -> Path:
    """Return where verdicts that cost something are kept: one file a user, shared by all runs."""
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return user_folder(Path(root)) / "verdicts.sqlite"


def registry_cache() -> Path:
    """Return where answers of registries are kept: one file a user."""
    return verdict_cache().with_name("registries.sqlite")


def with_critical(judge: Judge, rules: Profile) -> Judge:
    """Return a cascade that puts the critical kinds of a profile to its second judge; any other judge as it is."""
    again = getattr(judge, "with_critical", None)
    return judge if again is None or not rules.critical else again(frozenset(rules.critical))


def make_registries(profile: Profile, *, look_up: bool, offline: bool) -> Registries | None:
    """Make whatever can be asked about citations, with the order of the profile; None where nobody is to be asked."""
    if not look_up and not offline:
        return None
    from showable.registries.consult import make_consultation
    from showable.registries.settings import settings_from

    made = make_consultation(
        settings_from(os.environ),
        order=profile.registries,
        also=profile.notices,
        offline=offline,
        cache_path=registry_cache(),
        deadline=LOOK_UP_SECONDS,
    )
    for note in made.notes:
        tell(note)
    if not offline:
        tell("registries are asked about what is cited; the citations leave this machine, the documents do not")
    return made


def open_calibration(path: Path | None, *, threshold: object = None, option: str = "--threshold") -> Calibration | None:
    """Read the file of --calibration, if one is given. Raises SettingError beside an option that cuts p elsewhere."""
    from showable.calibrating.calibration_file import read_calibration
    from showable.stores.judge_versions import kept_aside

    if path is None:
        return None
    if threshold is not None:
        raise SettingError(f"--calibration and {option} both say where p is cut; give one of them")
    if why := kept_aside(path):
        tell(f"--calibration: {why}")
    return read_calibration(path)


def shots_of(calibration: Calibration | None) -> tuple[Shot, ...]:
    """Return the worked examples that a chat judge's prompt is to hold."""
    return () if calibration is None else calibration.shots


def judge_under(calibration: Calibration | None, judge: Judge) -> Judge:
    """Put a judge under a calibration. Raises SettingError where it was fitted for another judge or prompt."""
    from showable.judges.calibrated import CalibratedJudge, refuse_another_judge
    from showable.judges.origin import origin

    if calibration is None:
        return judge
    if calibration.head is not None:
        with_head = getattr(judge, "with_head", None)
        if with_head is None:
            said = f"holds a head for {calibration.judge}, and {judge.name} takes none"
            raise SettingError(f"calibration {calibration.label}: {said}")
        refuse_another_judge(calibration, *origin(judge))  # another version may not know this head's features
        judge = with_head(calibration.head)
    return CalibratedJudge(judge, calibration)


def rules_under(calibration: Calibration | None, rules: Profile) -> Profile:
    """Return the rules with the thresholds of a calibration.

    Raises SettingError where it was fitted under another profile, or where the profile has since been given a threshold for
    a kind that the calibration knows nothing of: that kind would silently be cut at the common one.
    """
    if calibration is None:
        return rules
    if calibration.profile != rules.name:
        said = f"was fitted under the profile {calibration.profile}, these answers are scored under {rules.name}"
        raise SettingError(f"calibration {calibration.label}: {said}; calibrate with --profile, or score under its own")
    unknown = sorted(set(rules.thresholds.per_kind) - set(calibration.thresholds.per_kind))
    if unknown:
        said = f"has no threshold for {', '.join(unknown)}, and the profile {rules.name} sets one; calibrate anew"
        raise SettingError(f"calibration {calibration.label}: {said}")
    return rules.at(calibration.thresholds).model_copy(update={"shown_from": calibration.shown_from})


def read_rubrics(paths: Sequence[Path] | None) -> tuple[OwnRubric, ...]:
    """Read the files of --rubric. Raises SettingError where two are for the same kind of claim."""
    from showable.authoring.rubric_toml import read_rubric

    rubrics = tuple(read_rubric(path) for path in paths or ())
    kinds: dict[str | None, str] = {}
    for rubric in rubrics:
        if rubric.kind in kinds:
            whose = f"claims of kind {rubric.kind}" if rubric.kind else "all claims"
            raise SettingError(
                f"--rubric: {kinds[rubric.kind]} and {rubric.name} are both for {whose}; give one of them"
            )
        kinds[rubric.kind] = rubric.name
    return rubrics


def refuse_untested(
    paths: Sequence[Path] | None, rubrics: Sequence[OwnRubric], judge: Judge, options: ChatOptions
) -> None:
    """Refuse a rubric that did not pass its test with this judge. Raises SettingError."""
    from showable.authoring.trial import need_tested
    from showable.judges.origin import origin

    for path, rubric in zip(paths or (), rubrics, strict=True):
        need_tested(path, rubric, origin(judge)[0], None if judge.prompt_hash is None else prompt_with(rubric, options))


def prompt_with(rubric: OwnRubric, options: ChatOptions) -> str:
    """Return the hash of a chat judge's prompt that holds this rubric and no other."""
    from showable.judges.chat_prompt import hash_of, prompts_by_kind
    from showable.judges.chat_settings import ChatSettings, Domain

    domain = cast("Domain | None", options.domain)
    return hash_of(prompts_by_kind(ChatSettings(domain=domain, logprobs=bool(options.logprobs), rubrics=(rubric,))))


def rules_with(rubrics: Sequence[OwnRubric], rules: Profile, *, thresholds_given: bool) -> Profile:
    """Return the rules with the rubrics in force, and their thresholds, unless those were given otherwise.

    Raises SettingError where the profile never gives a claim the kind that a rubric is for.
    """
    from showable.read.claim_kinds import RULES
    from showable.records.signature import Thresholds

    if not rubrics:
        return rules
    kinds = RULES[rules.claim_rules].kinds
    for rubric in rubrics:
        if rubric.kind is not None and kinds and rubric.kind not in kinds:
            said = f"is for claims of kind {rubric.kind}, and the profile {rules.name} gives none that kind"
            raise SettingError(f"rubric {rubric.name}: {said} (it knows {', '.join(kinds)})")
    if not kinds:
        _tell_unfound(rubrics, rules)
    before = rules.thresholds
    support = next((rubric.threshold for rubric in rubrics if rubric.kind is None), before.support)
    own = {rubric.kind: rubric.threshold for rubric in rubrics if rubric.kind is not None}
    fitted = before if thresholds_given else Thresholds(support=support, per_kind=before.per_kind | own)
    return rules.at(fitted).model_copy(update={"own_rubrics": tuple(sorted(rubric.label for rubric in rubrics))})


def _tell_unfound(rubrics: Sequence[OwnRubric], rules: Profile) -> None:
    """Report that a profile gives claims no kind, so that a rubric may come to be asked about none of them."""
    from showable.read.claim_kinds import RULES

    for rubric in rubrics:
        if rubric.kind is not None:
            said = f"the profile {rules.name} finds no kinds of claims; only those that an answer itself calls {rubric.kind} fall under it"
            finds = f" (--profile {rubric.field} finds them)" if RULES[rubric.field].kinds else ""
            tell(f"rubric {rubric.name}: {said}{finds}")
