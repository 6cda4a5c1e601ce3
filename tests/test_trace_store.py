"""The trace store in SQLite: what every store does."""

import shutil

import pytest
from trace_store_contract_answers import *  # noqa: F403 - the tests
from trace_store_contract_spans import *  # noqa: F403 - the tests

from showable.stores.traces.opening import open_trace_store


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    """A store with nothing in it: to copy one is quicker than to make one."""
    path = tmp_path_factory.mktemp("empty") / "traces.db"
    open_trace_store(path).close()
    return path


@pytest.fixture
def store(empty, tmp_path):
    store = open_trace_store(shutil.copy(empty, tmp_path))
    yield store
    store.close()
