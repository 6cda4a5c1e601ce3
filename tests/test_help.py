"""The help: groups, a sentence each, uncut; rare options under headings of their own; quick."""

import subprocess
import sys

import pytest

from showable.cli import app
from showable.cli.help import GROUPS, first_sentence

HEADINGS = [
    # command, heading, an option below it
    ("score", "Judge", "--calibration"),
    ("score", "Cost and speed", "--max-cost"),
    ("score", "Registries and corpus", "--look-up"),
    ("run", "Chat pipeline", "--prompt"),
    ("run", "Cost and speed", "--pipeline-price-in"),
    ("validate", "Judge", "--at"),
    ("serve", "Scoring", "--scorers"),
    ("serve", "Store", "--retain"),
]


def sections(text):
    """Return what stands below each heading."""
    blocks = (block.partition("\n") for block in text.split("\n\n"))
    return {head.removesuffix(":"): rest for head, _, rest in blocks if head.endswith(":")}


@pytest.mark.parametrize(("command", "heading", "option"), HEADINGS)
def test_rare_options_stand_under_a_heading_of_their_own(cli, command, heading, option):
    code, out, _ = cli(command, "-h")
    below = sections(out)
    assert code == 0
    assert f"\n  {option}" in f"\n{below[heading]}"
    assert option not in below["Options"]


def test_every_command_stands_in_one_group_with_its_first_sentence_uncut(cli):
    _, out, _ = cli("-h")
    below = sections(out)
    names = [name for group in GROUPS.values() for name in group]
    commands = {command.name or command.callback.__name__ for command in app.registered_commands}
    assert set(names) == commands | {group.name for group in app.registered_groups}
    assert len(set(names)) == len(names)
    assert below.keys() >= GROUPS.keys()
    words = " ".join(out.split())
    for command in app.registered_commands:
        sentence = first_sentence(command.callback.__doc__)
        assert sentence in words, "cut"
        assert sentence.endswith(".")
    assert "…" not in out


@pytest.mark.parametrize("command", ["score", "run", "serve", "check"])
def test_help_imports_nothing_that_it_does_not_need(command):
    """What made help slow: pydantic, numpy, httpx, and click beside typer's own copy of it."""
    asked = f"import sys\nfrom showable.cli import main\nsys.argv = ['showable', {command!r}, '--help']\n"
    watch = "import atexit; atexit.register(lambda: print(sorted({'pydantic', 'numpy', 'httpx', 'rich', 'click'} & set(sys.modules))))\n"
    done = subprocess.run([sys.executable, "-c", asked + watch + "main()"], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_share_of_nothing_is_refused(cli, tmp_path):
    code, _, err = cli("serve", "--store", tmp_path / "s.db", "--sample", "0")
    assert (code, len(err.splitlines())) == (2, 1)
    assert "--sample 0: expected more than 0" in err


SPELLINGS = [
    # command, option, what is to be written now
    (("score", "a.jsonl"), "--html", "--html is now -o FILE.html"),
    (("gate", "a", "b"), "--to", "--to is now -o FILE"),
    (("compare", "a"), "--csv", "--csv is now -o FILE.csv"),
    (("check", "a.txt"), "--sarif", "--sarif is now -o FILE.sarif"),
    (("report", "a"), "--out", "--out is now -o FILE"),
    (("questions", "build"), "-o", "-o: this command writes a folder: --out FOLDER"),
]


@pytest.mark.parametrize(("command", "option", "said"), SPELLINGS)
def test_another_spelling_of_an_output_says_what_to_write(cli, command, option, said):
    code, _, err = cli(*command, option, "x")
    assert (code, err.strip()) == (2, f"showable: {said}")


def test_help_has_no_kind_of_a_programming_language(cli):
    for command in ("score", "run", "serve", "gate", "traces score"):
        _, out, _ = cli(*command.split(), "-h")
        assert "range>" not in out, command
