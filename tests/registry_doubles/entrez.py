"""NCBI's E-utilities: errors per uid at status 200, text where XML was asked for, and a 429 in JSON."""

from __future__ import annotations

from aiohttp import web

_BUSY = {"error": "API rate limit exceeded", "api-key": "203.0.113.7", "count": "4", "limit": "3"}


def entrez(summaries, *, matches=None, found=None, busy=0, refused=None):
    """Serve summaries by uid. `matches` maps ``journal|volume|page`` to what ecitmatch says, `found` a term to uids."""
    matches, found, left = matches or {}, found or {}, [busy]

    async def esummary(request):
        left[0] -= 1
        if left[0] >= 0:
            return web.json_response(_BUSY, status=429, headers={"Retry-After": "0"})
        if refused:
            return web.json_response({"header": {"type": "esummary", "version": "0.3"}, "error": refused})
        ids = request.query["id"].split(",")
        rows = {uid: {"uid": uid, **summaries.get(uid, _UNKNOWN)} for uid in ids}
        result = {"uids": ids, **rows}
        return web.json_response({"header": {"type": "esummary", "version": "0.3"}, "result": result})

    async def esearch(request):
        ids = found.get(request.query["term"], [])
        return web.json_response({"esearchresult": {"count": str(len(ids)), "idlist": ids}})

    async def ecitmatch(request):
        lines = []
        for line in request.query["bdata"].split("\r"):
            journal, _, volume, page, *_ = line.split("|")
            lines.append(line + matches.get(f"{journal}|{volume}|{page}", "NOT_FOUND;INVALID_JOURNAL"))
        return web.Response(text="\n".join(lines), content_type="text/plain")

    app = web.Application()
    app.router.add_get("/esummary.fcgi", esummary)
    app.router.add_get("/esearch.fcgi", esearch)
    app.router.add_get("/ecitmatch.cgi", ecitmatch)
    return app


_UNKNOWN = {"error": "cannot get document summary"}


def idconv(records, *, strings=False, added=(), asked=None):
    """Serve PMC's converter: one type of id a request, `pmid` a number unless `strings`, warnings without an e-mail.

    `added` are ids that something on the way puts into each request; `asked` gets what was asked for.
    """
    asked = [] if asked is None else asked

    async def convert(request):
        asked.append(dict(request.query))
        ids = [*request.query["ids"].split(","), *added]
        if len({one[:3] == "PMC" for one in ids}) > 1:
            body = {"status": "error", "message": "IDs of different types in one request", "records": []}
            return web.json_response(body, status=400)
        if request.query.get("format") != "json":
            return web.Response(text='<pmcids status="ok"/>', content_type="text/xml")
        rows = [_converted(one, records.get(one), strings=strings) for one in ids]
        body = {"status": "ok", "request": {"format": "json", "ids": ids}, "records": rows}
        if not request.query.get("email"):
            body["warnings"] = ["no e-mail address"]
        return web.json_response(body)

    app = web.Application()
    app.router.add_get("/articles/", convert)
    return app


def _converted(asked, record, *, strings):
    if record is None:
        return {"requested-id": asked, "status": "error", "errmsg": "Identifier not found in PMC"}
    pmid = str(record["pmid"]) if strings else record["pmid"]
    return {"pmcid": asked, "requested-id": asked, **record, "pmid": pmid}
