"""A DeepEval metric: 1 where the answer may be shown, 0 where not, an error where that could not be decided.

DeepEval wants one number, so the number is the plainest there is; bucket, cause and claim stand in the reason.
An answer that could not be judged has no score: DeepEval shows it as errored, fails it in `assert_test`, and
leaves it out of its averages. Tested with deepeval 4.3.1.
"""

from __future__ import annotations

import json
from typing import Any

from showable.adapters import unusable
from showable.adapters.scoring import Scoring
from showable.adapters.telling import acceptable, facts, in_words
from showable.converters.deepeval import DeepEval
from showable.converters.shape import Row
from showable.records import Judge, Profile, Record, Scorecard
from showable.records.lookups import Registries

try:
    from deepeval.metrics import BaseMetric
    from deepeval.test_case import LLMTestCase, SingleTurnParams
except ImportError as error:
    raise unusable("DeepEval", "deepeval", error) from error


class ShowableMetric(BaseMetric):
    """Scores an `LLMTestCase`: input, actual output, retrieval context and expected output.

    `scorecard` holds the last one, `verbose_logs` its facts as JSON, cause and signature among them. `judge`,
    `profile` and `registries` are those of `showable.score`; `scoring` is what DeepEval's copies of a metric share.
    """

    _required_params = (SingleTurnParams.INPUT,)

    def __init__(
        self,
        judge: Judge | str | None = None,
        profile: Profile | str | None = None,
        threshold: float | None = 1.0,
        *,
        registries: Registries | None = None,
        scoring: Scoring | None = None,
    ) -> None:
        self.scoring = scoring or Scoring(judge, profile, registries)
        self.threshold = threshold
        self.evaluation_model = self.scoring.signature()  # DeepEval's cache tells metrics apart by it
        self.evaluation_cost = None
        self.scorecard: Scorecard | None = None

    def measure(self, test_case: LLMTestCase, *_args: Any, **_kwargs: Any) -> float | None:
        """Score a test case. Gives None, and sets `error`, where it could not be decided."""
        record = as_record(test_case)
        return self._take(self.scoring.card(record), self.scoring.signature(record))

    async def a_measure(self, test_case: LLMTestCase, *_args: Any, **_kwargs: Any) -> float | None:
        """Do what `measure` does without blocking the loop."""
        record = as_record(test_case)
        return self._take(await self.scoring.card_in_loop(record), self.scoring.signature(record))

    def _take(self, card: Scorecard, signature: str) -> float | None:
        decided, said = acceptable(card), in_words(card)
        self.scorecard, self.reason = card, said
        self.error = said if decided is None else None
        self.score = None if decided is None else float(decided)
        self.verbose_logs = json.dumps(facts(card, signature), ensure_ascii=False)
        self.success = self.is_successful()
        return self.score

    @property
    def __name__(self) -> str:
        """The name that DeepEval prints."""
        return "Showable"


def as_record(test_case: LLMTestCase) -> Record:
    """Make the Record that `showable convert --from deepeval` makes of the saved test case."""
    fields = test_case.model_dump(mode="json", exclude_none=True)
    if test_case.retrieval_context is not None:  # DeepEval's dump would run a passage and its source together
        fields["retrieval_context"] = [
            one if isinstance(one, str) else vars(one) for one in test_case.retrieval_context
        ]
    return DeepEval().convert(Row(fields, fallback_id=test_case.name or "test case")).record
