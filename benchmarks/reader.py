"""How well the reader reads: roles and extents by topic, and answers of other people that no head is fitted on.

The first table is out of fold: `training/reader.py` leaves every topic out in turn and keeps what it said of it. A role is right where the
likeliest is the labelled one; beside it stand four classes (states, declines, aside, talk and next steps) and the share and accuracy of what is said with p ≥ .7.
Extents are given by the rules alone, by the reader alone and by both together, as the tree takes them. The second runs the shipped
reader on topics that are held back (`training/written/held.txt`). The third runs it on FinanceBench (refusals for want of evidence), the half of XSTest that no
rule was written on (refusals on policy; partial ones left out), `wordings/refusals.jsonl`. Then the CPU time of a plain answer of ten sentences.

    python benchmarks/reader.py --folds build/reader/out_of_fold.npz
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
from labelled import in_first_half, rows_of
from numpy.typing import NDArray
from statsmodels.stats.proportion import proportion_confint
from wordings import ROWS, refusal_of
from wordings import rows_of as wordings_of

from showable.read.answer import read_answer
from showable.read.pooled import pooled_extent
from showable.reader.read import read_text
from showable.records import Record
from showable.records.roles import EXTENTS, ROLES, ReadText

MEASURED = ("wordings", "written/roles")
COARSE = np.array([0, 1, 2, 3, 2, 1, 0])
"""Of each role: states, declines or asks back, talk and next steps, aside."""
SURE = 0.7
TRAINING = Path(__file__).resolve().parents[1] / "training" / "reader.py"
DECLINED = {"full", "refused_then_answered"}
TEN = " ".join(
    f"Clause {number} sets the notice that the tenant must give at {number} weeks [{number}]."
    for number in range(1, 11)
)


def share(right: Iterable[bool]) -> str:
    """Return a share with its counts and Wilson's interval."""
    values = [bool(one) for one in right]
    if not values:
        return "none"
    low, high = proportion_confint(sum(values), len(values), method="wilson")
    return f"{sum(values)} of {len(values)}, {sum(values) / len(values):.1%} [{low:.1%}, {high:.1%}]"


def by_topic(path: Path) -> None:
    """Print what topics that no head had seen come to."""
    held = dict(np.load(path))
    kind_of = held["kinds"][held["answers"]]
    for kind in (*MEASURED, "all of the project's own"):
        own = np.isin(kind_of, MEASURED) if kind not in MEASURED else kind_of == kind
        own &= held["y"] >= 0
        p, y = held["roles"][own], held["y"][own]
        said = p.argmax(1)
        sure = p.max(1) >= SURE
        print(f"\n{kind}, sentences by topic")
        print(f"  role of {len(ROLES)}           {share(said == y)}")
        print(f"  role of 4           {share(COARSE[said] == COARSE[y])}")
        print(f"  said with p ≥ {SURE}    {share(sure)}; right of those {share((said == y)[sure])}")
        answers = np.isin(held["kinds"], MEASURED) if kind not in MEASURED else held["kinds"] == kind
        ruled, p_of, labels = held["ruled"][answers], held["extent"][answers], held["extents"][answers]
        both = [pooled_extent(rules, one) for rules, one in zip(ruled, _as_read(held, answers), strict=True)]
        show_extents("rules alone", ruled, labels)
        show_extents("reader alone", [EXTENTS[one] for one in p_of.argmax(1)], labels)
        show_extents("both", both, labels)


def _as_read(held: dict[str, NDArray], answers: NDArray) -> list[ReadText]:
    """Return what was said out of fold of some answers, as the reader would have given it."""
    starts = np.searchsorted(held["answers"], np.arange(len(held["kinds"]) + 1))
    found = []
    for at in np.flatnonzero(answers):
        units = [
            {"span": (place, place + 1), "p": tuple(map(float, p))}
            for place, p in enumerate(held["roles"][starts[at] : starts[at + 1]])
        ]
        extent = tuple(map(float, held["extent"][at]))
        said = {"digest": "", "reader": "", "sentences": units, "extent": extent, "basis": (0.25,) * 4}
        found.append(ReadText.model_validate(said))
    return found


def held_back() -> None:
    """Print what the shipped reader, with the rules, makes of answers on topics that are held back."""
    module = module_from_spec(spec := spec_from_file_location("training_reader", TRAINING))
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    roles, said, labels = [], [], []
    for row in module.written(module.HELD):
        reading = read_answer(Record(id="r", question=row.question, answer=row.text))
        said.append(reading.refusal.extent)
        labels.append(EXTENTS.index(row.extent))
        for (start, end), role in row.units:
            near = max(reading.read[0].sentences, key=lambda one: min(one.span[1], end) - max(one.span[0], start))
            roles.append((ROLES.index(role), ROLES.index(near.role)))
    print("\ntopics held back, rules and reader as shipped")
    print(f"  role of {len(ROLES)}           {share(one == other for one, other in roles)}")
    print(f"  role of 4           {share(COARSE[one] == COARSE[other] for one, other in roles)}")
    show_extents("both", said, np.array(labels))


