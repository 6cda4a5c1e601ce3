"""Whether the tables and the gate tell five models of known character apart, and what the refusal licence does.

One endpoint on loopback plays a careful model, one that is confident and wrong, one that is helpful from its own knowledge,
one that invents sources, and one that refuses everything (`tests/characters.py`). Each answers the embedded 130 questions
through the chat pipeline; the answers are scored and gated like any others, and nothing in them says who gave them. A sixth,
obliging, declines only where the prompt allows it: the same model is asked with and without the prompt's refusal licence.

The characters are scripts that know the gold, so this shows what the scorer and the gate do with known behaviour. It says
nothing of any real model. Exits 1 where the gate takes a step back, or refuses the careful one over another.

    python benchmarks/five_characters.py [--judge JUDGE] [--plain]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from characters import FIVE, Character, answers, obliging  # noqa: E402 - the characters stand among the tests

from showable import Result, evaluate, gate  # noqa: E402
from showable.harness.questions.embedded import embedded_set  # noqa: E402
from showable.measure.rates import percent, wilson_interval  # noqa: E402

BUCKETS = ("correct", "refused", "wrong", "unsupported", "unknown")
CAUSES = 3


def played(character: Character, *, judge: str, structured: bool, licence: bool = True) -> Result:
    """Let a character answer the whole set, and score what it said."""
    asked = embedded_set()
    records = answers(character, asked.questions, asked.corpus, licence=licence, structured=structured)
    return evaluate(records, judge=judge)


def table(runs: Mapping[str, Result]) -> None:
    """Print a row a run: buckets, acceptable share with its interval, axes, and the largest causes."""
    print(f"| | {' | '.join(BUCKETS)} | acceptable | exists | supports | refusal quality | extra claims | causes |")
    print("|---" * (len(BUCKETS) + 7) + "|")
    for name, run in runs.items():
        counts = Counter(card.bucket for card in run)
        acceptable = counts["correct"] + counts["refused"]
        low, high = wilson_interval(acceptable / len(run), len(run))
        qualities = [card.refusal_quality for card in run if card.refusal_quality is not None]
        mean = f"{sum(qualities) / len(qualities):.2f}" if qualities else "–"
        causes = Counter(card.cause for card in run if card.cause).most_common(CAUSES)
        cells = [
            *(str(counts[bucket]) for bucket in BUCKETS),
            f"{acceptable}/{len(run)} = {percent(acceptable / len(run))} % ({percent(low)}–{percent(high)})",
            _axis(run, "citation_exists"),
            _axis(run, "citation_supports"),
            f"{mean} (n = {len(qualities)})",
            str(sum(card.extra_claim_count or 0 for card in run)),
            ", ".join(f"{cause} {count}" for cause, count in causes),
        ]
        print(f"| {name} | {' | '.join(cells)} |")


def _axis(run: Result, name: str) -> str:
    counts = Counter(str(getattr(card, name)) for card in run)
    return f"{counts['pass']}/{counts['pass'] + counts['fail']}"


def matrix(runs: Mapping[str, Result]) -> bool:
    """Print the gate's decision for each pair, with what stood against it; say whether the careful one wins every time."""
    print("\n| baseline ↓ candidate → | " + " | ".join(runs) + " |")
    print("|---" * (len(runs) + 1) + "|")
    good = True
    for base, before in runs.items():
        cells = []
        for name, after in runs.items():
            decision = gate(before, after)
            against = list(dict.fromkeys(reason.split(":")[0] for reason in decision.reasons))
            cells.append("ship" if decision.ship else f"no: {', '.join(against)}")
            good &= decision.ship == (name in {"careful", base})
        print(f"| {base} | {' | '.join(cells)} |")
    return good


def licence(judge: str, *, structured: bool) -> None:
    """Print what the obliging model does with the licence and without it."""
    print("\nThe refusal licence: one obliging model, one paragraph of the prompt.\n")
    runs = {
        said: played(obliging, judge=judge, structured=structured, licence=allowed)
        for said, allowed in (("licensed", True), ("unlicensed", False))
    }
    table(runs)
    for base, candidate in (("unlicensed", "licensed"), ("licensed", "unlicensed")):
        decision = gate(runs[base], runs[candidate])
        print(f"\n{base} → {candidate}: {'ship' if decision.ship else 'do not ship: ' + '; '.join(decision.reasons)}")


def main(arguments: Sequence[str]) -> int:
    """Play, score, gate and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--judge", default="embedded")
    parser.add_argument("--plain", action="store_true", help="ask for plain text with labels, not for JSON")
    options = parser.parse_args(arguments)
    structured = not options.plain
    runs = {name: played(one, judge=options.judge, structured=structured) for name, one in FIVE.items()}
    print(f"{runs['careful'].summary.signature}\n")
    table(runs)
    good = matrix(runs)
    licence(options.judge, structured=structured)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
