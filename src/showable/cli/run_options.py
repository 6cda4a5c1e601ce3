"""The options of `run` that no other command has."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class ModelClassName(StrEnum):
    """The classes of models that a table of runs tells apart."""

    FRONTIER = "frontier"
    LARGE_OPEN = "large_open"
    MID = "mid"
    SMALL = "small"


PipelineOption = Annotated[
    str,
    typer.Option(
        "--pipeline",
        help="What answers: reference, chat:MODEL[@URL], http(s)://HOST/PATH, module:function, command:PROGRAM …, or"
        " recorded:PATH.",
        metavar="PIPELINE",
    ),
]
QuestionsOption = Annotated[
    str,
    typer.Option(
        "--questions", help="A question set's folder, a .jsonl file of questions, or embedded.", metavar="SET"
    ),
]
RunOutOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        help="Run folder; the same command on it goes on where it was stopped. Default: a new one, runs/SET-PIPELINE-N.",
        metavar="DIR",
    ),
]
CorpusOption = Annotated[
    str | None,
    typer.Option(
        "--corpus",
        help="The documents that the reference and the chat pipeline search, and behind every retrieval log: a folder or"
        " file, or embedded, squad2:PATH … Default: the set's own.",
        metavar="CORPUS",
    ),
]
RepeatsOption = Annotated[
    int, typer.Option("--repeats", min=1, max=99, help="Ask the whole set so often: DIR/repeat-1, repeat-2 …")
]
AtOnceOption = Annotated[
    int,
    typer.Option(
        "--concurrency", rich_help_panel="Cost and speed", min=1, max=256, help="Questions in flight at a time."
    ),
]
TimeoutOption = Annotated[
    float,
    typer.Option(
        "--timeout",
        rich_help_panel="Cost and speed",
        min=0.001,
        help="Seconds that one try may take.",
        metavar="SECONDS",
    ),
]
RetriesOption = Annotated[
    int,
    typer.Option(
        "--retries",
        rich_help_panel="Cost and speed",
        min=0,
        max=20,
        help="Tries after the first, where an error or a timeout came.",
    ),
]
RateOption = Annotated[
    str | None,
    typer.Option(
        "--rate", rich_help_panel="Cost and speed", help="Questions in a time: 10/s, 60/min, 500/hour.", metavar="RATE"
    ),
]
RetryFailedOption = Annotated[
    bool,
    typer.Option(
        "--retry-failed",
        help="Ask again what failed in the finished run at --out, and score it anew. A run that was stopped does so anyway.",
    ),
]
LabelOption = Annotated[
    str | None,
    typer.Option("--label", rich_help_panel="In tables", help="What to call this pipeline in tables.", metavar="TEXT"),
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model", rich_help_panel="In tables", help="The model behind the pipeline, for tables.", metavar="NAME"
    ),
]
ModelClassOption = Annotated[
    ModelClassName | None, typer.Option("--model-class", rich_help_panel="In tables", help="Its class, for tables.")
]
LicenceOption = Annotated[
    bool | None,
    typer.Option(
        "--refusal-licence/--no-refusal-licence",
        rich_help_panel="Chat pipeline",
        help="Whether the prompt allows a refusal: chooses the chat pipeline's prompt, is written down for any other.",
    ),
]
PlainOption = Annotated[
    bool,
    typer.Option(
        "--plain", rich_help_panel="Chat pipeline", help="Let the chat pipeline answer in plain text, not as JSON."
    ),
]
PromptOption = Annotated[
    Path | None,
    typer.Option(
        "--prompt",
        rich_help_panel="Chat pipeline",
        help="Instructions of yours for the chat pipeline, in a text file.",
        metavar="FILE",
    ),
]
HeldOutOption = Annotated[
    bool, typer.Option("--held-out", help="Ask the set's held-out questions in place of the others.")
]
PipelinePriceInOption = Annotated[
    float | None,
    typer.Option(
        "--pipeline-price-in",
        rich_help_panel="Cost and speed",
        min=0.0,
        help="USD per million input tokens of the pipeline, where it gives no price.",
        metavar="USD",
    ),
]
PipelinePriceOutOption = Annotated[
    float | None,
    typer.Option(
        "--pipeline-price-out",
        rich_help_panel="Cost and speed",
        min=0.0,
        help="The same of output tokens.",
        metavar="USD",
    ),
]
RunMaxCostOption = Annotated[
    float | None,
    typer.Option(
        "--max-cost",
        rich_help_panel="Cost and speed",
        min=0.0,
        help="Stop before pipeline and judge have cost this much, in USD.",
        metavar="USD",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingOptions:
    """How often and how fast the questions are asked."""

    repeats: RepeatsOption = 1
    concurrency: AtOnceOption = 4
    timeout: TimeoutOption = 60.0
    retries: RetriesOption = 2
    rate: RateOption = None
    retry_failed: RetryFailedOption = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineFlags:
    """What the pipeline is called in tables, and how the chat pipeline is to answer."""

    label: LabelOption = None
    model: ModelOption = None
    model_class: ModelClassOption = None
    refusal_licence: LicenceOption = None
    plain: PlainOption = False
    prompt: PromptOption = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendingOptions:
    """What the pipeline's tokens cost, and how much may be spent in all."""

    pipeline_price_in: PipelinePriceInOption = None
    pipeline_price_out: PipelinePriceOutOption = None
    max_cost: RunMaxCostOption = None
