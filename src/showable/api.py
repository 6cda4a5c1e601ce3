"""The Python door: read records, score one, evaluate many, gate a change. Works inside a running event loop."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Coroutine, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from showable.converters.convert_file import open_records
from showable.errors import InputError, SettingError
from showable.evaluation import close_judge, evaluate_safely, evaluate_stream, sign
from showable.judges.choose import choose
from showable.measure.summary import Summary, summarise
from showable.profiles.load import load_profile, only_profile
from showable.records.evidence import Judge
from showable.records.lines import explain
from showable.records.lookups import Registries
from showable.records.passages import Passages
from showable.records.profile import Profile
from showable.records.record import Record, Source
from showable.records.record_file import read_record_lines
from showable.records.scorecard import Scorecard
from showable.records.signature import Thresholds
from showable.search.bm25 import Bm25
from showable.ship_gate import Decision, GateRow
from showable.stores.baselines import resolve_run
from showable.stores.run_sides import RunSide, decide_between, read_side

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Result:
    """What `evaluate` found: a scorecard a record, in the order given, and the summary of them."""

    summary: Summary
    scorecards: tuple[Scorecard, ...]

    def __iter__(self) -> Iterator[Scorecard]:
        """Yield the scorecards."""
        return iter(self.scorecards)

    def __len__(self) -> int:
        """Count the scorecards."""
        return len(self.scorecards)

    def to_pandas(self) -> pd.DataFrame:
        """Return a DataFrame with one row an answer, axes as columns; outcomes as strings, what does not apply as None."""
        try:
            import pandas as pd  # noqa: PLC0415 - pandas is used only where it is installed
        except ImportError:
            raise SettingError("to_pandas() needs pandas: pip install pandas") from None
        tables = {"claims", "chunks", "findings", "checks", "refusal_points", "expected"}
        rows = [card.model_dump(mode="json", exclude=tables) | _counts(card) for card in self.scorecards]
        return pd.DataFrame(rows)


def read_records(path: str | Path, *, shape: str | None = None) -> list[Record]:
    """Read a file of records, or of another tool's rows (``showable convert --help`` lists which).

    `shape` names the tool (``ragas``) where its rows are not to be told by their fields. Raises InputError at the
    first row that cannot be read, naming line and field.
    """
    records = []
    with open_records(Path(path), wanted=shape) as reading:
        if reading.found is not None and reading.found.problems:
            raise reading.found.problems[0]
        for line in read_record_lines(reading.path):
            if line.value is None:
                found = line.problem or InputError("cannot be read")
                raise InputError(found.message, path=str(path), line=line.number, field=found.field)
            records.append(line.value)
    return records


def score(
    record: Record | Mapping[str, Any],
    *,
    judge: Judge | str | None = None,
    thresholds: Thresholds | float | None = None,
    profile: Profile | str | None = None,
    registries: Registries | None = None,
    corpus: Passages | Sequence[Source] | None = None,
) -> Scorecard:
    """Score one record. `judge` is a Judge, a name such as ``lexical``, or None for the best embedded one.

    `profile` is one by name (``legal``), the path of a TOML file, or a Profile; None takes the shipped one that the record names.
    `registries` are asked about what the answer cites, where given; without them nothing leaves the machine.
    `corpus` is all that the retrieval could have found: what nothing retrieved supports is looked up there.
    Raises InputError where `record` is a mapping that is not a record.
    """
    chosen, given = as_judge(judge), as_record(record)
    rules = as_profile(only_profile({given.profile: 1}) if profile is None else profile, thresholds)
    one = evaluate_safely(given, chosen, rules, registries, _as_passages(corpus))
    return _finish(_then_close(one, chosen, given=judge)).scorecard


def evaluate(
    records: Iterable[Record | Mapping[str, Any]],
    *,
    judge: Judge | str | None = None,
    thresholds: Thresholds | float | None = None,
    profile: Profile | str | None = None,
    registries: Registries | None = None,
    corpus: Passages | Sequence[Source] | None = None,
    concurrency: int = 8,
) -> Result:
    """Score many records under one profile, at most `concurrency` at a time, and sum them up.

    Judge, profile, registries and corpus are as for `score`.
    Without `profile`, the records say which: all of them the same one, or none. Raises SettingError where they
    name several, InputError where two records share an id, or one is not a record.
    """
    if concurrency < 1:
        raise SettingError(f"concurrency: expected at least 1, got {concurrency}")
    if isinstance(records, Record | Mapping | str) or not isinstance(records, Iterable):
        raise InputError(f"expected a list of records, got {type(records).__name__}")
    ordered = [as_record(record, name=f"record-{number}") for number, record in enumerate(records, 1)]
    _refuse_duplicates(ordered)
    named = only_profile(Counter(record.profile for record in ordered)) if profile is None else profile
    rules, chosen, passages = as_profile(named, thresholds), as_judge(judge), _as_passages(corpus)
    names = registries.name if registries else None

    async def run() -> dict[str, Scorecard]:
        stream = evaluate_stream(
            ordered, chosen, rules, registries=registries, corpus=passages, concurrency=concurrency
        )
        return {graded.record.id: graded.scorecard async for graded in stream}

    by_id = _finish(_then_close(run(), chosen, given=judge))
    cards = tuple(by_id[record.id] for record in ordered)
    return Result(summarise(cards, sign(chosen, rules, registries=names, corpus=passages)), cards)


def gate(
    base: Result | str | Path,
    candidate: Result | str | Path,
    *,
    unknown_cap: float = 0.05,
    exchange: float = 3.0,
    strict: bool = False,
) -> Decision:
    """Decide whether a change may ship: two results, or two run folders, over the same questions.

    `exchange` is how many correct answers each wrong or unsupported answer that went away may cost; `strict` lets none be lost.

    A folder of repeats (``repeat-1`` …) is folded into one side: a question's bucket is that of most repeats, of
    ties the worse, and acceptable only where more than half are. A pinned baseline may be given by its name. Raises SettingError where the two were measured differently or over
    other questions.
    """
    return decide_between(_side(base), _side(candidate), unknown_cap=unknown_cap, exchange=exchange, strict=strict)


def _side(run: Result | str | Path) -> RunSide:
    if isinstance(run, str | Path):
        return read_side(resolve_run(run))
    if not isinstance(run, Result):
        raise SettingError(f"expected a Result, a folder or the name of a baseline, got {type(run).__name__}")
    rows = tuple(GateRow.of(card) for card in run.scorecards)
    failed = () if run.summary.not_measured is None else (run.summary.not_measured,)
    return RunSide(Path(), (), run.summary.signature, None, (rows,), failed)


def _finish(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end, in a loop of its own; the caller's current loop stays as it is (asyncio.run would unset it).

    Inside a running loop (Jupyter) that is done by a thread.
    """
    found: list[T] = []

    async def keep() -> None:
        """Keep the result out of the task: `signal`, where the runner resets it, writes its repr into a message twice."""
        found.append(await work)

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
            runner.run(keep())
    else:
        with ThreadPoolExecutor(max_workers=1) as pool:
            pool.submit(asyncio.run, keep()).result()
    return found[0]


