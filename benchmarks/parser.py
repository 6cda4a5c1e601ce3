"""How often the reading of references is right: precision and recall over the tables of the tests, by kind.

    python benchmarks/parser.py            the table
    python benchmarks/parser.py --wrong    each row that is not read as it is due, too

The rows are made for the tests, each with the source of what is expected of it. A reference counts as right where its
kind, its very characters, each field that the row names, and what an id. or a short form points back to agree. Exits 1
where a figure is below 0.98.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path

LEAST = 0.98
TABLES = Path(__file__).resolve().parent.parent / "tests"


def main() -> int:
    """Print rows, references, precision and recall, overall and for each kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wrong", action="store_true", help="print each row that is not read as it is due")
    asked = parser.parse_args()
    sys.path.insert(0, str(TABLES))
    told = import_module("reference_rows").figures()  # the tables are the tests' own, and stand beside them
    print(f"{'kind':18} {'rows':>5} {'due':>5} {'read':>5} {'right':>5}  precision  recall")
    kinds = sorted(told.due | told.read)
    for kind in kinds:
        counts = (told.rows_with[kind], told.due[kind], told.read[kind], told.right[kind])
        print(_row(kind, counts, told.precision(kind), told.recall(kind)))
    counts = (told.rows, told.due.total(), told.read.total(), told.right.total())
    print(_row("all", counts, told.precision(), told.recall()))
    for text, found, due in told.wrong if asked.wrong else ():
        print(f"\n{text!r}\n  read {found}\n  due  {[(one.kind, one.words, one.fields) for one in due]}")
    least = min(min(told.precision(kind), told.recall(kind)) for kind in [*kinds, None])
    return 0 if least >= LEAST else 1


def _row(name: str, counts: tuple[int, ...], precision: float, recall: float) -> str:
    return f"{name:18} {' '.join(f'{count:5}' for count in counts)}  {precision:9.3f}  {recall:6.3f}"


if __name__ == "__main__":
    raise SystemExit(main())
