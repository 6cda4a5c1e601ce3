"""The pipeline inside: BM25, then the sentence that answers, quoted and cited, or a refusal. No model is needed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from showable.errors import SettingError
from showable.harness.pipelines.extractive import Candidate, Extractive, Found
from showable.harness.pipelines.pipeline import Asked, Reply
from showable.harness.pipelines.question_words import WANTED
from showable.records.evidence import Cost
from showable.records.record import Answer, Citation, Claim, Source
from showable.search.bm25 import Bm25

K = 5
"""Passages that are read where nobody says otherwise."""


class ReferencePipeline:
    """A baseline that answers with sentences of the passages it found, word for word, or says why it does not.

    Its rules are general and know no corpus. They share nothing with the judges, so that a judge's score of it is not
    the judge's own opinion come back. A sentence is given where it has the question's names, years and figures, enough of its rare
    words, and a value of the kind asked for; what is superseded or retracted is not read; where documents answer
    otherwise and the question names none, it asks back. Takes milliseconds a question.
    """

    name = "reference"

    def __init__(self, sources: Sequence[Source], *, k: int = K) -> None:
        """Index the passages. Raises SettingError unless `k` is at least 1."""
        if k < 1:
            raise SettingError(f"k: expected at least 1 passage, got {k}")
        self._search, self._extractive, self._k = Bm25(sources), Extractive(sources), k

    async def ask(self, asked: Asked) -> Reply:
        """Answer one question. With `force_null` nothing is retrieved, and it refuses."""
        retrieved = () if asked.force_null else tuple(self._search.search(asked.question, self._k))
        found = self._extractive.find(asked.question, retrieved)
        answer = in_words(found, searched=bool(retrieved))
        shown = tuple(source.source_id for source in retrieved)
        return Reply(answer=answer, retrieved=retrieved, shown=shown, cost=Cost())

    async def aclose(self) -> None:
        """Nothing is held open."""


# Say in words what was found: the sentences with their citations, or a refusal that explains itself.


_SAFE_ID = re.compile(r"[\w.#:/-]+")
_MOST_WORDS = 4
_MOST_RIVALS = 3
_CLOSE = 1 / 3
"""Of a question's words, by their weight, so many must be in a passage for it to be called close."""


def in_words(found: Found, *, searched: bool) -> Answer:
    """Write the answer. `searched` is False where the retrieval returned nothing."""
    if found.answer is not None:
        return _answered(found.answer)
    if found.rivals:
        return _asked_back(found.rivals)
    if not found.asked.terms:
        text = "I cannot tell what is asked, as the question is ambiguous. Which document and which of its terms do you mean?"
        return Answer(refusal="ambiguous", text=text)
    if not searched:
        words = _subject(found)
        text = (
            f"I cannot answer this: the search returned no documents on {words}."
            f" Please upload or name a document that covers {words}."
        )
        return Answer(refusal="no_evidence", text=text)
    return _declined(found)


def _answered(one: Candidate) -> Answer:
    """Return the sentences word for word, each as a claim with its own words as the quotation."""
    quoted = one.sentences
    claims = tuple(
        Claim(text=sentence, citations=(Citation(source_id=one.source.source_id, quoted_span=sentence),))
        for sentence in quoted
    )
    text = " ".join(f"{sentence}{_marker(one.source)}" for sentence in quoted)
    return Answer(claims=claims, text=text)


def _asked_back(rivals: tuple[Candidate, ...]) -> Answer:
    named = " or ".join(f"{_called(one.source)}{_marker(one.source)}" for one in rivals[:_MOST_RIVALS])
    text = f"The question is ambiguous: several documents answer it, each in another way. Do you mean {named}?"
    return Answer(refusal="ambiguous", text=text)


def _declined(found: Found) -> Answer:
    """Return what is missing, and name the closest passage."""
    if found.asked.wants_more:
        why = "This is out of scope: it asks for advice, a forecast or a piece of work, and I only quote what documents say."
        then = "Please ask what one of the documents says."
        return Answer(refusal="out_of_scope", text=_with_closest(why, found.closest, then))
    if found.stale is not None:
        text = (
            "I cannot answer this from documents in force: the only one found that says so is superseded, withdrawn or"
            f" retracted. Please see the document {_called(found.stale)}, and what came after it."
        )
        return Answer(refusal="no_evidence", text=text)
    closest = found.closest
    lacking = found.absent or (closest.missing if closest else ())
    if lacking:
        why = f"they do not mention {_listed(lacking)}"
    elif closest is not None and not closest.fits and found.asked.kind != "statement":
        why = f"they do not give {WANTED[found.asked.kind]} for {_subject(found)}"
    else:
        why = f"they do not say what was asked about {_subject(found)}"
    text = f"I cannot answer this from the documents found: {why}."
    covering = _listed(lacking, "and") if lacking else _subject(found)
    then = f"Please upload or name a document that covers {covering}."
    return Answer(refusal="no_evidence", text=_with_closest(text, closest, then))


def _with_closest(text: str, closest: Candidate | None, otherwise: str) -> str:
    """Add where to look: the closest passage, or `otherwise` where none is close."""
    if closest is None or closest.covered < _CLOSE:
        return f"{text} {otherwise}"
    return f"{text} Please see the closest passage, {_called(closest.source)}{_marker(closest.source)}."


def _subject(found: Found) -> str:
    """Name what is asked about: names and figures before other words."""
    terms = sorted(found.asked.terms, key=lambda term: not term.named)
    return _listed([term.shown for term in terms], "and")


def _listed(words: Sequence[str], last: str = "or") -> str:
    kept = [f'"{word}"' for word in list(dict.fromkeys(words))[:_MOST_WORDS]]
    return kept[0] if len(kept) == 1 else f"{', '.join(kept[:-1])} {last} {kept[-1]}"


def _called(source: Source) -> str:
    name = " ".join((source.title or source.source_id).split())
    return f'"{name}"'


def _marker(source: Source) -> str:
    """Return the mark of a citation; an id that a reader could take for something else stands in the claim alone."""
    return f" [{source.source_id}]" if _SAFE_ID.fullmatch(source.source_id) else ""
