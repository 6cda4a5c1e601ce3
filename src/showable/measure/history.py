"""The runs of a folder over time: what each came to, and which of them may be joined by a line."""

from __future__ import annotations

from typing import Literal

from showable.measure.comparison import Share
from showable.measure.summary import SignatureLine
from showable.records.asking import PipelineFacts
from showable.records.wire import Many, Wire


class PastRun(Wire):
    """One finished run, or repeats of one, folded: of each question the bucket that most of them came to.

    `when` is ISO 8601 in UTC; `when_from` says whether the run itself tells, or only its files do. `questions` names the
    question set, `questions_fingerprint` tells whether two runs asked the same. `reports` are its pages, relative to the
    folder of runs. `pinned` are the names that stand for it.
    """

    folder: str
    name: str
    when: str
    when_from: Literal["run", "files"]
    pipeline: PipelineFacts | None
    questions: str
    questions_fingerprint: str
    n: int
    repeats: int
    flaky: int
    buckets: dict[str, Share]
    acceptable: Share
    signature: SignatureLine
    signature_short: str
    reports: Many[str]
    pinned: Many[str]

    @property
    def series(self) -> tuple[str, str]:
        """What two runs must have in common to be compared: the same questions, measured alike."""
        return self.questions_fingerprint, self.signature_short


class LeftOut(Wire):
    """A folder whose run cannot be told of, and why: it is not finished, or it is damaged."""

    folder: str
    why: str
    pinned: Many[str]


class History(Wire):
    """The runs of a folder, the oldest first. `missing` are pinned names whose run is gone, with what they stood for."""

    folder: str
    runs: Many[PastRun]
    left_out: Many[LeftOut]
    missing: dict[str, str]
