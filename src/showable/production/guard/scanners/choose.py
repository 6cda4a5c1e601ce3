"""The scanners that a route names: those of this room, with what they hold by."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping

from showable.errors import SettingError
from showable.production.guard.call import GuardCall, Scanner
from showable.production.guard.scanners import code_injection, credentials, passage_orders, topics, writing_system
from showable.production.guard.scanners.topics import Topic
from showable.production.guard.wire.asked import strings
from showable.records.findings import Finding

ALWAYS = ("addresses", "hidden_characters", "patterns")
"""What every answer is scanned for, whether a route names it or not."""

NAMES = frozenset({*ALWAYS, "code", "injection", "language", "personal_data", "secrets", "topics"})
"""What a route may name of this room; no scanner of others is called so."""

_TextScanner = Callable[[str], Iterable[Finding]]


def choose_scanners(
    names: Iterable[str], topics_of_route: Mapping[str, Topic] | None = None
) -> tuple[tuple[Scanner, ...], frozenset[str]]:
    """Return scanners by their names, and the codes that hold an answer.

    Raises SettingError for a name that is none, for `topics` where no topic is described, and for an expression of a
    topic that cannot be read.
    """
    chosen: list[Scanner] = []
    holding: set[str] = set()
    for name in dict.fromkeys(names):
        if name in ALWAYS:
            continue
        scanner, code = _scanner(name, topics_of_route or {})
        chosen.append(scanner)
        holding.add(code)
    return tuple(chosen), frozenset(holding)


def _scanner(name: str, topics_of_route: Mapping[str, Topic]) -> tuple[Scanner, str]:
    match name:
        case "injection":
            return _of_passages, passage_orders.CODE
        case "code":
            return _of_words(code_injection.scan_code), code_injection.CODE
        case "secrets":
            return _of_everything(credentials.scan_credentials), credentials.CODE
        case "language":
            return _of_script, writing_system.CODE
        case "topics":
            if not topics_of_route:
                raise SettingError("scanners: topics: no [topic.NAME] is described")
            list(topics.scan_topics("", topics_of_route))  # an expression that cannot be read is told now
            return _of_words(lambda text: topics.scan_topics(text, topics_of_route)), topics.CODE
        case "personal_data":
            from showable.production.guard.scanners.personal_data import CODE, PersonalData  # noqa: PLC0415 - an extra

            return PersonalData(), CODE
        case _:
            known = ", ".join(sorted(NAMES))
            raise SettingError(f"scanners: no scanner is called {name!r}; there are {known}, and each [scanner.NAME]")


def _of_words(scan: _TextScanner) -> Scanner:
    """Build a scanner of what the client shows: answer, refusal, what escapes spell."""

    def scanner(call: GuardCall) -> Iterator[Finding]:
        for answer in call.answers:
            yield from scan(answer.text)
            if unescaped := _unescaped(answer.text):
                yield from map(_elsewhere, scan(unescaped))
            if answer.refusal:
                yield from map(_elsewhere, scan(answer.refusal))

    return scanner


def _of_everything(scan: _TextScanner) -> Scanner:
    """Build a scanner of all that reaches the client, reasoning included."""
    of_words = _of_words(scan)

    def scanner(call: GuardCall) -> Iterator[Finding]:
        yield from of_words(call)
        for answer in call.answers:
            for text in answer.beside:
                yield from map(_elsewhere, scan(text))

    return scanner


def _unescaped(text: str) -> str:
    r"""Return what escapes of an answer in JSON spell (``\u003cscript``), else ""."""
    start = text.find("{")
    if start < 0 or "\\" not in text:
        return ""
    try:
        value, _ = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return ""
    return "\n".join(strings(value))


def _elsewhere(finding: Finding) -> Finding:
    """Return a finding without its place, which is none of the answer's text."""
    return finding.model_copy(update={"where": None})


def _of_passages(call: GuardCall) -> Iterator[Finding]:
    return passage_orders.scan_passages(call.retrieved or ())


def _of_script(call: GuardCall) -> Iterator[Finding]:
    for answer in call.answers:
        yield from writing_system.scan_script(call.question, answer.text)
