"""A long text cut to the sentences that say most of what it is read for."""

from __future__ import annotations

from showable.judges.embedded.excerpt import excerpt
from showable.judges.lexical.passage import read_passage
from showable.judges.lexical.words import split_words

_LETTERS_A_WORD = 8
_SAID = "… (cut: the sentences that say most of it)"


def sentences_kept(text: str, about: str, longest: int) -> str:
    """Return a text of at most `longest` characters: whole, or its sentences about something, and then it says so."""
    if len(text) <= longest:
        return text
    room = longest - len(_SAID) - 1
    kept = excerpt(split_words(about), read_passage(text), room // _LETTERS_A_WORD)
    return f"{kept[:room]} {_SAID}"
