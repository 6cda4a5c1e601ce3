"""From what a person wrote to a judge that is ready to work. The only place here that reads the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

from showable.former_name import with_former_variables
from showable.judges.chat_settings import ChatSettings, split_endpoint
from showable.records import Judge, SettingError

_CHOICES = (
    "embedded (the default; a model on this machine), lexical (words alone), onnx:FOLDER (a model of yours),"
    " scripted:FILE, chat:MODEL or chat:MODEL@https://HOST/v1,"
    " or cascade:JUDGE, which asks that judge only where the embedded one is unsure"
)
_MOST_THREADS = 4
"""Threads of the embedded judge where nobody says otherwise; more would be in the way of what runs beside it."""


def choose(
    spec: str | None = None,
    *,
    cache: Path | None = None,
    chat: ChatSettings | None = None,
    critical: frozenset[str] = frozenset(),
    environ: Mapping[str, str] = os.environ,
) -> Judge:
    """Make the judge that `spec` names: None for the best embedded one, or as the message of an error lists.

    `cache` is a file that remembers a chat judge's verdicts; the others cost nothing and use none.
    `chat` holds everything about a chat judge but what `spec` says; OPENAI_API_KEY and OPENAI_BASE_URL
    fill what both leave open. SHOWABLE_THREADS says how many pairs an embedded model judges at a time. `critical` are the claim kinds that a cascade always puts to its second
    judge; any other judge has no use for them. Raises SettingError on anything else, InputError on a
    bad table.
    """
    if spec is None:
        return _embedded(environ)
    one = partial(_one, cache=cache, chat=chat or ChatSettings(), environ=environ)
    kind, _, rest = spec.strip().partition(":")
    made = one(rest) if kind == "cascade" and rest not in {"lexical", "embedded"} else one(spec.strip())
    if made is None:
        raise SettingError(f"judge {spec!r}: there is {_CHOICES}")
    if kind != "cascade":
        return made
    from showable.judges.cascade import CascadeJudge  # noqa: PLC0415 - each judge is loaded when it is chosen

    return CascadeJudge(_embedded(environ), made, critical)


def _embedded(environ: Mapping[str, str]) -> Judge:
    """Make the judge with the model that ships: the default, and the first of a cascade."""
    return _shipped(_threads(environ))


@lru_cache(maxsize=1)
def _shipped(threads: int) -> Judge:
    """Keep the judge that was made last, since loading its model takes longer than judging a pair."""
    from showable.judges.embedded import EmbeddedJudge  # noqa: PLC0415 - as above

    return EmbeddedJudge(threads=threads)


def _threads(environ: Mapping[str, str]) -> int:
    said = with_former_variables(environ).get("SHOWABLE_THREADS", "")
    if not said:
        return min(_MOST_THREADS, os.cpu_count() or 1)
    if not (said.isdecimal() and int(said)):
        raise SettingError(f"SHOWABLE_THREADS={said!r}: expected a number of threads, 1 or more")
    return int(said)


def _one(spec: str, *, cache: Path | None, chat: ChatSettings, environ: Mapping[str, str]) -> Judge | None:
    """Make a judge that is no cascade; None where `spec` names none."""
    kind, _, rest = spec.partition(":")
    if kind == "embedded" and not rest:
        return _embedded(environ)
    if kind == "onnx" and rest:
        from showable.judges.embedded import EmbeddedJudge  # noqa: PLC0415 - as above

        return EmbeddedJudge(Path(rest), threads=_threads(environ))
    if kind == "lexical" and not rest:
        from showable.judges.lexical import LexicalJudge  # noqa: PLC0415 - as above

        return LexicalJudge()
    if kind == "scripted" and rest:
        from showable.judges.scripted import ScriptedJudge  # noqa: PLC0415 - as above

        return ScriptedJudge.read(Path(rest))
    if kind == "chat" and (named := _endpoint(spec, rest)):
        return _chat_judge(*named, chat, environ, cache)
    return None


def _endpoint(spec: str, named: str) -> tuple[str, str | None] | None:
    try:
        return split_endpoint(named)
    except SettingError as error:
        raise SettingError(f"judge {spec!r}: {error}") from None


def _chat_judge(
    model: str, url: str | None, settings: ChatSettings, environ: Mapping[str, str], cache: Path | None
) -> Judge:
    from showable.judges.chat import ChatJudge  # noqa: PLC0415 - as above
    from showable.judges.chat_token import TokenJudge  # noqa: PLC0415 - as above

    named = replace(
        settings,
        model=model,
        base_url=url or settings.base_url or environ.get("OPENAI_BASE_URL") or None,
        api_key=settings.api_key or environ.get("OPENAI_API_KEY") or None,
    )
    judge = TokenJudge(named) if named.logprobs else ChatJudge(named)
    if cache is None:
        return judge
    from showable.judges.cache import CachedJudge  # noqa: PLC0415 - as above

    return CachedJudge(judge, cache)
