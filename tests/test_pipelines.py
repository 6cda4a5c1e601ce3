"""Ways of reaching a pipeline: what each is sent, what it may give back, and how it says that it failed."""

import asyncio
import json
import os
import sys
import textwrap
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from pipeline_server import Say, serving
from tables import every_row

from showable.errors import InputError, SettingError
from showable.harness.pipelines.choose import PipelineOptions, choose_pipeline
from showable.harness.pipelines.failures import LARGEST_REPLY, PipelineError
from showable.harness.pipelines.http_endpoint import HttpPipeline
from showable.harness.pipelines.pipeline import Asked, Pipeline, Reply
from showable.harness.pipelines.reading_replies import read_reply
from showable.records.evidence import Cost
from showable.records.record import Answer, Source

QUESTION = "What is the notice period?"
ANSWER = "The notice period is thirty days [lease]."
LOG = [{"source_id": "lease", "text": "The notice period is thirty days."}, {"source_id": "rent", "text": "Monthly."}]
ASKED = Asked(id="q1", question=QUESTION)
NULL = Asked(id="q1", question=QUESTION, force_null=True)


def ids(reply):
    return None if reply.retrieved is None else [source.source_id for source in reply.retrieved]


class Document:
    """Shaped as LangChain's."""

    def __init__(self, text, id=None, **metadata):  # noqa: A002 - its name there
        self.page_content, self.id, self.metadata = text, id, metadata


class Node:
    """Shaped as LlamaIndex's NodeWithScore."""

    class _Inner:
        node_id, metadata = "n1", {"page": 2}

        def get_content(self):
            return "Text."

    def __init__(self):
        self.node, self.score = self._Inner(), 0.5
        self.node_id, self.get_content = self.node.node_id, self.node.get_content


# What is given back, and the answer and the ids of the log that are read from it (docs/pipelines.md).
@dataclass
class Given:
    answer: str
    retrieved: list


READ = [
    (ANSWER, ANSWER, None),
    ((ANSWER, LOG), ANSWER, ["lease", "rent"]),
    ((ANSWER, []), ANSWER, []),
    ((ANSWER, None), ANSWER, None),
    ((ANSWER, ["one text", "another"]), ANSWER, ["1", "2"]),
    ((ANSWER, [Document("a", id="x"), Document("b", source="y")]), ANSWER, ["x", "y"]),
    ((ANSWER, [Node()]), ANSWER, ["n1"]),
    ((ANSWER, [Source(source_id="lease")]), ANSWER, ["lease"]),
    ((ANSWER, LOG + LOG), ANSWER, ["lease", "rent", "lease", "rent"]),
    ({"answer": ANSWER}, ANSWER, None),
    ({"answer": ANSWER, "retrieved": LOG, "id": "q1"}, ANSWER, ["lease", "rent"]),
    ({"answer": ANSWER, "retrieved": [{"id": 7, "content": "a"}]}, ANSWER, ["7"]),
    ({"answer": None}, None, None),
    (Given(ANSWER, LOG), ANSWER, ["lease", "rent"]),
    (Reply(answer=ANSWER, retrieved=()), ANSWER, []),
    (Answer(text=ANSWER), Answer(text=ANSWER), None),
    ({"claims": [], "refusal": "no_evidence"}, Answer(refusal="no_evidence"), None),
    ({"answer": {"claims": [], "refusal": "no_evidence"}}, Answer(refusal="no_evidence"), None),
    ({"answer": {"statements": ["a"]}}, '{"statements": ["a"]}', None),
]


@every_row(("given", "answer", "log"), READ)
def test_what_a_pipeline_may_give_back(given, answer, log):
    reply = read_reply(given, "q1")
    assert (reply.answer, ids(reply)) == (answer, log)


def nested(depth):
    held = {}
    for _ in range(depth):
        held = {"deeper": held}
    return held


