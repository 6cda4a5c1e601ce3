"""What the gate says: whether the candidate ships, line by line."""

from __future__ import annotations

from showable.measure.expectations import Expected
from showable.measure.flaky import FlakyQuestion, Spread
from showable.measure.gate_released import ReleasedChange
from showable.measure.paired import PairedTest
from showable.measure.power import CanShow
from showable.measure.rate_changes import RateChange
from showable.measure.regressions import Regressions
from showable.measure.summary import SignatureLine
from showable.measure.what_changed import Changed
from showable.records.scorecard import Bucket, Cause
from showable.records.wire import Many, Wire


class ExpectedChange(Wire):
    """Answers of one category in a bucket that the question calls for, on each side; None where gold calls for none."""

    baseline: Expected | None
    candidate: Expected | None


class GateLine(Wire):
    """One rule: the number on each side, whether it holds, why, the questions behind it, and the paired test.

    `ok` is None where the rule does not apply, or where the line only informs. `better` and `worse`
    are the ids that moved this number. `expected` is there for categories only, and where gold says what is called for.
    """

    name: str
    baseline: int | float | None
    candidate: int | float | None
    ok: bool | None
    reason: str
    better: Many[str] = ()
    worse: Many[str] = ()
    test: PairedTest | None = None
    expected: ExpectedChange | None = None


class Moved(Wire):
    """A question whose bucket changed, or whose refusal became due or undue."""

    id: str
    before: Bucket
    after: Bucket
    cause_before: Cause | None
    cause_after: Cause | None


class Repeats(Wire):
    """How many runs each side was folded from, and what each bucket's count was in the single runs of a side.

    The spreads are empty where a side is one run. A majority's count may lie outside of them: what goes wrong now and then,
    each time elsewhere, goes wrong in no majority.
    """

    baseline: int = 1
    candidate: int = 1
    baseline_spread: Many[Spread] = ()
    candidate_spread: Many[Spread] = ()


class Flaky(Wire):
    """The questions of each side whose bucket differs between its repeats, the worst first."""

    baseline: Many[FlakyQuestion] = ()
    candidate: Many[FlakyQuestion] = ()


class Decision(Wire):
    """Whether the candidate ships, with every line that was looked at.

    `reasons` says what stands against it. `exchange` is how many correct answers one harmful answer less may cost (under
    `strict` none). `categories` informs: by category of question, the answers that are
    acceptable and those that are as expected. `rates` informs too: claims and citations, with clustered intervals.
    `changed` is what differs between the pipelines, as far as their runs say; with repeats, `flaky` names the questions
    that did not come out alike in all of them. `released` tells which answers may no longer be shown under the profile,
    or newly may: it informs, and is None where nothing changed. `regressions` is what became of a regression set, which is
    never pooled with the rest; None where none was given.
    """

    ship: bool
    inconclusive: bool
    reasons: Many[str]
    moved: Many[Moved]
    lines: Many[GateLine]
    categories: Many[GateLine]
    rates: Many[RateChange] = ()
    n: int
    can_show: CanShow | None
    unknown_cap: float
    exchange: float = 1.0
    strict: bool = False
    signature: SignatureLine
    changed: Many[Changed] = ()
    repeats: Repeats = Repeats()
    flaky: Flaky = Flaky()
    released: ReleasedChange | None = None
    regressions: Regressions | None = None

    @property
    def exit_code(self) -> int:
        """0 ship, 1 do not ship, 3 inconclusive."""
        return 3 if self.inconclusive else int(not self.ship)
