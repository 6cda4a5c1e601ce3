"""How the subject of an article is written in the middle of a sentence: as its own text writes it there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_LEAST = 2
_LEADS_UP = r"(?:in|of|on|to|for|from|by|with|about|and|or|as|against|between|among|under|through|into|at|over|within|is|was|that|when|where|while|but)"
"""What stands before a noun, or before its "the": "of the steam engine", but not "of a small steam engine"."""
_GOES_ON = r"(?=[.,;:)]|\s(?:and|or|of|in|on|at|to|by|for|from|with|as|that|which|who|was|were|is|are|had|has|have|did|can|may|will|would|also|began|came)\b)"
"""What follows a noun that is no part of a longer name: "the steam engine was", but not "steam engine works"."""


def as_written(title: str, texts: Iterable[str]) -> str | None:
    """Give the form that the subject has most often within a sentence: ``the immune system``, ``Warsaw``, ``the Huguenots``.

    None where the texts have it there less than twice, so that nobody can tell how to write it.
    """
    found = re.compile(rf"\b{_LEADS_UP} (the )?((?i:{re.escape(title)})s?){_GOES_ON}")
    forms = Counter[str]()
    for text in texts:
        for article, name in found.findall(text):
            forms[f"the {name}" if article else name] += 1
    for people in [form for form in forms if form.istitle() and form.endswith("s") and f"the {form}" in forms]:
        forms[f"the {people}"] += forms.pop(people)
    form, count = max(forms.items(), key=lambda item: (item[1], item[0]), default=("", 0))
    return form if count >= _LEAST else None
