"""The model on disk, run by ONNX Runtime: (claim, text) pairs in, log odds out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from showable.encoder import brief, load_model
from showable.errors import SettingError
from showable.judges.embedded.encode import Encoded, Encoder
from showable.judges.embedded.manifest import Manifest
from showable.judges.embedded.odds import Failure, Odds

_INPUTS = ("input_ids", "token_type_ids", "attention_mask")


class Session:
    """A loaded cross-encoder. Every input is run by itself, so that no pair changes the figures of another.

    At most `threads` inputs run at a time, whoever asks, each on one thread. Raises SettingError where the files are no
    such model.
    """

    def __init__(self, manifest: Manifest, folder: Path, threads: int) -> None:
        self._outcomes = manifest.outcomes
        self._encoder = Encoder(manifest, folder / manifest.tokenizer)
        self._session = load_model(folder / manifest.model)
        self._logits = [self._session.get_outputs()[0].name]
        self._inputs = [one.name for one in self._session.get_inputs()]
        unknown = set(self._inputs) - set(_INPUTS)
        if unknown or "input_ids" not in self._inputs:
            raise SettingError(f"{folder / manifest.model}: takes {sorted(self._inputs)}; expected {list(_INPUTS)}")
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="showable-judge")

    def odds(self, pairs: Sequence[tuple[str, str]]) -> list[Odds | Failure]:
        """Return the odds of each (claim, text) pair, in order; of a text in several pieces, those that support most."""
        coded = [self._encoder.encode(claim, text) for claim, text in pairs]
        answers = iter(list(self._pool.map(self._run, [piece for pieces in coded for piece in pieces])))
        return [_best([next(answers) for _ in pieces]) for pieces in coded]

    def _run(self, one: Encoded) -> Odds | Failure:
        held = {"input_ids": one.tokens, "token_type_ids": one.types, "attention_mask": [1] * len(one.tokens)}
        feed = {name: np.array([held[name]], dtype=np.int64) for name in self._inputs}
        try:
            logits = np.asarray(self._session.run(self._logits, feed)[0], dtype=np.float64).reshape(-1)
        except Exception as error:  # noqa: BLE001 - ONNX Runtime raises many unrelated types
            return Failure(f"the model failed on {len(one.tokens)} tokens ({brief(error)})")
        if len(logits) != len(self._outcomes):
            raise SettingError(f"the model gives {len(logits)} outputs, its manifest names {len(self._outcomes)}")
        if not np.isfinite(logits).all():
            return Failure("the model gave a number that is none (NaN or infinite)")
        if len(logits) == 1:
            return Odds(float(logits[0]), None)
        against = _odds(logits, self._outcomes.index("contradicted")) if "contradicted" in self._outcomes else None
        return Odds(_odds(logits, self._outcomes.index("entailed")), against)


def _best(answers: Sequence[Odds | Failure]) -> Odds | Failure:
    """Return the odds of the piece that supports most; a failure on any piece is one on the whole."""
    failed = next((one for one in answers if isinstance(one, Failure)), None)
    return failed or max((one for one in answers if isinstance(one, Odds)), key=lambda one: one.support)


def _odds(logits: NDArray[np.float64], at: int) -> float:
    rest = np.delete(logits, at)
    top = rest.max()
    return float(logits[at] - top - math.log(np.exp(rest - top).sum()))
