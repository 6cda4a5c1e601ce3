"""Reports written to files of the user's choice (-o): their endings say in which format, and all is checked before anything is scored."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from showable.measure.decision import Decision
    from showable.report.run_view import RunView
    from showable.stores.run_sides import RunSide

Kind = Literal["run", "gate", "comparison", "history", "check", "calibration", "validation"]
Writer = Callable[[IO[bytes]], None]

OutputOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--output",
        "-o",
        help="Write a report here; the ending says which: .html, .md, .xml (JUnit), .sarif, .csv, .json or .jsonl"
        " (scorecards). May be repeated.",
        metavar="FILE",
    ),
]
DifferenceOutputOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--output",
        "-o",
        help="Write the difference here; the ending says how: .html, .md, .xml (JUnit) or .json. May be repeated.",
        metavar="FILE",
    ),
]

ENDINGS: Mapping[Kind, tuple[str, ...]] = {
    "run": (".html", ".md", ".xml", ".sarif", ".csv", ".json", ".jsonl"),
    "gate": (".html", ".md", ".xml", ".json"),
    "comparison": (".html", ".md", ".json", ".csv"),
    "history": (".html", ".md", ".json"),
    "check": (".html", ".sarif", ".json"),
    "calibration": (".json", ".html"),
    "validation": (".html",),
}
_NAMED: Mapping[Kind, str] = {
    "run": "a report of a run",
    "gate": "a comparison of two runs",
    "comparison": "a comparison of runs",
    "history": "a history of runs",
    "check": "a check of documents",
    "calibration": "a calibration",
    "validation": "a validation",
}
_OF_A_RUN = frozenset({"run.json", "profile.json", "records.jsonl", "evidence.jsonl", "scores.jsonl", "summary.json"})
"""What a run is made of. Its report.html may be written over, as the run itself does."""

_BESIDE = frozenset({"judge_calls", "pipeline", "asking"})
"""What `summary.json` holds besides the summary: what judging took, what answered, and how asking it went."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """Where to write what came out: files by ending, and the summary of the CI step that runs this, where there is one."""

    kind: Kind
    files: tuple[tuple[Path, str], ...]

    def one(self, ending: str) -> Path | None:
        """Return the file of an ending. Raises SettingError where there are several."""
        from showable.errors import SettingError

        found = [path for path, known in self.files if known == ending]
        if len(found) > 1:
            raise SettingError(f"-o {found[1]}: {found[0]} is written already; give one {ending} file")
        return found[0] if found else None

    @property
    def wanted(self) -> bool:
        """Return whether anything is to be written at all."""
        from showable.cli.step_summary import step_summary

        return bool(self.files) or step_summary() is not None

    def write_folder(self, folder: Path) -> None:
        """Write the reports of the finished run in a folder. Reads nothing where nothing is wanted."""
        if self.wanted:
            from showable.stores.run_reading import view_run

            view = view_run(folder)
            self.write_run(view, run_document_in(folder, view))

    def write_sides(self, decision: Decision, baseline: RunSide, candidate: RunSide) -> None:
        """Write the comparison of two runs, or repeats of them. Reads no answer where nothing is wanted."""
        if self.wanted:
            from showable.stores.run_sides import view_side

            self.write_gate(decision, view_side(baseline), view_side(candidate))

    def tell_unwritten(self) -> None:
        """Print on stderr that a run which was stopped has no reports: half of one would be taken for the whole."""
        if self.files:
            from showable.report.untrusted import printable

            listed = ", ".join(printable(str(path)) for path, _ in self.files)
            typer.echo(f"showable: the run is not finished, so nothing was written to {listed}", err=True)

    def write_run(self, view: RunView, document: Mapping[str, Any] | None = None) -> None:
        """Write the reports of a run; `document` is what ``--json`` prints, where that is more than the summary.

        Raises SettingError where a file cannot be written; each is whole or as it was before.
        """
        from showable.cli.step_summary import add_to_step_summary
        from showable.cli.writers import RunWriters

        writers = RunWriters(view, document).by_ending()
        for path, ending in self.files:
            replace_file(path, writers[ending])
        add_to_step_summary(writers[".md"])

    def write_gate(self, decision: Decision, baseline: RunView, candidate: RunView) -> None:
        """Write the comparison of two runs. Raises SettingError where a file cannot be written."""
        from showable.cli.step_summary import add_to_step_summary
        from showable.cli.writers import GateWriters

        writers = GateWriters(decision, baseline, candidate).by_ending()
        for path, ending in self.files:
            replace_file(path, writers[ending])
        add_to_step_summary(writers[".md"])


def plan_outputs(paths: Sequence[Path] | None, kind: Kind = "run", inputs: Sequence[Path] = ()) -> Outputs:
    """Check -o before anything is scored: endings, folders, and that nothing is written over that is needed.

    `inputs` are the files that the command reads. Raises SettingError.
    """
    files = tuple((path, _ending(path, kind)) for path in paths or ())
    read = {os.path.realpath(path) for path in inputs if str(path) != "-"}
    seen: set[str] = set()
    for path, _ in files:
        _refuse(path, read, seen)
        seen.add(os.path.realpath(path))
    return Outputs(kind, files)


def run_document_in(folder: Path, view: RunView) -> dict[str, Any]:
    """Return what ``--json`` printed when the run was scored: its summary, and what was written down beside it."""
    from showable.report.json_report import run_document
    from showable.stores.run_folder import read_facts
    from showable.stores.run_reading import SUMMARY

    held = read_facts(folder / SUMMARY) or {}
    return run_document(view) | {name: value for name, value in held.items() if name in _BESIDE}


def _ending(path: Path, kind: Kind) -> str:
    from showable.errors import SettingError

    name = path.name.casefold()
    ending = ".sarif" if name.endswith(".sarif.json") else path.suffix.casefold()
    if ending in ENDINGS[kind]:
        return ending
    *most, last = ENDINGS[kind]
    listed = (f"{', '.join(most)} or {last}" if most else last).replace(".xml", ".xml (JUnit)")
    if str(path) == "-":
        raise SettingError(f"-o -: no report goes to standard output, but --json does; give a file: {listed}")
    raise SettingError(f"-o {path}: {_NAMED[kind]} ends in {listed}")


def _refuse(path: Path, read: set[str], seen: set[str]) -> None:
    from showable.errors import SettingError

    real = Path(os.path.realpath(path))
    if str(real) in seen:
        raise SettingError(f"-o {path}: given twice")
    if str(real) in read:
        raise SettingError(f"-o {path}: is what is to be read, and would be written over")
    if real.is_dir() or not real.parent.is_dir():
        raise SettingError(f"-o {path}: {'is a folder' if real.is_dir() else 'its folder does not exist'}")
    if real.name in _OF_A_RUN and (real.parent / "run.json").exists():
        raise SettingError(f"-o {path}: is part of the run in {path.parent}, and would be written over")
    if real.exists() and not real.is_file():
        raise SettingError(f"-o {path}: is no regular file")
    if not os.access(real.parent, os.W_OK | os.X_OK) or (real.exists() and not os.access(real, os.W_OK)):
        raise SettingError(f"-o {path}: cannot be written")


def replace_file(path: Path, write: Writer) -> None:
    """Write a file in one step, so that nobody reads half of it. A link is followed, not replaced, as whoever gave it meant.

    Raises SettingError where it cannot be written; what was there before stays.
    """
    from showable.errors import SettingError
    from showable.own_files import replacing

    real = Path(os.path.realpath(path))
    try:
        with replacing(real) as handle:
            if real.exists():
                os.fchmod(
                    handle.fileno(), stat.S_IMODE(real.stat().st_mode)
                )  # who kept a report to himself keeps it so
            write(handle)
    except OSError as error:
        raise SettingError(f"{path}: cannot be written: {error.strerror or error}") from None
