"""The one place where a calibration's map meets a verdict: as it is given, and as it is graded again from saved evidence."""

from __future__ import annotations

from showable.records.calibration import IsotonicMap
from showable.records.evidence import Verdict


def recalibrated(verdict: Verdict, mapping: IsotonicMap | None) -> Verdict:
    """Return the verdict with its judge's own probability put through a map; with none, as the judge itself gave it.

    A verdict that was mapped before is mapped anew from `raw_p`, so that doing it twice is doing it once. The label is the
    judge's word and stays.
    """
    own = verdict.p if verdict.raw_p is None else verdict.raw_p
    if own is None or (mapping is None and verdict.raw_p is None):
        return verdict
    if mapping is None:
        return verdict.model_copy(update={"p": own, "raw_p": None})
    return verdict.model_copy(update={"p": min(1.0, max(0.0, mapping(own))), "raw_p": own})
