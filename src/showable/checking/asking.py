"""Who will be asked: a profile's order of registries, narrowed to those that were named, and said before anything is sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from showable.errors import SettingError
from showable.records.profile import Profile
from showable.registries.catalogue import NAMES
from showable.registries.consult_order import DEFAULT_ALSO, DEFAULT_ORDER, IDS, LOCAL

Order = dict[str, tuple[str, ...]]


def orders(profile: Profile | None, only: Sequence[str] | None) -> tuple[Order, Order]:
    """Return, for each kind, the registries to ask and those to ask besides. Raises SettingError for a name that is none."""
    order, also = dict(DEFAULT_ORDER), dict(DEFAULT_ALSO)
    if profile is not None:
        order, also = order | profile.registries, also | profile.notices
    if not only:
        return order, also
    known = (LOCAL, *NAMES)
    if unknown := [name for name in only if name not in known]:
        raise SettingError(f"--registry: {unknown[0]!r} is none; there are {', '.join(known)}")
    return _narrowed(order, only), _narrowed(also, only)


def _narrowed(table: Mapping[str, Sequence[str]], only: Sequence[str]) -> Order:
    return {kind: tuple(name for name in names if name in only) for kind, names in table.items()}


def asked_of(
    kinds: Iterable[str], order: Mapping[str, Sequence[str]], also: Mapping[str, Sequence[str]]
) -> tuple[str, ...]:
    """Name the registries that questions of these kinds may go to, in order of the alphabet.

    An entry of a reference list is also looked up by the ids that it carries, so theirs are named with it.
    """
    wanted = set(kinds)
    if "bibliographic" in wanted:
        wanted |= {*IDS, "url"}
    named = {name for table in (order, also) for kind in wanted for name in table.get(kind, ())}
    return tuple(sorted(named - {LOCAL}))
