"""When a case that nobody has does not exist: a set is complete for a reporter and its years, a registry for a volume."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from registry_doubles import serve
from registry_doubles.caselaw_access import CaselawAccessDouble
from registry_doubles.courtlistener import CourtListenerDouble
from registry_doubles.law_reports import Library, ReportedCase

from showable.records import Reference
from showable.records.lookups import LookupResult
from showable.registries.consult import make_consultation
from showable.registries.local import Local
from showable.registries.local_sets.importing import ImportPlan, import_file
from showable.registries.local_sets.store import SetStore
from showable.registries.settings import Settings
from showable.registries.web.asking import Pace

FIRM = """\
case_name,volume,reporter,page,court,year
Ansel v. Brook,911,F.3d,100,ca2,2018
Carrow v. Dunn,925,F.3d,400,ca2,2019
Elm Trust v. Fisk,88,F.4th,12,ca2,2023
"""


def case(name: str, volume: str, reporter: str, page: str, year: str = "") -> Reference:
    fields = {"case_name": name, "volume": volume, "reporter": reporter, "page": page} | (
        {"year": year} if year else {}
    )
    return Reference(kind="case", text=f"{volume} {reporter} {page}", fields=fields)


COMPLETE = [
    # what is cited, status, why
    (case("Carrow v. Dunn", "925", "F.3d", "400", "2019"), "resolved", "it is there"),
    (case("Nemo v. Nobody", "925", "F.3d", "77", "2019"), "not_found", "the reporter, the volume and the year are covered"),
    (case("Nemo v. Nobody", "918", "F.3d", "5"), "not_found", "a volume between those that it has"),
    (case("Nemo v. Nobody", "930", "F.3d", "5", "2019"), "not_found", "another volume of a year that it covers"),
    (case("Nemo v. Nobody", "999", "F.3d", "5", "2021"), "unreachable", "a volume and a year that it does not reach to"),
    (case("Nemo v. Nobody", "12", "F.4th", "5", "2021"), "unreachable", "the same of a later reporter"),
    (case("Nemo v. Nobody", "410", "U.S.", "113", "1973"), "unreachable", "a reporter that it has nothing of"),
]  # fmt: skip


@pytest.mark.parametrize(("cited", "status", "why"), COMPLETE, ids=[row[-1] for row in COMPLETE])
@pytest.mark.parametrize("complete_for", [("case",), ()])
def test_a_set_is_complete_for_its_reporters_and_years(
    tmp_path: Path, cited: Reference, status: str, why: str, complete_for: tuple[str, ...]
) -> None:
    """Offline: what the set does not prove is asked of nobody else. A set that is complete for nothing proves nothing."""
    file, kept = tmp_path / "firm.csv", tmp_path / "store.sqlite"
    file.write_text(FIRM)
    with SetStore.open(kept) as store:
        import_file(ImportPlan(file, "firm", kind="case", complete_for=complete_for), store)
    result = asked(make_consultation(Settings(), offline=True, local=Local(path=kept)), cited)
    assert result.status == (status if complete_for or status == "resolved" else "unreachable"), (why, result)


def asked(consultation, cited: Reference) -> LookupResult:
    async def once() -> LookupResult:
        try:
            return await consultation.lookup(cited)
        finally:
            await consultation.aclose()

    return asyncio.run(once())


REGISTRIES = [
    (case("Nemo v. Nobody", "925", "F.3d", "30", "2019"), "not_found", "caselaw_access", "has the whole volume"),
    (case("Nemo v. Nobody", "925", "F.3d", "1900", "2019"), "not_found", "caselaw_access", "has the whole volume"),
    (case("Nemo v. Nobody", "999", "F.3d", "30", "2021"), "not_covered", None, "nobody has the volume"),
]


@pytest.mark.parametrize(("cited", "status", "registry", "why"), REGISTRIES)
def test_a_registry_that_has_the_whole_volume_proves_a_miss(
    cited: Reference, status: str, registry: str | None, why: str
) -> None:
    """404 of a database of some cases proves nothing; then the reason says who would know."""
    azar = ReportedCase("J.D. v. Azar", (("925", "F.3d", "1291"),), "1349", "2019-06-14", "cadc")
    shelf = Library([azar], {("F.3d", "925")})
    with serve(CourtListenerDouble(shelf).app()) as first, serve(CaselawAccessDouble(shelf).app()) as second:
        base = {"courtlistener": first, "caselaw_access": second}
        settings = Settings(base=base, secrets={"SHOWABLE_COURTLISTENER_TOKEN": "secret"})
        result = asked(make_consultation(settings, pace=Pace(10_000, 64)), cited)
    assert (result.status, registry or result.registry) == (status, result.registry), (why, result)
    assert ("would know" in (result.reason or "")) == (status == "not_covered")
