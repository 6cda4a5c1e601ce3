"""How long the legal grammar, and all grammars together, take over a brief of a hundred pages, made here, dense with citations.

Exits 1 where a reading of the whole takes more than three seconds.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence

from showable.read.references.find import find_references
from showable.read.references.legal import find_legal

PAGES = 100
CHARACTERS = 3_000
"""On a page of a brief, double spaced."""
MOST_SECONDS = 3.0
PARTIES = [
    "Alder Freight, Inc.",
    "Harlow",
    "Board of Education",
    "United States",
    "Pinecrest Mut. Ins. Co.",
    "Okonkwo",
    "City of Westmoor",
    "Delgado",
    "Northgate Hosp. Ass'n",
    "State ex rel. Bryce",
    "Estate of Larkin",
    "In-N-Out Logistics, LLC",
    "Dep't of Lab.",
    "Quill & Vane Co.",
    "Nguyen",
]
REPORTERS = [
    "U.S.",
    "S. Ct.",
    "L. Ed. 2d",
    "F.2d",
    "F.3d",
    "F.4th",
    "F. Supp. 2d",
    "F. Supp. 3d",
    "B.R.",
    "F.R.D.",
    "N.E.2d",
    "N.Y.S.2d",
    "A.3d",
    "P.3d",
    "So. 3d",
    "S.W.3d",
    "Cal. App. 4th",
    "Ill. 2d",
    "Mass.",
    "Ohio St. 3d",
    "F. App'x",
    "N.W.2d",
    "S.E.2d",
    "Cal. Rptr. 3d",
    "A.D.3d",
    "Wis. 2d",
    "Tex. Crim.",
    "Fed. Cl.",
    "N.J. Super.",
    "Md. App.",
]
COURTS = [
    "2d Cir.",
    "9th Cir.",
    "11th Cir.",
    "D.C. Cir.",
    "S.D.N.Y.",
    "N.D. Cal.",
    "Bankr. D. Del.",
    "Ill. App. Ct.",
    "Tex. App.",
    "Cal.",
    "Ga. Ct. App.",
    "D. Mass.",
]
PROSE = (
    "The court must accept the allegations as true and draw every reasonable inference in favour of the party opposing the motion. ",
    "Nothing in the record of the 14 depositions taken since March 3, 2019 suggests that the notice was received within 30 days. ",
    "That rule has been applied without exception for more than a century, and counsel offers no reason to depart from it now. ",
    "Under § 5.2 of the agreement the carrier pays $12,500 for each of the 7 shipments that arrived late. ",
)


def make_brief(seed: int = 1) -> tuple[str, int]:
    """Give a brief and the number of citations put into it."""
    draw = random.Random(seed)  # noqa: S311 - a reproducible text, no secret
    parts: list[str] = []
    length = count = 0
    while length < PAGES * CHARACTERS:
        words, cites = _passage(draw)
        parts.append(words)
        length += len(words)
        count += cites
    return "".join(parts), count


def _passage(draw: random.Random) -> tuple[str, int]:
    one, two = draw.sample(PARTIES, 2)
    volume, page, year = draw.randint(1, 999), draw.randint(1, 1500), draw.randint(1930, 2024)
    reporter, court = draw.choice(REPORTERS), draw.choice(COURTS)
    full = f"{one} v. {two}, {volume} {reporter} {page}, {page + 3} ({court} {year})"
    forms = (
        (f"See {full}. Id. at {page + 5}. ", 2),
        (
            f"{full}; see also {two} v. {one}, {volume + 1} F.3d {page} ({court} {year}) (holding that notice sufficed). ",
            2,
        ),
        (f"{one} v. {two}, {volume % 600 + 1} U.S. {page}, {volume % 150 + 1} S. Ct. {page + 7} ({year}). ", 2),
        (
            f"{one} v. {two}, No. {year % 100:02d}-cv-{page:05d}, {year} WL {volume}{page}, at *{page % 9 + 1} ({court} Jan. 5, {year}). ",
            1,
        ),
        (
            f"Jurisdiction rests on 28 U.S.C. §§ 1331, 1332(a) and 21 C.F.R. § {page}.{volume}(b); see Fed. R. Civ. P. 12(b)(6). ",
            4,
        ),
        (f"{one.split()[0]}, {volume} {reporter} at {page + 2}; {two.split()[0]}, supra, at {page}. ", 2),
    )
    words, cites = draw.choice(forms)
    prose = draw.choice(PROSE)
    return words + prose + ("\n\n" if draw.random() < 0.2 else ""), cites


def timed(find: Callable[[str], Sequence[object]], brief: str) -> tuple[float, int]:
    """Give the seconds of one reading and how many references it found."""
    began = time.perf_counter()
    found = find(brief)
    return time.perf_counter() - began, len(found)


def main() -> int:
    """Print the seconds of the first reading, which loads eyecite, and of the next, for each of the two readers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--growth", action="store_true", help="print the time for a quarter of the brief too")
    asked = parser.parse_args()
    brief, count = make_brief(asked.seed)
    print(
        f"{len(brief):,} characters, {PAGES} pages, {count:,} citations put in"
        f" ({1000 * count / len(brief):.1f} per 1,000 characters)"
    )
    slowest = 0.0
    for find in (find_legal, find_references):
        for said in ("first", "again"):
            seconds, read = timed(find, brief)
            slowest = max(slowest, seconds)
            print(f"{find.__name__:16} {said}: {seconds:.2f} s, {read:,} read")
        if asked.growth:
            print(f"{find.__name__:16} a quarter of it: {timed(find, brief[: len(brief) // 4])[0]:.2f} s")
    if slowest > MOST_SECONDS:
        print(f"slower than {MOST_SECONDS:g} s")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
