"""Put the sentence that a claim was written for among other sentences.

Most pairs that people wrote have a passage of one sentence, and an answer's sources have many. Here such a sentence
stands anywhere among sentences of other pairs of the same file: the label stays, and the words of the claim that the
others happen to have no longer tell it. Half of the others are chosen because they share words with the claim, but never
most of its words. Sentences whose own passage is held back are left out.

Run: python training/make_context.py --data ../shared/data --out build/context.jsonl.gz --seed 1
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from mix import Row, is_held, read_rows, words_of

TAKEN = {
    "train/mnli_binary.dev": 5_000, "train/mnli_binary.test": 9_000, "train/fever_nli_binary.test": 3_000,
    "train/foolmetwice.dev": 1_200, "train_more/newprot_base.train": 6_000, "train_more/newprot_edit_premise.train": 7_000,
    "train_more/newprot_edit_other.train": 6_000, "train_more/newprot_contrast.train": 4_000,
    "train_more/cad_snli.train": 2_000, "train_more/snli.test": 2_000, "train_more/scitail.test": 1_500,
    "train_more/negnli_mnli.all": 1_200, "train_more/negnli_rte.all": 1_200, "train_more/impli.manual": 1_000,
    "train_more/ambient_disamb.all": 800,
}  # fmt: skip
"""Rows taken at most of each file."""
SHORT = 45
"""Words of a passage that is put among others, and of a passage that stands beside one."""
LENGTHS = (40, 150)
"""Words of the passages made, from and to."""
LOOKED_AT, ALIKE = 40, 0.5
"""Passages among which the one nearest to the claim is looked for; share of the claim's words that it may have."""
PLAIN = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "in",
        "on",
        "at",
        "to",
        "and",
        "or",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "with",
        "for",
        "by",
        "as",
        "it",
        "its",
        "this",
        "that",
    ]
)


def content(text: str) -> frozenset[str]:
    """Give the words of a text that say something."""
    return frozenset(words_of(text)) - PLAIN


def beside(row: Row, pool: list[tuple[str, frozenset[str]]], rng: random.Random) -> list[str]:
    """Choose the passages to stand beside a row's own."""
    asked, own = content(row["claim"]), content(row["passage"])
    room = rng.randint(*LENGTHS) - len(row["passage"].split())
    chosen: list[str] = []
    while room > 0:
        found = [one for one in rng.sample(pool, LOOKED_AT) if len(asked & one[1]) <= ALIKE * len(asked)]
        found = [one for one in found if one[0] not in chosen and len(own & one[1]) <= ALIKE * len(own)]
        if not found:
            break
        near = max(found, key=lambda one: len(asked & one[1])) if rng.random() < 0.5 else found[0]
        chosen.append(near[0])
        room -= len(near[0].split())
    return chosen


def closed(text: str) -> str:
    """Give a text with a full stop where it ends in none."""
    text = text.strip().strip('"').strip()
    return text if text.endswith((".", "!", "?", '"', "”")) else text + "."


def in_context(path: Path, most: int, seed: int) -> Iterator[Row]:
    """Give rows of a file whose passage is short, each among others of the file."""
    rng = random.Random(f"{seed}{path.name}")
    rows = [row for row in read_rows(path) if row["label"] in {0, 1} and len(row["passage"].split()) <= SHORT]
    rows = [row for row in rows if not is_held(row)]
    pool = [(text, content(text)) for text in dict.fromkeys(row["passage"] for row in rows)]
    for row in rng.sample(rows, min(most, len(rows))):
        others = [closed(text) for text in beside(row, pool, rng)]
        others.insert(rng.randint(0, len(others)), closed(row["passage"]))
        kept = {name: row[name] for name in ("claim", "label", "raw_label") if name in row}
        yield kept | {"passage": " ".join(others), "kind": "context", "source": path.name.removesuffix(".jsonl.gz")}


def main() -> None:
    """Write the rows of all files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    counts = Counter[tuple[str, int]]()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(options.out, "wt", encoding="utf-8", compresslevel=4) as out:
        for name, most in TAKEN.items():
            for row in in_context(options.data / "entail" / f"{name}.jsonl.gz", most, options.seed):
                counts[name, row["label"]] += 1
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
    for name in TAKEN:
        print(f"{name:40s}{counts[name, 1]:7d} supported{counts[name, 0]:7d} not")


if __name__ == "__main__":
    main()
