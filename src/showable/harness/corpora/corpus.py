"""What a corpus is: its passages, where they come from and under which licence, and the questions people labelled on it."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from functools import cached_property
from typing import Literal

from showable.records.record import Gold, Source
from showable.records.wire import Many, Wire

LabelKind = Literal["answered", "contradicted", "absent"]


class Labelled(Wire):
    """A question that people labelled on one document of a corpus.

    ``answered``: `gold` has the answer and its evidence. ``contradicted``: the document says the opposite of what the
    question supposes, and `gold` has what it says. ``absent``: the document does not say, or the label is that no
    answer can be given. `document` is the `metadata.document` of the passages that it was labelled on. `statement` is the question
    as a statement, where the corpus has one (a ContractNLI hypothesis).
    """

    id: str
    document: str
    question: str
    kind: LabelKind
    gold: Gold
    statement: str | None = None


class Corpus(Wire):
    """Passages of documents, and the questions people labelled on them.

    Every passage has in its metadata `document`, the id of the document it is part of, and `start`, the offset of its
    first character in the document's text; `page` is set where the document has pages. `origin` is where the documents were read from (a path or an address), `licence` what its publisher states.
    `notes` are what a reader should know: documents left out and why.
    """

    name: str
    origin: str
    licence: str
    sources: Many[Source]
    labelled: Many[Labelled] = ()
    notes: Many[str] = ()

    @cached_property
    def by_document(self) -> dict[str, list[Source]]:
        """The passages of each document, in order."""
        documents: dict[str, list[Source]] = defaultdict(list)
        for source in self.sources:
            documents[str(source.metadata.get("document", source.source_id))].append(source)
        return dict(documents)

    @cached_property
    def by_id(self) -> dict[str, Source]:
        """Every passage by its id."""
        return {source.source_id: source for source in self.sources}

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the passages, by which two corpora are told apart."""
        digest = hashlib.sha256()
        for source in self.sources:
            digest.update(f"{source.source_id}\0{source.text or ''}\0".encode("utf-8", "replace"))
        return digest.hexdigest()[:16]
