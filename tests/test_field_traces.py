"""Traces as instrumentations send them: searches that are no `retrieval`, citations on message parts, rerankers that cannot be read."""

from __future__ import annotations

import json

import pytest
from built_traces import documents, span

import showable
from showable.traces.join import join

NOTICE = "The tenant may leave with a notice of 30 days in writing."
RENT = "The rent is due on the first day of each month."
LOG = [{"id": "d-4", "content": NOTICE, "title": "Lease"}, {"id": "d-7", "content": RENT, "title": "Rent"}]
ANSWER = "The tenant may leave with a notice of 30 days."


def asked(message, *steps):
    """Build a trace of an agent that takes steps and then gives one message."""
    said = {
        "gen_ai__operation__name": "chat",
        "gen_ai__input__messages": json.dumps([{"role": "user", "content": "What notice is due?"}]),
        "gen_ai__output__messages": json.dumps([message if isinstance(message, dict) else {"role": "assistant", "content": message}]),
    }  # fmt: skip
    agent = span("root", None, None, (0, 1), gen_ai__operation__name="invoke_agent")
    return [agent, *steps, span("chat", None, "root", (0.5, 0.9), **said)]


def step(operation, at=(0.1, 0.2), **attributes):
    return span(operation, None, "root", at, gen_ai__operation__name=operation, **attributes)


RETRIEVAL = step("retrieval", gen_ai__retrieval__documents=json.dumps(LOG))
RECORDS = {"gen_ai__memory__records": json.dumps(LOG)}
LOOSE = json.dumps(
    [{"content": NOTICE, "source": "in/lease.pdf", "page": 3}, {"content": RENT, "source": "in/rent.pdf"}]
)
ONE_FILE = json.dumps([{"content": NOTICE, "source": "in/lease.pdf"}, {"content": RENT, "source": "in/lease.pdf"}])
LANGCHAIN = json.dumps(
    [{"page_content": NOTICE, "metadata": {"source": "s3://kb/lease.pdf"}}, {"page_content": RENT, "metadata": {}}]
)

# what a store or a server returned, as its own API shapes it
STORES = [
    ({"matches": [{"id": "d-4", "score": 0.9, "metadata": {"text": NOTICE}}]}, "Pinecone"),
    (
        {
            "took": 3,
            "hits": {"total": {"value": 1}, "hits": [{"_id": "d-4", "_score": 1.2, "_source": {"content": NOTICE}}]},
        },
        "Elasticsearch",
    ),
    ({"ids": [["d-4"]], "documents": [[NOTICE]], "distances": [[0.1]], "metadatas": [[{}]]}, "Chroma"),
    ({"result": [{"id": "d-4", "score": 0.8, "payload": {"text": NOTICE}}], "status": "ok"}, "Qdrant"),
    ({"data": {"Get": {"Lease": [{"_additional": {"id": "d-4"}, "text": NOTICE}]}}}, "Weaviate"),
    ({"value": [{"@search.score": 1.0, "id": "d-4", "content": NOTICE}]}, "Azure AI Search"),
    (
        {
            "object": "vector_store.search_results.page",
            "data": [{"file_id": "d-4", "content": [{"type": "text", "text": NOTICE}]}],
        },
        "OpenAI",
    ),
    (
        {
            "retrievalResults": [
                {"content": {"text": NOTICE}, "location": {"type": "S3", "s3Location": {"uri": "s3://kb/d-4.pdf"}}}
            ]
        },
        "Bedrock",
    ),
    (
        {"content": [{"type": "text", "text": json.dumps([{"id": "d-4", "content": NOTICE}])}], "isError": False},
        "a tool of the MCP",
    ),
    ({"source_nodes": [{"node": {"node_id": "d-4", "text": NOTICE}, "score": 0.5}]}, "LlamaIndex"),
]


@pytest.mark.parametrize("attribute", ["gen_ai__tool__call__result", "gen_ai__retrieval__documents"])
@pytest.mark.parametrize(("returned", "source"), STORES, ids=[row[1] for row in STORES])
def test_what_a_store_returns_is_the_log(attribute, returned, source):
    operation = "execute_tool" if "tool" in attribute else "retrieval"
    [traced] = join(asked(f"{ANSWER[:-1]} [1].", step(operation, **{attribute: json.dumps(returned)})))
    [found] = traced.record.retrieved or ()
    assert (found.source_id.removeprefix("s3://kb/").removesuffix(".pdf"), found.text) == ("d-4", NOTICE), source


