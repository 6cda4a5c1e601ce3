"""The data card of a question set: what it is, how it was made, what was left out, and what it cannot show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median
from typing import Any

from showable.harness.questions.shape import PROTOCOL

_HOW = {
    "out_of_scope": "out of scope of any document",
    "labels": "from what people labelled in the corpus",
    "sentence": "from plain sentences of the documents, turned round",
    "template": "from templates that name a document or a subject",
    "model": "by a chat model, each one verified",
    "world": "from a list of well-known facts that the corpus does not hold",
}
_FORMS = {
    "beside": "with another figure for something like it beside",
    "figure_beside": "with another figure in the same passage",
    "other_document": "with another answer in another document",
    "other_document_asked": "asked of a document that does not say",
    "null": "with nothing retrieved",
    "null_whether": "of yes or no with nothing retrieved",
    "wrong_value": "with a wrong value",
    "wrong_year": "with a wrong year",
    "whether": "of yes or no",
}
_REASONS = {
    "near_duplicate": "passed over as near-duplicates of one chosen",
    "gives_answer": "whose question holds its answer",
    "answer_not_in_evidence": "whose answer does not stand in the evidence",
    "span": "whose evidence is out of place, or cuts a word in two",
    "characters": "with characters that no reader sees, or letters that look like others",
    "superseded": "from a superseded document, which the question does not ask for",
    "not_supported": "whose answer the judge did not find in the passage",
    "judge_unknown": "of which the judge could not tell",
    "near_miss_or_premise_supported": "whose near miss gives the same answer, or whose premise is not false",
    "not_absent": "said to have no answer, where a search found one",
    "may_be_answered": "said to have no answer, where a passage holds all its words",
    "quote_not_found": "with a quote that is not in the passage",
    "not_json": "replies that are no JSON object",
    "field_missing": "replies that lack a field",
    "no_message": "replies without a text",
    "model_failed": "calls that failed",
}
_LIMITS = {
    "labels": "Questions from labels are as right as the labels; their wording is that of the people who wrote them, or of a template around it.",
    "sentence": "Questions from plain sentences ask for what one sentence states. They are easier to retrieve for than what people ask, and none needs two passages. The answerable ones of yes or no are all answered yes; those answered no are among the adversarial ones.",
    "model": "Questions from a model are in the model's manner; a system built on the same model may find them easier.",
}
_ALWAYS = (
    "That something is absent was established by words: no few sentences in a row hold what a statement of it would have to hold. A passage that says it in quite other words would be missed.",
    "Nobody has read this set as a whole unless a note here says so. Read some of it, and run `showable questions check`, before a decision rests on it.",
)


def render_card(facts: Mapping[str, Any]) -> str:
    """Write the card in Markdown, from the facts in `set.json`."""
    return "\n".join(_lines(facts)) + "\n"


def _lines(facts: Mapping[str, Any]) -> Iterator[str]:
    corpus, held = facts["corpus"], facts["held_out"]
    yield f"# Question set {facts['name']}"
    yield ""
    yield f"{facts['n']} questions, and {held['n']} held out, over {_plain(corpus['name'])}: {_count(corpus['documents'], 'document')}, {_count(corpus['passages'], 'passage')}."
    yield ""
    yield f"- Corpus: {_plain(corpus['origin'])}, fingerprint `{corpus['fingerprint']}`"
    yield f"- Licence of the documents: {_plain(corpus['licence'])}"
    same = (
        "a model need not write the same again"
        if facts["model"]
        else "the same command on the same corpus makes the same set"
    )
    yield f"- Made by showable {facts['showable']}, seed {facts['seed']}; {same}"
    if facts["model"]:
        yield f"- Written by `{_plain(facts['model'])}`, prompt `{facts['prompt_hash']}`; checked by `{_plain(str(facts['judge']))}`"
        yield f"- Writing took {priced(facts['model_cost'])}; what a judge cost is not in it"
    yield ""
    yield from _shape(facts)
    yield from _making(facts)
    yield from _held_out(held)
    yield from _spread(facts["documents"])
    yield "## Limits"
    yield ""
    ways = {way.partition(":")[0] for way in facts["made_by"]}
    yield from (f"- {said}" for way, said in _LIMITS.items() if way in ways)
    yield from (f"- {said}" for said in _ALWAYS)
    yield from (f"- {_plain(note)}" for note in (*facts["notes"], *corpus["notes"]))


def priced(cost: Mapping[str, Any]) -> str:
    """Return how many calls were made, with how many tokens, at what price where one is known."""
    price = "price unknown" if cost["usd"] is None else f"${cost['usd']:.4f}"
    tokens = f"{cost['tokens_in']:,} tokens in and {cost['tokens_out']:,} out"
    return f"{_count(cost['calls'], 'call')} ({tokens}, {price})"


def _shape(facts: Mapping[str, Any]) -> Iterator[str]:
    yield "## Questions"
    yield ""
    yield "| category | questions | held out | acceptable | asks |"
    yield "|---|---:|---:|---|---|"
    for part in PROTOCOL:
        held = facts["held_out"]["categories"].get(part.category, 0)
        yield f"| {part.category} | {facts['categories'].get(part.category, 0)} | {held} | {', '.join(part.expected)} | {part.asks} |"
    yield ""
    if missing := facts.get("missing"):
        listed = ", ".join(f"{count} {name}" for name, count in missing.items())
        yield f"The set is smaller than the protocol asks for, and not in its proportions. Missing: {listed}."
        yield ""


def _making(facts: Mapping[str, Any]) -> Iterator[str]:
    yield "## How they were made"
    yield ""
    by_kind: dict[str, dict[str, int]] = {}
    for way, count in facts["made_by"].items():
        kind, _, form = way.partition(":")
        by_kind.setdefault(kind, {})[form] = count
    for kind, forms in sorted(by_kind.items(), key=lambda item: -sum(item[1].values())):
        each = ", ".join(f"{count} {_FORMS.get(form, form.replace('_', ' '))}" for form, count in forms.items() if form)
        yield f"- {sum(forms.values())} {_HOW.get(kind, f'by {kind}')}{f': {each}' if each else ''}"
    yield ""
    if facts["rejected"]:
        yield "Left out, by reason:"
        yield ""
        yield from (
            f"- {count} {_REASONS.get(reason, reason.replace('_', ' '))}" for reason, count in facts["rejected"].items()
        )
        yield ""


def _held_out(held: Mapping[str, Any]) -> Iterator[str]:
    yield "## Held out"
    yield ""
    if held["own_documents"]:
        yield f"{held['n']} questions of the same proportions, of documents that no question of the main set is about. Keep them for the last word."
    else:
        yield f"{_sentence(held['note'] or 'none')}."
    yield ""


def _spread(documents: Mapping[str, int]) -> Iterator[str]:
    if not documents:
        return
    counts = sorted(documents.values(), reverse=True)
    yield "## Spread over the documents"
    yield ""
    yield f"The main set is about {_count(len(documents), 'document')}: at most {_count(counts[0], 'question')} each, {median(counts):g} in the middle."
    yield ""


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _plain(text: str) -> str:
    """Keep what comes from a corpus from being read as Markdown or as a line of its own."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;").replace("`", "'")
