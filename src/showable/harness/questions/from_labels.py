"""Candidates from what people labelled: answers with their evidence, contradictions, and what a document does not say. No model."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from showable.harness.corpora.corpus import Corpus
from showable.harness.questions.candidates import Candidate
from showable.harness.questions.from_labels_abstracts import abstract_candidates
from showable.harness.questions.from_labels_articles import article_candidates
from showable.harness.questions.from_labels_contracts import contract_candidates
from showable.harness.questions.from_labels_refusals import abstract_refusals, article_refusals, contract_refusals
from showable.harness.questions.from_world_knowledge import world_knowledge_candidates
from showable.harness.questions.labelled_ground import Ground, answered, share_of, unanswered

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
