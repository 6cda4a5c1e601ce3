"""Options that several commands share, and what they are turned into."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from showable import judging_settings

if TYPE_CHECKING:
    from showable.records.signature import Thresholds

JudgeOption = Annotated[
    str | None,
    typer.Option(
        "--judge",
        help="embedded (the default), lexical, onnx:FOLDER, scripted:FILE, chat:MODEL[@URL], or"
        " cascade:chat:MODEL[@URL], which asks the model where the embedded judge is unsure, another rubric failed the"
        " answer, or the claim is of a critical kind.",
        metavar="JUDGE",
    ),
]
ThresholdOption = Annotated[
    str | None,
    typer.Option(
        "--threshold",
        rich_help_panel="Judge",
        help="p at which a verdict is support, in place of all that the profile sets: 0.5, or 0.5,holding=0.7.",
        metavar="P",
    ),
]
_FILES = frozenset({".html", ".md", ".xml", ".sarif", ".csv", ".json", ".jsonl", ".txt", ".pdf"})


def no_file(value: Path | None) -> Path | None:
    """Return a run folder's name. Raises SettingError where it is called like a report: that is `-o`."""
    if value is not None and value.suffix.casefold() in _FILES and not value.is_dir():
        from showable.errors import SettingError

        raise SettingError(f"--out {value}: names a run folder; for a file write -o {value}")
    return value


OutOption = Annotated[
    Path | None,
    typer.Option("--out", help="Run folder. Default: runs/NAME-FINGERPRINT.", metavar="DIR", callback=no_file),
]
DetailsOption = Annotated[bool, typer.Option("--details", help="Print everything: without it, what fits a screen.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
FailOnOption = Annotated[
    str | None,
    typer.Option(
        "--fail-on", help="Exit 1 if any answer is in one of these buckets, e.g. wrong,unsupported.", metavar="BUCKETS"
    ),
]
ConcurrencyOption = Annotated[
    int,
    typer.Option(
        "--concurrency", rich_help_panel="Cost and speed", min=1, max=1024, help="Records in flight at a time."
    ),
]
MaxCostOption = Annotated[
    float | None,
    typer.Option(
        "--max-cost",
        rich_help_panel="Cost and speed",
        min=0.0,
        help="Stop before the run has cost this much, in USD.",
        metavar="USD",
    ),
]
MaxFailuresOption = Annotated[
    str,
    typer.Option(
        "--max-failures",
        help="Exit 3, and give no rates, where more than this share of judge or registry calls failed.",
        metavar="SHARE",
    ),
]
PriceInOption = Annotated[
    float | None,
    typer.Option(
        "--price-in", rich_help_panel="Cost and speed", min=0.0, help="USD per million input tokens.", metavar="USD"
    ),
]
PriceOutOption = Annotated[
    float | None,
    typer.Option(
        "--price-out", rich_help_panel="Cost and speed", min=0.0, help="USD per million output tokens.", metavar="USD"
    ),
]
SamplesOption = Annotated[
    int | None,
    typer.Option(
        "--samples",
        rich_help_panel="Judge",
        min=1,
        max=99,
        help="Ask a chat judge so often about each pair; the majority decides.",
    ),
]
BatchOption = Annotated[
    int | None,
    typer.Option(
        "--batch",
        rich_help_panel="Judge",
        min=1,
        max=50,
        help="Claims about one passage that a chat judge gets in one call.",
    ),
]
DomainOption = Annotated[
    str | None,
    typer.Option(
        "--domain",
        rich_help_panel="Judge",
        help="A chat judge's notes on a field: legal, medical, research or news.",
        metavar="DOMAIN",
    ),
]
LogprobsOption = Annotated[
    bool | None,
    typer.Option(
        "--logprobs",
        rich_help_panel="Judge",
        help="Ask a chat judge for one word, yes or no, and take its probability from the endpoint's logprobs.",
    ),
]
ProfileOption = Annotated[
    str | None,
    typer.Option(
        "--profile",
        help="Rules of a field: legal, medical, research, news, general, or a .toml file of yours. Default: the records' own.",
        metavar="PROFILE",
    ),
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", rich_help_panel="Cost and speed", help="Say what judging would cost; call nothing.")
]
CriticalOption = Annotated[
    str | None,
    typer.Option(
        "--critical",
        rich_help_panel="Judge",
        help="Claim kinds that a cascade always puts to its second judge, in place of the profile's.",
        metavar="KIND,KIND",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatOptions(judging_settings.ChatOptions):
    """What only a chat judge reads, as options of a command."""

    price_in: PriceInOption = None
    price_out: PriceOutOption = None
    samples: SamplesOption = None
    batch: BatchOption = None
    domain: DomainOption = None
    logprobs: LogprobsOption = None


def read_thresholds(text: str | None) -> Thresholds:
    """Read --threshold."""
    from showable.records.signature import Thresholds

    return Thresholds() if text is None else Thresholds.parse(text)


def read_buckets(text: str | None) -> frozenset[str]:
    """Read --fail-on. Raises SettingError at a name that is no bucket."""
    from showable.errors import SettingError
    from showable.measure.summary import BUCKETS

    names = frozenset(name.strip() for name in (text or "").split(",") if name.strip())
    if unknown := sorted(names - set(BUCKETS)):
        raise SettingError(f"--fail-on: {unknown[0]!r} is no bucket; choose of {', '.join(BUCKETS)}")
    return names


@contextmanager
def input_file(path: Path) -> Iterator[Path]:
    """Return the file to read. Standard input (`-`) and pipes are put by in a file, because it is read twice."""
    if str(path) != "-" and (path.is_file() or path.is_dir() or not path.exists()):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="showable-") as folder:
        spooled = Path(folder) / "stdin"
        with (
            spooled.open("wb") as handle,
            nullcontext(sys.stdin.buffer) if str(path) == "-" else path.open("rb") as pipe,
        ):
            shutil.copyfileobj(pipe, handle)
        yield spooled
