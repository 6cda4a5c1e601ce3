"""Anthropic messages with citations: what becomes of them, and that they are scored as they should be.

Expected values: the documentation of the interface for what fields mean, the buckets of the design for what scores mean.
"""

from __future__ import annotations

import json

import pytest
from converter_examples.anthropic import (
    ANNEX,
    ASKED,
    FRAGMENTS,
    LEASE,
    QUESTION,
    ROWS,
    SEARCH_RESULT,
    WEB,
    blocks,
    chars,
    document,
    message,
    page,
    pages,
    request,
    result,
    said,
)
from hypothesis import given
from hypothesis import strategies as st
from tables import every_row

import showable
from showable.converters.anthropic import CUT_OFF, NO_DOCUMENTS, NO_RESULT, NO_TEXT, OTHER_TITLE, STOPPED, Anthropic
from showable.converters.cited_spans import MOST_HUNG, NOT_PROSE, UNATTACHED, Cited, with_citations
from showable.converters.exchange import NO_QUESTION, NO_REQUEST
from showable.converters.shape import FieldError, Row
from showable.read.answer import read_answer
from showable.records.record import Answer, Citation, Record, Source

PERIOD = "The notice period is 30 days. "
UNTITLED = {"title": None}


def convert(fields):
    return Anthropic().convert(Row(fields, "row-1"))


def answered(*content, asked=ASKED, **more):
    return convert({"request": asked, "response": message(*content, **more)})


def scored(*content, **more):
    return showable.score(answered(*content, **more).record, judge="lexical")


def claims(converted):
    answer = converted.record.answer
    assert isinstance(answer, Answer)
    return [(claim.text, [citation.source_id for citation in claim.citations]) for claim in answer.claims]


BUCKETS = [
    # a name, the answer's blocks, bucket, cause, extra claims
    ("fragments of sentences", FRAGMENTS["content"], "correct", None, 0),
    ("cited words altered", [said(PERIOD, chars(0, "The notice period is 60 days. "))], "unsupported", "bad_quote", 0),
    (
        "cited words of the other document",
        [said(PERIOD, chars(1, PERIOD, "Annex"))],
        "unsupported",
        "bad_quote",
        0,
    ),
    ("an index past the documents", [said(PERIOD, chars(7, PERIOD, None))], "unsupported", "invented_source", 0),
    ("no citation at all", [said(PERIOD)], "unsupported", "uncited", 1),
    ("one sentence uncited", [said(PERIOD, chars(0, PERIOD)), said(" It must be given in writing.")], None, None, 1),
    (
        "claim and source disagree",
        [said("The notice period is 90 days.", chars(0, PERIOD))],
        "wrong",
        "contradicts_source",
        0,
    ),
    ("a refusal", [said("The documents do not say what the deposit is.")], "refused", "unjudged", 0),
    ("an empty text", [said("")], "unknown", "empty_answer", None),
    ("no block", [], "unknown", "empty_answer", None),
]


@pytest.mark.parametrize(
    ("content", "bucket", "cause", "extra"), [row[1:] for row in BUCKETS], ids=[row[0] for row in BUCKETS]
)
def test_scores(content, bucket, cause, extra):
    card = scored(*content)
    if bucket:
        assert (card.bucket, card.cause) == (bucket, cause)
    assert card.extra_claim_count == extra


def test_claims_are_whole_sentences_with_the_citations_of_the_blocks_in_them():
    converted = convert({"request": ASKED, "response": FRAGMENTS})
    assert claims(converted) == [
        ("The notice period is 30 days", ["document-0"]),
        ("The rent is 900 euros a month", ["document-1"]),
    ]
    first = converted.record.answer.claims[0]
    text = converted.record.answer.text
    assert text == "The notice period is 30 days. The rent is 900 euros a month."
    assert text[slice(*first.span)] == "The notice period is 30 days."
    assert text[slice(*first.citations[0].span)] == "30 days"
    assert first.citations[0].quoted_span == PERIOD


def test_the_log_is_what_the_request_shows_in_the_order_that_indexes_count():
    record = convert({"request": ASKED, "response": FRAGMENTS}).record
    assert [(s.source_id, s.title, s.text) for s in record.retrieved] == [
        ("document-0", "Lease", LEASE),
        ("document-1", "Annex", ANNEX),
    ]
    assert record.retrieved[1].metadata == {"context": "Signed in May."}
    assert record.question == QUESTION


