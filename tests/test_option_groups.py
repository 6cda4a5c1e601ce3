"""Options that several commands take together. Source of every row: by hand."""

from dataclasses import dataclass
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from showable.cli.option_groups import spread


@dataclass(frozen=True)
class Size:
    wide: Annotated[int, typer.Option("--wide", min=1, help="Its width.")] = 3
    tall: Annotated[int | None, typer.Option("--tall", help="Its height.")] = None


TAKEN = []


@spread
def draw(
    *,
    what: Annotated[str, typer.Argument(metavar="WHAT")],
    size: Size,
    quick: Annotated[bool, typer.Option("--quick", help="Roughly.")] = False,
) -> None:
    """Draw something."""
    TAKEN.append((what, size, quick))


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        (["house"], ("house", Size(), False)),
        (["house", "--wide", "5"], ("house", Size(wide=5), False)),
        (["--tall", "2", "house", "--quick"], ("house", Size(tall=2), True)),
    ],
)
def test_the_fields_of_a_group_are_options_and_come_back_as_one_value(given, taken):
    app = typer.Typer()
    app.command()(draw)
    assert CliRunner().invoke(app, given, catch_exceptions=False).exit_code == 0
    assert TAKEN[-1] == taken
    assert CliRunner().invoke(app, [*given, "--wide", "0"]).exit_code == 2


def test_they_stand_in_the_help_where_the_group_stands_in_the_command():
    app = typer.Typer(rich_markup_mode=None)
    app.command()(draw)
    said = CliRunner().invoke(app, ["--help"]).stdout
    assert "Draw something." in said
    assert said.index("--wide") < said.index("--tall") < said.index("--quick")
    assert "[default: 3; x>=1]" in said


def test_another_command_gives_the_fields_by_name():
    draw(what="tree", tall=9)
    assert TAKEN[-1] == ("tree", Size(tall=9), False)
