"""What `showable serve` was told, as every process of it gets it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from showable.judging_settings import JudgingSettings

RECEIVER_PORT = 4318
"""The port of OTLP over HTTP."""
PAGE_PORT = 8643


@dataclass(frozen=True, slots=True)
class ServeSettings(JudgingSettings):
    """Plain values that can be handed to another process; those of judging are as everywhere.

    `store` is a path or a URL (`stores.traces.opening`). `token` is asked of exporters where it is given, and of
    readers unless `read_token` is. `rules` is the
    file of EvalTags. `sample` is the share of clean answers that the judge reads. `quiet_s` is how long a trace whose root
    has ended must have been quiet to be scored, `give_up_s` the same for one whose root has not. `open_spans` bounds the spans held in
    memory. `backlog` is how many bytes of accepted requests may wait to be stored before 429. `most_body` bounds a request's body, unpacked.
    `export` is the OTLP/HTTP base URL that scores are sent to as EVALUATOR spans. `retain_days` None keeps all. `webhook` is posted alarms of the floors. `tickets` is the file that says where issues are sent. `scorers` processes score, each its share of the traces; `scorer` is the number of this one.
    """

    store: str
    host: str = "127.0.0.1"
    port: int = RECEIVER_PORT
    page_host: str = "127.0.0.1"
    page_port: int = PAGE_PORT
    token: str | None = None
    read_token: str | None = None
    rules: Path | None = None
    sample: float = 0.15
    quiet_s: float = 2.0
    give_up_s: float = 120.0
    open_spans: int = 200_000
    backlog: int = 64 * 1024 * 1024
    most_body: int = 20 * 1024 * 1024
    export: str | None = None
    export_headers: Sequence[tuple[str, str]] = ()
    retain_days: float | None = None
    webhook: str | None = None
    tickets: Path | None = None
    seed: int = 0
    scorers: int = 1
    scorer: int = 0
    keep_verdicts: bool = field(default=False, kw_only=True)

    @property
    def reader_token(self) -> str | None:
        """The token that readers have to show."""
        return self.read_token or self.token
