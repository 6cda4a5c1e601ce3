"""Write the trained cross-encoder as an ONNX model with weights of seven and eight bits, and check that it says what the model says.

The judge reads one pair at a time, so the file knows no padding: its inputs are the tokens and their types, and attention
is one operator of ONNX Runtime. The embeddings of tokens that English text never needs are left out, and those of
places that are never reached.

Run: python training/export.py --weights build/model.pt --tokenizer TOKENIZER.json --out build/model
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from model import HEADS, HIDDEN, CrossEncoder
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn
from torch.nn import functional
from train import LONGEST
from trim import trimmed

from showable.reader.windows import LAYERS

OPSET = 17
NAMES = ("input_ids", "token_type_ids")
PROBES = 24
CLOSE = 1e-3
"""By how much a logit of the file in full precision may differ from the model's."""


class Attend(torch.autograd.Function):
    """Attention among all tokens, in the file one operator of ONNX Runtime."""

    @staticmethod
    def forward(_: object, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        """Give what every token sees, `[batch, length, hidden]` like each of the three."""
        heads = (one.unflatten(-1, (HEADS, HIDDEN // HEADS)).transpose(1, 2) for one in (q, k, v))
        return functional.scaled_dot_product_attention(*heads).transpose(1, 2).flatten(2)

    @staticmethod
    def symbolic(graph, q, k, v):  # noqa: ANN001, ANN205 - torch's graphs have no public type
        """Write the operator, whose scale is one over the square root of a head's width unless it is told another."""
        return graph.op("com.microsoft::MultiHeadAttention", q, k, v, num_heads_i=HEADS).setType(q.type())


class Unpadded(CrossEncoder):
    """The model over pairs without padding, as the judge reads them."""

    def forward(self, tokens: Tensor, types: Tensor) -> Tensor:
        """Give logits `[batch, 3]` for tokens and types, each `[batch, length]`."""
        x = self.embed(tokens, types)
        for layer in self.layers:
            x = layer.add(x, Attend.apply(*layer.qkv(x).split(HIDDEN, -1)))
        return self.decide(x, types % 2 == 0, types % 2 == 1)


def cut(model: CrossEncoder, kept: list[int]) -> None:
    """Leave the embeddings of these tokens, in this order, and of as many places as are ever read."""
    model.words = nn.Embedding.from_pretrained(model.words.weight.detach()[kept])
    model.places = nn.Embedding.from_pretrained(model.places.weight.detach()[:LONGEST])


def export(model: Unpadded, path: Path) -> None:
    """Write the model with inputs of one pair, of any length."""
    example = tuple(torch.ones(1, 16, dtype=torch.int64) for _ in NAMES)
    torch.onnx.export(
        model,
        example,
        str(path),
        input_names=list(NAMES),
        output_names=["logits"],
        dynamic_axes={name: {1: "length"} for name in NAMES},
        opset_version=OPSET,
        custom_opsets={"com.microsoft": 1},
        dynamo=False,
    )


def quantize(path: Path, out: Path) -> None:
    """Write a copy whose matrices and embeddings have eight bits; activations are scaled as they come.

    The matrices use seven of the eight: two products of full range can overflow the sixteen bits in which processors
    without VNNI add them, and the same pair would then get other odds there. ONNX Runtime can be told to take care of that
    (session.x64quantprecision), and is a fifth slower there if it has to.
    """
    quantize_dynamic(
        path,
        out,
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
        op_types_to_quantize=["MatMul", "Gather"],
    )


def name_layers(path: Path) -> None:
    """Let a file also give out the states after the layers that the reader reads, `layer_2` and so on; nothing else changes."""
    model = onnx.load(path)
    given = {f"/end_{layer - 1}/LayerNormalization_output_0": f"layer_{layer}" for layer in LAYERS}
    for node in model.graph.node:
        for names in (node.input, node.output):
            for at, name in enumerate(names):
                names[at] = given.get(name, name)
    made = {name for node in model.graph.node for name in node.output}
    for name in given.values():
        if name not in made:
            raise SystemExit(f"{path}: no output of a layer to be called {name}; was the exporter changed?")
        shape = [1, "length", HIDDEN]
        model.graph.output.append(onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape))
    onnx.save(model, path)


def probes(vocabulary: int) -> Iterator[dict[str, np.ndarray]]:
    """Give random pairs of many lengths, with tokens that both sides have and tokens that one has."""
    rng = np.random.default_rng(0)
    for _ in range(PROBES):
        length = int(rng.integers(20, LONGEST + 1))
        sides = np.repeat([[0, 1]], [10, length - 10], axis=1)
        tokens, both = rng.integers(200, vocabulary, (1, length)), rng.integers(0, 2, (1, length))
        yield {"input_ids": tokens, "token_type_ids": sides + 2 * both}


def logits_of(path: Path, feeds: Iterable[dict[str, np.ndarray]]) -> np.ndarray:
    """Run a file on every pair; give the logits `[pairs, 3]`."""
    session = onnxruntime.InferenceSession(str(path))
    return np.array([session.run(["logits"], feed)[0][0] for feed in feeds])


@torch.no_grad()
def check(model: Unpadded, full: Path, small: Path, vocabulary: int) -> tuple[float, float]:
    """Give the mean and the largest difference that eight bits make in the odds of support, on random pairs.

    Raises SystemExit where the file in full precision does not say what the model says.
    """
    feeds = list(probes(vocabulary))
    asked = [[torch.from_numpy(one[name]) for name in NAMES] for one in feeds]
    said = torch.cat([CrossEncoder.forward(model, *one, torch.ones_like(one[0])) for one in asked]).numpy()
    exact, rounded = logits_of(full, feeds), logits_of(small, feeds)
    if (most := np.abs(said - exact).max()) > CLOSE:
        raise SystemExit(f"{full}: a logit differs from the model's by {most:.4f}; expected at most {CLOSE}")
    odds = [x[:, 0] - np.logaddexp(x[:, 1], x[:, 2]) for x in (exact, rounded)]
    gaps = np.abs(odds[0] - odds[1])
    return float(gaps.mean()), float(gaps.max())


def main() -> None:
    """Export, quantize, compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    model = Unpadded()
    model.load_state_dict(torch.load(options.weights, map_location="cpu"))
    tokenizer, kept = trimmed(options.tokenizer.read_text("utf-8"))
    cut(model, kept)
    full, small = options.out / "full.onnx", options.out / "model.onnx"
    export(model.eval(), full)
    quantize(full, small)
    name_layers(small)
    mean, most = check(model, full, small, len(kept))
    (options.out / "tokenizer.json").write_text(tokenizer, "utf-8")
    print(f"{small}: {small.stat().st_size / 1e6:.1f} MB ({full.stat().st_size / 1e6:.1f} MB in full)")
    print(f"odds of support differ by {mean:.3f} on average, {most:.3f} at most")


if __name__ == "__main__":
    main()