# the steps before an answer, the ids of its log (None: not known), where that comes from
RETRIEVALS = [
    ([step("search_memory", gen_ai__memory__query__text="notice", **RECORDS)], ["d-4", "d-7"], "a search of a memory store"),
    ([step("search_memory", **RECORDS)], ["d-4", "d-7"], "its query was not recorded"),
    ([step("search_memory", **{f"gen_ai__memory__records__{n}__{k}": v for n, row in enumerate(LOG) for k, v in row.items()})],
     ["d-4", "d-7"], "flattened"),
    ([step("execute_tool", gen_ai__tool__call__result=json.dumps({"results": LOG}))], ["d-4", "d-7"], "a tool that searches"),
    ([step("retrieval", gen_ai__retrieval__documents=LOOSE)], ["in/lease.pdf", "in/rent.pdf"], "known by their files"),
    # what must not change
    ([RETRIEVAL], ["d-4", "d-7"], "a retrieval"),
    ([step("update_memory", **RECORDS)], None, "records that are stored were not retrieved"),
    ([step("create_memory", **RECORDS), RETRIEVAL], ["d-4", "d-7"], "the same beside a retrieval"),
    ([step("execute_tool", gen_ai__tool__call__result="Sent.")], None, "a tool that brings nothing"),
    ([step("execute_tool", gen_ai__tool__call__result=json.dumps({"sum": 30}))], None, "a tool that reckons"),
    ([step("execute_tool", gen_ai__tool__call__result=json.dumps({"results": [{"city": "Oslo", "degrees": 3}]}))], None, "a list of no words"),
    ([step("execute_tool", gen_ai__tool__call__result=json.dumps({"messages": [{"id": "m", "text": "Sent."}]}))], None, "what was said, not found"),
]  # fmt: skip


@pytest.mark.parametrize(("steps", "ids", "source"), RETRIEVALS)
def test_what_brings_documents_is_a_retrieval(steps, ids, source):
    [traced] = join(asked(f"{ANSWER[:-1]} [1].", *steps))
    log = traced.record.retrieved
    assert (None if log is None else [one.source_id for one in log]) == ids, source


# documents without ids, what answers cite, whether that is in the log
FILES = [
    (LOOSE, "[in/lease.pdf]", "pass", "the file that the passage was cut from"),
    (LOOSE, "[lease.pdf]", "pass", "without its folder"),
    (LOOSE, "[other.pdf]", "fail", "a file that was not retrieved"),
    (LANGCHAIN, "[lease.pdf]", "pass", "LangChain's metadata"),
    (LANGCHAIN, "[other.pdf]", "unknown", "another passage came without id or file"),
    (ONE_FILE, "[lease.pdf]", "unknown", "two passages of one file: neither has its name"),
]  # fmt: skip


@pytest.mark.parametrize(("listed", "mark", "exists", "source"), FILES)
def test_a_passage_without_an_id_goes_by_its_file(listed, mark, exists, source):
    [traced] = join(asked(f"{ANSWER[:-1]} {mark}.", step("retrieval", gen_ai__retrieval__documents=listed)))
    [citation] = showable.score(traced.record, judge="lexical").claims[0].citations
    assert citation.exists == exists, source


def part(**beside):
    return {"role": "assistant", "parts": [{"type": "text", "content": ANSWER, **beside}]}


QUOTED = {"type": "char_location", "cited_text": NOTICE, "document_index": 0}
URL = {"type": "url_citation", "url": "https://x.test/lease", "start_index": 0, "end_index": 40}
# a message, what its one claim cites ("?": cannot be told)
PROVIDED = [
    (part(citations=[{**QUOTED, "document_title": "d-4"}]), ["d-4"], "Anthropic: the title is the id"),
    (part(citations=[{**QUOTED, "document_title": "Lease"}]), ["d-4"], "Anthropic: the title is the title"),
    (part(citations=[{**QUOTED, "document_title": None}]), ["d-4"], "Anthropic: the quoted words are in one passage"),
    (part(citations=[{**QUOTED, "document_title": "Upload 1"}]), ["d-4"], "a title of the caller's own, and quoted words"),
    (part(citations=[{"type": "search_result_location", "source": "d-4", "cited_text": NOTICE, "search_result_index": 0}]), ["d-4"],
     "Anthropic's search results"),
    (part(citations=[{"title": "d-4", "sourceContent": [{"text": NOTICE}], "location": {"documentChar": {"documentIndex": 0}}}]),
     ["d-4"], "Bedrock"),
    (part(annotations=[{"type": "file_citation", "file_id": "d-4", "filename": "d-4", "index": 40}]), ["d-4"], "OpenAI's files"),
    (part(annotations=[{"type": "file_citation", "file_id": "file-9", "filename": "d-4.pdf", "index": 40}]), ["d-4"],
     "OpenAI: the file's name, not its upload's id"),
    ({"role": "assistant", "content": ANSWER, "citations": [{"start": 11, "end": 30, "text": "leave", "document_ids": ["d-4", "d-7"]}]},
     ["d-4", "d-7"], "Cohere v1"),
    ({"role": "assistant", "content": ANSWER,
      "citations": [{"start": 11, "end": 30, "sources": [{"type": "document", "id": "d-4", "document": {}}]}]}, ["d-4"], "Cohere v2"),
    ({"role": "assistant", "content": ANSWER, "annotations": [{"type": "url_citation", "url_citation": URL}]},
     ["https://x.test/lease"], "chat completions: an address that the log does not have"),
    ({"role": "assistant", "content": [{"citationsContent": {"content": [{"text": ANSWER}], "citations": [
        {"title": "d-4", "sourceContent": [{"text": NOTICE}], "location": {"documentChar": {"documentIndex": 0}}}]}}]}, ["d-4"],
     "Bedrock's part of a message"),
    ({"role": "assistant", "content": [{"type": "text", "text": ANSWER[:-1]}, {"type": "reference", "reference_ids": ["d-4"]},
      {"type": "text", "text": "."}]}, ["d-4"], "Mistral's part behind the words"),
    ({"role": "model", "parts": [{"type": "text", "content": ANSWER}], "grounding_metadata": {
        "groundingChunks": [{"retrievedContext": {"title": "d-4"}}],
        "groundingSupports": [{"segment": {"startIndex": 0, "endIndex": len(ANSWER)}, "groundingChunkIndices": [0]}]}}, ["d-4"],
     "Gemini's grounding"),
    # what cannot be told is open, and no list is no citation
    (part(citations=[{"type": "char_location", "document_title": "Upload 1", "document_index": 1}]), ["?"], "a title of the caller's own"),
    (part(annotations=[{"type": "file_citation", "file_id": "file-9", "filename": "x.pdf", "index": 40}]), ["?"], "no such file in the log"),
    (part(citations=[]), [], "an empty list"),
    (part(annotations=None), [], "none"),
    (part(citations=[3, "x", None]), [], "no citations at all"),
]  # fmt: skip


