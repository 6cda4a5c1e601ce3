"""What a calibration means, in plain words: the same sentences on the terminal and on the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from showable.measure.calibration_report import (
    ALL_KINDS,
    Agreement,
    CalibrationReport,
    Graded,
    InterRater,
    LeastN,
    Missing,
)
from showable.measure.least_n import LEAST_PER_CLASS, enough
from showable.measure.validated import NEAR_CHANCE
from showable.records.label_guide import About
from showable.records.roles import RefusalBasis
from showable.report.calibration_figures import GRADED, Figure, figure_of, people_beside
from showable.report.untrusted import printable

TRUSTED = 0.75
"""Of balanced accuracy. Where grades are compared, the kappa that two equally frequent classes would give: 2b - 1."""
Standing = Literal["trusted", "watched", "chance", "unsaid"]
STANDINGS: dict[Standing, str] = {
    "trusted": "Can be trusted with",
    "watched": "Helps, with a person looking",
    "chance": "Not to be trusted with",
    "unsaid": "Cannot be said yet",
}
SUBJECTS: dict[Graded, str] = {
    "support": "whether a passage supports a claim",
    "bucket": "whether an answer may be shown",
    "refusal": "whether an answer is a refusal",
    "refusal_quality": "how good a refusal is (0–3)",
    "extra_claims": "how many claims lack a citation",
}
YES_AND_NO: dict[Graded, tuple[str, str]] = {
    "support": ("supported", "not supported"),
    "bucket": ("acceptable", "not acceptable"),
    "refusal": ("a refusal", "no refusal"),
}
PEOPLE_OF: dict[Graded, About] = {
    "support": "support",
    "bucket": "bucket",
    "refusal": "bucket",
    "refusal_quality": "refusal_quality",
    "extra_claims": "extra_claims",
}
"""The label that people give on what a grader says: a refusal is read from the bucket."""
_ID_LIMIT = 60
_YES_NO = ("yes", "no")
HARD_SPACE = "\u00a0"
BAR = (
    f"Trusted: even the lower end of the 95 % interval of balanced accuracy lies at {100 * TRUSTED:.0f} % or above"
    f" (of kappa at {2 * TRUSTED - 1:.2f}, where grades are compared). Helps: it lies above {100 * NEAR_CHANCE:.0f} % (kappa"
    f" {2 * NEAR_CHANCE - 1:.2f}). Not to be trusted: it does not, and even the upper end lies below {100 * TRUSTED:.0f} %, or the"
    f" figure itself at {100 * NEAR_CHANCE:.0f} % or below on {LEAST_PER_CLASS} labels of each class. Else the interval is too"
    " wide to say. A bar to read by; the figures decide what you need."
)
GLOSSARY = (
    ("TPR", "of the things that people call yes, the share the tool calls yes too"),
    ("TNR", "of those that people call no, the share the tool calls no"),
    ("balanced accuracy", "the mean of the two: 50 % is chance, however rare one of them is"),
    ("kappa, AC1, alpha", "agreement beyond chance: 0 is chance, 1 is always; AC1 holds up where one answer is rare"),
    ("ECE", "how far the stated probability lies from the share that people call supported: 0 is best"),
)


def unbroken(text: str) -> str:
    """Keep a figure and its unit, and a count and its name, on one line."""
    return (
        text.replace("n = ", f"n{HARD_SPACE}={HARD_SPACE}")
        .replace(" %", f"{HARD_SPACE}%")
        .replace(" CI ", f"{HARD_SPACE}CI{HARD_SPACE}")
    )


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that the tool decides, how it stands, and the figure that says so."""

    standing: Standing
    subject: str
    figure: Figure

    @property
    def why(self) -> str:
        """Write the figure, or what it lacks."""
        return str(self.figure)


def subject_of(rubric: Graded, kind: str = ALL_KINDS) -> str:
    """Name what is graded, and of which kind."""
    if kind == ALL_KINDS:
        return SUBJECTS[rubric]
    return f"{SUBJECTS[rubric]}, for {_group_of(rubric, kind)} {kind_name(rubric, kind)}"


