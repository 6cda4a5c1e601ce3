"""Replies in the shape of client-python of Mistral: models/assistantmessage.py, referencechunk.py, conversationresponse.py."""

import json

QUESTION = "How many beds has the ward?"
WARD = "The ward has 42 beds on two floors."
YEAR = "The ward was opened in 1998."


def text(words):
    return {"type": "text", "text": words}


def reference(*ids, **more):
    return {"type": "reference", "reference_ids": list(ids), **more}


CHUNKS = [text("The ward has 42 beds"), reference(0), text(". It was opened in 1998"), reference(1), text(".")]
FOUND = {
    "0": {"url": "https://ward.test/beds", "title": "Beds", "snippets": [[WARD]], "source": "wiki"},
    "1": {"url": "https://ward.test/year", "title": "Year", "snippets": [YEAR]},
}


def reply(*chunks):
    message = {"role": "assistant", "content": list(chunks or CHUNKS), "tool_calls": None}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return {"id": "m1", "object": "chat.completion", "model": "mistral-test", "choices": [choice]}


def request(found=FOUND):
    tool = {"role": "tool", "name": "search", "content": json.dumps(found), "tool_call_id": "t1"}
    return {"messages": [{"role": "user", "content": QUESTION}, {"role": "assistant", "content": ""}, tool]}


def conversation(*chunks):
    said = {"object": "entry", "type": "message.output", "role": "assistant", "content": list(chunks)}
    run = {"object": "entry", "type": "tool.execution", "name": "web_search"}
    return {"object": "conversation.response", "conversation_id": "c1", "outputs": [run, said]}


PAGE = {
    "type": "tool_reference",
    "tool": "web_search",
    "title": "Beds",
    "url": "https://ward.test/beds",
    "source": "wiki",
}
ROWS = [
    reply(),
    reply(text("The ward has "), reference(0, 1, text="42 beds"), text(".")),
    {"request": request(), "response": reply()},
    conversation(text("The ward has 42 beds"), PAGE, text(".")),
]
DOCUMENTS: list[object] = []
