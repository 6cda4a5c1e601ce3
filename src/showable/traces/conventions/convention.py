"""What a convention is: which attribute keys say which fact, and the names that it has for kinds of span."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from showable.traces.facts import Kind, SpanFacts

Slots = Mapping[str, tuple[str, ...]]
"""Facts to the attribute keys that say them, the one to believe first where a span has several."""


@dataclass(frozen=True, slots=True)
class Convention:
    """One convention, as tables.

    `slots` are the keys by the fact that they say; lists may come under their key whole (as JSON or as a list) or flattened,
    ``key.{i}.field``. `kinds` are its names of kinds, in lower case, the one to write first. `cannot_say` names the facts
    that `write` leaves out, with the reason: ``documents.title`` is the title of a document. `flattens` is False where lists
    only come whole: a flattened one beside its name is another convention's.
    """

    name: str
    slots: Slots
    kinds: Mapping[str, Kind]
    write: Callable[[SpanFacts], dict[str, Any]]
    cannot_say: Mapping[str, str] = field(default_factory=dict)
    flattens: bool = True

    def kind_name(self, kind: Kind) -> str | None:
        """The convention's name of a kind, None where it has none."""
        return next((name for name, known in self.kinds.items() if known == kind), None)
