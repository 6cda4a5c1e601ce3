"""The names that a source goes by besides its id: a file without its folder or its ending, an id with a page pinned to it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

_ENDING = re.compile(
    r"(?i)(?<=\w|\))\.(?:pdf|docx?|odt|md|txt|html?|csv|tsv|xlsx?|pptx?|odp|ods|json|jsonl|ya?ml|xml|rtf|epub|eml|msg|tex|rst)$"
)
_SPACED_FILE = re.compile(r"[^\W_][\w ().&'’+–-]{0,150}")
_PIN = re.compile(
    r"(?i)(?:#(?:page=|p(?:age)?[-_.]?)?(\d{1,4})(?:-\d{1,4})?|:(?:p\.?)?\d{1,4}(?:-\d{1,4})?|#[\w-]{1,60})$"
)
_FOLDED_MARKS = "*_`\"“”'‘’ \t"


class Named(NamedTuple):
    """A source of the log, and the page where its name has one pinned to it."""

    source: str
    page: str | None = None


def named_source(words: str, known: frozenset[str]) -> Named | None:
    """Find the one source that these words name, if not by its very id: ``Lease.PDF``, ``lease.pdf#page=3``, ``docs/lease.pdf``, ``hr-policy``.

    None where two go by the name, and where the log has ids with such pins of their own, so that ``kb:9`` is a part it lacks.
    """
    plain = words.strip(_FOLDED_MARKS)
    if not plain or not known:
        return None
    if found := _of(plain, known):
        return Named(found)
    pin = _PIN.search(plain)
    if pin is None or not (stem := plain[: pin.start()]) or _has_parts(stem, pin[0][0], known):
        return None
    return Named(found, pin[1]) if (found := _of(stem, known)) else None


def is_file_name(words: str) -> bool:
    """Say whether words end as the name of a file does: ``House Rules 2024.docx``."""
    ending = _ENDING.search(words)
    return ending is not None and _SPACED_FILE.fullmatch(words[: ending.start()]) is not None


def is_bare_word(words: str) -> bool:
    """Say whether a name is one word without a digit, as ``lease`` for ``lease.pdf``, which a sentence may use for itself."""
    return words.isalpha()


def _of(name: str, known: frozenset[str]) -> str | None:
    if name in known:
        return name
    folded = name.casefold().replace("\\", "/")
    names = _names(known)
    if folded in names:
        return names[folded]
    base = folded.rsplit("/", 1)[-1]
    return names.get(base) if base != folded and _ENDING.search(base) else None


def _has_parts(stem: str, sign: str, known: frozenset[str]) -> bool:
    return any(name.startswith(f"{stem}{sign}") for name in known)


@lru_cache(maxsize=64)
def _names(known: frozenset[str]) -> dict[str, str | None]:
    """Give what each name stands for, None where it could be two sources. A full id goes before a shortened one.

    A title in other letters than its own may be words of a sentence, and is none.
    """
    files = [name for name in known if _ENDING.search(name) and "://" not in name]
    whole = _unique((name.casefold(), name) for name in known if " " not in name or _ENDING.search(name))
    short = _unique((part, name) for name in files for part in _shortened(name.casefold().replace("\\", "/")))
    return {**short, **whole}


def _shortened(name: str) -> set[str]:
    base = name.rsplit("/", 1)[-1]
    return {base, _ENDING.sub("", base), _ENDING.sub("", name)}


def _unique(pairs: Iterable[tuple[str, str]]) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for key, value in pairs:
        found[key] = value if found.setdefault(key, value) == value else None
    return found
