"""What the gate needs of each question, small enough for a million of them: one row a question, paired over two sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import islice
from typing import TypeVar

from showable.errors import SettingError
from showable.measure.expectations import Expected, in_order
from showable.measure.rate_changes import NONE_COUNTED, Counted, added, count
from showable.measure.worst import SEVERITY
from showable.records.outline import Outline
from showable.records.scorecard import Bucket, Cause, Scorecard, Showing
from showable.records.wire import Many

_NAMED = 5
_ACCEPTABLE: frozenset[Bucket] = frozenset({"correct", "refused"})
_UNSAFE_FIRST: dict[Showing | None, int] = {"hold": 0, "unknown": 1, None: 2, "show": 3}
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class GateRow:
    """One question's outcome. Over several runs `refusal_quality` and `extra_claim_count` are means.

    `question_hash` tells whether two sides asked the same of the same gold; None where that was not kept. `expected` are the
    buckets that the question calls for; empty where nothing in particular is. `counted` are, for each of the rates in
    `rate_changes.COUNTED`, how many of its claims or citations passed and failed; over several runs, in all of them.
    `released` tells whether the answer may be shown under the profile, None where nobody said: over several runs, as
    most of them.
    """

    id: str
    bucket: Bucket
    cause: Cause | None = None
    category: str | None = None
    answerable: bool | None = None
    refusal_quality: float | None = None
    extra_claim_count: float | None = None
    question_hash: str | None = None
    expected: Many[str] = ()
    counted: Counted = NONE_COUNTED
    released: Showing | None = None

    @classmethod
    def of(cls, card: Scorecard | Outline) -> GateRow:
        """Take from a scorecard what the gate needs."""
        return cls(
            id=card.id,
            bucket=card.bucket,
            cause=card.cause,
            category=card.category,
            answerable=card.answerable,
            refusal_quality=card.refusal_quality,
            extra_claim_count=card.extra_claim_count,
            question_hash=card.question_hash,
            expected=_one_object(card.expected),
            counted=count(card),
            released=None if card.release is None else card.release.verdict,
        )

    @property
    def acceptable(self) -> bool:
        """Whether the answer is correct or a refusal."""
        return self.bucket in _ACCEPTABLE

    @property
    def harmful(self) -> bool:
        """Whether the answer would do harm if shown."""
        return self.bucket in ("wrong", "unsupported")

    @property
    def answered(self) -> bool:
        """Whether it is correct on an answerable question. Without gold, every question may be answerable."""
        return self.bucket == "correct" and self.answerable is not False

    @property
    def refused_undue(self) -> bool:
        """Whether it refuses an answerable question without warrant: its evidence was there, or nobody noted where it is."""
        if self.bucket != "refused" or self.cause == "warranted":
            return False
        return self.cause == "over_refusal" or self.answerable is True

    @property
    def refused_answerable(self) -> bool:
        """Whether it refuses, warranted or not, on an answerable question. Without gold, every question may be one."""
        return self.bucket == "refused" and self.answerable is not False


@lru_cache(maxsize=64)
def _one_object(expected: Many[str]) -> Many[str]:
    """Return one object for all questions that call for the same: what is read from files is new every time, and adds up."""
    return expected


Run = Iterable[GateRow | Scorecard]


@dataclass(frozen=True, slots=True)
class Paired:
    """Both sides of a comparison, question by question in the same order."""

    before: list[GateRow]
    after: list[GateRow]

    def changed(self, holds: Callable[[GateRow], bool]) -> tuple[list[str], list[str]]:
        """Return the ids for which something began to hold, and those for which it ceased to."""
        pairs = [(b.id, holds(b), holds(a)) for b, a in zip(self.before, self.after, strict=True)]
        return [key for key, b, a in pairs if a and not b], [key for key, b, a in pairs if b and not a]

    def safer_by(self) -> int:
        """Return by how much wrong + unsupported fall; below 0 where they rise."""
        return sum(row.harmful for row in self.before) - sum(row.harmful for row in self.after)

    def by_category(self) -> dict[str, Paired]:
        """Split by category of question, in the order of the protocol, leaving out questions without one."""
        groups: dict[str, Paired] = {}
        for before, after in zip(self.before, self.after, strict=True):
            if before.category is not None:
                group = groups.setdefault(before.category, Paired([], []))
                group.before.append(before)
                group.after.append(after)
        return {name: groups[name] for name in in_order(groups)}


def pair(baseline: Sequence[Run], candidate: Sequence[Run]) -> Paired:
    """Pair both sides by id.

    Raises SettingError on different questions (by id, and by question hash where both sides have one), or an id
    that is twice in a run.
    """
    before, after = _fold(baseline, "baseline"), _fold(candidate, "candidate")
    _require_same_questions(before, after, names=("baseline", "candidate"))
    return Paired(list(before.values()), [after[key] for key in before])


def fold_repeats(runs: Sequence[Run], name: str = "run") -> list[GateRow]:
    """Make one row a question of several runs over the same questions, in the bucket that `majority` gives.

    `name` is what the runs are called where they do not fit together: SettingError is raised as `pair` does.
    """
    return list(_fold(runs, name).values())


def require_same_questions(first: Sequence[GateRow], second: Sequence[GateRow], *, names: tuple[str, str]) -> None:
    """Raise SettingError, naming the first ids, unless two runs hold the same ids and the same questions under them."""
    _require_same_questions({row.id: row for row in first}, {row.id: row for row in second}, names=names)


def questions_fingerprint(rows: Sequence[GateRow]) -> str:
    """Name a set of questions: ten hexadecimal digits, the same for the same ids with the same questions and gold."""
    lines = sorted(f"{row.id}\0{row.question_hash or ''}\n" for row in rows)
    return sha256("".join(lines).encode("utf-8", "surrogatepass")).hexdigest()[:10]


def as_expected(rows: Iterable[GateRow]) -> Expected | None:
    """Count the rows in a bucket that their question calls for; None where no question calls for any in particular."""
    called = [row for row in rows if row.expected]
    if not called:
        return None
    unknown = sum(row.bucket == "unknown" for row in called)
    met = sum(row.bucket != "unknown" and row.bucket in row.expected for row in called)
    return Expected(met=met, missed=len(called) - met - unknown, unknown=unknown)


def majority(buckets: Iterable[Bucket]) -> Bucket:
    """Return the bucket that most runs (at least one) came to; of those that tie, the worst.

    An acceptable one stands only where more than half of the runs are acceptable: failures that differ are failures.
    """
    return _most(buckets, _ACCEPTABLE, SEVERITY.__getitem__)


def _most(found: Iterable[T], good: Collection[T], worst_first: Callable[[T], int]) -> T:
    """Return the most frequent, of ties the worst; leave out what is good unless more than half are good."""
    counts = Counter(found)
    if 2 * sum(counts[value] for value in good) <= counts.total():
        counts = Counter({value: count for value, count in counts.items() if value not in good})
    return min(counts, key=lambda value: (-counts[value], worst_first(value)))


def _fold(runs: Sequence[Run], side: str) -> dict[str, GateRow]:
    """Make one row a question of one or several runs, which must hold the same questions."""
    tables = [_by_id(run, f"{side} run {number}" if len(runs) > 1 else side) for number, run in enumerate(runs, 1)]
    if not tables:
        raise SettingError(f"{side}: no run was given")
    for number, table in enumerate(tables[1:], 2):
        _require_same_questions(tables[0], table, names=(f"{side} run 1", f"{side} run {number}"))
    if len(tables) == 1:
        return tables[0]
    return {key: _one([table[key] for table in tables]) for key in tables[0]}


def _require_same_questions(first: dict[str, GateRow], second: dict[str, GateRow], *, names: tuple[str, str]) -> None:
    """Raise SettingError, naming the first ids, unless both hold the same ids, and the same questions under them."""
    sides = ((names[0], second.keys() - first.keys()), (names[1], first.keys() - second.keys()))
    missing = [f"{len(ids)} missing from the {name} ({_some(ids)})" for name, ids in sides if ids]
    if missing:
        raise SettingError(f"the runs hold different questions: {'; '.join(missing)}")
    changed = [key for key, row in first.items() if _differ(row.question_hash, second[key].question_hash)]
    if changed:
        said = f"{len(changed)} of the same id differ in question or gold between the {names[0]} and the {names[1]}"
        raise SettingError(f"the runs hold different questions: {said} ({_some(changed)})")


def _differ(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and one != other


def _by_id(run: Run, name: str) -> dict[str, GateRow]:
    table: dict[str, GateRow] = {}
    for entry in run:
        row = GateRow.of(entry) if isinstance(entry, Scorecard) else entry
        if row.id in table:
            raise SettingError(f"{name}: the id {row.id!r} is there twice; give repeats as runs of their own")
        table[row.id] = row
    return table


def _one(rows: Sequence[GateRow]) -> GateRow:
    """Fold the runs of one question: the majority's bucket, and its most frequent cause (of ties, the first by name)."""
    bucket = majority(row.bucket for row in rows)
    alike = [row for row in rows if row.bucket == bucket]
    causes = Counter(row.cause for row in alike)
    return GateRow(
        id=rows[0].id,
        bucket=bucket,
        cause=min(causes, key=lambda cause: (-causes[cause], cause or "")),
        category=rows[0].category,
        answerable=rows[0].answerable,
        refusal_quality=_mean([row.refusal_quality for row in alike]),
        extra_claim_count=_mean([row.extra_claim_count for row in rows]),
        question_hash=next((row.question_hash for row in rows if row.question_hash is not None), None),
        expected=next((row.expected for row in rows if row.expected), ()),
        counted=added([row.counted for row in rows]),
        released=_most((row.released for row in rows), {"show"}, _UNSAFE_FIRST.__getitem__),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _some(ids: Iterable[str]) -> str:
    listed = sorted(ids)
    shown = ", ".join(islice(listed, _NAMED))
    return f"{shown}, …" if len(listed) > _NAMED else shown
