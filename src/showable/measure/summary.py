"""One run in numbers, added up from a stream of scorecards without keeping them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, get_args

from pydantic import BeforeValidator, Field, PlainSerializer

from showable.measure.bootstrap import ClusterCounts
from showable.measure.expectations import UNCATEGORISED, ExpectationTally, Expected, in_order
from showable.measure.measures import MEASURES, Unit
from showable.measure.not_measured import MAX_FAILURES, FailureTally, withheld
from showable.measure.rates import Rate
from showable.measure.released import Released, ReleaseTally
from showable.measure.rubric_outcomes import rubric_outcomes
from showable.measure.worst import Worst
from showable.records.calls import CallCounts
from showable.records.findings import Outcome, OutcomeCounts
from showable.records.scorecard import Bucket, GoldAgreement, Scorecard
from showable.records.signature import Signature
from showable.records.wire import Wire

BUCKETS: tuple[Bucket, ...] = get_args(Bucket)
HIGHEST_QUALITY = 3
_UNIT_RATES = {"structural": "citation_coverage", "resolvability": "citation_resolves", "semantic": "citation_recall"}
"""The measure that is each rubric's rate over claims or citations."""
_UNITS = {measure.name: measure.unit for measure in MEASURES}
_AGREEMENTS: tuple[GoldAgreement, ...] = get_args(GoldAgreement)


def _read_signature(value: Any) -> Any:
    return Signature.parse(value) if isinstance(value, str) else value


SignatureLine = Annotated[Signature, BeforeValidator(_read_signature), PlainSerializer(str)]
"""A signature that is written down as its one printable line."""


class RefusalQuality(Wire):
    """Quality of the refusals that were graded: how many of each grade, and their mean (0-3) with its 95 % interval.

    The mean is None where nothing was refused.
    """

    n: int
    mean: float | None
    low: float | None
    high: float | None
    counts: dict[str, int]


class ExtraClaims(Wire):
    """Claims without a citation: their sum over `n` answers, the mean per answer, and how many answers have none."""

    n: int
    sum: int
    mean: float | None
    without: int


class Axes(Wire):
    """The five axes. `factuality` counts the buckets."""

    factuality: dict[str, int]
    citation_exists: Rate
    citation_supports: Rate
    refusal_quality: RefusalQuality
    extra_claim_count: ExtraClaims


class RubricRates(Wire):
    """One rubric as two rates, each with its counts and interval: over answers, and over what it looks at in them.

    `unit` is claims that have a citation (structural), citations that resolve (resolvability), or claims that what they
    cite supports (semantic). The rubrics are never averaged.
    """

    unit: Unit
    answers: Rate
    units: Rate


def _rubrics_as_written(value: Any) -> Any:
    """Leave out what version 0.1 counted under this name: checks, which are no rate over answers."""
    if not isinstance(value, dict):
        return value
    return {name: one for name, one in value.items() if not isinstance(one, dict) or "answers" in one}


class Labelled(Wire):
    """Labels beside the buckets: agreed, disagreed, bucket unknown; `confusion` is label → bucket → count."""

    n: int
    agree: int
    disagree: int
    unknown: int
    confusion: dict[str, dict[str, int]]


class Summary(Wire):
    """A run in numbers, as `summary.json` holds it. The five bucket counts add up to `n`.

    `records` is how many records the input holds (more than `n` where the run was stopped), `rejected`
    how many of its lines were none. `categories` and `expected` are in the order of the protocol. `calls` counts the calls
    to judges and registries; where more than `max_failures` of either failed, `not_measured` says so in a line, and no
    rate is given that rests on what happened to be decided. A failed call concerns `unmeasured` answers.
    """

    signature: SignatureLine
    n: int
    buckets: dict[str, int]
    causes: dict[str, int]
    axes: Axes
    rates: dict[str, Rate]
    run: str | None
    records: int | None = None
    rejected: int = 0
    correct_no_gold: int
    categories: dict[str, dict[str, int]]
    expected: dict[str, Expected] = Field(default_factory=dict)
    rubrics: Annotated[dict[str, RubricRates], BeforeValidator(_rubrics_as_written)]
    checks: dict[str, OutcomeCounts]
    findings: dict[str, OutcomeCounts]
    gold_agreement: dict[str, int]
    labelled: Labelled
    released: Released
    not_measured: str | None = None
    unmeasured: int = 0
    calls: CallCounts = CallCounts()
    max_failures: float = MAX_FAILURES


