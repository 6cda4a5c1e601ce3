"""The names that a source goes by besides its id: a file without its folder or its ending, an id with a page pinned to it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from showable.records.regex import regex

_ENDING = regex(
    r"(?i)(?<=\w|\))\.(?:pdf|docx?|odt|md|txt|html?|csv|tsv|xlsx?|pptx?|odp|ods|json|jsonl|ya?ml|xml|rtf|epub|eml|msg|tex|rst)$"
)
_SPACED_FILE = regex(r"[^\W_][\w ().&'’+–-]{0,150}")
_ANY_ENDING = regex(r"(?<=[\w)])\.[A-Za-z][A-Za-z0-9]{0,7}$")
_SCHEME = regex(r"(?i)^(?:[a-z][a-z0-9+.-]*:/{2,3}|[a-z]:/)")
_PIN = regex(
    r"(?i)(?:[#?](?:page=|p(?:age)?[-_.]?)?(\d{1,4})(?:-\d{1,4})?|:p(?:age)?[-_. ]?(\d{1,4})(?:-\d{1,4})?|"
    r":L?\d{1,6}(?:-L?\d{1,6}|:\d{1,4}){0,2}|#[\w-]{1,60})$"
)
"""A place pinned to a name: ``#page=3``, ``#L42-L44``, ``:p3``, ``:42``, ``:42:7``, ``:42-57``. A page is in group 1 or 2."""
_FOLDED_MARKS = "*_`\"“”'‘’ \t"


class Named(NamedTuple):
    """A source of the log, and the page where its name has one pinned to it."""

    source: str
    page: str | None = None


class _Path(NamedTuple):
    """A name as folders and a file, in small letters and without what names the machine."""

    folders: tuple[str, ...]
    file: str


def named_source(words: str, known: frozenset[str]) -> Named | None:
    """Find the one source that these words name, if not by its very id: ``Lease.PDF``, ``lease.pdf#page=3``, ``docs/lease.pdf``, ``hr-policy``.

    None where two go by the name, where the folders differ (``2023/lease.pdf`` is not ``2024/lease.pdf``), and where the
    log has ids with such pins of their own, so that ``kb:9`` is a part it lacks.
    """
    plain = words.strip(_FOLDED_MARKS)
    if not plain or not known:
        return None
    if found := _of(plain, known):
        return Named(found)
    stem, page = without_pin(plain)
    if stem == plain or not stem or _has_parts(stem, plain[len(stem)], known):
        return None
    return Named(found, page) if (found := _of(stem, known)) else None


def without_pin(words: str) -> tuple[str, str | None]:
    """Cut off the place pinned to a name: ``lease.pdf#page=3``, ``session.py:42``. The page is given where it is one."""
    pin = _PIN.search(words)
    return (words[: pin.start()], pin[1] or pin[2]) if pin else (words, None)


def is_path(words: str) -> bool:
    """Return True for a file in a folder, or one with a place pinned to it: ``src/auth.py``, ``auth.py:42``."""
    stem, _ = without_pin(words)
    path = stem.replace("\\", "/")
    return _ANY_ENDING.search(path) is not None and " " not in path and ("/" in path or stem != words)


def is_file_name(words: str) -> bool:
    """Check whether words end as the name of a file does: ``House Rules 2024.docx``."""
    ending = _ENDING.search(words)
    return ending is not None and _SPACED_FILE.fullmatch(words[: ending.start()]) is not None


def is_bare_word(words: str) -> bool:
    """Check whether a name is one word without a digit, as ``lease`` for ``lease.pdf``, which a sentence may use for itself."""
    return words.isalpha()


@lru_cache(maxsize=64)
def names_files(known: frozenset[str]) -> bool:
    """Return True where an id of the log is a file with an ending, so that a path is a name of one."""
    return any(_ANY_ENDING.search(name) and "://" not in name for name in known)


def _of(name: str, known: frozenset[str]) -> str | None:
    if name in known:
        return name
    whole, by_file, by_stem = _names(known)
    if (folded := name.casefold().replace("\\", "/")) in whole:
        return whole[folded]
    path = _path(name)
    stem = _ENDING.sub("", path.file)
    # "lease" names "lease.pdf", and "lease.pdf" an id "lease"; "lease.docx" does not name "lease.pdf"
    alike = by_file.get(path.file, ()) or (by_stem if stem == path.file else by_file).get(stem, ())
    found = {known_name for folders, known_name in alike if _agree(folders, path.folders)}
    return found.pop() if len(found) == 1 else None


def _agree(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return True where the shorter of two lists of folders is the end of the longer."""
    shared = min(len(one), len(other))
    return one[len(one) - shared :] == other[len(other) - shared :]


def _has_parts(stem: str, sign: str, known: frozenset[str]) -> bool:
    return any(name.startswith(f"{stem}{sign}") for name in known)


def _path(name: str) -> _Path:
    parts = _SCHEME.sub("", name.casefold().replace("\\", "/")).split("/")
    return _Path(tuple(part for part in parts[:-1] if part not in {"", ".", ".."}), parts[-1])


_Places = dict[str, list[tuple[tuple[str, ...], str]]]


@lru_cache(maxsize=64)
def _names(known: frozenset[str]) -> tuple[dict[str, str | None], _Places, _Places]:
    """Return the log's names whole (None where two differ in case alone), by file, and by file without its ending.

    A title in other letters than its own may be words of a sentence, and is none.
    """
    names = [name for name in known if " " not in name or _ENDING.search(name)]
    whole: dict[str, str | None] = {}
    by_file: _Places = {}
    by_stem: _Places = {}
    for name in names:
        folded = name.casefold()
        whole[folded] = name if whole.setdefault(folded, name) == name else None
        path = _path(name)
        by_file.setdefault(path.file, []).append((path.folders, name))
        if (stem := _ENDING.sub("", path.file)) != path.file:
            by_stem.setdefault(stem, []).append((path.folders, name))
    return whole, by_file, by_stem
