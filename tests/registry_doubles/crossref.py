"""Crossref: works by DOI, 404 in plain text, search by the words of a title, and the limits it states."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from urllib.parse import unquote

from aiohttp import web

_WORD = re.compile(r"[^\W_]+")
_LIMITS = {"x-rate-limit-limit": "5", "x-rate-limit-interval": "1s", "x-concurrency-limit": "1"}


def crossref(works, *, busy=0, seen=None, limits=_LIMITS):
    """Serve works (a list of Crossref's own JSON). The first `busy` requests get 429. `seen` collects requests, `limits` are its headers."""
    by_doi = {work["DOI"].lower(): work for work in works if "DOI" in work}
    index, left = _index(works), [busy]

    def _throttled(request):
        if seen is not None:
            seen.append(request)
        left[0] -= 1
        return left[0] >= 0

    async def one(request):
        if _throttled(request):
            return web.Response(status=429, text="Too many requests.", headers={**limits, "Retry-After": "0"})
        work = by_doi.get(unquote(request.match_info["doi"]).lower())
        if work is None:
            return web.Response(status=404, text="Resource not found.", headers=limits)
        body = {"status": "ok", "message-type": "work", "message-version": "1.0.0", "message": work}
        return web.json_response(body, headers=limits)

    async def search(request):
        if _throttled(request):
            return web.Response(status=429, text="Too many requests.", headers={**limits, "Retry-After": "0"})
        if not request.query.get("rows", "5").isdecimal():
            failure = [{"type": "integer-not-valid", "value": request.query["rows"], "message": "Integer invalid."}]
            body = {"status": "failed", "message-type": "validation-failure", "message": failure}
            return web.json_response(body, status=400)
        items = index(request.query.get("query.bibliographic", ""), int(request.query.get("rows", "5")))
        message = {"total-results": len(items), "items": items}
        return web.json_response({"status": "ok", "message-type": "work-list", "message": message}, headers=limits)

    app = web.Application()
    app.router.add_get("/works", search)
    app.router.add_get("/works/{doi:.+}", one)
    return app


def _index(works):
    """Rank by the words in common, rare ones first: near enough to Crossref's relevance for a few hundred works."""
    holding = defaultdict(set)
    for number, work in enumerate(works):
        for word in set(_words(work)):
            holding[word].add(number)

    def search(query, rows):
        score = Counter()
        for word in set(_WORD.findall(query.lower())):
            for number in holding.get(word, ()):
                score[number] += 1 / len(holding[word])
        return [works[number] | {"score": points} for number, points in score.most_common(rows)]

    return search


def _words(work):
    people = [f"{row.get('given', '')} {row.get('family', '')}" for row in _list(work, "author")]
    held = [*_list(work, "title"), *_list(work, "subtitle"), *_list(work, "container-title"), *people]
    return _WORD.findall(" ".join(held).lower())


def _list(work, name):
    return work[name] if isinstance(work.get(name), list) else []
