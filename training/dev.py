"""A look at the development sets while the model trains: AUC per set."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import numpy as np
import torch
from head import WORDS
from model import CrossEncoder, precision
from sklearn.metrics import roc_auc_score  # type: ignore[import-untyped]
from tokenizers import Tokenizer
from torch import Tensor

from showable.judges.embedded.encode import Encoded, shared
from showable.judges.embedded.excerpt import excerpt
from showable.judges.lexical.judge import read_claim
from showable.judges.lexical.passage import read_passage

ROWS = 150
"""Rows looked at of each set, chosen by the seed."""
SEED = 5
BATCH = 24


class Dev:
    """A sample of every development set, encoded."""

    def __init__(self, folder: Path, tokenizer: Tokenizer, longest: int) -> None:
        self.sets: dict[str, tuple[list[Encoded], np.ndarray]] = {}
        for path in sorted(folder.glob("*.jsonl.gz")):
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                rows = [row for row in map(json.loads, lines) if row["label"] in {0, 1}]
            rows = random.Random(SEED).sample(rows, min(ROWS, len(rows)))
            coded = []
            for row in rows:
                text, claim = read_claim(row["claim"])
                coded.append(shared(tokenizer, text, excerpt(claim, read_passage(row["passage"]), WORDS), longest)[0])
            self.sets[path.name.split(".")[0]] = coded, np.array([row["label"] for row in rows])

    @torch.no_grad()
    def look(self, model: CrossEncoder, weights: dict[str, Tensor], device: torch.device) -> None:
        """Print the AUC of every set under these weights; the model's own are put back."""
        held = {name: value.clone() for name, value in model.state_dict().items()}
        model.load_state_dict(weights)
        found = {}
        for name, (coded, labels) in self.sets.items():
            found[name] = roc_auc_score(labels, scores(model, coded, device))
        model.load_state_dict(held)
        shown = "  ".join(f"{name.removeprefix('attrbench_')[:10]} {value * 100:.1f}" for name, value in found.items())
        print(f"dev AUC {np.mean(list(found.values())) * 100:.2f}   {shown}", flush=True)


def scores(model: CrossEncoder, coded: list[Encoded], device: torch.device) -> np.ndarray:
    """Give log p(entailed) − log p(not) of encoded pairs, in their order."""
    order = sorted(range(len(coded)), key=lambda at: len(coded[at].tokens))
    out = np.zeros(len(coded))
    for at in range(0, len(order), BATCH):
        part = order[at : at + BATCH]
        length = max(len(coded[i].tokens) for i in part)
        arrays = np.zeros((3, len(part), length), dtype=np.int64)
        for row, i in enumerate(part):
            n = len(coded[i].tokens)
            arrays[0, row, :n], arrays[1, row, :n], arrays[2, row, :n] = coded[i].tokens, coded[i].types, 1
        tokens, types, mask = (torch.from_numpy(array).to(device) for array in arrays)
        with precision(device):
            logits = model(tokens, types, mask).float()
        out[part] = (logits[:, 0] - torch.logsumexp(logits[:, 1:], dim=1)).cpu().numpy()
    return out
