"""What checking a question set found: problems, and what could not be checked."""

from __future__ import annotations

from showable.records.wire import Many, Wire


class Problem(Wire):
    """Something wrong: with one question (`id`, and `field` where one is to blame), or with the set as a whole."""

    id: str | None = None
    field: str | None = None
    code: str
    problem: str


class Unchecked(Wire):
    """Something that could not be checked, why, and for which questions; no ids where it holds for all."""

    what: str
    why: str
    ids: Many[str] = ()


Found = Problem | Unchecked


class SetCheck(Wire):
    """The outcome. `categories` counts the main questions, `protocol` says how many there should be of so many."""

    ok: bool
    name: str
    n: int
    held_out: int
    categories: dict[str, int]
    protocol: dict[str, int]
    problems: Many[Problem]
    unchecked: Many[Unchecked]
