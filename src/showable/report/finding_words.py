"""What every code of a finding means, in words for a person who has not read the documentation."""

from __future__ import annotations

from typing import Literal, NamedTuple

from showable.records.lookups import PROVEN_BAD
from showable.report.check_words import MEANING

Gravity = Literal["error", "warning"]


class Words(NamedTuple):
    """A code in words: in brief, what it means and what to do, and how much a failure weighs.

    An `error` is what can make an answer wrong or unsupported; a `warning` is poor form, or something for a person to look at.
    """

    brief: str
    help: str
    gravity: Gravity = "error"


_STRUCTURAL: dict[str, Words] = {
    "no_claims": Words("Nothing said", "The answer neither asserts anything nor declines: there is nothing to judge."),
    "uncited_claim": Words(
        "Claim without a citation",
        "The claim asserts a fact and cites nothing. Ask the model for a citation behind every sentence.",
        "warning",
    ),
    "missing_source_id": Words(
        "Citation without a source", "The citation names no source, so there is nothing to look up."
    ),
    "missing_quote": Words(
        "Citation without its quotation",
        "A structured citation quotes the words it relies on, and this one gives none. Under legal and medical that fails"
        " this rubric; it holds no answer back by itself.",
    ),
    "malformed_marker": Words(
        "Unreadable citation marker", "A citation was begun in the text and cannot be read.", "warning"
    ),
    "duplicate_citation": Words("Cited twice", "The same source is cited twice for one claim.", "warning"),
    "duplicate_source": Words(
        "Retrieved twice", "The retrieval log carries one id several times; its passages are read together.", "warning"
    ),
    "empty_answer": Words("Empty answer", "The answer is null or empty, and nothing could be judged."),
    "unparsed": Words(
        "Unreadable answer", "No answer could be told from the text, for example from unclosed thoughts."
    ),
    "truncated_json": Words(
        "JSON cut off", "The answer's JSON ends before it is complete; allow the model more tokens."
    ),
    "schema": Words("Not in the schema", "The answer's JSON is not what the schema of answers allows."),
    "invisible_characters": Words(
        "Hidden characters in a citation", "The id, the quotation or the address holds characters that do not show."
    ),
    "invisible_prose": Words(
        "Hidden characters in the answer", "The text holds characters that do not show, or that reorder what is shown."
    ),
    "malicious_url": Words("Misleading address", "The answer gives an address that is not what it seems to be."),
    "pattern": Words("Forbidden pattern", "The answer matches a pattern that the profile allows in no answer."),
    "passage_injection": Words(
        "Passage that gives orders",
        "A retrieved passage reads like an order to the model. Look at it before trusting the answer.",
        "warning",
    ),
    "format": Words(
        "Not in the required citation format", "The reference keeps to none of the formats of the profile.", "warning"
    ),
}
_RESOLVABILITY: dict[str, Words] = {
    "not_retrieved": Words(
        "Source that was not retrieved", "The citation leads to no source of the retrieval log: it may be invented."
    ),
    "log_missing": Words(
        "No retrieval log", "The record does not say what was retrieved, so no citation can be traced."
    ),
    "null_retrieval": Words("Nothing was retrieved", "The retrieval returned nothing for this question.", "warning"),
    "quote_not_found": Words(
        "Quotation not in its source", "The quoted words do not stand in the source cited for them."
    ),
    "quote_normalised": Words(
        "Quotation differs in typesetting",
        "The quotation stands in its source but for spaces, dashes or quotes.",
        "warning",
    ),
    "quote_approximate": Words(
        "Misquoted", "The source has words like these; those that were changed are named in the finding."
    ),
    "quote_in_other_source": Words(
        "Quotation of another source", "The quoted words stand in another retrieved source than the one cited."
    ),
    "wrong_page": Words("Wrong page", "The page cited is not the page of the passage."),
    "source_status": Words(
        "Source that no longer stands", "The source is retracted, withdrawn, repealed or superseded."
    ),
    "source_version": Words(
        "Version of the source", "The source does not say which version it is, or is another than the one named."
    ),
    "text_missing": Words("Source without text", "The log carries the source's id and no text to read.", "warning"),
    "unsafe_url": Words("Unsafe address", "The address misleads, or leads where nobody may be sent."),
    "url_mismatch": Words(
        "Address of something else", "The address cited is not the one that the log gives the source."
    ),
}
_SEMANTIC: dict[str, Words] = {
    "answer": Words(
        "Not all claims supported",
        "All claims together are not likely enough to be supported; the least supported one is named.",
    ),
    "not_entailed": Words(
        "Not in the cited passage", "The passages that the claim cites, read alone, do not say what it says."
    ),
    "contradicted": Words("Contradicted", "A retrieved passage says otherwise."),
    "partial": Words(
        "Only part is in the passage", "The passage supports some of what the claim asserts, not all of it."
    ),
    "quote_does_not_support": Words(
        "The words cited do not say it",
        "The source supports the claim in another place than the quotation or page that the citation points at.",
    ),
    "miscalculated": Words(
        "Wrongly reckoned",
        "The claim reckons from numbers of the passages that it cites, and its result does not come out.",
    ),
    "padding": Words("Citation that adds nothing", "The claim's other citations suffice without it.", "warning"),
    "sources_conflict": Words(
        "Sources conflict", "One retrieved passage supports the claim and another contradicts it.", "warning"
    ),
    "cherry_picking": Words(
        "One side alone",
        "The log holds evidence against the claim, or a qualifier beside the words it relies on, and the answer is silent on it.",
        "warning",
    ),
    "restated_premise": Words(
        "The question's premise repeated",
        "The claim repeats what the question takes for granted, and nothing retrieved says so.",
        "warning",
    ),
    "unjudged": Words("Not judged", "No verdict could be had on the cited passages."),
    "corpus_contradicts": Words(
        "The corpus says otherwise",
        "Nothing retrieved speaks of the claim, and a document that was not retrieved contradicts it.",
    ),
    "retrieval_miss": Words(
        "Retrieval miss",
        "A document that was not retrieved supports the claim: the retriever failed, not the generator.",
    ),
    "corpus_conflict": Words(
        "The corpus disagrees with itself",
        "Of the documents that were not retrieved, one supports the claim and another contradicts it.",
        "warning",
    ),
    "corpus_unjudged": Words(
        "Corpus not judged", "A passage of the corpus had no verdict, and none that had one supports the claim."
    ),
    "judge_failed": Words("Judge failed", "The judge could not be asked about this answer; the reason says why."),
    "injection_suspected": Words(
        "Passage that addresses a judge", "The passage holds text that speaks to the model which judges it.", "warning"
    ),
}
_REFUSAL: dict[str, Words] = {
    "mismatch": Words(
        "Refusal field and text disagree", "The text beats the field: it is judged by what it says.", "warning"
    ),
    "harm": Words("Refusal on policy", "It declines for a policy, and says nothing about the evidence.", "warning"),
    "flat": Words("Flat refusal", "It neither says why, nor points to the closest evidence or a next step.", "warning"),
    "demanded": Words("Refusal lacks what is demanded", "The profile asks of a refusal what this one does not give."),
}
_FACTUALITY: dict[str, Words] = {
    "wrong": Words("Wrong answer", "The answer contradicts the gold answer or a passage. It may not be shown."),
    "unsupported": Words(
        "Unsupported answer", "What the answer says is not shown by what it cites. It may not be shown."
    ),
    "unknown": Words("Undecided answer", "Something could not be checked, and the bucket depends on it."),
}
_REGISTRY: dict[str, Words] = {
    f"registry_{status}": Words(f"Registry: {brief}", meaning, "error" if status in PROVEN_BAD else "warning")
    for status, (brief, meaning) in MEANING.items()
    if status != "bad_quote"
}

FINDING_WORDS: dict[str, Words] = {
    f"{rubric}.{code}": words
    for rubric, codes in (
        ("factuality", _FACTUALITY),
        ("structural", _STRUCTURAL),
        ("resolvability", _RESOLVABILITY | _REGISTRY),
        ("semantic", _SEMANTIC),
        ("refusal", _REFUSAL),
    )
    for code, words in codes.items()
}
"""Every code that a finding may have, and `factuality.…` for an answer whose bucket is not acceptable."""
