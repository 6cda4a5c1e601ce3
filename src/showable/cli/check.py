"""`showable check FILE…`: every citation in a brief, a paper or a page, looked up before someone else does."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated
from urllib.parse import quote

import typer

from showable.cli.options import DetailsOption, JsonOption
from showable.cli.outputs import plan_outputs, replace_file
from showable.judging_settings import registry_cache

if TYPE_CHECKING:
    from showable.checking.run import Check
    from showable.documents.document import Document
    from showable.records.profile import Profile
    from showable.registries.consult import Consultation
    from showable.report.check_outcome import Checked

INTERRUPTED = 130
_STOPPED = "stopped by Ctrl-C"


def check(
    files: Annotated[
        list[Path],
        typer.Argument(help="txt, md, html, docx, pdf or bib; - reads standard input.", metavar="FILE..."),
    ],
    profile: Annotated[
        str | None,
        typer.Option("--profile", help="legal, medical, research, news, general, or a TOML file.", metavar="NAME"),
    ] = None,
    offline: Annotated[
        bool, typer.Option("--offline", help="Ask nobody: answer from the cache and from imported lists.")
    ] = False,
    sources: Annotated[
        Path | None, typer.Option("--sources", help="Look for quoted words in the files of this folder.", metavar="DIR")
    ] = None,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            help="Write a report here; the ending says which: .html (the text with each citation marked), .sarif or .json."
            " May be repeated.",
            metavar="FILE",
        ),
    ] = None,
    registry: Annotated[
        list[str] | None, typer.Option("--registry", help="Ask only this registry; may be repeated.", metavar="NAME")
    ] = None,
    deadline: Annotated[
        float, typer.Option("--deadline", min=1.0, help="Seconds for the whole check.", metavar="S")
    ] = 600.0,
    details: DetailsOption = False,
    json: JsonOption = False,
) -> None:
    """Look up every citation in documents. What leaves the machine is the citation, never the document.

    Exit 1: a citation is not found, is another's, retracted, withdrawn, superseded, malformed, or a quote is wrong.
    Exit 3: none of that, and some could not be checked. The same command goes on where it was stopped.
    """
    outputs = plan_outputs(output, "check", inputs=files)
    _refuse(files)
    rules = _profile(profile)
    documents = _read(files)
    prepared = _prepare(documents, files, sources)
    consultation, asked = _consultation(rules, prepared, registry, offline=offline, deadline=deadline)
    stopped = _carry_out(prepared, consultation, asked, offline=offline)
    checked = _outcome(prepared, rules, asked, offline=offline, stopped=stopped)
    for path, ending in outputs.files:
        replace_file(path, partial(_write, checked, documents, ending))
    _show(checked, as_json=json, details=details)
    _leave(checked)


def _refuse(files: Sequence[Path]) -> None:
    """Raise SettingError for a file that is given twice."""
    from showable.errors import SettingError

    names = [str(path) if str(path) == "-" else os.path.realpath(path) for path in files]
    if len(set(names)) < len(names):
        twice = next(path for at, path in enumerate(files) if names[at] in names[:at])
        raise SettingError(f"{twice}: given twice")


def _profile(name: str | None) -> Profile | None:
    if name is None:
        return None
    from showable.profiles import load_profile

    return load_profile(name)


def _read(files: Sequence[Path]) -> list[Document]:
    from showable.documents.read import read_document

    return [read_document(path) for path in files]


def _prepare(documents: Sequence[Document], files: Sequence[Path], sources: Path | None) -> Check:
    """Find the citations, and read the files that their quotations are looked for in."""
    from showable.checking.run import Check
    from showable.checking.sources import Library

    library = None
    if sources is not None:
        library = Library.read(sources, leave_out=files)
        for said in library.unread:
            _tell(f"--sources: {said}")
    return Check(documents, library)


def _consultation(
    rules: Profile | None, prepared: Check, only: Sequence[str] | None, *, offline: bool, deadline: float
) -> tuple[Consultation | None, tuple[str, ...]]:
    """Open the registries, and say which of them the questions at hand go to. None where there is nothing to ask."""
    from showable.checking.asking import asked_of, orders

    order, also = orders(rules, only)
    asked = asked_of((reference.kind for reference in prepared.questions.values()), order, also)
    if not prepared.open:
        return None, ()
    from showable.registries.consult import make_consultation
    from showable.registries.settings import settings_from

    made = make_consultation(
        settings_from(os.environ),
        order=order,
        also=also,
        offline=offline,
        cache_path=registry_cache(),
        deadline=deadline,
    )
    return made, () if offline else asked


def _carry_out(
    prepared: Check, consultation: Consultation | None, asked: Sequence[str], *, offline: bool
) -> str | None:
    """Ask everything. Says why it ended early, if it did; what was answered until then is kept."""
    import asyncio

    from showable.cli.check_progress import CheckProgress
    from showable.report.check_words import counted

    if consultation is None:
        return None
    for note in consultation.notes:
        _tell(note)
    number = counted(prepared.distinct, "distinct citation")
    if offline:
        _tell(f"offline: nothing leaves this machine; looking for {number} in the cache and in imported lists")
    elif asked:
        _tell(f"asking about {number}, of each the citation and never the document: {', '.join(asked)}")
    else:
        _tell(f"no registry to ask on the network; looking for {number} in imported lists")

    async def run() -> None:
        try:
            await prepared.run(consultation, progress.told)
        finally:
            await consultation.aclose()

    with CheckProgress(prepared.open) as progress:
        try:
            asyncio.run(run())
        except KeyboardInterrupt:
            return _STOPPED
    return None


def _outcome(
    prepared: Check, rules: Profile | None, asked: Sequence[str], *, offline: bool, stopped: str | None
) -> Checked:
    from showable import __version__

    return prepared.outcome(
        asked=asked,
        profile="general" if rules is None else rules.label,
        offline=offline,
        stopped=stopped,
        version=__version__,
    )


def _write(checked: Checked, documents: Sequence[Document], ending: str, file: IO[bytes]) -> None:
    """Write a report to an open file, in the format of its ending."""
    import json

    if ending == ".html":
        from showable.checking.run import text_of
        from showable.report.check_html import render_check_html

        said = render_check_html(checked, [text_of(document) for document in documents])
    elif ending == ".sarif":
        from showable.report.check_sarif import to_sarif

        said = json.dumps(to_sarif(checked, uris(documents)), ensure_ascii=False, indent=2)
    else:
        from showable.report.check_outcome import to_document

        said = json.dumps(to_document(checked), ensure_ascii=False, indent=2)
    file.write(said.encode("utf-8", "replace"))


def uris(documents: Sequence[Document]) -> Mapping[str, str]:
    """Return each document's URI relative to the folder the command runs in, as RFC 3986 writes one."""
    here = Path.cwd()
    found = {}
    for document in documents:
        path = Path(document.name)
        try:
            path = path.resolve().relative_to(here.resolve()) if path.is_absolute() else path
        except ValueError:  # it lies elsewhere, and only its own name says where
            path = Path(path.name)
        found[document.name] = quote(path.as_posix())
    return found


def _show(checked: Checked, *, as_json: bool, details: bool) -> None:
    if as_json:
        import json

        from showable.report.check_outcome import to_document

        typer.echo(json.dumps(to_document(checked), ensure_ascii=False, indent=2))
        return
    from showable.cli.console import ReportConsole
    from showable.report.check_text import render_check

    render_check(checked, console=ReportConsole(), details=details)


def _leave(checked: Checked) -> None:
    from showable.report.check_outcome import exit_code

    code = INTERRUPTED if checked.stopped else exit_code(checked)
    if code:
        raise typer.Exit(code)


def _tell(said: str) -> None:
    from showable.report.untrusted import printable

    typer.echo(f"showable: {printable(said)}", err=True)
