"""What buckets, causes, rubrics and measures mean, in words for people who have not read the documentation."""

from __future__ import annotations

BUCKETS = {
    "correct": "everything asserted is supported by what it cites, and agrees with gold where there is gold",
    "wrong": "something asserted is contradicted, or answers another question",
    "unsupported": "something asserted, or a citation, does not hold up",
    "refused": "it declines and asserts nothing beside what it can show",
    "unknown": "could not be decided; the reason is given with each answer",
}
SIGNS = {"correct": "✓", "wrong": "✗", "unsupported": "△", "refused": "○", "unknown": "?"}
"""A sign beside each colour, so that colour is never the only carrier."""
CAUSES = {
    "empty_answer": "there is no answer",
    "unparsed": "the answer could not be read",
    "null_not_honoured": "the retrieval was to be empty, and was not",
    "undecided": "something that decides could not be checked",
    "language": "it is in a language that the judge was not trained on",
    "unread": "it holds words of which nobody knows whether they state something",
    "warranted": "the refusal was due: no answer, or its evidence was not retrieved",
    "over_refusal": "it refused although the evidence was retrieved",
    "unjudged": "without gold nobody can say whether the refusal was due",
    "wrong_source": "it disagrees with gold, though the source it cites says so: a stale or wrong document",
    "contradicts_gold": "it disagrees with the gold answer",
    "answers_another_question": "there is no answer, and it gives one: another entity, another year",
    "contradicts_source": "a retrieved passage contradicts it",
    "miscalculated": "it reckons from its sources, and does not come out",
    "contradicts_corpus": "nothing retrieved supports it, and the corpus contradicts it",
    "refused_then_answered": "it declines, then answers without support",
    "answered_on_null_retrieval": "it asserts although nothing was retrieved",
    "invented_source": "it cites an id that was not retrieved",
    "bad_quote": "a quotation is not in its source",
    "wrong_page": "the page it names is wrong",
    "bad_source": "a cited source does not exist, was retracted or superseded",
    "no_evidence": "nothing retrieved supports a claim",
    "retrieval_miss": "the corpus supports it, the retrieval missed it: the retriever failed, not the generator",
    "miscited": "another retrieved passage supports it than the one it cites",
    "uncited": "the answer has no citation",
    "no_answer": "it neither asserts nor declines, or the gold answer is not in it",
    "partial": "it answers what it can and declines the rest",
    "incomplete": "it leaves parts of the gold answer out",
}
RUBRICS = {
    "structural": "did the model cite in the form that was asked for?",
    "resolvability": "does each citation lead to a real source, quote and page?",
    "semantic": "does the cited passage, read alone, contain the claim?",
    "refusal": "does a refusal say why, point on, and stay calm?",
}
SUPPORTS = {
    "supported": ("✓", "supported by what it cites"),
    "partial": ("◐", "partly supported: some of it is in what it cites, some is not"),
    "unsupported": ("△", "not in what it cites"),
    "contradicted": ("✗", "a passage says otherwise"),
    "uncited": ("∅", "no citation"),
    "unknown": ("?", "could not be judged"),
}
"""For the support of a claim: its sign, and what it means."""
