"""Feeds the reference grammars hostile texts: they must not raise, their offsets must hold, their time must grow with the text.

Texts are put together at random from the fragments of each family, from runs of one fragment, and from citations cut
off and run together. Cost is the best of several readings per character, compared with that of a text four times as long.
"""

from __future__ import annotations

import argparse
import importlib
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from typing import Any

GRAMMARS = (
    "showable.read.references.legal.find_legal",
    "showable.read.references.identifiers.find_identifiers",
    "showable.read.references.entries.find_entries",
    "showable.read.references.web_addresses.find_web",
    "showable.read.references.find.find_references",
)
"""By dotted path; one that is not there is said and passed over."""
LEGAL = (
    "1 U.S. 1 ", "v. ", " v ", "Id. ", "id. at 5", "Ibid.", "supra", "Roe, supra note 5, at 3", "(", ")", "[", "]", "§ ", "§§ ", "42 U.S.C. § 1983",
    "28 U.S.C. §§ 1331, 1332", "(a)", "(1)", "1331, ", "21 C.F.R. § 314.53(b)", "85 Fed. Reg. 12,345", "Pub. L. No. 111-148", "Fed. R. Civ. P. 12(b)(6)",
    " and 9(b)", "2019 WL 4639462", "2011 U.S. Dist. LEXIS 12", "No. 18-13694", "2:24-cv-01776-JHC", "[2025] EWHC 1040 (Admin)", "[2019] ", "EWCA Civ ",
    "347 U.S. 483, 495 (1954)", "F.3d", "F. Supp. 2d ", "(11th Cir. 2019)", "In re ", "1 U.S. 1 (2000), ", "aff'd, , , ", " & n.3", ", 495", " sub nom. ", ", 1 F.3d 2", "Ex parte ", "Estate of ", "Inc., ", "Co. ", "United States ",
    "aff'd, ", "cert. denied", "(quoting ", "et al.", " at *3", "n.4", "*", "**", "_", "—", "...", ". . . ", "Tex. App.—Houston [1st Dist.] ", "A.", "A ", "aA",
    "IL App (1st) ", "2013 ", "Ohio-", "T.C. Memo. ", "(CCH) ", "33 Umbrella 422", "LEXIS ", "Rule ", "Federal Rules of Civil Procedure", "title 28 ",
)  # fmt: skip
OTHERS = (
    "10.1000/182", "https://doi.org/10.1/", "PMID: 123", "PMC12", "arXiv:2101.00001v2", "ISBN 978-0-306-40615-7", "NCT01234567", "NDA 021436", "doi:",
    "Smith J, Jones K. ", "N Engl J Med. 2020;382(1):1-10. ", "(2020). ", "et al. ", "https://example.org/a?b=c#d", "http://[::1]/", "//", "%20", "](", "[x](", "<a href=",
    "By Jane Roe, The Daily, ", "1. ", "2. ", "J. ", ";", ":", "pp. 1-9", "Vol. 3", "&", "@", "www.", "accession 0000320193-20-000096",
)  # fmt: skip
PLAIN = (
    "0", "1", "12", "2019", "9" * 40, " ", "  ", "\n", "\n\n", "\t", ".", ",", ";", "-", "–", "’", "“", "\u200b", "\u00ad", "\ufeff", "é", "中", "🙂", "\ud800", "\x00", "<i>", "</i>",
    "&sect;", "&amp;", "\\*", "the court ", "The Court ", "patients ", "January 5, 2020", "$5", "5 mg", "a", "A" * 60, "a" * 60, "(" * 30, ")" * 30, "'", '"',
)  # fmt: skip
SLOWEST = 120e-6
"""Seconds a character beyond which a text is looked at again, longer."""
PATIENCE = 10.0
"""Seconds of the processor after which a reading is stopped and said: the longest text here takes a tenth of one."""
GROWTH = 2.5
"""Times the cost per character may grow when the text is four times as long, on a machine with other work."""


