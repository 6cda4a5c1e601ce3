"""Read the weights of a model that ships back from its ONNX file, to export it anew without training it again.

What eight bits rounded away is lost. The embeddings of words and places are those of gte-small, which training holds.

Run: python training/read_back.py --model src/showable/judges/embedded/model/model.onnx --start gte-small/onnx/model.onnx --out build/model.pt
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
from model import LAYERS, CrossEncoder
from numpy.typing import NDArray
from onnx import numpy_helper
from start import from_gte

MATRICES = [f"layers.{at}.{part}.weight" for at in range(LAYERS) for part in ("qkv", "mix", "rise", "fall")]
MATRICES += ["hidden.weight", "out.weight"]
"""The names of the matrices in the order in which the file multiplies by them."""
HELD = ("words.weight", "places.weight")


def read_back(path: Path, start: Path) -> CrossEncoder:
    """Give the model of a file that `export.py` wrote. Raises SystemExit where it is not one."""
    graph = onnx.load(path).graph
    held = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    matrices = [node.input[1].removesuffix("_quantized") for node in graph.node if node.op_type == "MatMulInteger"]
    if len(matrices) != len(MATRICES):
        raise SystemExit(f"{path}: {len(matrices)} matrices; expected {len(MATRICES)}")
    model = from_gte(start)
    weights = {name: unrounded(held, there).T for name, there in zip(MATRICES, matrices, strict=True)}
    for name in model.state_dict():
        if name not in weights and name not in HELD:
            weights[name] = held[name] if name in held else unrounded(held, name)
    model.load_state_dict({name: torch.tensor(array) for name, array in weights.items()}, strict=False)
    return model


def unrounded(held: dict[str, NDArray[np.generic]], name: str) -> NDArray[np.float32]:
    """Give what a rounded array stands for, scaled by column where there is a scale for each."""
    whole, zero = (held[f"{name}_{part}"].astype(np.float32) for part in ("quantized", "zero_point"))
    return (whole - zero) * held[f"{name}_scale"].astype(np.float32)


def main() -> None:
    """Read and save."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--start", type=Path, required=True, help="model.onnx of gte-small")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    torch.save(read_back(options.model, options.start).state_dict(), options.out)


if __name__ == "__main__":
    main()
