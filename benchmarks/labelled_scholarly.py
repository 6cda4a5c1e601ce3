"""Labelled citations of papers as rows of one shape: the citation as read, what is said of it, and the true work."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from served_scholarly import Truth

from showable.read.references.entries import read_entry
from showable.records import Reference

_INITIALS = re.compile(r"[^\W\d_][\w'’-]*\s[A-Z]{1,3}")


@dataclass(frozen=True)
class Row:
    """A labelled citation: what is said of it, and what is true, as far as the data says."""

    name: str
    id: str
    citation: str
    expected: str
    """``true``, ``fabricated`` (no work of this title), ``wrong`` (a work of this title, with wrong metadata) or ``apart``."""
    kind: str
    reference: Reference | None
    truth: Truth | None = None


def rows_in(path: Path) -> Iterator[dict[str, Any]]:
    """Read a file of labelled citations; say so where it is missing."""
    if not path.exists():
        print(f"skipped: {path} is missing")
        return
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _read(citation: str) -> Reference | None:
    found = read_entry(citation)
    return found.reference if found else None


def hallmark(rows: Iterable[dict[str, Any]], *, fields: bool) -> Iterator[Row]:
    """Read hallmark's rows; what is true stands in the fields of those that are right."""
    rows = list(rows)
    titles = {row["fields"]["title"].casefold() for row in rows if row["citation_ok"]}
    for row in rows:
        has = row["fields"]
        names = tuple(name for name in has["author"].split(" and ") if name != "others")
        truth = Truth(
            has["title"], names, int(has["year"]), has.get("booktitle") or has.get("journal") or "", has.get("doi", "")
        )
        expected = "true" if row["citation_ok"] else "wrong" if row["title_exists"] else "fabricated"
        known = has["title"].casefold() in titles
        reference = _of_fields(row) if fields else _read(row["citation"])
        yield Row(
            "hallmark_dev_public",
            row["id"],
            row["citation"],
            expected if expected != "wrong" or known else "apart",
            row["hallucination_type"] or "valid",
            reference,
            truth if row["citation_ok"] else None,
        )


def _of_fields(row: dict[str, Any]) -> Reference:
    has = row["fields"]
    authors = [name for name in has["author"].split(" and ") if name != "others"]
    fields = {
        "style": "bibtex",
        "authors": "; ".join(authors),
        "et_al": "yes" if has["author"].endswith("others") else "",
        "title": has["title"],
        "container": has.get("booktitle") or has.get("journal") or "",
        "year": has["year"],
        "doi": has.get("doi", ""),
    }
    return Reference(
        kind="bibliographic", text=row["citation"], fields={key: text for key, text in fields.items() if text}
    )


def vikranth(rows: Iterable[dict[str, Any]], *, fields: bool) -> Iterator[Row]:  # noqa: ARG001 - they have no fields
    """Read vikranth's rows: ``authors. title. container. year``; what is true stands in the valid ones."""
    rows = list(rows)
    valid = {truth.title.casefold() for row in rows if row["raw_label"] == "Valid" for truth in [_vikranth_truth(row)]}
    for row in rows:
        truth = _vikranth_truth(row)
        known = truth.title.casefold() in valid
        label = {"Valid": "true", "Hallucinated": "fabricated", "Partially Valid": "wrong" if known else "fabricated"}
        yield Row(
            "vikranth_scholarly_127",
            row["id"],
            row["citation"].strip(),
            label[row["raw_label"]],
            row["raw_label"],
            _read(row["citation"].strip()),
            truth if row["raw_label"] == "Valid" else None,
        )


def _vikranth_truth(row: dict[str, Any]) -> Truth:
    lead, venue, year = row["citation"].strip().rsplit(". ", 2)
    cut = lead.find(".. ") + 1 if ".. " in lead else -1
    if cut < 1:
        starts = [match.start() for match in re.finditer(r"\.\s", lead)]
        listed = _INITIALS.fullmatch(lead.partition(",")[0]) is not None
        cut = next(at for at in starts if listed or not re.search(r"(?:^|\s)\w$", lead[:at]))
    people, title = lead[:cut].rstrip(". "), lead[cut + 1 :].strip()
    et_al = people.endswith("et al")
    people = people.removesuffix("et al").strip()
    names = (people,) if people.count(",") == 1 and et_al else tuple(one.strip() for one in people.split(","))
    names = tuple(name for name in names if name and name != "Unknown")
    doi = row["doi"].strip() if row["doi"].strip().startswith("10.") else ""
    return Truth(title, names, int(year), venue, doi, et_al=et_al)


def scholarly(rows: Iterable[dict[str, Any]], *, fields: bool) -> Iterator[Row]:  # noqa: ARG001 - they have no fields
    """Read the small set of ids: what is true stands in a line of words beside each."""
    for number, row in enumerate(rows):
        if row["kind"] not in {"doi", "pmid", "pmcid", "arxiv", "reference"} or row["exists"] is None:
            continue
        wrong = {"mismatch": "wrong", "retracted": "retracted"}.get(row["status"])
        expected = wrong or ("true" if row["exists"] else "fabricated")
        truth = _told(row) if row["exists"] and row["status"] != "mismatch" else None
        yield Row("scholarly", str(number), row["citation"], expected, row["status"], _by_id(row), truth)


def _by_id(row: dict[str, Any]) -> Reference | None:
    if row["kind"] == "reference":
        return _read(row["citation"])
    value = re.sub(r"^(?:PMID|arXiv|doi):\s*", "", row["citation"], flags=re.IGNORECASE)
    claimed = row.get("claimed") or {}
    said = {key: "; ".join(text) if isinstance(text, list) else str(text) for key, text in claimed.items()}
    et_al = {"et_al": "yes"} if "authors" in said else {}
    fields = {row["kind"]: value.lower() if row["kind"] == "doi" else value, **said, **et_al}
    return Reference(kind=row["kind"], text=row["citation"], fields=fields)


def _told(row: dict[str, Any]) -> Truth:
    parts = [part.strip() for part in row["truth"].split(";")]
    year = re.search(r"\b(?:19|20)\d\d\b", row["truth"])
    names = re.split(r",\s*", re.sub(r"\s*et al\.?", "", parts[1])) if len(parts) > 2 else ["Nobody"]
    venue = re.match(r"[A-Za-z .]+[A-Za-z]", parts[2]) if len(parts) > 2 else None
    doi = row["citation"] if row["kind"] == "doi" else ""
    title = parts[0].removeprefix("RETRACTED: ")
    more = {"id": row["citation"], "kind": row["kind"]}
    truth = Truth(title, tuple(names), int(year[0]) if year else 2000, venue[0] if venue else "", doi, et_al=True)
    return replace(truth, retracted=row["status"] == "retracted", more={"showable": more})


READERS = {"scholarly": scholarly, "vikranth_scholarly_127": vikranth, "hallmark_dev_public": hallmark}
