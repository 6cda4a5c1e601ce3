"""What a judge decided is remembered on disk: paid for once, never mixed up, never an unknown."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Sequence

import pytest
from chat_server import Say, serve

from showable.judges.cache import CachedJudge
from showable.judges.chat import ChatJudge
from showable.judges.chat_settings import ChatSettings
from showable.judges.choose import choose
from showable.judges.verdict_store import VerdictStore
from showable.records import Cost, Judge, Pair, SettingError, Verdict

PAID = Cost(calls=1, tokens_in=10, tokens_out=5, usd=0.01)


class CountingJudge:
    """Remembers what it was asked; says supported unless the claim names another label."""

    def __init__(self, name="counting@1", prompt_hash="abc", delay_s=0.0) -> None:
        self.name, self.prompt_hash, self.delay_s = name, prompt_hash, delay_s
        self.asked: list[Pair] = []
        self.closed = False

    async def verdicts(self, pairs: Sequence[Pair]) -> list[Verdict]:
        self.asked += pairs
        await asyncio.sleep(self.delay_s)
        return [self._verdict(pair) for pair in pairs]

    def estimate(self, pairs: Sequence[Pair]) -> Cost:
        return sum((PAID for _ in pairs), Cost())

    async def aclose(self) -> None:
        self.closed = True

    def _verdict(self, pair: Pair) -> Verdict:
        label = pair.claim if pair.claim in {"unknown", "partial", "contradicted"} else "supported"
        return Verdict(label=label, judge=self.name, p=0.75, quote="naïve", quote_span=(0, 5), reason="é\n", cost=PAID)


def run(path, *batches: Sequence[Pair], judge=None):
    """Judge batches one after the other: (verdicts of all, inner judge, counters)."""

    async def go():
        inner = judge or CountingJudge()
        cached = CachedJudge(inner, path)
        try:
            verdicts = [verdict for batch in batches for verdict in await cached.verdicts(batch)]
        finally:
            await cached.aclose()
        return verdicts, inner, (cached.hits, cached.misses, cached.shared, cached.failures)

    return asyncio.run(go())


A, B, C = (Pair(f"claim {n}", f"passage {n}") for n in "abc")


def test_the_second_run_asks_nothing_and_gives_the_same_verdicts(tmp_path) -> None:
    first, _, counts = run(tmp_path / "v.sqlite", [A, B])
    again, inner, counts_again = run(tmp_path / "v.sqlite", [B, A, C])
    assert (counts, counts_again) == ((0, 2, 0, 0), (2, 1, 0, 0))
    assert inner.asked == [C]
    free = [verdict.model_copy(update={"cost": Cost()}) for verdict in first]
    assert [again[1], again[0]] == free
    assert [v.cost for v in first] == [PAID, PAID]


def test_an_unknown_is_asked_again(tmp_path) -> None:
    unknown = Pair("unknown", "p")
    for _ in range(2):
        (verdict,), inner, counts = run(tmp_path / "v.sqlite", [unknown])
        assert (verdict.label, inner.asked, counts) == ("unknown", [unknown], (0, 1, 0, 0))


def test_a_verdict_is_on_disk_before_it_is_returned(tmp_path) -> None:
    async def go():
        cached = CachedJudge(CountingJudge(), tmp_path / "v.sqlite")
        await cached.verdicts([A])
        with sqlite3.connect(tmp_path / "v.sqlite") as other:
            count = other.execute("SELECT count(*) FROM verdicts").fetchone()
        other.close()
        await cached.aclose()
        return count

    assert asyncio.run(go()) == (1,)


@pytest.mark.parametrize(
    "other",
    [
        A._replace(claim="claim A"),
        A._replace(passage="passage a "),
        A._replace(context="c"),
        A._replace(question="q"),
        A._replace(kind="holding"),
        Pair("claim ap", "assage a"),
        A._replace(context="x", question="y"),
    ],
)
def test_pairs_that_differ_anywhere_are_not_mixed_up(tmp_path, other) -> None:
    _, inner, _ = run(tmp_path / "v.sqlite", [A], [other])
    assert inner.asked == [A, other]


def test_another_judge_or_prompt_is_asked_anew_and_each_keeps_its_own(tmp_path) -> None:
    judges = [
        CountingJudge(),
        CountingJudge(name="counting@2"),
        CountingJudge(prompt_hash="abd"),
        CountingJudge(prompt_hash=None),
    ]
    for judge in judges * 2:
        (verdict,), _, _ = run(tmp_path / "v.sqlite", [A], judge=judge)
        assert verdict.judge == judge.name
    assert [judge.asked for judge in judges] == [[A]] * 4


def test_the_cache_is_a_judge_of_the_same_name(tmp_path) -> None:
    cached = CachedJudge(CountingJudge(), tmp_path / "v.sqlite")
    assert isinstance(cached, Judge)
    assert (cached.name, cached.prompt_hash) == ("counting@1", "abc")
    asyncio.run(cached.aclose())


def test_closing_closes_the_judge_within(tmp_path) -> None:
    _, inner, _ = run(tmp_path / "v.sqlite", [A])
    assert inner.closed


def test_equal_pairs_in_one_batch_are_asked_and_paid_once(tmp_path) -> None:
    verdicts, inner, counts = run(tmp_path / "v.sqlite", [A, B, A, A])
    assert (inner.asked, counts) == ([A, B], (0, 2, 2, 0))
    assert [v.cost for v in verdicts] == [PAID, PAID, Cost(), Cost()]


def test_equal_pairs_under_way_share_one_question(tmp_path) -> None:
    async def go():
        inner = CountingJudge(delay_s=0.05)
        cached = CachedJudge(inner, tmp_path / "v.sqlite")
        batches = await asyncio.gather(*(cached.verdicts([A, B] if n % 2 else [B, A]) for n in range(10)))
        await cached.aclose()
        return inner, batches, cached

    inner, batches, cached = asyncio.run(go())
    assert sorted(inner.asked) == [A, B]
    assert all(verdict.label == "supported" for batch in batches for verdict in batch)
    assert sum((v.cost for batch in batches for v in batch), Cost()) == PAID + PAID
    assert (cached.hits, cached.misses, cached.shared) == (0, 2, 18)


def test_who_waits_asks_itself_when_the_asker_is_cancelled(tmp_path) -> None:
    async def go():
        inner = CountingJudge(delay_s=0.1)
        cached = CachedJudge(inner, tmp_path / "v.sqlite")
        first = asyncio.create_task(cached.verdicts([A]))
        await asyncio.sleep(0.03)
        second = asyncio.create_task(cached.verdicts([A]))
        await asyncio.sleep(0.03)
        first.cancel()
        verdicts = await second
        await cached.aclose()
        return first.cancelled(), verdicts, inner.asked, cached._flights

    cancelled, (verdict,), asked, flights = asyncio.run(go())
    assert (cancelled, verdict.label, asked) == (True, "supported", [A, A])
    assert not any(flights.values())


def test_an_error_of_the_judge_within_comes_through_and_blocks_nothing(tmp_path) -> None:
    class Stopping(CountingJudge):
        async def verdicts(self, pairs):
            if not self.asked:
                self.asked += pairs
                raise SettingError("stopped")
            return await super().verdicts(pairs)

    async def go():
        cached = CachedJudge(Stopping(), tmp_path / "v.sqlite")
        with pytest.raises(SettingError, match="stopped"):
            await cached.verdicts([A])
        verdicts = await cached.verdicts([A])
        await cached.aclose()
        return verdicts

    assert asyncio.run(go())[0].label == "supported"


def test_an_estimate_counts_only_what_is_not_on_disk(tmp_path) -> None:
    async def go():
        cached = CachedJudge(CountingJudge(), tmp_path / "v.sqlite")
        before = cached.estimate([A, B, B, C]).calls
        await cached.verdicts([A])
        after = cached.estimate([A, B, B, C]).calls
        await cached.aclose()
        return before, after

    assert asyncio.run(go()) == (3, 2)


def test_more_pairs_than_one_query_holds(tmp_path) -> None:
    pairs = [Pair(str(n), "p") for n in range(1201)]
    run(tmp_path / "v.sqlite", pairs)
    verdicts, inner, counts = run(tmp_path / "v.sqlite", pairs)
    assert (len(verdicts), inner.asked, counts) == (1201, [], (1201, 0, 0, 0))


def test_an_empty_batch_is_no_work(tmp_path) -> None:
    assert run(tmp_path / "v.sqlite", [])[0] == []


def test_folders_are_made_on_the_way(tmp_path) -> None:
    run(tmp_path / "new" / "folder" / "v.sqlite", [A])
    assert (tmp_path / "new" / "folder" / "v.sqlite").exists()


# --- damage ---------------------------------------------------------------------------------------------


def filled(path):
    run(path, [Pair(str(n), "p" * 100) for n in range(300)])
    return path


@pytest.mark.parametrize("damage", ["not a database at all, but long enough to be read as one" * 50, "page", "cut"])
def test_a_damaged_file_is_an_error_that_names_it_and_says_to_delete_it(tmp_path, damage) -> None:
    path = tmp_path / "v.sqlite"
    if damage == "cut":
        path.write_bytes(filled(path).read_bytes()[:-6000])
    elif damage == "page":
        data = bytearray(filled(path).read_bytes())
        data[4096:-4096] = b"\xff" * (len(data) - 8192)
        path.write_bytes(bytes(data))
    else:
        path.write_text(damage)
    with pytest.raises(SettingError, match=r"v\.sqlite: damaged.*delete it"):
        VerdictStore(path)


def test_a_file_of_another_format_is_refused(tmp_path) -> None:
    with sqlite3.connect(filled(tmp_path / "v.sqlite")) as other:
        other.execute("PRAGMA user_version=99")
    other.close()
    with pytest.raises(SettingError, match=r"v\.sqlite: written by another version"):
        VerdictStore(tmp_path / "v.sqlite")


def test_a_place_that_cannot_hold_a_file_is_refused(tmp_path) -> None:
    (tmp_path / "file").write_text("x")
    for path in (tmp_path, tmp_path / "file" / "v.sqlite"):
        with pytest.raises(SettingError, match="cannot be opened"):
            VerdictStore(path)


def test_a_row_that_cannot_be_read_is_asked_for_again(tmp_path) -> None:
    run(tmp_path / "v.sqlite", [A, B])
    with sqlite3.connect(tmp_path / "v.sqlite") as other:
        other.execute('UPDATE verdicts SET verdict = \'{"label": "splendid"}\'')
    other.close()
    verdicts, inner, counts = run(tmp_path / "v.sqlite", [A, B])
    assert ([v.label for v in verdicts], inner.asked) == (["supported", "supported"], [A, B])
    assert counts == (0, 2, 0, 2)


def test_a_disk_that_takes_nothing_costs_the_cache_and_not_the_verdict(tmp_path) -> None:
    async def go():
        cached = CachedJudge(CountingJudge(), tmp_path / "v.sqlite")
        cached._store._connection.execute("PRAGMA max_page_count=2")  # as a full disk: "database or disk is full"
        verdicts = await cached.verdicts([Pair(str(n), "p") for n in range(200)])
        failures = cached.failures
        await cached.aclose()
        return verdicts, failures

    verdicts, failures = asyncio.run(go())
    assert ({v.label for v in verdicts}, failures) == ({"supported"}, 1)


# --- several at once ------------------------------------------------------------------------------------

WRITER = """
import sys
from pathlib import Path
from showable.judges.verdict_store import VerdictStore
from showable.records import Verdict
me = sys.argv[2]
store = VerdictStore(Path(sys.argv[1]))
for n in range(100):
    store.put({f"{me}-{n}": Verdict(label="supported", judge=me), f"both-{n}": Verdict(label="partial", judge="j")})
