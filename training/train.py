"""Fine-tune the cross-encoder on the mix; resumable, seeded, on a CPU or a GPU.

The loss is cross entropy over three outcomes; a row that is known only not to be entailed costs
−log(p_neutral + p_contradicted). AdamW with a short warm-up and a linear decay over the last part, head learning faster
than the encoder, embeddings of words and places held, an exponential moving average of the weights kept and saved.
Batches are cut by tokens, of sequences of like length. Where it stops, it goes on: the same command reads the last
checkpoint, and the order of the batches depends on the seed and the epoch alone.

Run: python training/train.py --pairs build/pairs.jsonl.gz --start gte-small/onnx/model.onnx --tokenizer gte-small/tokenizer.json --out build
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from dev import Dev
from model import OUTCOMES, CrossEncoder, precision
from start import from_gte
from tokenizers import Tokenizer
from torch import Tensor

from showable.judges.embedded.encode import shared
from showable.judges.embedded.excerpt import excerpt
from showable.judges.lexical.judge import read_claim
from showable.judges.lexical.passage import read_passage

SEED = 20261121
LONGEST = 256
ROOMS = (130, 60)
"""Words of a passage that are shown, one or the other by the seed: around what is shown at run time, and with more to distract."""
BATCH_TOKENS = 4_000
RATE, HEAD_FASTER, DECAY = 1e-4, 5, 0.01
WARM, COOL = 0.02, 0.4
"""Shares of the run over which the learning rate rises, and at the end falls to nothing."""
AVERAGE = 0.999
SAVE_EVERY, LOOK_EVERY, SAY_EVERY = 400, 800, 50
NOT_ENTAILED = len(OUTCOMES)
"""Target of a row that is not entailed for a reason nobody named."""


@dataclass
class Example:
    """One pair, encoded."""

    tokens: np.ndarray
    types: np.ndarray
    target: int


def read_examples(path: Path, tokenizer: Tokenizer, seed: int) -> list[Example]:
    """Read the mix; of a long passage the best sentences are taken, chosen as at run time."""
    rng = random.Random(seed)
    pairs: list[tuple[str, str]] = []
    targets: list[int] = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            text, claim = read_claim(row["claim"])
            pairs.append((text, excerpt(claim, read_passage(row["passage"]), rng.choice(ROOMS))))
            targets.append(OUTCOMES.index(row["outcome"]) if row["outcome"] in OUTCOMES else NOT_ENTAILED)
    coded = [shared(tokenizer, *pair, LONGEST)[0] for pair in pairs]
    return [
        Example(np.array(one.tokens, dtype=np.int32), np.array(one.types, dtype=np.int8), target)
        for one, target in zip(coded, targets, strict=True)
    ]


def batches(examples: list[Example], seed: int) -> Iterator[list[Example]]:
    """Give one epoch's batches: like lengths together, at most BATCH_TOKENS with padding, in random order."""
    rng = random.Random(seed)
    order = sorted(range(len(examples)), key=lambda at: len(examples[at].tokens) + rng.uniform(-6, 6))
    cut: list[list[Example]] = [[]]
    for at in order:
        longest = max(len(examples[at].tokens), max((len(one.tokens) for one in cut[-1]), default=0))
        if cut[-1] and longest * (len(cut[-1]) + 1) > BATCH_TOKENS:
            cut.append([])
        cut[-1].append(examples[at])
    rng.shuffle(cut)
    yield from cut


