"""Kill the sender of tickets at moments drawn by chance, and capture what leaves for five ticket systems.

    python benchmarks/feed_tickets.py [--kills 100] [--seed 0]

The ticket systems are doubles on loopback, one of each kind; half of the kills come after a system accepted and before it answered. Printed are second
tickets, tickets that do not say what they should in the end, and rows of the outbox that never end: all three must be 0. Then every request of
a ticket's life is searched for the words of a question, an answer and a passage that stand wherever people and models can write.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from feed_tickets import FIVE, TEXTS, desk, issue, killed_senders


def captured() -> tuple[int, int]:
    """Send tickets through every state to all five; returns the requests, and the characters of texts in them."""
    with tempfile.TemporaryDirectory() as folder, desk(Path(folder)) as at:
        for state, n in (("escalating", 142), ("escalating", 150), ("resolved", 150), ("regressed", 151)):
            at.put(issue(state=state, n=n))
            at.want()
            at.send()
            at.later(hours=2)
        assert {vendor for vendor, *_ in at.doubles.seen} == set(FIVE)
        everything = "\n".join(f"{path} {headers} {body}" for _, _, path, headers, body in at.doubles.seen)
        words = {word.strip(".,?") for text in TEXTS for word in text.split() if len(word.strip(".,?")) > 4}
        return len(at.doubles.seen), sum(everything.count(word) * len(word) for word in words)


def main() -> None:
    """Print what the kills and the capture show."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        outcome = killed_senders(Path(folder), kills=asked.kills, seed=asked.seed)
    print(f"{outcome.kills} kills of the sender, {len(FIVE)} ticket systems, {time.monotonic() - begun:.0f} s")
    print(f"second tickets {sum(outcome.second.values())}, lost {sum(outcome.lost.values())}, stuck {outcome.stuck}")
    requests, characters = captured()
    print(f"{requests} requests of a ticket's life; characters of question, answer or passage: {characters}")


if __name__ == "__main__":
    main()
