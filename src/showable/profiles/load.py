"""Read a profile: one that is shipped by its name, a team's own by its path, each on top of the one it extends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from showable.errors import InputError, SettingError
from showable.profiles.toml_file import TomlFile
from showable.read.claim_kinds import RULES
from showable.read.scan.patterns import scan_patterns
from showable.records.lines import explain
from showable.records.profile import GENERAL, Profile
from showable.rubrics.demands import FORMAT_KINDS

BUILT_IN = ("general", "legal", "medical", "research", "news")
_MERGED = ("registries", "patterns", "notices", "tiers", "refusal", "thresholds", "label_roles")
"""Tables of which a profile may name a part; every other field replaces that of the profile it extends."""


def load_profile(name: str) -> Profile:
    """Load a profile by the name of a shipped one, or by the path of a TOML file.

    Raises SettingError for a name that is neither, InputError (file, line, field) for a file that is no profile.
    """
    if name not in BUILT_IN and not name.endswith(".toml") and not _is_file(name):
        raise SettingError(f"profile {name!r}: expected {', '.join(BUILT_IN)}, or the path of a .toml file")
    raw = _builtin(name) if name in BUILT_IN else TomlFile.read(Path(name))
    profile = _unfold(raw, ())
    _check_names(raw, profile)
    return profile


def _is_file(name: str) -> bool:
    """Return True for the path of a plain file, and no device: `/dev/zero` never ends."""
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # longer than a path may be, or with a NUL in it
        return False


def only_profile(named: Mapping[str | None, int]) -> str:
    """Return the one profile that records name, ``general`` where none does.

    `named` counts the records by the profile they name, None among them for those that name none. Raises SettingError
    where they name several, or anything but a shipped one: a file has thresholds of its own, and records, which may come
    from anywhere, do not choose those that they are held to.
    """
    if len(named) > 1:
        most = sorted(named.items(), key=lambda entry: -entry[1])[:4]
        listed = ", ".join(f"{profile or 'none'} {count}" for profile, count in most)
        raise SettingError(f"the records name several profiles ({listed}); score them apart, or say which profile")
    name = next(iter(named), None) or "general"
    if name not in BUILT_IN:
        said = f"the records name the profile {name[:80]!r}: expected {', '.join(BUILT_IN)}"
        raise SettingError(f"{said}; a file of your own is named by whoever scores them (--profile FILE.toml)")
    return name


def read_builtin(name: str) -> str:
    """Return the text of a shipped profile, to start one's own from."""
    return (files("showable.profiles") / "builtin" / f"{name}.toml").read_text("utf-8")


def read_profile_json(path: Path) -> Profile:
    """Read the profile that a run was scored under; a run from before there were profiles has the general one."""
    try:
        return Profile.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return GENERAL
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from None
    except ValidationError as error:
        field, said = explain(error)
        raise InputError(said, path=str(path), field=field) from None


def _builtin(name: str) -> TomlFile:
    return TomlFile(f"{name}.toml", read_builtin(name))


def _unfold(raw: TomlFile, above: tuple[str, ...]) -> Profile:
    """Put a profile on top of the one that it extends. Its own fields are checked first, so that errors name its file."""
    own = raw.validate(Profile)
    base_name = own.extends
    if base_name is None:
        return own
    if base_name in above:
        raise raw.wrong("extends", f"profiles extend each other in a ring: {' → '.join([*above, base_name])}")
    base = _unfold(_find_base(raw, base_name), (*above, base_name))
    given = base.model_dump(mode="json")
    for field, value in own.model_dump(mode="json", exclude_unset=True).items():
        given[field] = _merge(given[field], value) if field in _MERGED else value
    return Profile.model_validate(given)


def _merge(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    return base | {k: _merge(base[k], v) if isinstance(v, dict) and k in base else v for k, v in own.items()}


def _find_base(raw: TomlFile, name: str) -> TomlFile:
    if name in BUILT_IN:
        return _builtin(name)
    beside = Path(raw.where).parent / name
    if not beside.is_file():
        raise raw.wrong("extends", f"expected {', '.join(BUILT_IN)} or a .toml file beside this one, got {name!r}")
    return TomlFile.read(beside)


def _check_names(raw: TomlFile, profile: Profile) -> None:
    """Refuse formats that there is no check for, patterns that cannot be read, and claim kinds that its rules never give."""
    kinds = RULES[profile.claim_rules].kinds
    named: list[tuple[str, Iterable[str], tuple[str, ...]]] = [("formats", profile.formats, tuple(FORMAT_KINDS))]
    if kinds:  # the general rules take any kind that an answer states
        named += [
            ("critical", profile.critical, kinds),
            ("topical", profile.topical, kinds),
            ("versioned", profile.versioned, kinds),
            ("thresholds.per_kind", profile.thresholds.per_kind, kinds),
        ]
    try:
        scan_patterns("", profile.patterns)
    except SettingError as error:
        raise raw.wrong("patterns", str(error)) from None
    for field, given, known in named:
        for name in given:
            if name not in known:
                raise raw.wrong(field, f"{name!r} is none of {', '.join(known)}")
