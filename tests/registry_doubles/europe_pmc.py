"""Europe PMC: one search for everything, and errors that come with status 200."""

from __future__ import annotations

from aiohttp import web


def europe_pmc(results):
    """Serve results by query; a query that is not known has none, one that begins with ``(`` is an error."""

    async def search(request):
        query = request.query["query"]
        if query.startswith("(") or request.query.get("format") != "json":
            return web.json_response({"errCode": 404, "errMsg": "A valid query is required"})
        rows = results.get(query, [])
        body = {"version": "6.9", "hitCount": len(rows), "request": {}, "resultList": {"result": rows}}
        return web.json_response(body)

    app = web.Application()
    app.router.add_get("/search", search)
    return app


def failing(code, message):
    """Serve an error with status 200 to whatever is asked."""

    async def search(_):
        return web.json_response({"errCode": code, "errMsg": message})

    app = web.Application()
    app.router.add_get("/search", search)
    return app
