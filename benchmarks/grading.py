"""Tables, reckonings, quoted spans and follow-ups through the whole flow: is what may be shown told from what may not?

The cases of `cases/` were written for this measurement, before the code that they measure; half of the right answers look
wrong. The code was then mended on them, so that their figures flatter it; tables t23 to t28 and reckonings r26 to r31 came
after the code, and were mended for once. Follow-ups are `../shared/data/written/turns`. A tenth of each set, drawn by a hash of
its passage, is *held*: of follow-ups and quoted spans it was not looked at. An answer is accepted where its bucket is correct or refused; whatever is unknown
is not. Beside it stands how many right answers are called wrong, which is worse than calling them unsupported, and the
baseline: the share of the answer's words that the cited passage has, at the threshold that is best on these very cases.

    python benchmarks/grading.py [--judge embedded] [--set tables …] [--held] [--errors N]
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labelled import DATA, Agreement, balanced_accuracy

import showable
from showable.records import Answer, Citation, Claim, Record, Scorecard, Source

CASES = Path(__file__).with_name("cases")
ACCEPTED = {"correct", "refused"}
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Case:
    """An answer with its label; cases of one group share their passage."""

    record: Record
    right: bool
    group: str
    kind: str

    @property
    def held(self) -> bool:
        """Whether it belongs to the tenth that is printed apart."""
        return hashlib.sha256(self.group.encode()).digest()[0] % 10 == 0


def rows_of(name: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file of cases."""
    for line in (CASES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def tables() -> Iterator[Case]:
    """Yield answers from tables: `right` and `wrong` ones to each passage."""
    for row in rows_of("tables"):
        yield from _cases(row, [row["passage"]], {"right": True, "wrong": False})


def reckonings() -> Iterator[Case]:
    """Yield answers that reckon: `wrong` ones miscalculate, those of `absent` have nothing to reckon from."""
    for row in rows_of("reckonings"):
        yield from _cases(row, row["passages"], {"right": True, "wrong": False, "absent": False})


def _cases(row: dict[str, Any], passages: list[str], labels: dict[str, bool]) -> Iterator[Case]:
    sources = tuple(Source(source_id=f"s{n}", text=text) for n, text in enumerate(passages, 1))
    cited = "".join(f"[{source.source_id}]" for source in sources)
    for kind, right in labels.items():
        for number, claim in enumerate(row[kind]):
            answer = f"{claim.rstrip('.')} {cited}."
            record = Record(
                id=f"{row['id']}-{kind}-{number}", question=row["question"], retrieved=sources, answer=answer
            )
            yield Case(record, right, row["id"], kind)


def quoted_spans() -> Iterator[Case]:
    """Yield structured claims that quote a fragment of the sentence that says so, or of another one of the same passage."""
    for row in rows_of("quoted_spans"):
        sentences = row["sentences"]
        source = Source(source_id="s1", text=" ".join(sentence["text"] for sentence in sentences))
        for at, sentence in enumerate(sentences):
            other = sentences[(at + 1 + len(row["id"]) % 2) % len(sentences)]
            for kind, quoted in (("right", sentence), ("wrong", other)):
                citation = Citation(source_id="s1", quoted_span=quoted["quote"])
                answer = Answer(claims=(Claim(text=sentence["claim"], citations=(citation,)),))
                record = Record(
                    id=f"{row['id']}-{kind}-{at}",
                    question="What do the documents say?",
                    retrieved=(source,),
                    answer=answer,
                )
                yield Case(record, kind == "right", row["id"], kind)


def follow_ups() -> Iterator[Case]:
    """Yield the answers to follow-up questions of `written/turns`; leave, saying so, where they are missing."""
    path = DATA / "written" / "turns.jsonl.gz"
    if not path.exists():
        print(f"skipped: follow-ups, {path.name} is not beside this checkout")
        return
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            fields = ("id", "question", "standalone_question", "history", "retrieved", "answer")
            record = Record.model_validate({field: row[field] for field in fields})
            yield Case(record, bool(row["label"]), row["group"], "follow-up")


SETS: dict[str, Callable[[], Iterator[Case]]] = {
    "tables": tables,
    "reckonings": reckonings,
    "quoted_spans": quoted_spans,
    "follow_ups": follow_ups,
}


def coverage(record: Record) -> float:
    """Return the share of an answer's words that its passages have."""
    answer = record.answer if isinstance(record.answer, str) else " ".join(c.text for c in record.answer.claims)  # type: ignore[union-attr]
    words = set(_WORD.findall(re.sub(r"\[\w+\]", "", answer).lower()))
    held = set(_WORD.findall(" ".join(source.text or "" for source in record.retrieved or ()).lower()))
    return len(words & held) / max(1, len(words))


def baseline(cases: list[Case]) -> str:
    """Print word coverage's balanced accuracy at its best threshold on these cases, which flatters it."""
    shares = [(coverage(case.record), case) for case in cases]
    found = [
        Agreement.of([(case.right, share >= cut, case.group) for share, case in shares])
        for cut in {s for s, _ in shares}
    ]
    return max(found, key=lambda one: balanced_accuracy(one.table())).show(balanced_accuracy)


def report(name: str, scored: list[tuple[Case, Scorecard]], errors: int) -> None:
    """Print the figures of a set, and some of the answers that came out otherwise than labelled."""
    found = Agreement.of([(case.right, card.bucket in ACCEPTED, case.group) for case, card in scored])
    (tp, fn), (fp, tn) = found.table().astype(int)
    wrongly = sum(case.right and card.bucket == "wrong" for case, card in scored)
    unknown = sum(card.bucket == "unknown" for _, card in scored)
    print(f"{name}: n {len(scored)}, groups {len({case.group for case, _ in scored})}")
    print(
        f"  balanced accuracy {found.show(balanced_accuracy)}   right: {tp} accepted, {fn} not   wrong: {tn} not, {fp} accepted"
    )
    print(f"  right ones called wrong {wrongly} of {tp + fn}   unknown {unknown} of {len(scored)}")
    print(f"  word coverage      {baseline([case for case, _ in scored])}")
    causes = Counter((case.kind, f"{card.bucket} {card.cause or ''}".strip()) for case, card in scored)
    for kind in dict.fromkeys(case.kind for case, _ in scored):
        print(f"  {kind:<10} " + ", ".join(f"{said} {n}" for (of, said), n in causes.most_common() if of == kind))
    for case, card in scored:
        if errors and case.right != (card.bucket in ACCEPTED):
            errors -= 1
            answer = case.record.answer if isinstance(case.record.answer, str) else card.claims[0].text
            print(f"    {case.record.id} {card.bucket} {card.cause or ''}: {answer}")
            print(f"      {'; '.join(f'{f.code}: {f.reason}' for f in card.findings)[:400]}")


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--judge", default="embedded")
    options.add_argument("--set", nargs="*", choices=list(SETS), default=list(SETS))
    options.add_argument("--held", action="store_true", help="the held tenth alone, else the other nine")
    options.add_argument("--errors", type=int, default=0, help="print this many of each set")
    chosen = options.parse_args()
    for name in chosen.set:
        cases = [case for case in SETS[name]() if case.held == chosen.held]
        if cases:
            result = showable.evaluate([case.record for case in cases], judge=chosen.judge)
            report(name, list(zip(cases, result, strict=True)), chosen.errors)
            print(f"  {result.summary.signature}")


if __name__ == "__main__":
    main()
