"""The page on the guard: its demo runs as it is written, and it names every setting."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from showable.production.guard.guard_file import (
    JudgeTable,
    PriceTable,
    RegistriesTable,
    RouteTable,
    StoreTable,
    UpstreamTable,
    read_guard_file,
)

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "guard.md").read_text("utf-8")
KEYS = {"GUARD_KEY": "k" * 20, "LITELLM_KEY": "sk-" + "k" * 20}


def block(kind):
    return re.search(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)[1]


def test_it_names_every_setting():
    names = [*RouteTable.model_fields, *UpstreamTable.model_fields, *PriceTable.model_fields]
    assert [name for name in names if f"`{name}`" not in PAGE] == []
    tables = [*JudgeTable.model_fields, *StoreTable.model_fields, *RegistriesTable.model_fields]
    assert [name for name in tables if f"{name} =" not in PAGE] == []


def test_its_config_works(tmp_path):
    path = tmp_path / "guard.toml"
    path.write_text(block("toml"), "utf-8")
    assert [route.name for route in read_guard_file(path, {}).routes] == ["all"]


@pytest.mark.parametrize("way", ["behind", "in-front"])
def test_the_compose_file_runs_what_the_page_describes(way):
    """Each way: a guard whose config is read, and a LiteLLM that leads to it, or that it leads to."""
    services = yaml.safe_load((DOCS / "compose" / "compose.yaml").read_text("utf-8"))["services"]
    named = {name: service for name, service in services.items() if way in service["profiles"]}
    (guard,) = (name for name, service in named.items() if "showable guard" in service["command"])
    (litellm,) = (name for name, service in named.items() if "litellm --config" in service["command"])
    assert f"/config/{way}.toml" in named[guard]["command"]
    assert f"/config/{way}.yaml" in named[litellm]["command"]
    settings = read_guard_file(DOCS / "compose" / f"{way}.toml", KEYS)
    assert [u.base_url for u in settings.table.upstream.values()] == [f"http://{litellm}:4000"]
    assert settings.store == "/data/traces.sqlite"
    assert "/data/traces.sqlite" in named["page"]["command"]
    rails = yaml.safe_load((DOCS / "compose" / f"{way}.yaml").read_text("utf-8")).get("guardrails", [])
    asked = [rail["litellm_params"] for rail in rails]
    assert [one["api_base"] for one in asked] == ([f"http://{guard}:8811"] if way == "in-front" else [])
    assert all(one["streaming_buffer_until_moderated"] and one["default_on"] for one in asked)


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
