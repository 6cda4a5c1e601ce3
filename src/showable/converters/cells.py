"""Lists that came as text, in a cell of a table: JSON, or as Python and numpy print them."""

from __future__ import annotations

import ast
import re
import warnings
from typing import Any

from showable.converters.json_text import JsonError, parse_json
from showable.converters.shape import FieldError

_LITERAL_BYTES = 1 << 20
"""A longer Python literal that is no list of strings is not evaluated."""
_ABSENT = frozenset({"", "none", "null", "nan"})
_PYTHON_STRING = re.compile(r"""\s*+('(?:[^'\\\n]|\\.)*+'|"(?:[^"\\\n]|\\.)*+")\s*+(,?+)""")
_LOOKS_LISTED = re.compile(r"""\[\s*+(?:["'{\]]|None\b|null\b)""")
_SECOND = re.compile(r"^[ \t]*+\[2\]", re.MULTILINE)


def read_texts(value: Any, field: str) -> list[str] | None:
    """Read passages: a list of strings, or a cell that holds one. None, and a cell that says so, is None.

    A cell that begins with ``[`` and a quote or ``]`` is a list: JSON, or strings as Python prints them (``['a', "b"]``),
    or numpy (``['a' 'b']``, which Python itself would read as one string). Any other text is one passage. Raises
    FieldError where a list holds anything but strings, where it is cut or broken, and for a text that begins with
    ``[1]`` and has ``[2]`` at the beginning of a line: passages that somebody joined, which the answer's markers tell apart.
    """
    read = read_list(value, field)
    if read is None or all(isinstance(one, str) for one in read):
        return read
    raise FieldError(field, "expected a list of strings")


def read_list(value: Any, field: str) -> list[Any] | None:
    """Read a list, or a cell that holds one, as `read_texts` does, with items of any kind."""
    if value is None or isinstance(value, list):
        return value
    if not isinstance(value, str):
        raise FieldError(field, f"expected a list of strings, got {type(value).__name__}")
    cell = value.strip()
    if cell.casefold() in _ABSENT:
        return None
    if _LOOKS_LISTED.match(cell):
        return _listed(cell, field)
    if cell.startswith("[1]") and _SECOND.search(cell):
        raise FieldError(field, "expected a list, got numbered passages in one text: write them as a JSON list")
    return [value]


def _listed(cell: str, field: str) -> list[Any]:
    try:
        held = parse_json(cell)
    except JsonError:
        strings = _python_strings(cell)
        held = read_literal(cell, field) if strings is None else strings
    if not isinstance(held, list):
        raise FieldError(field, "expected a list")
    return held


def _python_strings(cell: str) -> list[str] | None:
    """Read ``['a', 'b']``, or ``['a' 'b']`` as numpy prints it; None where it is neither, or some of both."""
    at, strings, commas = 1, [], []
    while found := _PYTHON_STRING.match(cell, at):
        strings.append(found[1])
        commas.append(bool(found[2]))
        at = found.end()
    if cell[at:].strip() != "]" or len(set(commas[:-1])) > 1:
        return None
    try:
        return [_unquoted(string) for string in strings]
    except (ValueError, SyntaxError):
        return None


def _unquoted(string: str) -> str:
    if "\\" not in string:
        return string[1:-1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of an escape that Python does not know
        return str(ast.literal_eval(string))


def read_literal(cell: str, field: str) -> Any:
    """Read a JSON or a Python value written into a cell, of 1 MiB at most. Raises FieldError where it is neither."""
    try:
        return parse_json(cell)
    except JsonError:
        if len(cell) > _LITERAL_BYTES:
            raise FieldError(field, "expected JSON, got a text too long to be read as Python") from None
    if not cell.startswith(("[{", "{")) and re.search(r"""['"]\s+['"]""", cell):
        raise FieldError(field, "expected a list with commas: write it as JSON")  # Python would join neighbours
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.literal_eval(cell)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise FieldError(field, "expected a list, got a text that is neither JSON nor Python: is it cut?") from None
