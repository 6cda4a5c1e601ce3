"""`showable review RUN`: a local page on which people label what a run answered."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from showable.cli.options import ProfileOption

if TYPE_CHECKING:
    from showable.review.guard import Door
    from showable.review.reading_runs import OpenRun
    from showable.stores.labels.store import LabelStore

PORT = 8642
HostOption = Annotated[
    str,
    typer.Option(
        "--host", metavar="ADDRESS", help="Where to listen. Anywhere but on this machine alone, a token is asked for."
    ),
]


def review(
    run: Annotated[
        Path, typer.Argument(help="A finished run folder, or the name of a pinned baseline.", metavar="RUN")
    ],
    labels: Annotated[
        Path | None, typer.Option("--labels", help="The label file. Default: labels.sqlite in the run.", metavar="FILE")
    ] = None,
    second: Annotated[
        Path | None,
        typer.Option(
            "--second", help="The same answers scored by another judge: to label where the two disagree.", metavar="RUN"
        ),
    ] = None,
    promotions: Annotated[
        Path | None,
        typer.Option("--promotions", help="Candidates of a store's feed. Default: those of the run's.", metavar="FILE"),
    ] = None,
    profile: ProfileOption = None,
    host: HostOption = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="N", min=0, max=65535, help="0 is any free one.")] = PORT,
    open_: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Label a run's answers on a local page. Several people at once, blind, by keyboard. Ctrl-C ends it; nothing is lost."""
    need_server()
    from showable.review.app import Review, make_app
    from showable.review.guard import Door
    from showable.review.serving import serve, take_port
    from showable.stores.labels.store import LABELS, LabelStore

    opened = _open_run(run, profile)
    other = None if second is None else _open_second(second, opened)
    taken = take_port(host, port)
    with taken, LabelStore.open(labels or opened.path / LABELS, run_fingerprint=opened.fingerprint) as store:
        door = Door.at(host, taken.getsockname()[1])
        app = make_app(Review(opened, store, door, other, promotions))
        _tell_start(opened, store, door)
        if open_:
            typer.launch(door.url)
        serve(app, taken)
        _tell_end(opened, store, labels)


def need_server() -> None:
    """Raise SettingError where the libraries of the page are not installed."""
    from importlib.util import find_spec

    from showable.errors import SettingError

    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise SettingError("the page needs starlette and uvicorn: pip install 'showable[review]'")


def _open_run(run: Path, profile: str | None) -> OpenRun:
    from showable.profiles.load import load_profile
    from showable.review.reading_runs import OpenRun
    from showable.stores.baselines import resolve_run
    from showable.stores.runs_of import one_run

    return OpenRun(one_run(resolve_run(run)), None if profile is None else load_profile(profile))


def _open_second(second: Path, run: OpenRun) -> OpenRun:
    from showable.errors import SettingError

    other = _open_run(second, None)
    if other.fingerprint != run.fingerprint:
        raise SettingError(
            f"--second {second}: is a run of other answers than {run.path}; give one of the same, by another judge"
        )
    return other


def _tell_start(run: OpenRun, store: LabelStore, door: Door) -> None:
    from showable.report.untrusted import printable

    typer.echo(printable(f"{run.name}: {len(run):,} record{'' if len(run) == 1 else 's'} to label at {door.url}"))
    if door.token:
        typer.echo("Whoever has that address can label; it travels unencrypted, so keep to networks that you trust.")
    typer.echo(printable(f"Labels are kept in {store.path} as they are given. Ctrl-C ends the page."))


def _tell_end(run: OpenRun, store: LabelStore, labels: Path | None) -> None:
    import shlex

    from showable.report.untrusted import printable

    labels_held = store.current()
    given, people = len(labels_held), len({label.reviewer for label in labels_held})
    by = f" by {people} {'person' if people == 1 else 'people'}" if given else ""
    said = f"\nStopped. {given:,} label{'' if given == 1 else 's'}{by} in {store.path}"
    typer.echo("\n" + printable(said))
    if given:
        named = ["--labels", str(labels)] if labels else []
        command = shlex.join(["showable", "labels", "export", str(run.path), *named, "-o", "labels.jsonl"])
        typer.echo(printable(f"To take them out: {command}"))
