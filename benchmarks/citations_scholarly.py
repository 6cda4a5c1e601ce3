"""How citations of papers fare against local registries built from the labelled rows that exist: conformance.

This is not accuracy in the wild. The registries are doubles on loopback, and hold the true works of the same data
(`served_scholarly` says how they are served); a public registry holds other works, and errs. Asked are `scholarly`,
`vikranth_scholarly_127` and `hallmark_dev_public`, by their `citation` strings, read and looked up as `showable
check` does it. Caught is what comes out as not_found, mismatch or malformed (or retracted, where it was); accused is a
true citation that comes out so. Every row that is caught, missed or accused is printed, and the exit code is 1 where a set
misses one of the three bars. The rows were read while the rules of comparison were written: none of them is
blind. What cannot be caught from what is served is counted apart, with the reason.

    python benchmarks/citations_scholarly.py [--data DIR] [--seed N] [--rows FILE] [--fields]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from labelled_scholarly import READERS, Row, rows_in
from served_scholarly import Served, Truth, as_arxiv, as_crossref, as_datacite, unique

from showable.measure.rates import Rate
from showable.records import LookupResult, OutcomeCounts
from showable.rubrics.metadata.registered_venues import registers
from showable.rubrics.metadata.titles import best_title

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
SETS = ("scholarly", "vikranth_scholarly_127", "hallmark_dev_public")
BARS = {"fabricated": 0.98, "wrong": 0.95, "retracted": 1.0}
"""The least share that must be caught."""
MOST_ACCUSED = 0.02
BATCH = 40
"""Rows asked about at a time, so that none waits in a line for longer than one request may take."""
VENUES_ALONE = {"wrong_venue", "nonexistent_venue"}
"""What is wrong with rows in which nothing but the venue is."""
UNTOLD = "what is registered is a preprint, and no index says in what it appeared"
LATER = "9999-01-01"
CAUGHT = {"not_found", "mismatch", "malformed", "retracted", "withdrawn", "superseded_version"}


def main() -> None:
    """Read, serve, look up, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the labelled data (default: ../shared/data)")
    parser.add_argument("--seed", type=int, default=0, help="which records are served how")
    parser.add_argument("--rows", type=Path, help="write what became of every row to this file, one JSON object a line")
    parser.add_argument(
        "--fields", action="store_true", help="take the fields of a row where it has them: leaves reading out"
    )
    options = parser.parse_args()
    if not (options.data / "cite").is_dir():
        sys.exit(f"skipped: no labelled citations in {options.data / 'cite'}")
    lines, below = [], []
    for name in SETS:
        rows = list(READERS[name](rows_in(options.data / "cite" / f"{name}.jsonl.gz"), fields=options.fields))
        served = _serve(unique(row.truth for row in rows if row.truth), options.seed)
        results = asyncio.run(_look_up(rows, served))
        found, missed_bars = _report(name, rows, served, results)
        lines, below = lines + found, below + missed_bars
        _beside_preprints(rows, served)
    if options.rows:
        options.rows.write_text(
            "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8"
        )
    if below:
        sys.exit("\n".join(["", "below the bar:", *below]))


@dataclass
class Shelf:
    """What the local registries hold."""

    works: list[dict[str, Any]]
    datacite: dict[str, dict[str, Any]]
    papers: dict[str, dict[str, Any]]
    summaries: dict[str, dict[str, Any]]
    converted: dict[str, dict[str, Any]]
    served: dict[str, Served]


def _serve(truths: Sequence[Truth], seed: int) -> Shelf:
    """Put every true work where it would stand: preprints at DataCite and arXiv, what was published at Crossref."""
    shelf = Shelf([], {}, {}, {}, {}, {})
    for number, truth in enumerate(truths):
        about = truth.more.get("showable", {})
        truth = replace(truth, more={})  # noqa: PLW2901
        if about.get("kind") == "pmid":
            _summary(shelf, re.sub(r"\D", "", about["id"]), truth)
        elif about.get("kind") == "pmcid":
            shelf.converted[about["id"]] = {"pmid": 32117569}
        elif truth.on_arxiv:
            doi = (
                truth.doi
                or about.get("id", "").replace("arXiv:", "10.48550/arxiv.")
                or f"10.48550/arxiv.2401.{number:05d}"
            ).lower()
            shelf.datacite[doi] = as_datacite(truth, seed)
            shelf.papers[re.sub(r"v\d+$", "", doi.removeprefix("10.48550/arxiv."))] = {**as_arxiv(truth), "version": 7}
        else:
            if truth.by_its_preprint:  # what is cited by arXiv's DOI is at DataCite, and what was published elsewhere
                doi = truth.doi.lower()
                shelf.datacite[doi] = as_datacite(truth, seed)
                shelf.papers[re.sub(r"v\d+$", "", doi.removeprefix("10.48550/arxiv."))] = as_arxiv(truth)
                truth = replace(truth, doi="")  # noqa: PLW2901
            served = as_crossref(truth, number, seed)
            shelf.works.append(served.work)
            shelf.served[truth.title.casefold()] = served
    return shelf


