"""A Westlaw or Lexis number that nobody can look up, and the docket beside it that somebody can."""

import asyncio

import pytest
from registry_doubles import serve
from registry_doubles.courtlistener import CourtListenerDouble
from registry_doubles.law_reports import Library, ReportedCase

from showable.read.references.legal import find_legal
from showable.registries.consult import make_consultation
from showable.registries.settings import Settings

AZAR = ReportedCase("J.D. v. Azar", (("925", "F.3d", "1291"),), "1349", "2019-06-14", "cadc", docket="18-5093")

TABLE = [
    # citation, status, words of the reason, why
    ("J.D. v. Azar, No. 18-5093, 2019 WL 2505574 (D.C. Cir. June 14, 2019)", "not_configured", "has its docket under that name", "the docket is right, the number cannot be looked up"),
    ("Nemo v. Nobody, No. 18-5093, 2019 WL 2505574 (D.C. Cir. June 14, 2019)", "mismatch", "docket 18-5093", "the docket of that court is another case's"),
    ("Nemo v. Nobody, No. 18-9999, 2019 WL 2505574 (D.C. Cir. June 14, 2019)", "not_configured", "", "an archive that has no such docket proves nothing"),
    ("Nemo v. Nobody, 2019 WL 2505574 (D.C. Cir. June 14, 2019)", "not_configured", "", "no docket is claimed"),
    ("Nemo v. Nobody, No. 18-5093, 2019 U.S. App. LEXIS 17804 (D.C. Cir. June 14, 2019)", "mismatch", "J.D. v. Azar", "the same for a Lexis number"),
]  # fmt: skip


@pytest.fixture
def nothing_imported(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


@pytest.mark.usefixtures("nothing_imported")
@pytest.mark.parametrize(("citation", "status", "said", "why"), TABLE, ids=[row[3] for row in TABLE])
def test_a_docket_speaks_where_the_number_cannot(citation, status, said, why):
    (reference,) = [found.reference for found in find_legal(citation)]
    with serve(CourtListenerDouble(Library([AZAR], set())).app()) as base:
        settings = Settings(base={"courtlistener": base}, secrets={"SHOWABLE_COURTLISTENER_TOKEN": "secret"})

        async def look_up():
            consultation = make_consultation(settings)
            try:
                return await consultation.lookup(reference)
            finally:
                await consultation.aclose()

        result = asyncio.run(look_up())
    assert result.status == status, result.reason
    assert said in (result.reason or "")
    assert result.claimed["case_name"] == reference.fields["case_name"]
