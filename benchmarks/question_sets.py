"""Build the 130-question sets of ContractNLI, SQuAD 2.0 and PubMedQA, check them, and print the error rate that reading them found.

`--read 40 --seed 7` prints 40 questions of each with their gold and the text of the evidence. What was found on reading is in
`question_set_judgements/*.jsonl`: the set, the id of the question, the digest of its wording (printed with it), whether it is ok,
and what is wrong in a word; no text. A judgement of a question that is no longer in the set under that id is counted apart.
Exits 1 where the check of a set finds a problem.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

from labelled import DATA

from showable.harness.corpora.corpus import Corpus
from showable.harness.corpora.open import open_corpus
from showable.harness.questions.build import Order, build, without_model
from showable.harness.questions.check import check_set
from showable.harness.questions.labelled_ground import Ground
from showable.harness.questions.question_set import QuestionSet, read_question_set
from showable.harness.questions.write import write_set
from showable.measure.rates import Rate
from showable.records.findings import OutcomeCounts
from showable.records.lines import read_lines
from showable.records.record import Question
from showable.records.wire import Wire

SETS = ("contractnli", "squad2", "pubmedqa")
JUDGEMENTS = Path(__file__).with_name("question_set_judgements")


class Judgement(Wire):
    """What a reader made of one question, as it stood when it was read; `fixed` says that it has been mended since.

    `fault` names what is wrong with it (its wording, its gold, its category, its evidence), and `why` says it in a sentence.
    `mine` is what the reader would have answered, written down before the gold was seen.
    """

    set: str
    id: str
    digest: str
    ok: bool
    fault: str | None = None
    why: str | None = None
    mine: str | None = None
    fixed: bool = False


def built(name: str, corpus: Corpus, folder: Path) -> QuestionSet:
    """Build a set as `showable questions build` does, write it, and read it back."""
    order = Order(name=name)
    write_set(build(corpus, without_model(corpus, order), order), folder)
    return read_question_set(folder)


def digest_of(question: Question) -> str:
    """Give a digest of the wording, by which a judgement is known to be of this question."""
    return hashlib.sha256(question.question.encode()).hexdigest()[:12]


def show(question: Question, corpus: Corpus) -> None:
    """Print a question with all that a reader needs to judge it."""
    gold = question.gold
    assert gold is not None
    print(
        f"\n{question.id}  {digest_of(question)}  [{question.metadata.get('made_by')}]  about {question.metadata.get('document', 'nothing')}"
    )
    print(f"  Q: {question.question}")
    aliases = f"  (or: {'; '.join(gold.aliases)})" if gold.aliases else ""
    print(f"  gold: {gold.answer or '(not in the corpus)'}{aliases}   expected: {', '.join(gold.expected)}")
    print(f"  why: {gold.why}")
    for piece in gold.evidence:
        text = corpus.by_id[piece.source_id].text or ""
        start, end = piece.start or 0, piece.end or len(text)
        print(f"  {piece.source_id}: {text[max(0, start - 160) : start]}>>>{text[start:end]}<<<{text[end : end + 160]}")


def error_rates(current: dict[str, set[tuple[str, str]]]) -> None:
    """Print the share of faulty questions of each set that was read, with the Wilson interval.

    `current` are the ids and digests of the sets as they were built now.
    """
    judged: dict[str, list[Judgement]] = defaultdict(list)
    for path in sorted(JUDGEMENTS.glob("*.jsonl")):
        for line in read_lines(path, Judgement):
            if line.value is None:
                sys.exit(str(line.problem))
            judged[line.value.set].append(line.value)
    if not judged:
        print(f"\nno judgements: nothing under {JUDGEMENTS.name}/ yet")
        return
    print("\nfaulty, of those read one by one")
    judged["all"] = [row for of_set in judged.values() for row in of_set]
    for name, rows in judged.items():
        faulty = sum(not row.ok for row in rows)
        said = Counter(row.fault or "not said" for row in rows if not row.ok)
        stale = sum((row.id, row.digest) not in current[row.set] for row in rows if row.set in current)
        print(f"  {name:<12} {Rate.of(OutcomeCounts(passed=faulty, failed=len(rows) - faulty))}  {dict(said) or ''}")
        if stale:
            print(f"  {'':<12} {stale} of them are not in the set as it is built now")


def main() -> int:
    """Build, check and print; give 1 where a check finds a problem."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--read", type=int, default=0, metavar="N", help="print N questions of each set to read")
    parser.add_argument("--seed", type=int, default=7, help="which questions are printed")
    parser.add_argument("--set", choices=SETS, action="append", help="only this set")
    asked = parser.parse_args()
    problems, current = 0, dict[str, set[tuple[str, str]]]()
    for name in asked.set or SETS:
        path = DATA / "qa" / f"{name}.jsonl.gz"
        if not path.exists():
            print(f"{name}: skipped, ../shared/data/qa/{path.name} is not beside this checkout")
            continue
        started = time.perf_counter()
        corpus = open_corpus(f"{name}:{path}")
        with tempfile.TemporaryDirectory() as folder:
            questions = built(name, corpus, Path(folder) / name)
        current[name] = {(one.id, digest_of(one)) for one in questions.questions}
        took = time.perf_counter() - started
        check = check_set(questions, Ground(corpus))
        problems += len(check.problems)
        print(
            f"\n{name}: {check.n} questions and {check.held_out} held out in {took:.1f} s; {len(check.problems)} problems"
        )
        print(
            f"  {len(corpus.by_document)} documents, {len(corpus.sources)} passages; {'; '.join(corpus.notes) or 'no notes'}"
        )
        print(f"  {', '.join(f'{category} {count}' for category, count in check.categories.items())}")
        for problem in check.problems:
            print(f"  {problem.id}: {problem.code}: {problem.problem}")
        chosen = random.Random(asked.seed)  # noqa: S311 - a reproducible sample, nothing secret
        for one in chosen.sample(questions.questions, min(asked.read, check.n)):
            show(one, corpus)
    error_rates(current)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
