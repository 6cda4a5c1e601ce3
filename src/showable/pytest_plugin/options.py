"""Options and ini settings of the plugin, and what they are turned into. Nothing heavy is imported before one is used."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from showable.records.evidence import Judge
    from showable.records.profile import Profile
    from showable.records.signature import Thresholds

_OPTIONS = (
    ("judge", "JUDGE", "who judges: embedded (the default), lexical, onnx:FOLDER, scripted:FILE, chat:MODEL[@URL], …"),
    ("profile", "PROFILE", "rules of a field (legal, medical, research, news, general) or a .toml file of yours"),
    ("threshold", "P", "p at which a verdict is support: 0.5, or 0.5,holding=0.7"),
    ("unknown", "WHAT", "what a test does whose answer could not be decided: fail (the default), skip or xfail"),
)
_UNKNOWN = ("fail", "skip", "xfail")
_FILES = ("scripted:", "onnx:")


@dataclass(slots=True)
class Settings:
    """What was asked for on the command line or in the ini file; None where nothing was."""

    judge_named: str | None = None
    profile_named: str | None = None
    threshold: str | None = None
    unknown: str = "fail"
    profiles: dict[str, Profile] = field(default_factory=dict)

    def check(self) -> None:
        """Raise UsageError for what cannot be used. Costs an import only where something was asked for."""
        if self.unknown not in _UNKNOWN:
            raise pytest.UsageError(f"--showable-unknown: expected {', '.join(_UNKNOWN)}, got {self.unknown!r}")
        if self.judge_named is None and self.profile_named is None and self.threshold is None:
            return
        from showable.errors import ShowableError  # noqa: PLC0415 - as the docstring says

        tried = (("judge", self.judge_named, self.judge), ("profile", self.profile_named, self.rules))
        for name, given, make in (*tried, ("threshold", self.threshold, self.thresholds)):
            try:
                if given is not None:
                    make()
            except ShowableError as error:
                raise pytest.UsageError(f"--showable-{name}: {error}") from None

    def judge(self) -> Judge:
        """Make the judge."""
        from showable.judges.choose import choose  # noqa: PLC0415 - loads pydantic

        return choose(self.judge_named)

    def thresholds(self) -> Thresholds | None:
        """Read the thresholds."""
        from showable.records.signature import Thresholds  # noqa: PLC0415 - loads pydantic

        return None if self.threshold is None else Thresholds.parse(self.threshold)

    def rules(self, named: str | None = None) -> Profile:
        """Load the profile that was asked for, else the one that a record names, at the thresholds asked for; each once."""
        from showable.profiles.load import load_profile, only_profile  # noqa: PLC0415 - loads pydantic

        name = self.profile_named or only_profile({named: 1})
        if name not in self.profiles:
            loaded, thresholds = load_profile(name), self.thresholds()
            self.profiles[name] = loaded if thresholds is None else loaded.at(thresholds)
        return self.profiles[name]


_SETTINGS: pytest.StashKey[Settings] = pytest.StashKey()


def add_options(parser: pytest.Parser) -> None:
    """Add ``--showable-NAME`` and the ini setting ``showable_NAME`` for each."""
    group = parser.getgroup("showable", "showable: may these answers be shown?")
    for name, metavar, said in _OPTIONS:
        group.addoption(f"--showable-{name}", metavar=metavar, default=None, help=said)
        parser.addini(f"showable_{name}", f"{said} (as --showable-{name})", default="")


def read_settings(config: pytest.Config) -> Settings:
    """Read the settings once a session: an option beats the ini file, whose relative paths start where it stands."""
    if _SETTINGS not in config.stash:
        given = {name: config.getoption(f"--showable-{name}") or _from_ini(config, name) for name, *_ in _OPTIONS}
        config.stash[_SETTINGS] = Settings(
            given["judge"], given["profile"], given["threshold"], given["unknown"] or _UNKNOWN[0]
        )
    return config.stash[_SETTINGS]


def _from_ini(config: pytest.Config, name: str) -> str | None:
    said = str(config.getini(f"showable_{name}") or "").strip()
    folder = config.inipath.parent if config.inipath else Path(config.rootpath)
    if name == "profile" and said.endswith(".toml"):
        return str(folder / said)
    for kind in _FILES if name == "judge" else ():
        said = said.replace(kind, f"{kind}{folder}/", 1) if kind in said and _relative(said, kind) else said
    return said or None


def _relative(said: str, kind: str) -> bool:
    return not Path(said.partition(kind)[2]).is_absolute()
