"""`showable guard check`: whether a deployed chain of gateways lets any part of a bad answer through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from showable.cli.options import JsonOption

if TYPE_CHECKING:
    from showable.production.guard.chain_check import ChainReport

LEAKED, UNPROVEN = 1, 3
_OUTCOMES = {
    "held": "held",
    "leaked": "LEAKED",
    "shown": "shown",
    "not_shown": "not shown",
    "not_asked": "the model was not asked",
}


def check(
    url: Annotated[
        str, typer.Argument(help="Where the chain is entered, as applications do: without /v1.", metavar="URL")
    ],
    *,
    model: Annotated[str, typer.Option("--model", help="A model of the chain that leads to --listen.", metavar="NAME")],
    listen: Annotated[
        str, typer.Option("--listen", help="Where the scripted model answers meanwhile.", metavar="HOST:PORT")
    ] = "127.0.0.1:8822",
    key: Annotated[
        str | None, typer.Option("--key", help="The chain's key, by its variable.", metavar="env:NAME")
    ] = None,
    guard: Annotated[
        str | None,
        typer.Option(
            "--guard", help="The guard itself: logs are put there, and named in x-showable-log.", metavar="URL"
        ),
    ] = None,
    guard_key: Annotated[
        str | None, typer.Option("--guard-key", help="The guard's key, by its variable.", metavar="env:NAME")
    ] = None,
    api: Annotated[
        list[str] | None, typer.Option("--api", help="chat, responses, messages; all three where none is named.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Send a bad answer and a good one through a deployed chain, on each interface, plain and streamed.

    Exit 1 if any part of a bad answer comes back; 3 if nothing is proven: no model was asked, or no good answer is shown.
    """
    import asyncio

    from showable.errors import SettingError
    from showable.production.guard.chain_check import PATHS, Chain, check_chain
    from showable.production.guard.serve_guard import parse_address

    apis = list(dict.fromkeys(api or PATHS))
    if unknown := [name for name in apis if name not in PATHS]:
        raise SettingError(f"--api {unknown[0]}: expected {', '.join(PATHS)}")
    secret, guards = _secret("--key", key), _secret("--guard-key", guard_key)
    chain = Chain(
        url=_address("URL", url),
        model=model,
        headers={"authorization": f"Bearer {secret}", "x-api-key": secret} if secret else {},
        guard=None if guard is None else _address("--guard", guard),
        guard_headers={"x-showable-key": guards} if guards else {},
    )
    address = parse_address(listen)
    try:
        report = asyncio.run(check_chain(chain, address, apis))  # type: ignore[arg-type]
    except OSError as error:
        raise SettingError(f"--listen {listen}: {error.strerror or error}") from None
    _show(report, as_json=as_json)
    if report.leaked:
        raise typer.Exit(LEAKED)
    if not report.proves:
        raise typer.Exit(UNPROVEN)


def _show(report: ChainReport, *, as_json: bool) -> None:
    if as_json:
        import json
        from dataclasses import asdict

        document = {"leaked": report.leaked, "proves": report.proves, "tried": [asdict(one) for one in report.tried]}
        typer.echo(json.dumps(document, ensure_ascii=False, indent=2))
        return
    from showable.report.untrusted import printable

    for one in report.tried:
        way, kind = "streamed" if one.stream else "plain", "bad" if one.bad else "good"
        why = "" if one.outcome in {"held", "shown"} else f"  {one.status or 'no reply'} {printable(one.told)[:120]}"
        typer.echo(f"{one.api:<10} {way:<9} {kind:<5} {_OUTCOMES[one.outcome]}{why}")
    if report.leaked:
        typer.echo("Parts of a bad answer came back: the chain is not guarded.")
    elif report.proves:
        typer.echo("No part of a bad answer came back, and good answers did.")
    else:
        typer.echo("Nothing is proven: not every bad answer reached the guard, or a good one is held as well.")


def _address(name: str, given: str) -> str:
    from urllib.parse import urlsplit

    from showable.errors import SettingError

    try:
        parts = urlsplit(given)
        whole = parts.scheme in {"http", "https"} and bool(parts.hostname) and not parts.query and not parts.fragment
    except ValueError:
        whole = False
    if not whole:
        raise SettingError(f"{name} {given[:100]}: expected http://HOST or https://HOST")
    return given.rstrip("/")


def _secret(name: str, given: str | None) -> str | None:
    import os

    from showable.errors import SettingError

    if given is None:
        return None
    variable = given.removeprefix("env:")
    value = os.environ.get(variable, "")
    if not given.startswith("env:") or not value:
        raise SettingError(f"{name}: expected env:NAME, a variable that holds the key")
    return value
