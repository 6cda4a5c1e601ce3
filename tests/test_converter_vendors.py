"""Replies of Azure OpenAI, Perplexity, Mistral and Bedrock: their answers, what they retrieved, and the buckets that come of both.

Expected values: the providers' API references for what fields mean, the buckets of the design for what scores mean.
"""

from __future__ import annotations

import json
import re
from io import BytesIO

import pytest
from converter_examples import azure_openai as azure
from converter_examples import bedrock, mistral, perplexity

import showable
from showable.converters.catalogue import all_shapes
from showable.converters.convert_file import convert_file
from showable.converters.detect import detect
from showable.errors import InputError


def converted(reply, tmp_path):
    """Convert a reply whose shape is not named; an error where it is of none."""
    path = tmp_path / "reply.json"
    path.write_text(json.dumps(reply, indent=1))
    out = BytesIO()
    convert_file(detect(path, "reply.json"), "reply.json", out)
    return showable.Record.model_validate_json(out.getvalue())


def cited(record):
    card = showable.score(record, judge="lexical")
    return card, [citation.source_id for claim in card.claims for citation in claim.citations]


CHUNKS = [
    azure.document(azure.LEASE, "lease.md", chunk_id="0"),
    azure.document("Pets are allowed.", "lease.md", chunk_id="1"),
]
NONE_SAID = "The requested information is not available in the retrieved data. Please try another query or topic."
UNSURE = bedrock.part(bedrock.PARTS[0])
# reply, ids of the log (None: not in the payload), ids cited, bucket, cause, what it shows
REPLIES = [
    (azure.reply(citations=azure.CITATIONS), ["lease.md", "rent.md"], ["lease.md"], "correct", None, "[doc1] counts citations"),
    (azure.older(), ["lease.md", "rent.md"], ["lease.md"], "correct", None, "a tool's message before the answer"),
    (azure.within(), ["lease.md", "rent.md"], ["lease.md"], "correct", None, "a tool's message in the context"),
    (azure.reply(citations=azure.CITATIONS[:1], all_retrieved_documents=azure.CITATIONS[::-1]),
     ["rent.md", "lease.md"], ["lease.md"], "correct", None, "the log is longer than what is cited, and in another order"),
    (azure.reply("The notice period is 30 days [doc2].", citations=azure.CITATIONS),
     ["lease.md", "rent.md"], ["rent.md"], "unsupported", "miscited", "another document"),
    (azure.reply("The notice period is 30 days [doc9].", citations=azure.CITATIONS),
     ["lease.md", "rent.md"], ["doc9"], "unsupported", "invented_source", "past the end"),
    (azure.reply(citations=CHUNKS), ["lease.md", "lease.md"], ["lease.md"], "correct", None, "two chunks of one file"),
    (azure.older(NONE_SAID, []), [], [], "refused", "warranted", "nothing was retrieved"),
    (azure.reply("Notice is due [doc1].", citations=[]), [], ["doc1"], "unsupported", "answered_on_null_retrieval", "it answers all the same"),
    (perplexity.reply(search_results=perplexity.PAGES), perplexity.ADDRESSES, perplexity.ADDRESSES, "correct", None, "[n] counts pages"),
    (perplexity.reply(search_results=perplexity.PAGES[::-1], citations=perplexity.ADDRESSES),
     perplexity.ADDRESSES, perplexity.ADDRESSES, "correct", None, "[n] counts citations where both are there"),
    (perplexity.reply("The rent is 900 euros a month.[1]", search_results=perplexity.PAGES),
     perplexity.ADDRESSES, perplexity.ADDRESSES[:1], "unsupported", "miscited", "another page"),
    (perplexity.reply(citations=perplexity.ADDRESSES), perplexity.ADDRESSES, perplexity.ADDRESSES, "unknown", "undecided", "no words"),
    (perplexity.reply("The rent is 900 euros.[7]", citations=perplexity.ADDRESSES),
     perplexity.ADDRESSES, ["7"], "unsupported", "invented_source", "no words, but there is no seventh page"),
    (mistral.reply(), None, ["0", "1"], "unknown", "undecided", "references without what they lead to"),
    ({"request": mistral.request(), "response": mistral.reply()}, ["0", "1"], ["0", "1"], "correct", None, "references of a tool"),
    ({"request": mistral.request(), "response": mistral.reply(mistral.text("The ward was opened in "), mistral.reference(1, text="1998"),
                                                             mistral.text("."))}, ["0", "1"], ["1"], "correct", None, "a reference with words"),
    ({"request": mistral.request(), "response": mistral.reply(mistral.text("The ward has 42 beds"), mistral.reference(4))},
     ["0", "1"], ["4"], "unsupported", "invented_source", "no such reference"),
    (bedrock.generated(*bedrock.BOTH), ["s3://kb/lease.pdf", "s3://kb/rent.pdf"], ["s3://kb/lease.pdf", "s3://kb/rent.pdf"],
     "correct", None, "a passage for each part"),
    (bedrock.generated(bedrock.part(bedrock.PARTS[0], bedrock.retrieved(bedrock.RENT, "s3://kb/rent.pdf"))),
     ["s3://kb/rent.pdf"], ["s3://kb/rent.pdf"], "unsupported", "no_evidence", "a part on a passage that does not say so"),
    (bedrock.generated(bedrock.part(NONE_SAID), text=NONE_SAID), None, [], "refused", "unjudged", "a canned refusal"),
    (bedrock.generated(UNSURE, text=bedrock.PARTS[0]), None, [], "unknown", "undecided", "no reference, so no log"),
    (bedrock.SAID, None, ["lease"], "unknown", "undecided", "the request is not there"),
    ({"request": bedrock.REQUEST, "response": bedrock.SAID}, ["lease", "rent"], ["lease"], "correct", None, "documents of the request"),
    ({"request": bedrock.REQUEST, "response": bedrock.conversed(bedrock.cited(bedrock.PARTS[0], bedrock.citation("rent", 1, bedrock.RENT)))},
     ["lease", "rent"], ["rent"], "unsupported", "miscited", "another document"),
]  # fmt: skip


