"""An answer as inputs of the encoder: `[CLS] question [SEP] answer [SEP]`, in windows where it is long."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from showable.encoder import SHIPPED, load_model

LAYERS = (2, 4, 6, 8)
"""Layers whose states are read; the last two, which are the judge's own, tell least of a sentence's role."""
LONGEST = 256
LONGEST_QUESTION = 64
MOST_WINDOWS = 40
"""Windows of an answer that are read, some 7,000 words; what lies behind them is taken to assert."""
WIDTH = 384
SIZE = 3 * WIDTH * len(LAYERS)
_QUESTION, _ANSWER = 0, 1

Span = tuple[int, int]
Floats = NDArray[np.float32]


class _Window(NamedTuple):
    """Tokens `start` to `end` of the answer, and the spans, by their number, that are read from them."""

    start: int
    end: int
    spans: range


def states_of(question: str, text: str, spans: Sequence[Span]) -> Floats:
    """Return for each span of `text` the first, mean and largest state of its tokens, `[spans, SIZE]`.

    Spans are in order of their start. Those behind the last window are left out, so that fewer rows than spans come back.
    """
    tokenizer = _tokenizer()
    asked = tokenizer.encode(_plain(question), add_special_tokens=False).ids[:LONGEST_QUESTION]
    answer = tokenizer.encode(_plain(text), add_special_tokens=False)
    starts, ends = [start for start, _ in answer.offsets], [end for _, end in answer.offsets]
    places = [(bisect_right(ends, start), bisect_left(starts, end)) for start, end in spans]
    model = load_model(SHIPPED / "model.onnx")
    wanted = [f"layer_{layer}" for layer in LAYERS]
    first, last = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    begin = len(asked) + 2
    rows: list[Floats] = []
    for number, window in enumerate(_windows(places, LONGEST - begin - 1)):
        if number == MOST_WINDOWS:
            break
        held = answer.ids[window.start : window.end]
        feed = {
            "input_ids": np.array([[first, *asked, last, *held, last]], dtype=np.int64),
            "token_type_ids": np.array([[_QUESTION] * begin + [_ANSWER] * (len(held) + 1)], dtype=np.int64),
        }
        layers = [np.asarray(layer, dtype=np.float32)[0, begin:-1] for layer in model.run(wanted, feed)]
        for at in window.spans:
            start = min(places[at][0] - window.start, max(0, len(held) - 1))
            rows.append(_pooled(layers, start, max(start + 1, places[at][1] - window.start)))
    return np.array(rows, dtype=np.float32).reshape(len(rows), SIZE)


def _windows(places: Sequence[Span], room: int) -> Iterator[_Window]:
    """Cut the tokens of an answer at its spans, so that a window begins with the span before its own where there is room."""
    at = 0
    while at < len(places):
        start = places[at][0]
        if at and 2 * (places[at][1] - places[at - 1][0]) <= room:
            start = places[at - 1][0]
        end = at + 1
        while end < len(places) and places[end][1] - start <= room:
            end += 1
        stop = max(place[1] for place in places[at:end])
        yield _Window(start, min(stop, start + room), range(at, end))
        at = end


def _pooled(layers: Sequence[Floats], start: int, end: int) -> Floats:
    if not len(layers[0]):  # a text of nothing that the tokenizer knows
        return np.zeros(SIZE, dtype=np.float32)
    parts = [part for states in layers for part in (states[start], states[start:end].mean(0), states[start:end].max(0))]
    return np.concatenate(parts)


@cache
def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(SHIPPED / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _plain(text: str) -> str:
    """Blank out special tokens that a text spells out, at the same length: it must not be able to end itself."""
    for token in ("[CLS]", "[SEP]", "[PAD]", "[UNK]", "[MASK]"):
        text = text.replace(token, " " * len(token))
    return text