def _summary(shelf: Shelf, pmid: str, truth: Truth) -> None:
    types = ["Journal Article", *(["Retracted Publication"] if truth.retracted else [])]
    shelf.summaries[pmid] = {"title": f"{truth.title}.", "pubdate": str(truth.year), "pubtype": types, "authors": []}


async def _look_up(rows: Sequence[Row], shelf: Shelf) -> list[LookupResult | None]:
    """Look every row up through the whole of what `showable check` asks with, at registries of its own."""
    sys.path.insert(0, str(ROOT / "tests"))
    from registry_doubles import arxiv as arxiv_double  # noqa: PLC0415
    from registry_doubles import crossref, datacite, entrez, europe_pmc, handles, serve  # noqa: PLC0415

    from showable.registries.consult import make_consultation  # noqa: PLC0415
    from showable.registries.settings import Settings  # noqa: PLC0415
    from showable.registries.web.asking import Pace  # noqa: PLC0415

    dois = [*(work["DOI"] for work in shelf.works), *shelf.datacite]
    with ExitStack() as stack:
        apps = {
            "doi_org": handles.handles(dois),
            "crossref": crossref.crossref(shelf.works, limits={}),
            "datacite": datacite.datacite(shelf.datacite),
            "arxiv": arxiv_double.arxiv(shelf.papers),
            "entrez": entrez.entrez(shelf.summaries),
            "pmc_ids": entrez.idconv(shelf.converted),
            "europe_pmc": europe_pmc.europe_pmc({}),
        }
        base = {name: stack.enter_context(serve(app)) for name, app in apps.items()}
        base |= {"pubmed": base["entrez"], "ecitmatch": base["entrez"]}
        consultation = make_consultation(Settings(base=base), pace=Pace(10_000, 64), deadline=3_000.0)
        try:
            asked = [row.reference for row in rows if row.reference]
            batches = [asked[at : at + BATCH] for at in range(0, len(asked), BATCH)]
            answers = iter([answer for batch in batches for answer in await consultation.lookup_all(batch)])
            return [next(answers) if row.reference else None for row in rows]
        finally:
            await consultation.aclose()


def _report(
    name: str, rows: Sequence[Row], shelf: Shelf, results: Sequence[LookupResult | None]
) -> tuple[list[dict[str, Any]], list[str]]:
    """Print rows and shares; give what became of every row, and the bars that were missed."""
    judged = [(row, result, _apart(row, shelf)) for row, result in zip(rows, results, strict=True)]
    below = []
    print(f"\n{name}: {len(rows)} rows")
    _print_rows(judged)
    for what, expected in (
        ("recall of fabricated titles", "fabricated"),
        ("recall of wrong metadata", "wrong"),
        ("recall of what was retracted", "retracted"),
    ):
        of = [(row, result) for row, result, apart in judged if row.expected == expected and not apart]
        caught = sum(_is_caught(result) for _, result in of)
        if of:
            print(f"  {what:32} {_rate(caught, len(of))}")
        if of and caught / len(of) < BARS[expected]:
            below.append(f"{name}: {what} {caught}/{len(of)}, asked {BARS[expected]}")
        every = [result for row, result, apart in judged if row.expected == expected and apart in {None, UNTOLD}]
        if len(every) > len(of):
            print(f"    with those whose venue nobody tells {_rate(sum(map(_is_caught, every)), len(every))}")
    true = [(row, result) for row, result, _ in judged if row.expected == "true"]
    accused = sum(_is_caught(result) for _, result in true)
    print(f"  {'false alarms':32} {_rate(accused, len(true))}")
    if true and accused / len(true) > MOST_ACCUSED:
        below.append(f"{name}: false alarms {accused}/{len(true)}, asked at most {MOST_ACCUSED}")
    settled = Counter(result.status if result else "unread" for _, result in true)
    print(f"  {'true citations come out as':32} {', '.join(f'{status} {n}' for status, n in settled.most_common())}")
    _by_kind(judged)
    return [_line(row, result, apart) for row, result, apart in judged], below


