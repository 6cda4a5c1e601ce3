"""Which judge a retuned one was before its own head or its examples went in: what a calibration names."""

from __future__ import annotations

import re

from showable.records.evidence import Judge
from showable.records.regex import regex

HEAD = "+head-"
"""What stands in a name before the digest of a head that took the place of the model's own."""
_OWN_HEAD = regex(rf"{re.escape(HEAD)}[0-9a-f]+\Z")
"""At the very end: what a cascade's critical kinds are called stands before its two judges."""


def origin(judge: Judge) -> tuple[str, str | None]:
    """Return name and prompt hash of a judge as it is without any calibration."""
    prompt: str | None = getattr(judge, "plain_prompt_hash", judge.prompt_hash)
    return _OWN_HEAD.sub("", judge.name), prompt