async def _then_close(work: Coroutine[Any, Any, T], chosen: Judge, *, given: Judge | str | None) -> T:
    """Close a judge that was made here; one that was given is its owner's to close."""
    try:
        return await work
    finally:
        if chosen is not given:
            await close_judge(chosen)


def as_profile(profile: Profile | str | None, thresholds: Thresholds | float | None = None) -> Profile:
    """Load a profile by its name or path. Raises SettingError for what is neither, nor a profile."""
    if not isinstance(profile, Profile | str | None):
        raise SettingError(f"profile: expected a Profile, a name or a path, got {type(profile).__name__}")
    rules = profile if isinstance(profile, Profile) else load_profile(profile or "general")
    if thresholds is None:
        return rules
    return rules.at(thresholds if isinstance(thresholds, Thresholds) else Thresholds.parse(str(thresholds)))


def as_judge(judge: Judge | str | None) -> Judge:
    """Choose a judge by its name. Raises SettingError for what is neither a name nor a judge."""
    if isinstance(judge, str | None):
        return choose(judge)
    if not isinstance(judge, Judge):
        said = "expected a name, or an object with `name`, `prompt_hash`, `verdicts` and `estimate`"
        raise SettingError(f"judge: {said}, got {type(judge).__name__}")
    return judge


def _as_passages(corpus: Passages | Sequence[Source] | None) -> Passages | None:
    """Search sources by BM25. Raises SettingError for what is neither sources nor a search over them."""
    if corpus is None or isinstance(corpus, Passages):
        return corpus
    listed = isinstance(corpus, Sequence) and not isinstance(corpus, str)
    if not listed or not all(isinstance(source, Source) for source in corpus):
        raise SettingError("corpus: expected a list of Source, or an object with `name` and `search`")
    counted = Counter(source.source_id for source in corpus)
    if (twice := next((key for key, count in counted.items() if count > 1), None)) is not None:
        raise SettingError(f"corpus: two sources have the id {twice!r}")
    return Bm25(corpus)


def as_record(
    record: Record | Mapping[str, Any], *, expected: str = "a Record or a mapping", name: str = "record"
) -> Record:
    """Read a mapping as a record, called `name` where it has no id.

    Raises InputError that names the field, or what was `expected`.
    """
    if isinstance(record, Record):
        return record
    if not isinstance(record, Mapping):
        raise InputError(f"expected {expected}, got {type(record).__name__}")
    from pydantic import ValidationError  # noqa: PLC0415 - only for mappings

    try:
        return Record.model_validate({"id": name} | dict(record))
    except ValidationError as error:
        field, said = explain(error)
        raise InputError(said, path=f"record {record.get('id', '?')!r}", field=field) from None


def _refuse_duplicates(records: Iterable[Record]) -> None:
    seen: set[str] = set()
    for record in records:
        if record.id in seen:
            raise InputError(f"two records have the id {record.id!r}", field="id")
        seen.add(record.id)


def _counts(card: Scorecard) -> dict[str, int]:
    supported = sum(claim.support == "supported" for claim in card.claims)
    failed = sum(finding.outcome == "fail" for finding in card.findings)
    return {"claims": len(card.claims), "claims_supported": supported, "findings_failed": failed}
