"""Time of each inline scanner on 2,000 characters: medians, in milliseconds.

    python benchmarks/scanners.py            the table
    python benchmarks/scanners.py --rounds N

Clean ASCII, prose with accents and right-to-left text, and text made to be slow. First use (tables read
from disk, public suffixes) is shown apart, because a process pays for it once.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median

from probative.read.scan.everything import scan
from probative.read.scan.invisible import scan_invisible, strip_map
from probative.read.scan.passages import scan_passage
from probative.read.scan.patterns import scan_patterns
from probative.read.scan.urls import scan_url

LENGTH = 2000
ASCII = "The tenant keeps the interior in repair, and the landlord the roof and the outer walls, under clause 7.2. "
ACCENTS = "Žukauskas et al. found TNF-α at 5 μg; «ce n’est pas sûr», नमस्ते دنیا می‌خواهم 東京 👩‍⚕️ — so the court held. "
LINKED = (
    "See https://www.nature.com/articles/s41586 and https://www.bücher.de/x, or 576 U.S. 644 (2015), on the point. "
)
HOSTILE = "\u2066م\u200ca\u202e\u2069\U000e0041👩\u200d\ufe0f"
PATTERNS = {"ssn": r"\b\d{3}-\d{2}-\d{4}\b", "draft": r"(?i)\bdraft\b", "nested": r"(\w+\s?)+\$"}


def of_length(piece: str) -> str:
    """Repeat a piece to 2,000 characters."""
    return (piece * (LENGTH // len(piece) + 1))[:LENGTH]


def timed(work: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Time the first use, and the median of the following ones, in milliseconds."""
    times = []
    for _ in range(rounds + 1):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1000)
    return times[0], median(times[1:])


def work() -> dict[str, Callable[[int], object]]:
    """Name what is timed. Each gets the number of its round, so that nothing is answered from memory."""
    texts = {"ASCII": of_length(ASCII), "accents": of_length(ACCENTS), "hostile": of_length(HOSTILE)}
    jobs: dict[str, Callable[[int], object]] = {}
    for name, text in texts.items():
        jobs[f"invisible, prose, {name}"] = lambda _, text=text: scan_invisible(text, "prose")
        jobs[f"invisible, token, {name}"] = lambda _, text=text: scan_invisible(text, "token")
        jobs[f"strip_map, {name}"] = lambda _, text=text: strip_map(text)
    long_path = "a/" * 980
    jobs["URL, a protected host"] = lambda n: scan_url(f"https://www.nature.com/{n}/{long_path}")
    jobs["URL, an ASCII host"] = lambda n: scan_url(f"https://www.site{n}.example.co.uk/{long_path}")
    jobs["URL, an international host"] = lambda n: scan_url(f"https://bücher{n}.example.de/{long_path}")
    jobs["URL, hostile"] = lambda n: scan_url(f"https://{n}" + "a." * 990)
    jobs["patterns, three, ASCII"] = lambda _: scan_patterns(texts["ASCII"], PATTERNS)
    jobs["patterns, three, accents"] = lambda _: scan_patterns(texts["accents"], PATTERNS)
    jobs["orders in a passage, ASCII"] = lambda n: scan_passage(f"{texts['ASCII'][:-6]}{n:6}")
    jobs["orders in a passage, accents"] = lambda n: scan_passage(f"{texts['accents'][:-6]}{n:6}")
    linked = of_length(LINKED)
    jobs["all but orders, an answer with 36 links"] = lambda n: scan(f"{linked[:-6]}{n:6}", patterns=PATTERNS)
    return jobs


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=200, help="Rounds of each (default 200).")
    rounds = parser.parse_args().rounds
    print(f"{'on 2,000 characters':42} {'median ms':>10} {'first ms':>10}")
    for name, job in work().items():
        counter = iter(range(rounds + 1))
        first, middle = timed(lambda job=job, counter=counter: job(next(counter)), rounds)
        print(f"{name:42} {middle:10.3f} {first:10.2f}")


if __name__ == "__main__":
    main()
