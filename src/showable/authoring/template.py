"""A rubric without a model: the description in its own words, in the places where a judge and a reviewer need it."""

from __future__ import annotations

import re

from pydantic import ValidationError

from showable.errors import SettingError
from showable.profiles.load import load_profile
from showable.read.claim_kinds import RULES
from showable.records.lines import explain
from showable.records.profile import FieldName
from showable.records.rubric_file import MenuLabel, OwnRubric
from showable.report.untrusted import printable

_EXCEPT = re.compile(
    r"\s*[,;:]?\s+(?:(?:and|but)\s+)?(?:not|never|rather than|instead of)\s+(?P<what>[^,;.]+)", re.IGNORECASE
)
_WORD = re.compile(r"[a-z]+")
_LONGEST_NAME = 40
_SMALL = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "but",
        "by",
        "for",
        "from",
        "in",
        "is",
        "it",
        "its",
        "must",
        "not",
        "of",
        "on",
        "or",
        "shall",
        "should",
        "that",
        "the",
        "to",
        "with",
    ]
)
FIELDS: tuple[FieldName, ...] = ("legal", "medical", "research", "news")
"""The fields with kinds of their own, in the order in which a kind is looked for."""
_ENDINGS = ("ies", "y"), ("es", ""), ("s", "")


def draft(says: str, *, field: FieldName | None = None, kind: str | None = None) -> OwnRubric:
    """Fill the template in from a description: criteria, menu, and the kind of claim that it speaks of.

    The kind is the first word of the description that names one; `field` narrows the kinds to that field's. What follows
    "not" becomes a criterion of its own, since it is what a judge would let pass. Raises SettingError where no rubric
    can be made of it: an empty description, or a kind that the field does not have.
    """
    said = " ".join(says.split()).rstrip(".")
    if not said:
        raise SettingError("the description: expected a sentence that says what the passage must do")
    found_field, found_kind = find_kind(said, field) if kind is None else (_field_of(kind, field), kind)
    try:
        return _filled_in(said, found_field, found_kind)
    except ValidationError as error:
        where, why = explain(error)
        raise SettingError(f"{'the description' if where in ('says', 'criteria') else where}: {why}") from None


def _field_of(kind: str, field: FieldName | None) -> FieldName:
    """Find the field that has this kind. Raises SettingError where the one given has kinds, and not this one."""
    if field is None:
        return next((one for one in FIELDS if kind in RULES[one].kinds), "general")
    kinds = RULES[field].kinds
    if kinds and kind not in kinds:
        raise SettingError(f"--kind {kind!r} is none of {', '.join(kinds)}, the kinds of field {field!r}")
    return field


def _filled_in(said: str, field: FieldName, kind: str | None) -> OwnRubric:
    left_out = [match["what"].strip() for match in _EXCEPT.finditer(said)]
    criteria = [f"The passage itself must meet this in full: “{said}”."]
    criteria += [
        f"What the passage has only “{what}” does not meet it, however like the claim it reads." for what in left_out
    ]
    criteria.append("Where the passage does not show whether the rule is met, it is not met.")
    return OwnRubric(
        name=slug(said),
        says=said,
        field=field,
        kind=kind,
        threshold=threshold_of(field, kind),
        criteria=tuple(criteria),
        menu=_menu(left_out),
    )


def threshold_of(field: FieldName, kind: str | None) -> float:
    """Return the p at which the field's own profile cuts claims of a kind: a rule more must not make it easier."""
    return load_profile(field).thresholds.of(kind)


def find_kind(said: str, field: FieldName | None) -> tuple[FieldName, str | None]:
    """Find the kind of claim that a description names first, and the field whose kind it is."""
    fields = (field,) if field else FIELDS
    for word in _WORD.findall(said.lower()):
        for one in fields:
            if kind := next((known for known in RULES[one].kinds if known in _forms(word)), None):
                return one, kind
    return field or "general", None


def slug(said: str) -> str:
    """Make a name of the first telling words of a description; a colour code in it is no word."""
    words = [word for word in _WORD.findall(printable(said).lower()) if word not in _SMALL]
    name = "-".join(words[:4])[:_LONGEST_NAME].strip("-")
    return name or "rubric"


def _forms(word: str) -> set[str]:
    return {word, *(word.removesuffix(ending) + instead for ending, instead in _ENDINGS if word.endswith(ending))}


def _menu(left_out: list[str]) -> dict[MenuLabel, str]:
    unless = f" Found only “{left_out[0]}”, it is not supported." if left_out else ""
    return {
        "supported": "The passage says all that the claim asserts, and meets the rule.",
        "partial": "The passage says a part of what the claim asserts, and that part meets the rule.",
        "unsupported": f"The passage does not say it, or says it in a way that does not meet the rule.{unless}",
        "contradicted": "The passage says what cannot hold together with the claim.",
    }
