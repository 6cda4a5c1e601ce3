"""The cross-encoder: a ten-layer BERT over `[CLS] claim [SEP] passage [SEP]` with three outcomes.

What is its own beside BERT: the token types say, beside which side a token stands on, whether the other side has the same
token, so that a small model need not spend its first layers on finding equal words; and the head reads [CLS] beside the
mean over the claim and the mean over the passage.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

HIDDEN, HEADS, LAYERS, INNER, VOCABULARY, POSITIONS = 384, 12, 10, 1536, 30_522, 512
TYPES = 4
"""Claim, passage, claim with the token also in the passage, passage with the token also in the claim."""
OUTCOMES = ("entailed", "neutral", "contradicted")
EPSILON = 1e-12


class Layer(nn.Module):
    """One transformer layer, normalised after each half as BERT does."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(HIDDEN, 3 * HIDDEN)
        self.mix = nn.Linear(HIDDEN, HIDDEN)
        self.norm = nn.LayerNorm(HIDDEN, eps=EPSILON)
        self.rise = nn.Linear(HIDDEN, INNER)
        self.fall = nn.Linear(INNER, HIDDEN)
        self.end = nn.LayerNorm(HIDDEN, eps=EPSILON)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Transform `[batch, length, hidden]`; `mask` is added to the attention scores."""
        batch, length, _ = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, HEADS, HIDDEN // HEADS).permute(2, 0, 3, 1, 4)
        # Written out: the backward pass of torch's fused CPU attention takes 40 % of a step on sequences this short.
        scores = q @ k.transpose(2, 3) * (HIDDEN // HEADS) ** -0.5 + mask.to(q.dtype)
        seen = scores.softmax(-1).to(v.dtype) @ v
        return self.add(x, seen.transpose(1, 2).reshape(batch, length, HIDDEN))

    def add(self, x: Tensor, seen: Tensor) -> Tensor:
        """Add to `x` what attention has seen, and what the inner half makes of both."""
        x = self.norm(x + self.mix(seen))
        return self.end(x + self.fall(functional.gelu(self.rise(x))))


class CrossEncoder(nn.Module):
    """Reads a claim and a passage together and gives three logits: entailed, neutral, contradicted."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, HIDDEN)
        self.places = nn.Embedding(POSITIONS, HIDDEN)
        self.types = nn.Embedding(TYPES, HIDDEN)
        self.norm = nn.LayerNorm(HIDDEN, eps=EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.hidden = nn.Linear(3 * HIDDEN, HIDDEN)
        self.out = nn.Linear(HIDDEN, len(OUTCOMES))

    def forward(self, tokens: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """Give logits `[batch, 3]` for `tokens`, `types` and `mask` (1 for a token, 0 for padding), each `[batch, length]`."""
        x = self.embed(tokens, types)
        hidden = (1.0 - mask.to(x.dtype))[:, None, None, :] * -1e4
        for layer in self.layers:
            x = layer(x, hidden)
        return self.decide(x, mask * (types % 2 == 0), mask * (types % 2 == 1))

    def embed(self, tokens: Tensor, types: Tensor) -> Tensor:
        """Give what the first layer reads."""
        return self.norm(self.words(tokens) + self.places.weight[: tokens.shape[1]] + self.types(types))

    def decide(self, x: Tensor, claim: Tensor, passage: Tensor) -> Tensor:
        """Give the logits from what the last layer says of the tokens of each side (1 in the side, 0 elsewhere)."""
        read = torch.cat([x[:, 0], _mean(x, claim), _mean(x, passage)], dim=1)
        return self.out(functional.gelu(self.hidden(read)))


def precision(device: torch.device) -> torch.autocast:
    """Give the context to run the model in: bf16 on an accelerator and on x86 processors that have it, else full precision.

    Torch multiplies in bf16 on processors without it as well, a hundred times slower than in full precision.
    """
    native = device.type != "cpu" or any(torch.cpu.get_capabilities().get(name) for name in ("avx512_bf16", "amx_bf16"))
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=native)


def _mean(x: Tensor, mask: Tensor) -> Tensor:
    weights = mask.to(x.dtype)[:, :, None]
    return (x * weights).sum(1) / weights.sum(1).clamp(min=1.0)
