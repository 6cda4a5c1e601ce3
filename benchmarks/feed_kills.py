"""Kill the builder of a feed at statements drawn by chance: words that are lost, and batches without all of their members.

    python benchmarks/feed_kills.py [--kills 100] [--seed 0]

A process assigns an issue and builds a batch in turn. Both figures must be 0.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from feed_kills import killed_builders


def main() -> None:
    """Print what the kills show."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        outcome = killed_builders(Path(folder) / "feed.sqlite", kills=asked.kills, seed=asked.seed)
    print(f"{outcome.kills} kills of the builder, {time.monotonic() - begun:.0f} s")
    print(f"{outcome.acknowledged} words acknowledged, {outcome.lost} lost; {outcome.halves} half batches")


if __name__ == "__main__":
    main()
