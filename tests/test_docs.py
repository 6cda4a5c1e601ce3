"""The README and the docs do what they say: examples run, and what they print is what is printed here."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"(?:<!-- file: (?P<file>\S+) -->\n)?```(?P<kind>\w+)\n(?P<body>.*?)```", re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)?(?:#([\w-]+))?\)")


def blocks(page):
    return [(m["file"], m["kind"], m["body"]) for m in BLOCK.finditer(page.read_text("utf-8"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    examples = [body for _, kind, body in blocks(page) if kind == "python"]
    for body in examples:
        exec(compile(body, str(page), "exec"), {})  # noqa: S102 - our own documentation
    assert examples or page.name != "README.md"


def run(command, folder, quick):
    environment = os.environ | {
        "COLUMNS": "80",
        "NO_COLOR": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # what else is installed takes long to import, and is not used here
        "PYTEST_PLUGINS": "showable.pytest_plugin",
        "PATH": f"{quick}:{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=False)  # noqa: S602
    return [line.rstrip() for line in done.stdout.splitlines()]


def sessions(body):
    """Split a console block into commands with the lines that they are said to print."""
    found = []
    for line in body.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line.rstrip())
    return found


def matches(expected, printed):
    """Compare line by line; a line `…` stands for any lines."""
    if "…" not in expected:
        return expected == printed
    head = expected[: expected.index("…")]
    tail = expected[expected.index("…") + 1 :]
    if printed[: len(head)] != head:
        return False
    return any(matches(tail, printed[at:]) for at in range(len(head), len(printed) + 1))


QUICK = ("citations.md", "formats.md")
"""Pages whose examples `make test` runs: to check citations, to read what other tools write. `make test-slow` runs all others, the README first."""


@pytest.mark.parametrize(
    "page",
    [
        page if page.name in QUICK else pytest.param(page, marks=pytest.mark.slow)
        for page in PAGES
        if "console" in {kind for _, kind, _ in blocks(page)}
    ],
    ids=lambda page: page.name,
)
def test_console_examples_print_what_they_say(page, tmp_path, quick_showable):
    for file, kind, body in blocks(page):
        if file:
            (tmp_path / file).write_text(body)
        for command, expected in sessions(body) if kind == "console" else []:
            shown = command.replace("make demo", "showable demo")
            printed = run(shown, tmp_path, quick_showable)
            assert matches(expected, printed), "\n".join([shown, *printed])


def test_every_block_of_the_readme_is_run_or_is_a_file_that_the_next_one_reads():
    found = blocks(ROOT / "README.md")
    assert len(found) > 8
    assert [kind for file, kind, _ in found if file is None and kind not in {"console", "python"}] == []
    commands = " ".join(body for _, kind, body in found if kind == "console")
    assert [file for file, _, _ in found if file and file.removesuffix(".py") not in commands] == []


def anchors(page):
    titles = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for path, anchor in LINK.findall(page.read_text("utf-8")):
        target = (page.parent / path) if path else page
        assert target.exists(), path
        assert not anchor or anchor in anchors(target), anchor


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text().splitlines()) < 150


def test_every_finding_code_is_in_the_concepts():
    source = "\n".join(path.read_text() for path in (ROOT / "src/showable").rglob("*.py"))
    codes = set(re.findall(r'"(?:structural|resolvability|semantic|refusal)\.([a-z_]+)"', source))
    text = (ROOT / "docs/concepts.md").read_text()
    assert len(codes) > 25
    assert not sorted(code for code in codes if code not in text)


@pytest.mark.parametrize("page", sorted((ROOT / "docs/rubrics").glob("*.md")), ids=lambda page: page.name)
def test_the_codes_of_each_rubric_are_those_that_reports_use(page, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    from make_codes import with_codes

    text = page.read_text("utf-8")
    assert text.count("| error |") + text.count("| warning |") > 3
    assert with_codes(text, page.stem) == text, "run `python docs/make_codes.py`"


def test_the_page_of_the_command_line_is_made_from_it(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "docs")
    import make_cli

    assert make_cli.PAGE.read_text("utf-8") == make_cli.page(), "run `python docs/make_cli.py`"


def commands_shown():
    """Give every line of an example that calls the command and that no test runs: in a workflow, a shell block, a table."""
    for page in PAGES:
        for _, kind, body in blocks(page):
            if kind in {"sh", "yaml"}:
                yield from (
                    (page.name, line)
                    for line in re.findall(
                        r"\bshowable ((?:score|gate|report|convert|check|validate|regrade|run|runs|questions|compare|power|review|labels|calibrate|retune|rubric|drift|serve|traces)\b"
                        r"[^#\],&|\n]*)",
                        body,
                    )
                )


def test_commands_that_no_test_runs_have_the_options_they_show():
    import typer

    from showable.cli import app

    shown = list(commands_shown())
    assert len(shown) > 12
    built = typer.main.get_command(app)
    for page, line in shown:
        command, words = built, line.split()
        while commands := getattr(command, "commands", None):
            command = commands[words.pop(0)] if words[0] in commands else commands["list"]  # `runs DIR` lists
        options = {opt for parameter in command.params for opt in (*parameter.opts, *parameter.secondary_opts)}
        assert not [word for word in words if word.startswith("-") and word.split("=")[0] not in options], (page, line)


def test_workflows_are_yaml():
    import yaml

    found = [yaml.safe_load(body) for page in PAGES for _, kind, body in blocks(page) if kind == "yaml"]
    assert len(found) >= 2
    assert all(isinstance(one, dict) for one in found)


def test_every_page_is_in_the_navigation():
    nav = (ROOT / "mkdocs.yml").read_text("utf-8").split("\nnav:\n")[1]
    assert not [page.name for page in (ROOT / "docs").rglob("*.md") if f" {page.relative_to(ROOT / 'docs')}" not in nav]


def test_every_cause_is_in_the_concepts():
    from typing import get_args

    from showable.records.scorecard import Cause

    text = (ROOT / "docs/concepts.md").read_text()
    assert not sorted(cause for cause in get_args(Cause) if f"`{cause}`" not in text)


TABLE_LOG = [
    {"source_id": "lease", "text": "The notice period is thirty days."},
    {"source_id": "rent", "text": "Rent falls due monthly."},
]
SETTING = {"2": {"gold": {"answer": "30 days"}}, "3": {"gold": {"answerable": False}, "question": "How high is the deposit?"}, "6": {"retrieved": []}, "12": {"gold": {"answer": "30 days"}}}  # fmt: skip


def table_rows():
    for line in (ROOT / "docs/concepts.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 5 and cells[0].isdigit():
            yield cells


@pytest.mark.parametrize("row", list(table_rows()), ids=lambda row: f"row {row[0]}")
def test_the_example_of_each_row_of_the_bucket_table_lands_there(row):
    import showable

    number, _, bucket, causes, example = row
    answer = re.sub(r" \*\(.*\)\*$", "", example).strip("`")
    record = {"id": "r", "question": "What is the notice period?", "retrieved": TABLE_LOG, "answer": answer}
    card = showable.score(record | SETTING.get(number, {}))
    assert card.bucket == bucket
    assert card.cause is None or f"`{card.cause}`" in causes


def rows_of(page, header):
    """Give the cells of the tables below a header line that begins so."""
    lines = (ROOT / "docs" / page).read_text("utf-8").splitlines()
    for at in [n for n, line in enumerate(lines) if line.startswith(header)]:
        for line in lines[at + 2 :]:
            if not line.startswith("|"):
                break
            yield [cell.strip() for cell in line.strip("|").split("|")]


def names_in(cell):
    return re.findall(r"`([^`]+)`", cell)


def test_every_shape_is_in_the_formats_once():
    from showable.converters.catalogue import NAMES, RECORDS

    assert [names_in(row[0])[0] for row in rows_of("formats.md", "| `--from` |")] == [RECORDS, *NAMES]


def test_every_name_of_a_column_is_in_the_formats():
    from showable.converters.csv_columns import NAMES

    listed = " ".join(row[1] for row in rows_of("formats.md", "| what | names |"))
    said = set(re.findall(r"[a-z_]+", listed))
    assert not {name for names in NAMES.values() for name in names} - said


def test_every_field_of_a_record_is_in_the_formats():
    from showable.records.record import Gold, GoldEvidence, Record, Source

    listed = " ".join(names for row in rows_of("formats.md", "| field | |") for names in [*names_in(row[0]), row[2]])
    words = set(re.findall(r"\w+", listed))
    nouns = (Record, Source, Gold, GoldEvidence)
    assert not {field for noun in nouns for field in noun.model_fields} - words


def test_every_ending_is_in_the_formats():
    from showable.cli.outputs import ENDINGS

    assert [names_in(row[0])[0] for row in rows_of("formats.md", "| ending |")] == list(ENDINGS["run"])
    said = next(
        line for line in (ROOT / "docs/formats.md").read_text("utf-8").splitlines() if "`gate -o` takes" in line
    )
    assert set(ENDINGS["gate"]) == {name for name in names_in(said) if name.startswith(".")}


def test_every_line_of_the_gate_is_in_the_reports():
    import showable

    record = {
        "id": "a",
        "question": "Q?",
        "retrieved": TABLE_LOG,
        "answer": "The notice period is thirty days [lease].",
    }
    result = showable.evaluate([record], judge="lexical")
    lines = {line.name for line in showable.gate(result, result).lines}
    assert lines == {names_in(row[0])[0] for row in rows_of("reports.md", "| line |")}


def test_every_option_of_the_plugin_is_on_its_page():
    from _pytest.config.argparsing import Parser

    from showable.pytest_plugin.options import add_options

    parser = Parser(_ispytest=True)
    add_options(parser)
    (group,) = (group for group in parser._groups if group.name == "showable")
    given = {name for option in group.options for name in option.names()}
    rows = list(rows_of("pytest.md", "| option |"))
    assert given == {names_in(row[0])[0].split()[0] for row in rows}
    assert {name.removeprefix("--").replace("-", "_") for name in given} == {names_in(row[1])[0] for row in rows}


def test_every_public_name_is_on_the_page_of_python():
    import showable

    shown = set(re.findall(r"^::: showable\.(?:[a-z_]+\.)*(\w+)$", (ROOT / "docs/python.md").read_text(), re.MULTILINE))
    assert not set(showable.__all__) - shown


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pictures_are_small_and_say_what_they_show(page):
    for said, path in re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", page.read_text("utf-8")):
        assert len(said) > 40
        assert (page.parent / path).stat().st_size < 160_000


def _row(page, start):
    """Give the cells of the first line of a page that starts so."""
    lines = (ROOT / page).read_text("utf-8").splitlines()
    return [cell.strip(" *") for cell in next(line for line in lines if line.startswith(start)).strip("| ").split("|")]


def _fractions(percent):
    return re.sub(r"\d+\.\d", lambda found: f"{float(found[0]) / 100:.3f}", percent.replace("*", ""))


def test_the_figures_of_the_readme_and_the_model_card_are_those_of_the_page_on_validity():
    validity, card = "docs/validity.md", "src/showable/judges/embedded/model/CARD.md"
    judge, gold, macro = (
        _row("README.md", "| embedded judge"), _row("README.md", "| agrees with"), _row(validity, "| **macro mean**")
    )  # fmt: skip
    assert judge[2] == f"balanced accuracy {_fractions(macro[2])}, AUC {_fractions(macro[4])}"
    assert judge[3] == ", ".join(_fractions(macro[7]).split(" / "))
    assert gold[2] == f"balanced accuracy {_row(validity, '| **all** | 506')[5]}"
    for start in (
        "| balanced accuracy, macro",
        "| where the passage",
        "| expected",
        "| most confident",
        "| minimal pairs |",
    ):
        assert _row(card, start) == _row(validity, start)
