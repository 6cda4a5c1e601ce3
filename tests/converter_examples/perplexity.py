"""Replies in the shape of Perplexity's chat completions: API reference (`search_results`, `citations`)."""

QUESTION = "How long is the notice period?"
PAGES = [
    {"title": "Leases", "url": "https://law.test/lease", "date": "2026-01-02", "snippet": "The notice period is 30 days."},
    {"title": "Rents", "url": "https://law.test/rent", "date": None, "snippet": "The rent is 900 euros a month."},
]  # fmt: skip
ADDRESSES = [page["url"] for page in PAGES]
ANSWER = "The notice period is 30 days.[1] The rent is 900 euros a month.[2]"


def reply(content=ANSWER, **beside):
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}
    return {"id": "p1", "model": "sonar-test", "created": 1, "object": "chat.completion", "choices": [choice], **beside}


ROWS = [
    reply(search_results=PAGES, citations=ADDRESSES),
    reply(search_results=PAGES),
    reply(citations=ADDRESSES),
    {"request": {"messages": [{"role": "user", "content": QUESTION}]}, "response": reply(search_results=PAGES)},
]
DOCUMENTS: list[object] = []
