"""From a corpus to a question set: make candidates, choose among them, and write down all that was done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from showable import __version__
from showable.errors import SettingError
from showable.harness.corpora.corpus import Corpus
from showable.harness.questions import from_text
from showable.harness.questions.assemble import Picked, largest_that_fits, number, pick, pick_what_there_is
from showable.harness.questions.candidates import Candidate
from showable.harness.questions.check_evidence import check_evidence
from showable.harness.questions.check_found import Problem
from showable.harness.questions.check_gold import check_gold
from showable.harness.questions.from_labels_abstracts import abstract_candidates
from showable.harness.questions.from_labels_articles import article_candidates
from showable.harness.questions.from_labels_contracts import contract_candidates
from showable.harness.questions.from_labels_refusals import abstract_refusals, article_refusals, contract_refusals
from showable.harness.questions.from_world_knowledge import world_knowledge_candidates
from showable.harness.questions.labelled_ground import Ground, answered, share_of, unanswered
from showable.harness.questions.question_set import QuestionSet
from showable.harness.questions.shape import LEAST, PROTOCOL
from showable.harness.questions.split import Halves, split
from showable.records.evidence import Cost
from showable.records.record import Category, Gold, Question

FEWEST_PASSAGES = 5
"""From so many on a smaller set is made where the whole one cannot be."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked for: how many questions, how many held out beside them, by which seed, under which name.

    `or_fewer` takes a smaller set where the corpus does not carry `n`, out of the protocol's proportions if need be.
    """

    name: str
    n: int = 130
    held_out: int = 26
    seed: int = 0
    or_fewer: bool = False


@dataclass(frozen=True, slots=True)
class Made:
    """Candidates, how many were rejected and why, and what else a reader of the card should know.

    `model` and `prompt_hash` name what wrote them, None where no model did; `judge` is who checked what it wrote; `cost` is what the
    model was paid, the judge not counted.
    """

    candidates: list[Candidate]
    rejected: Counter[str] = field(default_factory=Counter)
    notes: tuple[str, ...] = ()
    model: str | None = None
    prompt_hash: str | None = None
    judge: str | None = None
    cost: Cost | None = None


@dataclass(frozen=True, slots=True)
class Built:
    """A set and the facts about it, as `set.json` holds them."""

    questions: QuestionSet
    facts: dict[str, Any]


def without_model(corpus: Corpus, order: Order) -> Made:
    """Make candidates from people's labels where the corpus has them, and from the text alone where those do not reach."""
    if not corpus.labelled:
        return _from_text(corpus, order.seed)
    labelled = sieved(Made(from_labels(corpus)), corpus)
    return completed(labelled, lambda: _from_text(corpus, order.seed), order, "the labels", "templates")


def _from_text(corpus: Corpus, seed: int) -> Made:
    made = [*from_text.candidates(corpus, seed), *world_knowledge_candidates(Ground(corpus))]
    return sieved(Made(made), corpus)


def sieved(made: Made, corpus: Corpus) -> Made:
    """Leave out what `questions check` would find fault with, counted by its code."""
    ground, kept, rejected = Ground(corpus), list[Candidate](), Counter(made.rejected)
    for candidate in made.candidates:
        question = candidate.question
        found = [*check_gold(question), *check_evidence(question, question.gold or Gold(), ground)]
        problem = next((one for one in found if isinstance(one, Problem)), None)
        if problem is None:
            kept.append(candidate)
        else:
            rejected[problem.code] += 1
    return replace(made, candidates=kept, rejected=rejected)


def short_of(made: Made, order: Order) -> list[Category]:
    """Return which categories hold too few candidates for the set and the held-out one, near-duplicates counted once."""
    return list(pick(made.candidates, order.n + order.held_out, order.seed).short)


def completed(made: Made, others: Callable[[], Made], order: Order, who: str, by: str) -> Made:
    """Fill the categories that were left short with other candidates, and say so."""
    short = short_of(made, order)
    if not short:
        return made
    more = others()
    filling = [candidate for candidate in more.candidates if candidate.category in short]
    if not filling:
        return replace(made, notes=(*made.notes, *more.notes))
    said = f"{who} left {', '.join(short)} short; {by} fill in where they can"
    return replace(
        made,
        candidates=[*made.candidates, *filling],
        rejected=made.rejected + more.rejected,
        notes=(*made.notes, said, *more.notes),
    )


