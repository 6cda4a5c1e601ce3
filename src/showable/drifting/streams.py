"""Read a stream of scored answers: run folders, folders of them, or files of scorecards, put in the order of time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from os import SEEK_END
from pathlib import Path

from pydantic import ConfigDict

from showable.errors import InputError, SettingError
from showable.measure.drift.answers import CardInBrief, ScoredAnswer
from showable.records.lines import read_lines
from showable.records.signature import Signature
from showable.records.wire import Wire
from showable.stores.run_folder import EVIDENCE, SCORES, read_run
from showable.stores.runs_of import holds_runs, runs_of

NO_PROFILE = "general"
"""The profile of scorecards that name none and stand in no run."""
_SIGNED = ("judge", "prompt", "rubric", "parser", "reader", "thresholds", "calibration")
"""What of a signature can move a rate while the answers stay as they were."""


class _When(Wire):
    """Of a line of evidence: whose it is, and when it was gathered."""

    model_config = ConfigDict(extra="ignore")

    id: str
    at: str | None = None


@dataclass(frozen=True, slots=True)
class _Source:
    """A file of scorecards: what it is called, the run around it, if any, and when its first answer was judged."""

    name: str
    scores: Path
    signature: Signature | None
    finished: bool
    times: dict[str, str]

    @property
    def began(self) -> str | None:
        return min(self.times.values(), default=None)


@dataclass(frozen=True, slots=True)
class Stream:
    """Answers in the order of time, those of a baseline of its own, if any, and what a reader should know of them."""

    answers: list[ScoredAnswer]
    notes: tuple[str, ...]
    baseline: list[ScoredAnswer] | None = None


def read_stream(paths: Sequence[Path], baseline: Path | None = None) -> Stream:
    """Read scored answers of several places into one stream, and those of a baseline of its own.

    Runs that say when they judged are put in the order of time; where one does not, the order given stands. What is in
    the baseline is not in the stream too. Raises InputError at what cannot be read, SettingError where a place is given
    twice, or where nothing is left beside the baseline.
    """
    sources = [source for path in paths for source in _sources(path)]
    real = [source.scores.resolve() for source in sources]
    if twice := next((s for s, at in zip(sources, real, strict=True) if real.count(at) > 1), None):
        raise SettingError(f"{twice.name}: given twice, and would count twice")
    before = [] if baseline is None else _in_time(list(_sources(baseline)))[0]
    held = {source.scores.resolve() for source in before}
    kept = [source for source, at in zip(sources, real, strict=True) if at not in held]
    if not kept:
        raise SettingError(f"--baseline: {baseline} is all that was given, and nothing is left to be held against it")
    ordered, notes = _in_time(kept)
    if len(kept) < len(sources):
        notes = [*notes, f"{baseline} is the baseline, and its answers are not watched too"]
    every = [*before, *ordered]
    return Stream(
        [answer for source in ordered for answer in _answers(source)],
        (*notes, *_unfinished(every), *_signed_anew(every)),
        None if baseline is None else [answer for source in before for answer in _answers(source)],
    )


def _sources(path: Path) -> Iterator[_Source]:
    if path.is_file():
        beside = path.parent if path.name == SCORES else None
        run = read_run(beside) if beside is not None else None
        yield _source(str(path), path, run, beside)
        return
    if path.is_dir() and not holds_runs(path):
        inside = sorted(each for each in path.iterdir() if holds_runs(each))
        if not inside:
            said = "holds neither a run nor runs; `showable score FILE --out DIR` makes one"
            raise InputError(said, path=str(path))
        for each in inside:
            yield from _sources(each)
        return
    for folder in runs_of(path):
        yield _source(str(folder), folder / SCORES, read_run(folder), folder)


def _source(name: str, scores: Path, run: dict[str, object] | None, folder: Path | None) -> _Source:
    signature = Signature.parse(str(run["signature"])) if run and "signature" in run else None
    times = _times(folder / EVIDENCE) if folder is not None else {}
    return _Source(name, scores, signature, run is None or bool(run.get("finished")), times)


def _times(path: Path) -> dict[str, str]:
    """Return when each record was judged. Evidence that is missing or torn says nothing; the scores are what is read."""
    if not path.exists():
        return {}
    lines = (line.value for line in read_lines(path, _When))
    return {value.id: value.at for value in lines if value is not None and value.at is not None}


def _in_time(sources: Sequence[_Source]) -> tuple[list[_Source], list[str]]:
    began = [source.began for source in sources]
    if len(sources) < 2 or None in began:  # noqa: PLR2004 - one source has no order
        return list(sources), []
    ordered = sorted(sources, key=lambda source: source.began or "")
    if [source.name for source in ordered] == [source.name for source in sources]:
        return ordered, []
    return ordered, ["the runs were put in the order of time in which they were judged"]


def _answers(source: _Source) -> Iterator[ScoredAnswer]:
    """Yield the answers of a file. A last line without its end is one that is being written, and is left for the next look."""
    profile = _plain(source.signature.profile) if source.signature else NO_PROFILE
    problem: InputError | None = None
    for line in read_lines(source.scores, CardInBrief):
        if problem is not None:
            raise problem
        problem = line.problem
        if line.value is not None:
            card = line.value
            yield ScoredAnswer.of(card, source.name, card.profile or profile, source.times.get(card.id))
    if problem is not None and not _half_written(source.scores):
        raise problem


def _half_written(path: Path) -> bool:
    with path.open("rb") as handle:
        handle.seek(-1, SEEK_END)
        return handle.read(1) != b"\n"


def _plain(profile: str) -> str:
    """Return a profile's name without its rules and rubrics: a change of either does not begin another stream."""
    return profile.partition("+")[0].partition("@")[0]


def _unfinished(sources: Sequence[_Source]) -> list[str]:
    return [f"{source.name} is not finished; what it holds so far counts" for source in sources if not source.finished]


def _signed_anew(sources: Sequence[_Source]) -> list[str]:
    """Return where in the stream what measures it changed: the first thing to look at when a rate moves."""
    found = []
    signed = [source for source in sources if source.signature is not None]
    for before, after in pairwise(signed):
        if before.signature is None or after.signature is None:
            continue
        changes = before.signature.differences(after.signature)
        moving = [change for change in changes if change.partition(":")[0] in {*_SIGNED, "profile"}]
        if moving:
            found.append(f"measured otherwise from {after.name} on: {'; '.join(moving)}")
    return found
