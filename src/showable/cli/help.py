"""Help that is read top to bottom: commands in groups, a sentence each, uncut; rare options under their own heading."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from typer.core import TyperCommand, TyperGroup

CONTEXT: Mapping[str, Any] = {"help_option_names": ["-h", "--help"]}
GROUPS: Mapping[str, tuple[str, ...]] = {
    "Score": ("demo", "score", "check", "report", "regrade", "runs"),
    "Ship": ("questions", "run", "gate", "compare", "power"),
    "People": ("review", "labels", "calibrate", "validate", "retune", "rubric", "drift"),
    "Production": ("serve", "traces", "guard", "feed"),
    "Tools": ("convert", "profile", "schema", "registry"),
}
OPTIONS = "Options"
_KINDS = {"<int range>": "N", "<int>": "N", "<float range>": "X", "<float>": "X", "<path>": "PATH", "<text>": "TEXT"}
_FILES = {
    "--html": ".html", "--sarif": ".sarif", "--junit": ".xml", "--csv": ".csv", "--markdown": ".md", "--report": ".html", "--to": "", "--out": "",
}  # fmt: skip
"""Spellings of earlier versions, and of other tools, for a file that is written; `-o` is that now, its ending the format."""


def spelled_now(error: Any) -> str | None:
    """Return what to write in place of an option that the command does not have; None where nothing is known."""
    option, context = getattr(error, "option_name", None), getattr(error, "ctx", None)
    taken = {name for parameter in context.command.params for name in parameter.opts} if context else set()
    if option in _FILES and "-o" in taken:
        return f"{option} is now -o FILE{_FILES[option]}"
    if option in {"-o", "--output", "--to"} and "--out" in taken:
        return f"{option}: this command writes a folder: --out FOLDER"
    return None


class HeadedCommand(TyperCommand):
    """A command whose options stand under the heading that each names (``rich_help_panel``), the others first."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments, then options by heading."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], OPTIONS: []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                kind = "Arguments" if parameter.param_type_name == "argument" else OPTIONS
                for given, shown in _KINDS.items():
                    record = (record[0].replace(given, shown), record[1])
                sections.setdefault(getattr(parameter, "rich_help_panel", None) or kind, []).append(record)
        _write(formatter, sections.items())


class Commands(TyperGroup):
    """Commands, each with its first sentence, uncut."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands in the order in which they were added."""
        _write(formatter, [("Commands", self._rows(ctx, self.list_commands(ctx)))])

    def _rows(self, ctx: Any, names: Iterable[str]) -> list[tuple[str, str]]:
        commands = ((name, self.get_command(ctx, name)) for name in names)
        return [(name, first_sentence(command.help or "")) for name, command in commands if command is not None]


class GroupedCommands(Commands):
    """The commands of the program, under headings."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands; one that no heading names stands under the last."""
        named = {name for names in GROUPS.values() for name in names}
        rest = tuple(name for name in self.list_commands(ctx) if name not in named)
        groups = {**GROUPS, "Tools": (*GROUPS["Tools"], *rest)}
        _write(formatter, ((title, self._rows(ctx, names)) for title, names in groups.items()))


def first_sentence(text: str) -> str:
    """Return a help text's first sentence on one line, with its full stop."""
    first, stop, _ = " ".join(text.split("\n\n", maxsplit=1)[0].split()).partition(". ")
    return f"{first}." if stop else first


def _write(formatter: Any, sections: Iterable[tuple[str, list[tuple[str, str]]]]) -> None:
    for title, rows in sections:
        if rows:
            with formatter.section(title):
                formatter.write_dl(rows)