@pytest.mark.parametrize("row", REPLIES, ids=[row[5] for row in REPLIES])
def test_a_reply_comes_with_what_was_retrieved_for_it(row, tmp_path):
    reply, log, ids, bucket, cause, source = row
    record = converted(reply, tmp_path)
    assert (None if record.retrieved is None else [one.source_id for one in record.retrieved]) == log, source
    card, found = cited(record)
    assert (found, card.bucket, card.cause) == (ids, bucket, cause), source


TEXTS = [
    (mistral.reply(mistral.text("It has "), mistral.reference(0, text="42 beds"), mistral.text(".")), "It has 42 beds."),
    (mistral.reply({"type": "thinking", "thinking": [mistral.text("Hm.")]}, mistral.text("42.")), "42."),
    (mistral.conversation(mistral.text("42 beds"), mistral.PAGE, mistral.text(".")), "42 beds."),
    (bedrock.conversed({"text": "So: "}, bedrock.cited("30 days", bedrock.citation("a", 0, "x")), {"text": "."}), "So: 30 days."),
]  # fmt: skip


@pytest.mark.parametrize(("reply", "text"), TEXTS)
def test_no_words_of_an_answer_are_lost(reply, text, tmp_path):
    answer = converted(reply, tmp_path).answer
    assert (answer if isinstance(answer, str) else answer.text) == text


PLAIN = {
    "object": "chat.completion",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "It is so."}}],
}
# replies of no shape that is known: an error that names what is there, never an empty answer
UNKNOWN = [
    {**PLAIN, "choices": [{"index": 0, "delta": {"content": "It is so."}}]},
    {**PLAIN, "choices": [{"index": 0, "text": "It is so."}]},
    {"output": {"choices": [{"text": "It is so."}]}, "request_id": "1"},
    {"generations": [{"text": "It is so."}]},
    {"output": {"text": ["It is so."]}, "citations": []},
    {"output": {"message": "It is so."}, "stopReason": "end_turn"},
]


@pytest.mark.parametrize("reply", UNKNOWN, ids=[", ".join(row) for row in UNKNOWN])
def test_an_unknown_reply_is_refused_by_its_fields(reply, tmp_path):
    assert [shape.name for shape in all_shapes() if shape.fits(reply)] == []
    with pytest.raises(InputError, match=f"its fields: {next(iter(reply))}"):
        converted(reply, tmp_path)


def test_a_plain_completion_stays_what_it_was(tmp_path):
    assert [shape.name for shape in all_shapes() if shape.fits(PLAIN)] == ["openai-responses"]
    assert converted(PLAIN, tmp_path).answer == "It is so."


@pytest.mark.parametrize(
    ("reply", "named", "source"),
    [
        (azure.older(citations="x"), r"choices\[0\]\.messages\[0\]\.content", "citations that are no list"),
        ({"object": "chat.completion", "choices": [{"messages": []}]}, "messages", "no message of the assistant"),
        (perplexity.reply(citations=[7]), r"citations\[0\]", "an address that is a number"),
        (mistral.reply(mistral.reference([1])), r"reference_ids\[0\]", "a list for an id"),
        (bedrock.generated({"retrievedReferences": "x"}), "retrievedReferences", "references that are no list"),
    ],
)
def test_what_cannot_be_read_is_named(reply, named, source, tmp_path):
    path = tmp_path / "reply.json"
    path.write_text(json.dumps(reply, indent=1))
    told = convert_file(detect(path, "reply.json"), "reply.json", BytesIO())
    assert (told.records, told.rejected) == (0, 1), source
    assert re.search(named, str(told.problems[0])), str(told.problems[0])


@pytest.mark.parametrize(
    "beside",
    [{"question": "How long?"}, {"query": "How long?"}, {"messages": [{"role": "user", "content": "How long?"}]}],
)
def test_the_question_is_taken_from_beside_the_reply(beside, tmp_path):
    reply = azure.reply(citations=azure.CITATIONS)
    assert converted({**beside, "response": reply}, tmp_path).question == "How long?"


def test_answers_of_one_session_are_records_of_their_own(tmp_path):
    path, out = tmp_path / "replies.jsonl", BytesIO()
    path.write_text("".join(json.dumps(bedrock.generated(*bedrock.BOTH)) + "\n" for _ in range(2)))
    done = convert_file(detect(path, "replies.jsonl"), "replies.jsonl", out)
    records = [showable.Record.model_validate_json(line) for line in out.getvalue().splitlines()]
    assert (done.rejected, len({record.id for record in records})) == (0, 2)
    assert {record.metadata["session"] for record in records} == {"s1"}


def test_a_passage_keeps_the_page_it_stands_on(tmp_path):
    held = bedrock.retrieved(bedrock.LEASE, "s3://kb/lease.pdf")
    held["metadata"]["x-amz-bedrock-kb-document-page-number"] = 4.0
    assert converted(bedrock.generated(bedrock.part(bedrock.PARTS[0], held)), tmp_path).retrieved[0].page == 4


def test_a_recorded_stream_is_refused_in_one_line(tmp_path):
    path = tmp_path / "reply.txt"
    path.write_text('data: {"object": "chat.completion.chunk"}\n\ndata: [DONE]\n')
    with pytest.raises(InputError, match="a recorded stream of events: join its parts"):
        detect(path, "reply.txt")
