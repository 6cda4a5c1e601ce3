"""What was scored, as properties of a test: a JUnit file holds them, and xdist's workers send them to who counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

_NAMES = ("record", "bucket", "cause", "signature", "calls")
_ALL = RECORD, BUCKET, CAUSE, SIGNATURE, CALLS = tuple(f"showable.{name}" for name in _NAMES)

Property = tuple[str, object]


class Scored(NamedTuple):
    """One answer that a test has scored; `calls` counts those to judge and registries, as JSON."""

    record: str
    bucket: str
    cause: str = ""
    signature: str = ""
    calls: str = ""


def write(scored: Scored) -> Iterator[Property]:
    """Yield the properties of one answer; the record's id comes first, so that several answers can be told apart."""
    yield RECORD, scored.record
    yield BUCKET, scored.bucket
    if scored.cause:
        yield CAUSE, scored.cause
    yield SIGNATURE, scored.signature
    if scored.calls:
        yield CALLS, scored.calls


def read(properties: Iterable[Property]) -> Iterator[Scored]:
    """Yield the answers that properties tell of, passing over everybody else's."""
    current: dict[str, str] = {}
    for name, value in properties:
        if name == RECORD and current:
            yield _made(current)
            current = {}
        if name in _ALL:
            current[name] = str(value)
    if current:
        yield _made(current)


def replace(properties: list[Property], scored: Sequence[Scored]) -> None:
    """Put what a test has scored in the place of what was said of it before."""
    forget(properties)
    for one in scored:
        properties.extend(write(one))


def forget(properties: list[Property]) -> None:
    """Drop the properties that are ours."""
    if any(name in _ALL for name, _ in properties):
        properties[:] = [p for p in properties if p[0] not in _ALL]


def _made(current: dict[str, str]) -> Scored:
    return Scored(*(current.get(name, "") for name in _ALL))
