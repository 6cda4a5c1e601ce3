"""`showable feed`: failing answers, grouped into issues with a cause, a fix and an owner."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from showable.cli.help import Commands, HeadedCommand
from showable.cli.options import JsonOption, PriceInOption, PriceOutOption

if TYPE_CHECKING:
    from showable.production.feed.actions import Actor
    from showable.production.feed.nouns import Batch
    from showable.production.feed.store import FeedStore

app = typer.Typer(
    name="feed",
    help="Group failing answers into issues, each with a cause, a fix and an owner.",
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
)
_ISSUE = re.compile(r"EF-\d+")

WhereArgument = Annotated[
    list[str] | None,
    typer.Argument(
        help="A run folder, where --store is not given; then issues, as the command needs them.",
        metavar="[RUN] [ISSUE]...",
    ),
]
FeedStoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        help="In place of a run, traffic: a SQLite file of traces, or clickhouse://USER:PASSWORD@HOST:8123/DATABASE.",
        metavar="STORE",
    ),
]
FeedOption = Annotated[
    Path | None,
    typer.Option(
        "--feed",
        help="Where issues are kept. Default: RUN/feed.sqlite, or STORE with .feed before its ending.",
        metavar="FILE",
    ),
]
DaysOption = Annotated[
    int, typer.Option("--days", min=1, max=366, help="Days of traffic that a feed looks back on, with --store.")
]
ByOption = Annotated[str | None, typer.Option("--by", help="Who does it. Default: the user's name.", metavar="NAME")]


@dataclass(frozen=True, slots=True)
class Source:
    """What a feed is made of and where it is kept, and what else stood on the line: issues, and answers."""

    run: Path | None
    store: str | None
    feed: Path
    issues: tuple[str, ...]
    answers: tuple[str, ...]


def read_source(
    words: list[str] | None, store: str | None, feed: Path | None, *, issues: int | None, answers: bool = False
) -> Source:
    """Read the words of a command: a run folder unless `store` is given, `issues` issues (None: any), and answers.

    Raises SettingError for what is missing or too much.
    """
    from showable.errors import SettingError
    from showable.production.feed.place import feed_beside
    from showable.production.feed.store import FEED

    given = list(words or ())
    named = tuple(word for word in given if _ISSUE.fullmatch(word))
    rest = [word for word in given if not _ISSUE.fullmatch(word)]
    if store is None and not rest:
        raise SettingError("feed: name a run folder, or a store of traces with --store")
    run = Path(rest.pop(0)) if store is None else None
    if rest and not answers:
        raise SettingError(f"{rest[0]}: expected an issue such as EF-7")
    if issues is not None and len(named) != issues:
        raise SettingError(f"feed: expected {issues} issue{'s' * (issues != 1)} such as EF-7, got {len(named)}")
    if run is not None:
        from showable.stores.runs_of import one_run

        run = one_run(run)
    kept = feed or (run / FEED if run is not None else feed_beside(str(store)))
    return Source(run, store, kept, named, tuple(rest))


@contextmanager
def opened_feed(source: Source, *, make: bool = False) -> Iterator[FeedStore]:
    """Open the feed of a source. Raises SettingError where there is none and none is to be made."""
    from showable.production.feed.store import FeedStore

    with FeedStore.open(source.feed, make=make) as feed:
        yield feed


def build_feed(feed: FeedStore, source: Source, days: int) -> Batch:
    """Build the latest batch of a source. Raises InputError or SettingError where it cannot be read."""
    import time

    from showable.production.feed.build import build
    from showable.production.feed.reading import read_run_window, read_store_window
    from showable.production.feed.space import space_name
    from showable.production.feed.word_layer import shipped_words

    now = time.time_ns()
    if source.run is not None:
        return build(feed, read_run_window(source.run), shipped_words(), now)
    from showable.cli.store_option import opened_store

    words = shipped_words()
    with opened_store(str(source.store), make=False) as store:
        return build(feed, read_store_window(store, now, days, feed.items(space_name(words))), words, now)


@app.command("build", cls=HeadedCommand)
def build_command(
    where: WhereArgument = None,
    store: FeedStoreOption = None,
    feed: FeedOption = None,
    days: DaysOption = 28,
    json: JsonOption = False,
) -> None:
    """Group the failing answers of a run, or of a store of traces. The same answers again are the same batch."""
    source = read_source(where, store, feed, issues=0)
    with opened_feed(source, make=True) as held:
        build_feed(held, source, days)
        print_list(held, as_json=json, members=False)


@app.command("list")
def list_command(
    where: WhereArgument = None,
    store: FeedStoreOption = None,
    feed: FeedOption = None,
    members: Annotated[bool, typer.Option("--members", help="With --json, the ids of each issue's answers.")] = False,
    json: JsonOption = False,
) -> None:
    """List the issues of the latest batch, the most urgent first."""
    with opened_feed(read_source(where, store, feed, issues=0)) as held:
        print_list(held, as_json=json, members=members)


@app.command("show")
def show_command(
    where: WhereArgument = None, store: FeedStoreOption = None, feed: FeedOption = None, json: JsonOption = False
) -> None:
    """Show one issue: how often, since when, beside what, the fix, answers that stand for it, and its history."""
    from showable.production.feed.listing import show_document, show_lines

    source = read_source(where, store, feed, issues=1)
    with opened_feed(source) as held:
        issue = held.issue(source.issues[0])
        events, members = held.events(issue.issue), held.members(held.latest().id, issue.issue)
        _print(show_document(issue, members, events) if json else show_lines(issue, events))


@app.command("explain", cls=HeadedCommand)
def explain_command(
    where: WhereArgument = None,
    store: FeedStoreOption = None,
    feed: FeedOption = None,
    days: DaysOption = 28,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            help="Let a chat model look into it: its statements are kept where the evidence bears them out.",
            metavar="MODEL[@URL]",
        ),
    ] = None,
    judge: Annotated[
        str | None, typer.Option("--judge", help="Who checks the statements; embedded by default.", metavar="JUDGE")
    ] = None,
    brief_model: Annotated[
        str | None,
        typer.Option(
            "--brief-model", help="A cheaper model that picks sentences of long texts.", metavar="MODEL[@URL]"
        ),
    ] = None,
    max_cost: Annotated[
        float | None, typer.Option("--max-cost", min=0.0, help="US dollars that the model may cost.", metavar="USD")
    ] = None,
    price_in: PriceInOption = None,
    price_out: PriceOutOption = None,
    json: JsonOption = False,
) -> None:
    """Print what is known of an issue's cause, each sentence with its evidence; a model is asked only with --model."""
    from showable.production.feed.listing import explain_document, explain_lines

    source = read_source(where, store, feed, issues=1)
    with opened_feed(source) as held:
        asked = None
        if model is not None:
            asked = _ask_model(held, source, days, model, brief_model, judge, max_cost, price_in, price_out)
        issue = held.issue(source.issues[0])
        cards = held.evidence(issue.batch, issue.issue)
        if json:
            _print(explain_document(issue, cards) | ({} if asked is None else {"model": asked}))
            return
        _print(explain_lines(issue, cards))
        if asked is not None:
            typer.echo(_told(asked))