def _print_rows(judged: Sequence[tuple[Row, LookupResult | None, str | None]]) -> None:
    """Print what was caught, missed and accused, a line each."""
    for row, result, apart in judged:
        caught = _is_caught(result)
        if not caught and row.expected == "true":
            continue
        word = "ACCUSED" if row.expected == "true" else "caught" if caught else "apart" if apart else "MISSED"
        said = f"{result.status} by {result.registry}: {result.reason or 'agrees'}" if result else "could not be read"
        print(f"  {word:8} {row.id:14} {row.citation[:70]!r}  {said[:90]}")


def _beside_preprints(rows: Sequence[Row], shelf: Shelf) -> None:
    """Say how true citations fare that give a venue and arXiv's DOI, where none but DataCite and arXiv has the work.

    Of a venue that registers its papers that is never so: there an accusation is what the rule is for.
    """
    of = [row for row in rows if row.truth and row.truth.by_its_preprint]
    if not of:
        return
    alone = replace(shelf, works=[])
    for what, registered in (("that registers with Crossref", True), ("that does not", False)):
        some = [row for row in of if row.truth and registers(row.truth.venue, row.truth.year, LATER) is registered]
        results = asyncio.run(_look_up(some, alone))
        accused = sum(_is_caught(result) for result in results)
        print(f"  a true venue {what}, arXiv's own DOI, the preprint's records alone: {accused} of {len(some)} accused")


def _by_kind(judged: Sequence[tuple[Row, LookupResult | None, str | None]]) -> None:
    kinds = sorted({row.kind for row, _, apart in judged if row.expected in {"fabricated", "wrong"} and not apart})
    for kind in kinds:
        of = [
            _is_caught(result)
            for row, result, apart in judged
            if row.kind == kind and row.expected != "apart" and not apart
        ]
        print(f"    {kind:30} {sum(of)}/{len(of)}")
    reasons = Counter((apart, _is_caught(result)) for _, result, apart in judged if apart)
    for reason in sorted({reason for reason, _ in reasons}):
        caught, missed = reasons[reason, True], reasons[reason, False]
        print(f"    apart: {reason}: {caught + missed} rows, {caught} caught")


def _apart(row: Row, shelf: Shelf) -> str | None:
    """Say why a wrong claim cannot be told from what is served; None where it can, or where nothing is wrong."""
    if row.expected == "apart":
        return "a work of this title exists, but not among the rows"
    if row.reference is None or row.expected not in {"wrong", "fabricated"}:
        return None
    title = row.reference.fields.get("title", "")
    served = shelf.served.get(title.casefold())
    if row.expected == "wrong" and row.kind == "Partially Valid" and served:
        year = row.reference.fields.get("year", "")
        if year.isdecimal() and int(year) in served.years:
            return "the claimed year is the served year of online publication"
    if row.expected == "wrong" and row.kind in VENUES_ALONE and _by_preprint_alone(row, shelf):
        return UNTOLD
    for one in shelf.served.values():
        if one.subtitle_dropped and row.expected == "fabricated":
            match = best_title(title, one.work["title"])
            if match and match.likeness == "same":
                return "the changed words stand in a subtitle that is not served"
    return None


def _by_preprint_alone(row: Row, shelf: Shelf) -> bool:
    """Say whether all that exists is a preprint, which the citation names by its id."""
    doi = row.reference.fields.get("doi", "").lower() if row.reference else ""
    return (
        doi in shelf.datacite
        and row.reference is not None
        and row.reference.fields["title"].casefold() not in shelf.served
    )


def _is_caught(result: LookupResult | None) -> bool:
    return result is not None and result.status in CAUGHT


def _rate(passed: int, n: int) -> Rate:
    return Rate.of(OutcomeCounts(passed=passed, failed=n - passed))


def _line(row: Row, result: LookupResult | None, apart: str | None) -> dict[str, Any]:
    caught = _is_caught(result)
    line: dict[str, Any] = {
        "set": row.name,
        "id": row.id,
        "kind": row.kind,
        "expected": row.expected,
        "apart": apart,
        "caught": caught,
    }
    line |= {"citation": row.citation, "read_as": row.reference.fields if row.reference else None}
    if result is None:
        return line | {"status": "unread"}
    differ = [check.model_dump() for check in result.compared if check.outcome == "differs"]
    return line | {"status": result.status, "registry": result.registry, "reason": result.reason, "differs": differ}


if __name__ == "__main__":
    main()