def test_documents_of_one_title_are_told_apart_by_their_index():
    asked = request(document(LEASE, "Lease"), document(ANNEX, "Lease"))
    answer = said("The rent is 900 euros a month.", chars(1, "The rent is 900 euros a month. ", "Lease"))
    record = answered(answer, asked=asked).record
    assert record.answer.claims[0].citations[0].source_id == "document-1"
    assert showable.score(record, judge="lexical").bucket == "correct"


def test_indexes_count_over_all_messages_and_into_the_results_of_tools():
    held = {"type": "tool_result", "tool_use_id": "t", "content": [SEARCH_RESULT, document(ANNEX, "Annex")]}
    asked = {
        "messages": [
            {"role": "user", "content": [document(LEASE, "Lease"), {"type": "text", "text": "And the rent?"}]},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "find", "input": {}}]},
            {"role": "user", "content": [held]},
        ]
    }
    record = answered(said("The rent is 900 euros a month.", chars(1, ANNEX[:30], "Annex")), asked=asked).record
    assert [(s.source_id, s.title) for s in record.retrieved] == [
        ("document-0", "Lease"),
        ("document-1", "Annex"),
        ("search_result-0", "Lease"),
    ]
    assert record.question == "And the rent?"  # the last message of the user has no words
    assert showable.score(record, judge="lexical").bucket == "correct"


def test_a_fetched_page_is_a_document_after_those_of_the_request():
    fetched = {
        "type": "web_fetch_tool_result",
        "tool_use_id": "s",
        "content": {"type": "web_fetch_result", "url": "https://example.com/rent", "content": document(ANNEX, "Rent")},
    }
    converted = answered(
        fetched,
        said("The rent is 900 euros a month.", chars(1, ANNEX[:30], "Rent")),
        asked=request(document(LEASE, "Lease")),
    )
    assert [s.title for s in converted.record.retrieved] == ["Lease", "Rent"]
    assert showable.score(converted.record, judge="lexical").bucket == "correct"


PLACES = [
    # the document, its citation, page and quotation of the citation, the source's text
    (document(LEASE, "Lease"), chars(0, PERIOD), None, PERIOD, LEASE),
    (document("", "Scan", source={"type": "base64", "data": "JVBE"}), pages(0, PERIOD, 3, 4), 3, PERIOD, None),
    (document("", "Scan", source={"type": "base64", "data": "JVBE"}), pages(0, PERIOD, 3, 5), "3-4", PERIOD, None),
    (
        document("", "Scan", source={"type": "url", "url": "https://example.com/a.pdf"}),
        pages(0, PERIOD, 1, 2),
        1,
        PERIOD,
        None,
    ),
    (document("", "File", source={"type": "file", "file_id": "file_1"}), chars(0, PERIOD, None), None, PERIOD, None),
    (
        document("", "Parts", source={"type": "content", "content": SEARCH_RESULT["content"]}),
        # "always equals the contents of content[start:end] joined together": citation_content_block_location.py
        blocks(0, "The notice period is 30 days.It runs from Monday.", 0, 2),
        None,
        "The notice period is 30 days.\nIt runs from Monday.",
        "The notice period is 30 days.\nIt runs from Monday.",
    ),
    (document("", "Whole", source={"type": "content", "content": LEASE}), blocks(0, LEASE, 0, 1), None, LEASE, LEASE),
    (SEARCH_RESULT, result(0, "It runs from Monday.", 1, 2), None, "It runs from Monday.", None),
]


@pytest.mark.parametrize(("given_document", "citation", "cited_page", "quoted", "text"), PLACES)
def test_places(given_document, citation, cited_page, quoted, text):
    converted = answered(said("The notice period is 30 days.", citation), asked=request(given_document))
    (read,) = converted.record.answer.claims[0].citations
    assert (read.page, read.quoted_span) == (cited_page, quoted)
    (source,) = converted.record.retrieved
    assert read.source_id == source.source_id
    if text is None and given_document is not SEARCH_RESULT:
        card = showable.score(converted.record, judge="lexical")
        assert (source.text, card.bucket, NO_TEXT in converted.notes) == (None, "unknown", True)
    else:
        assert showable.score(converted.record, judge="lexical").citation_exists == "pass"