REFUSED = [
    (None, "returned nothing"),
    (7, "expected a text"),
    ([ANSWER, LOG], "expected a text, a pair .*, got list of 2"),
    ((ANSWER, LOG, {}), "expected a text, a pair .*, got tuple of 3"),
    ((one for one in LOG), "got generator"),
    (b"thirty days", "got bytes"),
    ({"answer": ANSWER, "retrieved": (one for one in LOG)}, "expected a list of passages, got generator"),
    ({"answer": ANSWER, "metadata": nested(3000)}, "nested too deeply"),
    ({}, "no field `answer`"),
    ({"answer": ANSWER, "contexts": LOG}, "unknown field 'contexts'"),
    ({"answer": 7}, "answer: expected a text"),
    ({"answer": ANSWER, "retrieved": "lease"}, "retrieved: expected a list"),
    ({"answer": ANSWER, "retrieved": [7]}, r"retrieved\[0\]: expected a text"),
    ({"answer": ANSWER, "retrieved": [{"source_id": ""}]}, "source_id"),
    ({"answer": ANSWER, "retrieved": [{"source_id": "a", "rank": 1}]}, "rank: unknown field"),
    ({"answer": ANSWER, "shown": "lease"}, "shown: expected a list of ids"),
    ({"answer": ANSWER, "id": "q2"}, "another question"),
    ({"answer": ANSWER, "metadata": {"score": float("nan")}}, "metadata.score: expected a finite number"),
    ({"answer": ANSWER, "retrieved": [{"source_id": "a", "score": float("inf")}]}, "finite number"),
    ({"answer": ANSWER, "cost": -1}, "cost: expected USD"),
    ({"answer": ANSWER, "cost": float("nan")}, "finite number"),
    ({"answer": ANSWER, "usage": {"prompt_tokens": "many"}}, "whole numbers of tokens"),
    ({"answer": ANSWER, "metadata": {"at": object()}}, "cannot be written"),
    ("half a \ud800", "cannot be written"),
    ("x" * (LARGEST_REPLY + 1), "larger than 16 MiB"),
]


@every_row(("given", "said"), REFUSED)
def test_what_it_may_not(given, said):
    with pytest.raises(PipelineError, match=said) as refused:
        read_reply(given, "q1")
    assert not refused.value.again
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize(
    ("given", "cost"),
    [
        ({}, None),
        ({"cost": 0.002}, Cost(calls=1, usd=0.002)),
        ({"usage": {"prompt_tokens": 9, "completion_tokens": 2}}, Cost(calls=1, tokens_in=9, tokens_out=2, usd=None)),
        (
            {"usage": {"input_tokens": 9, "output_tokens": 2}, "cost": 1},
            Cost(calls=1, tokens_in=9, tokens_out=2, usd=1),
        ),
        ({"cost": {"tokens_in": 3, "usd": 0.5}}, Cost(calls=1, tokens_in=3, usd=0.5)),
    ],
)
def test_what_answering_cost(given, cost):
    assert read_reply({"answer": ANSWER, **given}).cost == cost


MODULE = """
    import sys, time

    LOG = [{"source_id": "lease", "text": "The notice period is thirty days."}]

    def plain(question):
        return f"{question} [lease]", LOG

    def renamed(q):
        return q

    def flagged(question, force_null):
        return "none", [] if force_null else LOG

    def by_id(id, question="?", **settings):
        return f"{id} {sorted(settings)}"

    async def awaited(question, *, force_null=False):
        return "none", [] if force_null else LOG

    class Shop:
        def __init__(self):
            self.made = True

        def __call__(self, question):
            return f"made: {self.made}"

        async def later(self, question):
            return "later"

    shop = Shop()

    def make():
        return lambda question: "from a factory"

    def leaves(question):
        sys.exit("no more")

    def fails(question):
        raise ValueError("no such shelf")

    def nothing_to_put():
        return 7

    def greedy(question, key):
        return ""

    def deaf(*, force_null):
        return ""

    number = 7
"""


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """Make the module above importable from the current folder alone."""
    (tmp_path / "a_shop.py").write_text(textwrap.dedent(MODULE))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield tmp_path
    sys.modules.pop("a_shop", None)


def ask(spec, asked=ASKED, **options):
    async def once():
        pipeline = choose_pipeline(spec, PipelineOptions(**options))
        assert isinstance(pipeline, Pipeline)
        try:
            return await pipeline.ask(asked)
        finally:
            await pipeline.aclose()

    return asyncio.run(once())


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("plain", f"{QUESTION} [lease]"),
        ("renamed", QUESTION),
        ("by_id", "q1 []"),
        ("awaited", "none"),
        ("Shop", "made: True"),
        ("shop", "made: True"),
        ("shop.later", "later"),
        ("make", "from a factory"),
    ],
)
def test_a_function_gets_what_it_declares(shop, name, answer):
    assert ask(f"a_shop:{name}").answer == answer


