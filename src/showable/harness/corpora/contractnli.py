"""ContractNLI (Koreeda & Manning 2021, EMNLP Findings): 17 statements about each of many non-disclosure agreements."""

from __future__ import annotations

import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import Field

from showable.errors import InputError
from showable.harness.corpora.chunking import chunk
from showable.harness.corpora.contract_hypotheses import HYPOTHESES
from showable.harness.corpora.contract_names import agreement_named, is_between, kind_of, written_small
from showable.harness.corpora.contract_parties import parties_of
from showable.harness.corpora.corpus import Corpus, LabelKind, Labelled
from showable.harness.corpora.labelled_rows import (
    PassageRow,
    Published,
    evidence_in,
    holds_rows,
    parsed,
    read_bytes,
    read_rows,
    shaped,
)
from showable.records.record import Gold, GoldEvidence, Source

ADDRESS = "https://stanfordnlp.github.io/contract-nli/resources/contract-nli.zip"
LICENCE = "CC BY 4.0"

_SAYS_SOMETHING = re.compile(r"[^\W\d_]{3,}\W+(?:\w+\W+)*?[^\W\d_]{3,}")
"""Two words: the numbers of clauses (``1.1.``, ``(b)``) are marked as evidence too."""
_PARTS = ("train.json", "dev.json", "test.json")
_Choice = Literal["Entailment", "Contradiction", "NotMentioned"]
_KINDS: dict[_Choice, LabelKind] = {"Entailment": "answered", "Contradiction": "contradicted", "NotMentioned": "absent"}


class _Annotation(Published):
    choice: _Choice
    spans: list[int] = Field(default_factory=list)


class _AnnotationSet(Published):
    annotations: dict[str, _Annotation]


class _Label(Published):
    hypothesis: str


class _Published(Published):
    id: str
    file_name: str
    text: str
    spans: list[tuple[int, int]]
    annotation_sets: list[_AnnotationSet] = Field(min_length=1)


class _Part(Published):
    documents: list[_Published]
    labels: dict[str, _Label]


class _Row(Published):
    id: str = Field(pattern=r"-nda-\d+$")
    hypothesis: str
    passages: list[PassageRow] = Field(min_length=1)
    answers: list[_Choice]
    answerable: bool
    gold_spans: list[tuple[int, int]] = Field(default_factory=list)


class _Judged(Published):
    """What people said of one hypothesis: `spans` are offsets into the agreement's text."""

    choice: _Choice
    spans: list[tuple[int, int]]
    statement: str


class _Agreement(Published):
    id: str
    file_name: str
    text: str
    judged: dict[str, _Judged]


class _Name(NamedTuple):
    """Who made an agreement, of what kind it is, and how a question names it."""

    parties: tuple[str, ...]
    kind: str
    said: str


def read_contractnli(path: Path) -> Corpus:
    """Read a folder or a zip with ``train.json``, ``dev.json`` and ``test.json``, one of the three, or rows.

    An agreement is a document. Its questions name it by its parties; an agreement that names none, or one like another, has
    passages and no questions, and is counted in the notes. Raises InputError where the path holds nothing of the kind.
    """
    agreements = _from_rows(path) if holds_rows(path) else list(_from_published(path))
    if not agreements:
        raise InputError("holds no agreements", path=str(path))
    names = _names(agreements)
    sources: list[Source] = []
    labelled: list[Labelled] = []
    for agreement in agreements:
        name = names.get(agreement.id)
        passages = chunk(
            agreement.id,
            agreement.text,
            title=_title(name, agreement.file_name),
            metadata={
                "file": agreement.file_name,
                **({"parties": list(name.parties), "named": name.said} if name else {}),
            },
        )
        sources += passages
        labelled += _labelled(agreement, passages, name.said) if name else []
    unnamed = len(agreements) - len(names)
    notes = (f"{unnamed} of {len(agreements)} agreements have no questions: no party of theirs tells them apart",)
    return Corpus(
        name="contractnli",
        origin=str(path),
        licence=LICENCE,
        sources=tuple(sources),
        labelled=tuple(labelled),
        notes=notes if unnamed else (),
    )


def _title(name: _Name | None, file_name: str) -> str:
    return f"{name.kind.capitalize()}, {' and '.join(name.parties)}" if name else file_name