class SummaryBuilder:
    """Adds scorecards up as they stream past. Memory does not grow with them: counts, and the ten worst cards."""

    def __init__(self, signature: Signature, run: str | None = None, *, max_failures: float = MAX_FAILURES) -> None:
        """Start empty. `run` is the folder that the summary is written into."""
        self._failures = FailureTally(max_failures)
        self._signature, self._run = signature, run
        self._worst = Worst()
        self._categories: dict[str, Counter[str]] = {}
        self._expected = ExpectationTally()
        self._causes: Counter[str] = Counter()
        self._gold: Counter[str] = Counter()
        self._labels: dict[str, Counter[str]] = {}
        self._quality: Counter[int] = Counter()
        self._extra: Counter[int] = Counter()
        self._correct_no_gold = 0
        self._measures = {measure.name: ClusterCounts() for measure in MEASURES}
        self._checks: dict[str, Counter[Outcome]] = {}
        self._findings: dict[str, Counter[Outcome]] = {}
        self._rubrics: dict[str, Counter[Outcome]] = {name: Counter() for name in _UNIT_RATES}
        self._releases = ReleaseTally()

    def add(self, card: Scorecard) -> None:
        """Add one scorecard."""
        self._worst.add(card)
        self._categories.setdefault(card.category or UNCATEGORISED, Counter())[card.bucket] += 1
        self._expected.add(card)
        self._gold[card.gold_agreement] += 1
        if card.cause is not None:
            self._causes[card.cause] += 1
        if card.labelled is not None:
            self._labels.setdefault(card.labelled, Counter())[card.bucket] += 1
        if card.refusal_quality is not None:
            self._quality[card.refusal_quality] += 1
        if card.extra_claim_count is not None:
            self._extra[card.extra_claim_count] += 1
        self._correct_no_gold += card.bucket == "correct" and card.gold_agreement == "not_applicable"
        for measure in MEASURES:
            self._measures[measure.name].add(measure.count(card))
        for name, outcome in rubric_outcomes(card)._asdict().items():
            self._rubrics[name][outcome] += 1
        self._releases.add(card.release)
        self._failures.add(card)
        self._add_checks(card)

    def _add_checks(self, card: Scorecard) -> None:
        for code, counts in card.checks.items():
            check = self._checks.setdefault(code, Counter())
            check[Outcome.PASS] += counts.passed
            check[Outcome.FAIL] += counts.failed
            check[Outcome.UNKNOWN] += counts.unknown
            check[Outcome.NOT_APPLICABLE] += counts.not_applicable
        for finding in card.findings:
            self._findings.setdefault(finding.code, Counter())[finding.outcome] += 1

    def worst(self) -> list[Scorecard]:
        """Return the ten worst scorecards that need a look, the worst first."""
        return self._worst.cards()

    def build(self) -> Summary:
        """Make the summary of everything added so far. The order in which it was added makes no difference."""
        buckets = _by_bucket(sum(self._categories.values(), Counter()))
        rates = {m.name: self._rate(m.name, clustered=m.clustered) for m in MEASURES}
        not_measured = self._failures.headline()
        if not_measured is not None:
            rates = {name: withheld(rate) for name, rate in rates.items()}
        return Summary(
            signature=self._signature,
            n=sum(buckets.values()),
            buckets=buckets,
            causes=dict(sorted(self._causes.items())),
            axes=Axes(
                factuality=buckets,
                citation_exists=rates["citation_exists"],
                citation_supports=rates["citation_supports"],
                refusal_quality=self._refusal_quality(),
                extra_claim_count=_extra_claims(self._extra),
            ),
            rates=rates,
            run=self._run,
            correct_no_gold=self._correct_no_gold,
            categories={name: _by_bucket(self._categories[name]) for name in in_order(self._categories)},
            expected=self._expected.build() if not_measured is None else {},
            rubrics=self._rubric_rates(rates, measured=not_measured is None),
            checks=_outcomes(self._checks),
            findings=_outcomes(self._findings),
            gold_agreement={name: self._gold[name] for name in _AGREEMENTS},
            labelled=_labelled(self._labels),
            released=self._releases.build(self._measures["citation_resolves"].counts),
            not_measured=not_measured,
            unmeasured=self._failures.unmeasured,
            calls=self._failures.calls,
            max_failures=self._failures.limit,
        )

    def _rate(self, name: str, *, clustered: bool) -> Rate:
        counts = self._measures[name]
        return counts.rate(name, seed=self._signature.seed) if clustered else Rate.of(counts.counts, name)

    def _rubric_rates(self, rates: Mapping[str, Rate], *, measured: bool) -> dict[str, RubricRates]:
        answers = {name: Rate.of(_counts(seen), name) for name, seen in self._rubrics.items()}
        if not measured:
            answers = {name: withheld(rate) for name, rate in answers.items()}
        return {
            name: RubricRates(unit=_UNITS[rate], answers=answers[name], units=rates[rate])
            for name, rate in _UNIT_RATES.items()
        }

    def _refusal_quality(self) -> RefusalQuality:
        """Return the mean grade with the interval of the share of points earned, out of three a refusal."""
        grades = {str(grade): self._quality[grade] for grade in range(HIGHEST_QUALITY + 1)}
        n = sum(grades.values())
        if not n:
            return RefusalQuality(n=0, mean=None, low=None, high=None, counts=grades)
        points = ClusterCounts()
        for grade in self._quality.elements():
            points.add(OutcomeCounts(passed=grade, failed=HIGHEST_QUALITY - grade))
        share = points.rate(seed=self._signature.seed)
        mean, low, high = (value and value * HIGHEST_QUALITY for value in (share.rate, share.low, share.high))
        return RefusalQuality(n=n, mean=mean, low=low, high=high, counts=grades)


