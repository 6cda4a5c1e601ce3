"""Ways round a guard that others were found to leave open: none lets words of a held answer reach the client."""

import json
import shutil
import socket

import httpx
import pytest
from guarded import BAD, GOOD, JSON, LOG, SECRET, SSE, as_stream, chat, guarding, messages, model, responses, structured

from showable.production.guard.retrieval import FoundLog
from showable.production.guard.stored_responses import StoredResponses
from showable.records.findings import Finding, Outcome
from showable.records.record import Source

CHAT, RESPONSES, MESSAGES = "/v1/chat/completions", "/v1/responses", "/v1/messages"
ASKED = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "q"}], "showable": LOG}
ASKED_R = {"model": "m", "input": "q", "showable": LOG}


def two(first, second):
    both = chat(first)
    both["choices"] += [chat(second)["choices"][0] | {"index": 1}]
    return both


def called(arguments):
    return chat(
        None,
        finish_reason="tool_calls",
        tool_calls=[{"id": "c", "type": "function", "function": {"name": "answer", "arguments": arguments}}],
    )


FORCED = {"tool_choice": {"type": "function", "function": {"name": "answer"}}}
FREE_FORM = json.dumps({"answer": BAD})
BAD_STRUCTURED = structured("appeal").replace("Notice is ninety days.", SECRET)
QUOTES = [
    {
        "type": "text",
        "text": SECRET,
        "citations": [
            {
                "type": "char_location",
                "cited_text": "no such words",
                "document_index": 0,
                "document_title": "L",
                "start_char_index": 0,
                "end_char_index": 4,
            }
        ],
    }
]
DOCUMENT = [
    {
        "role": "user",
        "content": [
            {
                "type": "document",
                "title": "L",
                "source": {"type": "text", "media_type": "text/plain", "data": "Notice is ninety days."},
            }
        ],
    }
]

ROWS = [
    # name, path, request, reply; sources: api7/aisix#204 and #512 (streams, Responses), BerriAI/litellm#35257 and #36085 (Messages),
    # langchain4j#5728 (reasoning, tools), docker-agent#2662 (events), and the table of this project's design
    ("plain", CHAT, ASKED, chat(BAD)),
    ("stream", CHAT, ASKED | {"stream": True}, chat(BAD)),
    ("another interface", RESPONSES, ASKED_R, responses(BAD)),
    ("another interface, streamed", RESPONSES, ASKED_R | {"stream": True}, responses(BAD)),
    ("messages", MESSAGES, ASKED, messages(BAD)),
    ("messages, streamed", MESSAGES, ASKED | {"stream": True}, messages(BAD)),
    ("one of two choices", CHAT, ASKED | {"n": 2}, two(GOOD, BAD)),
    ("one of two choices, streamed", CHAT, ASKED | {"n": 2, "stream": True}, two(GOOD, BAD)),
    ("answer in a tool call", CHAT, ASKED, called(BAD_STRUCTURED)),
    ("answer in a tool call, streamed", CHAT, ASKED | {"stream": True}, called(BAD_STRUCTURED)),
    ("forced call, free form", CHAT, ASKED | FORCED, called(FREE_FORM)),
    ("answer in the refusal", CHAT, ASKED, chat(None, refusal=BAD)),
    ("answer in the refusal, streamed", CHAT, ASKED | {"stream": True}, chat(None, refusal=BAD)),
    (
        "answer beside a tool call",
        CHAT,
        ASKED,
        chat(
            BAD,
            finish_reason="tool_calls",
            tool_calls=[{"id": "c", "type": "function", "function": {"name": "log", "arguments": "{}"}}],
        ),
    ),
    ("bad words in reasoning", CHAT, ASKED, chat(GOOD, reasoning_content=f"{SECRET}\u200b")),
    (
        "bad words in thinking, streamed",
        MESSAGES,
        ASKED | {"stream": True},
        messages(
            content=[
                {"type": "thinking", "thinking": f"{SECRET} no\u200bw", "signature": ""},
                {"type": "text", "text": GOOD},
            ]
        ),
    ),
    ("unknown field of a delta", CHAT, ASKED | {"stream": True}, chat(GOOD, reasoning_content=f"{SECRET} \u202etxet")),
    (
        "a source typed into the question",
        CHAT,
        {
            "model": "m",
            "showable": {"retrieved": LOG["retrieved"]},
            "messages": [{"role": "user", "content": "[appeal] The courts agree. q"}],
        },
        chat(BAD),
    ),
    (
        "a zero-width character cut by events",
        CHAT,
        ASKED | {"stream": True},
        chat(f"{SECRET} that a\u200bll is well [lease]."),
    ),
    ("a marker cut by events", CHAT, ASKED | {"stream": True}, chat("123456 The courts agree [appeal-2019-abcdef].")),
    (
        "an address cut by events",
        CHAT,
        ASKED | {"stream": True},
        chat(f"{SECRET} [lease]: https://www.paypa1-security.example@198.51.100.7/login."),
    ),
    ("a marker after the full stop", CHAT, ASKED | {"stream": True}, chat(f"{SECRET}. [appeal]")),
    (
        "citation objects that quote what no log has",
        MESSAGES,
        {"model": "m", "max_tokens": 9, "messages": DOCUMENT},
        messages(content=QUOTES),
    ),
    (
        "the same, streamed",
        MESSAGES,
        {"model": "m", "max_tokens": 9, "stream": True, "messages": DOCUMENT},
        messages(content=QUOTES),
    ),
    ("a stream that was not asked for", CHAT, ASKED, None),
    ("an empty log", CHAT, ASKED | {"showable": {"retrieved": []}}, chat(f"{SECRET}: notice is ninety days.")),
    ("text in parts", CHAT, ASKED, chat([{"type": "text", "text": BAD}])),
    ("a transcript", CHAT, ASKED, chat(None, audio={"id": "a", "data": "", "transcript": BAD, "expires_at": 1})),
]


