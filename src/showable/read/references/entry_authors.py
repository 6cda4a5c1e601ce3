"""The authors at the head of a reference-list entry: where they end, and whether they are names at all.

Four ways of writing a name are tried on the whole list, since one list keeps to one way: ``Roe AB`` (Vancouver,
AMA), ``Roe, A. B.`` (APA), ``Ann B. Roe`` (IEEE, BibTeX, plain) and ``Roe, Ann`` (MLA, Chicago). A period ends the
list unless it is an initial's.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from showable.read.references.entry_words import Token, tokens_of
from showable.records.regex import regex

Form = Literal["initials", "inverted_initials", "given_first", "inverted", "group"]
"""``Roe AB``, ``Roe, A. B.``, ``Ann Roe``, ``Roe, Ann``, a body."""


@dataclass(frozen=True, slots=True)
class Authors:
    """The names as written, where they end in the line, and how they are written."""

    names: tuple[str, ...]
    end: int
    form: Form
    et_al: bool = False
    joined_by_and: bool = False


_BODY = regex(
    r"(?i)\b(?:organi[sz]ation|association|group|committee|collaborat(?:ion|ors|ive)|consortium|society|institutes?|centers?|centres?|departments?|ministry|agency|"
    r"commission|council|network|investigators|team|task ?force|panel|university|college|academy|foundation|federation|union|office|administration|"
    r"bureau|service|board|initiative|project|party|inc|ltd|llc|corp|corporation|openai|company|court|congress|parliament|government|bank|fund|"
    r"hospital|clinic|laborator(?:y|ies)|program|programme|partnership|alliance|forum|trust|authority|writers|members|nations|directorate|secretariat)\b"
)
_YEAR = regex(r"(?:1[6-9]|20)\d\d(?!\d)")
_LONGEST_NAME = 7
_LONGEST_LONE_NAME = 4
_LONGEST_BODY = 16
_FEW = 2


_Reader = Callable[[list[Token], int], "int | None"]


def _initials_after(tokens: list[Token], at: int) -> int | None:
    """Read ``van der Roe AB`` from a token on, and give the index after it."""
    start = at
    while at < len(tokens) and at - start < _LONGEST_NAME:
        token = tokens[at]
        family = at > start and tokens[at - 1].kind in {"name", "particle", "capitals", "other"}
        if family and token.kind in {"capitals", "initial"}:
            return _suffixed(tokens, _more_initials(tokens, at))
        lower_part = token.kind == "other" and at > start and token.core.isalpha() and len(tokens[start].core) <= 3  # noqa: PLR2004 - De, Van
        if token.tail or not (token.kind in {"name", "particle", "capitals"} or lower_part):
            return None
        at += 1
    return None


def _more_initials(tokens: list[Token], at: int) -> int:
    """Read ``A. B.``: further initials with periods, while no mark ends the name."""
    while (
        tokens[at].kind == "initial" and not tokens[at].tail and at + 1 < len(tokens) and tokens[at + 1].kind == "initial"
    ):  # fmt: skip
        at += 1
    return at + 1


def _suffixed(tokens: list[Token], at: int) -> int:
    """Step over ``Jr``, ``III`` and degrees, also after a comma."""
    while at < len(tokens) and tokens[at].kind == "suffix" and tokens[at - 1].tail in {"", ","}:
        at += 1
    return at


def _inverted_initials(tokens: list[Token], at: int) -> int | None:
    """Read ``van der Roe, A. B., Jr.`` from a token on."""
    comma = _family_before_comma(tokens, at)
    if comma is None or comma >= len(tokens) or tokens[comma].kind not in {"initial", "capitals"}:
        return None
    after = _more_initials(tokens, comma)
    while after < len(tokens) and tokens[after].kind == "particle" and not tokens[after - 1].tail:
        after += 1
    return _suffixed(tokens, after)


def _family_before_comma(tokens: list[Token], at: int) -> int | None:
    start = at
    while at < len(tokens) and at - start < _LONGEST_NAME:
        token = tokens[at]
        if token.kind not in {"name", "particle", "capitals"} and not (token.kind == "suffix" and at > start):
            return None
        at += 1
        if token.tail == ",":
            return at
        if token.tail:
            return None
    return None


def _given_first(tokens: list[Token], at: int) -> int | None:
    """Read ``Ann B. van der Roe`` from a token on: it ends in a family name."""
    start = at
    while at < len(tokens) and at - start < _LONGEST_NAME:
        token = tokens[at]
        if token.kind not in {"name", "initial", "capitals", "particle"}:
            break
        at += 1
        if token.tail:
            break
    if at == start or not (
        _is_family(tokens[at - 1]) or (at - start > 1 and at < len(tokens) and tokens[at].kind == "and")
    ):
        return None
    return _suffixed(tokens, at)


def _is_family(token: Token) -> bool:
    return token.kind == "name" or (token.kind == "capitals" and len(token.core) >= _FEW)


def _inverted(tokens: list[Token], at: int) -> int | None:
    """Read ``van der Roe, Ann B.`` from a token on."""
    comma = _family_before_comma(tokens, at)
    if comma is None:
        return None
    after = comma
    while (
        after < len(tokens)
        and after - comma < _LONGEST_NAME
        and tokens[after].kind in {"name", "initial", "capitals", "particle"}
    ):
        after += 1
        if tokens[after - 1].tail:
            break
    return _suffixed(tokens, after) if after > comma else None


_READERS: tuple[tuple[Form, _Reader], ...] = (
    ("initials", _initials_after),
    ("inverted_initials", _inverted_initials),
    ("given_first", _given_first),
    ("inverted", _inverted),
)


def author_candidates(line: str) -> list[Authors]:
    """Return every way to read authors at the head of a line, surest first; empty where there are none."""
    tokens = tokens_of(line)
    found = [authors for form, read in _READERS if (authors := _list(line, tokens, form, read)) is not None]
    if not found:
        body = _body(line, tokens, 0)
        if body is not None:
            end = tokens[body - 1].end
            found.append(Authors((line[:end].strip(" .,;:"),), end, "group"))
    return found


def _list(line: str, tokens: list[Token], form: Form, read: _Reader) -> Authors | None:
    names: list[str] = []
    at, ands = 0, False
    while at < len(tokens):
        rest = _et_al(tokens, at) if names else None
        if rest is not None:
            return _done(names, tokens, rest, form, (True, ands))
        after = _one_more(line, tokens, at, read, first=not names, form=form)
        going = None if after is None else _goes_on(line, tokens, after, form)
        if after is None or going is None:
            cut_off = ands and len(names) > _FEW and form == "given_first" and _is_initial_before_title(tokens, at)
            return _done(names, tokens, at + 1, form, (True, ands)) if cut_off else None
        names.append(_name(line, tokens, at, after))
        at = after
        if not going:
            break
        if tokens[at].kind == "and":
            ands, at = True, at + 1
    return _done(names, tokens, at, form, (False, ands)) if names else None


def _is_initial_before_title(tokens: list[Token], at: int) -> bool:
    """Check whether a last name is one initial and no more: a list that broke off, so that more authors may follow."""
    alone = tokens[at].kind == "initial" and tokens[at - 1].kind == "and" and at + 1 < len(tokens)
    return alone and not tokens[at].tail and tokens[at + 1].core[:1].isupper()


def _one_more(line: str, tokens: list[Token], at: int, read: _Reader, *, first: bool, form: Form) -> int | None:
    """Read one name in the list's way; after the first also a body, and a given name first where the first was inverted."""
    after = read(tokens, at)
    if after is None and not first and form == "inverted":
        after = _given_first(tokens, at)
    return _body(line, tokens, at) if after is None and not first else after


