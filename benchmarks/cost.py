"""How the cost of hostile text grows: every reader with every unit, about twenty minutes of one core.

    python benchmarks/cost.py [READER …]

Prints what grows faster than 2.3 times for twice the text, which is what `tests/test_cost.py` samples.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from hostile_text import READERS, UNITS
from test_cost import excess


def main() -> None:
    """Print a line for each reader, and one for each unit that grows too fast."""
    for reader in sys.argv[1:] or READERS:
        found = [said for unit in UNITS if (said := excess(reader, unit))]
        print(f"{reader}: {len(UNITS) - len(found)} of {len(UNITS)} grow linearly", flush=True)
        print("".join(f"  {said}\n" for said in found), end="", flush=True)


if __name__ == "__main__":
    main()
