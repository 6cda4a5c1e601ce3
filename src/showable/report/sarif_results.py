"""The findings of one answer as results of a SARIF log, and the answer itself as the artifact that they point into."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from showable.records.findings import Finding, Outcome
from showable.report.finding_words import FINDING_WORDS
from showable.report.id_names import id_name
from showable.report.run_view import Entry
from showable.report.sarif_room import Level, Room
from showable.report.sarif_text import AnswerText, sarif_message
from showable.report.untrusted import printable
from showable.report.what_failed import why_of

_RULE_AT = {code: at for at, code in enumerate(FINDING_WORDS)}
_ID, _MESSAGE = 300, 1_000
_RECORDS = "records.jsonl"
_PRINTS = ("finding/v1", "primaryLocationLineHash")
"""Our own name for a fingerprint, and the only one that GitHub tracks results by."""


def level_of(finding: Finding) -> Level | None:
    """Give the level of a finding: ``none`` where it could not be checked; None where it is no result at all."""
    if finding.outcome is Outcome.FAIL:
        return FINDING_WORDS[finding.code].gravity if finding.code in FINDING_WORDS else "warning"
    return "none" if finding.outcome is Outcome.UNKNOWN else None


def compact(value: Any) -> str:
    """Write JSON without a blank."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Results:
    """Makes the results of a run, answer by answer, as long as there is room; `artifacts` grows by the answers they point into."""

    def __init__(self, room: Room) -> None:
        """Start with the file of records alone."""
        self.room = room
        said = {"text": "The records of the run, one a line."}
        self.artifacts: list[dict[str, Any]] = [{"location": {"uri": _RECORDS, "description": said}}]
        self._seen: Counter[tuple[str, str, str]] = Counter()

    def of(self, entry: Entry) -> Iterator[str]:
        """Give the results of one answer as JSON: the verdict on the whole of it first."""
        answer: AnswerText | None = None
        at, written = len(self.artifacts), False
        for finding, said in _findings(entry):
            level = level_of(finding)
            if level is None:
                continue
            answer = answer or AnswerText(entry.record)
            place = {
                "artifactLocation": {"uri": _uri(entry), "index": at},
                "region": answer.region(finding, entry.card),
            }
            message = sarif_message(printable(said, limit=_MESSAGE) or "No reason is given.")
            result = compact(self._result(entry, finding, message, place))
            if self.room.take(level, result, "" if written else answer.text):
                if not written:
                    self.artifacts.append(_artifact(entry, answer))
                written = True
                yield result

    def _result(self, entry: Entry, finding: Finding, message: dict[str, str], place: dict[str, Any]) -> dict[str, Any]:
        card, named, level = entry.card, printable(entry.record.id, limit=_ID), level_of(finding)
        rule = {"ruleIndex": _RULE_AT[finding.code]} if finding.code in _RULE_AT else {}
        logical = {"name": str(finding.subject), "fullyQualifiedName": f"{named}: {finding.subject}"}
        related = {
            "physicalLocation": {"artifactLocation": {"uri": _RECORDS, "index": 0}},
            "message": sarif_message(f"The record with the id {named}"),
        }
        return {
            "ruleId": printable(finding.code, limit=_ID),
            **rule,
            "kind": "open" if level == "none" else "fail",
            "level": level,
            "message": message,
            "locations": [{"physicalLocation": place, "logicalLocations": [logical]}],
            "relatedLocations": [related],
            "partialFingerprints": dict.fromkeys(_PRINTS, self._fingerprint(entry, finding)),
            "properties": {
                "record": named,
                "bucket": card.bucket,
                "cause": card.cause,
                "outcome": finding.outcome.value,
            },
        }

    def _fingerprint(self, entry: Entry, finding: Finding) -> str:
        """Name what was found: the same in every run that asks the same question, and no two alike in one run."""
        key = (entry.card.question_hash or entry.record.id, finding.code, str(finding.subject))
        self._seen[key] += 1
        said = "\0".join((*key, str(self._seen[key])))
        return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _findings(entry: Entry) -> Iterator[tuple[Finding, str]]:
    """Give what is to be a result, with what it says: the verdict on the answer first."""
    card = entry.card
    if card.bucket not in {"correct", "refused"}:
        outcome = Outcome.UNKNOWN if card.bucket == "unknown" else Outcome.FAIL
        cause = f" ({card.cause})" if card.cause else ""
        yield Finding(code=f"factuality.{card.bucket}", outcome=outcome), f"{card.bucket}{cause}: {why_of(card)}"
    for finding in card.findings:
        words = FINDING_WORDS[finding.code].brief if finding.code in FINDING_WORDS else finding.code
        yield finding, f"{words}: {finding.reason}" if finding.reason else words


def _uri(entry: Entry) -> str:
    """Name the answer by its record, and not by its place in the run: who tracks results across runs compares names."""
    return f"answers/{id_name(entry.record.id)}.txt"


def _artifact(entry: Entry, answer: AnswerText) -> dict[str, Any]:
    named = printable(entry.record.id, limit=_ID)
    return {
        "location": {"uri": _uri(entry), "description": sarif_message(f"The answer of record {named}")},
        "mimeType": "text/plain",
        "contents": {"text": answer.text},
    }
