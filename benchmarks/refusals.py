"""How well refusals are read: refused or answered, how far, and on what basis, against people's labels.

FinanceBench's refusals are refusals for want of evidence; XSTest's are refusals of harm. Both are cut into halves by a
hash of the question's id. Errors were read, and the rules mended, on the *read* half only (`labelled.in_first_half`);
no answer of the *blind* half was looked at for the rules of basis, of pronouns and of policy. Earlier rules on refusals
had been tuned on both halves of FinanceBench, which is therefore blind only for what was mended since.

Answers that people call a partial refusal (XSTest) stand in the three-way table only.

    python benchmarks/refusals.py [--errors N]
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from labelled import Agreement, balanced_accuracy, f1, in_first_half, kappa, rows_of

from showable.read.answer import read_answer
from showable.read.reading import RefusalReading
from showable.records import Record

LABELS = ("full", "partial", "none")
EXTENT = {"full": "full", "partial": "partial", "refused_then_answered": "partial", "none": "none"}
"""XSTest calls it a partial refusal where an answer declines and then helps all the same."""
XSTEST = {"1_full_compliance": "none", "2_full_refusal": "full", "3_partial_refusal": "partial"}
DECLINED = {"full", "refused_then_answered"}
"""Read as a refusal where there are two labels: also an answer that declines and then goes on."""
BASELINE = re.compile(
    r"\b(?:cannot|can['’]t|unable|not (?:provided|available|enough|mention)|no information|sorry)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Read:
    """One answer: its set, its question, people's label and the reading."""

    name: str
    question: str
    label: str
    text: str
    refusal: RefusalReading

    @property
    def is_blind(self) -> bool:
        """Whether its question belongs to the half that was not read."""
        return not in_first_half(self.question)


def read_all() -> Iterator[Read]:
    """Read every answer of both sets."""
    for name in ("financebench", "xstest"):
        for row in rows_of(f"answers/{name}"):
            record = Record(id=row["id"], question=row["question"], answer=row["response"])
            label = XSTEST.get(row["raw_label"]) or ("full" if row["refusal"] else "none")
            question = row["id"].partition("|")[0]
            yield Read(name, question, label, row["response"], read_answer(record).refusal)


def detection(reads: Sequence[Read]) -> str:
    """Print refused against answered: the table, and figures with intervals, for the reader and for one regex."""
    kept = [r for r in reads if r.label != "partial"]
    lines = []
    for name, tool in (
        ("reader", [r.refusal.extent in DECLINED for r in kept]),
        ("one regex", [BASELINE.search(r.text) is not None for r in kept]),
    ):
        found = Agreement.of([(r.label == "full", said, r.question) for r, said in zip(kept, tool, strict=True)])
        (tp, fn), (fp, tn) = found.table().astype(int)
        figures = f"F1 {found.show(f1)}   balanced accuracy {found.show(balanced_accuracy)}   kappa {found.show(kappa)}"
        lines.append(
            f"    {name:<10} n {len(kept):>3}   refused {tp:>3} {fn:>3}   answered {fp:>3} {tn:>3}   {figures}"
        )
    return "\n".join(lines)


def confusion(reads: Sequence[Read]) -> str:
    """Print people's full, partial, none (rows) against the reader's (columns), and accuracy."""
    counts = Counter((r.label, EXTENT[r.refusal.extent]) for r in reads)
    right = sum(counts[label, label] for label in LABELS)
    rows = [f"      {label:<8}" + "".join(f"{counts[label, said]:>6}" for said in LABELS) for label in LABELS]
    head = "      people \\ read" + "".join(f"{label:>9}" for label in LABELS)
    return "\n".join([head, *rows, f"      accuracy {right / len(reads):.3f} of {len(reads)}"])


def bases(reads: Sequence[Read], wanted: str) -> str:
    """Print, of people's full refusals, how many are read with the basis that the set has."""
    refused = [r for r in reads if r.label == "full"]
    declining = [r for r in refused if r.refusal.basis is not None]
    right = sum(r.refusal.basis == wanted for r in refused)
    others = Counter(r.refusal.basis or "not read as declining" for r in refused if r.refusal.basis != wanted)
    rest = ", ".join(f"{name} {n}" for name, n in others.most_common()) or "none"
    return (
        f"    basis {wanted}: {right} of {len(refused)} refusals ({right / len(refused):.3f}); "
        f"{right} of the {len(declining)} read as declining ({right / len(declining):.3f}); others: {rest}"
    )


def show_errors(reads: Sequence[Read], count: int) -> None:
    """Print answers of the read half on which people and the reader part."""
    wrong = [r for r in reads if not r.is_blind and (r.label == "full") != (r.refusal.extent in DECLINED)]
    for r in wrong[:count]:
        said = f"{r.refusal.extent}, {r.refusal.basis}"
        print(f"\n--- {r.name} {r.question}: people {r.label}, read {said}\n{r.text[:600]}")


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--errors", type=int, default=0, help="print this many errors of the half that was read")
    chosen = options.parse_args()
    reads = list(read_all())
    print("each line: people's refusals read as such or not, people's answers read as refusals or not")
    print("95 % intervals, bootstrap over questions")
    for name, wanted in (("financebench", "evidence"), ("xstest", "policy")):
        for half, blind in (("read half", False), ("blind half", True)):
            part = [r for r in reads if r.name == name and r.is_blind == blind]
            print(f"\n{name}, {half}, {len({r.question for r in part})} questions\n{detection(part)}")
            print(bases(part, wanted))
            if name == "xstest":
                print(confusion(part))
    for half, blind in (("read half", False), ("blind half", True)):
        told = [r for r in reads if r.label == "full" and r.refusal.basis is not None and r.is_blind == blind]
        right = sum(r.refusal.basis == ("evidence" if r.name == "financebench" else "policy") for r in told)
        print(f"\nbasis told apart, both sets, {half}: {right} of {len(told)} ({right / len(told):.3f})")
    show_errors(reads, chosen.errors)


if __name__ == "__main__":
    main()
