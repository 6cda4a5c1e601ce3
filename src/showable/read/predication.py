"""Find the finite verb of a clause: what makes words assert something."""

from __future__ import annotations

from typing import NamedTuple

from showable.read.verbs import Form, form
from showable.read.word_sets import word_set
from showable.records.regex import regex

_TOKEN = regex(r"[^\s,;:()]+|[,;:]")
_OPENING = "\"'“‘«*_"
_CLOSING = ".!?\"'”’»*_"

DETERMINERS = word_set(
    "the a an this that these those its their his her our your my any all each every both some no another such most "
    "more less several many few one two three four five six seven eight nine ten it them him us me you approximately "
    "about around nearly almost over up more"
)
PREPOSITIONS = word_set(
    "of in on at by for with from to into onto as under over after before during through against between among within "
    "without upon via per towards toward about above below since until"
)
SUBJECTS = frozenset(("it", "he", "she", "they", "we", "i", "you", "there"))
_CONTRACTED = word_set(
    "it's he's she's that's there's what's they're we're you're i'm i've we've they've you've i'd it'll they'll we'll"
)
STRONG: frozenset[Form] = frozenset(("be", "have", "do", "modal", "third", "past"))


class Token(NamedTuple):
    """A word or a stop: in lower case with its edges off, its offsets, and its form as a verb."""

    word: str
    start: int
    end: int
    form: Form
    raw: str


def tokens(text: str) -> list[Token]:
    """Cut `text` at spaces and stops."""
    found = []
    for match in _TOKEN.finditer(text):
        raw = match[0]
        word = raw.lower()
        if not word.isalnum() and len(word) > 1:
            word = word.rstrip(_CLOSING).lstrip(_OPENING).replace("’", "'")
        start = match.start()
        found.append(Token(word, start, match.end(), "none" if start and raw[0].isupper() else form(word), raw))
    return found


def names_object(token: Token | None) -> bool:
    """Check whether a noun phrase clearly starts here: an article, a pronoun, a number, a name."""
    if token is None:
        return False
    return token.word in DETERMINERS or token.raw[0].isdigit() or token.raw[0] in '$€£"“' or token.raw[0].isupper()


def is_finite(words: list[Token], at: int, *, loose: bool = False) -> bool:
    """Check whether the verb at `at` is finite: its form says so, or what stands around it does.

    `loose` also takes a form in -ed followed by a preposition, which may be a participle ("land owned by A").
    """
    token = words[at]
    if token.form in STRONG or token.word in _CONTRACTED:
        return not (at and words[at - 1].word == "to")
    following = words[at + 1] if at + 1 < len(words) else None
    before = words[at - 1].word if at else ""
    if before in SUBJECTS and token.form in ("ed", "third?"):
        return True
    if token.form == "ed":
        if following is None or before in DETERMINERS or before in PREPOSITIONS:
            return loose and before not in DETERMINERS and before not in PREPOSITIONS
        return (
            loose
            or names_object(following)
            or following.word.endswith("ly")
            or _measured(words, at + 1)
            or _to_do(words, at + 1)
        )
    if token.form == "third?" and following is not None:
        bare = loose and following.form == "none" and following.word.isalpha() and following.word not in PREPOSITIONS
        return names_object(following) or following.word == "that" or bare
    return False


def _measured(words: list[Token], at: int) -> bool:
    """``by 5%``, ``to $3``: what a change is followed by, and a reduced relative clause is not."""
    if words[at].word not in ("by", "to", "from") or at + 1 >= len(words):
        return False
    return words[at + 1].raw[0].isdigit() or words[at + 1].raw[0] in "$€£"


def _to_do(words: list[Token], at: int) -> bool:
    """``to close``: what was voted, agreed or refused; never after a noun's participle alone ("owned to")."""
    return words[at].word == "to" and at + 1 < len(words) and words[at + 1].form in {"base", "base?"}


def finite_at(words: list[Token], first: int = 1, *, loose: bool = False) -> int | None:
    """Return the index of the first finite verb at or after `first`, None where there is none."""
    for at in range(first, len(words)):
        if words[at].form != "none" or words[at].word in _CONTRACTED:
            if is_finite(words, at, loose=loose):
                return at
            if words[at].form in ("base", "base?") and _plural_before(words, at):
                return at
    return None


def _plural_before(words: list[Token], at: int) -> bool:
    """Check whether a base form is finite: after a plural or a pronoun, before an object ("Banks accept deposits")."""
    if at == 0:
        return False
    before = words[at - 1]
    if before.word in SUBJECTS:
        return True
    following = words[at + 1] if at + 1 < len(words) else None
    plural = before.word.endswith("s") and not before.word.endswith(("ss", "'s", "us", "is")) and before.form == "none"
    return plural and following is not None and (words[at].form == "base" or names_object(following))


def is_predication(text: str) -> bool:
    """Check whether the words hold a subject and a finite verb, rather than being a label or a figure."""
    words = tokens(text)
    if words and words[0].word in _CONTRACTED:
        return True
    return finite_at(words) is not None
