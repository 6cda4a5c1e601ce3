import gc
import sys
from functools import cache, partial

import pytest


def pytest_configure(config):
    """Let no garbage be looked for while thousands of tests are collected: all that is made then stays."""
    gc.disable()
    if config.pluginmanager.hasplugin("hypothesispytest"):  # the adapters' tests do without
        from hypothesis import settings

        # `--hypothesis-profile default` looks twice as far, where a test says nothing itself.
        settings.register_profile("suite", max_examples=30)
        settings.load_profile("suite")


def pytest_collection_finish():
    """From here on look for it again, but not among the tests themselves."""
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def no_step_summary(monkeypatch):
    """Keep what tests print out of the summary of the step that runs them."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)


@cache
def _built_once(build):
    """Keep the command line that typer builds: a process that is run once builds it once, one that runs tests hundreds of times."""
    return cache(build)


@pytest.fixture
def cli(capsys, monkeypatch):
    """Run the command line in this process: gives exit code, stdout and stderr."""

    def run(*args):
        import typer.main

        from probative.cli import main

        monkeypatch.setattr(typer.main, "get_command", _built_once(typer.main.get_command))
        monkeypatch.setattr(sys, "argv", ["probative", *map(str, args)])
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
def quick_probative(tmp_path_factory):
    """Give a folder with a `probative` that is imported already: scripts with it first on their path take a third of the time."""
    from preloaded import preloaded

    with preloaded(tmp_path_factory.mktemp("quick")) as folder:
        yield folder


@pytest.fixture(scope="module")
def browser():
    """Open one Chromium for all pages of a module."""
    import run_pages

    with run_pages.one_browser() as browser:
        yield browser


@pytest.fixture
def opened(browser, tmp_path):
    """Open the page of a run in it: takes the run's entries, and what follows the address."""
    import run_pages

    return partial(run_pages.opened, browser, tmp_path)
