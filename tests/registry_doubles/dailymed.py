"""DailyMed's list of labels, by application or by set id; none is an empty list."""

from aiohttp import web

SET_ID = "a60cfabf-5b93-4a1b-a5a7-0c1b2d3e4f50"
LABELS = [
    {"setid": SET_ID, "title": "LIPITOR (ATORVASTATIN CALCIUM) TABLET, FILM COATED [VIATRIS]", "spl_version": 41,
     "published_date": "Apr 12, 2024"},
    {"setid": "b60cfabf-5b93-4a1b-a5a7-0c1b2d3e4f51", "title": "LIPITOR TABLET [A REPACKAGER]", "spl_version": 3,
     "published_date": "Jan 05, 2023"},
]  # fmt: skip


def dailymed():
    async def spls(request):
        query = request.query
        hits = [row for row in LABELS if query.get("setid") == row["setid"]]
        if query.get("application_number") == "NDA020702":
            hits = LABELS
        return web.json_response({"data": hits, "metadata": {"total_elements": len(hits), "total_pages": 1}})

    app = web.Application()
    app.router.add_get("/dailymed/services/v2/spls.json", spls)
    return app
