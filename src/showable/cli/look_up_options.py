"""Whether registries are asked about what is cited, and making whatever can be asked."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from showable.cli.options import verdict_cache

if TYPE_CHECKING:
    from showable.records.lookups import Registries
    from showable.records.profile import Profile

LOOK_UP_SECONDS = 600.0
"""How long the lookups of one answer may wait for their turn: some registries take one question a second."""
LookUpOption = Annotated[
    bool,
    typer.Option(
        "--look-up",
        help="Ask registries of record about what is cited: the citations leave this machine, never the documents.",
    ),
]
OfflineOption = Annotated[
    bool, typer.Option("--offline", help="Look up in the cache and in imported registries only; no packet is sent.")
]


def registry_cache() -> Path:
    """Say where answers of registries are kept: one file a user."""
    return verdict_cache().with_name("registries.sqlite")


def make_registries(profile: Profile, *, look_up: bool, offline: bool) -> Registries | None:
    """Make whatever can be asked about citations, with the order of the profile; None where nobody is to be asked."""
    if not look_up and not offline:
        return None
    from showable.registries.consult import make_consultation
    from showable.registries.settings import settings_from

    made = make_consultation(
        settings_from(os.environ),
        order=profile.registries,
        also=profile.notices,
        offline=offline,
        cache_path=registry_cache(),
        deadline=LOOK_UP_SECONDS,
    )
    for note in made.notes:
        typer.echo(f"showable: {note}", err=True)
    if not offline:
        said = "registries are asked about what is cited; the citations leave this machine, the documents do not"
        typer.echo(f"showable: {said}", err=True)
    return made