def _names(agreements: list[_Agreement]) -> dict[str, _Name]:
    """Name the agreements whose parties are named; where two share a party, neither can be told by it."""
    parties = {agreement.id: parties_of(agreement.text) for agreement in agreements}
    shared = Counter(name.casefold() for names in parties.values() for name in names)
    return {
        agreement.id: _name(agreement.text, names)
        for agreement in agreements
        if (names := parties[agreement.id]) and all(shared[name.casefold()] == 1 for name in names)
    }


def _name(text: str, names: tuple[str, ...]) -> _Name:
    parties, kind = written_small(names, text), kind_of(text)
    return _Name(parties, kind, agreement_named(parties, kind=kind, between=is_between(text, names)))


def _labelled(agreement: _Agreement, passages: list[Source], named: str) -> Iterator[Labelled]:
    for key, judged in agreement.judged.items():
        if key not in HYPOTHESES:
            continue
        evidence: list[GoldEvidence] = []
        for start, end in judged.spans:
            evidence += (piece for piece in evidence_in(passages, start, end) if _says_something(piece, passages))
        answered = judged.choice != "NotMentioned"
        if answered and not evidence:
            continue
        yield Labelled(
            id=f"{agreement.id}-{key}",
            document=agreement.id,
            question=f"Under {named}, {HYPOTHESES[key].asks}?",
            kind=_KINDS[judged.choice],
            gold=Gold(
                answer={"Entailment": "Yes", "Contradiction": "No"}.get(judged.choice),
                answerable=answered,
                evidence=tuple(evidence),
            ),
            statement=judged.statement,
        )


def _says_something(piece: GoldEvidence, passages: list[Source]) -> bool:
    text = next(source.text or "" for source in passages if source.source_id == piece.source_id)
    return _SAYS_SOMETHING.search(text[piece.start : piece.end]) is not None


def _from_rows(path: Path) -> list[_Agreement]:
    texts: dict[str, PassageRow] = {}
    judged: dict[str, dict[str, _Judged]] = {}
    for row in read_rows(path, _Row):
        passage = row.passages[0]
        texts[passage.id] = passage
        choice = row.answers[0] if row.answers else "NotMentioned"
        key = "nda-" + row.id.rpartition("-nda-")[2]
        judged.setdefault(passage.id, {})[key] = _Judged(choice=choice, spans=row.gold_spans, statement=row.hypothesis)
    return [
        _Agreement(id=key, file_name=passage.title or key, text=passage.text, judged=judged[key])
        for key, passage in texts.items()
    ]


def _from_published(path: Path) -> Iterator[_Agreement]:
    seen: set[str] = set()
    for name, raw in _parts(path):
        part = shaped(parsed(raw, name), _Part, name)
        for number, document in enumerate(part.documents):
            if document.id in seen:
                raise InputError(f"the id {document.id!r} stands twice", path=name, field=f"documents.{number}.id")
            seen.add(document.id)
            yield _agreement(document, part.labels, name, number)


def _parts(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the parts that are there with what to call them in a message."""
    if path.is_dir():
        files = [path / name for name in _PARTS if (path / name).is_file()]
        if not files:
            raise InputError(f"expected {', '.join(_PARTS)} in it, or one of them", path=str(path))
        yield from ((str(file), read_bytes(file)) for file in files)
    elif path.suffix == ".zip":
        yield from _zipped(path)
    else:
        yield str(path), read_bytes(path)


def _zipped(path: Path) -> Iterator[tuple[str, bytes]]:
    try:
        with zipfile.ZipFile(path) as held:
            names = [name for name in held.namelist() if name.rpartition("/")[2] in _PARTS and "__MACOSX" not in name]
            if not names:
                raise InputError(f"expected {', '.join(_PARTS)} in it, or one of them", path=str(path))
            yield from ((f"{path}:{name}", held.read(name)) for name in names)
    except (OSError, zipfile.BadZipFile) as error:
        raise InputError(f"cannot be read as a zip: {error}", path=str(path)) from None


def _agreement(document: _Published, labels: dict[str, _Label], path: str, number: int) -> _Agreement:
    judged = {}
    for key, annotation in document.annotation_sets[0].annotations.items():
        if key not in labels:
            raise InputError(f"no label {key!r} is given", path=path, field=f"documents.{number}.annotation_sets")
        if any(not 0 <= place < len(document.spans) for place in annotation.spans):
            raise InputError(f"{key} points to a span that is not there", path=path, field=f"documents.{number}.spans")
        spans = [document.spans[place] for place in annotation.spans]
        judged[key] = _Judged(choice=annotation.choice, spans=spans, statement=labels[key].hypothesis)
    return _Agreement(id=document.id, file_name=document.file_name, text=document.text, judged=judged)
