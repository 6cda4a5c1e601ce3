"""The package was called `probative` up to version 0.1. What was written under that name stays readable; this is where."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path

NAME, FORMER = "showable", "probative"
_PREFIX, _FORMER_PREFIX = f"{NAME.upper()}_", f"{FORMER.upper()}_"


def with_former_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment with each `PROBATIVE_X` as `SHOWABLE_X`, unless that is set. Warns once; goes after version 0.2."""
    former = {
        new: value
        for name, value in environment.items()
        if name.startswith(_FORMER_PREFIX) and (new := _PREFIX + name.removeprefix(_FORMER_PREFIX)) not in environment
    }
    if former:
        named = ", ".join(sorted(f"{_FORMER_PREFIX}{name.removeprefix(_PREFIX)}" for name in former))
        warnings.warn(f"{named}: read for now; write {_PREFIX}… instead", FutureWarning, stacklevel=2)
    return {**environment, **former}


def user_folder(root: Path) -> Path:
    """Return the folder of ours below `root`, or the one under the former name where only that exists."""
    return root / FORMER if (root / FORMER).is_dir() and not (root / NAME).exists() else root / NAME
