"""Which labelled pairs the model is trained on, how many of each, and what may never be among them.

Reads ../shared/data/entail/train and train_more, and the pairs that make_edits.py and make_statements.py wrote. A row
whose passage stands in entail/dev, or shares a run of twelve words with one that does, is dropped: dev chooses, it never
trains. Templates teach their own fingerprint, so the files made from templates are capped. One passage in twenty is held
back with all its claims; windows of the same text may stand on both sides.

Run: python training/mix.py --data ../shared/data --made FILE... --out build/pairs.jsonl.gz --held build/held.jsonl.gz
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

Row = dict[str, Any]

SEED = 20261121
RUN = 12
CAPS = {
    "evidence_inference": 4_000, "fever_nli_binary.dev": 6_000, "fever_nli_binary.test": 9_000, "c_snli": 2_000,
    "snli.test": 3_000, "cad_snli": 4_000, "logicbench": 2_000, "hans": 1_000, "med": 2_500, "scone": 2_500,
    "transitivity": 900, "breaking_nli": 1_500, "impli.auto": 2_000, "entbank": 1_500, "fib_xsum": 4_000,
    "newprot_contrast": 4_000, "mnli_binary.test": 9_000, "edits": 14_000,
    "context": 40_000,
}  # fmt: skip
"""Rows taken at most of a file whose name starts so; the others are taken whole."""
HELD = 20
"""One passage in so many is held back."""
RARE = {"truncated": 0.4}
"""Kinds of made pairs that counting words solves, and the share of them that is taken."""
LEFT_OUT = ("condaqa_q",)
"""Files whose claims are questions; make_statements.py gives them as statements."""
REPEATED = {"summedits": 3, "contractnli": 2, "foolmetwice": 3, "defacto": 3, "begin": 3}
"""Files of few rows, written or edited by people over whole passages, which count more than once."""


def read_rows(path: Path) -> Iterator[Row]:
    """Read a gzipped JSON Lines file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def words_of(text: str) -> list[str]:
    """Give the words of a text, in lower case."""
    return re.findall(r"\w+", text.lower())


def runs_of(text: str) -> set[int]:
    """Give the hashes of all runs of twelve words; of a shorter text, the hash of the whole."""
    words = words_of(text)
    return {hash(tuple(words[at : at + RUN])) for at in range(max(1, len(words) - RUN + 1))}


def dev_runs(data: Path) -> set[int]:
    """Give the runs of words of every passage that the project develops on."""
    seen: set[int] = set()
    for path in sorted((data / "entail" / "dev").glob("*.gz")):
        for passage in {row["passage"] for row in read_rows(path)}:
            seen |= runs_of(passage)
    return seen


def outcome(row: Row) -> str:
    """Give what the label says: entailed, neutral, contradicted, or not entailed for an unnamed reason."""
    if row["label"] == 1:
        return "entailed"
    said = str(row.get("raw_label", row.get("kind", ""))).lower()
    if "contradict" in said or "refut" in said:
        return "contradicted"
    return "neutral" if "neutral" in said else "not_entailed"


def source_rows(data: Path) -> Iterator[tuple[str, list[Row]]]:
    """Give the files of labelled pairs with the rows taken of each."""
    for folder in ("train", "train_more"):
        for path in sorted((data / "entail" / folder).glob("*.gz")):
            name = path.name.removesuffix(".jsonl.gz")
            if name.startswith(LEFT_OUT):
                continue
            rows = [row for row in read_rows(path) if row["label"] in {0, 1}]
            random.Random(f"{SEED}{name}").shuffle(rows)
            cap = next((cap for start, cap in CAPS.items() if name.startswith(start)), len(rows))
            times = next((times for start, times in REPEATED.items() if name.startswith(start)), 1)
            yield name, rows[:cap] * times


def made_rows(paths: Iterable[Path]) -> Iterator[tuple[str, list[Row]]]:
    """Give the rows that the generators wrote."""
    for path in paths:
        rows = [
            row
            for row in read_rows(path)
            if row["kind"] not in RARE or random.Random(row["claim"]).random() < RARE[row["kind"]]
        ]
        random.Random(f"{SEED}{path.name}").shuffle(rows)
        yield path.name.removesuffix(".jsonl.gz"), rows[: CAPS.get(path.name.removesuffix(".jsonl.gz"), len(rows))]


def mix(data: Path, made: Iterable[Path]) -> Iterator[Row]:
    """Give the rows to train on, in an order fixed by the seed, and print what was taken and dropped of each file."""
    barred = dev_runs(data)
    kept: list[Row] = []
    for name, rows in [*source_rows(data), *made_rows(made)]:
        clean = {id(row): barred.isdisjoint(runs_of(row["passage"])) for row in rows}
        taken = [
            {"claim": row["claim"].strip(), "passage": row["passage"].strip(), "outcome": outcome(row), "source": name}
            | ({"before": row["before"]} if "before" in row else {})
            for row in rows
            if clean[id(row)]
        ]
        counts = Counter(row["outcome"] for row in taken)
        print(f"{name:36s}{len(taken):7d} taken{len(rows) - len(taken):6d} dropped  {dict(counts)}")
        kept += taken
    random.Random(SEED).shuffle(kept)
    yield from kept


def is_held(row: Row) -> bool:
    """Say whether a row is held back; the same passage goes the same way in whatever file and whatever words it stands."""
    passage = " ".join(words_of(row.get("before", row["passage"])))
    return int(hashlib.sha256(passage.encode()).hexdigest()[:8], 16) % HELD == 0


def main() -> None:
    """Write the mix, and what is held back."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "data")
    parser.add_argument("--made", type=Path, nargs="*", default=[])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--held", type=Path, required=True)
    options = parser.parse_args()
    counts = Counter[bool]()
    with (
        gzip.open(options.out, "wt", encoding="utf-8", compresslevel=4) as out,
        gzip.open(options.held, "wt", encoding="utf-8", compresslevel=4) as held,
    ):
        for row in mix(options.data, options.made):
            back = is_held(row)
            counts[back] += 1
            row.pop("before", None)
            (held if back else out).write(json.dumps(row, ensure_ascii=False) + "\n")
    print(f"{counts[False]} pairs to train on, {counts[True]} held back")


if __name__ == "__main__":
    main()
