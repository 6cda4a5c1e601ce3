"""What is shown while citations are looked up: a bar for a person, a line now and then in a log."""

import pytest

from showable.cli import count_progress
from showable.cli.check_progress import CheckProgress
from showable.records import LookupResult

GOOD = LookupResult(status="resolved", registry="crossref", cached=True)
BAD = LookupResult(status="not_found", registry="doi_org")


@pytest.fixture
def ticking(monkeypatch):
    """A clock that moves on by six seconds each time it is read."""
    now = iter(range(0, 6000, 6))
    monkeypatch.setattr(count_progress.time, "monotonic", lambda: float(next(now)))


def test_a_log_gets_a_plain_line_with_what_is_known(capsys, ticking):
    with CheckProgress(3) as progress:
        for result in (GOOD, BAD, GOOD):
            progress.told(result)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[-1] == "3/3 asked, 1 bad, 2 from the cache"
    assert "\x1b" not in err


def test_a_terminal_gets_a_bar(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setattr(count_progress.Console, "is_terminal", property(lambda _: True))
    with CheckProgress(2) as progress:
        progress.told(BAD)
        progress._bar.refresh()
        progress.told(GOOD)
    out, err = capsys.readouterr()
    assert out == ""
    assert "checking" in err
    assert "1/2" in err
    assert "1 bad" in err
