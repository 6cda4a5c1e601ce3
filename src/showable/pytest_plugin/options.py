"""Options and ini settings of the plugin, and what they are turned into. Nothing heavy is imported before one is used."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from showable.judging_settings import Judging, JudgingSettings

if TYPE_CHECKING:
    from showable.records.profile import Profile


class _Option(NamedTuple):
    """An option ``--showable-NAME`` and an ini setting ``showable_NAME``; without a metavar it is a flag."""

    name: str
    metavar: str
    said: str
    many: bool = False


_OPTIONS = (
    _Option(
        "judge", "JUDGE", "who judges: embedded (the default), lexical, onnx:FOLDER, scripted:FILE, chat:MODEL[@URL], …"
    ),
    _Option(
        "profile", "PROFILE", "rules of a field (legal, medical, research, news, general) or a .toml file of yours"
    ),
    _Option("threshold", "P", "p at which a verdict is support: 0.5, or 0.5,holding=0.7"),
    _Option("calibration", "FILE", "thresholds and recalibration fitted on people's labels"),
    _Option("rubric", "FILE", "a rubric of yours that passed its test; may be given several times", many=True),
    _Option("schema", "FILE", "your own JSON Schema of an answer, or the function that your model calls"),
    _Option("look_up", "", "ask registries of record about what is cited"),
    _Option("offline", "", "look up in the cache and in imported registries only"),
    _Option("critical", "KINDS", "claim kinds that a cascade always puts to its second judge"),
    _Option("unknown", "WHAT", "what a test does whose answer could not be decided: fail (the default), skip or xfail"),
    _Option(
        "max_failures", "SHARE", "fail the session where more of the judge or registry calls failed (default: 0.05)"
    ),
)
_UNKNOWN = ("fail", "skip", "xfail")
_FILES = ("scripted:", "onnx:")
_OWN = ("unknown", "max_failures")
_LIMIT = "0.05"


@dataclass(slots=True)
class Settings:
    """What was asked for on the command line or in the ini file."""

    by: JudgingSettings = field(default_factory=JudgingSettings)
    unknown: str = _UNKNOWN[0]
    max_failures: str = _LIMIT
    _judging: Judging | None = None
    _rules: dict[str, Profile] = field(default_factory=dict)

    def check(self) -> None:
        """Raise UsageError for what cannot be used. Costs an import only where something was asked for."""
        if self.unknown not in _UNKNOWN:
            raise pytest.UsageError(f"--showable-unknown: expected {', '.join(_UNKNOWN)}, got {self.unknown!r}")
        if self.by == JudgingSettings() and self.max_failures == _LIMIT:
            return
        from showable.errors import ShowableError  # noqa: PLC0415 - as the docstring says

        tried = (
            ("max-failures", self.max_failures, self.limit),
            ("calibration", self.by.calibration, self.judging),
            ("rubric", self.by.rubric, self.judging),
            ("schema", self.by.schema, self.judging),
            ("judge", self.by.judge, self.judging().plain),
            ("profile", self.by.profile, self._profile),
            ("threshold", self.by.threshold, self.rules),
            ("calibration", self.by.calibration, lambda: self.by.profile and self.judging().judge(self.rules())),
        )
        for name, given, make in tried:
            try:
                if given is not None:
                    make()
            except ShowableError as error:
                raise pytest.UsageError(f"--showable-{name}: {error}") from None

    def judging(self) -> Judging:
        """Return the reader of these settings; it reads their files once."""
        if self._judging is None:
            self._judging = Judging(self.by)
        return self._judging

    def rules(self, named: str | None = None) -> Profile:
        """Return the profile that was asked for, else the one that a record names, as the settings have it; each once."""
        from showable.profiles.load import load_profile, only_profile  # noqa: PLC0415 - loads pydantic

        name = self.by.profile or only_profile({named: 1})
        if name not in self._rules:
            self._rules[name] = self.judging().rules_on(load_profile(name))
        return self._rules[name]

    def limit(self) -> float:
        """Return the share of calls that may fail."""
        from showable.measure.not_measured import parse_share  # noqa: PLC0415 - loads pydantic

        return parse_share(self.max_failures, "--showable-max-failures")

    def _profile(self) -> Profile:
        from showable.profiles.load import load_profile  # noqa: PLC0415 - loads pydantic

        return load_profile(self.by.profile or "general")


_SETTINGS: pytest.StashKey[Settings] = pytest.StashKey()


def add_options(parser: pytest.Parser) -> None:
    """Add ``--showable-NAME`` and the ini setting ``showable_NAME`` for each."""
    group = parser.getgroup("showable", "showable: may these answers be shown?")
    for option in _OPTIONS:
        flag, said = _flag(option), option.said
        kind: dict[str, Any] = {"action": "append"} if option.many else {}
        if option.metavar:
            group.addoption(flag, metavar=option.metavar, default=None, help=said, **kind)
        else:
            group.addoption(flag, action="store_true", default=None, help=said)
        ini: Any = "paths" if option.many else None if option.metavar else "bool"
        parser.addini(f"showable_{option.name}", f"{said} (as {flag})", type=ini, default=() if option.many else "")


def read_settings(config: pytest.Config) -> Settings:
    """Read the settings once a session: an option beats the ini file, whose relative paths start where it stands."""
    if _SETTINGS not in config.stash:
        given = {option.name: config.getoption(_flag(option)) or _from_ini(config, option) for option in _OPTIONS}
        held = {name: value for name, value in given.items() if value}
        own = {name: held.pop(name) for name in _OWN if name in held}
        held |= {name: Path(held[name]) for name in ("calibration", "schema") if name in held}
        if "rubric" in held:
            held["rubric"] = tuple(map(Path, held["rubric"]))
        config.stash[_SETTINGS] = Settings(JudgingSettings(**held), **own)
    return config.stash[_SETTINGS]


def _flag(option: _Option) -> str:
    return f"--showable-{option.name.replace('_', '-')}"


def _from_ini(config: pytest.Config, option: _Option) -> Any:
    held = config.getini(f"showable_{option.name}")
    if option.many or not option.metavar:
        return held or None
    name, said = option.name, str(held or "").strip()
    folder = config.inipath.parent if config.inipath else Path(config.rootpath)
    if said and (name in {"calibration", "schema"} or (name == "profile" and said.endswith(".toml"))):
        return str(folder / said)
    for kind in _FILES if name == "judge" else ():
        said = said.replace(kind, f"{kind}{folder}/", 1) if kind in said and _relative(said, kind) else said
    return said or None


def _relative(said: str, kind: str) -> bool:
    return not Path(said.partition(kind)[2]).is_absolute()
