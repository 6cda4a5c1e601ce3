"""Write docs/cli.md from the command line itself, so that the two cannot part.

Run: python docs/make_cli.py
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from showable.cli import app

PAGE = Path(__file__).with_name("cli.md")
_KINDS = {"int range": "N", "int": "N", "float range": "X", "float": "X"}
HEAD = """# The command line

*Made from `showable --help` by `docs/make_cli.py`; a test holds the two together.*

Exit codes: 0 done, or ship · 1 do not ship, or a check failed · 2 a mistake in how it was called, or in the input · 3 inconclusive: nothing
could be measured, or too many calls to judges or registries failed · 130 stopped by Ctrl-C; the same command goes on from there.
"""


def page() -> str:
    """Give the page: one section a command, with its arguments and options."""
    root = typer.main.get_command(app)
    sections = [section for name, command in root.commands.items() for section in sections_of(command, name)]  # type: ignore[attr-defined]
    return "\n".join([HEAD, *sections])


def sections_of(command: Any, name: str) -> Iterator[str]:
    """Give the section of a command, or those of the commands in a group."""
    for inner, nested in getattr(command, "commands", {}).items():
        yield from sections_of(nested, f"{name} {inner}")
    if not hasattr(command, "commands"):
        yield section(command, name)


def section(command: Any, name: str) -> str:
    """Describe one command."""
    shown = [parameter for parameter in command.params if not parameter.hidden and parameter.name != "help"]
    arguments = [parameter for parameter in shown if parameter.param_type_name == "argument"]
    options = [parameter for parameter in shown if parameter.param_type_name == "option"]
    usage = " ".join(
        ["showable", name, *(["[OPTIONS]"] if options else []), *(one.metavar or one.name for one in arguments)]
    )
    lines = [f"## {name}", "", inspect.cleandoc(command.help or ""), "", "```text", usage, "```", ""]
    if shown:
        lines += [
            "| option | what it does |" if options else "| argument | what it is |",
            "|---|---|",
            *(row(parameter) for parameter in [*arguments, *options]),
            "",
        ]
    return "\n".join(lines)


def row(parameter: Any) -> str:
    """Describe one argument or option."""
    if parameter.param_type_name == "argument":
        names = f"`{parameter.metavar or parameter.name}`"
    else:
        takes = (
            ""
            if parameter.is_flag
            else f" {parameter.metavar or _KINDS.get(parameter.type.name, parameter.type.name.upper())}"
        )
        names = ", ".join(f"`{opt}{takes}`" for opt in parameter.opts)
    said = " ".join((parameter.help or "").split()).replace("|", "\\|")
    plain = isinstance(parameter.default, int | float | str) and not isinstance(parameter.default, bool)
    default = f" Default: {parameter.default}." if plain and "Default:" not in said else ""
    return f"| {names} | {said}{default} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
