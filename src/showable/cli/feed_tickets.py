"""`showable feed tickets`: one ticket an issue in Linear, GitHub, Jira, Slack and PagerDuty."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from showable.cli.feed import FeedOption, FeedStoreOption, WhereArgument, opened_feed, read_source
from showable.cli.help import Commands
from showable.cli.options import JsonOption

if TYPE_CHECKING:
    from showable.production.feed.tickets.outbox import Held, Outbox, Row

UNSENT = 3
CONFIG = Path("tickets.toml")

app = typer.Typer(
    name="tickets",
    help="Send issues as tickets, and see what became of them.",
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
)

ConfigOption = Annotated[Path, typer.Option("--config", help="The file that says where tickets go.", metavar="FILE")]


@app.command("send")
def send_tickets(
    where: WhereArgument = None,
    store: FeedStoreOption = None,
    feed: FeedOption = None,
    config: ConfigOption = CONFIG,
    now: Annotated[
        bool, typer.Option("--now", help="Try again at once what was refused, or what waits after a failed login.")
    ] = False,
    with_texts: Annotated[
        list[str] | None,
        typer.Option(
            "--with-texts",
            help="A target whose tickets may quote the issues that `showable feed quote` allowed.",
            metavar="TARGET",
        ),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Send what is new or has changed, look which tickets were closed, and leave what fails in the outbox.

    A ticket holds rule words, counts and a link: no text of a question, an answer or a passage, but with --with-texts.
    Exit code 3 where something waits or was refused.
    """
    import asyncio
    import time

    from showable.errors import SettingError
    from showable.production.feed.tickets.delivery import deliver
    from showable.production.feed.tickets.outbox import Outbox
    from showable.production.feed.tickets.quotes import texts_of
    from showable.production.feed.tickets.settings import TicketSettings, make_targets

    settings = TicketSettings.read(config)
    if with_texts is not None:
        settings = settings.model_copy(update={"with_texts": tuple(with_texts)})
        if strange := settings.strange():
            raise SettingError(f"--with-texts {strange}: expected a target of {config}")
    targets = make_targets(settings, os.environ)
    source = read_source(where, store, feed, issues=0)
    with opened_feed(source) as held:
        outbox = Outbox(held.file)
        if now:
            outbox.release()

        async def work() -> int:
            try:
                return await deliver(held, settings, targets, texts_of(source.run, source.store))
            finally:
                await targets.aclose()

        taken = asyncio.run(work())
        left = _left(outbox, time.time_ns())
    document = {"sent": taken, **left}
    _tell(document, json=json)
    if left["waiting"] or left["refused"]:
        raise typer.Exit(UNSENT)


@app.command("list")
def list_tickets(
    where: WhereArgument = None, store: FeedStoreOption = None, feed: FeedOption = None, json: JsonOption = False
) -> None:
    """List the tickets of issues: where each stands, and whether it is open."""
    from showable.production.feed.tickets.outbox import Outbox

    with opened_feed(read_source(where, store, feed, issues=0)) as held:
        tickets = Outbox(held.file).tickets()
    if json:
        from json import dumps

        typer.echo(dumps({"n": len(tickets), "tickets": [_of_ticket(one) for one in tickets]}, indent=2))
        return
    for one in tickets:
        state = "deleted there" if one.gone else "open" if one.open else "closed"
        typer.echo(f"{one.issue:8} {one.target:10} {state:14} {one.url}")
    if not tickets:
        typer.echo("no tickets yet; `showable feed tickets send` opens them")


@app.command("status")
def show_status(
    where: WhereArgument = None, store: FeedStoreOption = None, feed: FeedOption = None, json: JsonOption = False
) -> None:
    """Show what waits, what was refused and why, and which target is left alone until when."""
    import time

    from showable.production.feed.tickets.outbox import Outbox

    with opened_feed(read_source(where, store, feed, issues=0)) as held:
        left = _left(Outbox(held.file), time.time_ns())
    _tell(left, json=json)


@app.command("connect")
def connect_linear(
    config: ConfigOption = CONFIG,
    redirect: Annotated[
        str, typer.Option("--redirect", help="The redirect address that the app is registered with.", metavar="URL")
    ] = "http://localhost:8643/",
    code: Annotated[
        str | None, typer.Option("--code", help="The `code` of the address that Linear led to.", metavar="CODE")
    ] = None,
) -> None:
    """Connect to Linear by OAuth: without --code print the address to open, with it keep the tokens."""
    import asyncio
    import secrets

    from showable.errors import SettingError
    from showable.production.feed.tickets.linear_oauth import authorize_url
    from showable.production.feed.tickets.settings import TicketSettings, connecting
    from showable.production.feed.tickets.ticket import DeliveryError

    oauth, network = connecting(TicketSettings.read(config), os.environ)
    if code is None:
        typer.echo(authorize_url(oauth.client, redirect, secrets.token_urlsafe(16)))
        typer.echo("showable: open it, let the app in, and come back with --code", err=True)
        return

    async def work() -> None:
        try:
            await oauth.connect(code, redirect)
        finally:
            await network.aclose()

    try:
        asyncio.run(work())
    except DeliveryError as error:
        raise SettingError(f"linear: {error}") from None
    typer.echo(f"connected; the tokens are in {oauth.path}")


def _left(outbox: Outbox, now_ns: int) -> dict[str, Any]:
    waiting = [row for row in outbox.rows("queued", "sending", "uncertain") if row.next_ns <= now_ns or row.tries]
    refused: dict[tuple[str, str], Row] = {}
    for row in outbox.rows():  # the last word on an issue at a target
        refused[row.target, row.issue] = row
    holds = outbox.holds(now_ns)
    return {
        "waiting": [_of_row(row) for row in waiting],
        "refused": [_of_row(row) for row in refused.values() if row.state == "refused"],
        "held": [{"target": name, "until": _clock(until), "said": said} for name, (until, said) in holds.items()],
    }


def _tell(document: dict[str, Any], *, json: bool) -> None:
    if json:
        from json import dumps

        typer.echo(dumps(document, indent=2))
        return
    from showable.cli.traces_reading import plural

    if "sent" in document:
        typer.echo(f"{plural(document['sent'], 'message')} sent")
    for name in ("waiting", "refused"):
        for row in document[name][:20]:
            typer.echo(f"{name}: {row['issue']} {row['target']} ({row['kind']}): {row['said'] or 'not tried yet'}")
        if len(document[name]) > 20:  # noqa: PLR2004 - a screen
            typer.echo(f"{name}: {len(document[name]) - 20} more; --json lists all")
    for held in document["held"]:
        typer.echo(f"{held['target']}: left alone until {held['until']}: {held['said']}")
    if "sent" not in document and not any(document.values()):
        typer.echo("nothing waits, nothing was refused")


def _of_row(row: Row) -> dict[str, Any]:
    return {
        "issue": row.issue,
        "target": row.target,
        "kind": row.kind,
        "state": row.state,
        "tries": row.tries,
        "next": _clock(row.next_ns),
        "said": row.said,
    }


def _of_ticket(held: Held) -> dict[str, Any]:
    said = {"issue": held.issue, "target": held.target, "id": held.remote, "url": held.url}
    return said | {"open": held.open, "deleted": held.gone, "sent": _clock(held.sent_ns)}


def _clock(at_ns: int) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(at_ns // 1_000_000_000, UTC).isoformat()
