"""What the guard decides on, and by which rules: the nouns between every wire format and the decision."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

from showable.records.evidence import Evidence
from showable.records.findings import Finding
from showable.records.profile import GENERAL, Profile
from showable.records.record import Citation, Source

Api = Literal["chat", "responses", "messages", "cohere", "gemini", "native"]
"""The interface a call came through; a decision never depends on it."""
LogForm = Literal["field", "header", "trace", "native", "tools", "context"]
"""Where the retrieval log came from, in order of precedence."""
Finish = Literal["stop", "length", "filter", "tools"]
"""How generation ended: by itself, at a limit, by the provider's filter, or in tool calls, which make a turn no answer."""
Verdict = Literal["show", "hold", "unknown"]
NoRetrieval = Literal["reject", "hold", "refuse", "unverified"]
OnFail = Literal["hold", "refuse", "rewrite"]
OnUnknown = Literal["show", "hold", "refuse"]
HoldAs = Literal["auto", "text", "refusal", "error"]
SemanticRule = Literal["off", "sampled", "critical", "required"]
ASKING: frozenset[SemanticRule] = frozenset({"critical", "required"})
"""The rules under which a judge is asked before an answer is shown."""
ReadingDepth = Literal["lean", "full"]


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """One answer of a reply as the client would receive it; with `n > 1` a reply has several.

    `text` is what the client reads, JSON included. `citations` are the interface's own citation objects, their spans
    into `text`. `refusal` holds the words of the interface's refusal field, None where it is not used. `tool_arguments`
    are the arguments of a function call that carries a structured answer. `beside` holds what reaches the client without
    being the answer: reasoning, arguments of other tool calls. It is scanned for hidden characters and addresses alone.
    """

    text: str
    citations: tuple[Citation, ...] = ()
    finish: Finish = "stop"
    refusal: str | None = None
    beside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GuardCall:
    """One guarded call: the question, the retrieval log with its origin, and every answer of the reply.

    `retrieved` is None where there is no log, () where the retrieval returned nothing; `shown` lists ids in the order
    that the model saw. `doubts` are findings about the log itself (two forms that disagree, a passage not shown).
    `findings` are those of scanners that answered over the network before the decision. `evidence` is what registries and
    a judge said of each answer, in order; empty where nobody was asked.
    """

    api: Api
    question: str
    answers: tuple[GivenAnswer, ...]
    retrieved: tuple[Source, ...] | None = None
    shown: tuple[str, ...] | None = None
    log_from: LogForm | None = None
    schema_asked: bool = False
    doubts: tuple[Finding, ...] = ()
    findings: tuple[Finding, ...] = ()
    evidence: tuple[Evidence, ...] = ()


Scanner = Callable[[GuardCall], Iterable[Finding]]
"""A pure scanner: findings with codes ``scanner.NAME`` or ``structural.…``; outcome `fail` holds where the policy lists the code."""


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules of one route. `holding` lists the codes of scanners' findings that hold an answer when they fail.

    `on_fail` and `on_unknown` say what the client receives, `hold_as` in which shape; `auto` is a refusal where a schema
    was asked for, and text elsewhere. `label` is that of the profile, computed once.
    """

    profile: Profile = GENERAL
    no_retrieval: NoRetrieval = "hold"
    on_fail: OnFail = "hold"
    on_unknown: OnUnknown = "hold"
    hold_as: HoldAs = "auto"
    semantic: SemanticRule = "off"
    reading: ReadingDepth = "lean"
    label: str = ""
    scanners: tuple[Scanner, ...] = ()
    holding: frozenset[str] = field(default_factory=frozenset)
