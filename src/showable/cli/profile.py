"""`showable profile PROFILE`: what a profile demands once unfolded, or its file, to start one's own from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from showable.cli.options import JsonOption

if TYPE_CHECKING:
    from showable.records.profile import Profile


def profile(
    name: Annotated[
        str, typer.Argument(help="general, legal, medical, research, news, or a .toml file.", metavar="PROFILE")
    ] = "general",
    toml: Annotated[bool, typer.Option("--toml", help="Print the file of a shipped profile as it stands.")] = False,
    json: JsonOption = False,
) -> None:
    """Check a profile and print what it demands."""
    from showable.errors import SettingError
    from showable.profiles.load import BUILT_IN, load_profile, read_builtin

    if toml:
        if name not in BUILT_IN:
            raise SettingError(f"--toml prints a shipped profile: {', '.join(BUILT_IN)}")
        typer.echo(read_builtin(name), nl=False)
        return
    loaded = load_profile(name)
    _need_registries(loaded, name)
    if json:
        typer.echo(loaded.model_dump_json(indent=2))
        return
    _show(loaded)


def _need_registries(profile: Profile, name: str) -> None:
    """Refuse a registry that there is not, which loading a profile, that asks none, does not know."""
    from pathlib import Path

    from showable.profiles.toml_file import TomlFile
    from showable.registries.catalogue import NAMES
    from showable.registries.consult_order import LOCAL

    known = (LOCAL, *NAMES)
    for table, order in (("registries", profile.registries), ("notices", profile.notices)):
        for kind, named in order.items():
            for one in named:
                if one not in known:
                    raise TomlFile.read(Path(name)).wrong(f"{table}.{kind}", f"{one!r} is none of {', '.join(known)}")


def _show(profile: Profile) -> None:
    from rich.table import Table
    from rich.text import Text

    from showable.cli.console import ReportConsole
    from showable.report.untrusted import printable

    console = ReportConsole()
    console.print(Text(f"{profile.name}: {printable(profile.description)}", style="bold"))
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for field, said in _rows(profile):
        table.add_row(field, Text(printable(said)))
    console.print(table)


def _rows(profile: Profile) -> list[tuple[str, str]]:
    from showable.read.claim_kinds import RULES
    from showable.registries.consult_order import DEFAULT_ORDER

    kinds = RULES[profile.claim_rules].kinds
    thresholds = ", ".join(f"{kind} {profile.thresholds.of(kind)}" for kind in kinds)
    tiers = ", ".join(f"{tier} {weight}" for tier, weight in profile.tiers.items())
    rows = [
        ("extends", profile.extends or "nothing"),
        ("formats", ", ".join(profile.formats) or "none asked for"),
        ("answer form", f"{profile.answer_form} (showable schema --profile {profile.name})"),
        ("quotations", f"{profile.quotes} of a structured answer"),
        (
            "hidden characters",
            "hold an answer" if profile.hidden_characters == "hold" else "a finding, but in ids and addresses",
        ),
        ("floor", "none" if profile.floor is None else f"{profile.floor:.0%} of citations must resolve"),
        ("support at p", ", ".join([f"{profile.thresholds.support}", *([thresholds] if thresholds else [])])),
        ("topical relevance suffices", ", ".join(profile.topical) or "for no kind of claim"),
        ("critical", ", ".join(profile.critical) or "no kind of claim"),
        ("versioned", ", ".join(profile.versioned) or "no kind of claim"),
        ("source tiers", f"{tiers}, others {profile.unlisted_tier}" if tiers else "not weighed"),
        ("sources in conflict", "the bucket is unknown" if profile.sources_conflict == "unknown" else "a finding"),
        ("a refusal must have", ", ".join(profile.refusal.must_contain) or "nothing in particular"),
        ("shown when held back", profile.refusal.hold_text),
        ("whose labels count", _label_roles(profile)),
    ]
    order = {**DEFAULT_ORDER, **profile.registries}
    return rows + [(f"asked about {kind}", ", ".join(names)) for kind, names in sorted(order.items())]


def _label_roles(profile: Profile) -> str:
    """State in which roles people's labels count; of what is not named, everybody's."""
    said = [f"{about.replace('_', ' ')}: {', '.join(roles)}" for about, roles in profile.label_roles.items()]
    return "; ".join([*said, "everything else: everybody's" if said else "everybody's"])
