"""The pairs of the last training: claims written by hand beside a share of the natural mix.

`data/written/` was written for this project: claims against passages, twins with one thing wrong; whole answers with their
passages, labelled sentence by sentence; follow-up questions. Of the claims every tenth passage is held back, of the answers and
follow-ups every fifth, by a hash of the group, with all that belongs to it. The natural pairs keep the model from forgetting
what other text is like (Chaudhry et al. 2019, arXiv 1902.10486).

Run: python training/written.py --data ../shared/data --natural build/pairs.jsonl.gz --out build/last.jsonl.gz --held build/written_held.jsonl.gz
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

from mix import Row, read_rows

SEED = 20261127
SHARE = 0.55
"""Of the words that are read, what part is written ones."""
HELD = {"claims": 10, "answers": 5, "turns": 5}
"""One group in so many is held back."""
REPEATED = {"written_answers": 3, "written_turns": 3}
"""Parts of few rows, which count more than once."""
_MARKS = re.compile(r"\s*(?:\[[^\]]{1,12}\])+")
"""Citation marks such as ` [1][3]`, which no judge is shown."""


def is_held(group: str, one_in: int) -> bool:
    """Return whether a group is held back."""
    return int(hashlib.sha256(group.encode()).hexdigest()[:8], 16) % one_in == 0


def written_rows(data: Path) -> Iterator[tuple[bool, Row]]:
    """Yield every written pair, and whether it is held back."""
    folder = data / "written"
    for row in read_rows(folder / "claims.jsonl.gz"):
        yield is_held(row["group"], HELD["claims"]), _pair(row["claim"], row["passage"], row["label"], "claims", row)
    for row in read_rows(folder / "answers.jsonl.gz"):
        texts = {source["source_id"]: source["text"] for source in row["retrieved"]}
        for sentence in row["sentences"]:
            cited = [texts[cite] for cite in sentence["cites"] or [] if cite in texts]
            if sentence["label"] is not None and cited:
                claim = _MARKS.sub("", sentence["text"])
                yield (
                    is_held(row["group"], HELD["answers"]),
                    _pair(claim, " ".join(cited), sentence["label"], "answers", row),
                )
    for row in read_rows(folder / "turns.jsonl.gz"):
        cited = [s["text"] for s in row["retrieved"] if f"[{s['source_id']}]" in row["answer"]] or [
            s["text"] for s in row["retrieved"]
        ]
        yield is_held(row["group"], HELD["turns"]), _pair(row["claim"], " ".join(cited), row["label"], "turns", row)


def _pair(claim: str, passage: str, label: int, source: str, row: Row) -> Row:
    outcome = "entailed" if label == 1 else "not_entailed"
    return {
        "claim": claim,
        "passage": passage,
        "outcome": outcome,
        "source": f"written_{source}",
        "group": row["group"],
        "kind": row.get("kind"),
    }


def words(row: Row) -> int:
    """Count the words that a pair has."""
    return len(row["claim"].split()) + min(130, len(row["passage"].split()))


def main() -> None:
    """Write the pairs to train on and those held back."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path(__file__).resolve().parents[2] / "shared" / "data")
    parser.add_argument("--natural", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--held", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=SEED, help="of the natural pairs that are drawn, and of the order")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    rows = list(written_rows(options.data))
    held = [row for back, row in rows if back]
    kept = [row for back, row in rows if not back for _ in range(REPEATED.get(row["source"], 1))]
    room = sum(map(words, kept)) * (1 - SHARE) / SHARE
    natural = list(read_rows(options.natural))
    rng.shuffle(natural)
    for row in natural:
        if room <= 0:
            break
        kept.append(row)
        room -= words(row)
    rng.shuffle(kept)
    for path, chosen in ((options.out, kept), (options.held, held)):
        with gzip.open(path, "wt", encoding="utf-8", compresslevel=4) as out:
            out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in chosen)
    print(
        f"{len(kept)} pairs to train on, {sum('group' in row for row in kept)} of them written; {len(held)} held back"
    )


if __name__ == "__main__":
    main()
