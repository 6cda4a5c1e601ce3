"""What the adapters share, without any of their packages: the rows, the words, the passages, the loop on a thread."""

import asyncio
import gc
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from uuid import UUID

import pytest
from adapter_rows import EVERY, JUDGE, LOG, NOTICE, ROWS

import showable
from showable.adapters import unusable
from showable.adapters.passages import passages
from showable.adapters.scoring import Scoring
from showable.adapters.telling import acceptable, facts, in_words
from showable.converters.fields import Fields
from showable.converters.passages import ID_NAMES, META_ID_NAMES, TEXT_NAMES, read_log
from showable.errors import InputError, SettingError
from showable.judges.lexical import LexicalJudge
from showable.records import Record, Source


def record(row):
    return Record.model_validate(row.record)


@pytest.fixture
def scoring():
    one = Scoring(JUDGE)
    yield one
    one.close()


@EVERY
def test_the_rows_are_what_they_say(row):
    card = showable.score(row.record, judge=JUDGE)
    assert (card.bucket, card.cause) == (row.bucket, row.cause)


@EVERY
def test_scoring_says_what_score_says(row, scoring):
    card = scoring.card(record(row))
    assert card == showable.score(row.record, judge=JUDGE)
    assert acceptable(card) is row.acceptable


def test_one_judge_serves_many_threads_and_many_loops(scoring):
    def in_a_loop_of_its_own(row):
        return asyncio.run(scoring.card_in_loop(record(row)))

    with ThreadPoolExecutor(6) as pool:
        cards = list(pool.map(in_a_loop_of_its_own, ROWS * 3))
    assert [card.bucket for card in cards] == [row.bucket for row in ROWS] * 3


class Closing(LexicalJudge):
    """Counts how often it is closed, and by which thread it was asked."""

    def __init__(self):
        super().__init__()
        self.closed, self.threads = 0, set()

    async def verdicts(self, pairs):
        self.threads.add(threading.current_thread().name)
        return await super().verdicts(pairs)

    async def aclose(self):
        self.closed += 1


class Held(LexicalJudge):
    """Decides only once it is let go."""

    def __init__(self):
        super().__init__()
        self.asked, self.let_go = threading.Event(), threading.Event()

    async def verdicts(self, pairs):
        self.asked.set()
        assert self.let_go.wait(60)
        return await super().verdicts(pairs)


def test_the_loop_that_waits_is_not_blocked():
    judge = Held()

    async def tool():
        waiting = asyncio.create_task(scoring.card_in_loop(record(ROWS[0])))
        await asyncio.to_thread(judge.asked.wait, 60)
        judge.let_go.set()  # never reached, were the judge at work in this loop
        return await waiting

    scoring = Scoring(judge)
    assert asyncio.run(tool()).bucket == "correct"
    scoring.close()


def test_a_judge_that_was_given_is_asked_in_one_thread_and_left_open():
    judge = Closing()
    scoring = Scoring(judge)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(scoring.card, [record(row) for row in ROWS]))
    scoring.close()
    assert judge.threads == {"showable"}
    assert judge.closed == 0


@pytest.mark.parametrize("end", ["close", "forget"])
def test_a_judge_that_was_made_here_is_closed_once_and_its_thread_ends(monkeypatch, end):
    judge = Closing()
    monkeypatch.setattr("showable.api.choose", lambda _: judge)
    scoring = Scoring("lexical")
    assert scoring._room is None, "nothing starts before the first record"
    scoring.card(record(ROWS[0]))
    thread = scoring._room.thread
    assert thread.is_alive()
    if end == "close":
        scoring.close()
        scoring.close()
    else:
        del scoring
        gc.collect()
    assert judge.closed == 1
    assert not thread.is_alive()


def test_it_scores_again_after_it_was_closed(scoring):
    scoring.card(record(ROWS[0]))
    scoring.close()
    assert scoring.card(record(ROWS[0])).bucket == "correct"


