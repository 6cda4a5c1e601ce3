"""Questions where refusal is due, aimed at what a labelled corpus is about: out of scope, or open as to what is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from showable.harness.corpora.contract_names import party_named
from showable.harness.questions import refusal_templates as templates
from showable.harness.questions.article_titles import as_written
from showable.harness.questions.candidates import Candidate
from showable.harness.questions.labelled_ground import Ground, unanswered

_TWO = 2
_COMPANY = re.compile(
    r"\b(?:inc|incorporated|corp|corporation|company|ltd|limited|plc|ag|nv|sa|gmbh|bv|ab)\b\.?$",
    re.IGNORECASE,
)
"""How the name of a company ends, which has shares; a county has none, nor has a partnership."""


def contract_refusals(ground: Ground) -> Iterator[Candidate]:
    """Put two of the templates to each agreement whose parties are named; then ask without saying which agreement."""
    named = [
        (document, sources[0].metadata)
        for document, sources in ground.corpus.by_document.items()
        if sources[0].metadata.get("parties")
    ]
    for number, (document, facts) in enumerate(named):
        slots = {"agreement": facts["named"], "party": party_named(facts["parties"][0])}
        if _COMPANY.search(facts["parties"][0]):
            slots["company"] = slots["party"]
        yield from _out_of_scope(templates.CONTRACT_TEMPLATES, number, document, slots)
    yield from _open(ground, templates.AMBIGUOUS_CONTRACTS)


def abstract_refusals(ground: Ground) -> Iterator[Candidate]:
    """Ask what a patient, not a reader, would ask about conditions that the abstracts are about."""
    for number, condition in enumerate(templates.CONDITIONS):
        whole = re.compile(rf"\b{re.escape(condition)}\b", re.IGNORECASE)
        found = next((source for source in ground.corpus.sources if whole.search(source.text or "")), None)
        if found is not None:
            slots = {"condition": condition}
            yield from _out_of_scope(templates.MEDICAL_TEMPLATES, number, str(found.metadata["document"]), slots)
    yield from _open(ground, templates.AMBIGUOUS_ABSTRACTS)


def article_refusals(ground: Ground) -> Iterator[Candidate]:
    """Ask about the subject of each article what no article says; the subject is written as the article writes it."""
    for number, (document, sources) in enumerate(ground.corpus.by_document.items()):
        title = as_written(document.replace("_", " "), (source.text or "" for source in sources))
        if title is not None:
            yield from _out_of_scope(templates.ARTICLE_TEMPLATES, number, document, {"title": title})
    yield from _open(ground, templates.AMBIGUOUS_ARTICLES)


def _out_of_scope(
    kinds: Sequence[tuple[str, str]], number: int, document: str, slots: dict[str, str]
) -> Iterator[Candidate]:
    fitting = [(kind, asked) for kind, asked in kinds if "{company}" not in asked or "company" in slots]
    for place in range(_TWO):
        kind, asked = fitting[(number * _TWO + place) % len(fitting)]
        why = templates.WHY_OUT_OF_SCOPE[kind]
        key = f"{document}-{number}-{place}"
        yield unanswered("refusal_due", key, _opened(asked.format(**slots)), f"template:{kind}", why, document=document)


def _opened(question: str) -> str:
    return question[0].upper() + question[1:]


def _open(ground: Ground, kinds: Sequence[tuple[str, tuple[str, ...]]]) -> Iterator[Candidate]:
    """Ask without saying what is meant, where two documents or more speak of the thing."""
    for number, (question, terms) in enumerate(kinds):
        documents = list(dict.fromkeys(str(source.metadata["document"]) for source in ground.words.holding(terms)))
        if len(documents) >= _TWO:
            one, other = documents[:_TWO]
            why = f"ambiguous: {len(documents)} documents speak of it ({one}, {other} among them); it does not say which is meant"
            yield unanswered("refusal_due", f"{number}", question, "template:ambiguous", why, others=[one, other])
