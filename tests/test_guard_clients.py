"""Held answers as the libraries of OpenAI and Anthropic receive them: what they raise, and how often they call."""

import json

import pytest
from guarded import BAD, GOOD, LOG, chat, guarding, messages, model, responses, structured
from pydantic import BaseModel, ValidationError

openai = pytest.importorskip("openai", reason="the openai library is not installed")
HOLD = "This answer is held back"
ASKED = [{"role": "user", "content": "q"}]
EXTRA = {"extra_body": {"showable": LOG}}


class Notice(BaseModel):
    days: int


@pytest.fixture
def client():
    made = []

    def connect(guard, **options):
        made.append(openai.OpenAI(base_url=f"{guard.url}/v1", api_key="sk-test", **options))
        return made[-1]

    yield connect
    for one in made:
        one.close()


def test_chat_text(client):
    with guarding(model(chat(BAD))) as guard:
        choice = client(guard).chat.completions.create(model="m", messages=ASKED, **EXTRA).choices[0]
        assert choice.message.content.startswith(HOLD)
        assert choice.finish_reason == "content_filter"
        assert choice.message.tool_calls is None
        assert not choice.message.annotations
        assert len(guard.upstream.asked) == 1


def test_chat_refusal_where_a_schema_was_asked_for(client):
    with guarding(model(chat(structured("appeal")))) as guard:
        parsed = (
            client(guard)
            .chat.completions.parse(model="m", messages=ASKED, response_format=Notice, **EXTRA)
            .choices[0]
            .message
        )
        assert (parsed.parsed, parsed.content, parsed.refusal[: len(HOLD)]) == (None, None, HOLD)
        assert len(guard.upstream.asked) == 1


def test_chat_text_under_a_schema_is_what_the_default_avoids(client):
    """`hold_as = "text"` under a schema: parse() raises on content_filter (openai.ContentFilterFinishReasonError)."""
    with (
        guarding(model(chat(structured("appeal"))), {"hold_as": "text"}) as guard,
        pytest.raises(openai.ContentFilterFinishReasonError),
    ):
        client(guard).chat.completions.parse(model="m", messages=ASKED, response_format=Notice, **EXTRA)


def test_chat_error_is_paid_once(client):
    with guarding(model(chat(BAD)), {"hold_as": "error"}) as guard:
        with pytest.raises(openai.UnprocessableEntityError) as raised:
            client(guard, max_retries=2).chat.completions.create(model="m", messages=ASKED, **EXTRA)
        assert (raised.value.type, raised.value.code) == ("answer_held", "resolvability.not_retrieved")
        assert len(guard.upstream.asked) == 1


def test_chat_stream(client):
    with guarding(model(chat(BAD))) as guard:
        chunks = list(
            client(guard).chat.completions.create(
                model="m", messages=ASKED, stream=True, stream_options={"include_usage": True}, **EXTRA
            )
        )
        assert "".join(c.choices[0].delta.content or "" for c in chunks if c.choices).startswith(HOLD)
        assert [c.choices[0].finish_reason for c in chunks if c.choices][-1] == "content_filter"
        assert chunks[-1].usage.total_tokens == 120
        assert len(guard.upstream.asked) == 1


def test_chat_stream_helper_with_a_schema(client):
    with (
        guarding(model(chat(structured("appeal")))) as guard,
        client(guard).chat.completions.stream(model="m", messages=ASKED, response_format=Notice, **EXTRA) as stream,
    ):
        message = stream.get_final_completion().choices[0].message
        assert message.parsed is None
        assert message.refusal.startswith(HOLD)


def _listen(stream, seen):
    for chunk in stream:
        seen.append(chunk.choices[0].delta.content or "")


def test_chat_stream_that_has_begun_ends_in_an_error(client):
    answer = "The tenant must give ninety days' written notice [lease]. The courts agree [appeal]. So it is."
    with guarding(model(chat(answer)), {"stream": "sentence"}) as guard:
        seen = []
        stream = client(guard).chat.completions.create(model="m", messages=ASKED, stream=True, **EXTRA)
        with pytest.raises(openai.APIError) as raised:
            _listen(stream, seen)
        assert "courts" not in "".join(seen)
        assert "lease]" in "".join(seen)
        assert (raised.value.type, raised.value.code) == ("answer_held", "resolvability.not_retrieved")


def test_responses_text_and_stream(client):
    with guarding(model(responses(BAD))) as guard:
        held = client(guard).responses.create(model="m", input="q", **EXTRA)
        assert held.output_text.startswith(HOLD)
        assert held.status == "completed"
        with client(guard).responses.stream(model="m", input="q", **EXTRA) as stream:
            assert stream.get_final_response().output_text.startswith(HOLD)
        numbers = [
            e.sequence_number for e in client(guard).responses.create(model="m", input="q", stream=True, **EXTRA)
        ]
        assert numbers == list(range(len(numbers)))
        assert len(guard.upstream.asked) == 3


def test_responses_refusal_where_a_schema_was_asked_for(client):
    with guarding(model(responses(structured("appeal")))) as guard:
        held = client(guard).responses.parse(model="m", input="q", text_format=Notice, **EXTRA)
        assert held.output_parsed is None
        assert held.output[0].content[0].refusal.startswith(HOLD)
        with client(guard).responses.stream(model="m", input="q", text_format=Notice, **EXTRA) as stream:
            assert stream.get_final_response().output[0].content[0].type == "refusal"


