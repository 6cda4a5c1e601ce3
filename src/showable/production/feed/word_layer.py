"""Text as a vector: the word layer of the embedded judge's model, read from its file without running it.

A text is the mean of its tokens' vectors, frequent tokens weighing less, less what all texts share (Arora, Liang & Ma 2017, ICLR:
smooth inverse frequency; the weights are those of Model2Vec, with Zipf's law over the vocabulary's order for the frequencies).
Directions come from the table alone, never from the texts at hand, so a text's vector never moves because others came.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from showable.errors import SettingError
from showable.judges.embedded.judge import SHIPPED
from showable.judges.embedded.manifest import Manifest, read_manifest

DIMENSIONS = 64
LONGEST = 512
"""Tokens of a text that are read; what comes after is left out."""
_CHARACTERS = 20_000
"""Characters that are tokenized: far more than `LONGEST` tokens, far less than what an answer may hold."""
_SMOOTH = 1e-4
_GRAPH, _INITIALIZER = 7, 5
_DIMS, _TYPE, _FLOATS, _NAME, _RAW, _INTS = 1, 2, 4, 8, 9, 5
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
"""Field numbers of ModelProto, GraphProto and TensorProto (onnx.proto3), and the wire types of protocol buffers."""
_NUMBERS: dict[int, str] = {1: "<f4", 2: "u1", 3: "i1"}

Vectors = NDArray[np.float32]


class WordLayer:
    """A table of token vectors with its tokenizer; `name` tells one table from another."""

    def __init__(self, folder: Path = SHIPPED) -> None:
        """Read the word layer of a model folder. Raises SettingError where its model has none that can be read."""
        manifest, folder = read_manifest(folder)
        from tokenizers import Tokenizer  # noqa: PLC0415 - takes a while to import

        self._tokenizer = Tokenizer.from_file(str(folder / manifest.tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(LONGEST)
        table = _table(folder / manifest.model, self._tokenizer.get_vocab_size())
        self._weights = _frequency_weights(len(table))
        self._vectors = _principal(table, self._weights)
        self.name = f"words-{DIMENSIONS}@{_digest(manifest, table)}"

    def vectors(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector a text, all zero where no token is known: (texts, DIMENSIONS)."""
        plain = [text[:_CHARACTERS].encode("utf-8", "replace").decode() for text in texts]
        coded = self._tokenizer.encode_batch(plain, add_special_tokens=False)
        found = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        for row, one in enumerate(coded):
            ids = np.asarray(one.ids, dtype=np.int64)
            if len(ids):
                found[row] = self._weights[ids] @ self._vectors[ids]
        length = np.linalg.norm(found, axis=1, keepdims=True)
        unit: Vectors = np.divide(found, length, out=np.zeros_like(found), where=length > 0)
        return unit


@lru_cache(maxsize=1)
def shipped_words() -> WordLayer:
    """Return the word layer of the shipped model, read once."""
    return WordLayer()


def _frequency_weights(rows: int) -> Vectors:
    """Return a weight for each token: vocabularies of word pieces are in the order of frequency, nearly."""
    share = 1.0 / (np.arange(rows) + 1.0)
    share /= share.sum()
    return np.asarray(_SMOOTH / (_SMOOTH + share), dtype=np.float32)


def _principal(table: Vectors, weights: Vectors) -> Vectors:
    """Return the table about its mean, in the directions in which it spreads most."""
    centred = table - np.average(table, axis=0, weights=weights)
    _, directions = np.linalg.eigh((centred.T @ centred).astype(np.float64))
    return np.asarray(centred @ directions[:, ::-1][:, :DIMENSIONS].astype(np.float32), dtype=np.float32)


def _digest(manifest: Manifest, table: Vectors) -> str:
    return (manifest.sha256.get(manifest.model) or hashlib.sha256(table.tobytes()).hexdigest())[:8]


@dataclass(slots=True)
class _Tensor:
    """An initializer of a graph, as its bytes: shape, type, and the numbers in one of the three fields that may hold them."""

    name: str = ""
    shape: list[int] = field(default_factory=list)
    type: int = 1
    raw: bytes = b""
    floats: bytes = b""
    ints: list[int] = field(default_factory=list)


def _table(path: Path, rows: int) -> Vectors:
    """Return the float table of a model's tokens: the tensor that has one row a token."""
    try:
        tensors = {tensor.name: tensor for tensor in _tensors(memoryview(path.read_bytes()))}
        found = next(one for one in tensors.values() if len(one.shape) == 2 and one.shape[0] == rows)  # noqa: PLR2004 - a table
        table = _values(found).reshape(found.shape).astype(np.float32)
        if not found.name.endswith("_quantized"):
            return table
        stem = found.name.removesuffix("_quantized")
        scale, zero = (_values(tensors[stem + end]).astype(np.float32) for end in ("_scale", "_zero_point"))
    except (OSError, StopIteration, KeyError, IndexError, ValueError):
        raise SettingError(f"{path}: no table with a row for each of {rows} tokens can be read from it") from None
    table -= zero
    table *= scale
    return table


def _values(tensor: _Tensor) -> NDArray[Any]:
    """Return the numbers of a tensor, flat."""
    if tensor.raw:
        return np.frombuffer(tensor.raw, dtype=_NUMBERS[tensor.type])
    if tensor.floats:
        return np.frombuffer(tensor.floats, dtype="<f4")
    return np.asarray(tensor.ints or [0], dtype=np.float32)


def _tensors(model: memoryview) -> Iterator[_Tensor]:
    for number, graph in _fields(model):
        if number == _GRAPH and isinstance(graph, memoryview):
            for inner, tensor in _fields(graph):
                if inner == _INITIALIZER and isinstance(tensor, memoryview):
                    yield _tensor(tensor)


def _tensor(data: memoryview) -> _Tensor:
    found = _Tensor()
    for number, value in _fields(data):
        if number in {_DIMS, _INTS}:
            into = found.shape if number == _DIMS else found.ints
            into += _varints(value) if isinstance(value, memoryview) else [value]
        elif isinstance(value, int):
            found.type = value if number == _TYPE else found.type
        elif number == _NAME:
            found.name = bytes(value).decode()
        elif number in {_RAW, _FLOATS}:
            found.raw, found.floats = (bytes(value), found.floats) if number == _RAW else (found.raw, bytes(value))
    return found


def _fields(data: memoryview) -> Iterator[tuple[int, memoryview | int]]:
    """Yield the fields of a message of protocol buffers: number, and its bytes or its integer."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == _VARINT:
            value, at = _varint(data, at)
            yield number, value
            continue
        if wire == _BYTES:
            size, at = _varint(data, at)
        elif wire in {_FIXED32, _FIXED64}:
            size = 4 if wire == _FIXED32 else 8
        else:
            raise ValueError(f"wire type {wire}")
        yield number, data[at : at + size]
        at += size


def _varints(data: memoryview) -> Iterator[int]:
    at = 0
    while at < len(data):
        value, at = _varint(data, at)
        yield value


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:  # noqa: PLR2004 - the last byte of a number
            return value, at
