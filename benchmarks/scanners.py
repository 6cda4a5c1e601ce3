"""Time of each inline scanner on 2,000 characters: medians, in milliseconds. Exit 1 where one takes over 1 ms.

    python benchmarks/scanners.py            the table
    python benchmarks/scanners.py --rounds N

Clean ASCII, prose with accents and right-to-left text, scripts and emoji that need invisible characters, and
text made to be slow. First use (tables read from disk, public suffixes) is shown apart, because a process pays
for it once. What is shown is the least of five medians. A loaded machine can still exceed the limit: run it
again on an idle one before something is blamed.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Callable
from statistics import median

from showable.read.scan.everything import scan
from showable.read.scan.invisible import scan_invisible, strip_map
from showable.read.scan.passages import scan_passage
from showable.read.scan.patterns import scan_patterns
from showable.read.scan.urls import scan_url

LENGTH = 2000
LIMIT_MS = 1.0
MEDIANS = 5
ASCII = "The tenant keeps the interior in repair, and the landlord the roof and the outer walls, under clause 7.2. "
ACCENTS = "Žukauskas et al. found TNF-α at 5 μg; «ce n’est pas sûr», नमस्ते دنیا می‌خواهم 東京 👩‍⚕️ — so the court held. "
LINKED = (
    "See https://www.nature.com/articles/s41586 and https://www.bücher.de/x, or 576 U.S. 644 (2015), on the point. "
)
HOSTILE = "\u2066م\u200ca\u202e\u2069\U000e0041👩\u200d\ufe0f"
INVISIBLE = {
    "a joiner after each letter": "a\u200d",
    "mixed hostile": HOSTILE,
    "direction overrides": "\u202eabc\u202c \u2066x\u2069 ",
    "opened isolates": "\u2066",
    "marks in Hebrew": "ש\u200f",
    "joined emoji": "👩\u200d⚕\ufe0f 👨🏽\u200d🚀 🏳\ufe0f\u200d🌈 ❤\ufe0f\u200d🔥 ",
    "soft hyphens of a PDF": "hand\u00adbook of lan\u00adguage ",
    "a soft hyphen after each letter": "a\u00ad",
    "Persian": "نمی\u200cخواهم کتاب\u200cهای ",
    "Devanagari": "क\u094d\u200dष ",
    "tag characters": "a\U000e0041",
    "selectors": "a\ufe0f",
    "a run of several kinds": "\u200d\U000e0041\ufe0f\u3164",
}
PATTERNS = {"ssn": r"\b\d{3}-\d{2}-\d{4}\b", "draft": r"(?i)\bdraft\b", "nested": r"(\w+\s?)+\$"}


def of_length(piece: str) -> str:
    """Repeat a piece to 2,000 characters."""
    return (piece * (LENGTH // len(piece) + 1))[:LENGTH]


def timed(work: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Time the first use, and the least of five medians of the following ones, in milliseconds."""
    first = once(work)
    return first, min(median(once(work) for _ in range(rounds)) for _ in range(MEDIANS))


def once(work: Callable[[], object]) -> float:
    """Time one use, in milliseconds."""
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def work() -> dict[str, Callable[[int], object]]:
    """Name what is timed. Each gets the number of its round, so that nothing is answered from memory."""
    texts = {"ASCII": of_length(ASCII), "accents": of_length(ACCENTS)}
    texts |= {name: of_length(piece) for name, piece in INVISIBLE.items()}
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


def main() -> int:
    """Print the table, and say whether every row is within the limit."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=100, help="Rounds of each median (default 100).")
    rounds = parser.parse_args().rounds
    print(f"{'on 2,000 characters':52} {'median ms':>10} {'first ms':>10}")
    slow = []
    for name, job in work().items():
        counter = itertools.count()
        first, middle = timed(lambda job=job, counter=counter: job(next(counter)), rounds)
        print(f"{name:52} {middle:10.3f} {first:10.2f}{'  over the limit' if middle > LIMIT_MS else ''}")
        if middle > LIMIT_MS:
            slow.append(name)
    if slow:
        print(f"over {LIMIT_MS:g} ms: {', '.join(slow)}", file=sys.stderr)
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
