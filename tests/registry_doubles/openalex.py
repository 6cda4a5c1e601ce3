"""OpenAlex: a key for everything, entities that were merged, 404 for what it does not know."""

from __future__ import annotations

from urllib.parse import unquote

from aiohttp import web


def openalex(works, *, key="key", merged=None):
    """Serve works by their id with namespace (``doi:10.…``). `merged` maps such an id to the one it redirects to."""
    merged = merged or {}

    async def one(request):
        if request.query.get("api_key") != key:
            return web.json_response({"error": "Unauthorized", "message": "API key required"}, status=401)
        wanted = unquote(request.match_info["id"])
        if wanted in merged:
            return web.Response(status=301, headers={"Location": f"/works/{merged[wanted]}?api_key={key}"})
        if wanted not in works:
            return web.json_response({"error": "Not Found"}, status=404)
        return web.json_response(works[wanted])

    async def search(request):
        if request.query.get("api_key") != key:
            return web.json_response({"error": "Unauthorized"}, status=401)
        wanted = request.query["filter"].partition(":")[2].lower()
        results = [work for work in works.values() if wanted in work["title"].lower()]
        return web.json_response({"meta": {"count": len(results)}, "results": results})

    app = web.Application()
    app.router.add_get("/works", search)
    app.router.add_get("/works/{id:.+}", one)
    return app
