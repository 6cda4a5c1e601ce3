"""How long 1,000 distinct references take: registries on loopback that answer after 50 ms, then the cache.

A mixed brief: DOIs (existence, metadata, retraction notices), entries of reference lists by title, PMIDs, arXiv ids,
trials and cases. Each answers like its public service, in a process of its own; the registries' own limits are
lifted, everything else (vetting, pinning, retries, comparison, SQLite) is as in use.

    python benchmarks/lookups.py               both times, and whether they keep to 10 s and 1 s
    python benchmarks/lookups.py --profile     where the time goes, too
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import multiprocessing
import pstats
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from aiohttp import web

from showable.records import Reference
from showable.registries.consult import make_consultation
from showable.registries.settings import Settings
from showable.registries.web.asking import Pace

LATENCY_S = 0.05
FIRST_S, CACHED_S = 10.0, 1.0
"""What the two runs may take."""
COUNTS = {"doi": 350, "bibliographic": 150, "pmid": 200, "arxiv": 100, "nct": 100, "case": 100}
UNLIMITED = Pace(per_second=1e6, at_once=1_000)
NAMES = [
    "doi_org",
    "crossref",
    "pubmed",
    "openalex",
    "arxiv",
    "clinical_trials",
    "caselaw_access",
    "europe_pmc",
    "datacite",
    "dailymed",
]


def title_of(number: str) -> str:
    """Make a title of which each number has another."""
    subjects = ["granite harbours", "moss canopies", "tidal ledgers", "copper orchards", "winter lanterns"]
    return f"Observed variation in {subjects[int(number) % 5]} under condition {number}"


def number_in(text: str) -> str:
    """Give the number of a record from its id."""
    return str(int("".join(char for char in text if char.isdigit())[-6:]))


def work(number: str) -> dict:
    """Give a work as Crossref has it."""
    return {
        "DOI": f"10.5555/bench.{int(number):06}",
        "title": [title_of(number)],
        "author": [{"family": "Alder", "given": "M."}, {"family": "Rowan", "given": "S."}],
        "container-title": ["Journal of Bench Measurement"],
        "issued": {"date-parts": [[2019, 3, 1]]},
        "volume": "12",
        "page": "100-110",
    }


async def handle(request: web.Request) -> web.Response:
    """Say that a DOI is registered."""
    return web.json_response({"responseCode": 1, "handle": request.match_info["doi"], "values": []})


async def csl(request: web.Request) -> web.Response:
    """Give its metadata by content negotiation, where a title is one string."""
    has = work(number_in(request.match_info["doi"]))
    return web.json_response({**has, "title": has["title"][0], "container-title": has["container-title"][0]})


async def crossref(request: web.Request) -> web.Response:
    """Give one work."""
    message = {**work(number_in(request.match_info["doi"])), "updated-by": []}
    return web.json_response({"status": "ok", "message-type": "work", "message": message})


async def crossref_search(request: web.Request) -> web.Response:
    """Find works by their titles: the one meant, and one that is not."""
    number = number_in(request.query["query.bibliographic"].partition("condition ")[2].split()[0])
    items = [work(str(int(number) + 1)), work(number)]
    return web.json_response({"status": "ok", "message-type": "work-list", "message": {"items": items}})


def summary(uid: str) -> dict:
    """Give an article as PubMed has it."""
    return {
        "uid": uid,
        "title": f"{title_of(number_in(uid))}.",
        "authors": [{"name": "Alder M", "authtype": "Author"}],
        "pubdate": "2019 Mar",
        "source": "J Bench Meas",
        "fulljournalname": "Journal of Bench Measurement",
        "volume": "12",
        "pages": "100-10",
        "pubtype": ["Journal Article"],
        "articleids": [{"idtype": "pubmed", "value": uid}],
    }


async def esummary(request: web.Request) -> web.Response:
    """Give summaries of articles."""
    ids = request.query["id"].split(",")
    return web.json_response({"result": {"uids": ids, **{uid: summary(uid) for uid in ids}}})


async def esearch(_: web.Request) -> web.Response:
    """Find nothing: most DOIs are not in PubMed."""
    return web.json_response({"esearchresult": {"count": "0", "idlist": []}})


async def arxiv(request: web.Request) -> web.Response:
    """Give an Atom feed of one preprint."""
    number = request.query["id_list"]
    entry = (
        f"<entry><id>http://arxiv.org/abs/{number}v1</id><title>{title_of(number_in(number))}</title>"
        "<published>2019-03-01T00:00:00Z</published><author><name>M. Alder</name></author></entry>"
    )
    opensearch = "http://a9.com/-/spec/opensearch/1.1/"
    count = f'<totalResults xmlns="{opensearch}">{1 if entry else 0}</totalResults>'
    feed = f'<feed xmlns="http://www.w3.org/2005/Atom"><title>arXiv Query</title>{count}{entry}</feed>'
    return web.Response(text=feed, content_type="application/atom+xml")


async def trial(request: web.Request) -> web.Response:
    """Give one study."""
    nct = request.match_info["nct"]
    modules = {
        "identificationModule": {"nctId": nct, "briefTitle": title_of(number_in(nct))},
        "statusModule": {"overallStatus": "COMPLETED"},
    }
    return web.json_response({"protocolSection": modules})


async def volume(request: web.Request) -> web.Response:
    """Give the cases of a volume of reports."""
    number = request.match_info["volume"]
    cases = [
        {
            "id": page,
            "name": f"Alder {page} v. Rowan {page}",
            "name_abbreviation": f"Alder {page} v. Rowan {page}",
            "decision_date": "1999-05-05",
            "first_page": str(page),
            "last_page": str(page + 9),
            "citations": [{"type": "official", "cite": f"{number} F.3d {page}"}],
            "court": {"name_abbreviation": "9th Cir."},
            "file_name": f"{page:04}-01",
        }
        for page in range(1, 1_000, 10)
    ]
    return web.json_response(cases)


async def nothing(request: web.Request) -> web.Response:
    """Answer as Europe PMC and DataCite do where they have nothing."""
    if "europe_pmc" in request.path:
        return web.json_response({"hitCount": 0, "resultList": {"result": []}})
    return web.json_response({"errors": [{"status": "404", "title": "The resource doesn't exist."}]}, status=404)


@web.middleware
async def late(request, handler):
    """Take as long as a network does."""
    await asyncio.sleep(LATENCY_S)
    return await handler(request)


def make_app() -> web.Application:
    """Put all registries under one address."""
    app = web.Application(middlewares=[late])
    app.router.add_get("/doi_org/api/handles/{doi:.*}", handle)
    app.router.add_get("/doi_org/{doi:.*}", csl)
    app.router.add_get("/crossref/works", crossref_search)
    app.router.add_get("/crossref/works/{doi:.*}", crossref)
    app.router.add_get("/pubmed/esummary.fcgi", esummary)
    app.router.add_get("/pubmed/esearch.fcgi", esearch)
    app.router.add_get("/arxiv/api/query", arxiv)
    app.router.add_get("/clinical_trials/api/v2/studies/{nct}", trial)
    app.router.add_get("/caselaw_access/{slug}/{volume}/CasesMetadata.json", volume)
    app.router.add_route("*", "/{rest:.*}", nothing)
    return app


def serve(pipe) -> None:
    """Serve in a process of its own until it is ended."""

    async def run() -> None:
        runner = web.AppRunner(make_app(), access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0, backlog=1_024).start()
        pipe.send(runner.addresses[0][1])
        await asyncio.Event().wait()

    asyncio.run(run())


def make_references() -> list[Reference]:
    """Make references that all resolve, with what a text would claim of each."""
    claimed = {"authors": "Alder, M.; Rowan, S.", "year": "2019"}
    made = []
    for at in range(sum(COUNTS.values())):
        number, title = str(at), {"title": title_of(str(at))}
        kind = next(kind for kind, last in _running(COUNTS) if at < last)
        fields = {
            "doi": {"doi": f"10.5555/bench.{at:06}", **title, **claimed},
            "bibliographic": {
                "style": "apa",
                **title,
                **claimed,
                "container": "Journal of Bench Measurement",
                "volume": "12",
            },
            "pmid": {"pmid": str(30_000_000 + at), **title, "year": "2019"},
            "arxiv": {"arxiv": f"1903.{at:05}", "title": title_of(number_in(f"1903.{at:05}"))},
            "nct": {"nct": f"NCT{at:08}", **title},
            "case": _case(at),
        }[kind]
        made.append(Reference(kind=kind, text=f"{kind} {number}", fields=fields))
    return made


def _case(at: int) -> dict[str, str]:
    page = at % 100 * 10 + 1
    name = f"Alder {page} v. Rowan {page}"
    return {"case_name": name, "volume": str(100 + at % 10), "reporter": "F.3d", "page": str(page), "year": "1999"}


def _running(counts):
    last = 0
    for kind, count in counts.items():
        last += count
        yield kind, last


async def look_up(base: str, cache: Path) -> tuple[float, float, Counter, int]:
    """Look everything up: seconds, those of this processor, statuses, and how many answers came from the cache."""
    consultation = make_consultation(
        Settings(base={name: f"{base}/{name}" for name in NAMES}),
        order={"case": ("caselaw_access",), "bibliographic": ("crossref",)},
        cache_path=cache,
        pace=UNLIMITED,
    )
    references = make_references()
    try:
        start, busy = time.perf_counter(), time.process_time()
        results = await consultation.lookup_all(references)
        seconds, busy = time.perf_counter() - start, time.process_time() - busy
    finally:
        await consultation.aclose()
    for result in results:
        if result.status != "resolved":
            print(f"{result.claimed}: {result.status}, {result.reason}", file=sys.stderr)
            break
    return seconds, busy, Counter(result.status for result in results), sum(result.cached for result in results)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--profile", action="store_true", help="print where the time goes")
    wanted = parser.parse_args()
    mine, theirs = multiprocessing.get_context("spawn").Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    try:
        base = f"http://127.0.0.1:{mine.recv()}"
        with tempfile.TemporaryDirectory() as folder:
            _report(base, Path(folder) / "registries.sqlite", profile=wanted.profile)
    finally:
        server.terminate()
        server.join()


def _report(base: str, cache: Path, *, profile: bool) -> None:
    kept = True
    for what, most in (("first", FIRST_S), ("cached", CACHED_S)):
        profiler = cProfile.Profile()
        if profile:
            profiler.enable()
        seconds, busy, statuses, cached = asyncio.run(look_up(base, cache))
        profiler.disable()
        kept = kept and seconds <= most
        counts = ", ".join(f"{n} {status}" for status, n in statuses.most_common())
        print(
            f"{what}: {sum(statuses.values())} references in {seconds:.2f} s, {busy:.2f} s of it busy (at most {most:g} s): {counts}; {cached} cached"
        )
        if profile:
            pstats.Stats(profiler).sort_stats("tottime").print_stats(18)
    sys.exit(0 if kept else 1)


if __name__ == "__main__":
    main()
