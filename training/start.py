"""The weights the model starts from: the lower layers of gte-small, read from its ONNX file.

gte-small (MIT; Li et al. 2023, arXiv 2308.03281) has twelve layers of the width of MiniLM. Its upper layers make one vector of a
text, which is not asked for here, and cost as much time as any.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from model import LAYERS, TYPES, CrossEncoder
from numpy.typing import NDArray
from onnx import numpy_helper

Arrays = dict[str, NDArray[np.float32]]

NAMES = {
    "mix": "attention.output.dense", "norm": "attention.output.LayerNorm", "rise": "intermediate.dense",
    "fall": "output.dense", "end": "output.LayerNorm",
}  # fmt: skip


def from_gte(path: Path) -> CrossEncoder:
    """Build the model with the encoder's weights from gte-small's `model.onnx`; the head starts at random."""
    graph = onnx.load(path).graph
    held = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    held |= _matrices(graph, held)
    try:
        start = _encoder(held)
    except KeyError as error:
        raise SystemExit(f"{path}: not the weights of gte-small (no {error})") from None
    model = CrossEncoder()
    missing, _ = model.load_state_dict({name: torch.tensor(array) for name, array in start.items()}, strict=False)
    if any(not name.startswith(("hidden.", "out.")) for name in missing):
        raise SystemExit(f"{path}: gives no {missing}")
    return model


def _matrices(graph: onnx.GraphProto, held: Arrays) -> Arrays:
    """Give the matrices, which the file numbers, by the names of the nodes that multiply by them, as torch has them."""
    named = {}
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in held:
            place = node.name.removeprefix("/").rpartition("/")[0].replace("/", ".")
            named[f"{place}.weight"] = held[node.input[1]].T
    return named


def _encoder(held: Arrays) -> Arrays:
    embeddings = "embeddings."
    start = {
        "words.weight": held[embeddings + "word_embeddings.weight"],
        "places.weight": held[embeddings + "position_embeddings.weight"],
        "types.weight": np.repeat(held[embeddings + "token_type_embeddings.weight"][:1], TYPES, axis=0),
        "norm.weight": held[embeddings + "LayerNorm.weight"],
        "norm.bias": held[embeddings + "LayerNorm.bias"],
    }
    for at in range(LAYERS):
        there = f"encoder.layer.{at}."
        for part in ("weight", "bias"):
            qkv = [held[f"{there}attention.self.{name}.{part}"] for name in ("query", "key", "value")]
            start[f"layers.{at}.qkv.{part}"] = np.concatenate(qkv)
            start |= {f"layers.{at}.{ours}.{part}": held[f"{there}{theirs}.{part}"] for ours, theirs in NAMES.items()}
    return start
