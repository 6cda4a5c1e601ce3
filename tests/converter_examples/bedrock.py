"""Replies in the shape of Amazon Bedrock's API references: RetrieveAndGenerate (agent runtime) and Converse (runtime)."""

QUESTION = "How long is the notice period?"
LEASE = "The notice period is 30 days. Notice must be given in writing."
RENT = "The rent is 900 euros a month."
ANSWER = "The notice period is 30 days. The rent is 900 euros a month."
PARTS = ["The notice period is 30 days.", "The rent is 900 euros a month."]


def retrieved(text, uri):
    return {
        "content": {"text": text, "type": "TEXT"},
        "location": {"type": "S3", "s3Location": {"uri": uri}},
        "metadata": {"x-amz-bedrock-kb-chunk-id": f"1%3A0%3A{len(text)}"},
    }


def part(words, *references):
    start = ANSWER.find(words)
    span = {"start": start, "end": start + len(words) - 1}
    return {
        "generatedResponsePart": {"textResponsePart": {"span": span, "text": words}},
        "retrievedReferences": list(references),
    }


def generated(*parts, text=ANSWER):
    return {"sessionId": "s1", "output": {"text": text}, "citations": list(parts)}


BOTH = (part(PARTS[0], retrieved(LEASE, "s3://kb/lease.pdf")), part(PARTS[1], retrieved(RENT, "s3://kb/rent.pdf")))


def cited(words, *citations):
    return {"citationsContent": {"content": [{"text": words}], "citations": list(citations)}}


def citation(title, index, quoted, **location):
    where = location or {"documentChar": {"documentIndex": index, "start": 0, "end": len(quoted)}}
    return {"title": title, "sourceContent": [{"text": quoted}], "location": where}


def conversed(*blocks):
    message = {"role": "assistant", "content": list(blocks)}
    return {"output": {"message": message}, "stopReason": "end_turn", "usage": {"inputTokens": 4, "outputTokens": 9}}


def document(name, text):
    return {"document": {"name": name, "format": "txt", "source": {"text": text}, "citations": {"enabled": True}}}


REQUEST = {
    "modelId": "m", "messages": [{"role": "user", "content": [document("lease", LEASE), document("rent", RENT), {"text": QUESTION}]}],
}  # fmt: skip
SAID = conversed(cited(PARTS[0], citation("lease", 0, LEASE)))
ROWS = [
    generated(*BOTH),
    {"input": {"text": QUESTION}, "response": generated(*BOTH)},
    SAID,
    {"request": REQUEST, "response": SAID},
]
DOCUMENTS: list[object] = []
