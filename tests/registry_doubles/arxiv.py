"""arXiv: Atom feeds with hard-wrapped titles, none for what is unknown, errors as entries, and ``Rate exceeded.``."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape

from aiohttp import web

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom"'
    ' xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom">'
)
_ID = re.compile(r"(?:\d{4}\.\d{4,5}|[a-z-]+/\d{7})(?:v\d+)?")


def arxiv(papers, *, busy=0, exceeded_at=429):
    """Serve papers by id without version. The first `busy` requests are too many, said with status `exceeded_at`."""
    left = [busy]

    async def query(request):
        left[0] -= 1
        if left[0] >= 0:
            return web.Response(status=exceeded_at, text="Rate exceeded.", headers={"Retry-After": "0"})
        wanted = request.query.get("id_list")
        if wanted and not _ID.fullmatch(wanted):
            return _feed([_error(f"incorrect id format for {wanted}")])
        if wanted:
            return _feed([_entry(wanted, papers[wanted])] if wanted in papers else [])
        title = request.query.get("search_query", "").partition(":")[2].strip('"').lower()
        rows = [_entry(number, paper) for number, paper in papers.items() if title and title in _plain(paper["title"])]
        return _feed(rows[: int(request.query.get("max_results", "10"))])

    app = web.Application()
    app.router.add_get("/api/query", query)
    return app


def _feed(entries):
    total = f"<opensearch:totalResults>{len(entries)}</opensearch:totalResults>"
    return web.Response(
        text=f"{_HEAD}<title>arXiv Query: search_query=&amp;id_list=</title>{total}{''.join(entries)}</feed>",
        content_type="application/atom+xml",
    )


def _entry(number, paper):
    wrapped = "\n  ".join(re.findall(r".{1,40}(?:\s+|$)", escape(paper["title"]))) or escape(paper["title"])
    people = "".join(f"<author><name>{escape(name)}</name></author>" for name in paper["authors"])
    more = "".join(
        f"<arxiv:{key}>{escape(paper[key])}</arxiv:{key}>" for key in ("comment", "journal_ref", "doi") if key in paper
    )
    return (
        f"<entry><id>http://arxiv.org/abs/{number}v{paper.get('version', 1)}</id><title>{wrapped}</title>"
        f"<published>{paper['published']}T17:57:34Z</published><updated>{paper.get('updated', paper['published'])}T00:41:18Z</updated>"
        f"<summary>{escape(paper.get('summary', 'We study.'))}</summary>{people}{more}</entry>"
    )


def _error(summary):
    return (
        "<entry><id>http://arxiv.org/api/errors#incorrect_id_format</id><title>Error</title>"
        f"<summary>{escape(summary)}</summary><author><name>arXiv api core</name></author></entry>"
    )


def _plain(title):
    return " ".join("".join(char if char.isalnum() else " " for char in title.lower()).split())