@pytest.mark.slow
def test_the_process_ends_though_nobody_closed_it():
    code = (
        "from showable.adapters.scoring import Scoring; from showable import Record;"
        "kept = Scoring('lexical'); print(kept.card(Record(id='a', question='q?', answer='')).bucket)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert (done.stdout, done.stderr) == ("unknown\n", "")


def test_a_record_names_its_profile_unless_one_is_given():
    one = record(ROWS[0]).model_copy(update={"profile": "legal"})
    assert "|profile:legal@" in Scoring(JUDGE).signature(one)
    assert "|profile:general|" in Scoring(JUDGE, "general").signature(one)
    assert "|judge:lexical" in Scoring(JUDGE).signature(one)


@pytest.mark.parametrize("arguments", [{"judge": "oracle"}, {"judge": JUDGE, "profile": "nautical"}])
def test_a_judge_or_profile_that_there_is_not_is_refused_at_once(arguments):
    with pytest.raises(SettingError):
        Scoring(**arguments)


@EVERY
def test_words_are_one_safe_line_and_facts_are_json(row, scoring):
    card = scoring.card(record(row))
    said = in_words(card)
    assert said.startswith(row.bucket)
    assert (row.cause or "") in said
    assert said.isprintable()
    told = facts(card, scoring.signature(record(row)))
    assert (told["bucket"], told["cause"]) == (row.bucket, row.cause)
    assert told["signature"].startswith("version:")


def test_the_words_name_the_claim_that_is_to_be_mended(scoring):
    row = next(row for row in ROWS if row.name == "miscited")
    assert "claim 1 is" in in_words(scoring.card(record(row)))
    assert "“The notice period is 30 days" in in_words(scoring.card(record(row)))


class Document:
    """What LangChain hands around."""

    def __init__(self, page_content, metadata=None, id=None):  # noqa: A002 - their name
        self.page_content, self.metadata, self.id = page_content, metadata, id


# given, ids and texts; source: Source, plain lists, LangChain's Document, MLflow's retriever documents
LISTS = [
    (None, None),
    ([], []),
    (LOG, [("1", LOG[0]), ("2", LOG[1]), ("3", LOG[2])]),
    ([{"source_id": "lease", "text": NOTICE, "page": 3}], [("lease", NOTICE)]),
    ([Source(source_id="lease", text=NOTICE)], [("lease", NOTICE)]),
    ([Document(NOTICE, {"source": "lease.pdf"})], [("lease.pdf", NOTICE)]),
    ([Document(NOTICE, {"source": "lease.pdf"}, id="c7")], [("c7", NOTICE)]),
    ([{"page_content": NOTICE, "metadata": {"doc_uri": "s3://lease"}, "id": None}], [("s3://lease", NOTICE)]),
    ([{"content": NOTICE, "metadata": {"chunk_id": 7, "doc_uri": "s3://lease"}}], [("7", NOTICE)]),
    ([{"content": NOTICE, "metadata": None}, NOTICE], [("1", NOTICE), ("2", NOTICE)]),
    ([{"source_id": "lease", "content": NOTICE}], [("lease", NOTICE)]),
    ([{"content": NOTICE, "metadata": {"source": "lease.pdf", "read": date(2024, 1, 1)}}], [("lease.pdf", NOTICE)]),
]


@pytest.mark.parametrize(("given", "read"), LISTS)
def test_passages(given, read):
    got = passages(given)
    assert (None if got is None else [(one.source_id, one.text) for one in got]) == read


# source: the names that converters know, which are the ones a log converted from the same rows is read by
NAMED = [{id_name: "lease", text_name: NOTICE} for id_name in ID_NAMES for text_name in TEXT_NAMES]
NAMED += [{"text": NOTICE, "metadata": {name: "lease"}} for name in META_ID_NAMES]
NAMED += [{"id": 7, "passage": NOTICE, "page": 3, "url": "https://x.example", "title": "Lease", "score": 0.5}]


@pytest.mark.parametrize("given", NAMED)
def test_a_passage_is_the_one_that_the_converters_make(given):
    assert passages([given]) == read_log(Fields({"retrieved": [given]}), "retrieved")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("The lease.", "retrieved: expected a list of passages, got str"),
        ([7], r"retrieved\[0\]: expected a string or a mapping, got int"),
        ([{"source_id": "a", "txt": "x"}], r"retrieved\[0\].txt: unknown field"),
        ([{"content": NOTICE, "id": "a"}, NOTICE], "retrieved: expected an id for every passage, or for none"),
        ([{"body": NOTICE}], r"retrieved\[0\]: expected a text, or an object with a text or an id"),
        ([{"body": NOTICE, "metadata": {"source": "lease.pdf"}}], r"retrieved\[0\]: expected a text, or an object"),
        ([{"content": 7}], r"retrieved\[0\].content: expected a string, got a number"),
        ([{"content": NOTICE, "id": UUID(int=7)}], r"retrieved\[0\].id: expected a string or a whole number, got UUID"),
    ],
)
def test_what_is_no_list_of_passages_is_one_clear_line(given, said):
    with pytest.raises(InputError, match=said):
        passages(given)


def test_a_package_that_is_missing_is_named():
    gone = ImportError("No module named 'inspect_ai'", name="inspect_ai")
    assert str(unusable("Inspect AI", "inspect-ai", gone)).endswith("needs inspect-ai: pip install inspect-ai")
    inner = ImportError("No module named 'langchain.chat'", name="langchain.chat")
    assert "installed but cannot be imported: No module named 'langchain.chat'" in str(
        unusable("ragas", "ragas", inner)
    )


HIDDEN = """
import sys
TOOLS = {"inspect_ai", "mlflow", "deepeval", "ragas"}
class Hide:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in TOOLS:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Hide())
from importlib import import_module
import showable.adapters
print(sorted(TOOLS & set(sys.modules)))
for name in sorted(TOOLS):
    try:
        import_module(f"showable.adapters.{name}")
    except Exception as error:
        print(type(error).__name__, error)
"""


@pytest.mark.slow
def test_without_its_package_an_adapter_says_what_to_install():
    done = subprocess.run([sys.executable, "-c", HIDDEN], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.splitlines() == [
        "[]",
        "SettingError showable's adapter for DeepEval needs deepeval: pip install deepeval",
        "SettingError showable's adapter for Inspect AI needs inspect-ai: pip install inspect-ai",
        "SettingError showable's adapter for MLflow needs mlflow: pip install mlflow",
        "SettingError showable's adapter for ragas needs ragas: pip install ragas",
    ]
