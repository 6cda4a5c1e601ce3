"""Every shape there is, by the path of its class. To add one: write its file, and its line here."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from showable.converters.shape import Shape
from showable.errors import SettingError

SHAPES: tuple[str, ...] = (
    "ragas.Ragas",
    "deepeval.DeepEval",
    "ragchecker.RagChecker",
    "open_rag_eval.OpenRagEval",
    "trulens.TruLens",
    "citeeval.CiteEval",
    "inspect_log.InspectLog",
    "promptfoo.Promptfoo",
    "anthropic.Anthropic",
    "cohere.Cohere",
    "openai_responses.OpenAIResponses",
    "azure_openai.AzureOpenAI",
    "perplexity.Perplexity",
    "mistral.Mistral",
    "bedrock.Bedrock",
    "gemini.Gemini",
    "csv_columns.CsvColumns",
)
"""Module and class under `showable.converters`; the module's name is the shape's, with ``-`` for ``_``."""

NAMES: tuple[str, ...] = tuple(path.partition(".")[0].replace("_", "-") for path in SHAPES)
COLUMNS = "csv-columns"
"""The shape that goes by the usual names of columns, and gives way to every other."""
RECORDS = "records"
"""What ``--from`` takes for files of Records, which no shape is for."""


def shape_named(name: str) -> Shape:
    """Import the class of one shape and make it. Raises SettingError where there is no such shape."""
    paths = dict(zip(NAMES, SHAPES, strict=True))
    asked = name.strip().casefold().replace("_", "-")
    if asked not in paths:
        raise SettingError(f"--from: no shape is called {name!r}; there are {RECORDS}, {', '.join(NAMES)}")
    return _made(paths[asked])


def all_shapes() -> Iterator[Shape]:
    """Make every shape, in the order of the catalogue."""
    return map(_made, SHAPES)


def _made(path: str) -> Shape:
    module, _, class_name = path.partition(".")
    shape: Shape = getattr(import_module(f"showable.converters.{module}"), class_name)()
    return shape