def kind_name(rubric: Graded, kind: str) -> str:
    """Write a kind: of claims as a profile names it, of refusals in words."""
    return printable(kind.replace("_", " ") if rubric.startswith("refusal") else kind, limit=_ID_LIMIT)


def class_name(rubric: Graded, word: str) -> str:
    """Name a class of a confusion table: yes and no as the rubric calls them."""
    yes_and_no = YES_AND_NO.get(rubric)
    return word if yes_and_no is None or word not in _YES_NO else yes_and_no[_YES_NO.index(word)]


def _group_of(rubric: Graded, kind: str) -> str:
    """Return what a kind is a kind of: claims, refusals by what they rest on, or questions by their category."""
    if not rubric.startswith("refusal"):
        return "claims of kind"
    return "refusals that rest on" if kind in get_args(RefusalBasis) else "questions of category"


def standing_of(found: Agreement) -> Said:
    """Return how far a grader can be trusted, by an interval: of balanced accuracy, or of kappa for grades.

    An interval that reaches from chance to trust is no verdict against the grader: nothing can be said yet.
    """
    graded = found.rubric in GRADED
    figure = figure_of(found, "kappa" if graded else "balanced_accuracy")
    trusted, chance = (2 * one - 1 if graded else one for one in (TRUSTED, NEAR_CHANCE))
    standing: Standing = "unsaid"
    if figure.value is not None and figure.interval is not None:
        low, high = figure.interval
        if low > chance:
            standing = "trusted" if low >= trusted else "watched"
        elif high < trusted or (enough(found) and figure.value <= chance):
            standing = "chance"
    return Said(standing, subject_of(found.rubric, found.kind), figure)


def agreements(report: CalibrationReport) -> list[Agreement]:
    """Return every agreement once: by rubric, then by kind."""
    return [*report.agreement.values(), *(one.agreement for one in report.per_kind)]


def standings(report: CalibrationReport) -> dict[Standing, list[Said]]:
    """Sort what the tool decides by how far it can be trusted with it."""
    said = [standing_of(one) for one in agreements(report)]
    return {standing: [one for one in said if one.standing == standing] for standing in STANDINGS}


def headline(report: CalibrationReport) -> str:
    """Return in one line how the tool stands beside people."""
    if not report.labels:
        return "No labels yet: nothing can be said about the judge"
    if (bound := report.risk) is not None:
        from_p = (
            "no threshold found yet" if bound.threshold is None else f"from a probability of {bound.threshold:g} on"
        )
        return f"Answers that may be shown with at most {bound.risk:.0%} of them bad: {from_p}"
    overall = report.agreement.get("support")
    if overall is None or overall.balanced_accuracy is None:
        return "Too few labels to say how far the judge can be trusted"
    return {
        "trusted": "The judge can be trusted to say whether a passage supports a claim",
        "watched": "The judge helps to say whether a passage supports a claim, with a person looking",
        "chance": "The judge is not to be trusted to say whether a passage supports a claim",
        "unsaid": "Too few labels to say how far the judge can be trusted",
    }[standing_of(overall).standing]


def lead(report: CalibrationReport) -> str:
    """Return what was held beside what."""
    people = "people" if report.reviewers is None else f"{report.reviewers:,} people"
    people = "" if report.reviewers is None else f" by {_counted(report.reviewers, 'person', 'people')}"
    said = f"Judge {printable(report.judge)} beside {_counted(report.labels, 'label', 'labels')}{people}, from {printable(report.source)}."
    return said if report.labels else f"{said} Give labels first: showable review RUN."


def overall_figure(report: CalibrationReport) -> Figure | None:
    """Return the figure that the headline rests on, or None where support was not labelled."""
    overall = report.agreement.get("support")
    return None if overall is None else figure_of(overall, "balanced_accuracy")


def missing_in_words(one: Missing) -> str:
    """Return which labels are missing: ``12 more “not supported” labels of kind dosage (18 of 30)``."""
    more = max(0, one.need - one.have)
    label = printable(one.label.replace("_", " "), limit=_ID_LIMIT)
    if one.given is not None and one.given >= one.need:
        return f"{more:,} more decided of the {one.given:,} “{label}” labels given{_of_kind(one.rubric, one.kind)} ({one.have:,} of {one.need:,})"
    return f"{more:,} more “{label}” {'label' if more == 1 else 'labels'}{_of_kind(one.rubric, one.kind)} ({one.have:,} of {one.need:,})"


