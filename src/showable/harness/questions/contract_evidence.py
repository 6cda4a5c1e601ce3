"""Which labels of ContractNLI the words they point to bear out: some call an exception a ban, or a list a limit.

A label counts where its evidence holds what it takes to show it and nothing that undoes it. The rules name wordings, no
agreements; they were written on reading evidence beside statements, and leave out some good labels with the bad.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from showable.harness.corpora.corpus import LabelKind, Labelled
from showable.harness.questions.labelled_ground import Ground


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the evidence must hold and must not hold, and terms that no passage of the agreement may hold together."""

    by: str = ""
    not_by: str = r"(?!)"
    unless: tuple[str, ...] = ()


_NEVER = _Shown(by=r"(?!)")
_OUTSIDERS = r"consult|advis|attorney|lawyer|accountant|agent|contractor|lender|auditor|outsider"
_SHOWN: dict[tuple[str, LabelKind], _Shown] = {
    # "or by its nature confidential" beside the marked information: then not all need be marked.
    ("nda-1", "answered"): _Shown(
        r"\bmark|designat|legend|stamp|expressly identified", r"reasonabl|by necessary implication|regardless|whether or not|including but"
    ),
    ("nda-1", "contradicted"): _Shown(r"nature|reasonabl|whether or not|need not|regardless|without limitation|deemed|intended|identified"),
    # That it is called "data" or "designs" does not make all of it technical.
    ("nda-2", "answered"): _NEVER,
    ("nda-3", "answered"): _Shown(r"\boral|verbal|spoken|discussion|conversation|however|any form|whatever form|regardless of form"),
    ("nda-4", "answered"): _Shown(r"\bonly\b|solely|other than|except|any other|no other|exclusive"),
    # Free use of what stays in people's minds lifts the ban in part only.
    ("nda-4", "contradicted"): _NEVER,
    ("nda-5", "answered"): _Shown(r"employee|personnel|staff|officers|representative"),
    # Who is bound as an employee of the other side has no employees to speak of.
    ("nda-5", "contradicted"): _Shown(r"employ|any person|anyone", r"except to|other than to|while an employee"),
    ("nda-7", "answered"): _Shown(_OUTSIDERS, r"anyone outside|other than as a result of"),
    ("nda-7", "contradicted"): _Shown(
        r"third part|any person|any .{0,30}entity|advisors",
        r"contractor|representative|affiliate|retained by|engaged by",
        ("consultants|advisors|advisers|subcontractors|accountants|auditors", "disclose|access|provide|know"),
    ),
    ("nda-8", "answered"): _Shown(r"notif|notice|inform|advise"),
    # That its existence is defined as secret is not yet a promise to keep it so.
    ("nda-10", "answered"): _Shown(r"existence|discussions|negotiat|the fact that|participation", r"shall mean|\bmeans\b|\bdefin"),
    ("nda-11", "answered"): _Shown(r"reverse engineer"),
    ("nda-12", "answered"): _Shown(r"independent"),
    ("nda-13", "answered"): _Shown(r"third part|third person|source|third-part"),
    ("nda-15", "answered"): _Shown(r"licen[cs]e|\brights?\b|property|title|ownership"),
    ("nda-16", "answered"): _Shown(r"return|destr|deliver|surrender|delet"),
    # What need not be returned from a backup does not undo that the rest must be.
    ("nda-16", "contradicted"): _NEVER,
    ("nda-17", "answered"): _Shown(
        r"cop(?:y|ies)|reproduc|duplicat", unless=("copies|copy|duplicate|duplication|reproduce", "consent|permission|authorization|authorisation|approval")
    ),
    ("nda-17", "contradicted"): _Shown(r"cop(?:y|ies|ied)|reproduc|duplicat", r"\bexcept\b|unless necessary"),
    ("nda-18", "answered"): _Shown(r"solicit|hir(?:e|ing)|entice|induce"),
    ("nda-19", "answered"): _Shown(
        r"surviv|continu|without limit|in (?:full )?(?:force|effect)|in perpetuity|indefinite|years (?:after|from|following)",
        r"separate instrument",
    ),
    ("nda-20", "answered"): _Shown(r"retain|keep|not .{0,30}(?:destr|delet|return)"),
    ("nda-20", "contradicted"): _Shown(
        r"\ball\b.{0,200}(?:information|material|cop(?:y|ies)|documents)|retained", r"permitted to retain|may retain|\bexcept\b|provided, however"
    ),
}  # fmt: skip


_ANY_CASE = re.IGNORECASE | re.DOTALL


def borne_out(ground: Ground, key: str, label: Labelled) -> bool:
    """Check whether the evidence of a label shows what people said of the hypothesis; an absent one points to none."""
    shown = _SHOWN.get((key, label.kind))
    if shown is None or label.kind == "absent":
        return True
    said = " ".join(ground.evidence_text(piece) for piece in label.gold.evidence)
    if not re.search(shown.by, said, _ANY_CASE) or re.search(shown.not_by, said, re.IGNORECASE):
        return False
    return not shown.unless or next(ground.words_of_document[label.document].holding(shown.unless), None) is None


def that_shows(ground: Ground, key: str, label: Labelled) -> Labelled:
    """Leave out what says nothing of the matter, where another piece of the evidence does; the head of a list stays."""
    shown = _SHOWN.get((key, label.kind))
    if shown is None or not shown.by:
        return label
    said = {piece: ground.evidence_text(piece).strip() for piece in label.gold.evidence}
    kept = [piece for piece, text in said.items() if text.endswith(":") or re.search(shown.by, text, _ANY_CASE)]
    if not any(re.search(shown.by, said[piece], _ANY_CASE) for piece in kept):
        return label
    return label.model_copy(update={"gold": label.gold.model_copy(update={"evidence": tuple(kept)})})
