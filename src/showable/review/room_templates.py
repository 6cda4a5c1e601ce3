"""The templates of the pages around the labelling page, and what they all say alike."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from showable.records.label_guide import GUIDE, About
from showable.records.labels import Value
from showable.review.record_view import ROLE_WORDS
from showable.review.script_data import script_data
from showable.review.static_files import static_url
from showable.review.unseen import marked_unseen

ABOUT_WORDS: dict[About, str] = {
    "support": "Citation",
    "bucket": "Whole answer",
    "refusal_quality": "Quality of the refusal",
    "extra_claims": "Sentences without a citation",
    "claim_kind": "Kind of claim",
    "comment": "Note",
}


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("showable.review", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(seen=marked_unseen, value_name=value_name, duration=duration, a_role=a_role)
    environment.globals.update(
        asset=static_url, roles=ROLE_WORDS, abouts=ABOUT_WORDS, guide=GUIDE, value_tone=value_tone
    )
    return environment


def render_room(template: str, **context: Any) -> str:
    """Render a page; whatever `data` holds stands on it for its script, as text that ends nothing."""
    data = script_data(context.pop("data"))
    settle_script = static_url("settle_only.js")
    return _environment().get_template(template).render(data=data, settle_script=settle_script, **context)


def value_name(value: Value, about: About) -> str:
    """Name a value in the guide's words; what is free is written as it was given."""
    named = next((one.name for one in GUIDE[about].choices if one.value == value), None)
    return named or marked_unseen(str(value))


def a_role(role: str) -> str:
    """Put the article before a role."""
    return f"{'an' if role[:1] in 'aeiou' else 'a'} {role}"


def value_tone(value: Value) -> str:
    """Return the tone of a value: its own name where the theme has a colour for it."""
    return str(value) if str(value) in _TONES else ""


_TONES = {"supported", "partial", "unsupported", "contradicted", "cannot_tell", "correct", "wrong", "refused"}
_MINUTE, _HOUR = 60, 3600


def duration(seconds: float | None) -> str:
    """Say about how long something takes."""
    if seconds is None:
        return ""
    if seconds < _MINUTE:
        return "under a minute"
    if seconds < _HOUR:
        minutes = round(seconds / _MINUTE)
        return f"about {minutes} minute{'' if minutes == 1 else 's'}"
    halves = round(2 * seconds / _HOUR)
    return f"about {halves / 2:g} hour{'' if halves == 2 else 's'}"  # noqa: PLR2004 - two halves are one hour
