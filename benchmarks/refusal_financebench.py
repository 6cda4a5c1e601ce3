"""Refused against answered on FinanceBench's recorded answers, set against people's labels.

    python benchmarks/refusal_financebench.py [DATA_DIR]

DATA_DIR defaults to ../shared/data beside the repository. Halves are cut by a hash of the question's id. The rules
were written on the first; the second was then measured (F1 0.925), its errors read, and only general rules changed.
An answer counts as refused when it declines the very question, even if it then offers an answer all the same, as the
people who labelled it counted. XSTest is a contrast: refusals of harm, not of evidence.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from probative.read.claims import find_claims
from probative.read.reading import RefusalReading
from probative.read.refusal import assign_roles, read_refusal, settle_extent, without_declines
from probative.read.sentences import split_sentences

DECLINED = {"full", "refused_then_answered"}
Z = 1.959964


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """Read the rows of a gzipped JSON Lines file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def read(question: str, text: str) -> RefusalReading:
    """Read an answer as the tool does: what declines, then claims, then roles."""
    sentences = split_sentences(text)
    refusal = read_refusal(text, sentences, question=question)
    claims = find_claims(text, without_declines(text, sentences, refusal), [], [])
    return settle_extent(refusal, assign_roles(question, claims, refusal, text))


def wilson(hits: int, n: int) -> str:
    """Print a share with its 95 % Wilson interval and its counts."""
    if n == 0:
        return "not measured"
    p = hits / n
    middle, half = (
        (p + Z * Z / (2 * n)) / (1 + Z * Z / n),
        Z / (1 + Z * Z / n) * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n)),
    )
    return f"{p:.3f} [{middle - half:.3f}, {middle + half:.3f}] ({hits}/{n})"


def show(name: str, table: Counter[tuple[bool, bool]]) -> None:
    """Print a confusion table (label, reading) with precision, recall and F1."""
    tp, fp, fn, tn = table[True, True], table[False, True], table[True, False], table[False, False]
    print(f"{name}: n={tp + fp + fn + tn}")
    print(f"  labelled refused : read refused {tp:4d}, read answered {fn:4d}")
    print(f"  labelled answered: read refused {fp:4d}, read answered {tn:4d}")
    print(f"  precision {wilson(tp, tp + fp)}   recall {wilson(tp, tp + fn)}")
    # F1 = 2TP / (2TP + FP + FN) is Dice's share, a proportion like any other.
    print(f"  F1        {wilson(2 * tp, 2 * tp + fp + fn)}\n")


def main() -> None:
    """Print both halves, the whole, and the contrast set."""
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2] / "shared" / "data"
    answers = data / "answers"
    if not (answers / "financebench.jsonl.gz").exists():
        print(f"not run: {answers} holds no financebench.jsonl.gz")
        raise SystemExit(3)
    tables: dict[str, Counter[tuple[bool, bool]]] = {
        "first half": Counter(),
        "second half": Counter(),
        "all": Counter(),
    }
    extents: Counter[str] = Counter()
    for row in rows(answers / "financebench.jsonl.gz"):
        extent = read(row["question"], row["response"]).extent
        digest = hashlib.sha256(row["id"].split("|")[0].encode()).hexdigest()
        half = "second half" if int(digest, 16) % 2 else "first half"
        for name in (half, "all"):
            tables[name][bool(row["refusal"]), extent in DECLINED] += 1
        extents[extent] += 1
    for name, table in tables.items():
        show(name, table)
    print("extents:", dict(extents.most_common()), "\n")
    kinds: dict[float, Counter[str]] = {}
    for row in rows(answers / "xstest.jsonl.gz"):
        kinds.setdefault(row["refusal"], Counter())[read(row["question"], row["response"]).kind] += 1
    for label, name in ((1.0, "full refusals of harm"), (0.5, "partial"), (0.0, "compliance")):
        counts = kinds.get(label, Counter())
        print(f"XSTest, {name}: kind=harm {counts['harm']}/{counts.total()}; all kinds {dict(counts.most_common())}")


if __name__ == "__main__":
    main()
