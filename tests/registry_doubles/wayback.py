"""The Wayback Machine: a service that forgets, an index that knows, and the copies themselves."""

from aiohttp import web


def wayback(available, indexed, copies, asked=None, *, down=False):
    """`available` and `indexed` give (timestamp, status) by address, `copies` the body by (timestamp, address)."""
    asked = [] if asked is None else asked

    async def answer(request):
        asked.append(str(request.rel_url))
        url = request.query.get("url", "")
        if request.path == "/wayback/available":
            if down:
                return web.Response(status=404, text="<html>not here</html>")
            return web.json_response({"url": url, "archived_snapshots": _closest(url, available)})
        if request.path == "/cdx/search/cdx":
            rows = [(at, status) for at, status in indexed.get(url, []) if status == "200"]
            assert request.query["filter"] == "statuscode:200"
            head = ["urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length"]
            table = [["com,example)/", at, url, "text/html", status, "X", "1"] for at, status in rows[:1]]
            return web.json_response([head, *table] if table else [])
        at, _, address = str(request.rel_url).removeprefix("/web/").partition("id_/")
        body = copies.get((at, address))
        return web.Response(status=404) if body is None else web.Response(body=body, content_type="text/html")

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    return app


def _closest(url, available):
    if url not in available:
        return {}
    at, status = available[url]
    copy = f"http://web.archive.org/web/{at}/{url}"
    return {"closest": {"status": status, "available": True, "url": copy, "timestamp": at}}
