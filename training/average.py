"""Average the weights of trainings that began alike and read the pairs in another order.

The mean is nearer to the start than any of them and does better on text unlike the pairs (model soups: Wortsman et al. 2022,
arXiv 2203.05482). Its logits are smaller, which the head makes up for.

Run: python training/average.py --weights build/1/model.pt build/2/model.pt --out build/model.pt
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch


def main() -> None:
    """Read, average, save."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weights", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    all_of = [torch.load(path, map_location="cpu") for path in options.weights]
    torch.save({name: torch.stack([one[name] for one in all_of]).mean(0) for name in all_of[0]}, options.out)


if __name__ == "__main__":
    main()