@pytest.mark.parametrize(("message", "ids", "source"), PROVIDED)
def test_citations_on_a_part_are_citations_of_its_words(message, ids, source):
    [traced] = join(asked(message, RETRIEVAL))
    [claim] = showable.score(traced.record, judge="lexical").claims
    record = traced.record.answer
    given = [] if isinstance(record, str) else [c for one in record.claims for c in one.citations]
    unclear = [c.reference is not None and c.reference.kind == "unclear" for c in given]
    cited = ["?" if open_ else c.source_id or c.url for open_, c in zip(unclear, given, strict=True)]
    assert cited == ids, source
    assert claim.text.startswith("The tenant may leave")


def test_cited_parts_are_pieces_of_one_text():
    quoted = {**QUOTED, "document_title": "d-4"}
    parts = [
        {"type": "text", "content": "In short, "},
        {"type": "text", "content": "the notice is 30 days", "citations": [quoted]},
        {"type": "text", "content": "."},
    ]
    [traced] = join(asked({"role": "assistant", "parts": parts}, RETRIEVAL))
    assert traced.record.answer.text == "In short, the notice is 30 days."
    assert traced.record.answer.claims[0].span == (10, 31)


RETRIEVER = span("search", "RETRIEVER", "root", (0.1, 0.2), **documents({"d-7": RENT, "d-4": NOTICE}))
RANKED = [{"document.id": "d-4", "document.content": NOTICE}, {"document.id": "d-7", "document.content": RENT}]
RAW = json.dumps(RANKED).replace("30 days", "30\ndays")


def reranker(given):
    return span("rerank", "RERANKER", "root", (0.3, 0.4), reranker__output_documents=given)


# what a reranker says that it gave, the order shown, what [1] comes to, its bucket
RERANKED = [
    (reranker("no JSON"), (), "unknown", "unknown", "words"),
    (reranker("{'id': 'd-4'}"), (), "unknown", "unknown", "a Python dictionary"),
    (reranker(7), (), "unknown", "unknown", "a number"),
    (span("rerank", "RERANKER", "root", (0.3, 0.4)), (), "unknown", "unknown", "nothing"),
    # what can be read decides
    (reranker(json.dumps(RANKED)), ("d-4", "d-7"), "pass", "correct", "JSON"),
    (reranker(RAW), ("d-4", "d-7"), "pass", "correct", "JSON with a line end as it is"),
    (reranker(json.dumps(RANKED[:1])), ("d-4",), "pass", "correct", "one let through"),
]


@pytest.mark.parametrize(("ranking", "shown", "exists", "bucket", "source"), RERANKED)
def test_an_unreadable_reranker_leaves_the_order_unknown(ranking, shown, exists, bucket, source):
    [traced] = join(asked("The tenant may leave with a notice of 30 days in writing [1].", RETRIEVER, ranking))
    card = showable.score(traced.record, judge="lexical")
    got = (
        traced.record.shown[: len(shown)] if shown else traced.record.shown,
        card.claims[0].citations[0].exists,
        card.bucket,
    )
    assert got == (shown, exists, bucket), source


def test_an_answer_that_cites_by_id_needs_no_order():
    [traced] = join(
        asked("The tenant may leave with a notice of 30 days in writing [d-4].", RETRIEVER, reranker("no JSON"))
    )
    assert showable.score(traced.record, judge="lexical").bucket == "correct"
