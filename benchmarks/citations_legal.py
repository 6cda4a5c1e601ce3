"""How citations of law fare against local registries that behave as the real ones do: conformance.

This is not accuracy in the wild. CourtListener and the Caselaw Access Project are doubles on loopback, seeded from the
labelled rows (`served_legal` says how); CourtListener answers 200 for the case that merely contains a page, as it does.
Asked are `legal_incidents`, `legal_known_fake_citations` and `legal_known_real_citations`, read by the legal grammar from
their citation strings and looked up as `showable check` does it. Caught is a fabricated citation that comes out as
not_found or mismatch (or malformed, where no number can be so), accused a real one that comes out as anything that speaks against it. Citations that no open
registry holds (WL numbers, state neutral citations) are counted apart as not checkable: they are not caught, and not
counted as caught. Exits 1 where a fabricated citation that could be checked was missed, or a real one accused.

    python benchmarks/citations_legal.py [--data DIR] [--quiet]
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from served_legal import Shelf, read, shelf_of  # noqa: E402 - the doubles stand among the tests

from showable.measure.rates import Rate  # noqa: E402
from showable.records import LookupResult, OutcomeCounts, Reference  # noqa: E402
from showable.records.lookups import PROVEN_BAD  # noqa: E402

DATA = ROOT.parent / "shared" / "data"
SETS = ("legal_incidents", "legal_known_fake_citations", "legal_known_real_citations")
UNKNOWN = ("inside", "occupied", "empty")
CAUGHT = frozenset({"not_found", "mismatch", "malformed"})
UNCHECKED = frozenset({"not_configured", "not_covered", "unreachable", "rate_limited", "ambiguous"})
WHY_NOT = {
    "westlaw": "a WL number: nobody but its publisher can look it up",
    "lexis": "a LEXIS number: nobody but its publisher can look it up",
    "neutral": "a state's neutral citation: no open registry is complete for it",
    "fed_rule": "a rule of procedure: in no registry that is asked",
}


@dataclass(frozen=True)
class Judged:
    """A row with what became of it: `outcome` is caught, missed, accused, cleared or unchecked."""

    set: str
    row: dict[str, Any]
    references: tuple[Reference, ...]
    results: tuple[LookupResult, ...]
    served: str

    @property
    def is_fake(self) -> bool:
        """Say whether the citation is wrong as it stands: no such case, or not at this page."""
        return self.row["exists"] is False or self.row.get("status") == "mismatch"

    @property
    def worst(self) -> LookupResult | None:
        """Give what speaks most against it."""
        bad = [result for result in self.results if result.status in PROVEN_BAD]
        return (bad or [*self.results, None])[0]

    @property
    def outcome(self) -> str:
        """Name what became of it."""
        status = self.worst.status if self.worst else "unread"
        if self.is_fake:
            if status in CAUGHT:
                return "caught"
            return "unchecked" if status in UNCHECKED or status == "unread" else "missed"
        if status in PROVEN_BAD:
            return "accused"
        return "unchecked" if status in UNCHECKED or status == "unread" else "cleared"


def main() -> None:
    """Read, serve, look up, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the labelled data (default: ../shared/data)")
    parser.add_argument("--quiet", action="store_true", help="print the totals alone")
    options = parser.parse_args()
    rows = [(name, row) for name in SETS for row in _rows(options.data / "cite" / f"{name}.jsonl.gz")]
    if not rows:
        sys.exit(f"skipped: no labelled citations of law in {options.data / 'cite'}")
    wrong = 0
    for unknown in UNKNOWN:
        shelf = shelf_of([row for _, row in rows], unknown)
        judged = asyncio.run(_look_up(rows, shelf))
        print(f"\nWhere the data does not say what stands at a page: {unknown}")
        if not options.quiet:
            _print_rows(judged)
        wrong += _print_totals(judged)
    sys.exit(1 if wrong else 0)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    if not path.exists():
        print(f"skipped: {path.name} is missing")
        return
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


