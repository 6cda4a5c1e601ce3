"""A scorer for MLflow: the bucket and three yes/no assessments of an answer, each with its rationale.

What could not be checked is never "no": it is a Feedback with an error and without a value, which MLflow's means
leave out and its table of assessments shows. Tested with mlflow 3.17.2 (`mlflow.genai.evaluate`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from showable.adapters import unusable
from showable.adapters.mlflow_rows import as_record, checked
from showable.adapters.scoring import Scoring
from showable.adapters.telling import acceptable, in_words
from showable.records import Judge, Outcome, Profile, Record, Scorecard
from showable.records.lookups import Registries

try:
    from mlflow.entities import AssessmentError, AssessmentSource, Feedback
    from mlflow.genai.scorers import Scorer, scorer
except ImportError as error:
    raise unusable("MLflow", "mlflow", error) from error

_YES_NO = {Outcome.PASS: "yes", Outcome.FAIL: "no", Outcome.NOT_APPLICABLE: "not_applicable"}
_DECIDED = {True: Outcome.PASS, False: Outcome.FAIL, None: Outcome.UNKNOWN}


def showable_scorer(
    judge: Judge | str | None = None,
    profile: Profile | str | None = None,
    *,
    registries: Registries | None = None,
    record: Callable[..., Record | Mapping[str, Any]] | None = None,
    name: str = "showable",
) -> Scorer:
    """Make a scorer for ``mlflow.genai.evaluate(data=…, scorers=[showable_scorer()])``.

    It gives four assessments a row: `name` (the bucket, ``unknown`` among them), and with values ``yes`` and ``no``
    `name`_acceptable, `name`_citation_exists and `name`_citation_supports (``not_applicable`` without citations).
    Cause and signature are their metadata. Question, answer, passages and gold are found as `as_record` says, or by
    `record`, a function of ``inputs``, ``outputs``, ``expectations`` and ``trace``. `judge`, `profile` and
    `registries` are those of `showable.score`.
    """
    scoring, read = Scoring(judge, profile, registries), record or as_record

    @scorer(name=name)
    def showable(inputs: Any, outputs: Any, expectations: Any, trace: Any) -> list[Feedback]:
        made = read(inputs=inputs, outputs=outputs, expectations=expectations, trace=trace)
        one = made if isinstance(made, Record) else checked(Record, made, "record")
        return feedbacks(scoring.card(one), scoring.signature(one), scoring.judge_name, name)

    return showable


def feedbacks(card: Scorecard, signature: str, judge: str, name: str = "showable") -> list[Feedback]:
    """Make MLflow's assessments of a scorecard."""
    source = AssessmentSource(source_type="CODE", source_id=f"showable/{judge}")
    rationale, told = in_words(card), {"cause": card.cause or "", "signature": signature}
    if card.extra_claim_count is not None:
        told["extra_claim_count"] = str(card.extra_claim_count)
    if card.refusal_quality is not None:
        told["refusal_quality"] = str(card.refusal_quality)

    def one(suffix: str, outcome: Outcome) -> Feedback:
        unknown = outcome is Outcome.UNKNOWN
        return Feedback(
            name=f"{name}_{suffix}",
            value=None if unknown else _YES_NO[outcome],
            error=AssessmentError(error_code="UNKNOWN", error_message=rationale) if unknown else None,
            rationale=rationale,
            source=source,
            metadata=dict(told),
        )

    return [
        Feedback(name=name, value=card.bucket, rationale=rationale, source=source, metadata=dict(told)),
        one("acceptable", _DECIDED[acceptable(card)]),
        one("citation_exists", card.citation_exists),
        one("citation_supports", card.citation_supports),
    ]
