"""Fenced blocks that hold prose: an answer, or a part of it, put in a code fence is read as if it stood there bare."""

from __future__ import annotations

import re
from collections.abc import Iterator

from showable.read.assertions import asserts_fact
from showable.records.regex import regex

__all__ = ["unfenced"]

_FENCE = regex(r"^ {0,3}(?P<fence>```+|~~~+)(?P<info>[^\n]*)$", re.MULTILINE)
_ONE_LINE = regex(r"(?P<words>[^`]+)(?P<close>```+)\s*")
_MARKDOWN = frozenset({"markdown", "md"})
_UNTAGGED = frozenset({"", "text", "txt", "plain", "plaintext", "none"})
_COMMANDS = (
    r"(?:sudo|pip3?|npm|npx|yarn|git|docker|kubectl|curl|wget|cd|ls|cat|echo|export|mkdir|rm|cp|mv|chmod|python3?|node|make|brew|apt|apt-get|conda|uv|poetry|cargo"
    r"|go|bash|sh|ssh|scp|grep|sed|awk|tar|sleep|source|showable)"
)
# Lines that only code has: signs, statements of common languages, commands, keys and values.
_CODE = regex(
    rf"[$%>#]\s+\S*|//|/\*|<[/!?a-zA-Z]|@\w|[\[\]{{}}();,]+$|\"[^\"]*\"\s*:|[a-z_][\w-]*:(?:\s|$)|{_COMMANDS}(?:\s+\S|$)"
    r"|[A-Za-z_]\w*(?:[.\[]\S*)?\s*(?:[-+*/|&:]?=)\s*\S|(?:import\s+\w|from\s+\S+\s+import\b|(?:async\s+)?(?:def|function)\s+\w+\s*\(|class\s+\w+\s*[(:{]|(?:const|let|var)\s+\w+|return\b(?!.*[.!?\]]$)|print\b"
    r"|(?:if|for|while|elif|else|try|except|with)\b.*[:{]$)"
    r"|(?i:select\s+(?:\*|distinct\b|[^.]+\sfrom\s)|insert\s+into\b|update\s+\w+\s+set\b|delete\s+from\b|(?:create|drop|alter)\s+(?:table|index|view|database|or)\b|from\s+\w+;?$"
    r"|where\s+[\w.]+\s*(?:[=<>]|in\s*\(|like\b)|(?:(?:inner|left|right|outer)\s+)?join\s+\w+\s+on\b|(?:group|order)\s+by\s+\w)"
)
_CODE_WITHIN = regex(
    r"[{}\\]$|[=(].*;$|\s(?:==|!=|:=|\+=|=>|->|&&|\|\|)\s|\w\(\)|\w\.\w+\(|::|\$\{|\s--[a-z]|\s-[a-zA-Z]\s"
)


def unfenced(text: str) -> str:
    """Blank out the fences around prose, at the same length, so that what they hold is read in its place.

    Prose is what is tagged as Markdown, and untagged or plain text that reads as sentences and not as code. A line of
    code between its own fences is blanked whole: it opens no block.
    """
    if "```" not in text and "~~~" not in text:
        return text
    pieces: list[str] = []
    at = 0
    for start, end in _blanks(text):
        pieces += (text[at:start], " " * (end - start))
        at = end
    return "".join((*pieces, text[at:]))


def _blanks(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    while (opening := _FENCE.search(text, at)) is not None:
        at = opening.end()
        if line := _ONE_LINE.fullmatch(opening["info"]):
            if _is_prose(line["words"], ""):
                yield opening.span("fence")
                close = opening.start("info") + line.start("close")
                yield close, close + len(line["close"])
            else:
                yield opening.span()
            continue
        closing = regex(rf"^[ \t]*{opening['fence']}[^\n]*$", re.MULTILINE).search(text, at + 1)
        prose = _is_prose(text[at : closing.start() if closing else len(text)], opening["info"].strip().lower())
        if prose:
            yield opening.span()
        if prose and closing:
            yield closing.span()
        at = closing.end() if closing else len(text)


def _is_prose(held: str, tag: str) -> bool:
    """Check whether a block holds sentences. Where it is not said to be Markdown, code in half of its lines makes it code."""
    lines = [line.strip() for line in held.splitlines() if re.search(r"\w", line)]
    if tag in _MARKDOWN:
        return bool(lines)
    if tag not in _UNTAGGED:
        return False
    code = [line for line in lines if _CODE.match(line) or _CODE_WITHIN.search(line)]
    return len(code) * 2 < len(lines) and any(_reads(line) for line in lines if line not in code)


def _reads(line: str) -> bool:
    return len(line.split()) > 1 and asserts_fact(line)
