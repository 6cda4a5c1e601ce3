"""Average the weights of trainings that began alike and read the pairs in another order.

The mean is nearer to the start than any of them and does better on text unlike the pairs (model soups: Wortsman et al. 2022,
arXiv 2203.05482). Its logits are smaller, which the head makes up for.

With `--shares` the mean is weighed: a training that went on from others is mixed with these, which keeps more of what they knew
(Wortsman et al. 2022, arXiv 2109.01903).

Run: python training/average.py --weights build/1/model.pt build/2/model.pt [--shares 0.85 0.15] --out build/model.pt
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch


def main() -> None:
    """Read, average, save."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weights", type=Path, nargs="+", required=True)
    parser.add_argument("--shares", type=float, nargs="+", help="of each, in sum 1; alike where they are not given")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    shares = options.shares or [1 / len(options.weights)] * len(options.weights)
    all_of = [torch.load(path, map_location="cpu") for path in options.weights]
    mixed = {name: sum(share * one[name] for share, one in zip(shares, all_of, strict=True)) for name in all_of[0]}
    torch.save(mixed, options.out)


if __name__ == "__main__":
    main()