def show_extents(name: str, said: Sequence[str], labels: NDArray) -> None:
    """Print extents read against extents labelled, and the two errors that cost most."""
    labelled = [EXTENTS[label] for label in labels]
    pairs = list(zip(labelled, said, strict=True))
    print(f"  extent of 4, {name:<13} {share(label == one for label, one in pairs)}")
    print(f"    others taken for full refusals   {share(one == 'full' for label, one in pairs if label != 'full')}")
    print(f"    full refusals not read as full   {share(one != 'full' for label, one in pairs if label == 'full')}")


def f1(pairs: Sequence[tuple[bool, bool]]) -> str:
    """Return F1 of refusals, with an interval by resampling answers, and the counts behind it."""
    labels, said = (np.array(one) for one in zip(*pairs, strict=True))
    rng = np.random.default_rng(0)
    draws = rng.integers(0, len(labels), (1000, len(labels)))
    both = (labels & said)[draws].sum(1)
    spread = 2 * both / np.maximum(1, labels[draws].sum(1) + said[draws].sum(1))
    low, high = np.quantile(spread, [0.025, 0.975])
    value = 2 * (labels & said).sum() / max(1, labels.sum() + said.sum())
    missed, taken = int((labels & ~said).sum()), int((~labels & said).sum())
    return f"{value:.3f} [{low:.3f}, {high:.3f}], n {len(labels)}, {int(labels.sum())} refusals, {missed} missed, {taken} answers taken for one"


def others() -> None:
    """Print what the shipped reader makes of other people's answers."""
    found: list[tuple[int, bool, bool]] = []
    alone: list[tuple[bool, bool]] = []
    for row in rows_of("answers/financebench"):
        reading = read_answer(Record(id=row["id"], question=row["question"], answer=row["response"]))
        found.append(
            (
                len(reading.read[0].sentences) if reading.read else 0,
                bool(row["refusal"]),
                reading.refusal.extent in DECLINED,
            )
        )
        p = reading.read[0].extent if reading.read else (1.0,)
        alone.append((bool(row["refusal"]), EXTENTS[p.index(max(p))] in DECLINED))
    print(f"\nFinanceBench, F1 of refusals: {f1([(label, said) for _, label, said in found])}")
    print(f"  the reader alone: {f1(alone)}")
    for low, high in ((1, 1), (2, 4), (5, 9), (10, 9999)):
        part = [(label, said) for size, label, said in found if low <= size <= high]
        print(f"  {low} to {high} sentences: {f1(part)}")
    blind = [row for row in rows_of("answers/xstest") if not in_first_half(row["id"].partition("|")[0])]
    pairs = []
    for row in blind:
        if not row["raw_label"].startswith("3"):
            reading = read_answer(Record(id=row["id"], question=row["question"], answer=row["response"]))
            pairs.append((row["raw_label"].startswith("2"), reading.refusal.extent in DECLINED))
    print(f"XSTest, the other half, F1 of refusals: {f1(pairs)}")
    rows = wordings_of(ROWS, "refusals")
    said = [refusal_of(row) for row in rows]
    print(
        f"wordings/refusals.jsonl, four classes: {share(row['label'] == one for row, one in zip(rows, said, strict=True))}"
    )
    passed = [one == "refusal" for row, one in zip(rows, said, strict=True) if row["label"] == "answer"]
    print(f"  answers taken for a refusal: {share(passed)}")


def cost() -> None:
    """Print the CPU time of one plain answer of ten sentences, read for the first time, on one thread."""
    spans, at = [], 0
    for sentence in TEN.split(". "):
        spans.append((at, min(len(TEN), at + len(sentence) + 1)))
        at += len(sentence) + 2
    times = []
    for number in range(40):
        begun = time.process_time()
        read_text(f"What is the notice in case {number}?", TEN, spans)
        times.append(1000 * (time.process_time() - begun))
    print(
        f"\nCPU of a plain answer of ten sentences: median {np.median(times[5:]):.1f} ms, least {min(times[5:]):.1f} ms"
    )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folds", type=Path, help="what training/reader.py kept of topics left out")
    options = parser.parse_args()
    if options.folds:
        by_topic(options.folds)
    held_back()
    others()
    cost()


if __name__ == "__main__":
    main()
