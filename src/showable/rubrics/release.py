"""May this answer be shown? The bucket, the profile's floor, and its critical claims, each by itself; the strictest decides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from showable.records.findings import Finding, Outcome
from showable.records.profile import Profile
from showable.records.scorecard import AnswerSupport, Bucket, ClaimScore, Release
from showable.rubrics.resolvability import Resolution
from showable.rubrics.structural import IN_QUOTE

ACCEPTABLE = frozenset({"correct", "refused"})


_MISLEADING = {
    "structural.malicious_url": "it gives an address that misleads",
    "resolvability.unsafe_url": "it gives an address that misleads",
    "structural.invisible_prose": "it hides characters",
    "structural.pattern": "it matches a pattern that no answer should",
    "structural.invisible_characters": "a citation of it hides characters",
}
"""Findings about the words themselves, however well they are supported, and what is said of them."""
_HOLDING = frozenset({*_MISLEADING, "refusal.demanded"})


def release_of(
    bucket: Bucket | None,
    claims: Sequence[ClaimScore],
    resolutions: Iterable[Resolution],
    findings: Iterable[Finding],
    profile: Profile,
    *,
    support: AnswerSupport | None = None,
) -> Release:
    """Decide whether an answer may be shown.

    `hold` where the bucket is wrong or unsupported, where the share of citations that resolve is under the
    profile's floor whatever becomes of the undecided ones, where a claim of a critical kind is known not to be
    supported, where the probability of the answer is less than a calibration shows answers from, where a scanner found
    what misleads, or where a refusal lacks what the profile demands of one. `unknown` where one of these could not be
    decided: an answer is never shown because nothing was checked. Otherwise `show`. A bucket of None was not decided,
    because the reading does not tell what is asserted: citations and words decide alone.
    """
    outcomes = [resolution.resolves for resolution in resolutions]
    resolved, failed = outcomes.count(Outcome.PASS), outcomes.count(Outcome.FAIL)
    held = [_MISLEADING.get(f.code, f.reason) for f in findings if _holds(f, profile)]
    open_ends = []
    if bucket == "unknown":
        open_ends.append("its bucket is unknown")
    elif bucket is not None and bucket not in ACCEPTABLE:
        held.append(f"it is {bucket}")
    least = profile.shown_from
    if least is not None and support is not None and support.p < least.p:
        held.append(
            f"the probability that all its claims are supported is {support.p:.2f}, answers are shown from {least.p:g} on"
        )
    below, undecided = _against_floor(len(outcomes), resolved, failed, profile.floor)
    held += below
    open_ends += undecided
    unsupported, unjudged = _critical(claims, bucket, profile)
    held += unsupported
    open_ends += unjudged
    verdict: Literal["show", "hold", "unknown"] = "hold" if held else "unknown" if open_ends else "show"
    return Release(
        verdict=verdict,
        reasons=tuple(dict.fromkeys(held or open_ends)),
        citations=len(outcomes),
        resolved=resolved,
        unresolved=failed,
        floor=profile.floor,
        shown_from=least,
        text=None if verdict == "show" else _text(held or open_ends, bucket, claims, outcomes, profile),
    )


def _text(
    reasons: Sequence[str],
    bucket: Bucket | None,
    claims: Sequence[ClaimScore],
    outcomes: Sequence[Outcome],
    profile: Profile,
) -> str:
    """Return the words to show instead: the profile's where a citation is what is amiss, else the reasons themselves."""
    unsupported = any(claim.citations and claim.support != "supported" for claim in claims)
    if bucket != "refused" and (unsupported or any(outcome is not Outcome.PASS for outcome in outcomes)):
        return profile.refusal.hold_text
    if bucket == "refused":  # a reason may quote the very words that are not to be shown
        return f"The reply declined to answer, and is held back by the {profile.name} profile."
    return f"This answer is held back: {'; '.join(dict.fromkeys(reasons))}."


def _holds(finding: Finding, profile: Profile) -> bool:
    """Check whether a finding by itself holds an answer back. Hidden characters that may be debris of typesetting do by the profile's rule."""
    in_prose = finding.code == "structural.invisible_prose" and finding.outcome is Outcome.UNKNOWN
    in_quote = finding.code == "structural.invisible_characters" and finding.reason.startswith(IN_QUOTE)
    if in_prose or in_quote:
        return profile.hidden_characters == "hold"
    return finding.code in _HOLDING and finding.outcome is Outcome.FAIL


def _against_floor(citations: int, resolved: int, failed: int, floor: float | None) -> tuple[list[str], list[str]]:
    """Return why the citations are under the floor, and why that could not be decided."""
    if floor is None or not citations:
        return [], []
    said = f"{resolved} of {citations} citations resolve, the floor is {floor:.0%}"
    if (citations - failed) / citations < floor:
        return [said], []
    undecided = f"{said}, {citations - resolved - failed} could not be decided"
    return [], [] if resolved / citations >= floor else [undecided]


def _critical(claims: Sequence[ClaimScore], bucket: Bucket | None, profile: Profile) -> tuple[list[str], list[str]]:
    """Return which claims of a critical kind are known not to be supported, and which could not be judged."""
    critical = [claim for claim in claims if claim.kind in profile.critical]
    unjudged = [f"a {claim.kind} claim could not be judged" for claim in critical if claim.support == "unknown"]
    if bucket not in ACCEPTABLE:
        return [], unjudged
    known = [claim for claim in critical if claim.support not in {"unknown", "supported"}]
    return [f"a {claim.kind} claim is {claim.support}" for claim in known], unjudged