def main() -> int:
    """Fuzz for the seconds asked; exit 1 where anything was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--grammar", action="append", help="dotted path; several may be given")
    asked = parser.parse_args()
    grammars = {path: found for path in asked.grammar or GRAMMARS if (found := _load(path)) is not None}
    seed = asked.seed if asked.seed is not None else random.SystemRandom().randrange(2**31)
    draw = random.Random(seed)  # noqa: S311 - reproducible texts, no secret
    signal.signal(signal.SIGVTALRM, _stop)
    for grammar in grammars.values():
        grammar("Roe v. Wade, 410 U.S. 113 (1973).")
    print(f"seed {seed}, {len(grammars)} grammars: {', '.join(grammars)}")
    texts, characters, bad = 0, 0, 0
    worst: dict[str, tuple[float, str]] = dict.fromkeys(grammars, (0.0, ""))
    until = time.monotonic() + asked.seconds
    while time.monotonic() < until:
        text = _text(draw)
        texts += 1
        characters += len(text)
        for path, grammar in grammars.items():
            cost, said = _try(grammar, text)
            if cost > worst[path][0]:
                worst[path] = (cost, text[:80])
            if said:
                bad += 1
                print(f"{path}: {said}\n  text ({len(text)}): {text[:300]!r}")
    for path, (cost, text) in worst.items():
        print(f"{path}: slowest {cost * 1e6:.1f} µs a character, on {text!r}")
    print(f"{texts:,} texts, {characters:,} characters, {bad} found wanting")
    return 1 if bad else 0


def _load(path: str) -> Callable[[str], Sequence[Any]] | None:
    module, _, name = path.rpartition(".")
    try:
        found: Callable[[str], Sequence[Any]] = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        print(f"{path}: not there ({error})")
        return None
    return found


def _text(draw: random.Random) -> str:
    fragments = draw.choice((LEGAL, OTHERS, LEGAL + PLAIN, OTHERS + PLAIN, LEGAL + OTHERS + PLAIN, PLAIN))
    how = draw.random()
    if how < 0.35:
        few = draw.sample(fragments, draw.randint(1, 3))
        return "".join(few) * draw.randint(1, 400)
    if how < 0.5:
        return draw.choice(fragments) * draw.randint(1, 2_000)
    if how < 0.7:
        before, run, after = draw.choices(fragments, k=3)
        return (before + run * draw.randint(1, 120) + after) * draw.randint(1, 8)
    return draw.choice(("", " ")).join(draw.choices(fragments, k=draw.randint(1, 300)))


class _StuckError(Exception):
    """A grammar was stopped: it took longer than any text of this length may."""


def _stop(*_: object) -> None:
    raise _StuckError


def _try(grammar: Callable[[str], Sequence[Any]], text: str) -> tuple[float, str]:
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        seconds, found = _timed(grammar, text)
    except _StuckError:
        return 0.0, f"stopped after {PATIENCE:.0f} s\n" + traceback.format_exc(limit=-3)
    except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
        return 0.0, "raised\n" + traceback.format_exc(limit=-3)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    said = _misplaced(text, found)
    cost = seconds / max(len(text), 200)
    if not said and cost > SLOWEST:
        said = _grows(grammar, text)
    return cost, said


def _timed(grammar: Callable[[str], Sequence[Any]], text: str) -> tuple[float, Sequence[Any]]:
    began = time.process_time()
    found = grammar(text)
    return time.process_time() - began, found


def _misplaced(text: str, found: Sequence[Any]) -> str:
    for place, one in enumerate(found):
        start, end = one.span
        if text[start:end] != one.reference.text or not (one.full[0] <= start < end <= one.full[1] <= len(text)):
            return f"misplaced: {one!r}"
        if one.antecedent is not None and not 0 <= one.antecedent < place:
            return f"antecedent out of order: {one!r}"
        if not all(isinstance(value, str) and value for value in one.reference.fields.values()):
            return f"an empty field: {one!r}"
    return ""


def _grows(grammar: Callable[[str], Sequence[Any]], text: str) -> str:
    """Compare the cost a character of the text with that of the text four times over."""
    short = min(_timed(grammar, text)[0] for _ in range(3)) / len(text)
    long = min(_timed(grammar, text * 4)[0] for _ in range(2)) / (4 * len(text))
    return (
        f"grows: {short * 1e6:.0f} to {long * 1e6:.0f} µs a character"
        if long > GROWTH * short and long > SLOWEST
        else ""
    )


if __name__ == "__main__":
    sys.exit(main())
