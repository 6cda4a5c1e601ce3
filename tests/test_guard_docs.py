"""The page on the guard: its demo runs as it is written, and it names every setting."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from showable.production.guard.guard_file import PriceTable, RouteTable, UpstreamTable, read_guard_file

PAGE = (Path(__file__).parent.parent / "docs" / "guard.md").read_text("utf-8")


def block(kind):
    return re.search(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)[1]


def test_it_names_every_setting():
    names = [*RouteTable.model_fields, *UpstreamTable.model_fields, *PriceTable.model_fields]
    assert [name for name in names if f"`{name}`" not in PAGE] == []


def test_its_config_works(tmp_path):
    path = tmp_path / "guard.toml"
    path.write_text(block("toml"), "utf-8")
    assert [route.name for route in read_guard_file(path, {}).routes] == ["all"]


@pytest.mark.slow
def test_its_demo_runs_as_it_is_written(capsys):
    pytest.importorskip("openai", reason="the openai library is not installed")
    command = [sys.executable, "-m", "showable", "guard", "--demo", "--listen", "127.0.0.1:0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        address = process.stdout.readline().removeprefix("listening on ").strip()
        code = block("py").replace("http://127.0.0.1:8811", address) + "client.close()\n"
        exec(compile(code, "guard.md", "exec"), {})  # noqa: S102 - our own documentation
    finally:
        process.terminate()
        process.communicate(timeout=60)
    assert process.returncode == 0
    assert capsys.readouterr().out.splitlines() == [
        "answers show None",
        "invents hold resolvability.not_retrieved",
        "misquotes hold resolvability.quote_approximate",
        "refuses show None",
    ]