found = store.get([f"{me}-{n}" for n in range(100)])
store.close()
print(len(found), store.failures)
"""


def test_two_processes_write_one_file_at_once(tmp_path) -> None:
    path = tmp_path / "v.sqlite"
    command = [sys.executable, "-c", WRITER, str(path)]
    processes = [subprocess.Popen([*command, name], stdout=subprocess.PIPE, text=True) for name in "ab"]
    assert [process.communicate()[0].strip() for process in processes] == ["100 0", "100 0"]
    store = VerdictStore(path)
    keys = [f"{name}-{n}" for name in ("a", "b", "both") for n in range(100)]
    assert len(store.get(keys)) == 300
    store.close()


def test_many_threads_with_loops_of_their_own_use_one_cache(tmp_path) -> None:
    cached = CachedJudge(CountingJudge(), tmp_path / "v.sqlite")
    labels: list[str] = []

    def work(n) -> None:
        pairs = [Pair(str(m % 20), "p") for m in range(n, n + 20)]
        labels.extend(verdict.label for verdict in asyncio.run(cached.verdicts(pairs)))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    asyncio.run(cached.aclose())
    assert (labels, cached.failures) == (["supported"] * 160, 0)


# --- with the chat judge --------------------------------------------------------------------------------


def test_a_second_run_with_the_chat_judge_makes_no_calls(tmp_path) -> None:
    reply = Say('{"reason": "r", "quote": "30 days", "verdict": "supported", "p": null}')
    pairs = [Pair("It is 30 days.", "The period is 30 days."), Pair("It is thirty days.", "The period is 30 days.")]

    async def go():
        async with serve([reply]) as server:
            names, verdicts = [], []
            for _ in range(2):
                judge = choose(f"chat:m@{server.url}", cache=tmp_path / "v.sqlite", environ={})
                names.append(judge.name)
                verdicts.append(await judge.verdicts(pairs))
                await judge.aclose()
            bare = ChatJudge(ChatSettings(model="m", base_url=server.url)).name
            return names, verdicts, server.requests, bare

    names, (first, second), requests, bare = asyncio.run(go())
    assert len(requests) == 2
    assert names == [bare, bare]
    assert [v.model_copy(update={"cost": None}) for v in first] == [v.model_copy(update={"cost": None}) for v in second]
    assert [v.cost for v in second] == [Cost(), Cost()]


def test_samples_batches_and_domains_do_not_share_verdicts(tmp_path) -> None:
    reply = Say('{"reason": "r", "quote": "30 days", "verdict": "supported", "p": null}')
    settings = [ChatSettings(), ChatSettings(samples=3), ChatSettings(batch=8), ChatSettings(domain="legal")]

    async def go():
        async with serve([reply]) as server:
            calls = []
            for chat in settings * 2:
                judge = choose(f"chat:m@{server.url}", cache=tmp_path / "v.sqlite", chat=chat, environ={})
                await judge.verdicts([Pair("It is 30 days.", "The period is 30 days.")])
                await judge.aclose()
                calls.append(len(server.requests))
            return calls

    assert asyncio.run(go()) == [1, 4, 5, 6, 6, 6, 6, 6]


def test_a_judge_that_costs_nothing_needs_no_cache(tmp_path) -> None:
    assert not isinstance(choose("lexical", cache=tmp_path / "v.sqlite"), CachedJudge)
    assert not (tmp_path / "v.sqlite").exists()
