"""May this answer be shown? The bucket, the profile's floor, and its critical claims, each by itself; the strictest decides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from probative.records.findings import Outcome
from probative.records.profile import Profile
from probative.records.scorecard import Bucket, ClaimScore, Release
from probative.rubrics.resolvability import Resolution

ACCEPTABLE = frozenset({"correct", "refused"})


def release_of(
    bucket: Bucket, claims: Sequence[ClaimScore], resolutions: Iterable[Resolution], profile: Profile
) -> Release:
    """Decide whether an answer may be shown.

    `hold` where the bucket is wrong or unsupported, where the share of citations that resolve is under the
    profile's floor whatever becomes of the undecided ones, or where a claim of a critical kind is known not
    to be supported. `unknown` where one of these could not be decided: an answer is never shown because
    nothing was checked. Otherwise `show`.
    """
    outcomes = [resolution.resolves for resolution in resolutions]
    resolved, failed = outcomes.count(Outcome.PASS), outcomes.count(Outcome.FAIL)
    held, open_ends = [], []
    if bucket == "unknown":
        open_ends.append("its bucket is unknown")
    elif bucket not in ACCEPTABLE:
        held.append(f"it is {bucket}")
    if profile.floor is not None and outcomes:
        said = f"{resolved} of {len(outcomes)} citations resolve, the floor is {profile.floor:.0%}"
        if (len(outcomes) - failed) / len(outcomes) < profile.floor:
            held.append(said)
        elif resolved / len(outcomes) < profile.floor:
            open_ends.append(f"{said}, {len(outcomes) - resolved - failed} could not be decided")
    for claim in claims:
        if claim.kind in profile.critical and claim.support == "unknown":
            open_ends.append(f"a {claim.kind} claim could not be judged")
        elif claim.kind in profile.critical and claim.support != "supported" and bucket in ACCEPTABLE:
            held.append(f"a {claim.kind} claim is {claim.support}")
    verdict: Literal["show", "hold", "unknown"] = "hold" if held else "unknown" if open_ends else "show"
    return Release(
        verdict=verdict,
        reasons=tuple(dict.fromkeys(held or open_ends)),
        citations=len(outcomes),
        resolved=resolved,
        unresolved=failed,
        floor=profile.floor,
        text=None if verdict == "show" else profile.refusal.hold_text,
    )
