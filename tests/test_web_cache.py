"""Answers on disk: what is kept and for how long, several processes, damaged files; and one question under way per key."""

import asyncio
import sqlite3
import subprocess
import sys
import typing

import pytest
from tables import every_row

from showable.records import Entry, Found, Notice
from showable.records.lookups import FoundStatus
from showable.registries.consult_ask import Flights
from showable.registries.consult_cache import TIMES_TO_LIVE, AnswerCache, lives_s

DAY = 86_400
HAS = Found(
    status="found",
    registry="crossref",
    entries=(Entry(title="A title", years=(2013,), notices=(Notice(kind="corrected", reason="erratum"),)),),
    url="https://api.crossref.org/works/10.1%2Fx",
    http_status=200,
    at="2026-01-01T00:00:00+00:00",
)


class Clock:
    def __init__(self, now=1_800_000_000.0):
        self.now = now

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def cache(tmp_path, clock):
    made = AnswerCache(tmp_path / "deep" / "registries.sqlite", clock)
    yield made
    made.close()


@every_row(("status", "kind", "days"), [
    ("found", "case", 7),
    ("found", "usc", 7),
    ("found", "isbn", 7),
    ("found", "doi", 1),  # it may be retracted tomorrow
    ("found", "pmid", 1),
    ("found", "arxiv", 1),
    ("found", "bibliographic", 1),
    ("not_found", "doi", 1),  # a new DOI appears within minutes, elsewhere within hours
    ("not_found", "case", 1),
    ("not_covered", "case", 1),
    ("ambiguous", "case", 1),
    ("malformed", "doi", 1),
    ("unreachable", "doi", None),
    ("rate_limited", "doi", None),
    ("not_configured", "case", None),
    ("blocked_url", "url", None),
])  # fmt: skip
def test_how_long_an_answer_is_believed(status, kind, days):
    assert lives_s(status, kind) == (None if days is None else days * DAY)


def test_every_status_is_either_kept_or_known_not_to_be():
    never = {"unreachable", "rate_limited", "not_configured", "blocked_url"}
    assert set(TIMES_TO_LIVE) | never == set(typing.get_args(FoundStatus))


def test_an_answer_comes_back_whole_and_marked(cache):
    cache.put("k", "case", HAS)
    assert cache.get("k") == HAS.model_copy(update={"cached": True})
    assert cache.get("other") is None


def test_an_answer_expires(cache, clock):
    cache.put("k", "doi", HAS)
    clock.now += DAY - 1
    assert cache.get("k")
    clock.now += 2
    assert cache.get("k") is None


@pytest.mark.parametrize("status", ["unreachable", "rate_limited", "not_configured", "blocked_url"])
def test_what_was_not_learned_is_never_kept(cache, status):
    cache.put("k", "doi", Found(status=status, registry="x", reason="r"))
    assert cache.get("k") is None


def test_an_answer_from_the_cache_does_not_live_longer_for_being_read(cache, clock):
    cache.put("k", "doi", HAS)
    clock.now += DAY - 1
    cache.put("k", "doi", cache.get("k"))
    clock.now += 2
    assert cache.get("k") is None


def test_a_clock_set_back_does_not_make_old_answers_eternal(cache, clock):
    cache.put("k", "doi", HAS)
    clock.now -= 30 * DAY
    assert cache.get("k") is None


def test_what_has_expired_is_dropped_when_the_file_is_opened(tmp_path, clock):
    path = tmp_path / "c.sqlite"
    first = AnswerCache(path, clock)
    first.put("old", "doi", HAS)
    first.close()
    clock.now += 2 * DAY
    second = AnswerCache(path, clock)
    second.put("new", "doi", HAS)
    second.close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT key FROM answers_1").fetchall() == [("new",)]
    connection.close()


