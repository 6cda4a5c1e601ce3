"""Wires every registry to the network, safely, with pace, cache and imported citations: the command line's way in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from showable.records import Registry
from showable.registries.catalogue import make_registries
from showable.registries.consult_cache import AnswerCache
from showable.registries.consult_order import LOCAL, READ_CITED_ADDRESSES
from showable.registries.consultation import Consultation
from showable.registries.local import Local
from showable.registries.settings import Settings
from showable.registries.web.addresses import Allowed
from showable.registries.web.asking import Pace, Web
from showable.registries.web.client import SafeNetwork, addresses_of, agent_of

__all__ = ["Consultation", "make_consultation"]


def make_consultation(
    settings: Settings,
    *,
    order: Mapping[str, Sequence[str]] | None = None,
    also: Mapping[str, Sequence[str]] | None = None,
    offline: bool = False,
    cache_path: Path | None = None,
    deadline: float = 60.0,
    local: Registry | None = None,
    allow: Allowed = frozenset(),
    pace: Pace | None = None,
    network: SafeNetwork | None = None,
    believed: float = 1.0,
) -> Consultation:
    """Wire every registry to the network, safely: the command line's way in.

    Seconds of `deadline` bound each call of `lookup_all`. `local` replaces the user's own imported citations. `allow`
    lists (host, port) pairs that may be asked though they are not public; so may the addresses of `settings`, but not
    by whoever asks addresses that a text names. `pace` replaces every registry's own (a mirror of one's own has no
    limits; for public services it must not be faster). `believed` is the share of its time for which a kept answer counts. Without `cache_path` nothing is kept. Raises SettingError
    for a registry of `order` that is not known.
    """
    ways = network or SafeNetwork(allow=allow, agent=agent_of(settings))

    def web_for(name: str, own: Pace) -> Web:
        reads_cited = name in READ_CITED_ADDRESSES
        return ways.bind(
            name,
            pace or own,
            allow=frozenset() if reads_cited else addresses_of(settings),
            vet_url=_vet_url if reads_cited else None,
        )

    imported = Local(settings=settings) if local is None else local
    cache = AnswerCache(cache_path, believed=believed) if cache_path is not None else None
    bases = sorted((name, base) for name, base in settings.base.items() if name != LOCAL)
    return Consultation(
        _Known(imported if imported.not_configured() is None else None, make_registries(web_for, settings)),
        order=order,
        also=also,
        cache=cache,
        offline=offline,
        deadline_s=deadline,
        scope=repr(bases) if bases else "",
        close=(ways.aclose, partial(_close, imported)),
    )


class _Known(Mapping[str, Registry]):
    """The registries of the catalogue, and imported citations where there are any."""

    def __init__(self, local: Registry | None, others: Mapping[str, Registry]) -> None:
        self._local, self._others = local, others

    def __getitem__(self, name: str) -> Registry:
        if name == LOCAL and self._local is not None:
            return self._local
        return self._others[name]

    def __iter__(self) -> Iterator[str]:
        yield from (LOCAL,) if self._local is not None else ()
        yield from self._others

    def __len__(self) -> int:
        return len(self._others) + (self._local is not None)


async def _close(registry: Registry) -> None:
    close = getattr(registry, "close", None)
    if close is not None:
        close()


def _vet_url(url: str) -> str | None:
    from showable.read.scan.urls import vet_url  # noqa: PLC0415 - takes the list of public suffixes with it

    return vet_url(url)