async def _look_up(rows: Sequence[tuple[str, dict[str, Any]]], shelf: Shelf) -> list[Judged]:
    """Look every row up through the whole of what `showable check` asks with, at registries of its own."""
    from registry_doubles import serve  # noqa: PLC0415

    from showable.registries.consult import make_consultation  # noqa: PLC0415
    from showable.registries.settings import Settings  # noqa: PLC0415
    from showable.registries.web.asking import Pace  # noqa: PLC0415

    read_rows = [(name, row, tuple(read(row["citation"]))) for name, row in rows]
    asked = [reference for _, _, references in read_rows for reference in references]
    with ExitStack() as stack:
        base = {name: stack.enter_context(serve(app)) for name, app in _apps(shelf).items()}
        settings = Settings(base=base, secrets={"SHOWABLE_COURTLISTENER_TOKEN": "secret"})
        consultation = make_consultation(settings, pace=Pace(10_000, 64), deadline=600.0)
        try:
            answers = iter(await consultation.lookup_all(asked))
        finally:
            await consultation.aclose()
    return [
        Judged(name, row, references, tuple(next(answers) for _ in references), shelf.how.get(row["citation"], ""))
        for name, row, references in read_rows
    ]


def _apps(shelf: Shelf) -> dict[str, Any]:
    from registry_doubles.caselaw_access import CaselawAccessDouble  # noqa: PLC0415
    from registry_doubles.courtlistener import CourtListenerDouble  # noqa: PLC0415
    from registry_doubles.federal_codes import EcfrDouble, GovInfoDouble, UsCodeDouble  # noqa: PLC0415
    from registry_doubles.find_case_law import FindCaseLawDouble  # noqa: PLC0415

    by_kind: dict[str, list[dict[str, str]]] = {}
    for section in shelf.sections:
        by_kind.setdefault(section.kind, []).append(section.fields)
    laws = [(one["congress"], one["number"]) for one in by_kind.get("public_law", [])]
    links = {f"plaw/{c}/public/{n}": f"https://www.govinfo.gov/content/pkg/PLAW-{c}publ{n}/pdf/x.pdf" for c, n in laws}
    codes = {(one["title"], one["section"]): f"§{one['section']}. A section" for one in by_kind.get("usc", [])}
    rules = {
        (one["title"], one["part"], one["section"]): f"§ {one['section']} A rule." for one in by_kind.get("cfr", [])
    }
    return {
        "courtlistener": CourtListenerDouble(shelf.library).app(),
        "caselaw_access": CaselawAccessDouble(shelf.library).app(),
        "find_case_law": FindCaseLawDouble(shelf.judgments).app(),
        "us_code": UsCodeDouble(codes).app(),
        "ecfr": EcfrDouble(rules).app(),
        "govinfo": GovInfoDouble(links).app(),
    }


def _print_rows(judged: Sequence[Judged]) -> None:
    for one in judged:
        if one.row["exists"] is None:
            print(f"  not scored  {one.row['citation']}: {_said(one)}")
            continue
        served = f" [{one.served}]" if one.served else ""
        print(
            f"  {one.outcome:10}  {'fake' if one.is_fake else 'real'}  {one.row['citation']}{served}\n              {_said(one)}"
        )


def _said(one: Judged) -> str:
    if one.worst is None:
        return "not read as a citation"
    kinds = {"neutral" if reference.fields.get("neutral") == "yes" else reference.kind for reference in one.references}
    why = next((WHY_NOT[kind] for kind in sorted(kinds) if kind in WHY_NOT and one.outcome == "unchecked"), "")
    return f"{one.worst.status} by {one.worst.registry}: {why or one.worst.reason or 'agrees'}"


def _print_totals(judged: Sequence[Judged]) -> int:
    """Print rates with their Wilson intervals; give how many were missed or accused."""
    wrong = 0
    for name in (*SETS, "all"):
        of = [one for one in judged if name in {one.set, "all"} and one.row["exists"] is not None]
        fakes, reals = [one for one in of if one.is_fake], [one for one in of if not one.is_fake]
        for what, ones, good, bad in (
            ("fabricated, caught", fakes, "caught", "missed"),
            ("real, accused", reals, "accused", "cleared"),
        ):
            if not ones:
                continue
            counts = OutcomeCounts(
                passed=sum(one.outcome == good for one in ones), failed=sum(one.outcome == bad for one in ones)
            )
            unchecked = sum(one.outcome == "unchecked" for one in ones)
            print(f"  {name:28} {what:20} {Rate.of(counts)}  not checkable {unchecked} of {len(ones)}")
            if name == "all":
                wrong += counts.failed if good == "caught" else counts.passed
    return wrong


if __name__ == "__main__":
    main()
