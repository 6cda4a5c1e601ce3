"""Questions from what people said of 17 hypotheses about each of many agreements (ContractNLI)."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import islice, pairwise
from typing import NamedTuple

from showable.harness.corpora.contract_hypotheses import HYPOTHESES, Hypothesis, hypothesis_key
from showable.harness.corpora.contract_names import agreement_named
from showable.harness.corpora.corpus import Labelled
from showable.harness.questions.candidates import Candidate
from showable.harness.questions.contract_evidence import borne_out, that_shows
from showable.harness.questions.labelled_ground import Ground, answered, share_of, unanswered
from showable.records.record import Source

_FOUND = 20
"""Passages of other agreements looked through for a near miss: those that a search for the question brings up first."""
_ANSWERABLE, _NULL, _TEMPT = 4, 5, 8
"""Labels of the first tenths are asked as they are, those of the next with nothing retrieved; the others beside a near miss where there
is one, the last of them else turned round."""
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
        if (key := hypothesis_key(label.id)) and borne_out(ground, key, label):
            by_key[key].append(that_shows(ground, key, label))
    most = max(_FEWEST_ALIKE, len(ground.corpus.labelled) // _ALIKE_IN)
    for key, labels in by_key.items():
        alike = Counter[tuple[str, str]]()
        for label in labels:
            for candidate in _of_label(ground, key, label, labels):
                alike[candidate.category, label.kind] += 1
                if alike[candidate.category, label.kind] <= most:
                    yield candidate
        yield from _ambiguous(key, labels)
    yield from _never_made(ground)
    yield from _another_year(ground)


def _of_label(ground: Ground, key: str, label: Labelled, labels: list[Labelled]) -> Iterator[Candidate]:
    if label.kind == "absent":
        yield from _not_said(ground, key, label)
        return
    hypothesis = HYPOTHESES[key]
    question, share = _asked(ground, hypothesis, label), share_of(label.id)
    if share < _ANSWERABLE:
        yield answered("answerable", label, question, f"labels:{label.kind}", f"people's label of: {label.statement}")
    elif share < _NULL:
        why = "the corpus answers it; nothing is retrieved"
        yield answered("null_retrieval", label, question, f"labels:{label.kind}", why)
    elif (near := _near_miss(ground, label, labels, question)) is not None:
        yield near
    elif share >= _TEMPT:
        yield _turned_round(ground, hypothesis, label)


def _not_said(ground: Ground, key: str, label: Labelled) -> Iterator[Candidate]:
    """Ask for a detail of what people found that an agreement does not speak of, where its words bear them out."""
    detail = DETAILS.get(key)
    if detail is None or next(ground.words_of_document[label.document].holding(detail.absent), None) is not None:
        return
    named = _named(ground, label.document)
    question = (
        f"Under {named}, {detail.asks}?"
        if share_of(f"wording {label.id}") % 2
        else f"{detail.asks[0].upper()}{detail.asks[1:]} under {named}?"
    )
    yield unanswered(
        "unanswerable",
        label.id,
        question,
        "labels:absent",
        f"people found that the agreement does not say: {label.statement}; no passage of it speaks of the matter",
        document=label.document,
        absent=detail.absent,
        absent_from=label.document,
    )


def _asked(ground: Ground, hypothesis: Hypothesis, label: Labelled) -> str:
    """Ask in one of two wordings, so that a set does not read like one form filled in."""
    if share_of(f"wording {label.id}") % 2:
        return label.question
    return f"Does {_named(ground, label.document)} {hypothesis.says}?"


def _named(ground: Ground, document: str) -> str:
    return str(ground.corpus.by_document[document][0].metadata["named"])


def _near_miss(ground: Ground, label: Labelled, labels: list[Labelled], question: str) -> Candidate | None:
    """Ask of one agreement what another answers the other way, in a passage that a search for the question brings up too."""
    opposite = {
        evidence.source_id: other.document
        for other in labels
        if other.kind not in {label.kind, "absent"} and other.document != label.document
        for evidence in other.gold.evidence
    }
    for found in _of_others(ground, label.document, question) if opposite else ():
        if found.source_id in opposite:
            why = f"near miss: {found.source_id} is of another agreement, which answers it the other way"
            others = [opposite[found.source_id]]
            return answered("tempt_wrong", label, question, "labels:near_miss", why, others=others)
    return None


def _of_others(ground: Ground, document: str, question: str) -> Iterator[Source]:
    own = len(ground.corpus.by_document[document])
    hits = ground.search.search(question, _FOUND + own)
    return islice((hit for hit in hits if hit.metadata["document"] != document), _FOUND)


def _turned_round(ground: Ground, hypothesis: Hypothesis, label: Labelled) -> Candidate:
    """Ask why the agreement says what it contradicts."""
    premise = hypothesis.opposite if label.kind == "answered" else hypothesis.says
    question = f"Why does {_named(ground, label.document)} {premise}?"
    why = f"false premise: people found the opposite in the agreement ({label.gold.answer} to: {label.statement})"
    truth = f"It does not {premise}."
    right = label.model_copy(update={"gold": label.gold.model_copy(update={"answer": truth, "aliases": ()})})
    return answered("adversarial", right, question, "labels:false_premise", why)


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
    """Yield an agreement a year in which it was not made."""
    keys = sorted(HYPOTHESES)
    for number, (document, sources) in enumerate(ground.corpus.by_document.items()):
        year = _YEAR.search((sources[0].text or "")[:_OPENING])
        parties = sources[0].metadata.get("parties")
        if not parties or not year:
            continue
        wrong = str(int(year[0]) - _EARLIER)
        absent = [parties[0], wrong]
        if next(ground.words.holding(absent), None) is None and not any(wrong in (s.text or "") for s in sources):
            said = _named(ground, document).replace("the ", f"the {wrong} ", 1)
            question = f"Under {said}, {HYPOTHESES[keys[number % len(keys)]].asks}?"
            why = f"wrong date: the agreement of these parties in the corpus ({document}) gives {year[0]}, none gives {wrong}"
            yield unanswered(
                "adversarial", document, question, "template:another_year", why, document=document, absent=absent
            )


# What to ask of an agreement that does not speak of a matter: how much, how long, by when.
#
# Whether it speaks of it at all is no such question: "no, it does not" is the right answer, and stands in its silence.


class Detail(NamedTuple):
    """A question that an agreement answers only where it speaks of the matter; the terms stand together where it does."""

    asks: str
    absent: tuple[str, ...]


DETAILS: dict[str, Detail] = {
    "nda-1": Detail(
        "with what label must the disclosing party mark its information as confidential",
        ("mark|marked|marking|legend|stamp|label|designated|designate|designation|identified",),
    ),
    "nda-3": Detail(
        "within how many days must information that was conveyed verbally be confirmed in writing",
        ("oral|orally|verbal|verbally|spoken|conversation|discussed|discussions",),
    ),
    "nda-8": Detail(
        "how many days before a disclosure that a court orders must the receiving party tell the disclosing party",
        ("court|subpoena|judicial|required by law|legal process|regulation|legally", "notify|notice|inform|advise|tell|disclose"),
    ),
    "nda-10": Detail(
        "for how many years must the parties keep secret that the agreement exists",
        ("existence|exists|publicity|announcement|announce|press|negotiations|discussions|public statement",),
    ),
    "nda-11": Detail(
        "in which cases is reverse engineering permitted after all",
        ("reverse|decompile|disassemble|analyze|analyse|analysis",),
    ),
    "nda-12": Detail(
        "what records prove that the receiving party developed the same information independently",
        ("independent|independently|developed|develop",),
    ),
    "nda-13": Detail(
        "how must the receiving party prove that it got the same information from a third party",
        ("source|third party|third parties|third person|others",),
    ),
    "nda-16": Detail(
        "within how many days must the receiving party return or destroy the confidential information",
        ("return|returned|destroy|destruction|deliver|surrender|erase|delete",),
    ),
    "nda-17": Detail(
        "how many copies of the confidential information may the receiving party make",
        ("copy|copies|copied|copying|reproduce|reproduction|duplicate|duplication|photocopy",),
    ),
    "nda-18": Detail(
        "for how many months may the receiving party not solicit the disclosing party's employees",
        ("solicit|solicitation|hire|hiring|recruit|entice|induce",),
    ),
    "nda-19": Detail(
        "for how many years do the obligations continue after the agreement ends",
        ("survive|survival|years|year|months|month|period|expire|perpetual|perpetuity|indefinitely|continue|termination",),
    ),
    "nda-20": Detail(
        "for how long may the receiving party keep backup copies after it has returned the confidential information",
        ("retain|retained|backup|back up|archive|archival|archives",),
    ),
}  # fmt: skip
"""By hypothesis. The others have none: what may not be said of employees, say, is not told from silence by a word."""
