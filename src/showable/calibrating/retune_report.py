"""What a retune came to, as it is written down."""

from __future__ import annotations

from showable.measure.calibration_report import Refused
from showable.records.evidence import Cost
from showable.records.wire import Many, Wire
from showable.stores.judge_versions import JudgeVersion


class PartCounts(Wire):
    """Labels of one part: supported, and not; and how many questions they come from."""

    positives: int
    negatives: int
    clusters: int


class RetuneReport(Wire):
    """All of it. `version` is the one that was made, or, with `nothing_new`, the one that the same labels made before.

    `standing` is the version in use before, `stands` the one to use now, None for the judge as it ships; `file` is its
    calibration file. `left_out` counts labels that take no part, by why.
    """

    judge: str
    profile: str
    folder: str
    labels: str
    reviewers: int
    fitting: PartCounts
    unseen: PartCounts
    left_out: dict[str, int]
    notes: Many[str] = ()
    nothing_new: bool = False
    version: JudgeVersion | None = None
    standing: str | None = None
    stands: str | None = None
    file: str | None = None
    refused: Refused | None = None
    cost: Cost = Cost()
