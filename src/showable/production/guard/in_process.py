"""The guard in a Python process: one record in, its release out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from showable.api import as_profile, as_record, score
from showable.measure.rubric_outcomes import rubric_outcomes
from showable.production.guard.decide import MOST_CODES, NO_REGISTRY, release_inline
from showable.profiles.load import only_profile
from showable.records.evidence import Judge
from showable.records.findings import Outcome
from showable.records.profile import Profile
from showable.records.record import Record
from showable.records.scorecard import Release, RestsOn


def guard(
    record: Record | Mapping[str, Any], *, profile: Profile | str | None = None, judge: Judge | str | None = None
) -> Release:
    """Return whether an answer may be shown: `show`, `hold`, or `unknown`, and what that rests on.

    Without a judge nothing is asked and nothing waits: structured answers are checked whole, running text for its
    citations, quotations, pages, addresses and hidden characters (``rests_on.left_out`` says what was not). With one the
    answer is read and judged as by `score`. `profile` is as for `score`. Raises InputError where `record` is a mapping
    that is not a record, SettingError for a profile or judge that is none.
    """
    given = as_record(record).model_copy(update={"gold": None})  # nobody knows it when an answer is to be shown
    rules = as_profile(only_profile({given.profile: 1}) if profile is None else profile)
    if judge is None:
        return release_inline(given, rules)
    card = score(given, judge=judge, profile=rules)
    structural, resolvability, semantic = rubric_outcomes(card)
    rests = RestsOn(
        structural=structural.value,
        resolvability=resolvability.value,
        semantic=semantic.value,
        reading="full",
        left_out={"registries": NO_REGISTRY},
    )
    bad = sorted(
        (f for f in card.findings if f.outcome in {Outcome.FAIL, Outcome.UNKNOWN}), key=lambda f: f.outcome.value
    )
    codes = tuple(dict.fromkeys(finding.code for finding in bad))[:MOST_CODES]
    released = card.release or Release(verdict="unknown", reasons=(card.why,))
    return released.model_copy(update={"codes": codes, "rests_on": rests})
