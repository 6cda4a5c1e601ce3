"""Which answers of a store are meant: options that `traces list` and `traces export` share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from showable.stores.traces.store import AnswerRow, TraceStore, Where

SinceOption = Annotated[
    str | None,
    typer.Option("--since", metavar="TIME", help="90m, 24h, 7d ago, or a date such as 2026-05-01T12:00+02:00."),
]
ServiceOption = Annotated[str | None, typer.Option("--service", metavar="NAME", help="Of this service alone.")]
BucketOption = Annotated[str | None, typer.Option("--bucket", metavar="BUCKET", help="In this bucket alone.")]
FailingOption = Annotated[
    bool, typer.Option("--failing", help="Only where a rubric failed, or the answer is wrong or unsupported.")
]
_AGO = re.compile(r"(\d+(?:\.\d+)?)\s*([smhdw])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_PAGE = 500


def read_where(since: str | None, service: str | None, bucket: str | None, *, failing: bool) -> Where:
    """Read the filters. Raises SettingError at a time or a bucket that is none."""
    from showable.errors import SettingError
    from showable.measure.summary import BUCKETS
    from showable.stores.traces.store import Where

    if bucket is not None and bucket not in BUCKETS:
        raise SettingError(f"--bucket: {bucket!r} is no bucket; choose of {', '.join(BUCKETS)}")
    return Where(
        since_ns=None if since is None else read_time(since),
        service=service,
        bucket=bucket,
        failing=failing,
    )


def read_time(given: str) -> int:
    """Read a time, as so long ago or as a date, into Unix nanoseconds. Raises SettingError at anything else."""
    from datetime import UTC, datetime, timedelta

    from showable.errors import SettingError

    if ago := _AGO.fullmatch(given.strip().lower()):
        at = datetime.now(UTC) - timedelta(seconds=float(ago[1]) * _SECONDS[ago[2]])
    else:
        try:
            at = datetime.fromisoformat(given.strip())
        except ValueError:
            raise SettingError(f"--since: expected 90m, 24h, 7d or a date such as 2026-05-01, got {given!r}") from None
    return round((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1e9)


def every_answer(store: TraceStore, where: Where, most: int | None = None) -> Iterator[AnswerRow]:
    """Return the answers that are meant, latest first, a page at a time."""
    after, given = None, 0
    while most is None or given < most:
        rows = store.answers(where, limit=_PAGE if most is None else min(_PAGE, most - given), after=after)
        yield from rows
        given += len(rows)
        if not rows:
            return
        after = rows[-1].id
