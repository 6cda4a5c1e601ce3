"""Questions from what people said of 17 hypotheses about each of many agreements (ContractNLI)."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise

from probative.harness.corpora.contract_hypotheses import HYPOTHESES, Hypothesis, hypothesis_key
from probative.harness.corpora.contractnli import agreement_named
from probative.harness.corpora.corpus import Labelled
from probative.harness.questions.candidates import Candidate
from probative.harness.questions.labelled_ground import Ground, answered, share_of, unanswered

_FOUND = 40
"""Passages looked through for a near miss: those that a search for the matter itself, no party named, brings up first."""
_ANSWERABLE, _NULL, _TEMPT = 4, 5, 8
"""Labels of the first tenths are asked as they are, those of the next with nothing retrieved, then beside a near miss, then turned round."""
_FEWEST_ALIKE, _ALIKE_IN = 5, 160
"""Of one hypothesis so many labels of a kind are used in a category, or one in so many of all: most agreements are of one mind on some."""
_YEAR = re.compile(r"\b(?:19[89]|20[012])\d\b")
_OPENING = 700
_EARLIER = 7
_ANY_AGREEMENT = "the non-disclosure agreement"


def contract_candidates(ground: Ground) -> Iterator[Candidate]:
    """Make candidates of all categories but `tempt_unsupported`, which needs no labels."""
    by_key: dict[str, list[Labelled]] = defaultdict(list)
    for label in ground.corpus.labelled:
        if key := hypothesis_key(label.id):
            by_key[key].append(label)
    most = max(_FEWEST_ALIKE, len(ground.corpus.labelled) // _ALIKE_IN)
    for key, labels in by_key.items():
        alike = Counter[tuple[str, str]]()
        for label in labels:
            for candidate in _of_label(ground, HYPOTHESES[key], label, labels):
                alike[candidate.category, label.kind] += 1
                if alike[candidate.category, label.kind] <= most:
                    yield candidate
        yield from _ambiguous(key, labels)
    yield from _never_made(ground)
    yield from _another_year(ground)


def _of_label(ground: Ground, hypothesis: Hypothesis, label: Labelled, labels: list[Labelled]) -> Iterator[Candidate]:
    question = _asked(ground, hypothesis, label)
    share = share_of(label.id)
    if label.kind == "absent":
        why = f"people found that the agreement does not say: {label.statement}"
        yield unanswered("unanswerable", label.id, question, "labels:absent", why, document=label.document)
    elif share < _ANSWERABLE:
        yield answered("answerable", label, question, f"labels:{label.kind}", f"people's label of: {label.statement}")
    elif share < _NULL:
        why = "the corpus answers it; nothing is retrieved"
        yield answered("null_retrieval", label, question, f"labels:{label.kind}", why)
    elif share < _TEMPT:
        yield from _near_miss(ground, hypothesis, label, labels, question)
    else:
        yield from _turned_round(ground, hypothesis, label)


def _asked(ground: Ground, hypothesis: Hypothesis, label: Labelled) -> str:
    """Ask in one of two wordings, so that a set does not read like one form filled in."""
    if share_of(f"wording {label.id}") % 2:
        return label.question
    return f"Does {_named(ground, label.document)} {hypothesis.says}?"


def _named(ground: Ground, document: str) -> str:
    return agreement_named(tuple(ground.corpus.by_document[document][0].metadata["parties"]))


def _near_miss(
    ground: Ground, hypothesis: Hypothesis, label: Labelled, labels: list[Labelled], question: str
) -> Iterator[Candidate]:
    """Ask of one agreement what another answers the other way, in a passage that a search brings up too."""
    opposite = {
        evidence.source_id: other.document
        for other in labels
        if other.kind not in {label.kind, "absent"} and other.document != label.document
        for evidence in other.gold.evidence
    }
    for found in ground.search.search(f"{hypothesis.asks} {hypothesis.says}", _FOUND):
        if found.source_id in opposite:
            why = f"near miss: {found.source_id} is of another agreement, which answers it the other way"
            yield answered("tempt_wrong", label, question, "labels:near_miss", why, others=[opposite[found.source_id]])
            return


def _turned_round(ground: Ground, hypothesis: Hypothesis, label: Labelled) -> Iterator[Candidate]:
    """Ask why the agreement says what it contradicts."""
    premise = hypothesis.opposite if label.kind == "answered" else hypothesis.says
    question = f"Why does {_named(ground, label.document)} {premise}?"
    why = f"false premise: people found the opposite in the agreement ({label.gold.answer} to: {label.statement})"
    truth = f"It does not {premise}." if premise.split()[0] not in {"end", "keep"} else "It does not."
    right = label.model_copy(update={"gold": label.gold.model_copy(update={"answer": truth, "aliases": ()})})
    yield answered("adversarial", right, question, "labels:false_premise", why)


def _ambiguous(key: str, labels: list[Labelled]) -> Iterator[Candidate]:
    """Leave out which agreement is meant, where one says yes and another no."""
    yes = [label for label in labels if label.kind == "answered"]
    no = [label for label in labels if label.kind == "contradicted"]
    if not yes or not no:
        return
    why = f"ambiguous: it does not say which agreement; {yes[0].document} answers yes, {no[0].document} no"
    others = [yes[0].document, no[0].document]
    hypothesis = HYPOTHESES[key]
    wordings = (f"Under {_ANY_AGREEMENT}, {hypothesis.asks}?", f"Does the agreement {hypothesis.says}?")
    for number, question in enumerate(wordings):
        yield unanswered("refusal_due", f"{key}-{number}", question, "labels:ambiguous", why, others=others)


def _never_made(ground: Ground) -> Iterator[Candidate]:
    """Put a party of one agreement with a party of another: no such agreement is in the corpus."""
    named = {
        document: sources[0].metadata["parties"]
        for document, sources in ground.corpus.by_document.items()
        if sources[0].metadata.get("parties")
    }
    keys = sorted(HYPOTHESES)
    for number, (one, other) in enumerate(pairwise(sorted(named))):
        pair = (named[one][0], named[other][-1])
        if next(ground.words.holding(list(pair)), None) is None:
            question = f"Under {agreement_named(pair)}, {HYPOTHESES[keys[number % len(keys)]].asks}?"
            why = f"adjacent entities: the corpus has an agreement with each ({one}, {other}), and none between the two"
            yield unanswered(
                "adversarial",
                f"{one}-{other}",
                question,
                "template:never_made",
                why,
                document=one,
                others=[other],
                absent=pair,
            )


def _another_year(ground: Ground) -> Iterator[Candidate]:
    """Give an agreement a year in which it was not made."""
    keys = sorted(HYPOTHESES)
    for number, (document, sources) in enumerate(ground.corpus.by_document.items()):
        year = _YEAR.search((sources[0].text or "")[:_OPENING])
        parties = sources[0].metadata.get("parties")
        if not parties or not year:
            continue
        wrong = str(int(year[0]) - _EARLIER)
        absent = [parties[0], wrong]
        if next(ground.words.holding(absent), None) is None and not any(wrong in (s.text or "") for s in sources):
            said = agreement_named(tuple(parties)).replace("the non-disclosure", f"the {wrong} non-disclosure", 1)
            question = f"Under {said}, {HYPOTHESES[keys[number % len(keys)]].asks}?"
            why = f"wrong date: the agreement of these parties in the corpus ({document}) gives {year[0]}, none gives {wrong}"
            yield unanswered(
                "adversarial", document, question, "template:another_year", why, document=document, absent=absent
            )
