"""The gate's decision in plain words, the same on a page and in a comment."""

from __future__ import annotations

from typing import NamedTuple

from showable.measure.decision import Decision, GateLine
from showable.measure.paired import PairedTest

LABELS = {
    "wrong": "Wrong answers",
    "unsupported": "Unsupported answers",
    "acceptable": "Acceptable answers",
    "correct_on_answerable": "Correct answers to answerable questions",
    "refused_on_answerable": "Unwarranted refusals",
    "unknown": "Undecided answers",
    "refusal_quality": "Quality of refusals",
    "extra_claim_count": "Claims without a citation",
    "unknown_share": "Share of undecided answers",
}


class Verdict(NamedTuple):
    """The word to act on, its tone (``good``, ``bad`` or ``open``), and a sentence that says what it rests on."""

    word: str
    tone: str
    said: str


def verdict_of(decision: Decision, *, identical: bool = False) -> Verdict:
    """Say a decision. `identical` tells that the answers of both runs are the same too."""
    if decision.inconclusive:
        return Verdict("INCONCLUSIVE", "open", "Nothing could be compared, so nothing is decided.")
    same = "The two runs are identical, question by question." if identical else ""
    if decision.ship:
        if identical:
            return Verdict("SHIP", "good", f"{same} Identical runs ship.")
        moved = "" if decision.moved else ", and no question moved"
        return Verdict("SHIP", "good", f"Every rule holds{moved}.")
    broken = sum(line.ok is False for line in decision.lines)
    judged = sum(line.ok is not None for line in decision.lines)
    verb = "does" if broken == 1 else "do"
    return Verdict("DO NOT SHIP", "bad", f"{same} {broken} of {judged} rules {verb} not hold.".strip())


def reasons_of(decision: Decision) -> list[str]:
    """Return what stands against shipping, or why nothing was decided, a sentence each."""
    broken = [line for line in decision.lines if line.ok is False]
    unmeasured = decision.reasons[: len(decision.reasons) - len(broken)]
    return [*(f"{said[:1].upper()}{said[1:]}." for said in unmeasured), *map(_sentence, broken)]


def label_of(line: GateLine) -> str:
    """Call a rule by what it counts."""
    return LABELS.get(line.name, line.name)


def numbers_of(line: GateLine) -> tuple[str, str] | None:
    """Return both numbers of a line, or None where it does not apply."""
    if line.baseline is None or line.candidate is None:
        return None
    if line.name == "unknown_share":
        return f"{100 * line.baseline:.1f} %", f"{100 * line.candidate:.1f} %"
    return f"{line.baseline:.4g}", f"{line.candidate:.4g}"


def p_value(p: float | None) -> str:
    """Print a p value as people read it."""
    if p is None:
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"  # noqa: PLR2004 - smaller than anyone acts on


def paired_in_words(test: PairedTest | None) -> str | None:
    """Say a paired test in brief, or give None where it has nothing to say."""
    if test is None or not test.better + test.worse:
        return None
    parts = [f"p {_with_sign(test.p)}"]
    parts += [f"mid-p {_with_sign(test.mid_p)}"] if test.mid_p is not None else []
    parts += [f"Holm {_with_sign(test.adjusted_p)}"] if test.adjusted_p is not None else []
    return ", ".join(parts)


def _with_sign(p: float) -> str:
    said = p_value(p)
    return said if said.startswith("<") else f"= {said}"


def _sentence(line: GateLine) -> str:
    label, reason = label_of(line), line.reason.removeprefix(f"{label_of(line).lower()} ")
    joint = " " if reason != line.reason or reason.startswith(("rose", "fell")) else ": "
    return f"{label}{joint}{reason}."
