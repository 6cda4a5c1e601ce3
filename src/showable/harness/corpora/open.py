"""Open a corpus by what it is called: a folder, a file, the embedded one, or a published data set."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from showable.errors import InputError, SettingError
from showable.harness.corpora.corpus import Corpus

EMBEDDED = "embedded"
LOADERS = {
    "contractnli": "contractnli",
    "squad2": "squad2",
    "pubmedqa": "pubmedqa",
    "govreport": "govreport",
    "edgar": "edgar",
    "cuad": "cuad",
    "financebench": "financebench",
}
"""The published corpora and their modules, each with ``read_NAME(path)``."""


class _Loader(Protocol):
    def __call__(self, path: Path) -> Corpus: ...


def open_corpus(spec: str, *, fetch: bool = True) -> Corpus:
    """Open a corpus.

    `spec` is a folder or file of documents, ``embedded``, or the name of a published corpus, alone or as ``NAME:PATH``.
    A published one without a path is taken from the cache, or downloaded where `fetch` allows it. A folder that is
    called like a corpus is written ``./NAME``. Not to be called while an event loop runs in the same thread.
    Raises SettingError for a name that is none, InputError for files that are not as published or not to be had.
    """
    corpus = _opened(spec, fetch=fetch)
    for what, ids in (
        ("passage", [one.source_id for one in corpus.sources]),
        ("label", [one.id for one in corpus.labelled]),
    ):
        if (twice := next((key for key, count in Counter(ids).items() if count > 1), None)) is not None:
            raise InputError(f"the {what} {twice!r} stands twice", path=corpus.origin)
    return corpus


def _opened(spec: str, *, fetch: bool) -> Corpus:
    name, told, path = spec.partition(":")
    if name in LOADERS:
        if told and not path:
            raise SettingError(f"corpus {spec!r}: give a path after the colon, or {name!r} alone to download it")
        return _loader(name)(Path(path).expanduser()) if path else _downloaded(name, fetch=fetch)
    if spec == EMBEDDED:
        from showable.harness.corpora.embedded import read_embedded  # noqa: PLC0415 - only what is asked for is loaded

        return read_embedded()
    if not Path(spec).exists():
        raise SettingError(
            f"corpus {spec!r}: no such file or folder, nor a corpus by that name ({EMBEDDED}, {', '.join(LOADERS)})"
        )
    from showable.harness.corpora.folder import read_folder  # noqa: PLC0415 - the readers of documents take long to load

    return read_folder(Path(spec))


def _downloaded(name: str, *, fetch: bool) -> Corpus:
    from showable.harness.corpora.fetch import fetched  # noqa: PLC0415 - the network is rarely needed
    from showable.harness.corpora.published import PUBLISHED  # noqa: PLC0415

    published = PUBLISHED[name]
    got = fetched(published, fetch=fetch)
    corpus = _loader(name)(got.path)
    return corpus.model_copy(
        update={"origin": published.address, "licence": published.shown, "notes": (*got.notes, *corpus.notes)}
    )


def _loader(name: str) -> _Loader:
    module = import_module(f"showable.harness.corpora.{LOADERS[name]}")
    return cast("_Loader", getattr(module, f"read_{name}"))
