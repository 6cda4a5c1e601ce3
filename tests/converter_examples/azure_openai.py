"""Replies in the shape of Azure OpenAI On Your Data: API reference 2024-05-01 (`context`), and the extensions API of 2023 (`messages`)."""

import json

QUESTION = "How long is the notice period?"
LEASE = "The notice period is 30 days. Notice must be given in writing."
RENT = "The rent is 900 euros a month."
ANSWER = "The notice period is 30 days [doc1]."


def document(text, path, **more):
    return {"content": text, "title": path.rpartition(".")[0], "filepath": path, "url": None, "chunk_id": "0", **more}


CITATIONS = [document(LEASE, "lease.md"), document(RENT, "rent.md")]


def reply(content=ANSWER, **context):
    message = {"role": "assistant", "content": content, "end_turn": True, "context": context}
    return {"id": "a1", "object": "chat.completion", "model": "gpt-test", "choices": [{"index": 0, "finish_reason": "stop", "message": message}]}  # fmt: skip


def older(content=ANSWER, citations=CITATIONS):
    tool = {
        "index": 0,
        "role": "tool",
        "content": json.dumps({"citations": citations, "intent": "[]"}),
        "end_turn": False,
    }
    said = {"index": 1, "role": "assistant", "content": content, "end_turn": True}
    return {"id": "a2", "object": "extensions.chat.completion", "choices": [{"index": 0, "messages": [tool, said]}]}


def within(content=ANSWER, citations=CITATIONS):
    tool = {"role": "tool", "content": json.dumps({"citations": citations})}
    return reply(content, messages=[tool])


ROWS = [
    reply(citations=CITATIONS, intent='["notice period"]'),
    reply(citations=CITATIONS[:1], all_retrieved_documents=[CITATIONS[1], CITATIONS[0]]),
    older(),
    within(),
    {"request": {"messages": [{"role": "user", "content": QUESTION}]}, "response": reply(citations=CITATIONS)},
]
DOCUMENTS: list[object] = []