def _goes_on(line: str, tokens: list[Token], at: int, form: Form) -> bool | None:
    """Return whether the list goes on after the token before `at`; None where this can be no list."""
    tail = tokens[at - 1].tail
    if tail.startswith(":") and form != "inverted_initials":
        return None
    if tail.startswith((".", ":")) or at >= len(tokens):
        return False
    if tokens[at].kind == "and" or _et_al(tokens, at) is not None:
        return True
    if tail.startswith((",", ";")):
        return not _opens(line, tokens[at])
    return False if _ends_here(tokens, at) else None


def _done(names: list[str], tokens: list[Token], at: int, form: Form, how: tuple[bool, bool]) -> Authors | None:
    lone = len(names) == 1 and not how[0]
    words = names[0].split()
    if (
        lone
        and form == "given_first"
        and len(words) > _LONGEST_LONE_NAME
        and not any(len(word.rstrip(".")) == 1 for word in words)
    ):
        return None
    if lone and form == "given_first" and _BODY.search(names[0]):
        form = "group"
    if (
        form == "initials"
        and names[-1].endswith(".")
        and not any("." in name for name in [*names[:-1], names[-1][:-1]])
    ):
        names = [*names[:-1], names[-1][:-1]]  # the period that ends the list, not the initial's own
    return Authors(tuple(names), tokens[at - 1].end, form, *how)


def _name(line: str, tokens: list[Token], start: int, after: int) -> str:
    last = tokens[after - 1]
    name = line[tokens[start].start : last.end - len(last.tail)]
    return re.sub(r"[*†‡§¶]+", "", name).strip(" ,;")


def _et_al(tokens: list[Token], at: int) -> int | None:
    """Return the index after ``et al.``, ``and others``, ``and colleagues``, ``& et al``."""
    if at < len(tokens) and tokens[at].kind == "and":
        at += 1
    if at >= len(tokens):
        return None
    if tokens[at].kind in {"others", "colleagues"} or (tokens[at].kind == "al" and "et" in tokens[at].core.lower()):
        return at + 1
    if tokens[at].kind == "et" and at + 1 < len(tokens) and tokens[at + 1].kind == "al":
        return at + 2
    return None


def _opens(line: str, token: Token) -> bool:
    return line[token.start] in '(“"«‘[' or _YEAR.match(line, token.start) is not None


def _ends_here(tokens: list[Token], at: int) -> bool:
    """Check whether the list may end without a mark: at a year, a quotation, or after an initial's own period."""
    word = tokens[at].core
    return (
        word[:1] in '(“"«‘['
        or _YEAR.match(word) is not None
        or tokens[at - 1].kind == "initial"
        or tokens[at - 1].kind == "suffix"
    )


def _body(line: str, tokens: list[Token], at: int) -> int | None:
    """Read a body that is an author, to its period: ``World Health Organization``, ``for the XYZ Investigators``."""
    for after in range(at, min(len(tokens), at + _LONGEST_BODY)):
        tail = tokens[after].tail
        closing = tail.startswith(".") or (
            after + 1 < len(tokens) and tokens[after + 1].core[:5].lstrip("(")[:4].isdigit()
        )
        if closing:
            words = line[tokens[at].start : tokens[after].end]
            capital = words[:1].isupper() or words.startswith(("on behalf", "for the", "the "))
            return after + 1 if capital and _BODY.search(words) else None
        if tail.startswith((":", "?", "!")):
            return None
    return None
