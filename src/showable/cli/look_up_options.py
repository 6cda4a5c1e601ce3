"""Whether registries are asked about what is cited."""

from __future__ import annotations

from typing import Annotated

import typer

LookUpOption = Annotated[
    bool,
    typer.Option(
        "--look-up",
        rich_help_panel="Registries and corpus",
        help="Ask registries of record about what is cited: the citations leave this machine, never the documents.",
    ),
]
OfflineOption = Annotated[
    bool,
    typer.Option(
        "--offline",
        rich_help_panel="Registries and corpus",
        help="Look up in the cache and in imported registries only; no packet is sent.",
    ),
]
