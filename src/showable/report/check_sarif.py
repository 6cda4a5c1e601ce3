"""A check as SARIF 2.1.0 (OASIS Standard, 27 March 2020), for editors and code review that show results beside the text."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from typing import Any

from showable.records.lookups import PROVEN_BAD
from showable.report.check_outcome import BAD_QUOTE, Checked, CheckedCitation, exit_code
from showable.report.check_words import MEANING, reason_of
from showable.report.sarif_text import sarif_message
from showable.report.untrusted import printable

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_RULES = tuple(MEANING)
_FAILING = frozenset({*PROVEN_BAD, "bad_quote"})
_EXACT = frozenset({"text", "markdown", "bib"})
"""Formats whose text is the file's own, so that offsets into it are offsets into the artifact."""
_MIME = {
    "text": "text/plain",
    "markdown": "text/markdown",
    "html": "text/html",
    "bib": "text/x-bibtex",
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
_MOST = 1_000


def to_sarif(checked: Checked, uris: Mapping[str, str]) -> dict[str, Any]:
    """Return a SARIF log of one run. `uris` gives, for a document's name, its URI relative to where the check was run.

    A citation that is proven bad is a result of kind ``fail``; one that could not be checked is ``open``
    and one that resolved is ``pass``, both of level ``none``, as section 3.27.10 asks. Offsets are in code points.
    """
    formats = {document.name: document.format for document in checked.documents}
    index = {document.name: at for at, document in enumerate(checked.documents)}
    counts: Counter[tuple[str, str]] = Counter()
    results = []
    for citation in checked.citations:
        counts[citation.where.document, citation.raw] += 1
        occurrence = counts[citation.where.document, citation.raw]
        results.append(_result(citation, uris, formats[citation.where.document], index, occurrence))
    run = {
        "tool": {"driver": _driver(checked)},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(checked, uris)],
        "artifacts": [
            {"location": {"uri": uris[document.name]}, "mimeType": _MIME[document.format], "roles": ["analysisTarget"]}
            for document in checked.documents
        ],
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _driver(checked: Checked) -> dict[str, Any]:
    return {
        "name": "showable",
        "version": printable(checked.version) or "0",
        "rules": [
            {
                "id": label,
                "name": "".join(word.capitalize() for word in label.split("_")),
                "shortDescription": {"text": f"{MEANING[label][0]}."},
                "fullDescription": {"text": MEANING[label][1]},
                "defaultConfiguration": {"level": "error" if label in _FAILING else "none"},
            }
            for label in _RULES
        ],
    }


def _invocation(checked: Checked, uris: Mapping[str, str]) -> dict[str, Any]:
    told = [
        {"level": "warning", "message": sarif_message(said), "locations": [_at(uris[document.name])]}
        for document in checked.documents
        for said in document.unread
    ]
    if checked.stopped:
        told.append({"level": "error", "message": sarif_message(checked.stopped)})
    return {
        "executionSuccessful": checked.stopped is None,
        "exitCode": exit_code(checked),
        "toolExecutionNotifications": told,
    }


def _at(uri: str) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": {"uri": uri}}}


def _result(
    citation: CheckedCitation, uris: Mapping[str, str], kind: str, index: Mapping[str, int], occurrence: int
) -> dict[str, Any]:
    label, where = citation.label, citation.where
    failing = citation.standing == "bad"
    outcome = "fail" if failing else "open" if citation.standing == "unchecked" else "pass"
    location: dict[str, Any] = {
        "physicalLocation": {
            "artifactLocation": {"uri": uris[where.document], "index": index[where.document]},
            "region": _region(citation, kind),
        }
    }
    if kind not in _EXACT:
        location["logicalLocations"] = [
            {"name": printable(str(where)), "fullyQualifiedName": printable(f"{where.document}: {where}")}
        ]
    printed = f"{where.document}\0{citation.raw}\0{occurrence}"
    return {
        "ruleId": label,
        "ruleIndex": _RULES.index(label),
        "kind": outcome,
        "level": "error" if failing else "none",
        "message": sarif_message(_message(citation), _MOST),
        "locations": [location],
        "partialFingerprints": {"citation/v1": hashlib.sha256(printed.encode("utf-8", "replace")).hexdigest()[:32]},
        "properties": {
            "kind": printable(citation.kind),
            "registry": None if citation.registry is None else printable(citation.registry),
            "claimed": _clean(citation.claimed),
            "found": _clean(citation.found),
        },
    }


def _region(citation: CheckedCitation, kind: str) -> dict[str, Any]:
    """Return the region: lines as the reader's place has them; offsets only where the text is the file's own."""
    where = citation.where
    region: dict[str, Any] = {"startLine": where.line, "snippet": {"text": printable(citation.raw, limit=_MOST)}}
    if kind in _EXACT:
        region |= {"startColumn": where.column, "charOffset": where.start, "charLength": where.end - where.start}
        # a region without its end reaches to the end of the line (section 3.30.8), and would be another than the offsets'
        region |= {} if where.end_line is None else {"endLine": where.end_line, "endColumn": where.end_column}
    return region


def _message(citation: CheckedCitation) -> str:
    quotes = [f"“{quote.quote}”: {quote.reason}" for quote in citation.quotes if quote.status in BAD_QUOTE]
    reason = [] if citation.label == "bad_quote" else [reason_of(citation)]
    said = "; ".join([*reason, *quotes, *citation.notes])
    return f"{MEANING[citation.label][0]}: {citation.shown}. {said}"


def _clean(fields: Mapping[str, str]) -> dict[str, str]:
    return {printable(name): printable(said, limit=_MOST) for name, said in fields.items()}
