"""The judge of a run, where it can be made again from its name alone."""

from __future__ import annotations

from collections.abc import Iterable


def judge_of_runs(names: Iterable[str], *, wanted: str) -> str | None:
    """Return what --judge would say of the judge that runs name; None is the default one.

    `wanted` is how the one to be reached is spoken of. Raises SettingError where the name does not say how to reach it.
    """
    from showable.errors import SettingError

    named = set(names)
    short = {name.partition("@")[0] for name in named}
    if not short or short == {"embedded"}:
        return None
    if short == {"lexical"}:
        return "lexical"
    raise SettingError(f"the judge of the run is {min(named)}; say with --judge how to reach {wanted}")