def test_responses_error(client):
    with guarding(model(responses(BAD)), {"hold_as": "error"}) as guard:
        with pytest.raises(openai.UnprocessableEntityError):
            client(guard).responses.create(model="m", input="q", **EXTRA)
        assert len(guard.upstream.asked) == 1


def test_the_shown_answer_is_whole_in_every_way_to_ask(client):
    with guarding(model(chat(GOOD))) as guard:
        assert (
            client(guard).chat.completions.create(model="m", messages=ASKED, **EXTRA).choices[0].message.content == GOOD
        )
        chunks = client(guard).chat.completions.create(model="m", messages=ASKED, stream=True, **EXTRA)
        assert "".join(c.choices[0].delta.content or "" for c in chunks) == GOOD
    with (
        guarding(model(responses(GOOD))) as guard,
        client(guard).responses.stream(model="m", input="q", **EXTRA) as stream,
    ):
        assert stream.get_final_response().output_text == GOOD


def test_text_under_a_schema_of_responses_fails_to_parse(client):
    with guarding(model(responses(structured("appeal"))), {"hold_as": "text"}) as guard, pytest.raises(ValidationError):
        client(guard).responses.parse(model="m", input="q", text_format=Notice, **EXTRA)


async def _asynchronous(guard):
    async with openai.AsyncOpenAI(base_url=f"{guard.url}/v1", api_key="sk-test") as made:
        return await made.chat.completions.create(model="m", messages=ASKED, **EXTRA)


def test_the_asynchronous_client():
    import asyncio

    with guarding(model(chat(BAD))) as guard:
        assert asyncio.run(_asynchronous(guard)).choices[0].message.content.startswith(HOLD)


@pytest.fixture
def anthropic():
    return pytest.importorskip("anthropic", reason="the anthropic library is not installed")


@pytest.fixture
def api(anthropic):
    made = []

    def connect(guard, **options):
        made.append(anthropic.Anthropic(base_url=guard.url, api_key="sk-test", **options))
        return made[-1].messages

    yield connect
    for one in made:
        one.close()


def test_messages_text_and_stream(api):
    with guarding(model(messages(BAD))) as guard:
        held = api(guard).create(model="m", max_tokens=9, messages=ASKED, **EXTRA)
        assert held.content[0].text.startswith(HOLD)
        assert held.stop_reason == "refusal"
        assert held.usage.input_tokens == 40
        with api(guard).stream(model="m", max_tokens=9, messages=ASKED, **EXTRA) as stream:
            final = stream.get_final_message()
        assert final.content[0].text.startswith(HOLD)
        assert final.stop_reason == "refusal"
        assert len(guard.upstream.asked) == 2


def test_messages_error_is_paid_once(anthropic, api):
    with guarding(model(messages(BAD)), {"hold_as": "error"}) as guard:
        with pytest.raises(anthropic.UnprocessableEntityError) as raised:
            api(guard, max_retries=2).create(model="m", max_tokens=9, messages=ASKED, **EXTRA)
        assert raised.value.body["error"]["type"] == "answer_held"
        assert len(guard.upstream.asked) == 1


def test_messages_stream_that_has_begun_ends_in_an_error(anthropic, api):
    answer = "The tenant must give ninety days' written notice [lease]. The courts agree [appeal]. So it is."
    with guarding(model(messages(answer)), {"stream": "sentence"}) as guard:
        seen = []
        with (
            pytest.raises(anthropic.APIStatusError),
            api(guard).stream(model="m", max_tokens=9, messages=ASKED, **EXTRA) as stream,
        ):
            seen += list(stream.text_stream)
        assert "courts" not in "".join(seen)


def test_messages_with_citations_of_documents(api):
    document = {
        "type": "document",
        "title": "Lease",
        "citations": {"enabled": True},
        "source": {"type": "text", "media_type": "text/plain", "data": "Notice is ninety days."},
    }
    cited = {
        "type": "char_location",
        "cited_text": "Notice is ninety days.",
        "document_index": 0,
        "document_title": "Lease",
        "start_char_index": 0,
        "end_char_index": 22,
    }
    asked = [{"role": "user", "content": [document, {"type": "text", "text": "q"}]}]
    for quote, release in (("Notice is ninety days.", "show"), ("Notice is sixty days.", "hold")):
        content = [{"type": "text", "text": "It is ninety days.", "citations": [cited | {"cited_text": quote}]}]
        with guarding(model(messages(content=content))) as guard:
            raw = api(guard).with_raw_response.create(model="m", max_tokens=9, messages=asked)
            assert raw.headers["x-showable-release"] == release
            with api(guard).stream(model="m", max_tokens=9, messages=asked) as stream:
                found = stream.get_final_message().content[0]
            assert (found.citations is not None and found.citations[0].cited_text == quote) == (release == "show")


@pytest.mark.parametrize(("status", "calls"), [(400, 1), (422, 1), (409, 3), (429, 3), (503, 3)])
def test_what_statuses_cost(client, monkeypatch, status, calls):
    """Why a held answer is 200 or 422: the library calls again for others."""
    monkeypatch.setattr(openai.OpenAI, "_calculate_retry_timeout", lambda *_args: 0)
    body = json.dumps({"error": {"message": "m", "type": "t", "code": None, "param": None}}).encode()
    with guarding(lambda _request: (status, body, b"application/json")) as guard:
        with pytest.raises(openai.APIStatusError):
            client(guard, max_retries=2).with_options(timeout=20).chat.completions.create(
                model="m", messages=ASKED, **EXTRA
            )
        assert len(guard.upstream.asked) == calls