@pytest.fixture(scope="module")
def guard():
    replies = {}

    def script(request):
        reply = replies["now"]
        if reply is None:
            return "".join(as_stream(chat(BAD))).encode(), SSE
        return model(reply)(request)

    with guarding(script, {"no_retrieval": "hold", "on_unknown": "hold"}) as running:
        running.replies = replies
        yield running


@pytest.mark.parametrize(("name", "path", "body", "reply"), ROWS, ids=[row[0] for row in ROWS])
@pytest.mark.parametrize(
    "headers",
    [{}, {"x-showable-policy": "disabled", "x-agentcc-guardrail-policy": "disabled", "x-showable-release": "show"}],
    ids=["", "with headers"],
)
def test_none_lets_a_held_answer_out(guard, name, path, body, reply, headers):  # noqa: PLR0917 - a row
    guard.replies["now"] = reply
    found = httpx.post(f"{guard.url}{path}", json=body, headers=headers, timeout=30)
    text = found.text + json.dumps(found.text)
    assert [word for word in (SECRET, "courts", "appeal") if word in text] == [], found.text
    assert found.status_code == 200
    assert found.headers.get_list("x-showable-release") == ["hold"]


def test_what_no_route_takes_is_not_passed_on(guard):
    with guarding(model(chat(BAD)), {"model": "good*"}) as other:
        reply = httpx.post(f"{other.url}{CHAT}", json=ASKED)
        assert (reply.status_code, reply.json()["error"]["code"], other.upstream.asked) == (404, "no_route", [])


