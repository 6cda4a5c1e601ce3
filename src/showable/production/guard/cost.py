"""What a call cost: the provider's own count of tokens times its prices. Never estimated; what is not known is None."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import orjson

from showable.errors import InputError
from showable.production.guard.guard_file import PriceTable
from showable.production.guard.wire.asked import Usage

_MILLION = 1_000_000
_TABLE = "model_prices_and_context_window_backup.json"
_TIERS = {"flex": "_flex", "priority": "_priority", "batch": "_batches"}
_LONG = ((272_000, "_above_272k_tokens"), (200_000, "_above_200k_tokens"), (128_000, "_above_128k_tokens"))


@dataclass(frozen=True, slots=True)
class Priced:
    """US dollars of one call, by what they were spent on; `source` says whose prices they are."""

    fresh: float
    cached: float
    written: float
    output: float
    source: str

    @property
    def usd(self) -> float:
        """The sum."""
        return self.fresh + self.cached + self.written + self.output


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices by model: those of the config first, then a table in the shape of LiteLLM's."""

    own: Mapping[str, PriceTable]
    listed: Mapping[str, Mapping[str, Any]]
    listed_from: str = ""

    def price(self, model: str, usage: Usage | None) -> Priced | None:
        """Price one call, None where tokens or a price are not known.

        The input beyond which a long prompt costs more, and the tier of service, choose the row.
        """
        if usage is None:
            return None
        if (own := self.own.get(model)) is not None:
            own_rates = (own.input, own.cached, own.cache_write, own.cache_write_1h, own.output)
            return _priced(usage, [None if rate is None else rate / _MILLION for rate in own_rates], "config")
        row = self.listed.get(model)
        if row is None:
            return None
        prompt = usage.fresh + usage.cached + usage.written
        suffix = next((name for least, name in _LONG if prompt > least and f"input_cost_per_token{name}" in row), "")
        tier = _TIERS.get(usage.tier or "", "")

        def rate(*names: str) -> float | None:
            """Return the price of the first name that the row has; a tier that has no price of its own has none."""
            for name in names:
                value = row.get(f"{name}{suffix}{tier}", row.get(f"{name}{tier}") if suffix else None)
                if isinstance(value, int | float) and not isinstance(value, bool):
                    return float(value)
            return None

        rates = (
            rate("input_cost_per_token"),
            rate("cache_read_input_token_cost"),
            rate("cache_creation_input_token_cost"),
            rate("cache_creation_input_token_cost_above_1hr"),
            rate("output_cost_per_token"),
        )
        return _priced(usage, list(rates), self.listed_from)


def _priced(usage: Usage, rates: list[float | None], source: str) -> Priced | None:
    fresh, cached, written, written_1h, output = rates
    parts = (
        (usage.fresh, fresh),
        (usage.cached, cached),
        (usage.written - usage.written_1h, written),
        (usage.written_1h, written_1h),
        (usage.output, output),
    )
    if any(tokens and rate is None for tokens, rate in parts):
        return None
    spent = [tokens * (rate or 0.0) for tokens, rate in parts]
    return Priced(spent[0], spent[1], spent[2] + spent[3], spent[4], source)


def read_prices(own: Mapping[str, PriceTable], path: Path | None) -> Prices:
    """Read a table of prices: the file that is named, else that of an installed LiteLLM, which is not imported.

    Raises InputError for a named file that is no such table.
    """
    found = path or _installed()
    if found is None:
        return Prices(own, {})
    try:
        table = orjson.loads(found.read_bytes())
    except OSError as error:
        if path is None:
            return Prices(own, {})
        raise InputError(error.strerror or str(error), path=str(path)) from None
    except ValueError:
        raise InputError("expected a JSON object of models", path=str(found)) from None
    if not isinstance(table, dict):
        raise InputError("expected a JSON object of models", path=str(found))
    return Prices(own, {name: row for name, row in table.items() if isinstance(row, dict)}, found.name)


def _installed() -> Path | None:
    spec = find_spec("litellm")
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).with_name(_TABLE)
    return path if path.is_file() else None
