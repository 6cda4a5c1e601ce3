"""Questions from abstracts whose titles ask one, answered yes or no by people (PubMedQA)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from probative.harness.corpora.corpus import Labelled
from probative.harness.questions.absence import absent, content_stems
from probative.harness.questions.candidates import Candidate
from probative.harness.questions.labelled_ground import Ground, answered, share_of, unanswered
from probative.records.record import Source

_AUXILIARY = r"(?:is|are|was|were|do|does|did|can|could|has|have|should|will|would)"
_PLAIN = re.compile(rf"^{_AUXILIARY}\b[^:?;]+\?$", re.IGNORECASE)
_AFTER_TOPIC = re.compile(rf"^[^:?;]{{15,}}: {_AUXILIARY}\b [^:?;]+\?$", re.IGNORECASE)
_NOT_ALONE = re.compile(
    r"^(?:is|are|was|were|do|does|did|can) (?:it|they|we|this|that|these|our|there)\b|\b(?:or not|vs|versus|our|this|these)\b|\bor\b|[\"“]",
    re.IGNORECASE,
)
_FEWEST_WORDS = 6
_ANSWERABLE, _NULL, _TEMPT, _PREMISE = 3, 4, 7, 9
_FOUND, _SHARED, _RARE, _RAREST = 40, 2, 0.03, 0.012
"""A near miss is among so many passages found, and its question shares so many of the rarest words, or more of the rare ones.

What is rare is a share of all passages."""
_SHOUTED = 0.4
_WHY = re.compile(r"^(?P<aux>is|are|does|do|did|was|were|has|have) (?!there\b)(?P<rest>.+\?)$", re.IGNORECASE)
_HEDGED = re.compile(
    r"\b(?:any|still|really|always|all|only|ever|necessary|needed|worth|justified|enough|adequate|sufficient)\b",
    re.IGNORECASE,
)

ATTRIBUTES: tuple[tuple[str, str, str], ...] = (
    ("funding", "Who funded the study that asked “{asked}”?", "fund|funded|funding|grant|sponsor|sponsored|financed|financial|donated|paid|support by|supported by"),
    ("software", "Which statistical software was used in the study that asked “{asked}”?",
     "software|SPSS|SAS|Stata|package|program|programme|Matlab|Excel|JMP|Minitab|Statistica|version"),
    ("cost", "How much did the study that asked “{asked}” cost per participant?",
     "cost|costs|costly|price|expense|expensive|charge|dollar|euro|pounds|USD|GBP|budget|economic|financial|fee"),
    ("smoking", "What share of the participants smoked in the study that asked “{asked}”?",
     "smoke|smoking|smoker|smokers|tobacco|cigarette|nicotine"),
    ("ethics", "Which ethics committee approved the study that asked “{asked}”?",
     "ethics|ethical|ethically|institutional review|review board|IRB|approve|approved|approval|committee"),
    ("investigators", "Which of its authors led the study that asked “{asked}”?", "author|authors|led|investigator|investigators|Dr|professor|colleagues|et al"),
    ("registration", "Under which number was the study that asked “{asked}” registered?",
     "registered|registration|registry|ClinicalTrials|NCT|ISRCTN|identifier|trial number"),
    ("journal", "In which journal was the study that asked “{asked}” printed?", "journal|published|publication|printed|issue|volume"),
)  # fmt: skip
"""What a reader may want to know of a study, and the words of which an abstract that says it has one."""


def abstract_candidates(ground: Ground) -> Iterator[Candidate]:
    """Make candidates of all categories but `tempt_unsupported`, which needs no labels."""
    labels = {label.document: label for label in ground.corpus.labelled}
    for label in ground.corpus.labelled:
        if not stands_alone(label.question):
            continue
        share = share_of(label.id)
        if share < _ANSWERABLE:
            yield answered(
                "answerable",
                label,
                label.question,
                f"labels:{label.kind}",
                "people's label, and the authors' conclusion",
            )
        elif share < _NULL:
            why = "the corpus answers it; nothing is retrieved"
            yield answered("null_retrieval", label, label.question, f"labels:{label.kind}", why)
        elif share < _TEMPT:
            yield from _near_miss(ground, label, labels)
        elif share < _PREMISE:
            yield from _false_premise(ground, label)
        else:
            yield from _not_said(ground, label)


def stands_alone(question: str) -> bool:
    """Tell whether a title is a yes-or-no question that needs nothing beside it."""
    plain = _PLAIN.match(question) or _AFTER_TOPIC.match(question)
    if sum(letter.isupper() for letter in question) > _SHOUTED * len(question):
        return False
    return bool(plain) and _NOT_ALONE.search(question) is None and len(question.split()) >= _FEWEST_WORDS


def _near_miss(ground: Ground, label: Labelled, labels: dict[str, Labelled]) -> Iterator[Candidate]:
    """Ask what a study of something near comes out on the other side of, where a search brings up both."""
    wanted, rarest = ground.words.rare(label.question, _RARE), ground.words.rare(label.question, _RAREST)
    near: tuple[int, Source, Labelled] | None = None
    for found in ground.search.search(label.question, _FOUND):
        rival = labels.get(str(found.metadata["document"]))
        if rival is None or rival.document == label.document or rival.kind == label.kind:
            continue
        shared = wanted & content_stems(rival.question)
        enough = len(shared) > _SHARED or len(shared & rarest) >= _SHARED
        if enough and (near is None or len(shared) > near[0]):
            near = (len(shared), found, rival)
    if near is not None:
        _, found, rival = near
        why = f"near miss: {found.source_id} is of another study ({rival.gold.answer} to: {rival.question})"
        yield answered("tempt_wrong", label, label.question, "labels:near_miss", why, others=[rival.document])


def _false_premise(ground: Ground, label: Labelled) -> Iterator[Candidate]:
    """Ask why something is so that the study found not to be so."""
    match = _WHY.match(label.question)
    if label.kind != "contradicted" or match is None or _HEDGED.search(label.question):
        return
    conclusion = " ".join(ground.evidence_text(evidence) for evidence in label.gold.evidence)
    right = label.model_copy(update={"gold": label.gold.model_copy(update={"answer": f"It is not so: {conclusion}"})})
    question = f"Why {match['aux'].lower()} {match['rest']}"
    why = "false premise: people answered the question whether it is so with no"
    yield answered("adversarial", right, question, "labels:false_premise", why)


def _not_said(ground: Ground, label: Labelled) -> Iterator[Candidate]:
    """Ask for something about a study that its abstract does not give."""
    name, template, words = ATTRIBUTES[share_of(f"attribute {label.id}") % len(ATTRIBUTES)]
    if absent([words], ground.words_of_document[label.document]) is not None:
        return
    question = template.format(asked=label.question)
    why = f"the abstract ({label.document}) has no word on it: {name}"
    yield unanswered(
        "unanswerable",
        label.id,
        question,
        f"template:{name}",
        why,
        document=label.document,
        absent=[words],
        absent_from=label.document,
    )
