"""The claim kinds that a profile knows: what people may call a claim under it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from showable.read.claim_kinds import RULES
from showable.records.labels import Label
from showable.records.profile import Profile


def kinds_of(profile: Profile) -> tuple[str, ...]:
    """Return the kinds of a profile, in alphabetical order; none where it has none, and any word is one."""
    named = {*profile.critical, *profile.versioned, *profile.thresholds.per_kind}
    return tuple(sorted(named | set(RULES[profile.claim_rules].kinds)))


def unknown_kinds(labels: Iterable[Label], profile: Profile) -> dict[str, int]:
    """Count the labels of kinds that a profile does not know, by kind; none where it has no kinds."""
    known = kinds_of(profile)
    given = (str(label.value) for label in labels if label.about == "claim_kind" and label.value is not None)
    return dict(sorted(Counter(kind for kind in given if kind not in known).items())) if known else {}
