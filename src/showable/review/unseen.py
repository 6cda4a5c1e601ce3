"""Characters that a reader cannot see, drawn as a mark: what they hide in a text is part of what is labelled."""

from __future__ import annotations

import re

from showable.read.invisible import without_invisible
from showable.report.page.texts import held

MARK = "\ufffd"
_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200e\u200f\u2060-\u206f\u3164\uffa0\ufff0-\ufffb]"
)


def marked_unseen(text: str) -> str:
    """Return a text of the same length with each character that is not seen, or reorders what is, drawn as U+FFFD.

    Joiners that spelling needs stay, as `without_invisible` keeps them.
    """
    shown = held(text)
    return shown if without_invisible(shown) == shown else _HIDDEN.sub(MARK, shown)
