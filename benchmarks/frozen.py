"""The freeze: what the tree makes of every answer at hand, beside what it made of it when `frozen/` was last written.

    python benchmarks/frozen.py [--write] [--corpus NAME …] [--data DIR]

A row an answer: id, bucket, cause, refusal, agreement with gold, finding codes with outcomes, claim offsets, and what the label
makes of the outcome; no text. `frozen/NAME.jsonl.gz` holds a corpus. Printed is every answer that moved, those that got worse
first, then a table. Better and worse are by the label alone: each corpus says in `frozen_corpora.py` what is right by its
label, and wrong < open (not decided) < right. An answer that moved without passing between these is level; one without a label
on both sides is unlabelled, whatever became of its bucket.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import labelled
from frozen_corpora import CORPORA, MissingError, Row, Scored

FOLDER = Path(__file__).with_name("frozen")
MOST_LINES = 200
EFFECTS = ("worse", "better", "level", "unlabelled")
_RANK = {"wrong": 0, "open": 1, "right": 2}


def write_rows(path: Path, rows: Sequence[Row]) -> None:
    """Write rows compressed; equal rows give equal bytes."""
    lines = "".join(json.dumps(row, sort_keys=True, separators=(",", ":")) + "\n" for row in rows)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(lines.encode(), 9, mtime=0))


def read_rows(path: Path) -> list[Row]:
    """Return the rows of a file, none where there is no such file."""
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()] if path.exists() else []


@dataclass(frozen=True)
class Change:
    """An answer whose row differs; `before` or `after` is empty where it is new or gone."""

    corpus: str
    before: Row
    after: Row
    label: str | None = None

    @property
    def effect(self) -> str:
        """Better, worse or level by the label; unlabelled where there is none on both sides."""
        before, after = self.before.get("right"), self.after.get("right")
        if before is None or after is None:
            return "unlabelled"
        step = _RANK[after] - _RANK[before]
        return "better" if step > 0 else "worse" if step < 0 else "level"

    def __str__(self) -> str:
        name = f"{self.corpus} {(self.after or self.before)['id']}"
        if not self.before or not self.after:
            return f"{name}: {'gone' if self.before else 'new'}"
        same_bucket = str(self.after.get("bucket") or "")
        told = [_moved("", self.before, self.after, "bucket") if self._differs("bucket") else same_bucket]
        told += [
            _moved(f"{key} ", self.before, self.after, key)
            for key in ("cause", "refusal", "gold")
            if self._differs(key)
        ]
        told += [
            f"{key} {_difference(self.before, self.after, key)}" for key in ("findings", "out") if self._differs(key)
        ]
        if self._differs("claims"):
            counts = [len(row.get("claims", ())) for row in (self.before, self.after)]
            told.append(
                f"claims {counts[0]} → {counts[1]}" if counts[0] != counts[1] else f"claims moved ({counts[0]})"
            )
        told += [f"label {self.label}"] if self.label else []
        return f"{name}: {' · '.join(filter(None, told))} · {self.effect}"

    def _differs(self, key: str) -> bool:
        return bool(self.before.get(key) != self.after.get(key))


def _moved(title: str, before: Row, after: Row, key: str) -> str:
    return f"{title}{before.get(key) or 'none'} → {after.get(key) or 'none'}"


def _difference(before: Row, after: Row, key: str) -> str:
    old, new = Counter(before.get(key, ())), Counter(after.get(key, ()))
    signed = [("−", old - new), ("+", new - old)]
    return ", ".join(f"{sign}{code}" for sign, codes in signed for code in codes.elements()) or "in another order"


def compare(corpus: str, before: Sequence[Row], after: Sequence[Scored]) -> list[Change]:
    """Return the answers whose rows differ, in the order of the corpus; those that are gone come last."""
    held = {row["id"]: row for row in before}
    found = [
        Change(corpus, held.get(scored.row["id"], {}), scored.row, scored.label)
        for scored in after
        if held.get(scored.row["id"]) != scored.row
    ]
    kept = {scored.row["id"] for scored in after}
    return found + [Change(corpus, row, {}) for row in before if row["id"] not in kept]


def report(changes: Sequence[Change], sizes: dict[str, int]) -> Iterator[str]:
    """Yield a line for each change, the worse first and `MOST_LINES` at most, then a table with a line a corpus."""
    ordered = sorted(changes, key=lambda change: EFFECTS.index(change.effect))
    yield from map(str, ordered[:MOST_LINES])
    if len(ordered) > MOST_LINES:
        rest = Counter(change.effect for change in ordered[MOST_LINES:])
        yield f"and {rest.total()} more: " + ", ".join(f"{rest[effect]} {effect}" for effect in EFFECTS if rest[effect])
    heads = ("rows", "changed", "better", "worse", "level", "unlabelled")
    yield f"\n{'corpus':<14}" + "".join(f"{head:>12}" for head in heads)
    total = Counter[str]()
    for corpus, size in sizes.items():
        counts = Counter(change.effect for change in changes if change.corpus == corpus)
        counts |= {"rows": size, "changed": counts.total()}
        total += counts
        yield f"{corpus:<14}" + "".join(f"{counts[head]:>12}" for head in heads)
    yield f"{'all':<14}" + "".join(f"{total[head]:>12}" for head in heads)


def score(corpus: str) -> list[Scored]:
    """Score a corpus. Raises AssertionError where two answers share an id."""
    scored = list(CORPORA[corpus]())
    twice = [name for name, count in Counter(each.row["id"] for each in scored).items() if count > 1]
    assert not twice, f"{corpus}: {twice[0]!r} stands for two answers"
    return scored


def main() -> None:
    """Compare, or write."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--write", action="store_true", help="renew the rows, once the changes are wanted")
    options.add_argument("--corpus", action="append", choices=CORPORA, help="this one only; may be repeated")
    options.add_argument("--data", type=Path, default=labelled.DATA, help="the folder of shared labelled data")
    chosen: Any = options.parse_args()
    labelled.DATA = chosen.data.resolve()
    changes, sizes, began = list[Change](), dict[str, int](), time.process_time()
    for corpus in chosen.corpus or CORPORA:
        path = FOLDER / f"{corpus}.jsonl.gz"
        try:
            scored = score(corpus)
        except MissingError as error:
            print(f"{corpus}: skipped, {error}")
            continue
        changes += compare(corpus, read_rows(path), scored)
        sizes[corpus] = len(scored)
        if chosen.write:
            write_rows(path, [each.row for each in scored])
    for line in report(changes, sizes):
        print(line)
    print(f"{time.process_time() - began:.0f} s of CPU", file=sys.stderr)


if __name__ == "__main__":
    main()