def test_a_quotation_of_blocks_that_says_something_else_is_not_made_right():
    parts = document("", "Parts", source={"type": "content", "content": SEARCH_RESULT["content"]})
    converted = answered(said(PERIOD, blocks(0, "The notice period is 60 days.", 0, 1)), asked=request(parts))
    assert showable.score(converted.record, judge="lexical").cause == "bad_quote"


def test_a_search_result_keeps_its_address():
    source = answered(said(PERIOD, result(0, PERIOD, 0, 1)), asked=request(SEARCH_RESULT)).record.retrieved[0]
    assert (source.url, source.metadata) == ("https://example.com/lease", {"source": "https://example.com/lease"})


def test_what_a_web_search_found_is_the_log_and_has_no_text():
    record = convert(WEB).record
    assert [(s.source_id, s.url, s.text) for s in record.retrieved] == [
        ("https://example.com/a", "https://example.com/a", None)
    ]
    elsewhere = message(*WEB["content"][:2], said("It is 30 days.", page("https://example.com/b", "30 days")))
    assert showable.score(convert(elsewhere).record, judge="lexical").citation_exists == "fail"
    mixed = message(*WEB["content"][:2], said("It is 30 days.", chars(0, PERIOD)))
    assert convert(mixed).record.retrieved is None  # the request may have shown documents besides


def test_a_message_alone_has_no_log():
    converted = convert(FRAGMENTS)
    assert (converted.record.retrieved, converted.record.question) == (None, "")
    assert converted.notes == (NO_QUESTION, NO_REQUEST)
    assert showable.score(converted.record, judge="lexical").bucket == "unknown"


NOTES = [
    ({"request": request(), "response": FRAGMENTS}, NO_DOCUMENTS),
    ({"request": ASKED, "response": message(said(PERIOD), stop_reason="max_tokens")}, CUT_OFF),
    ({"request": ASKED, "response": message(said("I"), stop_reason="refusal")}, STOPPED),
    ({"request": ASKED, "response": message(said(PERIOD, chars(0, PERIOD, "Annex")))}, OTHER_TITLE),
    ({"request": ASKED, "response": message(said("Hello!", chars(0, PERIOD)), said(" It is 30 days."))}, UNATTACHED),
    ({"request": ASKED, "response": message(said('{"claims": []}', chars(0, PERIOD)))}, NOT_PROSE),
    ({"custom_id": "a", "result": {"type": "expired"}}, NO_RESULT),
]


@pytest.mark.parametrize(("fields", "note"), NOTES)
def test_notes(fields, note):
    assert note in convert(fields).notes


def test_a_stopped_answer_is_none_and_its_beginning_lost():
    converted = answered(said("The notice"), stop_reason="refusal")
    assert (converted.record.answer, converted.lost) == (None, ("usage", "content"))
    assert showable.score(converted.record, judge="lexical").cause == "empty_answer"


def test_ids():
    assert convert(FRAGMENTS).record.id == "msg_01"
    assert convert({"custom_id": "q", "result": {"type": "succeeded", "message": FRAGMENTS}}).record.id == "q"
    assert convert({"id": 7, "response": FRAGMENTS}).record.id == "7"
    assert convert(message(said("x"), id=None)).record.id == "row-1"


def test_what_was_recorded_beside_the_pair_is_named_as_lost():
    asked = ASKED | {"system": "Answer from the lease.", "max_tokens": 1024}
    fields = {"id": "q-1", "request": asked, "response": FRAGMENTS, "reference": "30 days", "latency": 0.4, "tags": []}
    converted = convert(fields)
    assert converted.lost == ("reference", "latency", "usage", "request.system")
    assert "max_tokens" in asked  # a setting: how the model was asked to work goes without saying


def test_thoughts_and_calls_are_named_as_lost():
    thought = {"type": "thinking", "thinking": "hm", "signature": "s"}
    call = {"type": "tool_use", "id": "t", "name": "find", "input": {"q": "a"}}
    converted = answered(thought, said(PERIOD), call)
    assert converted.lost == ("usage", "content.thinking", "content.tool_use")
    assert converted.record.answer == PERIOD


