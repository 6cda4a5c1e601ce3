"""Replies in the shape of google.genai.types of python-genai: GenerateContentResponse, GroundingMetadata, GroundingChunk, Segment.

That offsets of a segment count bytes of its part, and that `groundingChunks` lists what was retrieved: the reference of the
Vertex and Gemini interfaces (GroundingMetadata, GroundingSupportSegment).
"""

QUESTION = "How long is the café’s notice period?"
CLAUSE = "The café’s notice period is 30 days."
RENT = "The rent is 900 euros a month."
ANSWER = "The café’s notice period is 30 days. The rent is 900 euros a month."


def passage(text, title="Mietvertrag", uri="gs://bucket/lease.pdf", **more):
    return {"retrievedContext": {"uri": uri, "title": title, "text": text, **more}}


def support(answer, words, *indices, part=0, **more):
    at = len(answer[: answer.index(words)].encode())
    segment = {
        "startIndex": at,
        "endIndex": at + len(words.encode()),
        "text": words,
        **({"partIndex": part} if part else {}),
    }
    if not at:
        del segment["startIndex"]  # protocol buffers leave out what is 0
    return {"segment": {**segment, **more}, "groundingChunkIndices": list(indices), "confidenceScores": [0.9]}


def candidate(text, chunks=(), supports=(), **more):
    content = {"role": "model", "parts": [{"text": text}]}
    metadata = {"groundingChunks": list(chunks), "groundingSupports": list(supports), "retrievalQueries": ["Frist"]}
    return {"content": content, "finishReason": "STOP", "index": 0, "groundingMetadata": metadata, **more}


def reply(*candidates, **more):
    return {
        "candidates": list(candidates),
        "modelVersion": "gemini-test",
        "usageMetadata": {"totalTokenCount": 9},
        **more,
    }


GROUNDED = reply(
    candidate(
        ANSWER,
        [passage(CLAUSE), passage(RENT, title="Anhang")],
        [support(ANSWER, CLAUSE, 0), support(ANSWER, RENT, 1)],
    )
)
SNAKE = {
    "candidates": [
        {
            "content": {"role": "model", "parts": [{"text": CLAUSE}]},
            "finish_reason": "STOP",
            "grounding_metadata": {
                "grounding_chunks": [
                    {
                        "retrieved_context": {
                            "uri": "gs://bucket/lease.pdf",
                            "title": "Mietvertrag",
                            "rag_chunk": {"text": CLAUSE, "page_span": {"first_page": 3, "last_page": 4}},
                        }
                    }
                ],
                "grounding_supports": [
                    {
                        "segment": {"end_index": len(CLAUSE.encode()), "text": CLAUSE},
                        "grounding_chunk_indices": [0],
                    }
                ],
            },
        }
    ],
    "model_version": "gemini-test",
}
WEB = reply(
    candidate(
        CLAUSE,
        [{"web": {"uri": "https://example.com/redirect/1", "title": "example.com", "domain": "example.com"}}],
        [support(CLAUSE, CLAUSE, 0)],
    )
)
ASKED = {"contents": [{"role": "user", "parts": [{"text": QUESTION}]}]}

ROWS: list[dict] = [
    GROUNDED,
    SNAKE,
    WEB,
    {"request": ASKED, "response": GROUNDED},
    {"key": "q-1", "request": ASKED, "response": SNAKE},
    {"input": QUESTION, "output": WEB},
    {"promptFeedback": {"blockReason": "SAFETY"}},
]
DOCUMENTS: list[object] = []
