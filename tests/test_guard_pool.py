"""What takes long is decided beside the worker: full readings, verdicts in time, what registries are known to say."""

import json
import os
import signal
import threading
import time

import httpx
import pytest
from guarded import BAD, LOG, chat, guarding

CHAT = "/v1/chat/completions"
ASKED = {"model": "m", "messages": [{"role": "user", "content": "How much notice must the tenant give?"}]}
FULL = {"profile": "legal", "no_retrieval": "hold", "semantic": None, "reading_ms": 30_000, "judge_ms": 30_000}
QUOTE = "giving ninety days' written notice"


def claim(text, kind, quote=QUOTE):
    citation = {"source_id": "lease", "quoted_span": quote}
    return json.dumps({"claims": [{"text": text, "kind": kind, "citations": [citation]}], "refusal": "none"})


TRUE = claim("The tenant ends the lease by giving ninety days' written notice.", "holding")
FALSE = claim("The court held that the tenant may end the lease at once, without any notice.", "holding")
PLAIN = claim("The court held that the tenant may end the lease at once, without any notice.", "procedural")
DECLINES = (
    "I don't have evidence for the amount of rent in the retrieved documents. The closest passages are the lease [lease] and"
    " its amendment [amendment]. You might want to ask the landlord's agent."
)


@pytest.fixture(scope="module")
def guard():
    """A guard under the legal profile, with routes that want every verdict, and that give a judge no time."""
    said = {}
    routes = [("hurried", {"judge_ms": 1}), ("required", {"semantic": "required"}), ("all", {})]
    tables = []
    for name, more in routes:
        fields = {"name": name, "upstream": "model", "model": "*" if name == "all" else name} | FULL | more
        tables.append("[[route]]\n" + "\n".join(f"{k} = {json.dumps(v)}" for k, v in fields.items() if v is not None))
    text = '[upstream.model]\nbase_url = "http://127.0.0.1:PORT"\n' + "\n".join(tables)
    with guarding(lambda _request: (json.dumps(chat(said["now"])).encode(), b"application/json"), text=text) as running:
        running.said = said
        until = time.monotonic() + 60
        while time.monotonic() < until and running.worker.proxy.deciding.pool is None:
            time.sleep(0.01)
        yield running


def ask(guard, answer, model="m"):
    guard.said["now"] = answer
    reply = httpx.post(f"{guard.url}{CHAT}", json=ASKED | {"model": model, "showable": LOG}, timeout=60)
    rubrics = dict(part.split("=") for part in reply.headers.get("x-showable-rubrics", "").split(", ") if part)
    judged = "judge=0.0," not in reply.headers["x-showable-latency"]
    assert judged == (rubrics["semantic"] in {"pass", "fail"} or model == "hurried"), reply.headers[
        "x-showable-latency"
    ]
    return reply.headers["x-showable-release"], rubrics, reply.headers.get("x-showable-reasons", "")


@pytest.mark.parametrize(
    ("model", "answer", "release", "semantic", "code"),
    [  # source: DESIGN: a holding needs full entailment, a claim of another kind is judged after release; a lean failure waits for nobody
        ("m", TRUE, "show", "pass", ""),
        ("m", FALSE, "refused", "fail", ""),
        ("m", PLAIN, "show", "not_run", ""),
        ("required", PLAIN, "refused", "fail", ""),
        ("required", TRUE, "show", "pass", ""),
        ("required", DECLINES, "show", None, ""),
        ("hurried", TRUE, "hold", "not_run", "semantic.unjudged"),
        ("m", BAD, "refused", "not_run", "resolvability.not_retrieved"),
    ],
    ids=["true", "false", "not critical", "required false", "required true", "declines", "late", "lean failure"],
)
def test_a_verdict_in_time_decides_on_what_is_critical(guard, model, answer, release, semantic, code):  # noqa: PLR0917 - a row
    found, rubrics, codes = ask(guard, answer, model)
    assert (found, semantic is None or rubrics["semantic"] == semantic) == (release, True), (rubrics, codes)
    assert code in codes


@pytest.mark.slow
def test_the_loop_waits_for_no_reading_and_a_dead_process_is_no_pass(guard):
    pool = guard.worker.proxy.deciding.pool
    (pid,) = pool.pids
    os.kill(pid, signal.SIGSTOP)
    found = []
    waiting = threading.Thread(target=lambda: found.append(ask(guard, TRUE)))
    waiting.start()
    while not any(member.pending for member in pool._members):
        time.sleep(0.01)
    assert httpx.get(f"{guard.url}/healthz").status_code == 200
    os.kill(pid, signal.SIGKILL)
    waiting.join(30)
    release, rubrics, codes = found[0]
    assert (release, rubrics["reading"], "guard.late" in codes) == ("hold", "lean", True)
    until = time.monotonic() + 60
    while time.monotonic() < until and (pool.pids in ([], [pid]) or not pool._members[0].process.ready.is_set()):
        time.sleep(0.05)
    assert ask(guard, TRUE)[0] == "show"
    assert "late" in httpx.get(f"{guard.url}/metrics").text


@pytest.mark.slow
def test_a_reload_has_another_judge_asked(guard):
    pool = guard.worker.proxy.deciding.pool
    replaced = pool.pids
    guard.config.write_text('[judge]\njudge = "lexical"\n' + guard.config.read_text(), "utf-8")
    guard.call_soon(guard.worker.reload)
    until = time.monotonic() + 60
    while time.monotonic() < until and (pool.pids in ([], replaced) or not pool._members[0].process.ready.is_set()):
        time.sleep(0.05)
    release, rubrics, codes = ask(guard, TRUE, "required")
    assert (rubrics["reading"], rubrics["semantic"] in {"pass", "fail", "unknown"}) == ("full", True), (release, codes)
