"""What lies near an abstract's answer and says otherwise: a study of the same thing, or what was believed before the study."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

from showable.harness.corpora.corpus import Labelled
from showable.harness.questions.absence import content_stems, content_words, sentences_of, stems_of
from showable.harness.questions.from_labels_conclusions import share_held
from showable.harness.questions.labelled_ground import Ground
from showable.records.record import Source

_FOUND = 12
"""A near miss must be among the first passages that a search for the question brings up."""
_TITLE, _BOTH, _WHOLE = 0.28, 0.8, 0.75
"""What share of the question the title of a near study holds; title and abstract added up; and the abstract of one asked the same."""
_RARE, _RAREST = 0.03, 0.012
"""Up to what share of all passages a word is rare."""
_TWO, _FEWEST = 2, 3
_SUPPOSED = re.compile(
    r"\b(?:(?:has|have) been (?:shown|reported|suggested|associated|found|linked|proposed|advocated|implicated|considered|thought|"
    r"recommended|hypothesi[sz]ed|demonstrated|observed|identified|postulated)|(?:is|are) (?:often |commonly |widely |generally )?(?:believed|"
    r"thought|considered|assumed|associated|regarded|said|suggested|reported|recommended|supposed)|(?:studies|reports|evidence|data|trials|"
    r"authors|researchers|literature) (?:have |has )?(?:also )?(?:suggest|show|report|found|demonstrate|indicate)\w*|suggest(?:s|ed)? that|"
    r"may|might)\b"
)
_UNDECIDED = re.compile(
    r"\b(?:not|no|never|unclear|unknown|inaccura\w*|poor(?:ly)?|controvers\w*|debat\w*|whether|conflict\w*|inconsistent|aim\w*|but|safe|"
    r"objective|investigat\w*|examin\w*|evaluat\w*|assess\w*|determin\w*|compar\w*|purpose|few|little|lack\w*|limited|sought|we|although)\b",
    re.IGNORECASE,
)
_BELIEVED = 0.5
"""The share of the question that a sentence on what is believed must hold."""


def supposed(ground: Ground, label: Labelled) -> str | None:
    """Give the passage that opens the abstract, where it says as believed or reported what the study found not to be so."""
    if label.kind != "contradicted":
        return None
    opening = ground.corpus.by_document[label.document][0]
    weights = ground.words.weights(label.question)
    for sentence in sentences_of(opening.text or ""):
        said = _SUPPOSED.search(sentence) and not _UNDECIDED.search(sentence)
        if said and share_held(sentence, weights) >= _BELIEVED:
            return opening.source_id
    return None


def near_study(ground: Ground, label: Labelled, labels: Mapping[str, Labelled]) -> tuple[Source, Labelled] | None:
    """Give the nearest study that comes out the other way, with its passage that a search for the question brings up.

    Its title has three words of the question or more, rare ones in a row or two of the rarest among them, and it speaks of most that is asked.
    """
    weights = ground.words.weights(label.question)
    rare, rarest = ground.words.rare(label.question, _RARE), ground.words.rare(label.question, _RAREST)
    best: tuple[float, Source, Labelled] | None = None
    for found in ground.search.search(label.question, _FOUND):
        rival = labels.get(str(found.metadata["document"]))
        if rival is None or rival.kind == label.kind:
            continue
        title = share_held(rival.question, weights)
        both = title + share_held(_abstract(ground, rival), weights)
        shared = set(stems_of(rival.question)) & rarest
        in_a_row = any(pair & rarest and pair <= rare for pair in _pairs(label.question) & _pairs(rival.question))
        in_common = len(content_stems(rival.question) & weights.keys())
        near = title >= _TITLE and both >= _BOTH and in_common >= _FEWEST and (in_a_row or len(shared) >= _TWO)
        if near and (best is None or both > best[0]):
            best = both, found, rival
    return best[1:] if best else None


def asked_twice(ground: Ground, label: Labelled, labels: Mapping[str, Labelled]) -> bool:
    """Tell whether a study that comes out the other way speaks of nearly all that is asked, so that it may answer it as well."""
    weights = ground.words.weights(label.question)
    for found in ground.search.search(label.question, _FOUND):
        rival = labels.get(str(found.metadata["document"]))
        if rival is not None and rival.kind != label.kind and share_held(_abstract(ground, rival), weights) >= _WHOLE:
            return True
    return False


def _abstract(ground: Ground, label: Labelled) -> str:
    texts = [source.text or "" for source in ground.corpus.by_document[label.document]]
    return " ".join([label.question, *texts])


def _pairs(question: str) -> set[frozenset[str]]:
    """Give the content words that stand next to each other, two by two."""
    words = [stem for word in content_words(question) for stem in stems_of(word)]
    return {frozenset(pair) for pair in pairwise(words) if pair[0] != pair[1]}
