"""A run as SARIF 2.1.0 (OASIS Standard, 27 March 2020): every finding is a result, its code the rule, its place the answer's text."""

from __future__ import annotations

from collections import Counter
from typing import IO, Any

from showable.measure.summary import BUCKETS, Summary
from showable.records.findings import Finding, Outcome
from showable.report.check_sarif import SCHEMA
from showable.report.finding_words import FINDING_WORDS
from showable.report.run_view import RunView
from showable.report.sarif_results import Results, compact, level_of
from showable.report.sarif_room import LEVELS, MOST_BYTES, MOST_RESULTS, Level, Room
from showable.report.sarif_text import sarif_message
from showable.report.untrusted import printable


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
