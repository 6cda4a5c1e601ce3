"""Files with a place in them, as answers about code cite: ```src/auth.py:42```, ``src/auth.py#L42-L44``, with code marks or without."""

from __future__ import annotations

from showable.read.brackets import ends_as_cited
from showable.read.marker import Found, Marker, Span
from showable.read.source_names import is_path, named_source, names_files, without_pin
from showable.records.regex import regex

_FILE = regex(
    r"(?<![\w`/.\\:@-])(`?)((?:[A-Za-z]:)?[\w./\\+~@-]{1,200}\.[A-Za-z][A-Za-z0-9]{0,7}(?:[:#][\w:=-]{1,20})?)\1(?:(?<=`)(?::L?\d{1,6}(?:-L?\d{1,6})?)?)?(?![\w`/\\])"
)


def find_file_places(text: str, known: frozenset[str]) -> Found:
    """Find files of the log with a place in them, and in code marks at the end of a clause any file, where the log has files."""
    found = Found()
    if not names_files(known):
        return found
    for match in _FILE.finditer(text):
        name, span = match[2], _with_parentheses(text, match.span())
        if not cites_in_code(name, known):
            continue
        placed = without_pin(name)[0] != name
        named = named_source(name, known)
        closing = match[1] == "`" and ends_as_cited(text, span)
        if closing or (placed and named):
            token, page = named or (name, None)
            found.markers.append(Marker(text[slice(*span)], *span, token, "path", page=page))
    return found


def cites_in_code(words: str, known: frozenset[str]) -> bool:
    """Return True for what is no code though it stands in code marks: an id of the log, in brackets or bare, or one of its files."""
    if words in known or (words[:1] + words[-1:] == "[]" and words[1:-1] in known):
        return True
    return names_files(known) and (is_path(words) or ("." in words and named_source(words, known) is not None))


def _with_parentheses(text: str, span: Span) -> Span:
    start, end = span
    return (start - 1, end + 1) if text[start - 1 : start] == "(" and text[end : end + 1] == ")" else span