@pytest.mark.parametrize("name", ["flagged", "awaited"])
def test_a_function_is_told_of_an_empty_retrieval(shop, name):
    assert ids(ask(f"a_shop:{name}")) == ["lease"]
    assert ids(ask(f"a_shop:{name}", NULL)) == []


def test_a_function_may_fail_but_not_leave(shop):
    with pytest.raises(ValueError, match="no such shelf"):
        ask("a_shop:fails")
    with pytest.raises(PipelineError, match=r"called sys.exit\('no more'\)"):
        ask("a_shop:leaves")


MISTAKEN = [
    ("no_shop:plain", "no module 'no_shop'"),
    ("a_shop.inner:plain", "no module 'a_shop.inner'|importing 'a_shop.inner' failed"),
    ("a_shop:plane", "module 'a_shop' has no 'plane'; it has plain, renamed"),
    ("a_shop:shop.never", "'shop' has no 'never'"),
    ("a_shop:number", "int is not callable"),
    ("a_shop:nothing_to_put", "int is not callable"),
    ("a_shop:greedy", "needs 'key', which no question has"),
    ("a_shop:deaf", "takes no question"),
    ("b_shop:plain", "importing 'b_shop' failed: ZeroDivisionError"),
    ("c_shop:plain", "importing 'c_shop' failed: ModuleNotFoundError: No module named 'not_installed'"),
    ("reference", "the question set brings none; give --corpus"),
    ("chat:small@http://127.0.0.1:9/v1", "the question set brings none; give --corpus"),
    ("chat:", "there is reference, chat:MODEL"),
    ("quickly", "there is reference, chat:MODEL"),
    ("http://", "expected http"),
    ("http://user:hush@example.org/ask", "no user or password in it"),
    ("http://example.org:port/ask", "cannot be read"),
    ("command:", "expected a program"),
    ("command:no-such-program --fast", "no program 'no-such-program'"),
    ("no-such-program --fast", "no program 'no-such-program'"),
    ("command:'open", "No closing quotation"),
]


@pytest.mark.parametrize(("spec", "said"), MISTAKEN, ids=[spec for spec, _ in MISTAKEN])
def test_a_mistake_in_the_spec_is_one_line(shop, spec, said):
    (shop / "b_shop.py").write_text("1 / 0\n")
    (shop / "c_shop.py").write_text("import not_installed\n")
    with pytest.raises(SettingError, match=said) as refused:
        choose_pipeline(spec, environ={})
    assert "\n" not in str(refused.value)
    assert "hush" not in str(refused.value)


def test_a_prompt_is_for_a_chat_pipeline():
    with pytest.raises(SettingError, match="--plain and --prompt go with --pipeline chat"):
        choose_pipeline("reference", PipelineOptions(plain=True))


def over_http(answers, asked=ASKED, token=None):
    async def once():
        async with serving(answers) as server:
            pipeline = HttpPipeline(f"{server.url}?key=secret", token)
            try:
                return await pipeline.ask(asked), server
            except PipelineError as error:
                return error, server
            finally:
                await pipeline.aclose()

    return asyncio.run(once())


def test_an_endpoint_gets_the_question_and_gives_the_log():
    reply, server = over_http(
        [Say({"answer": ANSWER, "retrieved": LOG, "usage": {"prompt_tokens": 3}})], NULL, "a-token"
    )
    assert server.asked == [{"id": "q1", "question": QUESTION, "force_null": True}]
    assert server.headers[0]["Authorization"] == "Bearer a-token"
    assert (reply.answer, ids(reply), reply.cost.tokens_in) == (ANSWER, ["lease", "rent"], 3)


def test_without_a_token_none_is_sent():
    _, server = over_http([Say({"answer": ANSWER})])
    assert "Authorization" not in server.headers[0]


