"""showable decides whether an answer with citations may be shown.

Six verbs: `read_records` a file, `score` one record, `evaluate` many, `gate` a change, `guard` an answer before it is shown; in
tests `assert_shippable`.

PYTEST_DONT_REWRITE: nothing here asserts, and a program may import this before it runs pytest.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from showable.api import Result, evaluate, gate, read_records, score
    from showable.judges.choose import choose as judge
    from showable.measure.rates import Rate
    from showable.measure.summary import Summary
    from showable.production.guard.in_process import guard
    from showable.records import (
        Answer,
        Citation,
        Claim,
        Gold,
        InputError,
        Record,
        Release,
        Scorecard,
        ShowableError,
        Signature,
        Source,
    )
    from showable.ship_gate import Decision
    from showable.shippable import assert_shippable

__version__ = "0.2.0"

_WHERE = {
    "Answer": "records",
    "Citation": "records",
    "Claim": "records",
    "Decision": "ship_gate",
    "Gold": "records",
    "InputError": "records",
    "ShowableError": "records",
    "Rate": "measure.rates",
    "Record": "records",
    "Release": "records",
    "Result": "api",
    "Scorecard": "records",
    "Signature": "records",
    "Source": "records",
    "Summary": "measure.summary",
    "assert_shippable": "shippable",
    "evaluate": "api",
    "gate": "api",
    "guard": "production.guard.in_process",
    "judge": "judges.choose",
    "read_records": "api",
    "score": "api",
}
_RENAMED = {"judge": "choose"}

__all__ = [
    "Answer",
    "Citation",
    "Claim",
    "Decision",
    "Gold",
    "InputError",
    "Rate",
    "Record",
    "Release",
    "Result",
    "Scorecard",
    "ShowableError",
    "Signature",
    "Source",
    "Summary",
    "assert_shippable",
    "evaluate",
    "gate",
    "guard",
    "judge",
    "read_records",
    "score",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: ``import showable`` itself costs nothing."""
    if name not in _WHERE:
        raise AttributeError(f"module 'showable' has no attribute {name!r}")
    value = getattr(import_module(f"showable.{_WHERE[name]}"), _RENAMED.get(name, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return [*__all__, "__version__"]