def least_n_in_words(one: LeastN) -> str:
    """Return how many more labels would let something be said."""
    more = max(0, one.need - one.have)
    said = printable(one.says)
    what = f"{said[:1].upper()}{said[1:]}{_of_kind(one.rubric, one.kind)}"
    return f"{what}: {_counted(more, 'more label', 'more labels')} ({one.have:,} of {one.need:,})"


def _counted(n: int, one: str, many: str) -> str:
    return f"{n:,} {one if n == 1 else many}"


def _of_kind(rubric: Graded, kind: str) -> str:
    if kind == ALL_KINDS:
        return "" if rubric == "support" else f" on {SUBJECTS[rubric]}"
    return f" of {_group_of(rubric, kind).removeprefix('claims of ')} {printable(kind, limit=_ID_LIMIT)}"


def all_missing(report: CalibrationReport) -> list[str]:
    """Say all that is missing, each thing once: for the fit as a whole, kind by kind, then what else could be said."""
    refusals = [report.refused, *(one.refused for one in report.per_kind)]
    missing = [one for refused in refusals if refused for one in refused.missing]
    known = {(one.rubric, one.kind, one.have, one.need) for one in missing}
    others = [one for one in report.least_n if (one.rubric, one.kind, one.have, one.need) not in known]
    return list(dict.fromkeys([*map(missing_in_words, missing), *map(least_n_in_words, others)]))


def by_note(found: Iterable[tuple[str, Sequence[str]]]) -> list[str]:
    """Say every note once, and of what it holds; `found` gives names and the notes to each."""
    names: dict[str, list[str]] = {}
    for name, notes in found:
        for note in notes:
            names.setdefault(note, []).append(name)
    return [f"{printable(note)} ({', '.join(dict.fromkeys(held))})" for note, held in names.items()]


def beside_people(judge: Figure, people: Figure) -> str:
    """Return whether a judge agrees with people as well as people agree among themselves."""
    if judge.interval is None or people.interval is None:
        return "Too few labels to tell the judge's agreement from people's own."
    if judge.interval[1] < people.interval[0]:
        return "The judge agrees with people less than people agree with each other."
    if judge.interval[0] > people.interval[1]:
        return "The judge agrees with the settled labels more than people agree with each other."
    return "These labels do not tell the judge's agreement from people's own."


def people_for(rubric: Graded, several: Sequence[InterRater]) -> InterRater | None:
    """Return what people reach among themselves on what a grader says."""
    return next((one for one in several if one.about == PEOPLE_OF[rubric]), None)


def people_figure(rubric: Graded, several: Sequence[InterRater]) -> Figure | None:
    """Return the figure of people that stands beside a grader's kappa; None where nothing was labelled twice."""
    found = people_for(rubric, several)
    return None if found is None else people_beside(found)


def outside(report: CalibrationReport) -> list[str]:
    """Return which labels take no part, and why."""
    said = []
    if report.stale:
        said.append(f"{report.stale:,} given on another answer or under another text of the rubric")
    if report.not_counted:
        said.append(f"{report.not_counted:,} by people in a role that the profile does not count")
    for name, counts in (("unsettled", "on which people disagree and nobody adjudicated"),
                         ("cannot_tell", "that people could not tell"),
                         ("undecided", "that the tool itself left undecided")):  # fmt: skip
        by_rubric = [(one.rubric, getattr(one, name)) for one in report.agreement.values()]
        if total := sum(n for _, n in by_rubric):
            split = ", ".join(f"{n:,} {rubric.replace('_', ' ')}" for rubric, n in by_rubric if n)
            said.append(f"{total:,} {'thing' if total == 1 else 'things'} {counts} ({split})")
    return said


def roles_in_words(by_role: Iterable[tuple[str, int]]) -> str:
    """Return how many labels people gave in which role."""
    return ", ".join(f"{n:,} by {_ROLE_NAMES.get(role, printable(role))}" for role, n in by_role if n)


_ROLE_NAMES = {
    "senior": "senior domain reviewers",
    "reviewer": "domain reviewers",
    "engineer": "engineers",
}
