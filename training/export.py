"""Write the trained cross-encoder as an ONNX model with eight-bit weights, and check that it says what the model says.

The embeddings of tokens that English text never needs are left out, and those of places that are never reached.

Run: python training/export.py --weights build/model.pt --tokenizer TOKENIZER.json --out build/model
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from model import CrossEncoder
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import nn
from train import LONGEST
from trim import trimmed

OPSET = 17
NAMES = ("input_ids", "token_type_ids", "attention_mask")
PROBES = 24


def cut(model: CrossEncoder, kept: list[int]) -> None:
    """Leave the embeddings of these tokens, in this order, and of as many places as are ever read."""
    model.words = nn.Embedding.from_pretrained(model.words.weight.detach()[kept])
    model.places = nn.Embedding.from_pretrained(model.places.weight.detach()[:LONGEST])


def export(model: CrossEncoder, path: Path) -> None:
    """Write the model with inputs of any batch and length."""
    example = tuple(torch.ones(2, 16, dtype=torch.int64) for _ in NAMES)
    torch.onnx.export(
        model,
        example,
        str(path),
        input_names=list(NAMES),
        output_names=["logits"],
        dynamic_axes={name: {0: "batch", 1: "length"} for name in NAMES} | {"logits": {0: "batch"}},
        opset_version=OPSET,
        dynamo=False,
    )


def quantize(path: Path, out: Path) -> None:
    """Write a copy whose matrices and embeddings have eight bits; activations are scaled as they come."""
    quantize_dynamic(
        path, out, weight_type=QuantType.QInt8, per_channel=True, op_types_to_quantize=["MatMul", "Gather"]
    )


def agreement(one: Path, other: Path, vocabulary: int) -> tuple[float, float]:
    """Give the mean and the largest difference of the odds of support on random pairs."""
    rng = np.random.default_rng(0)
    sessions = [onnxruntime.InferenceSession(str(path)) for path in (one, other)]
    gaps = []
    for _ in range(PROBES):
        length = int(rng.integers(20, 200))
        tokens = rng.integers(200, vocabulary, (1, length))
        types = np.repeat([[0, 1]], [10, length - 10], axis=1)
        feed = dict(zip(NAMES, (tokens, types, np.ones_like(tokens)), strict=True))
        odds = [(logits := session.run(None, feed)[0][0])[0] - np.logaddexp(*logits[1:]) for session in sessions]
        gaps.append(abs(odds[0] - odds[1]))
    return float(np.mean(gaps)), float(np.max(gaps))


def main() -> None:
    """Export, quantize, compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    model = CrossEncoder()
    model.load_state_dict(torch.load(options.weights, map_location="cpu"))
    tokenizer, kept = trimmed(options.tokenizer.read_text("utf-8"))
    cut(model, kept)
    full, small = options.out / "full.onnx", options.out / "model.onnx"
    export(model.eval(), full)
    quantize(full, small)
    mean, most = agreement(full, small, len(kept))
    (options.out / "tokenizer.json").write_text(tokenizer, "utf-8")
    print(f"{small}: {small.stat().st_size / 1e6:.1f} MB ({full.stat().st_size / 1e6:.1f} MB in full)")
    print(f"odds of support differ by {mean:.3f} on average, {most:.3f} at most")


if __name__ == "__main__":
    main()