def tensors(batch: list[Example], device: torch.device) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Pad a batch to a multiple of eight; give tokens, types, mask and targets."""
    length = -(-max(len(one.tokens) for one in batch) // 8) * 8
    tokens, types, mask = (np.zeros((len(batch), length), dtype=np.int64) for _ in range(3))
    for at, one in enumerate(batch):
        tokens[at, : len(one.tokens)], types[at, : len(one.types)] = one.tokens, one.types
        mask[at, : len(one.tokens)] = 1
    targets = torch.tensor([one.target for one in batch])
    return tuple(t.to(device) for t in (*map(torch.from_numpy, (tokens, types, mask)), targets))  # type: ignore[return-value]


def loss_of(logits: Tensor, targets: Tensor) -> Tensor:
    """Give the mean cost of a batch."""
    logs = logits.float().log_softmax(-1)
    either = torch.logsumexp(logs[:, 1:], dim=1, keepdim=True)
    return -torch.cat([logs, either], dim=1).gather(1, targets[:, None]).mean()


def rate_at(share: float, cool: float) -> float:
    """Return the factor on the learning rate after this share of the run, of which it falls to nothing over the last `cool`."""
    return min(1.0, share / WARM, max(0.0, (1.0 - share) / cool))


class Run:
    """Model, optimiser, moving average and how far the run has come."""

    def __init__(
        self,
        start: Path,
        folder: Path,
        device: torch.device,
        made_of: str,
        *,
        weights: Path | None,
        rate: float,
        cool: float,
    ) -> None:
        torch.manual_seed(SEED)
        self.model: CrossEncoder = from_gte(start).to(device)
        self.cool = cool
        if weights is not None:
            self.model.load_state_dict(torch.load(weights, map_location=device))
        self.model.words.requires_grad_(requires_grad=False)
        self.model.places.requires_grad_(requires_grad=False)
        named = [(name, p) for name, p in self.model.named_parameters() if p.requires_grad]
        head = [p for name, p in named if name.startswith(("hidden.", "out."))]
        rest = [p for name, p in named if not name.startswith(("hidden.", "out."))]
        groups = [{"params": rest, "rate": rate}, {"params": head, "rate": rate * HEAD_FASTER}]
        self.optimiser = torch.optim.AdamW(groups, lr=rate, weight_decay=DECAY, betas=(0.9, 0.98), fused=True)
        self.average = {name: p.detach().clone() for name, p in named}
        self.epoch = self.batch = self.step = self.tokens = 0
        self.device, self.checkpoint, self.made_of = device, folder / "checkpoint.pt", made_of
        if self.checkpoint.exists():
            self._load()

    def learn(self, batch: list[Example], share: float) -> float:
        """Take one step; give the loss."""
        for group in self.optimiser.param_groups:
            group["lr"] = group["rate"] * rate_at(share, self.cool)
        tokens, types, mask, targets = tensors(batch, self.device)
        with precision(self.device):
            logits = self.model(tokens, types, mask)
        loss = loss_of(logits, targets)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        self.optimiser.zero_grad()
        self.step += 1
        self.tokens += tokens.numel()
        self._keep_average()
        return loss.item()

    def _keep_average(self) -> None:
        decay = min(AVERAGE, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            for name, p in self.model.named_parameters():
                if name in self.average:
                    self.average[name].lerp_(p, 1 - decay)

    def averaged(self) -> dict[str, Tensor]:
        """Give the weights with the averages in place."""
        return self.model.state_dict() | self.average

    def save(self) -> None:
        """Write a checkpoint, whole or not at all."""
        state = {name: getattr(self, name) for name in ("average", "epoch", "batch", "step", "tokens", "made_of")}
        state |= {"model": self.model.state_dict(), "optimiser": self.optimiser.state_dict()}
        part = self.checkpoint.with_suffix(".part")
        torch.save(state, part)
        part.replace(self.checkpoint)

    def _load(self) -> None:
        state = torch.load(self.checkpoint, map_location=self.device)
        if state["made_of"] != self.made_of:
            raise SystemExit(
                f"{self.checkpoint}: of other pairs, another length or another seed; remove it to start anew"
            )
        self.model.load_state_dict(state.pop("model"))
        self.optimiser.load_state_dict(state.pop("optimiser"))
        for name, value in state.items():
            setattr(self, name, value)
        print(f"goes on after step {self.step}, {self.tokens / 1e6:.1f} M tokens", flush=True)


def train(run: Run, examples: list[Example], dev: Dev | None, total: float, seed: int) -> None:
    """Learn until `total` tokens have been read, in the order that the seed and the epoch give."""
    began, before, losses = time.perf_counter(), run.tokens, [0.0]
    while run.tokens < total:
        for at, batch in enumerate(batches(examples, seed + run.epoch)):
            if at < run.batch:
                continue
            losses.append(run.learn(batch, run.tokens / total))
            run.batch = at + 1
            if run.step % SAY_EVERY == 0:
                speed = (run.tokens - before) / (time.perf_counter() - began)
                recent = float(np.mean(losses[-SAY_EVERY:]))
                print(f"step {run.step} {run.tokens / 1e6:.2f} M tokens {speed:.0f}/s loss {recent:.4f}", flush=True)
            if run.step % SAVE_EVERY == 0:
                run.save()
            if dev and run.step % LOOK_EVERY == 0:
                dev.look(run.model, run.averaged(), run.device)
            if run.tokens >= total:
                return
        run.epoch, run.batch = run.epoch + 1, 0


def main() -> None:
    """Train and save the averaged weights."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--start", type=Path, required=True, help="model.onnx of gte-small")
    parser.add_argument("--weights", type=Path, help="weights of an earlier training to go on from, of the same shape")
    parser.add_argument("--rate", type=float, default=RATE, help="the highest learning rate of the encoder")
    parser.add_argument(
        "--cool", type=float, default=COOL, help="share of the run over which it falls to nothing at the end"
    )
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--dev", type=Path, help="a folder of labelled pairs to look at while training")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tokens", type=float, default=11e6)
    parser.add_argument("--seed", type=int, default=SEED, help="of the order of the pairs; every training begins alike")
    options = parser.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.set_flush_denormal(True)
    tokenizer = Tokenizer.from_file(str(options.tokenizer))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    options.out.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256(options.pairs.read_bytes()).hexdigest()
    made_of = f"{digest} {options.tokens:.0f} {options.seed} {options.rate} {options.cool}"
    run = Run(
        options.start, options.out, device, made_of, weights=options.weights, rate=options.rate, cool=options.cool
    )
    examples = read_examples(options.pairs, tokenizer, options.seed)
    print(
        f"{len(examples)} pairs, {sum(len(one.tokens) for one in examples) / 1e6:.1f} M tokens, on {device}", flush=True
    )
    dev = Dev(options.dev, tokenizer, LONGEST) if options.dev else None
    train(run, examples, dev, options.tokens, options.seed)
    run.save()
    if dev:
        dev.look(run.model, run.averaged(), device)
    torch.save(run.averaged(), options.out / "model.pt")


if __name__ == "__main__":
    main()
