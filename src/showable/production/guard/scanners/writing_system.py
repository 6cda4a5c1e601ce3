"""Whether an answer is written in the question's script: Latin letters under a question in Greek ones."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from showable.read.scan.urls.names import script_of
from showable.records.findings import Finding, Outcome

CODE = "scanner.language"

_SET_APART = re.compile(
    r"“[^“”\n]{1,2000}”|\"[^\"\n]{1,2000}\"|«[^«»\n]{1,2000}»|„[^„“”\n]{1,2000}[“”]|「[^「」\n]{1,2000}」|『[^『』\n]{1,2000}』"
    r"|`[^`\n]{1,2000}`|\[[^\[\]\n]{1,200}\]|\([^()\n]{1,200}\)|https?://\S{1,2000}"
)
"""What keeps its own script: quotations, code, citations, names and terms given in brackets, addresses."""
_FEWEST = 20
"""Letters of a text of which a script is told."""
_MOSTLY, _PART = 0.5, 0.25
"""The share of an answer that decides, and of a question from which a script is one of its own and no mere name."""
_TOGETHER = (
    frozenset({"HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"HAN", "HANGUL"}),
    frozenset({"HAN", "BOPOMOFO"}),
)
"""Scripts that one language is written in together (UTS 39, section 5.1)."""


def scan_script(question: str, answer: str) -> Iterator[Finding]:
    """Yield a finding where most letters of an answer are of another script.

    Quotations, brackets, code and addresses are left out, for names and quoted words keep their own script. Undecided,
    hence no finding, where either text is too short to tell. Languages that share a script are not told apart.
    """
    if question.isascii() and answer.isascii():
        return
    asked, given = _letters(question), _letters(_SET_APART.sub(" ", answer))
    if not asked or given.total() < _FEWEST:
        return
    script, count = given.most_common(1)[0]
    expected = frozenset(name for name, letters in asked.items() if letters >= _PART * asked.total())
    expected = expected.union(*(scripts for scripts in _TOGETHER if scripts & expected))
    if script not in expected and count > _MOSTLY * given.total():
        among = " and ".join(sorted(name.capitalize() for name in expected))
        yield Finding(
            code=CODE,
            outcome=Outcome.FAIL,
            reason=f"most of it is written in {script.capitalize()}, the question in {among}",
        )


def _letters(text: str) -> Counter[str]:
    """Return how many letters of each script a text has."""
    counts: Counter[str] = Counter()
    for char, count in Counter(text).items():
        if (script := _script(char)) is not None:
            counts[script] += count
    return counts


@lru_cache(maxsize=8192)
def _script(char: str) -> str | None:
    if char.isascii():
        return "LATIN" if char.isalpha() else None
    if unicodedata.category(char)[0] != "L":
        return None
    script = script_of(char)
    return None if script in {"COMMON", "INHERITED", "UNKNOWN"} else script
