"""The options of `serve`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def _more_than_none(share: float) -> float:
    """Return the share. Raises SettingError where it is 0."""
    if not share:
        from showable.errors import SettingError

        raise SettingError("--sample 0: expected more than 0, or no rate over all answers could be told")
    return share


ServeHostOption = Annotated[
    str,
    typer.Option(
        "--host", metavar="ADDRESS", help="Where to receive. Anywhere but on this machine alone needs a token."
    ),
]
ServePortOption = Annotated[
    int, typer.Option("--port", metavar="N", min=0, max=65535, help="OTLP over HTTP; 0 is any free one.")
]
PageHostOption = Annotated[str, typer.Option("--page-host", metavar="ADDRESS", help="Where the page is.")]
PagePortOption = Annotated[int, typer.Option("--page-port", metavar="N", min=0, max=65535, help="0 is any free one.")]
TokenOption = Annotated[
    str | None,
    typer.Option(
        "--token",
        envvar="SHOWABLE_TOKEN",
        metavar="TOKEN",
        help="Asked of exporters (Authorization: Bearer) and of readers; 16 characters or more. Better given as"
        " SHOWABLE_TOKEN: an option is seen in the list of processes.",
    ),
]
ReadTokenOption = Annotated[
    str | None,
    typer.Option(
        "--read-token",
        envvar="SHOWABLE_READ_TOKEN",
        metavar="TOKEN",
        help="Asked of readers instead, so that exporters cannot read. Better given as SHOWABLE_READ_TOKEN.",
    ),
]
RulesOption = Annotated[
    Path | None,
    typer.Option(
        "--rules", rich_help_panel="Scoring", metavar="FILE", help="EvalTags: which rubrics run on which spans (TOML)."
    ),
]
ScorersOption = Annotated[
    int,
    typer.Option(
        "--scorers",
        rich_help_panel="Scoring",
        metavar="N",
        min=1,
        max=64,
        help="Processes that score; each takes its share of the traces.",
    ),
]
SampleOption = Annotated[
    float,
    typer.Option(
        "--sample",
        rich_help_panel="Scoring",
        metavar="SHARE",
        min=0.0,
        max=1.0,
        callback=_more_than_none,
        help="Of clean answers, the share that the judge reads: more than 0, or no rate over all of them could be told.",
    ),
]
QuietOption = Annotated[
    float,
    typer.Option(
        "--quiet",
        rich_help_panel="Scoring",
        metavar="SECONDS",
        min=0.0,
        help="A finished trace is scored when nothing came so long.",
    ),
]
GiveUpOption = Annotated[
    float,
    typer.Option(
        "--give-up",
        rich_help_panel="Scoring",
        metavar="SECONDS",
        min=0.0,
        help="A trace that never ends is scored after so long.",
    ),
]
ExportOption = Annotated[
    str | None,
    typer.Option(
        "--export",
        rich_help_panel="Sending on",
        metavar="URL",
        help="Send scores there as EVALUATOR spans (OTLP over HTTP).",
    ),
]
ExportHeaderOption = Annotated[
    list[str] | None,
    typer.Option(
        "--export-header",
        rich_help_panel="Sending on",
        metavar="NAME=VALUE",
        help="Sent along with --export; may be repeated.",
    ),
]
RetainOption = Annotated[
    float | None,
    typer.Option(
        "--retain", rich_help_panel="Store", metavar="DAYS", min=0.01, help="Delete what is older. Default: keep all."
    ),
]
ServeWebhookOption = Annotated[
    str | None,
    typer.Option(
        "--webhook",
        rich_help_panel="Sending on",
        metavar="URL",
        help="Post an alarm there when a profile's citations fall below its floor.",
    ),
]
TicketsOption = Annotated[
    Path | None,
    typer.Option(
        "--tickets",
        rich_help_panel="Sending on",
        metavar="FILE",
        help="Send issues as tickets to where this file says.",
    ),
]
MostBodyOption = Annotated[
    int,
    typer.Option("--most-body", rich_help_panel="Store", metavar="MIB", min=1, help="The largest request, unpacked."),
]
KeptTextsOption = Annotated[
    Path | None,
    typer.Option(
        "--texts",
        rich_help_panel="Store",
        help='Passages for logs that carry ids alone, kept in the store before it starts: JSON Lines of {"source_id": …, "text": …}.',
        metavar="FILE",
    ),
]