def test_an_answer_given_as_a_tool_call_is_read_from_it():
    held = {"claims": [{"text": "The notice period is 30 days.", "citations": [{"source_id": "document-0"}]}]}
    converted = answered({"type": "tool_use", "id": "t", "name": "answer", "input": held}, stop_reason="tool_use")
    assert showable.score(converted.record, judge="lexical").bucket == "correct"


def test_an_answer_that_the_request_began_is_whole():
    asked = {"messages": [*ASKED["messages"], {"role": "assistant", "content": "The notice period"}]}
    assert answered(said(" is 30 days."), asked=asked).record.answer == "The notice period is 30 days."


HUNG = [
    # the blocks of the answer with the index of the document each cites, and the claims expected
    (
        [("The fee is 5%", 0), (", and the term is ", None), ("3 years", 1), (".", None)],
        [("The fee is 5%", ["document-0"]), ("The term is 3 years", ["document-1"])],
    ),
    (
        [("Key terms:\n\n", 0), ("- The notice period is 30 days\n- ", None), ("The rent is 900 euros", 1)],
        [("The notice period is 30 days", ["document-0"]), ("The rent is 900 euros", ["document-1"])],
    ),
    (
        [("| Term | Value |\n|---|---|\n| Notice | ", None), ("30 days", 0), (" |\n| Rent | 900 euros |", None)],
        [("Term: Notice; Value: 30 days", ["document-0"]), ("Term: Rent; Value: 900 euros", [])],
    ),
    (
        [("The notice period is 30 days. The rent is 900 euros.", 0)],
        [("The notice period is 30 days", ["document-0"]), ("The rent is 900 euros", ["document-0"])],
    ),
    (
        [("The notice period ", 0), ("is 30 days.", 0), (" That is long.", None)],
        [("The notice period is 30 days", ["document-0"]), ("That is long", [])],
    ),
    (
        [("The documents do not say what the deposit is.", 0), (" The rent is 900 euros.", 1)],
        [("The documents do not say what the deposit is.", ["document-0"]), ("The rent is 900 euros", ["document-1"])],
    ),
]


@pytest.mark.parametrize(("content", "expected"), HUNG)
def test_whose_claims_citations_are(content, expected):
    parts = [said(text, *([] if at is None else [chars(at, PERIOD, None)])) for text, at in content]
    assert claims(answered(*parts)) == expected


def test_what_a_refusal_cites_is_kept_and_asserts_nothing():
    content = [said("The documents do not say what the deposit is", chars(0, PERIOD)), said(".")]
    card = scored(*content)
    assert (card.bucket, len(card.claims), [one.source_id for one in card.loose]) == ("refused", 0, ["document-0"])
    invented = [said("The documents do not say what the deposit is", chars(9, PERIOD)), said(".")]
    assert scored(*invented).citation_exists == "fail"


@every_row("cut", range(1, len(LEASE)))
def test_citing_changes_nothing_of_what_is_asserted(cut):
    cited = answered(said(LEASE[:cut], chars(0, PERIOD)), said(LEASE[cut:])).record
    plain = answered(said(LEASE)).record
    texts = [[claim.text for claim in read_answer(record).answer.claims] for record in (cited, plain)]
    assert texts[0] == texts[1]


PROSE = st.lists(
    st.sampled_from(
        [
            "The fee is 5%, and the term is 3 years. ",
            "I cannot find the deposit in the documents. ",
            "The closest clause sets 30 days. ",
            "\n\n- Notice: 30 days\n",
            "Key terms:\n",
            "\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n",
            "The rent is 900 euros [1]. ",
            "Yes. ",
            "é𝒜 日本語です。",
            "## Rent\n",
            "What else? ",
        ]
    ),
    min_size=1,
    max_size=6,
).map("".join)


@given(PROSE, st.lists(st.tuples(st.none() | st.integers(-5, 300), st.integers(-5, 300)), max_size=4))
def test_no_citation_changes_what_is_asserted_or_is_hung_out_of_the_text(text, places):
    record = Record(id="1", question="What is the fee?", answer=text, retrieved=(Source(source_id="a", text=LEASE),))
    told, notes = with_citations(record, [Cited(start, end, Citation(source_id="b")) for start, end in places])
    one, two = read_answer(record), read_answer(told)
    assert sorted(claim.text for claim in one.answer.claims) == sorted(claim.text for claim in two.answer.claims)
    assert one.refusal.extent == two.refusal.extent
    assert not two.problems or one.problems
    if places and not notes:
        assert any(citation.source_id == "b" for claim in told.answer.claims for citation in claim.citations)


