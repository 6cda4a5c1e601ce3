"""Score pairs with another tool, for `peers.py`: run by the interpreter that has the tool, which needs nothing of this project.

    PYTHON peer_worker.py PEER

Standard output is JSON Lines. The first line says `{"version", "how"}`, or `{"missing"}` with the reason why there is nothing
to compare with. Then for each `{"claim", "passage"}` read, one line: `{"score", "ms"}` (0-1, milliseconds of the tool's own
call), or `{"error"}`. What the tool itself prints goes to standard error, and it cannot reach the network from Python.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

Score = Callable[[str, str], float]
OUTWARD = ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname")


def refuse_network(event: str, _: tuple[Any, ...]) -> None:
    """Let nothing go out: what is compared runs offline, and the rows stay here."""
    if event in OUTWARD:
        raise OSError(f"{event} is refused: peers are compared offline")


def ai_evaluation(metric: str) -> tuple[Score, str]:
    """Load a metric of ai-evaluation by its public entry; without a model named there it works locally."""
    evaluate = importlib.import_module("fi.evals").evaluate
    nli = importlib.import_module("fi.evals.metrics.hallucination.nli")
    with_model = bool(nli._get_nli_pipeline())  # noqa: SLF001 - nothing public says which of the two it is

    def score(claim: str, passage: str) -> float:
        found = evaluate(metric, output=claim, context=passage)
        if found.status != "completed":
            raise RuntimeError(found.error or found.status)
        return float(found.score)

    return score, "with its NLI model" if with_model else "word overlap, its default without the NLI extra"


def ragground() -> tuple[Score, str]:
    """Load ragground; without its model, which it would have to download, it falls back to overlap of words."""
    guard = importlib.import_module("ragground").RAGGround(auto_download=False)
    ready = guard.is_model_ready()
    how = "with its NLI model" if ready else "word overlap, its fallback without the model it downloads"
    return lambda claim, passage: float(guard.verify(context=passage, answer=claim).grounding_score), how


PEERS: dict[str, tuple[str, Callable[[], tuple[Score, str]]]] = {
    "ai-evaluation:faithfulness": ("ai-evaluation", lambda: ai_evaluation("faithfulness")),
    "ai-evaluation:claim_support": ("ai-evaluation", lambda: ai_evaluation("claim_support")),
    "ragground": ("ragground", ragground),
}


def answer(score: Score, line: str) -> dict[str, Any]:
    """Score one pair; a failure of the tool is an answer too."""
    pair = json.loads(line)
    began = time.perf_counter()
    try:
        found = score(pair["claim"], pair["passage"])
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the tool's
        return {"error": f"{type(error).__name__}: {error}"[:200]}
    return {"score": found, "ms": (time.perf_counter() - began) * 1e3}


def main() -> None:
    """Answer line by line until the input ends."""
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as out:
        os.dup2(2, 1)
        sys.addaudithook(refuse_network)

        def say(line: dict[str, Any]) -> None:
            print(json.dumps(line), file=out, flush=True)

        package, load = PEERS[sys.argv[1]]
        try:
            score, how = load()
            score("The lease runs for ten years.", "The lease runs for ten years from March.")  # what is lazy loads now
            say({"version": f"{package} {version(package)}", "how": how})
        except Exception as error:  # noqa: BLE001 - not installed, or not able to work offline
            say({"missing": f"{type(error).__name__}: {error}"[:200]})
            return
        for line in sys.stdin:
            say(answer(score, line))


if __name__ == "__main__":
    main()