def summarise(
    cards: Iterable[Scorecard],
    signature: Signature,
    run: str | None = None,
    *,
    max_failures: float = MAX_FAILURES,
) -> Summary:
    """Summarise scorecards in one pass."""
    builder = SummaryBuilder(signature, run, max_failures=max_failures)
    for card in cards:
        builder.add(card)
    return builder.build()


def _by_bucket(counts: Mapping[str, int]) -> dict[str, int]:
    return {bucket: counts.get(bucket, 0) for bucket in BUCKETS}


def _extra_claims(answers: Counter[int]) -> ExtraClaims:
    n = answers.total()
    total = sum(extra * count for extra, count in answers.items())
    return ExtraClaims(n=n, sum=total, mean=total / n if n else None, without=answers[0])


def _counts(seen: Mapping[Outcome, int]) -> OutcomeCounts:
    return OutcomeCounts(
        passed=seen.get(Outcome.PASS, 0),
        failed=seen.get(Outcome.FAIL, 0),
        unknown=seen.get(Outcome.UNKNOWN, 0),
        not_applicable=seen.get(Outcome.NOT_APPLICABLE, 0),
    )


def _outcomes(checks: Mapping[str, Counter[Outcome]]) -> dict[str, OutcomeCounts]:
    return {code: _counts(seen) for code, seen in sorted(checks.items())}


def _labelled(labels: Mapping[str, Counter[str]]) -> Labelled:
    n = sum(counts.total() for counts in labels.values())
    agree = sum(counts[label] for label, counts in labels.items())
    unknown = sum(counts["unknown"] for counts in labels.values())
    confusion = {label: _by_bucket(counts) for label, counts in sorted(labels.items())}
    return Labelled(n=n, agree=agree, disagree=n - agree - unknown, unknown=unknown, confusion=confusion)
