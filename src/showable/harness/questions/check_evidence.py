"""Does the evidence of a question stand in the corpus, and the answer in the evidence?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from showable.harness.questions.absence import content_stems
from showable.harness.questions.check_found import Found, Problem, Unchecked
from showable.harness.questions.check_gold import has_answer, is_polar
from showable.harness.questions.from_text_facts import is_superseded
from showable.harness.questions.labelled_ground import Ground
from showable.read.quantities import Quantity, find_quantities, same_quantity
from showable.records.record import Gold, GoldEvidence, Question, Source
from showable.rubrics.gold_denial import negates
from showable.rubrics.gold_text import normalised

_MOST_WORDS = 0.5
"""Share of the words of a longer answer that its evidence must hold; the figures in it must all be there."""
_FEW_WORDS = 2
"""Words beside a figure ("a year") that need not be there in the same form."""
_SHOWN = 40
_OLDER = re.compile(
    r"\b(?:superseded|former|previous|earlier|original|older|old|first version|version|edition|as of|before|then|at the time|withdrawn|repealed|19\d\d|20\d\d)\b",
    re.IGNORECASE,
)


def check_evidence(question: Question, gold: Gold, ground: Ground) -> Iterator[Found]:
    """Check each piece of evidence, then the answer against all of it; the title of a source counts as part of it."""
    texts, whole = [], True
    for place, evidence in enumerate(gold.evidence):
        source = ground.corpus.by_id.get(evidence.source_id)
        wrong = _wrong(evidence, source)
        if wrong is not None or source is None:
            whole = False
            code, said = wrong or ("unknown_source", "")
            yield Problem(id=question.id, field=f"gold.evidence[{place}]", code=code, problem=said)
            continue
        texts.append(f"{source.title or ''}. {(source.text or '')[evidence.start : evidence.end]}")
        if is_superseded(source) and not _says_so(question):
            said = f"{evidence.source_id} is superseded, and the question does not ask for an older version"
            yield Problem(id=question.id, field=f"gold.evidence[{place}]", code="superseded", problem=said)
    if not (has_answer(gold) and texts and whole):
        return
    if is_polar(gold.answer or "") or negates(gold.answer or ""):
        why = "the answer is yes, no or a denial; whether the evidence bears it out is for a person or a judge"
        yield Unchecked(what="answer in the evidence", why=why, ids=(question.id,))
    else:
        yield from _answer_stands(question, gold, " ".join(texts))
        yield from _aliases_stand(question, gold, ground)


def _answer_stands(question: Question, gold: Gold, text: str) -> Iterator[Found]:
    if stands_in(gold.answer or "", text):
        return
    if any(stands_in(alias, text) for alias in gold.aliases):
        why = "only an alias stands in it; whether the answer says the same is for a person"
        yield Unchecked(what="answer in the evidence", why=why, ids=(question.id,))
        return
    said = f"the answer {gold.answer!r} does not stand in its evidence"
    yield Problem(id=question.id, field="gold.answer", code="answer_not_in_evidence", problem=said)


def _aliases_stand(question: Question, gold: Gold, ground: Ground) -> Iterator[Unchecked]:
    """List aliases in other words than the passages': a wrong one would make a wrong answer count as right."""
    sources = [ground.corpus.by_id[evidence.source_id] for evidence in gold.evidence]
    whole = " ".join(f"{source.title or ''}. {source.text or ''}" for source in sources)
    if not all(stands_in(alias, whole) for alias in gold.aliases):
        why = "an alias is in other words than the passage; whether it says the same as the answer is for a person"
        yield Unchecked(what="aliases", why=why, ids=(question.id,))


def stands_in(answer: str, text: str) -> bool:
    """Check whether a text holds an answer: its words in a row, or all its figures and most of its words."""
    said = normalised(answer)
    if not said:
        return False
    if f" {said} " in f" {normalised(text)} ":
        return True
    wanted, there = find_quantities(answer), find_quantities(text)
    if any(not any(same_quantity(one, other) for other in there) for one in wanted):
        return False
    words = content_stems(_without(answer, wanted))
    if wanted and len(words) <= _FEW_WORDS:
        return True
    return bool(wanted or words) and len(words & content_stems(text)) >= _MOST_WORDS * len(words)


def _without(answer: str, quantities: Sequence[Quantity]) -> str:
    """Return an answer without its figures, whose units and scales may be written in other ways."""
    for quantity in reversed(quantities):
        answer = f"{answer[: quantity.span[0]]} {answer[quantity.span[1] :]}"
    return answer


def document_of(question: Question, ground: Ground) -> str | None:
    """Return which document a question is about: as its metadata says, else that of its first evidence."""
    if named := question.metadata.get("document"):
        return str(named)
    for evidence in question.gold.evidence if question.gold is not None else ():
        if (source := ground.corpus.by_id.get(evidence.source_id)) is not None:
            return str(source.metadata.get("document", source.source_id))
    return None


def _wrong(evidence: GoldEvidence, source: Source | None) -> tuple[str, str] | None:
    if source is None:
        return "unknown_source", f"{evidence.source_id!r} is no passage of the corpus"
    start, end, text = evidence.start, evidence.end, source.text or ""
    if (start is None) != (end is None):
        return "span", "start and end go together"
    if start is None or end is None:
        return None if text.strip() else ("span", f"{evidence.source_id} has no text")
    return _span_fault(evidence.source_id, start, end, text)


def _span_fault(source_id: str, start: int, end: int, text: str) -> tuple[str, str] | None:
    if not 0 <= start < end <= len(text):
        return "span", f"[{start}, {end}) is outside {source_id}, which has {len(text)} characters"
    if not text[start:end].strip():
        return "span", f"[{start}, {end}) of {source_id} is blank"
    if any(text[place - 1 : place + 1].isalnum() for place in (start, end) if 0 < place < len(text)):
        return "span", f"[{start}, {end}) of {source_id} cuts a word in two: {text[start:end][:_SHOWN]!r}"
    return None


def check_documents(question: Question, ground: Ground) -> Iterator[Problem]:
    """Check the documents that metadata names: they are in the corpus, and the evidence is from the one that it is about."""
    named, others = question.metadata.get("document"), question.metadata.get("other_documents", ())
    every = [("document", named)] if named else []
    every += [("other_documents", one) for one in others] if isinstance(others, list | tuple) else []
    for field, document in every:
        if document not in ground.corpus.by_document:
            said = f"{document!r} is no document of the corpus"
            yield Problem(id=question.id, field=f"metadata.{field}", code="unknown_document", problem=said)
    evidence = question.gold.evidence if question.gold is not None else ()
    found = [ground.corpus.by_id[one.source_id] for one in evidence if one.source_id in ground.corpus.by_id]
    held = {str(source.metadata.get("document", source.source_id)) for source in found}
    if named in ground.corpus.by_document and held and named not in held:
        said = f"is said to be about {named}, and its evidence is from {', '.join(sorted(held))}"
        yield Problem(id=question.id, field="metadata.document", code="other_document", problem=said)


def _says_so(question: Question) -> bool:
    return bool(question.metadata.get("superseded")) or _OLDER.search(question.question) is not None