def build(corpus: Corpus, made: Made, order: Order) -> Built:
    """Choose the questions of a set. Raises SettingError where the corpus does not carry as many as asked for.

    With `or_fewer` that is fewer than `LEAST`, or fewer than `FEWEST_PASSAGES`.
    """
    halves = split(made.candidates, order.n, order.held_out, order.seed)
    if not halves.main.complete and order.or_fewer and len(corpus.sources) >= FEWEST_PASSAGES:
        main = pick_what_there_is(made.candidates, order.n, order.seed)
        halves = Halves(main, Picked(), own_documents=False, note="because the set is short of questions")
    too_few = len(halves.main.candidates) < LEAST or not order.or_fewer or len(corpus.sources) < FEWEST_PASSAGES
    if not halves.main.complete and too_few:
        raise SettingError(_falls_short(corpus, made, order, halves))
    held_out = number(halves.held_out.candidates, f"{order.name}-held")
    questions = number(halves.main.candidates, order.name)
    chosen = QuestionSet(
        name=order.name,
        questions=tuple(questions),
        held_out=tuple(held_out),
        corpus=tuple(corpus.sources),
        fingerprint=corpus.fingerprint,
        missing=_missing(halves.main),
    )
    return Built(chosen, _facts(corpus, made, order, halves, chosen))


def _missing(main: Picked) -> dict[str, int]:
    return {category: wanted - got for category, (got, wanted) in main.short.items()}


def _falls_short(corpus: Corpus, made: Made, order: Order, halves: Halves) -> str:
    short = halves.main.short
    said = ", ".join(f"{name} {got} of {wanted}" for name, (got, wanted) in short.items())
    fits = largest_that_fits(made.candidates, order.n, order.seed)
    then = f"--n {fits} fits" if fits else f"not even {LEAST} questions, one a category, can be made"
    then += "" if made.model else "; with --model a chat model writes more"
    return (
        f"{corpus.name}: the corpus does not carry {order.n} questions in the protocol's proportions ({said}); {then}"
    )


def _facts(corpus: Corpus, made: Made, order: Order, halves: Halves, chosen: QuestionSet) -> dict[str, Any]:
    both = [*halves.main.candidates, *halves.held_out.candidates]
    rejected = Counter(made.rejected)
    if passed := halves.main.duplicates + halves.held_out.duplicates:
        rejected["near_duplicate"] += passed
    return {
        "name": order.name,
        "showable": __version__,
        "corpus": {
            "name": corpus.name,
            "origin": corpus.origin,
            "licence": corpus.licence,
            "fingerprint": corpus.fingerprint,
            "documents": len(corpus.by_document),
            "passages": len(corpus.sources),
            "notes": list(corpus.notes),
        },
        "n": len(chosen.questions),
        "seed": order.seed,
        "categories": _by_category(chosen.questions),
        "missing": _missing(halves.main),
        "held_out": {
            "asked_for": order.held_out,
            "n": len(chosen.held_out),
            "categories": _by_category(chosen.held_out),
            "own_documents": halves.own_documents,
            "note": halves.note,
        },
        "made_by": dict(sorted(Counter(candidate.made_by for candidate in both).items())),
        "model": made.model,
        "prompt_hash": made.prompt_hash,
        "judge": made.judge,
        "model_cost": made.cost.model_dump() if made.cost is not None else None,
        "candidates": dict(Counter(candidate.category for candidate in made.candidates)),
        "rejected": dict(sorted(rejected.items())),
        "documents": dict(sorted(Counter(c.document for c in halves.main.candidates if c.document).items())),
        "notes": list(made.notes),
    }


def _by_category(questions: tuple[Question, ...]) -> dict[str, int]:
    counted = Counter(question.gold.category for question in questions if question.gold is not None)
    return {part.category: counted[part.category] for part in PROTOCOL}


# Candidates from what people labelled: answers with their evidence, contradictions, and what a document does not say. No model.


_Makers = tuple[Callable[[Ground], Iterator[Candidate]], ...]
_MAKERS: dict[str, _Makers] = {
    "contractnli": (contract_candidates, contract_refusals),
    "pubmedqa": (abstract_candidates, abstract_refusals),
    "squad2": (article_candidates, article_refusals),
}
_NULL = 8
"""Of other corpora, labels from this tenth on are asked with nothing retrieved."""


def from_labels(corpus: Corpus) -> list[Candidate]:
    """Make candidates from the labels of a corpus, and `tempt_unsupported` ones from world knowledge.

    All categories come of ContractNLI, PubMedQA and SQuAD; of other labelled corpora only those that the labels are
    themselves: `answerable`, `unanswerable`, `null_retrieval`. The same corpus gives the same candidates.
    """
    ground = Ground(corpus)
    makers = _MAKERS.get(corpus.name, (_as_labelled,)) if corpus.labelled else ()
    return [candidate for maker in (*makers, world_knowledge_candidates) for candidate in maker(ground)]


def _as_labelled(ground: Ground) -> Iterator[Candidate]:
    for label in ground.corpus.labelled:
        made_by = f"labels:{label.kind}"
        if label.kind == "absent":
            why = "people's label: the document does not say"
            yield unanswered("unanswerable", label.id, label.question, made_by, why, document=label.document)
        elif share_of(label.id) < _NULL:
            yield answered("answerable", label, label.question, made_by, "people's label")
        else:
            why = "the corpus answers it; nothing is retrieved"
            yield answered("null_retrieval", label, label.question, made_by, why)
