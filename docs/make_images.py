"""Take the pictures of the docs again: the demo's page, one answer on it, the difference of two runs, labelling, traces, issues.

Run: python docs/make_images.py [NAME.png …] (needs Chromium; look at what it made before committing it)
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from showable.cli import app
from showable.stores.traces.opening import open_trace_store

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
ANSWER = "law-07"
sys.path.insert(0, str(ROOT / "tests"))


def make_runs(folder: Path) -> None:
    """Score the demo, and once more with one answer changed."""
    cli = CliRunner()
    cli.invoke(app, ["demo", "--out", str(folder / "demo"), "--json"], catch_exceptions=False)
    lines = (folder / "demo" / "records.jsonl").read_text("utf-8").splitlines()
    changed = [json.loads(line) for line in lines]
    for record in changed:
        if record["id"] in {"law-11", "med-04"}:
            record["answer"] = record["answer"].replace("[1]", "[9]").replace("not ", "")
    (folder / "changed.jsonl").write_text("\n".join(map(json.dumps, changed)), encoding="utf-8")
    after = ["score", str(folder / "changed.jsonl"), "--out", str(folder / "after"), "--json"]
    cli.invoke(app, after, catch_exceptions=False)
    cli.invoke(app, ["gate", str(folder / "demo"), str(folder / "after"), "-o", str(folder / "diff.html")])


@contextmanager
def opened(viewport: dict[str, int]) -> Iterator[Any]:
    """Open a page in a Chromium of its own."""
    from browser import alone, chromium  # noqa: PLC0415 - it stands with the tests

    with chromium() as driver, driver.driving() as browser, alone(browser, viewport=viewport) as page:
        yield page


def take(folder: Path, wanted: set[str]) -> None:
    """Take the pictures of the reports."""
    shots = {
        "report.png": ("demo/report.html", {"width": 1000, "height": 560}),
        "reader.png": (f"demo/report.html#record={ANSWER}", {"width": 960, "height": 520}),
        "difference.png": ("diff.html", {"width": 1000, "height": 640}),
    }
    for name, (address, viewport) in shots.items():
        if wanted and name not in wanted:
            continue
        with opened(viewport) as page:
            page.goto(f"{folder.as_uri()}/{address}")
            page.wait_for_timeout(800)
            page.screenshot(path=IMAGES / name)


def take_labelling(folder: Path) -> None:
    """Take the picture of the labelling page: a claim beside the passage that it quotes, before any verdict is given."""
    from label_records import quoted, write_records  # noqa: PLC0415 - it stands with the tests
    from review_server import served  # noqa: PLC0415 - it stands with the tests

    records = write_records(folder / "label.jsonl", [quoted()])
    scored = ["score", str(records), "--judge", "lexical", "--out", str(folder / "label"), "--json"]
    CliRunner().invoke(app, scored, catch_exceptions=False)
    with served(folder / "label") as server, opened({"width": 1040, "height": 590}) as page:
        someone = server.reviewer("A. Reader", "senior")
        someone.post("/api/queues", {"kind": "random", "n": 1, "overlap": 1})
        cookies = [{"name": name, "value": value, "url": server.url} for name, value in someone.client.cookies.items()]
        page.context.add_cookies(cookies)
        page.goto(f"{server.url}/label/random")
        page.wait_for_selector("html[data-ready=yes] mark.own")
        page.screenshot(path=IMAGES / "label.png")


def take_traces(folder: Path, wanted: set[str]) -> None:
    """Take the pictures of the dashboard over made-up traffic, and of one answer beside what was retrieved for it."""
    from page_server import served  # noqa: PLC0415 - it stands with the tests
    from seeded_traces import INVENTED, seed  # noqa: PLC0415 - it stands with the tests

    place = folder / "traces.db"
    store = open_trace_store(place)
    made = seed(store, time.time_ns(), count=3_000, days=7)
    store.close()
    invented = next(one for one in reversed(made) if one.judged and one.answer.record.question == INVENTED.question)
    shots = {
        "traces.png": ("/?window=7d&compare=prompt_version", {"width": 1040, "height": 900}),
        "traces-answer.png": (f"/trace/{invented.answer.trace_id}", {"width": 1040, "height": 700}),
    }
    with served(place) as url:
        for name in [name for name in shots if not wanted or name in wanted]:
            with opened(shots[name][1]) as page:
                page.goto(f"{url}{shots[name][0]}")
                while page.get_by_text("Drift is still being looked for").count():
                    page.wait_for_timeout(1_000)
                    page.reload()
                page.wait_for_timeout(300)
                page.screenshot(path=IMAGES / name)


def take_issues(folder: Path) -> None:
    """Take the picture of the issues of made-up traffic, without the words by which tests try to break the page."""
    import fed_pages  # noqa: PLC0415 - it stands with the tests
    from page_server import served  # noqa: PLC0415 - it stands with the tests

    fed_pages.HOSTILE, fed_pages.TITLES = "m-large", fed_pages.TITLES[:-1]
    with served(fed_pages.fed(folder, time.time_ns())) as url, opened({"width": 1240, "height": 620}) as page:
        page.goto(f"{url}/feed")
        page.screenshot(path=IMAGES / "issues.png")


LABELLING, TRACES, ISSUES = {"label.png"}, {"traces.png", "traces-answer.png"}, {"issues.png"}

if __name__ == "__main__":
    asked = set(sys.argv[1:])
    with tempfile.TemporaryDirectory() as made:
        if not asked or asked - LABELLING - TRACES - ISSUES:
            make_runs(Path(made))
            take(Path(made), asked)
        if not asked or asked & LABELLING:
            take_labelling(Path(made))
        if not asked or asked & TRACES:
            take_traces(Path(made), asked)
        if not asked or asked & ISSUES:
            take_issues(Path(made))
