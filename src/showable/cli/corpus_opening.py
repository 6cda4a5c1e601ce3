"""Open a corpus for a command, and say on stderr what its user should know: what was left out, from where, which licence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from showable.harness.corpora.corpus import Corpus

_MOST = 20
"""Lines said of one corpus; a folder may hold thousands of files that are no documents."""


def open_aloud(spec: str) -> Corpus:
    """Open a corpus and say its notes, the first 20 of them; none of this goes to stdout. Raises as `open_corpus`."""
    from showable.harness.corpora.open import open_corpus
    from showable.report.untrusted import printable

    corpus = open_corpus(spec)
    for note in corpus.notes[:_MOST]:
        typer.echo(f"showable: {corpus.name}: {printable(note)}", err=True)
    if len(corpus.notes) > _MOST:
        typer.echo(f"showable: {corpus.name}: and {len(corpus.notes) - _MOST} more", err=True)
    return corpus
