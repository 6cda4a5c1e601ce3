"""The corpus that ships with the package: fictional documents in law, medicine, research and news."""

from __future__ import annotations

from importlib.resources import files

from showable.harness.corpora.corpus import Corpus
from showable.harness.corpora.passage_rows import sources_in

_FILES = (("showable.demo", "data/documents.jsonl"), ("showable.harness", "embedded/documents.jsonl"))


def read_embedded() -> Corpus:
    """Return the embedded corpus: the documents of the demo, and those of the embedded question set."""
    found = [(name, files(package) / name) for package, name in _FILES]
    sources = [source for name, file in found if file.is_file() for source in sources_in(name, file.read_bytes())]
    return Corpus(
        name="embedded",
        origin="showable, the embedded corpus",
        licence="Apache-2.0, or CC0 1.0",
        sources=tuple(sources),
    )