@pytest.mark.parametrize("row", ROWS)
def test_examples_fit_and_can_be_written_down(row):
    assert Anthropic().fits(row)
    record = convert(row).record
    assert Record.model_validate_json(record.model_dump_json()) == record


FOREIGN = [
    {"type": "message", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": "a"}]},
    {"type": "message", "role": "assistant", "content": [{"type": "refusal", "refusal": "a"}]},
    {"type": "message", "role": "user", "content": [{"type": "text", "text": "a"}]},
    {"type": "message", "role": "assistant", "content": []},
    {"role": "assistant", "content": [{"type": "text", "text": "a"}]},
    {"custom_id": "a", "result": {"type": "other"}},
    {"question": "q", "answer": "a", "output": {"type": "text"}},
    {"custom_id": "a", "result": {"type": []}},
    {},
]


@pytest.mark.parametrize("fields", FOREIGN)
def test_what_is_of_another_shape(fields):
    assert not Anthropic().fits(fields)
    with pytest.raises(FieldError):
        convert(fields)


FAULTS = [
    (message(said(5)), "content[0].text: expected a string, got a number"),
    ({"response": message(said("a", {"type": "char_location"}))}, "response.content[0].citations[0].document_index"),
    (message(said("a", chars(-1, "b"))), "content[0].citations[0].document_index: expected a whole number from 0"),
    (message(said("a", "b")), "content[0].citations[0]: expected an object, got text"),
    (message(said("a\ud800")), "content[0].text: expected text, got half a character"),
    ({"request": {"messages": [5]}, "response": FRAGMENTS}, "request.messages[0]: expected an object, got a number"),
]


@pytest.mark.parametrize(("fields", "told"), FAULTS)
def test_faults_are_named_by_their_path(fields, told):
    with pytest.raises(FieldError) as caught:
        convert(fields)
    assert str(caught.value).startswith(told)


def test_a_long_answer_with_many_citations_is_quick_enough_to_finish():
    content = [said(f"The fee of plan {n} is {n} euros. ", chars(0, PERIOD)) for n in range(400)]
    converted = answered(*content)
    assert len(converted.record.answer.claims) == 400
    assert json.loads(converted.record.model_dump_json())["answer"]["claims"][399]["citations"]


def test_more_citations_than_any_model_gives_are_refused_before_they_fill_the_memory():
    text = "".join(f"Tower {i} was built. " for i in range(500))
    record = Record(id="1", question="Q?", answer=text)
    all_of_it = [Cited(0, len(text), Citation(source_id=str(i))) for i in range(MOST_HUNG // 500 + 1)]
    assert len(with_citations(record, all_of_it[:2])[0].answer.claims[0].citations) == 2
    with pytest.raises(FieldError, match="its citations hang on more than 200,000 claims"):
        with_citations(record, all_of_it)


def test_each_of_many_sentences_that_decline_takes_its_own_citation():
    sentences = [f"I could not find tower {i}. " for i in range(60)]
    text = "".join(sentences)
    places = [(text.index(one), text.index(one) + len(one) - 1) for one in sentences]
    told, notes = with_citations(
        Record(id="1", question="Q?", answer=text),
        [Cited(start, end, Citation(source_id=str(i))) for i, (start, end) in enumerate(places)],
    )
    assert notes == ()
    assert [[one.source_id for one in claim.citations] for claim in told.answer.claims] == [[str(i)] for i in range(60)]


def test_a_point_behind_a_sentence_that_declines_belongs_to_it_and_not_to_the_next():
    text = "The lease does not say when it ends. The rent is 900 euros a month."
    record = Record(
        id="r", question="When does the lease end?", retrieved=(Source(source_id="a", text=text),), answer=text
    )
    told, _ = with_citations(record, [Cited(None, text.index(" The rent"), Citation(source_id="a"))])
    cited = [claim.text for claim in told.answer.claims if claim.citations] if isinstance(told.answer, Answer) else []
    assert cited == ["The lease does not say when it ends."]
