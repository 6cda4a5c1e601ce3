"""`showable registry import|list|probe`: citations of one's own to answer from, and whether the live registries still answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from showable.cli.help import Commands
from showable.cli.options import JsonOption

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from showable.records import Registry
    from showable.registries.local_sets.importing import Imported
    from showable.registries.local_sets.store import SetAbout
    from showable.registries.probe import ProbeResult
    from showable.registries.settings import Settings
    from showable.registries.web.client import SafeNetwork

DRIFTED, BAD_INPUT, UNANSWERED = 1, 2, 3
_SHOWN_BAD = 20

app = typer.Typer(
    name="registry",
    help="Import citations to check offline; probe the live registries.",
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
)

StoreOption = Annotated[
    Path | None,
    typer.Option(
        "--store", help="The file of imported sets. Default: one a user, or SHOWABLE_REGISTRY_LOCAL.", metavar="FILE"
    ),
]


@app.command("import")
def import_set(
    file: Annotated[
        Path,
        typer.Argument(
            help="CSV, JSON Lines, JSON or SQLite; a Retraction Watch export; a volume's CasesMetadata.json; a list of DOIs.",
            metavar="FILE",
        ),
    ],
    name: Annotated[
        str, typer.Option("--name", help="The set's name; a set of that name is replaced.", metavar="NAME")
    ],
    kind: Annotated[
        str | None, typer.Option("--kind", help="What every row is: case, doi, bibliographic …", metavar="KIND")
    ] = None,
    complete_for: Annotated[
        list[str] | None,
        typer.Option(
            "--complete-for",
            help="The set has every reference of this kind there is (of whole volumes: in them), so that a miss is not_found.",
            metavar="KIND",
        ),
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(
            "--column", help="Which column holds a field, such as title=Title. Repeat it.", metavar="FIELD=COLUMN"
        ),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="csv, jsonl, json, sqlite, retraction-watch, cap or doi-list. Default: told from the file.",
            metavar="FORMAT",
        ),
    ] = None,
    table: Annotated[
        str | None, typer.Option("--table", help="The table of an SQLite database.", metavar="TABLE")
    ] = None,
    store: StoreOption = None,
    json: JsonOption = False,
) -> None:
    """Import a file of known citations: parsed fields, or one `citation` a row. Exit 2: rows were left out, or all of it."""
    from showable.cli.options import input_file
    from showable.registries.local_sets.importing import ImportPlan, import_file, read_columns
    from showable.registries.local_sets.store import SetStore

    kinds = tuple(part.strip() for told in complete_for or () for part in told.split(",") if part.strip())
    columns = read_columns(column or ())
    with input_file(file) as path:
        plan = ImportPlan(path, name, kind, kinds, columns, form, table, shown=str(file))
        plan.check()
        with SetStore.open(_store_path(store)) as opened:
            done = import_file(plan, opened)
    _show_imported(done, as_json=json)
    if done.bad:
        raise typer.Exit(BAD_INPUT)


@app.command("list")
def list_sets(store: StoreOption = None, json: JsonOption = False) -> None:
    """List the imported sets: how much is in each, what it is complete for, when it was imported."""
    from showable.registries.local_sets.store import SetStore

    path = _store_path(store)
    sets: list[SetAbout] = []
    if path.is_file():
        with SetStore.open(path) as opened:
            sets = opened.sets()
    if json:
        import json as writer

        typer.echo(
            writer.dumps({"store": str(path), "sets": [one.as_row() for one in sets]}, ensure_ascii=False, indent=2)
        )
    elif not sets:
        typer.echo("no citations have been imported; showable registry import FILE --name NAME")
    else:
        _show_sets(sets)


@app.command("probe")
def probe_registries(
    names: Annotated[
        list[str] | None, typer.Argument(help="Registries by name. Default: all.", metavar="NAME...")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Ask each live registry for a record that is known to exist. Exit 1: one has changed or lost it; 3: some did not answer."""
    import asyncio

    results = asyncio.run(_probe(names or None))
    if json:
        import json as writer

        typer.echo(writer.dumps({"registries": [one.as_row() for one in results]}, ensure_ascii=False, indent=2))
    else:
        _show_probed(results)
    found = {one.health for one in results}
    if found & {"drifted", "lost"}:
        raise typer.Exit(DRIFTED)
    if "no_answer" in found:
        raise typer.Exit(UNANSWERED)