FROM_HTTP = [
    (Say({"detail": "wrong key"}, status=401), "HTTP 401.*wrong key", False),
    (Say({}, status=404), "HTTP 404", False),
    (Say({}, status=429), "HTTP 429", True),
    (Say(raw=b"", status=503), "HTTP 503$", True),
    (
        Say({}, status=302, headers={"Location": "http://example.org/x?token=secret"}),
        "redirects to http://example.org/x, which is not followed",
        False,
    ),
    (Say({}, status=307), "HTTP 307: it redirects, which is not followed", False),
    (Say(raw=b"<html><title>Sign in"), "not JSON: .*; it begins '<html><title>Sign in'", False),
    (Say(raw=b"\n"), "the response is empty", False),
    (Say(raw=b'{"answer": "\xff"}'), "not UTF-8", False),
    (Say(raw=b'{"answer": "a", "answer": "b"}'), "stands twice", False),
    (Say(raw=b"[" * 100_000), "nested too deeply", False),
    (Say([ANSWER]), "holds JSON, but no object", False),
    (Say({"answer": ANSWER, "id": "q9"}), "another question", False),
    (Say(raw=b'{"answer": "' + b"x" * LARGEST_REPLY + b'"}'), "larger than 16 MiB", False),
    (Say(hang_up=True), "the connection failed", True),
]


@every_row(("say", "said", "again"), FROM_HTTP)
def test_what_an_endpoint_may_do_wrong(say, said, again):
    import re

    error, _ = over_http([say], token="a-token")
    assert isinstance(error, PipelineError)
    assert re.search(said, str(error))
    assert error.again is again
    assert "a-token" not in str(error)
    assert "secret" not in str(error)


def test_an_endpoint_says_how_long_to_wait():
    error, _ = over_http([Say({}, status=429, headers={"Retry-After": "7"})])
    assert error.wait == 7


def test_nobody_listens():
    async def once():
        async with serving([Say()]) as server:
            url = server.url
        pipeline = HttpPipeline(url)
        with pytest.raises(PipelineError, match=r"cannot reach http://127\.0\.0\.1") as refused:
            await pipeline.ask(ASKED)
        await pipeline.aclose()
        return refused.value

    assert asyncio.run(once()).again


def test_the_name_of_an_endpoint_keeps_its_secrets():
    assert HttpPipeline("https://example.org:8443/v1/ask?key=secret#x").name == "https://example.org:8443/v1/ask"


def program(folder, body):
    path = folder / "answer.py"
    path.write_text(textwrap.dedent(body))
    return f"command:{sys.executable} {path}"


ECHO = """
    import json, sys
    asked = json.load(sys.stdin)
    print(json.dumps({"answer": f"{asked['question']} {asked['force_null']}", "retrieved": []}))
"""


def test_a_program_gets_the_question_on_stdin(tmp_path):
    reply = ask(program(tmp_path, ECHO), NULL)
    assert (reply.answer, ids(reply)) == (f"{QUESTION} True", [])


def test_a_program_without_the_prefix_is_one_where_words_follow(tmp_path):
    assert ask(program(tmp_path, ECHO).removeprefix("command:")).answer == f"{QUESTION} False"


def test_a_program_may_write_much_to_stderr_and_read_nothing(tmp_path):
    body = """
        import sys
        sys.stderr.write("x" * 3_000_000)
        print('{"answer": "a"}')
    """
    assert ask(program(tmp_path, body), Asked(id="q1", question="long " * 200_000)).answer == "a"


FROM_PROGRAM = [
    ("import sys; sys.stderr.write('loading\\nno index\\n'); sys.exit(3)", "exit status 3: no index", True),
    ("import os; os.kill(os.getpid(), 9)", "killed by SIGKILL", True),
    ("pass", "printed nothing", False),
    ("print('ready'); print('{}')", "stdout cannot be read: not JSON: .*; it begins 'ready {}'", False),
    ("print('[1]')", "no object", False),
    ("print('{\"answer\": NaN}')", "expected a text", False),
    ("import sys; sys.stdout.write('x' * 17_000_000)", "stdout is larger than 16 MiB", False),
]


