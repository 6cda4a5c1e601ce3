"""EDGAR: nobody without a mail address is answered, filings come in columns, older ones in files of their own."""

from aiohttp import web

RECENT = {
    "accessionNumber": ["0000320193-24-000123", "0001140361-24-040659"],
    "form": ["10-K", "4"],
    "filingDate": ["2024-11-01", "2024-10-04"],
    "reportDate": ["2024-09-28"],  # a column that is shorter than the others
    "primaryDocument": ["aapl-20240928.htm", "form4.xml"],
}
OLDER = {
    "accessionNumber": ["0000320193-05-000010"],
    "form": ["10-Q"],
    "filingDate": ["2005-02-01"],
    "reportDate": ["2004-12-25"],
}
COMPANY = {
    "cik": "320193",
    "name": "Apple Inc.",
    "tickers": ["AAPL"],
    "filings": {
        "recent": RECENT,
        "files": [{"name": "CIK0000320193-submissions-001.json"}, {"name": "../../etc/passwd"}],
    },
}
UNLISTED = "0000320193-99-000001"
"""A filing whose index is in the archive though no list has it."""


def edgar(asked, *, throttled=False):
    async def answer(request):
        asked.append((request.method, request.path, request.headers.get("User-Agent", "")))
        if throttled:
            return web.Response(status=403, text="<h1>Request Rate Threshold Exceeded</h1>")
        if "@" not in request.headers.get("User-Agent", ""):
            return web.Response(status=403, text="<h1>Undeclared Automated Tool</h1>")
        path = request.path
        if path == "/submissions/CIK0000320193.json":
            return web.json_response(COMPANY)
        if path == "/submissions/CIK0000320193-submissions-001.json":
            return web.json_response(OLDER)
        if path == f"/Archives/edgar/data/320193/{UNLISTED.replace('-', '')}/{UNLISTED}-index.htm":
            return web.Response(text="<title>EDGAR Filing Documents</title>")
        return web.Response(status=404, text="<?xml version='1.0'?><Error><Code>NoSuchKey</Code></Error>")

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    return app
