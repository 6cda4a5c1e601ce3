"""A run as SARIF 2.1.0 (OASIS Standard, 27 March 2020): every finding is a result, its code the rule, its place the answer's text."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any, Literal

from showable.measure.summary import BUCKETS, Summary
from showable.records.findings import Finding, Outcome
from showable.report.check_sarif import SCHEMA
from showable.report.finding_words import FINDING_WORDS
from showable.report.id_names import id_name
from showable.report.run_view import Entry, RunView
from showable.report.sarif_text import AnswerText, sarif_message
from showable.report.untrusted import printable
from showable.report.what_failed import why_of

Level = Literal["error", "warning", "none"]
LEVELS: tuple[Level, ...] = ("error", "warning", "none")
"""From the gravest."""
MOST_RESULTS = 25_000
MOST_BYTES = 9_000_000
"""Bytes of results and answers once compressed, by the quickest way, which is not the smallest: what is uploaded is less."""
_MOST_PLAIN = 100_000_000
"""Bytes of answers before they are compressed: they are kept in memory until all results are written."""


class Room:
    """Takes results while there is room, and keeps it for the gravest: how many there are of each is known before."""

    def __init__(self, expected: Mapping[Level, int], most_results: int, most_bytes: int) -> None:
        """Start empty."""
        self._expected, self._most_results, self._most = expected, most_results, most_bytes
        self._used = self._plain = 0
        self._results, self._answers = zlib.compressobj(1), zlib.compressobj(1)  # in the file they stand far apart
        self._seen: Counter[Level] = Counter()
        self._taken: Counter[Level] = Counter()

    @property
    def seen(self) -> int:
        """All the results that were asked for."""
        return self._seen.total()

    def take(self, level: Level, result: str, answer: str = "") -> bool:
        """Take one result as it is to be written, with its answer where that is not written yet, or count it as left out."""
        self._seen[level] += 1
        graver = self._to_come(LEVELS[: LEVELS.index(level)])
        most = self._most // 2 if graver else self._most
        if self._taken.total() + graver >= self._most_results or self._used >= most:
            return False
        used = self._used + _squeezed(result, self._results) + _squeezed(answer, self._answers)
        if used > most or self._plain + len(answer) > _MOST_PLAIN:
            return False
        self._used, self._plain = used, self._plain + len(answer)
        self._taken[level] += 1
        return True

    def _to_come(self, levels: Sequence[Level]) -> int:
        return sum(max(0, self._expected[level] - self._seen[level]) for level in levels)

    def left_out(self) -> dict[Level, int]:
        """Return how many results of each level were left out, where any were."""
        return {level: left for level in LEVELS if (left := self._seen[level] - self._taken[level])}


def _squeezed(text: str, into: zlib._Compress) -> int:
    """Count the bytes that a text takes after what went before it; up to 32 KB come to light only with the next ones."""
    return len(into.compress(text.encode("utf-8", "replace")))


def write_sarif(
    view: RunView, file: IO[bytes], *, most_results: int = MOST_RESULTS, most_bytes: int = MOST_BYTES
) -> None:
    """Write a run as one SARIF log, in constant memory but for the answers' texts, which are bounded.

    A failed finding is a result of kind ``fail``, level ``error`` or ``warning`` as its rule says; one that could not be checked
    is ``open`` and of level ``none``, as section 3.27.10 asks; passes are no results. An answer that is wrong, unsupported or
    unknown is a result besides (``factuality.…``), for not every cause is a finding. Each answer is an
    embedded artifact, into whose text the region points, in code points. What GitHub would refuse a file for
    (25,000 results, 10 MB compressed) is left out, the gravest kept, and a notification says how many.
    """
    results = Results(Room(_expected(view.summary), most_results, most_bytes))
    driver = compact(_driver(view.summary))
    _put(file, f'{{"$schema":{compact(SCHEMA)},"version":"2.1.0","runs":[{{"tool":{{"driver":{driver}}},')
    _put(file, '"columnKind":"unicodeCodePoints","results":[')
    between = "\n"
    for entry in view.entries():
        for result in results.of(entry):
            _put(file, f"{between}{result}")
            between = ",\n"
    _put(file, f'],"artifacts":{compact(results.artifacts)},')
    _put(file, f'"invocations":[{compact(_invocation(view.summary, results.room))}],')
    _put(file, f'"properties":{compact(_properties(view))}}}]}}\n')


def _put(file: IO[bytes], text: str) -> None:
    file.write(text.encode("utf-8", "replace"))


def _expected(summary: Summary) -> dict[Level, int]:
    """Count the results of each level that the run has, from its summary."""
    found: Counter[Level] = Counter()
    for code, counts in summary.findings.items():
        found[level_of(Finding(code=code, outcome=Outcome.FAIL)) or "warning"] += counts.failed
        found["none"] += counts.unknown
    found["error"] += summary.buckets["wrong"] + summary.buckets["unsupported"]
    found["none"] += summary.buckets["unknown"]
    return {level: found[level] for level in LEVELS}


def _driver(summary: Summary) -> dict[str, Any]:
    return {
        "name": "showable",
        "version": printable(summary.signature.version) or "0",
        "rules": [
            {
                "id": code,
                "name": "".join(part.capitalize() for part in code.replace(".", "_").split("_")),
                "shortDescription": {"text": f"{words.brief}."},
                "fullDescription": {"text": words.help},
                "help": {"text": words.help},
                "defaultConfiguration": {"level": words.gravity},
                "properties": {"tags": [code.partition(".")[0]]},
            }
            for code, words in FINDING_WORDS.items()
        ],
    }


def _invocation(summary: Summary, room: Room) -> dict[str, Any]:
    told = []
    if left := room.left_out():
        listed = ", ".join(f"{count:,} of level {level}" for level, count in left.items())
        said = (
            f"{sum(left.values()):,} of {room.seen:,} results are left out, so that the file can be uploaded: {listed}"
        )
        told.append({"level": "warning", "message": sarif_message(said)})
    if summary.records is not None and summary.records > summary.n:
        said = f"The run is not finished: {summary.records - summary.n:,} of {summary.records:,} records are not scored yet"
        told.append({"level": "warning", "message": sarif_message(said)})
    if summary.not_measured is not None:
        told.append({"level": "error", "message": sarif_message(summary.not_measured)})
    return {"executionSuccessful": summary.not_measured is None, "toolExecutionNotifications": told}


def _properties(view: RunView) -> dict[str, Any]:
    summary = view.summary
    return {
        "run": printable(view.name),
        "signature": printable(str(summary.signature)),
        "n": summary.n,
        "buckets": {bucket: summary.buckets[bucket] for bucket in BUCKETS},
        "causes": dict(summary.causes),
    }


# The findings of one answer as results of a SARIF log, and the answer itself as the artifact that they point into.


_RULE_AT = {code: at for at, code in enumerate(FINDING_WORDS)}
_ID, _MESSAGE = 300, 1_000
_RECORDS = "records.jsonl"
_PRINTS = ("finding/v1", "primaryLocationLineHash")
"""Our own name for a fingerprint, and the only one that GitHub tracks results by."""


def level_of(finding: Finding) -> Level | None:
    """Return the level of a finding: ``none`` where it could not be checked; None where it is no result at all."""
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
        """Yield the results of one answer as JSON: the verdict on the whole of it first."""
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
    """Yield what is to be a result, with what it says: the verdict on the answer first."""
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
