"""`showable serve`: receive traces, score the answers in them, show what comes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from showable.cli.judging_options import JudgingOptions, values_of
from showable.cli.option_groups import spread
from showable.cli.options import ChatOptions
from showable.cli.serve_options import (
    ExportHeaderOption,
    ExportOption,
    GiveUpOption,
    KeptTextsOption,
    MostBodyOption,
    PageHostOption,
    PagePortOption,
    QuietOption,
    ReadTokenOption,
    RetainOption,
    RulesOption,
    SampleOption,
    ScorersOption,
    ServeHostOption,
    ServePortOption,
    ServeWebhookOption,
    TicketsOption,
    TokenOption,
)
from showable.cli.store_option import STORE, StoreOption, opened_store

if TYPE_CHECKING:
    from pathlib import Path

    from showable.serving.settings import ServeSettings

SHARE, RECEIVER_PORT, PAGE_PORT = 0.15, 4318, 8643
_MIB = 1024 * 1024


@spread
def serve(
    *,
    store: StoreOption = STORE,
    host: ServeHostOption = "127.0.0.1",
    port: ServePortOption = RECEIVER_PORT,
    page_host: PageHostOption = "127.0.0.1",
    page_port: PagePortOption = PAGE_PORT,
    token: TokenOption = None,
    read_token: ReadTokenOption = None,
    rules: RulesOption = None,
    texts: KeptTextsOption = None,
    by: JudgingOptions,
    chat: ChatOptions,
    sample: SampleOption = SHARE,
    scorers: ScorersOption = 2,
    quiet: QuietOption = 2.0,
    give_up: GiveUpOption = 120.0,
    export: ExportOption = None,
    export_header: ExportHeaderOption = None,
    retain: RetainOption = None,
    webhook: ServeWebhookOption = None,
    tickets: TicketsOption = None,
    most_body: MostBodyOption = 20,
) -> None:
    """Receive traces over OTLP, score their answers, show them on a page. Ctrl-C ends it.

    Structure and citations are checked in every trace; the judge reads all that failed, the slowest and dearest,
    experiments, refusals, and a sample of the rest.
    """
    need_serving()
    from showable.serving.settings import ServeSettings
    from showable.serving.supervisor import serve as start

    settings = ServeSettings(
        **values_of(by, chat),
        store=store,
        host=host,
        port=port,
        page_host=page_host,
        page_port=page_port,
        token=token,
        read_token=read_token,
        rules=rules,
        sample=sample,
        scorers=scorers,
        quiet_s=quiet,
        give_up_s=give_up,
        most_body=most_body * _MIB,
        export=export,
        export_headers=read_headers(export_header or []),
        retain_days=retain,
        webhook=webhook,
        tickets=tickets,
    )
    check_settings(settings)
    if texts is not None:
        fill_texts(settings, texts)
    start(settings)


def check_settings(settings: ServeSettings) -> None:
    """Tell of a mistake in rules, profile, judge or address before anything is started. Raises InputError or SettingError."""
    import os

    from showable.drifting.webhook import check_address as check_webhook
    from showable.production.feed.tickets.settings import TicketSettings, make_targets
    from showable.serving.address import check_token
    from showable.serving.exporting import check_address
    from showable.serving.live_rules import LiveRules

    check_token("--token", "SHOWABLE_TOKEN", settings.token)
    check_token("--read-token", "SHOWABLE_READ_TOKEN", settings.read_token)
    LiveRules(settings).check_judges()
    if settings.export is not None:
        check_address(settings)
    if settings.webhook is not None:
        check_webhook(settings.webhook)
    if settings.tickets is not None:
        make_targets(TicketSettings.read(settings.tickets), os.environ)


def fill_texts(settings: ServeSettings, texts: Path) -> None:
    """Put passages in the store. Raises InputError, with the line, at what is none."""
    from showable.cli.traces_reading import keep_texts, plural

    with opened_store(settings.store) as store:
        kept = keep_texts(store, texts)
    typer.echo(f"showable: {plural(kept, 'passage')} kept", err=True)


def need_serving() -> None:
    """Raise SettingError where the libraries that receive and read spans are not installed."""
    from importlib.util import find_spec

    from showable.errors import SettingError

    missing = [name for name in ("aiohttp", "orjson", "opentelemetry", "prometheus_client") if find_spec(name) is None]
    if missing:
        raise SettingError(f"{', '.join(missing)} not installed: pip install 'showable[serve]'")


def read_headers(given: list[str]) -> tuple[tuple[str, str], ...]:
    """Read --export-header. Raises SettingError where one is not NAME=VALUE."""
    from showable.errors import SettingError

    pairs = [header.partition("=") for header in given]
    for at, (name, mark, value) in enumerate(pairs):
        if not mark or not name.strip() or not value.strip() or "\n" in given[at]:
            raise SettingError(f"--export-header {at + 1}: expected NAME=VALUE")
    return tuple((name.strip(), value.strip()) for name, _, value in pairs)
