"""Questions where refusal is due, aimed at what a labelled corpus is about: out of scope, or open as to what is meant."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from showable.harness.corpora.contract_names import party_named
from showable.harness.questions import refusal_templates as templates
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


# How the subject of an article is written in the middle of a sentence: as its own text writes it there.


_LEAST = 2
_LEADS_UP = r"(?:in|of|on|to|for|from|by|with|about|and|or|as|against|between|among|under|through|into|at|over|within|is|was|that|when|where|while|but)"
"""What stands before a noun, or before its "the": "of the steam engine", but not "of a small steam engine"."""
_GOES_ON = r"(?=[.,;:)]|\s(?:and|or|of|in|on|at|to|by|for|from|with|as|that|which|who|was|were|is|are|had|has|have|did|can|may|will|would|also|began|came)\b)"
"""What follows a noun that is no part of a longer name: "the steam engine was", but not "steam engine works"."""


def as_written(title: str, texts: Iterable[str]) -> str | None:
    """Return the form that the subject has most often within a sentence: ``the immune system``, ``Warsaw``, ``the Huguenots``.

    None where the texts have it there less than twice, so that nobody can tell how to write it.
    """
    found = re.compile(rf"\b{_LEADS_UP} (the )?((?i:{re.escape(title)})s?){_GOES_ON}")
    forms = Counter[str]()
    for text in texts:
        for article, name in found.findall(text):
            forms[f"the {name}" if article else name] += 1
    for people in [form for form in forms if form.istitle() and form.endswith("s") and f"the {form}" in forms]:
        forms[f"the {people}"] += forms.pop(people)
    form, count = max(forms.items(), key=lambda item: (item[1], item[0]), default=("", 0))
    return form if count >= _LEAST else None
