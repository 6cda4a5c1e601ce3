"""References that answers had, asked of registries behind them: the cache is filled before its answers are too old."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from showable.judging_settings import LOOK_UP_SECONDS, registry_cache
from showable.production.guard.kept_answers import RouteRule
from showable.records.record import Reference

MOST_WANTED, ASKED_AT_ONCE = 10_000, 16
_HALF = 0.5
"""The share of its time after which a known answer is asked for again."""


class Refreshing:
    """References to ask registries about, each once in ten minutes; the answers go into the cache that the next answer is read from."""

    def __init__(self, routes: Mapping[str, RouteRule]) -> None:
        self._routes = routes
        self.wanted: OrderedDict[tuple[str, str], Reference] = OrderedDict()
        self._asked: dict[str, Any] = {}

    def want(self, route: str, references: Sequence[Mapping[str, Any]]) -> None:
        """Note references that an answer of a route has."""
        for given in references:
            reference = Reference.model_validate(given)
            self.wanted[route, orjson.dumps(given).decode()] = reference
        while len(self.wanted) > MOST_WANTED:
            self.wanted.popitem(last=False)

    async def refresh(self) -> bool:
        """Ask about the oldest, all of one route at a time; what is known and young is not asked again."""
        if not self.wanted:
            return False
        route = next(iter(self.wanted))[0]
        keys = [key for key in self.wanted if key[0] == route][:ASKED_AT_ONCE]
        references = [self.wanted.pop(key) for key in keys]
        if (rule := self._routes.get(route)) is not None:
            await self._registries(rule).lookup_all(references)
        return True

    def _registries(self, rule: RouteRule) -> Any:
        from showable.registries.consult import make_consultation  # noqa: PLC0415 - many guards ask nobody
        from showable.registries.settings import settings_from  # noqa: PLC0415 - as above

        profile = rule.profile
        if profile.label not in self._asked:
            self._asked[profile.label] = make_consultation(
                settings_from(os.environ),
                order=profile.registries,
                also=profile.notices,
                cache_path=registry_cache(),
                deadline=LOOK_UP_SECONDS,
                believed=_HALF,
            )
        return self._asked[profile.label]

    async def close(self) -> None:
        """Close connections and files."""
        for registries in self._asked.values():
            await registries.aclose()
