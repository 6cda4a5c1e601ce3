"""Make edited training pairs from the passages of a data folder.

python training/make_edits.py --data ../shared/data --out edits.jsonl.gz --per-kind 2500 --seed 1
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from edits import KINDS, Example, make
from edits.passage import clean, sentences_of

_PAIRS = (
    "entail/train/begin_wow.test",
    "entail/train/fever*",
    "entail/train/foolmetwice*",
    "entail/train/summedits_*",
    "entail/train_more/newprot_base.train",
    "entail/train_more/defacto.train",
    "entail/train_more/fib_xsum*",
    "entail/train_more/condaqa*",
)
_RUN = 12
_PER_PASSAGE = 3
_MIN_WORDS = 14


@dataclass(frozen=True, slots=True)
class Source:
    """A passage, the file it came from, and the topic whose other passages lend it names and figures."""

    text: str
    origin: str
    topic: str


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _shingles(text: str) -> set[int]:
    words = _words(text)
    return {hash(tuple(words[i : i + _RUN])) for i in range(len(words) - _RUN + 1)}


def held_back(data: Path) -> tuple[set[int], set[str]]:
    """Read the runs of 12 words and the whole texts (as words) of the development passages, to keep out."""
    runs: set[int] = set()
    texts: set[str] = set()
    for path in sorted((data / "entail/dev").glob("*.jsonl.gz")):
        for text in {row["passage"] for row in _rows(path)}:
            runs |= _shingles(text)
            texts.add(" ".join(_words(text)))
    return runs, texts


def sources(data: Path, longest: int) -> Iterator[Source]:
    """Give every passage of the data folder once, in the order of the files."""
    for row in _rows(data / "qa/squad2.jsonl.gz"):
        for passage in row["passages"]:
            yield Source(passage["text"], "squad2", passage["title"])
    for row in _rows(data / "qa/pubmedqa.jsonl.gz"):
        yield Source(" ".join(p["text"] for p in row["passages"]), "pubmedqa", row["id"])
    seen: set[str] = set()
    for row in _rows(data / "qa/contractnli.jsonl.gz"):
        for passage in row["passages"]:
            if passage["id"] not in seen:
                seen.add(passage["id"])
                yield from _contract(passage["text"], passage["id"])
    for pattern in _PAIRS:
        for path in sorted(data.glob(pattern + ".jsonl.gz" if "*" not in pattern else pattern)):
            origin = path.name.split(".")[0]
            for row in _rows(path):
                yield from _cut(row["passage"], origin, longest * 3)


def _cut(text: str, origin: str, longest: int) -> Iterator[Source]:
    words = text.split()
    yield Source(text if len(words) <= longest else " ".join(words[:longest]), origin, text[:80])


def _contract(text: str, name: str) -> Iterator[Source]:
    lines = [re.sub(r"^\s*(?:\(?[a-z\d]{1,3}[.)]|\d+(?:\.\d+)*\.?)\s+", "", line).strip() for line in text.split("\n")]
    kept = [line for line in lines if len(line.split()) > 5 and line.endswith(".")]
    held: list[str] = []
    for sentence in (s for line in kept for s in sentences_of(clean(line))):
        held.append(sentence)
        if sum(len(s.split()) for s in held) > 110:
            yield Source(" ".join(held), "contractnli", name)
            held = []


def _key(text: str) -> str:
    return " ".join(_words(text))


def kept_sources(data: Path, longest: int) -> list[Source]:
    """Give the passages that share no run of 12 words with a development passage, each once."""
    runs, texts = held_back(data)
    found: dict[str, Source] = {}
    dropped = 0
    for source in sources(data, longest):
        key = _key(source.text)
        if key in found or len(key.split()) < _MIN_WORDS:
            continue
        if key in texts or _shingles(source.text) & runs:
            dropped += 1
            continue
        found[key] = source
    print(f"{len(found)} passages, {dropped} dropped for what they share with the development sets", file=sys.stderr)
    return list(found.values())


def examples(passages: list[Source], per_kind: int, seed: int, longest: int) -> list[tuple[Example, str]]:
    """Make pairs until every kind has `per_kind` of them, half of each label, or the passages are at an end."""
    rng = random.Random(seed)
    topics: dict[str, list[str]] = defaultdict(list)
    for source in passages:
        if source.origin == "squad2" and len(topics[source.topic]) < 60:
            topics[source.topic].extend(sentences_of(source.text))
    rng.shuffle(passages)
    count: Counter[tuple[str, int]] = Counter()
    seen: set[tuple[str, str]] = set()
    found: list[tuple[Example, str]] = []
    for source in passages:
        open_kinds = [k for k in KINDS if min(count[k, 0], count[k, 1]) < per_kind // 2]
        made = make(source.text, rng, topics.get(source.topic, ())[:40], open_kinds)
        rng.shuffle(made)
        here: Counter[tuple[str, int]] = Counter()
        for e in made:
            sort = (e.kind, e.label)
            if here[sort] >= _PER_PASSAGE or count[sort] >= per_kind // 2 or (e.claim, e.passage) in seen:
                continue
            if len(e.passage.split()) <= longest:
                here[sort] += 1
                count[sort] += 1
                seen.add((e.claim, e.passage))
                found.append((e, source.origin))
        if not open_kinds:
            break
    return balanced(found, rng)


def balanced(found: list[tuple[Example, str]], rng: random.Random) -> list[tuple[Example, str]]:
    """Thin the commoner label of every kind to the rarer one, plus a tenth, and shuffle."""
    by_sort: dict[tuple[str, int], list[tuple[Example, str]]] = defaultdict(list)
    for pair in found:
        by_sort[pair[0].kind, pair[0].label].append(pair)
    kept: list[tuple[Example, str]] = []
    for kind in KINDS:
        sides = [by_sort[kind, 0], by_sort[kind, 1]]
        limit = int(min(map(len, sides)) * 1.1) + 1
        kept.extend(pair for side in sides for pair in side[:limit])
    rng.shuffle(kept)
    return kept


def main() -> None:
    """Write the pairs and print how many of each kind and label there are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--per-kind", type=int, default=2500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--max-passage-words", type=int, default=220)
    asked = parser.parse_args()
    passages = kept_sources(asked.data, asked.max_passage_words)
    rows = examples(passages, asked.per_kind, asked.seed, asked.max_passage_words)
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    with gzip.GzipFile(asked.out, "wb", mtime=0) as out:
        for e, origin in rows:
            row = {"claim": e.claim, "passage": e.passage, "label": e.label, "kind": e.kind, "source": origin}
            out.write((json.dumps(row, ensure_ascii=False) + "\n").encode())
    _table(rows)


def _table(rows: list[tuple[Example, str]]) -> None:
    count = Counter((e.kind, e.label) for e, _ in rows)
    print(f"{'kind':<12}{'0':>7}{'1':>7}")
    for kind in KINDS:
        print(f"{kind:<12}{count[kind, 0]:>7}{count[kind, 1]:>7}")
    print(
        f"{'all':<12}{sum(n for (_, y), n in count.items() if not y):>7}{sum(n for (_, y), n in count.items() if y):>7}"
    )


if __name__ == "__main__":
    main()
