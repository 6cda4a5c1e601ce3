"""`showable guard`: a proxy that shows an answer only where its citations allow it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from showable.cli.guard_check import check
from showable.cli.guard_costs import costs
from showable.cli.help import Commands, HeadedCommand

LISTEN = "127.0.0.1:8811"


class _ServesByDefault(Commands):
    """Takes `guard --config FILE` as `guard run --config FILE`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the command in where none is named."""
        if args and args[0] not in self.commands and args[0] not in {"-h", "--help"}:
            args = ["run", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    name="guard",
    help="Guard live answers: a proxy that shows, holds, rewrites or refuses them.",
    cls=_ServesByDefault,
    no_args_is_help=True,
    rich_markup_mode=None,
)

app.command("check")(check)
app.command("costs")(costs)

ConfigOption = Annotated[
    Path | None, typer.Option("--config", help="Upstreams, routes, keys and prices.", metavar="guard.toml")
]
ListenOption = Annotated[
    str, typer.Option("--listen", help="Where to listen; other machines reach it only with keys.", metavar="HOST:PORT")
]
PricesOption = Annotated[
    Path | None,
    typer.Option(
        "--prices", help="Prices by model, in the shape of LiteLLM's model_prices_and_context_window.", metavar="FILE"
    ),
]
DataOption = Annotated[
    Path | None,
    typer.Option("--data", help="Keep counts, logs and a row a call here, across restarts.", metavar="FOLDER"),
]


@app.command("run", cls=HeadedCommand)
def run(
    *,
    config: ConfigOption = None,
    listen: ListenOption = LISTEN,
    workers: Annotated[int, typer.Option("--workers", help="Processes that share the port.", min=1, max=64)] = 1,
    prices: PricesOption = None,
    data: DataOption = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Guard a scripted model on this machine: no key, no network.")
    ] = False,
) -> None:
    """Guard calls of OpenAI's and Anthropic's interfaces until Ctrl-C; prints `listening on …` when ready."""
    from showable.errors import SettingError

    _need_guard()
    from showable.production.guard.serve_guard import parse_address, serve_guard

    address = parse_address(listen)
    if demo:
        from showable.production.guard.demo import guard_demo

        guard_demo(address, _ready)
        return
    if config is None:
        raise SettingError("--config guard.toml: name the file, or try `showable guard --demo`")
    from showable.production.guard.cost import read_prices
    from showable.production.guard.guard_file import read_guard_file

    settings = read_guard_file(config)
    priced = read_prices(settings.table.prices, prices)
    serve_guard(settings, priced, listen=address, workers=workers, config=config, folder=data, ready=_ready)


def _ready(address: str) -> None:
    typer.echo(f"listening on {address}")
    import sys

    sys.stdout.flush()


def _need_guard() -> None:
    """Raise SettingError where the libraries of the proxy are not installed."""
    from importlib.util import find_spec

    from showable.errors import SettingError

    missing = [name for name in ("httptools", "uvloop", "orjson") if find_spec(name) is None]
    if missing:
        raise SettingError(f"{', '.join(missing)} not installed: pip install 'showable[guard]'")
