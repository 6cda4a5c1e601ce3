"""The corpus behind the retrieval log, as `score` and `run` take it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from showable.records.passages import Passages

CorpusOption = Annotated[
    str | None,
    typer.Option(
        "--corpus",
        rich_help_panel="Registries and corpus",
        help="The documents behind the retrieval: a folder or file, or embedded, squad2:PATH … What nothing retrieved"
        " supports is looked up there, and told apart: wrong, the retriever's fault, or in no document.",
        metavar="CORPUS",
    ),
]


def open_passages(spec: str | None) -> Passages | None:
    """Open a corpus to be searched, or give None where none was asked for. Raises InputError where it cannot be read."""
    if spec is None:
        return None
    from showable.cli.corpus_opening import open_aloud
    from showable.search.bm25 import Bm25

    corpus = open_aloud(spec)
    count, documents = len(corpus.sources), len(corpus.by_document)
    said = f"{count} passage{'s' if count > 1 else ''} of {documents} document{'s' if documents > 1 else ''}"
    typer.echo(f"showable: {corpus.name}: {said}", err=True)
    return Bm25(corpus.sources, corpus.name)
