"""What the scanners find in an answer and in its passages: hidden characters, misleading addresses, a team's patterns, injections."""

from __future__ import annotations

from showable.read.reading import Reading
from showable.read.scan.everything import scan
from showable.read.scan.passages import scan_passage
from showable.records.findings import Outcome
from showable.records.profile import Profile
from showable.rubrics.checks import ANSWER, Checks
from showable.rubrics.retrieval_log import RetrievalLog

_CODES = {"invisible": "structural.invisible_prose", "url": "structural.malicious_url", "pattern": "structural.pattern"}
_PARTING = frozenset({"U+200B", "U+2060", "U+FEFF"})
"""Breaks of no width: no spelling asks for them where they are found, and a word that one parts is not found by who looks for it."""
_SHOWN = 5
"""Findings of one scanner that are told one by one; an answer may hold thousands."""


def check_scans(reading: Reading, log: RetrievalLog, profile: Profile, checks: Checks) -> None:
    """Scan the words of the answer, and the retrieved passages for text that addresses a model.

    An error fails, a warning is left for a person to look at (unknown), and what leaves the meaning alone (a soft
    hyphen) passes.
    """
    if reading.answer is not None:
        check_words(reading.text, profile, checks)
    code = "structural.passage_injection"
    for source_id, text in log.texts.items():
        found = scan_passage(text)
        if not found:
            checks.passed(code)
        for one in found[:1]:
            more = f", and {len(found) - 1} more" if len(found) > 1 else ""
            checks.failed(code, f"{source_id!r}, characters {one.where[0]}–{one.where[1]}: {one.reason}{more}")


def check_words(text: str, profile: Profile, checks: Checks) -> None:
    """Scan running text for hidden characters, misleading addresses and the patterns of the profile."""
    told = dict.fromkeys(_CODES, 0)
    worst = dict.fromkeys(_CODES, Outcome.UNKNOWN)
    for one in scan(text, patterns=profile.patterns):
        if one.severity == "low" and one.code not in _PARTING:
            continue
        told[one.scanner] += one.count
        outcome = Outcome.FAIL if one.severity == "error" else Outcome.UNKNOWN
        worst[one.scanner] = outcome if outcome is Outcome.FAIL else worst[one.scanner]
        if told[one.scanner] <= _SHOWN:
            checks.note(_CODES[one.scanner], outcome, one.reason, ANSWER, one.where)
    for scanner, count in told.items():
        if not count and (scanner != "pattern" or profile.patterns):
            checks.passed(_CODES[scanner])
        elif count > _SHOWN:
            checks.note(_CODES[scanner], worst[scanner], f"and {count - _SHOWN} more")
