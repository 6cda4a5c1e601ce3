"""The direction of imports, what the pure rooms may not touch, and the names of the public door."""

import ast
from pathlib import Path

import pytest

import probative

SRC = Path(probative.__file__).parent
ROOMS = [
    "errors",
    "records",
    "read",
    "rubrics",
    "measure",
    "ship_gate",
    "report",
    "gather",
    "look_up",
    "evaluation",
    "EDGES",
    "validation",
    "checking",
    "calibrating",
    "drifting",
    "authoring",
    "harness",
    "review",
    "serving",
    "api",
    "shippable",
    "trace",
    "adapters",
    "pytest_plugin",
    "cli",
]
EDGES = {"judges", "stores", "demo", "registries", "profiles", "documents", "converters", "search", "traces"}
PURE = {"errors", "records", "read", "rubrics", "measure", "ship_gate", "report"}
OUTSIDE = {
    "socket",
    "ssl",
    "http",
    "httpx",
    "aiohttp",
    "openai",
    "requests",
    "sqlite3",
    "subprocess",
    "asyncio",
    "time",
    "os",
    "random",
    "secrets",
}
CLOCK = (".now(", ".today(", ".utcnow(")
"""`datetime` is a calendar; these make it a clock."""


def room_of(module):
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def imports(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


FILES = sorted(path for path in SRC.rglob("*.py") if path.parent != SRC or path.stem not in {"__init__", "__main__"})


def place(room):
    return ROOMS.index("EDGES" if room in EDGES else room)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SRC)))
def test_a_room_imports_only_from_its_left(path):
    mine = room_of(".".join(["probative", *path.relative_to(SRC).with_suffix("").parts]))
    for module in imports(path):
        if not module.startswith("probative."):
            continue
        theirs = room_of(module)
        assert place(theirs) <= place(mine), f"{mine} imports {module}"
        assert theirs == mine or not (mine in EDGES and theirs in EDGES), f"edges know each other: {module}"


@pytest.mark.parametrize("path", [p for p in FILES if room_of(f"probative.{p.relative_to(SRC).with_suffix('').parts[0]}") in PURE],
                         ids=lambda path: str(path.relative_to(SRC)))  # fmt: skip
def test_a_pure_room_touches_no_network_clock_environment_or_chance(path):
    assert not {module.split(".")[0] for module in imports(path)} & OUTSIDE
    assert not [call for call in CLOCK if call in path.read_text()]
    assert "np.random" not in path.read_text() or "default_rng(" in path.read_text()


def test_the_door_is_narrow_and_every_name_opens():
    assert len(probative.__all__) <= 20
    assert probative.__all__ == sorted(probative.__all__)
    for name in probative.__all__:
        assert getattr(probative, name) is not None
    assert set(probative.__all__) <= set(dir(probative))


def test_public_names_have_docstrings():
    for name in probative.__all__:
        assert getattr(probative, name).__doc__, name


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        probative.nothing  # noqa: B018


def test_versions_agree():
    import tomllib

    project = tomllib.loads((SRC.parent.parent / "pyproject.toml").read_text())["project"]
    assert project["version"] == probative.__version__
