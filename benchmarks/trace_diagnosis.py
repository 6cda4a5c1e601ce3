"""Generator or retriever: how often the diagnosis is right, on pairs of traces whose semantic score is the same.

Of each question there are two traces. Clean: the passage that it was asked about is in the retrieval log among four others. Degraded: in its place is
another of somewhere else. The answer is the same sentence of yet another passage, cited to the first passage; every verdict of the judge is `unsupported`
in both, so that structure, resolvability and the semantic score are the same. Right is `generator` for the clean log and `retriever` for the degraded one;
`unknown` is neither right nor wrong, and counted. The baseline says `generator` always.

Two sets: pairs written here (`PAIRS`), which the thresholds were set on, and the questions of SQuAD 2.0, which they were not (../shared/data/qa,
read in place, left out where it is missing): with the other passages from other articles, and, harder, from the same article.

    python benchmarks/trace_diagnosis.py [--questions N]
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from showable.measure.rates import wilson_interval
from showable.read.answer import read_answer
from showable.records.evidence import Evidence, PairVerdict, Verdict
from showable.records.profile import GENERAL
from showable.records.record import Record, Source
from showable.records.scorecard import Scorecard
from showable.rubrics.grade import grade
from showable.traces.diagnosis import diagnose

SQUAD = Path(__file__).resolve().parents[2] / "shared/data/qa/squad2.jsonl.gz"
OTHERS = 4
# Question and the passage that answers it; the rest of the log is made of the others' passages. Each is about a thing of its own.
PAIRS = (
    ("What notice must the tenant give to end the lease?", "A tenant who wishes to end the lease gives thirty days' notice in writing to the landlord."),
    ("How large is the security deposit for a flat?", "The landlord may ask for a security deposit of at most two months' rent, whatever the size of the flat."),
    ("Which vaccine is given at birth?", "Newborns are given the hepatitis B vaccine within a day of birth, before they leave the ward."),
    ("What is the maximum daily dose of ibuprofen for adults?", "Adults take no more than 1,200 mg of ibuprofen a day without advice; the dose is taken with food."),
    ("When did the Rhine bridge at Keld open?", "The bridge over the Rhine at Keld was opened in 1931 after four years of work."),
    ("Who designed the town library in Marsden?", "The library of Marsden, of yellow brick, was designed by the architect Ida Pohl and built by the town."),
    ("How much revenue did Halvor AS report in 2022?", "For 2022 Halvor AS reports revenue of 48 million kroner, down from 51 million the year before."),
    ("What colour are the safety valves on the new boilers?", "On boilers of the new type the safety valves are painted red and the drain valves green."),
    ("How do I reset the password of my account?", "To reset the password of an account, choose Forgotten on the sign-in page and follow the link in the mail."),
    ("Which port does the mail gateway listen on?", "The mail gateway listens on port 2525 and hands accepted messages to the queue."),
    ("What is the warranty period for the pump?", "The pump carries a warranty of three years from the date of sale, wear parts left out."),
    ("How often must the lift be inspected?", "An inspector examines each lift twice a year; the certificate hangs in the cabin."),
    ("Which countries signed the fishing treaty of 1974?", "The fishing treaty of 1974 was signed by Norway, Iceland and the Faroe Islands."),
    ("What does the insurance pay for a stolen bicycle?", "For a bicycle that is stolen the insurance pays its value when new, up to 900 euros."),
    ("What temperature kills salmonella in eggs?", "Salmonella in eggs dies when the yolk is held at 71 degrees for a short time."),
    ("How are overtime hours paid on Sundays?", "Hours of overtime worked on a Sunday are paid at twice the hourly wage."),
    ("Which file holds the settings of the scheduler?", "The scheduler reads its settings from scheduler.toml in the folder it was started in."),
    ("What is the fine for parking in the bus lane?", "Who parks in a bus lane pays a fine of 110 euros, and the towing."),
    ("Who may sign contracts for the association?", "Contracts of the association are signed by the chair together with the treasurer."),
    ("What crop was planted on the north field after barley?", "After the barley the north field was planted with clover and left for two years."),
    ("Does aspirin interact with warfarin?", "Taken together with warfarin, aspirin makes bleeding likelier; the interaction is well known."),
    ("How long is the probation period for apprentices?", "Apprentices have a probation period of four months, others of six."),
    ("What is the population of the island of Suli?", "On the island of Suli there live 312 people, a third of them in summer only."),
    ("Which gas is used in the cooling circuit?", "The cooling circuit is filled with carbon dioxide; no other gas may be used in it."),
    ("What was the cause of the fire in the archive?", "The fire in the archive was caused by a lamp that had been left on in the cellar."),
    ("How many members sit on the audit committee?", "Five members sit on the audit committee, none of whom works for the company."),
    ("When must the annual report be filed?", "The annual report is filed by the end of May with the register of companies."),
    ("Which enzyme breaks down lactose?", "Lactose is broken down by lactase, an enzyme of the small intestine."),
    ("What rate of interest applies to late payments?", "Late payments bear interest at eight points above the base rate."),
    ("How deep is the harbour at low tide?", "At low tide the harbour is four metres deep along the quay, less at the slip."),
    ("Can a member be expelled without a hearing?", "No member is expelled without having had a hearing before the board."),
    ("What must be on the label of a jar of honey?", "The label of a jar of honey names the country of origin, the weight and the beekeeper."),
    ("Which metal is the hull of the ferry made of?", "The hull of the ferry is of aluminium, a metal that needs no paint below the line."),
    ("How many kilometres of track were laid by 1890?", "By 1890 the company had laid 640 kilometres of track, most of it single."),
    ("What side effects does the new inhaler have?", "Side effects of the new inhaler are a dry mouth and, seldom, a tremor of the hands."),
    ("Who owns the rights to the translation?", "The rights to the translation are owned by the translator and licensed to the press for ten years."),
    ("At what age may children travel alone on the train?", "Children may travel alone on the train from the age of six; younger ones need company."),
    ("How is the membership fee refunded after moving away?", "Members who move away have the fee refunded for the months that are left of the year."),
    ("What voltage does the pasture fence carry?", "A pasture fence carries pulses of 8,000 volts, which startle and do no harm."),
    ("Which court hears appeals in patent matters?", "Appeals in matters of patents are heard by the patent court alone."),
    ("What stain is used to see the bacteria under the microscope?", "The bacteria are stained with crystal violet before they are looked at under the microscope."),
    ("How soon must a data breach be reported?", "A breach of personal data is reported to the authority within 72 hours of its being found."),
)  # fmt: skip


class Asked(NamedTuple):
    """A question, its passage, and the article or matter that it is from."""

    question: str
    passage: str
    article: str


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=1000)
    most = parser.parse_args().questions
    own = [Asked(question, passage, str(number)) for number, (question, passage) in enumerate(PAIRS)]
    _report(f"{len(own)} pairs written here (the thresholds were set before it was run)", own, same_article=False)
    if not SQUAD.exists():
        print(f"SQuAD 2.0 is left out: {SQUAD.name} is not there")
        return
    asked = _squad(most)
    articles = len({one.article for one in asked})
    _report(f"SQuAD 2.0, answerable, {articles} articles, other passages of other articles", asked, same_article=False)
    _report(f"SQuAD 2.0, answerable, {articles} articles, other passages of the same article", asked, same_article=True)


def _squad(most: int) -> list[Asked]:
    with gzip.open(SQUAD, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    asked = [
        Asked(row["question"], row["passages"][0]["text"], row["passages"][0]["title"])
        for row in rows
        if row["answerable"]
    ]
    random.Random(8).shuffle(asked)  # noqa: S311 - the same questions each time
    return asked[:most]


def _report(name: str, asked: Sequence[Asked], *, same_article: bool) -> None:
    told: dict[str, Counter[str]] = {"generator": Counter(), "retriever": Counter()}
    alike = pairs = 0
    for clean, degraded in _traces(asked, same_article=same_article):
        pairs += 1
        alike += _score(clean[1]) == _score(degraded[1])
        told["generator"][diagnose(*clean)[0]] += 1
        told["retriever"][diagnose(*degraded)[0]] += 1
    print(f"\n{name}: {pairs} pairs, the score is the same in {alike}")
    right = sum(told[due][due] for due in told)
    decided = sum(count for counts in told.values() for said, count in counts.items() if said != "unknown")
    for due, counts in told.items():
        print(
            f"  {'clean' if due == 'generator' else 'degraded':<9} "
            + ", ".join(f"{said} {n}" for said, n in counts.most_common())
        )
    print(f"  right of all       {_rate(right, 2 * pairs)}")
    print(f"  right of decided   {_rate(right, decided)}")
    print(f"  always `generator` {_rate(pairs, 2 * pairs)}")


def _rate(passed: int, n: int) -> str:
    if not n:
        return "nothing was decided"
    low, high = wilson_interval(passed / n, n)
    return f"{passed / n:6.1%} ({passed}/{n}, 95 % CI {low:.1%}-{high:.1%})"


def _score(card: Scorecard) -> tuple[object, ...]:
    return card.bucket, card.cause, card.citation_exists, card.citation_supports, tuple(c.support for c in card.claims)


def _traces(
    asked: Sequence[Asked], *, same_article: bool
) -> Iterator[tuple[tuple[Record, Scorecard], tuple[Record, Scorecard]]]:
    """Make a clean and a degraded trace of each question; one whose article has too few other passages is left out."""
    chance = random.Random(8)  # noqa: S311 - the same traces each time
    by_article: dict[str, set[str]] = defaultdict(set)
    for one in asked:
        by_article[one.article].add(one.passage)
    every = sorted({(one.article, one.passage) for one in asked})
    for one in asked:
        if same_article:
            pool = sorted(by_article[one.article] - {one.passage})
        else:
            pool = [
                passage
                for article, passage in chance.sample(every, min(len(every), 4 * OTHERS))
                if article != one.article
            ]
        if len(pool) < OTHERS + 2:
            continue
        *others, replacement, elsewhere = chance.sample(pool, OTHERS + 2)
        answer = elsewhere.split(". ")[0].strip().rstrip(".")
        place = chance.randrange(OTHERS + 1)
        yield (
            _graded(one.question, [*others[:place], one.passage, *others[place:]], answer),
            _graded(one.question, [*others[:place], replacement, *others[place:]], answer),
        )


def _graded(question: str, passages: Sequence[str], answer: str) -> tuple[Record, Scorecard]:
    log = tuple(Source(source_id=f"p{number}", text=text) for number, text in enumerate(passages, 1))
    record = Record(id="pair", question=question, retrieved=log, answer=f"{answer} [p1].")
    reading = read_answer(record)
    claims = reading.answer.claims if reading.answer else ()
    unsupported = Verdict(label="unsupported", judge="scripted")
    pairs = tuple(
        PairVerdict(
            claim=claim, sources=(source.source_id,), role="cited" if number == 0 else "other", verdict=unsupported
        )
        for claim in range(len(claims))
        for number, source in enumerate(log)
    )
    return record, grade(record, reading, Evidence(id="pair", judge="scripted", pairs=pairs), GENERAL)


if __name__ == "__main__":
    main()
