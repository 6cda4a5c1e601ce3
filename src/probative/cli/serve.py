"""`probative serve`: receive traces, score the answers in them, show what comes of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from probative.cli.options import ProfileOption
from probative.cli.store_option import STORE, StoreOption

if TYPE_CHECKING:
    from probative.serving.settings import ServeSettings

SHARE, RECEIVER_PORT, PAGE_PORT = 0.15, 4318, 8643
_MIB = 1024 * 1024


def serve(
    store: StoreOption = STORE,
    host: Annotated[
        str,
        typer.Option(
            "--host", metavar="ADDRESS", help="Where to receive. Anywhere but on this machine alone needs a token."
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="OTLP over HTTP; 0 is any free one.")
    ] = RECEIVER_PORT,
    page_host: Annotated[str, typer.Option("--page-host", metavar="ADDRESS", help="Where the page is.")] = "127.0.0.1",
    page_port: Annotated[
        int, typer.Option("--page-port", metavar="N", min=0, max=65535, help="0 is any free one.")
    ] = PAGE_PORT,
    token: Annotated[
        str | None,
        typer.Option(
            "--token",
            envvar="PROBATIVE_TOKEN",
            metavar="TOKEN",
            help="Asked of exporters (Authorization: Bearer) and of readers.",
        ),
    ] = None,
    rules: Annotated[
        Path | None,
        typer.Option("--rules", metavar="FILE", help="EvalTags: which rubrics run on which spans (TOML)."),
    ] = None,
    profile: ProfileOption = None,
    judge: Annotated[
        str, typer.Option("--judge", metavar="JUDGE", help="Reads the sample: embedded, lexical, chat:MODEL[@URL] …")
    ] = "embedded",
    sample: Annotated[
        float,
        typer.Option(
            "--sample", metavar="SHARE", min=0.0, max=1.0, help="Of clean answers, the share that the judge reads."
        ),
    ] = SHARE,
    quiet: Annotated[
        float,
        typer.Option(
            "--quiet", metavar="SECONDS", min=0.0, help="A finished trace is scored when nothing came so long."
        ),
    ] = 2.0,
    give_up: Annotated[
        float,
        typer.Option("--give-up", metavar="SECONDS", min=0.0, help="A trace that never ends is scored after so long."),
    ] = 120.0,
    export: Annotated[
        str | None,
        typer.Option("--export", metavar="URL", help="Send scores there as EVALUATOR spans (OTLP over HTTP)."),
    ] = None,
    export_header: Annotated[
        list[str] | None,
        typer.Option("--export-header", metavar="NAME=VALUE", help="Sent along with --export; may be repeated."),
    ] = None,
    retain: Annotated[
        float | None,
        typer.Option("--retain", metavar="DAYS", min=0.01, help="Delete what is older. Default: keep all."),
    ] = None,
    most_body: Annotated[
        int, typer.Option("--most-body", metavar="MIB", min=1, help="The largest request, unpacked.")
    ] = 20,
) -> None:
    """Receive traces by OTLP, join and score every answer in them, and show rates and failures on a page. Ctrl-C ends it.

    Structure and citations are checked in every trace; the judge reads all that failed, the slowest and dearest,
    experiments, refusals, and a sample of the rest.
    """
    need_serving()
    from probative.serving.settings import ServeSettings
    from probative.serving.supervisor import serve as start

    settings = ServeSettings(
        store=store,
        host=host,
        port=port,
        page_host=page_host,
        page_port=page_port,
        token=token,
        rules=rules,
        profile=profile,
        judge=judge,
        sample=sample,
        quiet_s=quiet,
        give_up_s=give_up,
        most_body=most_body * _MIB,
        export=export,
        export_headers=read_headers(export_header or []),
        retain_days=retain,
    )
    check_settings(settings)
    start(settings)


def check_settings(settings: ServeSettings) -> None:
    """Tell of a mistake in rules, profile, judge or address before anything is started. Raises InputError or SettingError."""
    from probative.judges.choose import choose
    from probative.serving.exporting import check_address
    from probative.serving.live_rules import LiveRules

    LiveRules(settings)
    if settings.export is not None:
        check_address(settings)
    choose(settings.judge)


def need_serving() -> None:
    """Raise SettingError where the libraries that receive and read spans are not installed."""
    from importlib.util import find_spec

    from probative.errors import SettingError

    missing = [name for name in ("aiohttp", "orjson", "opentelemetry", "prometheus_client") if find_spec(name) is None]
    if missing:
        raise SettingError(f"{', '.join(missing)} not installed: pip install 'probative[serve]'")


def read_headers(given: list[str]) -> tuple[tuple[str, str], ...]:
    """Read --export-header. Raises SettingError where one is not NAME=VALUE."""
    from probative.errors import SettingError

    pairs = [header.partition("=") for header in given]
    for at, (name, mark, value) in enumerate(pairs):
        if not mark or not name.strip() or not value.strip() or "\n" in given[at]:
            raise SettingError(f"--export-header {at + 1}: expected NAME=VALUE")
    return tuple((name.strip(), value.strip()) for name, _, value in pairs)
