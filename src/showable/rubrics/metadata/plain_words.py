"""Bibliographic text as bare words: without markup, LaTeX, accents and case, and with one spelling for British and American."""

from __future__ import annotations

import html
import unicodedata

from showable.records.regex import regex

LONGEST = 2_000
"""Characters of one field that are read. No title, name or journal comes near it."""

_TAG = regex(r"</?[a-zA-Z][\w:.-]{0,30}(?:\s[^<>]{0,300})?/?>")
_LATEX_ACCENT = regex(r"\\[`'^\"~=.]\s?\{?\\?([a-zA-Z])\}?")
_LATEX_NAMED_ACCENT = regex(r"\\[uvHtcdbrk](?:\s?\{\\?([a-zA-Z])\}|\s([a-zA-Z]))")
_LATEX_LETTER = regex(r"\\(ss|ae|AE|oe|OE|aa|AA|dh|DH|th|TH|[oOlLijP])(?![a-zA-Z])(?:\{\}|\s)?")
_LATEX_COMMAND = regex(
    r"\\(?:text|math|emph|mbox|rm|it|bf|sc|tt|it|left|right|mathrm|ensuremath)[a-z]{0,10}(?![a-zA-Z])"
)
_LATEX_NAME = regex(r"\\(?:var(?=epsilon|phi|theta|rho|sigma|pi|kappa))?([a-zA-Z]{2,15})")
_BRACES = regex(r"[{}$\\]")
_LETTERS = {"i": "i", "j": "j", "P": "P"}
_WORD = regex(r"[^\W_]+(?:\+\+|#(?!\w))?")
_APOSTROPHES = regex(r"(?<=\w)['’ʼ`´](?=\w)")

_STROKED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ı": "i", "ŧ": "t", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ŋ": "n"}
    | {"ß": "ss", "ƒ": "f", "µ": "μ", "ς": "σ", "ə": "e", "’": "'", "ʼ": "'"}
)
_GREEK = str.maketrans(
    {"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta", "θ": "theta"}
    | {"ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "ο": "omicron", "π": "pi"}
    | {"ρ": "rho", "σ": "sigma", "τ": "tau", "υ": "upsilon", "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega"}
)


def unmarked(text: str) -> str:
    """Take HTML, JATS and LaTeX markup off a field, as registries and BibTeX files carry it."""
    text = text[:LONGEST]
    if "&" in text:
        text = html.unescape(text)
    if "<" in text:
        text = _TAG.sub("", text)
    if "\\" in text:
        text = _LATEX_LETTER.sub(lambda found: _LETTERS.get(found[1], found[1]), text)
        text = _LATEX_ACCENT.sub(r"\1", text)
        text = _LATEX_NAMED_ACCENT.sub(lambda found: found[1] or found[2], text)
        text = _LATEX_NAME.sub(r"\1", _LATEX_COMMAND.sub("", text))
    return _BRACES.sub("", text)


def folded(text: str) -> str:
    """Return text in one case and without accents, NFKC applied: ``Krämer–Müller`` is ``kramer–muller``, ``FAIR²`` is ``fair2``."""
    text = unicodedata.normalize("NFKC", text).casefold().translate(_STROKED)
    if text.isascii():
        return text
    marks = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(char for char in marks if not "\u0300" <= char <= "\u036f"))


def bare_words(text: str) -> tuple[str, ...]:
    """Return the words of a field, folded: hyphens part words, apostrophes do not, ``&`` is ``and``, Greek letters are named."""
    plain = folded(unmarked(text)).translate(_GREEK).replace("&", " and ")
    return tuple(_WORD.findall(_APOSTROPHES.sub("", plain)))


_ENDINGS = (
    (regex(r"is(e[sdr]?|ers|ing|ation|ations|able)$"), r"iz\1"),
    (regex(r"ys(e[sdr]?|ing)$"), r"yz\1"),
    (regex(r"our(s|ed|ing|al|able|ful|less|ism|ist)?$"), r"or\1"),
    (regex(r"tre(s?)$"), r"ter\1"),
    (regex(r"ogue(s?)$"), r"og\1"),
    (regex(r"gramme(s?)$"), r"gram\1"),
    (regex(r"(?<=[a-z]{4})ll(ed|ing|er|ers)$"), r"l\1"),
)
_SAME_WORD = {
    "vs": "versus",
    "grey": "gray",
    "ageing": "aging",
    "aluminium": "aluminum",
    "defence": "defense",
    "offence": "offense",
    "licence": "license",
    "behavioural": "behavioral",
}
_SHORTEST = 5


def one_spelling(word: str) -> str:
    """Return British and American spellings one form: ``tumours`` and ``tumors``, ``labelled`` and ``labeled``.

    The form is for comparison and no word of either: endings are changed wherever they stand.
    """
    word = _SAME_WORD.get(word, word)
    if len(word) < _SHORTEST:
        return word
    word = word.replace("ae", "e").replace("oe", "e").replace("sulph", "sulf")
    for ending, put in _ENDINGS:
        word, changed = ending.subn(put, word)
        if changed:
            break
    return word
