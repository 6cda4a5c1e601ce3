"""The error feed of a store in ClickHouse is the feed of the same answers in SQLite, to the byte."""

import uuid

import pytest
from seeded_traces import NOW, seed

from showable.production.feed.build import build
from showable.production.feed.listing import list_document
from showable.production.feed.reading import read_store_window
from showable.production.feed.space import space_name
from showable.production.feed.store import FeedStore
from showable.production.feed.word_layer import shipped_words
from showable.stores.traces.clickhouse_opening import _connected, open_database
from showable.stores.traces.opening import open_trace_store

pytest.importorskip("chdb")
pytest.importorskip("sklearn")


@pytest.fixture(params=["sqlite", "chdb"])
def seeded(request, tmp_path):
    if request.param == "sqlite":
        store = open_trace_store(tmp_path / "traces.db")
    else:
        client = _connected("chdb", interface="chdb", path=str(tmp_path / "chdb"))
        store = open_database(client, "chdb", f"showable_test_{uuid.uuid4().hex[:12]}")
    seed(store, NOW)
    yield store
    store.close()


FOUND = {}


def test_the_feed_of_a_store_is_the_same_in_either_engine(request, seeded, tmp_path):
    words = shipped_words()
    with FeedStore.open(tmp_path / "feed.sqlite") as feed:
        for later in (0, 1):  # the second batch takes its items from the first
            held = feed.items(space_name(words))
            assert bool(held) == bool(later)
            build(feed, read_store_window(seeded, NOW, 28, held), words, NOW + later)
        batch = feed.latest()
        document = list_document(batch, feed.issues(), feed.members(batch.id), with_members=True)
    assert document["issues"]
    assert document["n"] == sum(len(one["members"]) for one in document["issues"]) + len(document["not_grouped"])
    FOUND[request.node.callspec.params["seeded"]] = document
    assert all(one == document for one in FOUND.values())
