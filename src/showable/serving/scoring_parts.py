"""Several processes that score one store: each takes the traces whose id falls to it, and the first keeps the checkpoint for all."""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

from showable.serving.settings import ServeSettings
from showable.stores.traces.store import TraceStore

SCORING = "scoring"
SCORED_TO = "scored_to"
"""The gauge by which a process says up to where all that falls to it is scored."""
_EXACT = 2**53
_ROUNDING = 4096


def name_of(number: int) -> str:
    """Return the name of a process that scores, counted from 0."""
    return SCORING if number == 0 else f"{SCORING}-{number + 1}"


def begin_parts(store: TraceStore, settings: ServeSettings) -> None:
    """Forget what processes of an earlier start said: how far they came was of other parts, or is told by the checkpoint."""
    for name in {*store.gauges(), *map(name_of, range(settings.scorers))}:
        if name.startswith(SCORING):
            store.set_gauges(name, {})


@dataclass(frozen=True, slots=True)
class Part:
    """The traces of one process: `number` of `of`."""

    number: int
    of: int

    @property
    def alone(self) -> bool:
        """Whether it is all of them."""
        return self.of == 1

    def has(self, trace_id: str) -> bool:
        """Check whether a trace falls to it."""
        return self.of == 1 or crc32(trace_id.encode("utf-8", "replace")) % self.of == self.number

    def told(self, position: int) -> float:
        """Return a position as a gauge can hold it: never beyond the position itself."""
        return float(position if position < _EXACT else position - _ROUNDING)

    def reached(self, own: int, store: TraceStore) -> int:
        """Return the position up to which every process has scored, by what each says; 0 where it is another's to keep."""
        if self.alone:
            return own
        if self.number:
            return 0
        gauges = store.gauges()
        return min(own, *(int(gauges.get(name_of(n), {}).get(SCORED_TO, 0)) for n in range(1, self.of)))