def _ask_model(
    held: FeedStore,
    source: Source,
    days: int,
    model: str,
    brief_model: str | None,
    judge: str | None,
    max_cost: float | None,
    price_in: float | None,
    price_out: float | None,
) -> dict[str, object]:
    """Let a model look into an issue, keep what was borne out, and return what it took."""
    import asyncio
    from dataclasses import replace
    from functools import partial

    from showable.cli.questions import read_model
    from showable.errors import SettingError
    from showable.judging_settings import make_judge
    from showable.production.feed.case import open_case
    from showable.production.feed.reading import read_answers
    from showable.production.feed.root_cause import find_root_cause, keep_root_cause

    if max_cost is not None and (price_in is None or price_out is None):
        raise SettingError("--max-cost needs a price; give --price-in and --price-out")
    priced = partial(replace, usd_per_million_in=price_in, usd_per_million_out=price_out)
    settings = priced(read_model(model))
    brief = None if brief_model is None else priced(read_model(brief_model))
    case = open_case(held, source.issues[0], read_answers(source.run, source.store, days))
    found = asyncio.run(find_root_cause(case, settings, make_judge(judge), max_cost, brief))
    keep_root_cause(held, case, found)
    return {
        "turns": found.turns,
        "tokens_in": found.cost.tokens_in,
        "tokens_out": found.cost.tokens_out,
        "cached_share": None
        if found.cached is None or not found.cost.tokens_in
        else round(found.cached / found.cost.tokens_in, 4),
        "usd": found.cost.usd,
        "kept": len(found.statements),
        "dropped": [{"text": text, "why": why} for text, why in found.dropped],
        "what_would_prove_it": found.proof,
        "ended": found.why,
    }


def _told(asked: dict[str, object]) -> str:
    from showable.report.untrusted import printable

    share = asked["cached_share"]
    cached = "cached share unknown" if share is None else f"{share:.0%} of it from the provider's cache"
    usd = "price unknown" if asked["usd"] is None else f"${asked['usd']:.4f}"
    ended = f"; {asked['ended']}" if asked["ended"] else ""
    return printable(f"model: {asked['turns']} turns, {asked['tokens_in']:,} tokens in, {cached}, {usd}{ended}")


