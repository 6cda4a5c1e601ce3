"""pytest plugin: fixtures that score, a marker that makes one test a record, options, a summary. Silent where unused.

What a suite pays that does not use it is the reading of these few files: everything else is imported when a test
asks for a fixture, bears the marker, or an option is given. (PYTEST_DONT_REWRITE: there is nothing to rewrite here.)
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

from showable.pytest_plugin.options import add_options, read_settings
from showable.pytest_plugin.properties import forget
from showable.pytest_plugin.record_tests import HeldLine, parametrize_records
from showable.pytest_plugin.tally import Tally

if TYPE_CHECKING:
    from showable.pytest_plugin.scoring import ScoreRecord, ShippableRecord
    from showable.records.evidence import Judge
    from showable.records.lookups import Registries

_NAMES = ("showable", "showable.pytest_plugin")
_MARKER = (
    'showable_records(path, argname="record"): run the test once for each record of a file of Records, or of'
    " another tool's rows; a relative path is looked for beside the test's file, then in the root directory"
)


def pytest_plugin_registered(plugin: object, manager: pytest.PytestPluginManager) -> None:
    """Close the other name under which this plugin may be asked for: loaded twice, it would add its options twice."""
    if plugin is sys.modules[__name__]:
        for name in _NAMES:
            if not manager.has_plugin(name):
                manager.set_blocked(name)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, and the same as ini settings."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, and refuse a judge, a profile or a threshold that there is not before the first test runs."""
    config.addinivalue_line("markers", _MARKER)
    settings = read_settings(config)
    if not hasattr(config, "workerinput"):  # what starts the workers has looked already, and counts for them
        settings.check()
        config.pluginmanager.register(Tally(settings), "showable-tally")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one test a record where the marker says so."""
    parametrize_records(metafunc)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any]) -> Generator[None, object, object]:
    """Read a record from its file when its test is about to run: until then the test holds the place of a line."""
    held = yield
    if not isinstance(held, HeldLine):
        return held
    key = fixturedef.cached_result[1] if fixturedef.cached_result else None
    try:
        record = held.read()
    except pytest.fail.Exception as failed:
        fixturedef.cached_result = (None, key, (failed, failed.__traceback__))
        raise
    fixturedef.cached_result = (record, key, None)
    return record


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Forget, before any fixture scores, what an earlier run of the same test has scored: failed tests may be run again."""
    forget(item.user_properties)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,  # noqa: ARG001 - hooks are called by name
    call: pytest.CallInfo[None],
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let a failure begin with the bucket and the cause, not with the name of an exception's module."""
    report = yield
    if call.excinfo is not None and call.excinfo.typename == "NotShippableError":
        from showable.pytest_plugin.failures import begin_with_the_bucket  # noqa: PLC0415 - only where one failed

        begin_with_the_bucket(report, call.excinfo)
    return report


@pytest.fixture(scope="session")
def showable_judge(pytestconfig: pytest.Config) -> Judge:
    """Return the judge that scores: the one of --showable-judge, else the embedded one. Override it to bring your own."""
    return read_settings(pytestconfig).judging().plain()


@pytest.fixture(scope="session")
def showable_registries() -> Registries | None:
    """Return the registries that are asked in place of those of --showable-look-up: none. Override it to bring your own."""
    return None


@pytest.fixture
def showable_score(
    request: pytest.FixtureRequest, showable_judge: Judge, showable_registries: Registries | None
) -> ScoreRecord:
    """Score a record: `showable_score(record)` gives its Scorecard, which is counted in the summary."""
    from showable.pytest_plugin.scoring import ScoreRecord  # noqa: PLC0415 - only where it is asked for

    settings = read_settings(request.config)
    return ScoreRecord(request.node, settings, showable_judge, showable_registries)


@pytest.fixture
def assert_shippable(showable_score: ScoreRecord) -> ShippableRecord:
    """Fail unless a record may be shown: `assert_shippable(record)` gives its Scorecard, or shows what is wrong."""
    from showable.pytest_plugin.scoring import ShippableRecord  # noqa: PLC0415 - only where it is asked for

    return ShippableRecord(showable_score)
