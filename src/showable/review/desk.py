"""What a page may be made from: who is there, the run, the labels, and what must stay hidden from this person."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from showable.review.blindness import may_settle_only
from showable.review.page_context import Visit
from showable.review.reading_runs import OpenRun
from showable.stores.labels.store import LabelStore


@dataclass(frozen=True, slots=True)
class Desk:
    """One person at work on one run.

    `hidden` holds the records that this person still has to label: of these, nothing that others said may be shown, nor
    any figure that it can be read from. `second` is another run over the same questions, where one was given. `promotions` is
    the file of candidates for the regression set, where it is not the run's own.
    """

    visit: Visit
    run: OpenRun
    store: LabelStore
    hidden: frozenset[str] = field(default_factory=frozenset)
    second: OpenRun | None = None
    promotions: Path | None = None

    @property
    def may_settle_only(self) -> bool:
        """Check whether this person would be shown more by saying that they only settle."""
        return bool(self.hidden) and self.visit.name is not None and may_settle_only(self.store, self.visit.name)
