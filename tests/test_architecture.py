"""The direction of imports, what the pure rooms may not touch, and the names of the public door."""

import ast
from functools import cache
from pathlib import Path

import pytest

import showable

SRC = Path(showable.__file__).parent
ROOMS = [
    "errors",
    "former_name",
    "own_files",
    "encoder",
    "records",
    "reader",
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
    "judging_settings",
    "harness",
    "production",
    "feed",
    "review",
    "serving",
    "api",
    "shippable",
    "trace",
    "adapters",
    "pytest_plugin",
    "guard",
    "cli",
]
EDGES = {"judges", "stores", "demo", "registries", "profiles", "documents", "converters", "search", "traces"}
PURE = {"errors", "former_name", "encoder", "records", "reader", "read", "rubrics", "measure", "ship_gate", "report"}
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
    if parts[1:2] == ["production"] and len(parts) > 2:  # rooms of their own
        return parts[2]
    return parts[1] if len(parts) > 1 else "__init__"


@cache
def imports(path):
    found = []
    blocks = [ast.parse(path.read_text("utf-8"))]
    while blocks:  # of statements: no expression imports
        node = blocks.pop()
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.append(node.module)
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(node, part, ())
            blocks += inner if isinstance(inner, list) else ()
    return found


FILES = sorted(path for path in SRC.rglob("*.py") if path.parent != SRC or path.stem not in {"__init__", "__main__"})


def place(room):
    return ROOMS.index("EDGES" if room in EDGES else room)


def test_a_room_imports_only_from_its_left():
    wrong = []
    for path in FILES:
        mine = room_of(".".join(["showable", *path.relative_to(SRC).with_suffix("").parts]))
        for module in imports(path):
            if not module.startswith("showable."):
                continue
            theirs = room_of(module)
            if place(theirs) > place(mine) or (theirs != mine and mine in EDGES and theirs in EDGES):
                wrong.append(f"{path.relative_to(SRC)} imports {module}")
    assert FILES
    assert not wrong


def test_a_pure_room_touches_no_network_clock_environment_or_chance():
    wrong = []
    for path in FILES:
        if path.relative_to(SRC).with_suffix("").parts[0] not in PURE:
            continue
        text = path.read_text("utf-8")
        outside = {module.split(".")[0] for module in imports(path)} & OUTSIDE
        outside |= {call for call in CLOCK if call in text}
        outside |= {"np.random"} if "np.random" in text and "default_rng(" not in text else set()
        wrong += [f"{path.relative_to(SRC)}: {name}" for name in sorted(outside)]
    assert not wrong


def test_the_door_is_narrow_and_every_name_opens():
    assert len(showable.__all__) <= 24
    assert showable.__all__ == sorted(showable.__all__)
    for name in showable.__all__:
        assert getattr(showable, name) is not None
    assert set(showable.__all__) <= set(dir(showable))


def test_public_names_have_docstrings():
    for name in showable.__all__:
        assert getattr(showable, name).__doc__, name


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        showable.nothing  # noqa: B018


def test_versions_agree():
    import tomllib

    project = tomllib.loads((SRC.parent.parent / "pyproject.toml").read_text())["project"]
    assert project["version"] == showable.__version__
