"""What a profile demands beyond the rubrics: a valid surface format, sources that say their version, refusals with content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from showable.read.reading import Reading
from showable.records.findings import Outcome, Subject
from showable.records.profile import Profile
from showable.records.record import Claim, Source
from showable.records.regex import regex
from showable.records.scorecard import RefusalPoint
from showable.rubrics.checks import Checks
from showable.rubrics.refusal_quality import CALM_ALONE, names_its_subject
from showable.rubrics.resolvability import Resolution
from showable.rubrics.retrieval_log import RetrievalLog

_LAW = (
    "case",
    "neutral_uk",
    "westlaw",
    "lexis",
    "usc",
    "cfr",
    "fed_reg",
    "public_law",
    "statutes_at_large",
    "fed_rule",
    "law_journal",
)
FORMAT_KINDS = {
    "bluebook": frozenset(_LAW),
    "vancouver": frozenset({"bibliographic"}),
    "ama": frozenset({"bibliographic"}),
    "apa": frozenset({"bibliographic"}),
    "inline_link": frozenset({"url", "news"}),
}  # fmt: skip
"""The surface formats, and the kinds of reference that each speaks of."""

_YEAR = regex(r"(?<![\d.,$€£])(?:19|20)\d\d(?![\d%]|[.,]\d)")
_NAMED_VERSION = regex(
    r"(?i)\b((?:19|20)\d\d)\s+(?:\w+\s+){0,3}?(?:guidelines?|guidance|recommendations?|consensus|update|edition|version)\b"
    r"|\b(?:guidelines?|guidance|recommendations?|consensus|update|edition|version)\s+(?:of|from|in|\()?\s*((?:19|20)\d\d)\b"
)
_VERSION_FIELDS = ("version", "effective", "year", "published", "date")


def check_formats(reading: Reading, profile: Profile, checks: Checks) -> None:
    """Check each reference in the answer against the surface formats of the profile: one of them must be kept to.

    Bluebook, AMA, Vancouver, APA, or inline links. A reference of a kind that no format speaks of (a bare id
    in an answer that is asked for Bluebook) is not applicable.
    """
    code = "structural.format"
    if not profile.formats:
        return
    if not reading.references:
        checks.not_applicable(code)
        return
    from showable.read.formats import FORMATS  # noqa: PLC0415 - only where references were found

    for found in reading.references:
        fitting = [name for name in profile.formats if found.reference.kind in FORMAT_KINDS[name]]
        faults = {name: FORMATS[name](found, reading.text) for name in fitting}
        if not fitting:
            checks.not_applicable(code)
        elif any(not wrong for wrong in faults.values()):
            checks.passed(code)
        else:
            name, least = min(faults.items(), key=lambda entry: len(entry[1]))
            said = f"{_brief(found.reference.text)} is no valid {name}: {'; '.join(fault.said for fault in least[:3])}"
            checks.failed(code, said, where=found.span)


def check_versions(
    claims: Sequence[Claim],
    resolutions: Sequence[Sequence[Resolution]],
    log: RetrievalLog,
    profile: Profile,
    checks: Checks,
) -> None:
    """Check, for the claim kinds that ask for it, that a cited source says its version, and that the claim names the same.

    A claim on "the 2017 guideline" that cites the 2024 one rests on a source that it does not describe.
    """
    code = "resolvability.source_version"
    for index, (claim, resolved) in enumerate(zip(claims, resolutions, strict=True)):
        if claim.kind not in profile.versioned:
            continue
        named = next((a or b for a, b in _NAMED_VERSION.findall(claim.text)), None)
        for number, resolution in enumerate(resolved):
            if resolution.in_log is not Outcome.PASS:
                continue
            at = Subject(claim=index, citation=number)
            sources = log.by_id[resolution.citation.source_id or ""]
            stated = {year for source in sources for year in _years(source)}
            said = f"{resolution.citation.source_id!r}"
            if not stated and not any(_states_version(source) for source in sources):
                checks.unknown(code, f"{said} does not say which version it is", at, resolution.citation.span)
            elif named and stated and named not in stated:
                said = f"the claim names {named}, {said} is of {', '.join(sorted(stated))}"
                checks.failed(code, said, at, resolution.citation.span)
                resolution.defects.append("bad_source")
            else:
                checks.passed(code)


def check_refusal(profile: Profile, text: str, points: Sequence[RefusalPoint], checks: Checks) -> None:
    """Check that a refusal has every point that the profile asks for.

    It fails where it only says that it declines, or raises an alarm that the profile does not allow. One that says what it
    has no answer to asserts nothing and may be shown; what more it could say is left for a person to look at.
    """
    flat = not any(point.earned for point in points) and not names_its_subject(text)
    earned: Mapping[str, RefusalPoint] = {point.point: point for point in points}
    for demand in profile.refusal.must_contain if points else ():
        if earned[demand].earned:
            checks.passed("refusal.demanded")
        else:
            point = earned[demand]
            fails = flat or (demand == "calm" and point.why != CALM_ALONE)
            said = f"the {profile.name} profile asks for a {demand}: {point.why}"
            checks.note("refusal.demanded", Outcome.FAIL if fails else Outcome.UNKNOWN, said)


def _years(source: Source) -> set[str]:
    return {year for field in _VERSION_FIELDS for year in _YEAR.findall(str(source.metadata.get(field, "")))} or set(
        _YEAR.findall(source.title or "")
    )


def _states_version(source: Source) -> bool:
    return any(source.metadata.get(field) for field in _VERSION_FIELDS)


def _brief(words: str, longest: int = 60) -> str:
    return words if len(words) <= longest else f"{words[: longest - 1]}…"
