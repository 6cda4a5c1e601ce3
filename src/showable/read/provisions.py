"""Provisions and other numbered parts of a document: Section 19(2), § 12(b), Rule 3.2, paragraph (b) of clause 7."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_LABELS = {
    "section": r"sections?|sec\.?|ss?\.|§{1,2}",
    "clause": r"clauses?|cl\.",
    "article": r"articles?|art\.?",
    "rule": r"rules?|r\.",
    "regulation": r"regulations?|regs?\.?",
    "paragraph": r"paragraphs?|paras?\.?|¶{1,2}",
    "schedule": r"schedules?|sch(?:ed)?\.",
    "appendix": r"appendix|appendices|app\.",
    "annex": r"annex(?:ure)?(?:es|s)?",
    "exhibit": r"exhibits?|ex\.",
    "part": r"parts?|pt\.",
    "chapter": r"chapters?|ch\.",
    "title": r"titles?",
    "recital": r"recitals?",
    "principle": r"principles?",
    "standard": r"standards?",
    "item": r"items?",
    "note": r"notes?",
    "table": r"tables?",
    "figure": r"figures?|figs?\.?",
    "page": r"pages?|pp?\.",
    "step": r"steps?",
}
_LABEL = "|".join(f"(?P<{name}>{ways})" for name, ways in _LABELS.items())
_WITHIN = r"(?:sub-?sections?|sub-?clauses?|sub-?paragraphs?|sub-?rules?|paragraphs?|paras?\.?|points?|items?|no\.)"
_NUMBER = (
    r"(?:[0-9]{1,4}[a-z]{0,2}(?![a-z0-9])(?:\.[0-9]{1,3}(?![0-9%]))*|(?<=\s)[ivxlc]{1,6}\b|(?<=\s)[a-z]\b(?![.'’]\w))"
)
_BRACKET = r"(?:\s?\([0-9a-z]{1,4}\))"
_PROVISION = re.compile(
    rf"(?<![\w.])(?:(?:{_WITHIN} (?P<inner>\(?[0-9a-z]{{1,4}}\)?{_BRACKET}*) (?:of|to|in|under) (?:the )?)?(?:{_LABEL})\s?(?P<number>{_NUMBER})(?P<deep>{_BRACKET}*)"
    rf"(?P<after>(?:,? {_WITHIN} \(?[0-9a-z]{{1,4}}\)?{_BRACKET}*(?![\w]))*)"
    rf"|(?P<bare>[0-9]{{1,4}}[a-z]?(?:\.[0-9]{{1,3}})*)(?P<brackets>(?:\([0-9a-z]{{1,4}}\))+))"
)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_STEP = re.compile(r"[0-9]+[a-z]{0,2}(?![a-z0-9])|[a-z]{1,6}(?![a-z0-9])")


class Provision(NamedTuple):
    """A numbered part: its label (None where it is left out: "19(2)"), its number to the last bracket, and its place."""

    label: str | None
    steps: tuple[str, ...]
    span: tuple[int, int]

    def holds(self, other: Provision) -> bool:
        """Tell whether the other is this part or lies in it, as 19(2)(b) lies in 19(2)."""
        unlike = self.label is not None and other.label is not None and self.label != other.label
        return not unlike and other.steps[: len(self.steps)] == self.steps


def find_provisions(text: str) -> Iterator[Provision]:
    """Read the numbered parts that a text names, in order of place."""
    for match in _PROVISION.finditer(text.lower()):
        label = next((name for name in _LABELS if match[name]), None)
        if label and match["number"].isalpha() and not _is_lettered(text, match.start(label), match.span("number")):
            continue
        if label is None:
            steps = _steps(match["bare"]) + _steps(match["brackets"])
        else:
            after = re.sub(_WITHIN, " ", match["after"] or "")
            steps = (
                _arabic(_steps(match["number"]))
                + _steps(match["deep"] or "")
                + _steps(match["inner"] or "")
                + _steps(after)
            )
        yield Provision(label, steps, match.span())


def _is_lettered(text: str, label: int, number: tuple[int, int]) -> bool:
    """Tell "Schedule A" and "part IV" from "table a motion" and "the rule I made"."""
    written = text[slice(*number)]
    return written.isupper() and (len(written) > 1 or text[label].isupper())


def _arabic(steps: tuple[str, ...]) -> tuple[str, ...]:
    """Read a Roman number: Part IV is part 4. C, D, L and M alone are letters."""
    first = steps[0] if steps else ""
    if not re.fullmatch(r"[ivx]|[ivxlc]{2,6}", first):
        return steps
    values = [_ROMAN[c] for c in first]
    total = sum(v if v >= following else -v for v, following in zip(values, [*values[1:], 0], strict=True))
    return (str(total), *steps[1:])


def _steps(text: str) -> tuple[str, ...]:
    return tuple(_STEP.findall(text))