def test_a_file_that_somebody_holds_is_waited_for_once(tmp_path, monkeypatch):
    monkeypatch.setattr("showable.registries.consult_cache._BUSY_S", 0.05)
    cache = AnswerCache(tmp_path / "c.sqlite")
    other = sqlite3.connect(tmp_path / "c.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    cache.put("k", "doi", HAS)
    assert cache._connection.execute("PRAGMA busy_timeout").fetchone() == (0,)
    assert (cache.get("k"), cache.failures) == (None, 1)
    other.execute("ROLLBACK")
    other.close()
    cache.put("k", "doi", HAS)
    assert cache.get("k")
    cache.close()


def test_a_key_of_half_a_character_is_not_kept(cache):
    cache.put("10.1/\ud800", "doi", HAS)
    assert (cache.get("10.1/\ud800"), cache.failures) == (None, 2)


def test_a_row_that_cannot_be_read_back_counts_as_absent(cache):
    cache.put("k", "doi", HAS)
    cache._connection.execute('UPDATE answers_1 SET answer = \'{"status": "perhaps"}\'')
    assert cache.get("k") is None
    assert cache.failures == 1


@pytest.mark.parametrize(
    "content", [b"not a database at all, but text" * 100, b"SQLite format 3\x00" + b"\xff" * 5_000]
)
def test_a_damaged_file_is_set_aside_with_one_line(tmp_path, content):
    path = tmp_path / "c.sqlite"
    path.write_bytes(content)
    cache = AnswerCache(path)
    cache.put("k", "case", HAS)
    assert cache.get("k")
    cache.close()
    (aside,) = tmp_path.glob("c.sqlite.damaged-*")
    assert aside.read_bytes() == content
    assert "damaged" in cache.note
    assert aside.name in cache.note
    assert "\n" not in cache.note


def test_a_file_damaged_within_is_set_aside(tmp_path):
    path = tmp_path / "c.sqlite"
    first = AnswerCache(path)
    for number in range(500):
        first.put(f"k{number}", "case", HAS)
    first.close()
    whole = bytearray(path.read_bytes())
    whole[8_192:20_000] = b"\xaa" * (20_000 - 8_192)
    path.write_bytes(whole)
    second = AnswerCache(path)
    assert "damaged" in second.note
    assert second.get("k1") is None
    second.close()


def test_a_place_that_cannot_be_written_costs_the_cache_alone(tmp_path):
    (tmp_path / "file").write_text("")
    cache = AnswerCache(tmp_path / "file" / "c.sqlite")
    assert "not kept" in cache.note
    cache.put("k", "case", HAS)
    assert cache.get("k") is None
    cache.close()
    folder = tmp_path / "folder.sqlite"
    folder.mkdir()
    cache = AnswerCache(folder)
    assert "not kept" in cache.note
    cache.close()


def test_a_closed_cache_answers_nothing_and_takes_nothing(cache):
    cache.close()
    cache.put("k", "case", HAS)
    assert cache.get("k") is None


WRITER = """
import sys
from pathlib import Path
from showable.records import Entry, Found
from showable.registries.consult_cache import AnswerCache

cache = AnswerCache(Path(sys.argv[1]))
for number in range(200):
    found = Found(status="found", registry=sys.argv[2], entries=(Entry(title=str(number)),))
    cache.put(f"{sys.argv[2]} {number}", "case", found)
    cache.put(f"shared {number}", "case", found)
    assert cache.get(f"{sys.argv[2]} {number}").entries[0].title == str(number)
print(cache.failures, cache.note)
cache.close()
"""


def test_several_processes_write_at_once(tmp_path):
    path = tmp_path / "c.sqlite"
    command = [sys.executable, "-c", WRITER, str(path)]
    running = [subprocess.Popen([*command, name], stdout=subprocess.PIPE, text=True) for name in ("a", "b", "c")]
    said = [process.communicate(timeout=60)[0].strip() for process in running]
    assert said == ["0", "0", "0"]
    cache = AnswerCache(path)
    assert all(cache.get(f"{name} {number}") for name in "abc" for number in range(200))
    cache.close()


# --- one question under way ----------------------------------------------------------------------------------


def test_equal_questions_at_the_same_time_are_one():
    asked = 0

    async def ask():
        nonlocal asked
        asked += 1
        await asyncio.sleep(0.01)
        return HAS

    async def many():
        flights = Flights()
        together = await asyncio.gather(*(flights.join("k", ask) for _ in range(50)), flights.join("other", ask))
        later = await flights.join("k", ask)
        return [*together, later]

    assert asyncio.run(many()) == [HAS] * 52
    assert asked == 3


def test_a_question_outlives_the_first_who_asked_it_but_not_the_last():
    ended = []

    async def ask():
        try:
            await asyncio.sleep(0.05)
        except asyncio.CancelledError:
            ended.append("given up")
            raise
        ended.append("answered")
        return HAS

    async def first_leaves():
        flights = Flights()
        first, second = (asyncio.create_task(flights.join("k", ask)) for _ in range(2))
        await asyncio.sleep(0.01)
        first.cancel()
        return await second

    async def all_leave():
        flights = Flights()
        only = asyncio.create_task(flights.join("k", ask))
        await asyncio.sleep(0.01)
        only.cancel()
        await asyncio.gather(only, return_exceptions=True)
        return await flights.join("k", ask)

    assert asyncio.run(first_leaves()) == HAS
    assert ended == ["answered"]
    assert asyncio.run(all_leave()) == HAS
    assert ended == ["answered", "given up", "answered"]


def test_a_question_that_fails_fails_for_everyone_and_is_forgotten():
    async def ask():
        await asyncio.sleep(0)
        raise ValueError("no")

    async def many():
        flights = Flights()
        results = await asyncio.gather(*(flights.join("k", ask) for _ in range(3)), return_exceptions=True)
        return [type(result) for result in results], dict(next(iter(flights._loops.values())))

    assert asyncio.run(many()) == ([ValueError] * 3, {})
