"""Scanners and other gateways' contracts, as the running guard serves them."""

import json

import httpx
import pytest
from guarded import BAD, GOOD, JSON, LOG, chat, guarding, model

CHAT = "/v1/chat/completions"
ASKED = {"model": "m", "messages": [{"role": "user", "content": "q"}], "showable": LOG}
SCRIPTED = "See <script>alert(1)</script> [lease]."
OUTSIDE = '[scanner.theirs]\nurl = "http://127.0.0.1:PORT"\ndeadline_ms = 2000\n'


def test_scanners_that_a_route_names_hold_an_answer():
    with guarding(model(chat(SCRIPTED)), {"scanners": ["code"]}) as guard:
        held = httpx.post(f"{guard.url}{CHAT}", json=ASKED)
    assert (held.headers["x-showable-release"], held.headers["x-showable-reasons"]) == ("hold", "scanner.code_injection")
    with guarding(model(chat(SCRIPTED))) as guard:
        assert httpx.post(f"{guard.url}{CHAT}", json=ASKED).headers["x-showable-release"] == "show"


ROWS = [
    # what the other scanner replies, status, release: closed on failure, by LiteLLM's generic guardrail contract
    ({"action": "NONE"}, 200, "show"),
    ({"action": "BLOCKED", "blocked_reason": "toxic"}, 200, "hold"),
    ({"verdict": "fine"}, 200, "hold"),
    ({"action": "NONE"}, 500, "hold"),
]


@pytest.mark.parametrize(("reply", "status", "release"), ROWS)
def test_other_peoples_scanners_are_asked_and_closed_on_failure(reply, status, release):
    def script(request):
        if b"guardrail" in request.target:
            return status, json.dumps(reply).encode(), JSON
        return model(chat(GOOD))(request)

    text = OUTSIDE + '[upstream.model]\nbase_url = "http://127.0.0.1:PORT"\n[[route]]\nname = "all"\nupstream = "model"\nprofile = "general"\nno_retrieval = "reject"\nscanners = ["theirs"]\n'
    with guarding(script, text=text) as guard:
        found = httpx.post(f"{guard.url}{CHAT}", json=ASKED)
        streamed = httpx.post(f"{guard.url}{CHAT}", json=ASKED | {"stream": True})
    assert found.headers["x-showable-release"] == streamed.headers["x-showable-release"] == release


def test_contracts_are_served_with_the_logs_that_were_put():
    with guarding(model(chat(GOOD)), {"no_retrieval": "hold"}) as guard:
        httpx.put(f"{guard.url}/showable/logs/run-1", json=LOG)
        request = {"messages": [{"role": "user", "content": "q"}]}
        native = {
            text: httpx.post(f"{guard.url}/showable/guard", json={"request": request, "response": chat(text), "log_id": "run-1"})
            for text in (GOOD, BAD)
        }
        litellm = httpx.post(
            f"{guard.url}/beta/litellm_basic_guardrail_api",
            json={"input_type": "response", "litellm_call_id": "c", "texts": [BAD], "model": "m", "request_data": {}},
            headers={"x-showable-log": "run-1"},
        )
        wrong = httpx.post(f"{guard.url}/showable/guard", json={"response": 1})
        metrics = httpx.get(f"{guard.url}/metrics").text
    assert [native[text].json()["action"] for text in (GOOD, BAD)] == ["show", "hold"]
    assert litellm.json()["action"] == "BLOCKED"
    assert wrong.status_code == 400
    assert 'release="hold"' in metrics
    assert not guard.upstream.asked
