"""Write the facts of a span as attributes of a convention."""

from __future__ import annotations

from typing import Any

from showable.errors import SettingError
from showable.traces.conventions.keys import CONVENTIONS
from showable.traces.facts import SpanFacts

NAMES = tuple(one.name for one in CONVENTIONS)


def write_span(facts: SpanFacts, convention: str) -> dict[str, Any]:
    """Write facts as attributes of the convention `convention` (one of `NAMES`), with our own keys for what none has.

    What the convention cannot say is left out: `cannot_say` of its table tells it. A facts' `conventions` and `problems` are
    not written. Raises `SettingError` where there is no such convention.
    """
    for known in CONVENTIONS:
        if known.name == convention:
            return known.write(facts)
    raise SettingError(f"no convention {convention}: there are {', '.join(NAMES)}")
