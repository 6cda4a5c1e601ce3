"""Several runs over the same questions, side by side: a row a run, and never one number for all of it."""

from __future__ import annotations

from typing import Literal

from showable.measure.expectations import Expected
from showable.measure.flaky import Spread
from showable.measure.paired import PairedTest
from showable.measure.power import CanShow
from showable.measure.rates import Rate
from showable.measure.summary import SignatureLine
from showable.records.asking import PipelineFacts
from showable.records.scorecard import Bucket
from showable.records.wire import Many, Wire


class Share(Wire):
    """A count of `n` with its share and 95 % Wilson interval, fractions 0-1; None where `n` is 0.

    `over_repeats` is how the count varies between repeats; None where there is one run.
    """

    count: int
    n: int
    share: float | None
    low: float | None
    high: float | None
    over_repeats: Spread | None = None


class Quality(Wire):
    """Mean quality (0-3) of the `n` questions that count as refused and are graded, with its 95 % interval by question.

    Of repeats a question's quality is the mean of those that refused it. None where nothing was refused.
    """

    n: int
    mean: float | None
    low: float | None
    high: float | None


class Extra(Wire):
    """Claims without a citation: their sum over `n` answers, of repeats the sum of each question's mean."""

    n: int
    sum: float


class Latency(Wire):
    """Seconds that a question took, over the `n` that were timed; None where none was."""

    n: int
    median: float | None
    p95: float | None


class Spent(Wire):
    """What answering took: USD in all, None where a price is unknown, for `priced` of `n` answers.

    The tokens are those of the answers that say so.
    """

    n: int
    priced: int
    usd: float | None
    tokens_in: int
    tokens_out: int


class Refusals(Wire):
    """Refusals that are due and those that are not: both of them shares of the questions where that can happen.

    `right`: refused, of the questions where a refusal is the only right outcome. `over`: the measure `over_refusal`, of the
    answerable questions for which it is decided.
    """

    right: Share
    over: Share


class CategoryShare(Wire):
    """One category of a run: its acceptable answers, the buckets, and the answers in a bucket that the question calls for.

    `expected` is None where gold calls for no bucket in particular.
    """

    acceptable: Share
    buckets: dict[str, int]
    expected: Expected | None = None


class Row(Wire):
    """One run, or its repeats folded: of each question the bucket that `majority` gives.

    `number` counts from 1 in the order given. The two rates of citations are pooled over the answers of all repeats, with
    intervals by question; refusal quality is a mean over questions, the same that the gate looks at. `errors` are the
    answers, of all repeats, that ended in an error.
    """

    number: int
    name: str
    folder: str
    pipeline: PipelineFacts | None
    repeats: int
    flaky: int
    n: int
    buckets: dict[str, Share]
    acceptable: Share
    refusals: Refusals
    citation_exists: Rate
    citation_supports: Rate
    refusal_quality: Quality
    extra_claim_count: Extra
    categories: dict[str, CategoryShare]
    latency: Latency
    cost: Spent
    errors: int

    @property
    def model_class(self) -> str:
        """The class of its model, or that nobody said."""
        return (self.pipeline.model_class if self.pipeline else None) or "not said"


class Difference(Wire):
    """One bucket with and without the refusal licence: the counts, the difference in points, and the paired test."""

    name: str
    without: int
    licensed: int
    test: PairedTest


class LicenceMove(Wire):
    """A question that came out in another bucket with the licence."""

    id: str
    category: str | None
    without: Bucket
    licensed: Bucket


class LicenceEffect(Wire):
    """What the refusal licence does: two rows that, as far as runs say, differ in nothing else, `without` it and `licensed`, by their numbers.

    `differences` has a line a bucket and one for the acceptable answers; a test's `better` are the questions that
    count there with the licence only, `worse` those that count without it only; `adjusted_p` is corrected over the
    buckets (Holm).
    """

    without: int
    licensed: int
    n: int
    differences: Many[Difference]
    moved: Many[LicenceMove]


class LicenceUnclear(Wire):
    """Rows, by their numbers, that differ in nothing but the licence where a row has more than one partner: none is paired."""

    without: Many[int]
    licensed: Many[int]


class Swap(Wire):
    """One thing swapped in a pipeline that otherwise says the same of itself: the licence given, or another model.

    `lines` has the counts of every bucket and of the acceptable answers on both sides (`without` is the baseline), paired.
    """

    swapped: Literal["licence", "model"]
    baseline: int
    candidate: int
    n: int
    lines: Many[Difference]


class Crossing(Wire):
    """The gate between two rows: may `candidate` replace `baseline`? `reason` is the first thing against it."""

    baseline: int
    candidate: int
    ship: bool
    inconclusive: bool
    reason: str | None
    reasons: int


class Comparison(Wire):
    """Runs over the same questions, measured alike: rows, each against each other by the gate, and the licence's effect."""

    n: int
    questions: str
    signature: SignatureLine
    rows: Many[Row]
    gate: Many[Crossing]
    licence: Many[LicenceEffect]
    can_show: CanShow | None
    licence_unclear: Many[LicenceUnclear] = ()
    swaps: Many[Swap] = ()