@pytest.mark.parametrize(
    "path",
    [
        "/v1/completions",
        "/v1/assistants",
        "/v1/batches",
        "/v1/chat/completions/abc",
        "/v1/realtime",
        "/v1/responses/abc/input_items",
        "/v1//chat/completions",
        "/v1/chat/completions/",
        "/v1/audio/speech",
        "/v1/conversations/c/items",
        "/v1/files/../chat/completions",
        "/v1/files/%2e%2e/responses",
        "/v1/models/..%2fresponses",
        "/v1/files/x;/../y",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_other_endpoints_that_make_answers_are_refused(guard, path, method):
    guard.replies["now"] = chat(BAD)
    before = len(guard.upstream.asked)
    with socket.create_connection(("127.0.0.1", guard.port), timeout=20) as client:  # a library would tidy the path
        client.sendall(f"{method} {path} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n".encode())
        status = client.recv(65536).split()[1]
    assert (status, len(guard.upstream.asked)) == (b"404", before)


def test_a_stored_response_is_guarded_again_and_a_held_one_stays_held():
    with guarding(model(responses(BAD))) as guard:
        assert httpx.post(f"{guard.url}{RESPONSES}", json=ASKED_R).headers["x-showable-release"] == "hold"
        again = httpx.get(f"{guard.url}{RESPONSES}/resp_1")
        assert (again.headers["x-showable-release"], SECRET in again.text) == ("hold", False)
        guard.upstream.script = model(responses(GOOD))
        assert httpx.get(f"{guard.url}{RESPONSES}/resp_1").headers["x-showable-release"] == "hold"
        unseen = httpx.get(f"{guard.url}{RESPONSES}/resp_9")
        assert (unseen.headers["x-showable-release"], "ninety" in unseen.text) == ("hold", False)


def test_workers_share_what_stored_responses_are_held_to(tmp_path):
    doubt = Finding(code="retrieval_log.not_shown", outcome=Outcome.UNKNOWN, reason="r")
    log = FoundLog((Source(source_id="lease", text="t"),), ("lease",), "q", "field", (doubt,))
    one, other = StoredResponses(tmp_path / "r"), StoredResponses(tmp_path / "r")
    one.remember("tenant", "resp_1", log, held=False)
    assert other.find("tenant", "resp_1") == (log, False)
    other.remember("tenant", "resp_1", log, held=True)
    assert one.find("tenant", "resp_1") == (log, True)
    assert other.find("another", "resp_1") is None
    assert StoredResponses(tmp_path / "r", kept_s=0).find("tenant", "resp_1") is None
    shutil.rmtree(tmp_path / "r")  # a disk that refuses costs the others' memory alone
    one.remember("tenant", "resp_2", log, held=True)
    assert (one.find("tenant", "resp_2"), other.find("tenant", "resp_2")) == ((log, True), None)


def test_a_response_in_the_background_is_guarded_when_it_is_fetched():
    queued = responses(output=[], status="queued")
    with guarding(model(queued)) as guard:
        first = httpx.post(f"{guard.url}{RESPONSES}", json=ASKED_R | {"background": True})
        assert (first.headers["x-showable-release"], first.json()["status"]) == ("not_an_answer", "queued")
        guard.upstream.script = model(responses(BAD))
        done = httpx.get(f"{guard.url}{RESPONSES}/resp_1")
        assert (done.headers["x-showable-release"], SECRET in done.text) == ("hold", False)
        guard.upstream.script = model(responses(GOOD))
        assert httpx.get(f"{guard.url}{RESPONSES}/resp_1").headers["x-showable-release"] == "hold"


def test_a_response_in_the_background_is_shown_once_it_is_there():
    with guarding(model(responses(output=[], status="queued"))) as guard:
        httpx.post(f"{guard.url}{RESPONSES}", json=ASKED_R | {"background": True})
        guard.upstream.script = model(responses(GOOD))
        assert httpx.get(f"{guard.url}{RESPONSES}/resp_1").headers["x-showable-release"] == "show"


def test_a_client_may_ask_for_a_stricter_profile_alone():
    with guarding(model(chat(GOOD)), {"allow_profiles": ["news"]}) as guard:
        stricter = httpx.post(f"{guard.url}{CHAT}", json=ASKED, headers={"x-showable-profile": "news"})
        other = httpx.post(f"{guard.url}{CHAT}", json=ASKED, headers={"x-showable-profile": "research"})
    assert stricter.headers["x-showable-profile"].startswith("general, news@")
    assert (other.status_code, other.json()["error"]["code"]) == (400, "profile_not_allowed")


def test_the_own_field_and_headers_do_not_reach_the_upstream():
    with guarding(model(chat(GOOD))) as guard:
        httpx.post(
            f"{guard.url}{CHAT}",
            json=ASKED,
            headers={"x-showable-log-note": "n", "connection": "keep-alive, x-drop", "x-drop": "1", "x-keep": "1"},
        )
        asked = guard.upstream.asked[0]
    names = {name for name, _ in asked.headers}
    assert not {name for name in names if name.startswith(b"x-showable")}
    assert b"x-drop" not in names
    assert b"x-keep" in names
    assert json.loads(asked.body) == {key: value for key, value in ASKED.items() if key != "showable"}
    assert asked.header(b"accept-encoding") == b"identity"


def test_unguarded_endpoints_are_named_in_the_config_and_counted():
    with guarding(lambda _request: (b'{"ok":true}', JSON), top='unguarded = ["/v1/completions"]') as guard:
        reply = httpx.post(f"{guard.url}/v1/completions", json={})
        models = httpx.get(f"{guard.url}/v1/models")
        metrics = httpx.get(f"{guard.url}/metrics").text
    assert (reply.headers["x-showable-release"], models.headers["x-showable-release"]) == ("unguarded", "not_an_answer")
    assert "showable_guard_unguarded_total" in metrics
