"""What the fixtures hand to a test: callables that score a record with the session's judge and keep count."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from showable.api import as_record
from showable.evaluation import close_judge, evaluate_safely, sign
from showable.pytest_plugin.options import Settings
from showable.pytest_plugin.properties import Scored, replace
from showable.records.evidence import Judge
from showable.records.lookups import Registries
from showable.records.profile import Profile
from showable.records.record import Record
from showable.records.scorecard import Scorecard
from showable.report.untrusted import printable
from showable.shippable import SCORED, NotShippableError, check_names, require

_ID_LIMIT = 120


class ScoreRecord:
    """Scores records: `showable_score(record)` gives a Scorecard, the same call in sync and in async tests.

    In an async test it holds the event loop up until it is done; ``await asyncio.to_thread(showable_score, record)``
    does not. A judge or a registry that fails makes an `unknown`, never an error of the test.
    """

    def __init__(self, node: pytest.Item, settings: Settings, judge: Judge, registries: Registries | None) -> None:
        self._node, self.settings, self._judge, self._registries = node, settings, judge, registries
        self._done: list[tuple[Record, Scored]] = []
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"<scores under {printable(self._judge.name, limit=_ID_LIMIT)}>"

    def __call__(self, record: Record | Mapping[str, Any]) -> Scorecard:
        """Score one record. Raises InputError where a mapping is not a record."""
        __tracebackhide__ = True
        return self.score(as_record(record))

    def score(self, record: Record) -> Scorecard:
        """Score a record under the profile of the options, else its own, and note what came out."""
        __tracebackhide__ = True
        rules = self.settings.rules(record.profile)
        judge = self.settings.judging().judge(rules, given=self._judge)
        registries = self._registries or self.settings.judging().registries(rules)
        # In a thread, which may have an event loop of its own whether or not the test has one; the test's stays as it is.
        with ThreadPoolExecutor(max_workers=1) as pool:
            card = pool.submit(asyncio.run, self._evaluate(record, judge, rules, registries)).result()
        self._note(record, card, str(sign(judge, rules, registries=registries.name if registries else None)))
        return card

    async def _evaluate(self, record: Record, judge: Judge, rules: Profile, registries: Registries | None) -> Scorecard:
        try:
            return (await evaluate_safely(record, judge, rules, registries)).scorecard
        finally:
            await close_judge(judge)  # its connections belong to this loop; it opens others when asked again
            if registries is not None and registries is not self._registries:
                await registries.aclose()

    def _note(self, record: Record, card: Scorecard, signature: str) -> None:
        """Write down what was scored; a record that a test scores again counts once, as it came out last."""
        scored = Scored(
            printable(card.id, limit=_ID_LIMIT), card.bucket, card.cause or "", signature, card.calls.model_dump_json()
        )
        with self._lock:  # a test may score in several threads
            self._done = [(known, earlier) for known, earlier in self._done if known != record]
            self._done.append((record, scored))
            replace(self._node.user_properties, [one for _, one in self._done])


class ShippableRecord:
    """Asserts that records may be shown, as `showable.assert_shippable` does, under the options of the session."""

    def __init__(self, scoring: ScoreRecord) -> None:
        self._scoring = scoring

    def __repr__(self) -> str:
        return repr(self._scoring)

    def __call__(
        self,
        record: Record | Mapping[str, Any] | Scorecard,
        *,
        allow: Iterable[str] = ("correct", "refused"),
        forbid_causes: Iterable[str] = (),
    ) -> Scorecard:
        """Return the scorecard of a record that may be shown; fail for any other, with claim, passage and cause.

        What could not be decided fails too, unless --showable-unknown says that it skips or is expected to fail.
        """
        __tracebackhide__ = True
        buckets, causes = check_names(allow, forbid_causes)
        if isinstance(record, Scorecard):
            whole, card = None, record
        else:
            whole = as_record(record, expected=SCORED)
            card = self._scoring.score(whole)
        try:
            return require(card, whole, allow=buckets, forbid_causes=causes)
        except NotShippableError as error:
            if not error.undecided or self._scoring.settings.unknown == "fail":
                raise
            headline = printable(f"{card.id}: {error.headline}", limit=4 * _ID_LIMIT)
        if self._scoring.settings.unknown == "xfail":
            pytest.xfail(headline)
        raise pytest.skip.Exception(headline, _use_item_location=True)  # the place to read is the test, not this line
