"""DataCite: JSON:API documents, and misses that are JSON:API documents too."""

from __future__ import annotations

from urllib.parse import unquote

from aiohttp import web


def datacite(records):
    """Serve attributes by DOI."""

    async def one(request):
        doi = unquote(request.match_info["doi"]).lower()
        if doi not in records:
            error = {"status": "404", "title": "The resource you are looking for doesn't exist."}
            return web.json_response({"errors": [error]}, status=404, content_type="application/vnd.api+json")
        return web.json_response(_document(doi, records[doi]), content_type="application/vnd.api+json")

    async def search(request):
        wanted = request.query.get("query", "").partition(":")[2].strip('"').lower()
        rows = [
            _document(doi, record)["data"]
            for doi, record in records.items()
            if wanted and wanted in _plain(record["titles"][0]["title"])
        ]
        return web.json_response({"data": rows[:5], "meta": {"total": len(rows)}})

    app = web.Application()
    app.router.add_get("/dois", search)
    app.router.add_get("/dois/{doi:.+}", one)
    return app


def _plain(title):
    return " ".join("".join(char if char.isalnum() else " " for char in title.lower()).split())


def _document(doi, attributes):
    return {"data": {"id": doi, "type": "dois", "attributes": {"doi": doi, "state": "findable", **attributes}}}