@pytest.mark.parametrize(("body", "said", "again"), FROM_PROGRAM, ids=[said for _, said, _ in FROM_PROGRAM])
def test_what_a_program_may_do_wrong(tmp_path, body, said, again):
    with pytest.raises(PipelineError, match=said) as refused:
        ask(program(tmp_path, body))
    assert refused.value.again is again


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_program_that_hangs_is_killed_with_what_it_started(tmp_path):
    body = f"""
        import subprocess, sys, time
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        open({str(tmp_path / "pid")!r}, "w").write(str(child.pid))
        time.sleep(600)
    """

    async def once():
        pipeline = choose_pipeline(program(tmp_path, body))
        asking = asyncio.ensure_future(pipeline.ask(ASKED))
        while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(0.01)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    asyncio.run(once())
    child = int((tmp_path / "pid").read_text())
    deadline = time.monotonic() + 10
    while alive(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not alive(child)


def test_what_a_program_leaves_running_keeps_no_answer_back(tmp_path, monkeypatch):
    monkeypatch.setattr("showable.harness.pipelines.command._LINGER_S", 0.05)
    body = f"""
        import os, subprocess, sys
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        open({str(tmp_path / "pid")!r}, "w").write(str(child.pid))
        print('{{"answer": "a"}}', flush=True)
        os._exit(0)
    """
    assert ask(program(tmp_path, body)).answer == "a"
    child = int((tmp_path / "pid").read_text())
    deadline = time.monotonic() + 10
    while alive(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not alive(child)


def test_a_byte_order_mark_is_no_part_of_a_reply(tmp_path):
    body = """
        import sys
        sys.stdout.buffer.write(b'\\xef\\xbb\\xbf{"answer": "a"}')
    """
    assert ask(program(tmp_path, body)).answer == "a"
    assert over_http([Say(raw=b'\xef\xbb\xbf{"answer": "a"}')])[0].answer == "a"


def write(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_recorded_answers_are_found_by_id_and_by_text(tmp_path):
    file = write(
        tmp_path / "old.jsonl",
        {
            "id": "q1",
            "question": "reworded",
            "answer": ANSWER,
            "retrieved": LOG,
            "metadata": {"ask": {"tries": 2}, "k": 1},
        },
        {"question": "Who pays?", "answer": "The tenant [lease].", "retrieved": LOG},
        {"question": "Twice?", "answer": "a"},
        {"question": "Twice?", "answer": "b"},
    )
    reply = ask(f"recorded:{file}")
    assert (reply.answer, ids(reply), reply.metadata) == (ANSWER, ["lease", "rent"], {"k": 1})
    assert ask(f"recorded:{file}", Asked(id="x", question=" Who pays? ")).answer == "The tenant [lease]."
    for question, said in (("Never asked?", "no recorded answer"), ("Twice?", "2 recorded answers")):
        with pytest.raises(PipelineError, match=said) as refused:
            ask(f"recorded:{file}", Asked(id="x", question=question))
        assert not refused.value.again


@pytest.mark.parametrize("name", ["records.jsonl", "answers.jsonl", "mine.jsonl"])
def test_recorded_answers_may_be_a_folder(tmp_path, name):
    write(tmp_path / name, {"id": "q1", "question": "?", "answer": ANSWER})
    assert ask(f"recorded:{tmp_path}").answer == ANSWER


def test_recorded_answers_may_be_rows_of_another_tool(tmp_path):
    rows = [{"user_input": QUESTION, "response": ANSWER, "retrieved_contexts": ["a", "b"]}]
    file = tmp_path / "rows.json"
    file.write_text(json.dumps(rows))
    assert ids(ask(f"recorded:{file}", Asked(id="other", question=QUESTION))) == ["1", "2"]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"id": "q1", "answer": "a"}, {"id": "q1", "answer": "b"}], r":2: id: the id 'q1' stands twice"),
        ([{"answer": "a"}], r":1: expected an `id` or a `question`"),
        ([{"id": "q1"}], r":1: answer: this field is missing"),
        ([{"id": "q1", "answer": "a", "reply": "b"}], r":1: reply: unknown field"),
        ([], "holds no recorded answers"),
    ],
)
def test_a_mistake_in_recorded_answers_names_its_line(tmp_path, rows, said):
    file = write(tmp_path / "old.jsonl", *rows)
    with pytest.raises(InputError, match=said):
        choose_pipeline(f"recorded:{file}")


def test_no_recorded_answers(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        choose_pipeline(f"recorded:{tmp_path / 'none'}")
    with pytest.raises(InputError, match="holds no recorded answers"):
        choose_pipeline(f"recorded:{tmp_path}")
