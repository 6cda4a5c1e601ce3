"""doi.org: handles that exist (1), that do not (100, with a 404), that have no URL (200), and negotiation that leads to another host."""

from __future__ import annotations

from urllib.parse import unquote

from aiohttp import web

CSL = "application/vnd.citationstyles.csl+json"


def handles(dois, *, agency=None, without_url=(), broken=()):
    """Serve handles. `agency` is a base URL that content negotiation redirects to; `broken` handles answer with code 2."""
    known = {doi.lower() for doi in dois}

    async def handle(request):
        doi = unquote(request.match_info["doi"]).lower()
        if doi in broken:
            return web.json_response({"responseCode": 2, "handle": doi, "message": "storage"}, status=500)
        if doi not in known:
            return web.json_response({"responseCode": 100, "handle": doi}, status=404)
        if doi in without_url:
            return web.json_response({"responseCode": 200, "handle": doi})
        value = {"format": "string", "value": f"https://publisher.example/{doi}"}
        return web.json_response(
            {"responseCode": 1, "handle": doi, "values": [{"index": 1, "type": "URL", "data": value, "ttl": 86400}]}
        )

    async def negotiate(request):
        doi = unquote(request.match_info["doi"]).lower()
        if doi not in known:
            return web.Response(status=404, text="DOI not found", content_type="text/html")
        if request.headers.get("Accept") != CSL:
            return web.Response(status=302, headers={"Location": f"https://publisher.example/{doi}"})
        if agency is None:
            return web.Response(status=406)
        return web.Response(status=302, headers={"Location": f"{agency}/v1/works/{doi.replace('/', '%2F')}/transform"})

    app = web.Application()
    app.router.add_get("/api/handles/{doi:.+}", handle)
    app.router.add_get("/{doi:.+}", negotiate)
    return app


def agency(records):
    """Serve CSL-JSON by DOI, as the agencies behind doi.org do; None is a DOI without metadata (204)."""

    async def transform(request):
        doi = unquote(request.match_info["doi"]).lower()
        if doi not in records:
            return web.Response(status=404, text="Resource not found.")
        if records[doi] is None:
            return web.Response(status=204)
        return web.json_response(records[doi], content_type=CSL)

    app = web.Application()
    app.router.add_get("/v1/works/{doi:.+}/transform", transform)
    return app
