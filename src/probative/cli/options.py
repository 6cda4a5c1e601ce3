"""Options that several commands share, and what they are turned into."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from probative.records.evidence import Judge
    from probative.records.signature import Thresholds

JudgeOption = Annotated[
    str | None,
    typer.Option(
        "--judge", help="lexical, scripted:FILE or chat:MODEL[@URL]. Default: the best embedded one.", metavar="JUDGE"
    ),
]
ThresholdOption = Annotated[
    str | None,
    typer.Option("--threshold", help="p at which a verdict is support: 0.5, or 0.5,holding=0.7.", metavar="P"),
]
OutOption = Annotated[
    Path | None, typer.Option("--out", help="Run folder. Default: runs/NAME-FINGERPRINT.", metavar="DIR")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
FailOnOption = Annotated[
    str | None,
    typer.Option(
        "--fail-on", help="Exit 1 if any answer is in one of these buckets, e.g. wrong,unsupported.", metavar="BUCKETS"
    ),
]
ConcurrencyOption = Annotated[int, typer.Option("--concurrency", min=1, max=1024, help="Records in flight at a time.")]
MaxCostOption = Annotated[
    float | None,
    typer.Option("--max-cost", min=0.0, help="Stop before the run has cost this much, in USD.", metavar="USD"),
]
PriceInOption = Annotated[
    float | None, typer.Option("--price-in", min=0.0, help="USD per million input tokens.", metavar="USD")
]
PriceOutOption = Annotated[
    float | None, typer.Option("--price-out", min=0.0, help="USD per million output tokens.", metavar="USD")
]


def make_judge(
    spec: str | None,
    *,
    concurrency: int = 8,
    price_in: float | None = None,
    price_out: float | None = None,
    dry_run: bool = False,
) -> Judge:
    """Make the judge that was asked for, with its verdicts cached on disk where it is not embedded.

    A dry run makes no call, so it needs no key.
    """
    from probative.judges.chat_settings import ChatSettings
    from probative.judges.choose import choose

    chat = ChatSettings(
        api_key="none" if dry_run else None,
        concurrency=concurrency,
        usd_per_million_in=price_in,
        usd_per_million_out=price_out,
    )
    return choose(spec, cache=verdict_cache(), chat=chat)


def verdict_cache() -> Path:
    """Say where verdicts that cost something are kept: one file a user, shared by all runs."""
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(root) / "probative" / "verdicts.sqlite"


def read_thresholds(text: str | None) -> Thresholds:
    """Read --threshold."""
    from probative.records.signature import Thresholds

    return Thresholds() if text is None else Thresholds.parse(text)


def read_buckets(text: str | None) -> frozenset[str]:
    """Read --fail-on. Raises SettingError at a name that is no bucket."""
    from probative.errors import SettingError
    from probative.measure.summary import BUCKETS

    names = frozenset(name.strip() for name in (text or "").split(",") if name.strip())
    if unknown := sorted(names - set(BUCKETS)):
        raise SettingError(f"--fail-on: {unknown[0]!r} is no bucket; choose of {', '.join(BUCKETS)}")
    return names


@contextmanager
def input_file(path: Path) -> Iterator[Path]:
    """Give the file to read. Standard input (`-`) and pipes are put by in a file, because it is read twice."""
    if str(path) != "-" and (path.is_file() or path.is_dir() or not path.exists()):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="probative-") as folder:
        spooled = Path(folder) / "stdin"
        with (
            spooled.open("wb") as handle,
            nullcontext(sys.stdin.buffer) if str(path) == "-" else path.open("rb") as pipe,
        ):
            shutil.copyfileobj(pipe, handle)
        yield spooled
