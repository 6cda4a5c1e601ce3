"""From what a person wrote to a pipeline that is ready to be asked. The only place here that reads the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from showable.errors import SettingError
from showable.records.record import Source
from showable.records.wire import Many

if TYPE_CHECKING:
    from showable.harness.pipelines.pipeline import Pipeline

_URL = re.compile(r"https?://", re.IGNORECASE)
_FUNCTION = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")
_CHOICES = (
    "reference, chat:MODEL[@URL], http(s)://HOST/PATH, module:function, command:PROGRAM …, or recorded:PATH"
    " (answers given before)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineOptions:
    """What a pipeline of ours is made with. Those of others are as they are.

    `sources` is the corpus that the reference and the chat pipeline search. `refusal_licence`, `plain` and `prompt` (a
    file) make a chat pipeline's prompt. Prices are in USD per million tokens.
    """

    sources: Many[Source] = ()
    refusal_licence: bool | None = None
    plain: bool = False
    prompt: Path | None = None
    timeout_s: float = 60.0
    retries: int = 2
    concurrency: int = 4
    price_in: float | None = None
    price_out: float | None = None


def choose_pipeline(
    spec: str, options: PipelineOptions | None = None, *, environ: Mapping[str, str] = os.environ
) -> Pipeline:
    """Make the pipeline that `spec` names, as the message of an error lists.

    SHOWABLE_PIPELINE_TOKEN is sent to an HTTP endpoint as a bearer token; OPENAI_API_KEY and OPENAI_BASE_URL are for a
    chat pipeline. Raises SettingError where there is no such pipeline, InputError where its files cannot be read.
    """
    spec, options = spec.strip(), options or PipelineOptions()
    kind, _, rest = spec.partition(":")
    if kind != "chat" and (options.plain or options.prompt is not None):
        raise SettingError("--plain and --prompt go with --pipeline chat:MODEL; no other pipeline has a prompt of ours")
    if spec == "reference":
        return _reference(options)
    if kind == "chat" and rest:
        return _chat(spec, options, environ)
    if _URL.match(spec):
        from showable.harness.pipelines.http_endpoint import (  # noqa: PLC0415 - each pipeline is loaded when chosen
            TOKEN,
            HttpPipeline,
        )

        return HttpPipeline(spec, environ.get(TOKEN) or None)
    if kind == "recorded" and rest:
        from showable.harness.pipelines.recorded import RecordedPipeline  # noqa: PLC0415 - as above

        return RecordedPipeline(Path(rest))
    if kind == "command" or len(spec.split()) > 1:
        from showable.harness.pipelines.command import CommandPipeline  # noqa: PLC0415 - as above

        return CommandPipeline(rest if kind == "command" else spec)
    if _FUNCTION.fullmatch(spec):
        from showable.harness.pipelines.python_function import load  # noqa: PLC0415 - as above

        return load(spec)
    raise SettingError(f"pipeline {spec!r}: there is {_CHOICES}")


def _reference(options: PipelineOptions) -> Pipeline:
    from showable.harness.pipelines.reference import ReferencePipeline  # noqa: PLC0415 - as above

    return ReferencePipeline(_corpus("reference", options))


def _chat(spec: str, options: PipelineOptions, environ: Mapping[str, str]) -> Pipeline:
    from showable.harness.pipelines.chat.pipeline import chat_pipeline  # noqa: PLC0415 - as above
    from showable.judges.chat_settings import ChatSettings  # noqa: PLC0415 - as above

    settings = ChatSettings(
        seed=None,  # so that repeats show what varies
        timeout_s=options.timeout_s,
        retries=options.retries,
        concurrency=options.concurrency,
        usd_per_million_in=options.price_in,
        usd_per_million_out=options.price_out,
    )
    return chat_pipeline(
        spec,
        _corpus(spec, options),
        licence=options.refusal_licence,
        structured=not options.plain,
        prompt=options.prompt,
        settings=settings,
        environ=environ,
    )


def _corpus(spec: str, options: PipelineOptions) -> Many[Source]:
    if not options.sources:
        said = "searches a corpus, and the question set brings none; give --corpus"
        raise SettingError(f"pipeline {spec}: {said}")
    return options.sources
