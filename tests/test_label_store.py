"""The label store: nothing acknowledged is lost, nothing is there twice, and whatever the disk refuses is said in one line."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sqlite3
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from forked import forked, needs_fork
from hypothesis import given, settings
from hypothesis import strategies as st
from labels_given import GUIDES, label, labels, new_store

from showable.errors import SettingError
from showable.records.label_guide import GUIDE, guide_text
from showable.stores.labels.store import LabelStore


@pytest.fixture
def store(tmp_path):
    with LabelStore.open(tmp_path / "labels.sqlite") as opened:
        yield opened


def said(store, **wanted):
    return [one.value for one in store.current(**wanted)]


# ---- the log


def test_the_last_word_holds_and_every_word_is_kept(store):
    assert store.add(label("a", "supported"))
    assert store.add(label("b", "partial", at="2026-01-31T09:31:00Z"))
    assert store.add(label("c", "wrong", about="bucket"))
    assert store.add(label("d", "unsupported", who="Bo Ek"))
    assert said(store, reviewer="Ada") == ["wrong", "partial"]
    assert said(store, record="q1") == ["wrong", "partial", "unsupported"]
    assert [one.id for one in store.history()] == ["a", "b", "c", "d"]
    assert store.count() == 4


def test_a_word_taken_back_no_longer_holds_and_stays_in_the_log(store):
    store.add(label("a"))
    store.add(label("b", None))
    assert said(store) == []
    assert [one.value for one in store.last_words()] == [None]
    assert store.count() == 2


def test_a_label_posted_twice_is_there_once_whatever_its_clock_says(store):
    assert store.add(label("a", seconds=1.0))
    assert not store.add(label("a", seconds=9.0, at="2026-02-01T00:00:00Z", blind=False))
    assert store.current()[0].seconds == 1.0


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (label("a", "partial"), "id: another label has the id a: value is 'supported' there and 'partial' here"),
        (label("a", record="q2"), "id: another label has the id a: record is 'q1' there and 'q2' here"),
        (label("b", role="engineer"), "role: Ada labels here as senior, not as engineer; take another name for another role"),
        (label("b", who="ADA", role="senior"), "reviewer: 'ADA' is written 'Ada' here; names that differ by case alone are one person"),
        (label("b", at="2026-02-30T00:00:00Z"), "at: no such time: '2026-02-30T00:00:00Z'"),
    ],
)  # fmt: skip
def test_a_label_that_cannot_be_is_refused_and_leaves_nothing(store, other, message):
    store.add(label("a"))
    before = store.history()
    for write in (store.add, lambda one: store.add_many([label("fresh"), one])):
        with pytest.raises(SettingError) as refused:
            write(other)
        assert str(refused.value) == message
        assert store.history() == before


def test_a_clock_that_was_set_back_does_not_bring_an_earlier_word_back(store):
    store.add(label("z", "supported", at="2026-01-31T09:30:00Z"))
    store.add(label("a", "partial", at="2025-01-31T09:30:00Z"))
    assert said(store) == ["partial"]
    assert store.current()[0].at == "2026-01-31T09:30:00.000001Z"


def test_records_of_others_are_those_that_anybody_else_ever_labelled(store):
    store.add(label("a", record="q1"))
    store.add(label("b", record="q2", who="Bo"))
    store.add(label("c", None, record="q2", who="Bo"))
    assert (store.records_of_others("Ada"), store.records_of_others("Bo")) == ({"q2"}, {"q1"})
    assert store.records_of_others("Cy") == {"q1", "q2"}


def test_adjudication_stands_beside_ones_own_word(store):
    store.add(label("a", "supported"))
    store.add(label("b", "partial", adjudicated=True))
    assert [(one.value, one.adjudicated) for one in store.current()] == [("supported", False), ("partial", True)]


@settings(max_examples=20)
@given(labels(), st.randoms(use_true_random=False))
def test_the_order_of_delivery_does_not_matter(made, random):
    """The same labels in any order, in one go or many, come to the same last words: those of the latest (time, id)."""
    shuffled = random.sample(made, len(made))
    with new_store() as one, new_store() as other:
        assert one.add_many(made) == len(made)
        assert sum(other.add_many([each]) for each in shuffled) == len(made)
        assert one.current() == other.current()
        assert one.add_many(shuffled) == 0
        keys = Counter((each.target, each.reviewer, each.adjudicated) for each in made)
        assert Counter((each.target, each.reviewer, each.adjudicated) for each in one.last_words()) == Counter(
            keys.keys()
        )
        assert one.count() == len(made)


# ---- undo


def test_undo_steps_back_through_ones_own_changes_also_after_a_restart(tmp_path):
    path = tmp_path / "l"
    with LabelStore.open(path) as store:
        store.add(label("a", "supported"))
        store.add(label("x", "contradicted", who="Bo Ek"))
        store.add(label("b", "partial"))
        store.add(label("c", "wrong", about="bucket"))
    seen = []
    for _ in range(4):
        with LabelStore.open(path) as store:
            found = store.undo("Ada")
            seen.append(found and (found[0].id, found[1] and found[1].value))
    with LabelStore.open(path) as store:
        assert seen == [("c", None), ("b", "supported"), ("a", None), None]
        assert said(store) == ["contradicted"]
        assert store.count() == 7
        store.add(label("d", "unsupported"))
        assert store.undo("Ada")[0].id == "d"
        assert said(store, reviewer="Ada") == []


def test_undoing_a_take_back_gives_the_word_back(store):
    store.add(label("a", "supported"))
    store.add(label("b", None))
    undone, now = store.undo("Ada")
    assert (undone.value, now.value) == (None, "supported")
    assert said(store) == ["supported"]


def test_what_was_imported_is_not_undone_but_shows_again(store):
    store.add_many([label("a", "partial", at="2020-01-01T00:00:00Z")])
    assert store.undo("Ada") is None
    store.add(label("b", "supported"))
    _, now = store.undo("Ada")
    assert now.value == "partial"


@settings(max_examples=30)
@given(
    st.lists(
        st.tuples(st.sampled_from(["support", "bucket"]), st.sampled_from(["supported", None, "wrong"])), max_size=8
    ),
    st.data(),
)
def test_undoing_everything_is_as_if_nothing_had_been_said(given_words, data):
    """Against a plain stack: after any number of undos the words are those that were given before the undone ones."""
    words = [(about, "wrong" if value and about == "bucket" else value and "supported") for about, value in given_words]
    undos = data.draw(st.integers(0, len(words)))
    with new_store() as store:
        for number, (about, value) in enumerate(words):
            store.add(label(f"l{number}", value, about=about))
        for _ in range(undos):
            assert store.undo("Ada") is not None
        held = dict(words[: len(words) - undos])
        assert {one.about: one.value for one in store.current()} == {about: v for about, v in held.items() if v}


# ---- people


def test_a_name_has_one_role_and_is_known_again(store):
    first = store.enter("Ada", "senior")
    assert store.enter("  ada ", "senior") == first
    store.enter("Bo", "engineer")
    assert [(one.name, one.role) for one in store.reviewers()] == [("Ada", "senior"), ("Bo", "engineer")]
    with pytest.raises(SettingError, match="Ada labels here as senior, not as engineer; take another name"):
        store.enter("ADA", "engineer")
    assert len(store.reviewers()) == 2


@pytest.mark.parametrize("name", ["", " ", "a,b", "a|b", "a\nb", "x" * 61, "red\x1b[31m", "a\u202eb"])
def test_a_name_that_cannot_stand_in_a_file_is_refused(store, name):
    with pytest.raises(SettingError, match="name: expected 1 to 60 characters"):
        store.enter(name, "senior")
    with pytest.raises(SettingError, match="role: expected one of senior, reviewer, engineer, got 'boss'"):
        store.enter("Ada", "boss")


# ---- queues


def test_shared_records_go_to_everybody_and_the_rest_to_one(store):
    store.make_queue("q", "random", [f"r{n}" for n in range(1, 8)], 2)
    got = {"Ada": [], "Bo": []}
    for who in ("Ada", "Bo", "Ada", "Ada", "Bo", "Bo", "Ada", "Bo", "Ada", "Bo", "Ada"):
        record = store.next_record("q", who)
        if record is not None:
            got[who].append(record)
            store.finish("q", who, record)
    assert got["Ada"][:2] == got["Bo"][:2] == ["r1", "r2"]
    rest = sorted(got["Ada"][2:] + got["Bo"][2:])
    assert rest == ["r3", "r4", "r5", "r6", "r7"]
    for who, records in got.items():
        assert [store.record_at("q", who, n) for n in range(1, len(records) + 1)] == records
        assert [store.position_of("q", who, one) for one in records] == list(range(1, len(records) + 1))
        assert store.records_dealt("q", who) == [(one, True) for one in records]
        place = store.place("q", who)
        assert (place.done, place.mine, place.of, place.left, place.position) == (
            len(records),
            len(records),
            7,
            0,
            len(records) + 1,
        )
    assert (
        store.record_at("q", "Ada", 0) is store.record_at("q", "Ada", 99) is store.position_of("q", "Bo", "r99") is None
    )


def test_what_was_begun_comes_first_and_what_was_passed_over_comes_back(store):
    store.make_queue("q", "random", ["a", "b", "c"], 0)
    assert store.next_record("q", "Ada") == "a"
    assert store.next_record("q", "Ada") == "a"
    assert store.next_record("q", "Ada", after="a") == "b"
    store.finish("q", "Ada", "b")
    assert store.next_record("q", "Ada", after="b") == "c"
    store.finish("q", "Ada", "c")
    store.finish("q", "Ada", "c")
    assert store.next_record("q", "Ada", after="c") == "a"
    assert store.place("q", "Ada").position == 1
    store.finish("q", "Ada", "a")
    assert store.next_record("q", "Ada", after="a") is None
    store.reopen("q", "Ada", "b")
    assert store.next_record("q", "Ada") == "b"


def test_an_abandoned_record_can_be_given_back(store):
    store.make_queue("q", "random", ["a", "b", "c"], 1)
    for before, record in ((None, "a"), ("a", "b"), ("b", "c")):
        assert store.next_record("q", "Ada", after=before) == record
    store.finish("q", "Ada", "c")
    assert store.next_record("q", "Bo", after="a") == "a"
    store.finish("q", "Bo", "a")
    assert store.next_record("q", "Bo") is None
    assert store.release("q", "Ada") == ["b"]
    assert store.release("q", "Ada") == []
    assert store.next_record("q", "Bo") == "b"


def test_the_pace_is_the_median_of_what_finished_records_took(store):
    store.make_queue("q", "random", ["q1", "q2", "q3", "q4"], 0)
    assert store.place("q", "Ada").seconds_each is None
    for n, seconds in enumerate((4.0, 10.0, 600.0), 1):
        store.next_record("q", "Ada")
        store.add(label(f"a{n}", record=f"q{n}", seconds=seconds / 2))
        store.add(label(f"b{n}", "correct", about="bucket", record=f"q{n}", seconds=seconds / 2))
        store.finish("q", "Ada", f"q{n}")
    place = store.place("q", "Ada")
    assert (place.seconds_each, place.left, place.seconds_left) == (10.0, 1, 10.0)


@pytest.mark.parametrize(
    ("name", "records", "overlap", "message"),
    [
        ("Q", ["a"], 0, "queue 'Q': expected a name of small letters"),
        ("../q", ["a"], 0, "queue '../q': expected a name"),
        ("q", [], 0, "queue q: no record belongs in it"),
        ("q", ["a", "a"], 0, "queue q: a record comes twice in it"),
        ("q", ["a"], -1, "queue q: overlap: expected 0 or more, got -1"),
        ("held", ["b"], 0, "queue held: there is one of that name, of other records; give this one another name"),
    ],
)
def test_a_queue_that_cannot_be_is_refused(store, name, records, overlap, message):
    made = store.make_queue("held", "random", ["a"], 5, 3)
    assert store.make_queue("held", "random", ["a"], 5, 3) == made
    assert (made.overlap, made.n, made.seed) == (1, 1, 3)
    with pytest.raises(SettingError) as refused:
        store.make_queue(name, "random", records, overlap)
    assert message in str(refused.value)
    assert store.queues() == [made]


def test_a_queue_or_record_that_is_not_ones_own_is_refused(store):
    store.make_queue("q", "random", ["a"], 0)
    with pytest.raises(SettingError, match="queue 'none': there is none of that name"):
        store.next_record("none", "Ada")
    with pytest.raises(SettingError, match="record 'a' of queue q was not given to Ada"):
        store.finish("q", "Ada", "a")


def test_the_hold_out_is_pinned_once(store):
    assert store.hold_out() == []
    store.pin_hold_out(["b", "a"])
    store.pin_hold_out(["a", "b"])
    assert store.hold_out() == ["b", "a"]
    with pytest.raises(SettingError, match="hold-out: 2 records are pinned already, of which 1 are among these"):
        store.pin_hold_out(["a", "c"])
    with pytest.raises(SettingError, match="expected at least one record, and each once"):
        store.pin_hold_out([])


# ---- several at once


def test_threads_and_two_open_stores_lose_and_double_nothing(tmp_path):
    path = tmp_path / "l"
    with LabelStore.open(path) as one, LabelStore.open(path) as other:
        one.make_queue("q", "random", [f"r{n}" for n in range(40)], 4)

        def work(number):
            store, who = (one, other)[number % 2], f"p{number}"
            done = []
            while (record := store.next_record("q", who)) is not None:
                assert store.add(label(f"{who}-{record}", who=who, record=record))
                store.add(label(f"{who}-{record}", who=who, record=record))
                store.finish("q", who, record)
                done.append(record)
            return done

        with ThreadPoolExecutor(4) as pool:
            each = list(pool.map(work, range(4)))
        counts = Counter(record for done in each for record in done)
        assert counts == {f"r{n}": 4 if n < 4 else 1 for n in range(40)}
        assert one.current() == other.current()
        assert len(one.current()) == one.count() == counts.total()


@needs_fork
def test_processes_at_once_share_one_file_from_its_making_on(tmp_path):
    path = tmp_path / "l"

    def work(who):
        with LabelStore.open(path, run_fingerprint="f") as store:
            store.make_queue("q", "random", [f"r{n}" for n in range(20)], 0)
            while (record := store.next_record("q", who)) is not None:
                store.add(label(f"{who}-{record}", who=who, record=record))
                store.finish("q", who, record)

    with forked(partial(work, "p0"), tmp_path / "p0") as one, forked(partial(work, "p1"), tmp_path / "p1") as other:
        for process in (one, other):
            assert (process.wait(), process.err) == (0, "")
    with LabelStore.open(path, run_fingerprint="f") as store:
        assert sorted(one.record for one in store.current()) == sorted(f"r{n}" for n in range(20))


@needs_fork
def test_a_killed_process_leaves_every_label_that_it_acknowledged(tmp_path):
    path = tmp_path / "l"

    def work(round_):
        with LabelStore.open(path) as store:
            for n in range(10**6):
                assert store.add(label(f"k{round_}-{n}", record=f"r{n}"))
                sys.stdout.write(f"k{round_}-{n}\n")  # line by line: flushed

    for round_ in range(2):
        with forked(partial(work, round_), tmp_path / "said") as process:
            process.until(lambda: process.out.count("\n") >= 25 + 7 * round_)  # noqa: B023 - called here
            process.send(signal.SIGKILL)
            assert process.wait() == -signal.SIGKILL
        acknowledged = process.out.split()
        with LabelStore.open(path) as store:
            held = [one.id for one in store.history() if one.id.startswith(f"k{round_}-")]
        assert len(acknowledged) >= 25
        assert held[: len(acknowledged)] == acknowledged
        assert len(held) <= len(acknowledged) + 1  # one may be written down and not yet told


# ---- what the disk and the file refuse


def one_line(error, *parts):
    text = str(error.value)
    assert "\n" not in text
    for part in parts:
        assert part in text


def test_a_full_disk_is_said_and_what_was_acknowledged_stands(store):
    store.add(label("a"))
    (pages,) = store._file._connection.execute("PRAGMA page_count").fetchone()
    store._file._connection.execute(f"PRAGMA max_page_count={pages + 2}")
    comments = (label(f"l{n}", "x" * 4_000, about="comment", record=f"r{n}") for n in range(200))
    with pytest.raises(SettingError) as refused:
        Counter(map(store.add, comments))
    one_line(refused, "labels.sqlite: the disk is full; nothing of this was written")
    held = store.history()
    assert held[0].id == "a"
    assert store.count() == len(held)
    store._file._connection.execute(f"PRAGMA max_page_count={pages + 50}")
    assert store.add(label("after"))


@needs_fork
def test_a_file_system_that_gives_no_more_room_is_said(tmp_path):
    def work():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        with LabelStore.open(tmp_path / "l") as store:
            resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
            n = 0
            try:
                while True:
                    store.add(label(f"l{n}", "x" * 4_000, about="comment", record=f"r{n}"))
                    n += 1
            except SettingError as error:
                sys.stdout.write(f"{n} {store.count()} {error}\n")

    with forked(work, tmp_path / "said") as process:
        assert (process.wait(), process.err) == (0, "")
    acknowledged, held, said = process.out.split(" ", 2)
    assert acknowledged == held != "0"
    assert said.count("\n") == 1
    with LabelStore.open(tmp_path / "l") as store:
        assert store.count() == int(held)


@needs_fork
def test_a_file_that_may_not_be_written_is_said(tmp_path):
    """Opened by somebody who may not: root may do everything, and becomes nobody for it."""

    def work():
        if os.getuid() == 0:
            os.setgid(65534)
            os.setuid(65534)
        try:
            LabelStore.open(path)
        except SettingError as error:
            sys.stdout.write(f"{error}\n")

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "labels.sqlite"
        LabelStore.open(path).close()
        path.chmod(0o444)
        path.parent.chmod(0o555)
        with forked(work, tmp_path / "said") as process:
            assert (process.wait(), process.err) == (0, "")
        path.parent.chmod(0o755)
    assert (
        process.out
        == f"{path}: labels cannot be written (attempt to write a readonly database); copy the file to where it can be written\n"
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"no database at all, but text that goes on for a while\n" * 20, "no label file, or a damaged one (file is not a database)"),
        (b"SQLite format 3\x00" + b"\xff" * 4096, "no label file, or a damaged one"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_label_file_is_said_and_left_alone(tmp_path, content, message):
    path = tmp_path / "l"
    path.write_bytes(content)
    with pytest.raises(SettingError) as refused:
        LabelStore.open(path)
    one_line(refused, message)
    assert path.read_bytes() == content


def test_a_damaged_file_is_said(tmp_path):
    path = tmp_path / "l"
    with LabelStore.open(path) as store:
        store.add_many([label(f"l{n}", "x" * 3_000, about="comment", record=f"r{n}") for n in range(60)])
    whole = bytearray(path.read_bytes())
    for at in range(4096 * 6, len(whole), 4096):
        whole[at : at + 512] = b"\xa5" * 512
    path.write_bytes(whole)
    with pytest.raises(SettingError) as refused:
        LabelStore.open(path)
    one_line(refused, "no label file, or a damaged one", "name another, or put back a copy of it")


def test_another_program_s_database_and_a_newer_schema_are_refused_untouched(tmp_path):
    foreign, newer = tmp_path / "foreign", tmp_path / "newer"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE notes (text TEXT)")
    connection.close()
    LabelStore.open(newer).close()
    connection = sqlite3.connect(newer)
    connection.execute("PRAGMA user_version=99")
    connection.close()
    for path, message in (
        (foreign, "is a database, but no label file"),
        (newer, "labels are of schema 99, and this version reads up to 2"),
    ):
        before = path.read_bytes()
        with pytest.raises(SettingError) as refused:
            LabelStore.open(path)
        one_line(refused, message)
        assert path.read_bytes() == before


def test_a_file_of_the_first_schema_is_brought_up_to_date(tmp_path):
    path = tmp_path / "labels.sqlite"
    with LabelStore.open(path) as store:
        store.add(label("a"))
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TABLE settle_only")
        connection.execute("PRAGMA user_version=1")
    with LabelStore.open(path) as store:
        assert store.settles_only("Ada") is None
        store.settle_only("Ada")
        assert [one.id for one in store.current()] == ["a"]
    with LabelStore.open(path) as store:
        assert (store.settles_only("Ada") or "").endswith("Z")


def test_a_label_in_it_that_cannot_be_read_is_damage(store):
    store.add(label("a"))
    store._file._connection.execute("UPDATE events SET body='{}'")
    with pytest.raises(SettingError, match="a label in it cannot be read"):
        store.current()


def test_labels_belong_to_one_run(tmp_path):
    path = tmp_path / "l"
    LabelStore.open(path).close()
    with LabelStore.open(path, run_fingerprint="one") as store:
        assert store.run_fingerprint() == "one"
    LabelStore.open(path).close()
    with pytest.raises(SettingError) as refused:
        LabelStore.open(path, run_fingerprint="two")
    one_line(refused, "belongs to the run of records one, not to that of two; name another file with --labels")


def test_a_reader_makes_no_file(tmp_path):
    with pytest.raises(SettingError, match="there are no labels here yet"):
        LabelStore.open(tmp_path / "l", make=False)
    assert not (tmp_path / "l").exists()
    with pytest.raises(SettingError, match="cannot be opened"):
        LabelStore.open(tmp_path)


def test_guide_texts_are_kept_by_their_digest(store):
    for about in GUIDE:
        assert store.guide_text_of(GUIDES[about]) == guide_text(about)
    assert store.guide_text_of("1-000000") is None


def test_a_closed_store_says_so(tmp_path):
    store = LabelStore.open(tmp_path / "l")
    store.close()
    store.close()
    with pytest.raises(SettingError, match="the labels are closed"):
        store.add(label("a"))


def test_the_journal_is_written_ahead_and_synced_in_full(store):
    assert store._file._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._file._connection.execute("PRAGMA synchronous").fetchone() == (2,)
