"""`showable guard costs`: what guarded answers cost, and what their structure takes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from showable.cli.options import JsonOption

if TYPE_CHECKING:
    from showable.production.guard.cost_table import Mean, RouteCosts

_UNITS = {"h": 3600, "d": 86_400, "w": 604_800}


def costs(
    *,
    data: Annotated[
        Path, typer.Option("--data", help="The folder that `showable guard --data` keeps.", metavar="FOLDER")
    ],
    since: Annotated[str, typer.Option("--since", help="How far back: 12h, 7d, 4w.", metavar="TIME")] = "7d",
    against: Annotated[
        str | None, typer.Option("--against", help="Compare every other route with this one.", metavar="ROUTE")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Print calls, dollars and tokens by route; with --against, what a route costs more than another.

    Dollars are exact, from the providers' counts of tokens; a call whose price is not known is counted and in no sum.
    """
    import json
    import time
    from dataclasses import asdict

    from showable.errors import SettingError
    from showable.production.guard.call_rows import read_rows
    from showable.production.guard.cost_table import costs_by_route, difference

    rows = list(read_rows(data, time.time() - _seconds(since)))
    found = costs_by_route(rows)
    names = [one.route for one in found]
    if against is not None and against not in names:
        raise SettingError(f"--against {against}: no calls of that route; there are {', '.join(names) or 'none'}")
    apart = {name: difference(rows, name, against) for name in names if name != against} if against else {}
    if as_json:
        compared = {name: {"output": asdict(tokens), "usd": asdict(usd)} for name, (tokens, usd) in apart.items()}
        typer.echo(
            json.dumps(
                {"routes": [asdict(one) for one in found], "against": against, "differences": compared}, indent=2
            )
        )
        return
    for one in found:
        _print(one)
    for name, (tokens, usd) in apart.items():
        typer.echo(f"{name} − {against}: output tokens {_told(tokens, 1)}, USD {_told(usd, 6)}")


def _seconds(since: str) -> float:
    from showable.errors import SettingError

    if not since[:-1].isdecimal() or since[-1:] not in _UNITS:
        raise SettingError(f"--since {since}: expected a number and h, d or w")
    return int(since[:-1]) * _UNITS[since[-1]]


def _print(one: RouteCosts) -> None:
    releases = ", ".join(f"{name} {count}" for name, count in sorted(one.releases.items()))
    typer.echo(f"{one.route}: {one.calls} calls ({releases})")
    spent = ", ".join(f"{name} {usd:.6f}" for name, usd in sorted(one.usd.items()))
    unknown = f"; unknown for {one.unknown}" if one.unknown else ""
    per_shown = "unknown" if one.usd_per_shown is None else f"{one.usd_per_shown:.6f}"
    typer.echo(f"  USD: {spent}{unknown}; per shown answer {per_shown}")
    typer.echo(f"  output tokens: {_told(one.output, 1)}")
    typer.echo(f"  structure, share of the characters: {_told(one.structure, 3)}")


def _told(mean: Mean, digits: int) -> str:
    if mean.value is None:
        return "unknown (n=0)"
    interval = "" if mean.low is None or mean.high is None else f" [{mean.low:.{digits}f}, {mean.high:.{digits}f}]"
    return f"{mean.value:.{digits}f}{interval} (n={mean.n})"