async def _probe(names: Sequence[str] | None) -> list[ProbeResult]:
    import os

    from showable.registries.probe import probe
    from showable.registries.settings import settings_from
    from showable.registries.web.client import SafeNetwork, agent_of

    settings = settings_from(os.environ)
    network = SafeNetwork(agent=agent_of(settings))
    try:
        return await probe(_registries(network, settings, names), names)
    finally:
        await network.aclose()


def _registries(network: SafeNetwork, settings: Settings, names: Sequence[str] | None) -> Mapping[str, Registry]:
    """Make the registries on the way out that lookups use. Raises SettingError at a name that is none."""
    from showable.registries.catalogue import make_registries, registry_class
    from showable.registries.consult_order import READ_CITED_ADDRESSES
    from showable.registries.web.asking import Pace, Web
    from showable.registries.web.client import addresses_of

    for name in names or ():
        registry_class(name)

    def web_for(name: str, pace: Pace) -> Web:
        return network.bind(name, pace, allow=frozenset() if name in READ_CITED_ADDRESSES else addresses_of(settings))

    return make_registries(web_for, settings)


def _store_path(given: Path | None) -> Path:
    import os

    from showable.registries.local import store_of
    from showable.registries.settings import settings_from

    return given or store_of(settings_from(os.environ))


def _show_imported(done: Imported, *, as_json: bool) -> None:
    if as_json:
        import json

        bad = [{"line": error.line, "reason": error.message} for error in done.bad]
        typer.echo(json.dumps({**done.about.as_row(), "bad_rows": bad}, ensure_ascii=False, indent=2))
        return
    from showable.report.untrusted import printable

    for error in done.bad[:_SHOWN_BAD]:
        typer.echo(f"showable: {printable(str(error))}", err=True)
    if len(done.bad) > _SHOWN_BAD:
        typer.echo(f"showable: and {len(done.bad) - _SHOWN_BAD} more bad rows", err=True)
    about = done.about
    left_out = f"; {about.bad} bad rows were left out" if about.bad else ""
    typer.echo(f"{printable(about.name)}: {_counted(about)}{left_out}")


def _counted(about: SetAbout) -> str:
    listed = ", ".join(f"{count:,} {kind}" for kind, count in about.kinds.items())
    return f"{listed}, of {about.volumes} whole volumes" if about.volumes else listed


def _show_sets(sets: Sequence[SetAbout]) -> None:
    from showable.report.untrusted import printable

    rows = [
        (
            printable(one.name, limit=40),
            _counted(one),
            ", ".join(one.complete_for) or "–",
            str(one.bad),
            one.at[:10],
            printable(one.source, limit=60),
        )
        for one in sets
    ]
    _print_table(("set", "entries", "complete for", "bad rows", "imported", "from"), rows)


def _show_probed(results: Sequence[ProbeResult]) -> None:
    from showable.report.untrusted import printable

    rows = []
    for one in results:
        said = f"no longer has {', '.join(one.missing)}" if one.missing else one.reason or ""
        rows.append(
            (one.registry, one.health.replace("_", " "), f"{one.ms:.0f}" if one.ms else "–", printable(said, limit=160))
        )
    _print_table(("registry", "status", "ms", "what is different"), rows)


def _print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.table import Table
    from rich.text import Text

    from showable.cli.console import ReportConsole

    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False)
    for title in head:
        table.add_column(
            Text(title, style="bold"), overflow="fold", justify="right" if title in {"ms", "bad rows"} else "left"
        )
    for row in rows:
        table.add_row(*map(Text, row))
    ReportConsole().print(table)
