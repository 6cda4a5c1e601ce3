"""Whole answers with people's labels, as records; and a model's odds kept on disk, so that pairs are scored once."""

from __future__ import annotations

import hashlib
import re
import sqlite3
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from labelled import rows_of

from showable.judges.embedded import EmbeddedJudge
from showable.judges.embedded.manifest import read_manifest
from showable.judges.embedded.odds import Failure, Odds
from showable.judges.embedded.session import Session
from showable.judges.lexical.judge import LexicalJudge
from showable.records import Judge, Record, Source

Row = dict[str, Any]
Part = Literal["lfqa", "written_held", "written_fit"]
HELD = 5
"""One group of the written answers in so many is held back; the training of the encoder holds back the same."""
_END = re.compile(r"[.!?\"”)]*$")
_AT_ONCE = 500
"""Pairs looked up at a time."""


@dataclass(frozen=True)
class Sentence:
    """A sentence of an answer: where it stands, and its label: None where it asserts nothing or nobody is sure."""

    start: int
    end: int
    good: bool | None
    text: str
    cites: tuple[str, ...]


@dataclass(frozen=True)
class LabelledAnswer:
    """An answer as a record, its label, and the group that is drawn as one."""

    record: Record
    good: bool
    group: str
    sentences: tuple[Sentence, ...]


def read_answers(part: Part) -> list[LabelledAnswer]:
    """Return the labelled answers of a part; those that people call half supported are left out."""
    if part == "lfqa":
        return [_lfqa(row) for row in rows_of("answers/lfqa") if row["label"] in {0, 1}]
    rows = [row for row in rows_of("written/answers") if is_held(row["group"], HELD) == (part == "written_held")]
    return [_written(row) for row in rows]


def sample(answers: Sequence[LabelledAnswer], most: int | None) -> list[LabelledAnswer]:
    """Return at most so many answers, by a hash of their ids: fewer of them are a part of more."""
    return sorted(answers, key=lambda answer: hashlib.sha256(answer.record.id.encode()).digest())[:most]


def fold_of(group: str, folds: int) -> int:
    """Return the fold that a group is dealt to, by a hash."""
    return int(hashlib.sha256(group.encode()).hexdigest()[:8], 16) % folds


def is_held(group: str, one_in: int) -> bool:
    """Return whether a group is held back from all fitting."""
    return fold_of(group, one_in) == 0


def _lfqa(row: Row) -> LabelledAnswer:
    """Give every sentence all the passages; the answers themselves cite nothing."""
    ids = tuple(source["source_id"] for source in row["retrieved"])
    marks = " " + "".join(f"[{source_id}]" for source_id in ids)
    text, sentences = "", []
    labels = {"supported": True, "not_supported": False}
    for sentence in row["sentences"]:
        plain = sentence["text"].replace("</s>", "").strip()
        if not plain:
            continue
        end = _END.search(plain)
        at = len(plain) if end is None else end.start()
        text += " " if text else ""
        start = len(text)
        text += plain[:at] + marks + plain[at:]
        sentences.append(Sentence(start, len(text), labels.get(sentence["label"]), plain, ids))
    return LabelledAnswer(_record(row, text), row["label"] == 1, row["group"], tuple(sentences))


def _written(row: Row) -> LabelledAnswer:
    sentences = tuple(
        Sentence(
            s["start"], s["end"], None if s["label"] is None else s["label"] == 1, s["text"], tuple(s["cites"] or ())
        )
        for s in row["sentences"]
    )
    return LabelledAnswer(_record(row, row["answer"]), row["label"] == 1, row["group"], sentences)


def _record(row: Row, answer: str) -> Record:
    sources = tuple(Source.model_validate(source) for source in row["retrieved"])
    return Record(id=row["id"], question=row["question"], retrieved=sources, answer=answer)


class KeptSession:
    """A model whose answers are kept in a file beside the temporary ones, by its digest; loaded when a pair is new."""

    def __init__(self, folder: Path, threads: int) -> None:
        self._manifest, self._folder = read_manifest(folder)
        self._threads = threads
        self._session: Session | None = None
        digest = hashlib.sha256((folder / self._manifest.model).read_bytes()).hexdigest()[:12]
        path = Path(tempfile.gettempdir()) / f"showable-odds-{digest}.sqlite"
        self._kept = sqlite3.connect(path, check_same_thread=False, timeout=60)
        self._kept.execute("create table if not exists odds (pair blob primary key, support real, against real)")

    def odds(self, pairs: Sequence[tuple[str, str]]) -> list[Odds | Failure]:
        """Give the odds of each pair, in order."""
        keys = [hashlib.blake2b(f"{a}\0{b}".encode("utf-8", "replace"), digest_size=12).digest() for a, b in pairs]
        found: dict[bytes, Odds | Failure] = {}
        for at in range(0, len(keys), _AT_ONCE):
            part = keys[at : at + _AT_ONCE]
            marks = ",".join("?" * len(part))
            lines = self._kept.execute(f"select * from odds where pair in ({marks})", part)  # noqa: S608 - marks alone
            found |= {pair: Odds(support, against) for pair, support, against in lines}
        new = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in found}
        if new:
            self._session = self._session or Session(self._manifest, self._folder, self._threads)
            answers = dict(zip(new, self._session.odds(list(new.values())), strict=True))
            rows = [(key, *one) for key, one in answers.items() if isinstance(one, Odds)]
            with self._kept:
                self._kept.executemany("insert or replace into odds values (?, ?, ?)", rows)
            found |= answers
        return [found[key] for key in keys]


def make_judge(kind: str, folder: Path | None = None, threads: int = 2) -> Judge:
    """Return the judge to measure: `lexical`, or `embedded` with the shipped model or another folder's."""
    if kind == "lexical":
        return LexicalJudge()
    judge = EmbeddedJudge(folder, threads=threads)
    judge._session = KeptSession(judge._folder, threads)  # type: ignore[assignment]  # noqa: SLF001 - it asks the same
    return judge
