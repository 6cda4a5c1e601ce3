import gc
import os
import signal
import sys
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


def pytest_configure(config):
    """Let no garbage be looked for while thousands of tests are collected: all that is made then stays."""
    gc.disable()
    os.environ.pop("GITHUB_STEP_SUMMARY", None)  # what tests print stays out of the summary of the step that runs them
    _trust_nobody()
    _hear_ctrl_c()
    if not config.pluginmanager.hasplugin(
        "showable"
    ):  # `make test` does without: examples of the docs are marked all the same
        config.addinivalue_line("markers", "showable_records(path): run a test for each record of a file")
    if config.pluginmanager.hasplugin("hypothesispytest"):  # the adapters' tests do without
        from hypothesis import HealthCheck, settings

        # A busy machine is slow, and no test may fail for that. The suite draws the same examples every time, so that what
        # passed passes again; `--hypothesis-profile wide` draws others, and more.
        patient = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
        settings.register_profile("wide", max_examples=100, derandomize=False, **patient)
        settings.register_profile("suite", max_examples=30, derandomize=True, **patient)
        settings.load_profile("suite")


def _hear_ctrl_c():
    """Let what a test starts hear Ctrl-C: a shell's job in the background ignores it, and so would all its children."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _trust_nobody():
    """Let clients of HTTP find no certificate in this folder: tests speak to loopback alone, and reading 140 takes each 20 ms."""
    os.environ.pop("SSL_CERT_FILE", None)
    os.environ["SSL_CERT_DIR"] = str(HERE)


def pytest_sessionstart(session):
    """Let the second of two workers read the suite from its end: what one has rewritten the other finds on disk."""
    if os.environ.get("PYTEST_XDIST_WORKER") == "gw1" and [Path(name).resolve() for name in session.config.args] == [
        HERE
    ]:
        for path in sorted(HERE.glob("test_*.py"), reverse=True):
            with suppress(Exception, pytest.skip.Exception):  # collecting it says what is wrong
                import_module(path.stem)


def pytest_collection_finish():
    """From here on look for it again, but not among the tests themselves; and what tests start may load what it likes."""
    gc.freeze()
    gc.enable()
    os.environ.pop("PYTEST_DISABLE_PLUGIN_AUTOLOAD", None)


@cache
def _built_once(build):
    """Keep the command line that typer builds: a process that is run once builds it once, one that runs tests hundreds of times."""
    return cache(build)


@pytest.fixture
def cli(capsys, monkeypatch):
    """Run the command line in this process: gives exit code, stdout and stderr."""

    def run(*args):
        import typer.main

        from showable.cli import main

        monkeypatch.setattr(typer.main, "get_command", _built_once(typer.main.get_command))
        monkeypatch.setattr(sys, "argv", ["showable", *map(str, args)])
        capsys.readouterr()
        try:
            main()
            code = 0
        except SystemExit as leave:
            code = leave.code or 0
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture(scope="session")
def quick_showable(tmp_path_factory):
    """Give a folder with a `showable` that is imported already: scripts with it first on their path take a third of the time."""
    from preloaded import preloaded

    with preloaded(tmp_path_factory.mktemp("quick")) as folder:
        yield folder


@pytest.fixture(scope="session")
def driver():
    """Open one Chromium for all pages of this process."""
    from browser import CHROMIUM, chromium

    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine")
    with chromium() as driver:
        yield driver


@pytest.fixture
def browser(driver):
    """Drive it: other event loops run before and after, but not within a test that asks for this."""
    with driver.driving() as browser:
        yield browser


@pytest.fixture
def opened(browser, tmp_path):
    """Open the page of a run in it: takes the run's entries, and what follows the address."""
    import run_pages

    return partial(run_pages.opened, browser, tmp_path)
