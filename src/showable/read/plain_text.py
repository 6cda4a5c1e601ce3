"""Text as it is read aloud: without Markdown's signs, HTML tags or line breaks."""

from __future__ import annotations

import re

from showable.records.regex import regex

_LINK = regex(r"!?\[([^\[\]\n]{1,300})\]\([^()\s]{1,2000}\)")
_PAIRED = regex(r"(?<![\w*_])([*_])(?=[^\s*_])([^*_\n]{1,300})(?<=\S)\1(?![\w*_])")
_STRONG = regex(r"\*\*|__(?=\S)|(?<=\S)__|~~|`+")
_TAG = regex(r"</?(?:a|b|i|u|em|strong|sup|sub|br|p|span|cite|q|small|mark)\b[^<>]{0,300}>", re.IGNORECASE)
_ESCAPE = regex(r"\\([\\`*_{}\[\]()#+\-.!$|~>])")
_QUOTE_SIGN = regex(r"\n[ \t]*(?:>[ \t]?)+")
_MARK = regex(r"\s?\[\^?\d{1,3}(?:[,–-]\s?\d{1,3})*\]|【[^】\n]{1,40}】")
_HOLLOW = regex(r"\(\s*(?:(?:see|cf\.?|sources?:?|refs?\.?:?|citations?:?)\s*)?[,;\s]*\)", re.IGNORECASE)
_LEFT_OVER = regex(r"\s*[,;]\s*(?=\))|(?<=\()\s*[,;]\s*")
_BEFORE_STOP = regex(r" ([,;:!?)\]]|\.(?!\d))")
_DOUBLED = regex(r"([,;])(?:\s?[,;])+|[,;](?=[.!?])")


def unformatted(text: str) -> str:
    """Take off Markdown and HTML and join the lines. Marker signs stay."""
    if "\n" in text:
        text = _QUOTE_SIGN.sub(" ", text)
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    if "<" in text:
        text = _TAG.sub("", text)
    if "*" in text or "_" in text or "`" in text or "~~" in text:
        text = _PAIRED.sub(r"\2", _STRONG.sub("", text))
    if "\\" in text:
        text = _ESCAPE.sub(r"\1", text)
    return " ".join(text.split())


def tidy(text: str) -> str:
    """Close the gaps that a removed marker leaves: empty brackets, spaces before stops, doubled commas."""
    if "(" in text:
        text = _LEFT_OVER.sub("", _HOLLOW.sub("", text))
    text = _BEFORE_STOP.sub(r"\1", " ".join(text.split()))
    return _DOUBLED.sub(r"\1", text).strip()


def plain(text: str) -> str:
    """Take off formatting and numeric markers, for a lead-in or a header cell."""
    text = unformatted(text)
    return tidy(_MARK.sub("", text)) if "[" in text or "【" in text else text
