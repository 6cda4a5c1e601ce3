"""Openers that carry no fact of their own: `However,`, `In addition,`."""

from __future__ import annotations

import random
import re

from edits.surface import upper_first

_OPENER = re.compile(
    r"^(?:However|In addition|Additionally|Furthermore|Moreover|Therefore|Thus|Also|Consequently|As a result|For example|For instance|"
    r"In fact|Indeed|Nevertheless|Nonetheless|Meanwhile|In particular|Similarly|Likewise|On the other hand|In contrast|By contrast|Finally|"
    r"Hence|Accordingly|Overall|In general|Interestingly|Notably|In conclusion|In summary|Of course|Besides|Still|Again|Instead|Further|Then|Next|"
    r"In other words|As such|That is|First|Second|Secondly|Lastly|In turn|At the same time|Historically|Today|Eventually|Later|Subsequently|Afterwards), (?=\w)"
)
_TIMED = re.compile(
    r"^(?:Historically|Today|Eventually|Later|Subsequently|Afterwards|Then|At the same time|In general|Overall|Instead|Still|Meanwhile)"
)
_INSIDE = re.compile(
    r", (?:however|therefore|in addition|for example|in fact|indeed|moreover|furthermore|nevertheless|in turn|of course), "
)
_ADDED = ("However, ", "In addition, ", "Moreover, ", "Furthermore, ", "Notably, ", "In fact, ", "Overall, ")


def trimmed(sentence: str) -> str:
    """Take the opener and the aside of discourse from `sentence`."""
    m = _OPENER.match(sentence)
    text = upper_first(sentence[m.end() :]) if m and not _TIMED.match(sentence) else sentence
    return _INSIDE.sub(" ", text, count=1)


def opened(sentence: str, rng: random.Random) -> str:
    """Put an opener of discourse before a sentence that starts with `The`, `A` or `In`."""
    m = re.match(r"(?:The|A|An|Some|Many|Most|Several|All) ", sentence)
    return rng.choice(_ADDED) + sentence[0].lower() + sentence[1:] if m else sentence