@app.command("merge")
def merge_command(
    where: WhereArgument = None, store: FeedStoreOption = None, feed: FeedOption = None, by: ByOption = None
) -> None:
    """Merge the first issue into the second, for good: later batches keep to it until it is undone."""
    source = read_source(where, store, feed, issues=2)
    _act(source, by, "merge", source.issues[1], done=f"is part of {source.issues[1]}; `showable feed build` adds up")


@app.command("split")
def split_command(
    where: Annotated[
        list[str] | None,
        typer.Argument(help="A run folder, an issue, and answers of it.", metavar="[RUN] ISSUE ANSWER..."),
    ] = None,
    store: FeedStoreOption = None,
    feed: FeedOption = None,
    into: Annotated[
        str | None, typer.Option("--into", help="An issue to move them to, in place of a new one.", metavar="ISSUE")
    ] = None,
    by: ByOption = None,
) -> None:
    """Move answers of an issue into one of their own, for good: what comes later goes to the nearer of the two."""
    source = read_source(where, store, feed, issues=1, answers=True)
    done = f"{len(set(source.answers))} answers split off; `showable feed build` adds up"
    _act(source, by, "split", source.answers, into, done=done)


@app.command("assign")
def assign_command(
    where: WhereArgument = None,
    store: FeedStoreOption = None,
    feed: FeedOption = None,
    to: Annotated[str, typer.Option("--to", help="Who sees to it; empty for nobody.", metavar="NAME")] = "",
    by: ByOption = None,
) -> None:
    """Assign an issue to somebody."""
    _act(read_source(where, store, feed, issues=1), by, "assign", to, done=to or "nobody")


@app.command("resolve")
def resolve_command(
    where: WhereArgument = None, store: FeedStoreOption = None, feed: FeedOption = None, by: ByOption = None
) -> None:
    """Call an issue resolved; three sure members from a later version bring it back as regressed."""
    _act(read_source(where, store, feed, issues=1), by, "resolve", done="resolved")


@app.command("archive")
def archive_command(
    where: WhereArgument = None,
    store: FeedStoreOption = None,
    feed: FeedOption = None,
    until: Annotated[
        str, typer.Option("--until", help="escalating, for_good, or a count of further answers.", metavar="WHEN")
    ] = "escalating",
    by: ByOption = None,
) -> None:
    """Archive an issue: it is out of the way until it escalates, or as --until says."""
    _act(read_source(where, store, feed, issues=1), by, "archive", until, done=f"archived until {until}")


@app.command("reopen")
def reopen_command(
    where: WhereArgument = None, store: FeedStoreOption = None, feed: FeedOption = None, by: ByOption = None
) -> None:
    """Take back that an issue is resolved or archived."""
    _act(read_source(where, store, feed, issues=1), by, "reopen", done="open again")


@app.command("quote")
def quote_command(
    where: WhereArgument = None, store: FeedStoreOption = None, feed: FeedOption = None, by: ByOption = None
) -> None:
    """Let tickets quote an issue of five traces or more; `tickets send --with-texts TARGET` then does."""
    _act(read_source(where, store, feed, issues=1), by, "quote", done="tickets may quote it")


@app.command("undo")
def undo_command(
    action: Annotated[int, typer.Argument(help="The number of an action, as `feed show` prints it.", metavar="ACTION")],
    where: WhereArgument = None,
    store: FeedStoreOption = None,
    feed: FeedOption = None,
    by: ByOption = None,
) -> None:
    """Take back an action: a merge, a split, an assignment."""
    _act(read_source(where, store, feed, issues=0), by, "undo", action, done="is undone")


def _act(source: Source, by: str | None, kind: str, *arguments: object, done: str) -> None:
    """Do an action of that name to the issue of a source, and print its number or the issue that it made."""
    from showable.production.feed import actions

    with opened_feed(source) as held:
        made = getattr(actions, kind)(held, acting(by), *source.issues[:1], *arguments)
    subject = source.issues[0] if source.issues else f"#{arguments[0]}"
    typer.echo(f"{subject}: {done} ({f'#{made}' if isinstance(made, int) else made})")


def acting(by: str | None) -> Actor:
    """Return who acts now: the name given, else the user's."""
    import getpass
    import time

    from showable.production.feed.actions import Actor

    try:
        name = by or getpass.getuser()
    except (KeyError, OSError):  # no entry for the user: a container
        name = "somebody"
    return Actor(name, time.time_ns())


def print_list(held: FeedStore, *, as_json: bool, members: bool) -> None:
    """Print the issues of the latest batch."""
    from showable.production.feed.listing import list_document, list_lines

    batch, issues = held.latest(), held.issues()
    _print(
        list_document(batch, issues, held.members(batch.id), with_members=members)
        if as_json
        else list_lines(batch, issues)
    )


def _print(what: dict[str, object] | Iterator[str]) -> None:
    import json

    if isinstance(what, dict):
        typer.echo(json.dumps(what, indent=2, ensure_ascii=False))
        return
    for line in what:
        typer.echo(line)
