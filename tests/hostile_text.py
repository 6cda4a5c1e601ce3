"""Texts that make a careless reader slow: units to be repeated, and the readers that they are given to."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, islice
from typing import Any

from showable import score
from showable.checking.spotting import spot
from showable.documents.read import read_bytes
from showable.judges.chat_reply import find_quote
from showable.read.references.find import find_references
from showable.records import Record, Thresholds
from showable.report.page.body import body_of

UNITS = (
    # lists, tables, headings, quotations, code: what blocks are told by
    "- a\n", "* a\n", "1. ", "1. a\n", "(a) ", "(1) b ", "|a|b|\n", "| ", "|-", "|", "# a\n", "> ", ">", "```\n", "`", "---\n", "a: b\n", "a:\n", "\t",
    # stops, marks and brackets that may open something which never ends
    ".", "a.", "a. ", "A. ", "?", "a? ", "!", ":", ";", ",", ", ", "(", ")", "[", "]", "[[", "{", "<", "<a ", "</a>", "“", "”", '"', "'", "‘", "«", "*", "**", "_", "~", "=", "/", "\\", "-", "–", "—", "…", "... ",
    # blanks, line ends and characters that cannot be seen
    " ", "\n", "\r\n", "\n ", "\u00a0", "\u3000", "\u200b", "\x92", "\x00", "\u202e", "\ufeff", "\u00ad", "a\u200d",
    # numbers, dates, amounts, units
    "1", "1 ", "1,", "1.", "1/2/", "5 % ", "$5 ", "$1.5 million ", "12 mg ", "2020 ", "May 5, 2020 ", "2020-01-02 ", "ten ", "twenty-", "1-2-", "1–2, ", "half ", "1e9 ", "third ", "¹", "i. ",
    # marks of citations, references, ids, addresses
    "[1] ", "[1][2]", "[1, 2] ", "[1–3] ", "[doc-7] ", "[^1]: a\n", "[^1]", "[1]: a\n", "[a](b) ", "[a](", "![a](b)", "(Smith 2020) ", "Smith (2020) ", "et al. ", "Smith, J., ", "No. ", "§ ", "§ 1, ", "Id. ", "v. ", "Roe v. Poe, ", "1 U.S. 1 ", "U.S.C. § ", "10.1000/a ", "doi:", "arXiv:2001.00001 ", "PMID 1 ", "http://a.b/ ", "http://", "www.a.", "a@b.c ", "&amp;", "&#", "%20", "【1†a】", "source ", "Source: a\n",
    # words
    "a", "a ", "A ", "Ab ", "A", "word ", "Word ", "word. ", "Word word. ", "not ", "no ", "does not say, so ", "I cannot ", "sorry, ", "however, ", "which ", "and ", "or ", "a and b, ", "if ", "the ", "the source ", "is ", "is a ", "it is ", "yes, ", "Based on ", "to answer ", "字", "字。", "é", "e\u0301", "من ", "a-", "a'", "{i} ", "w{i} ", "w{i}. ", "W{i} is {i}. ", "- w{i}\n", "|w{i}|{i}|\n", "It is {i} % [1]. ", "W{i} v. X{i}, {i} U.S. {i}. ", "[{i}] ", "[s{i}] ", "“w{i} x y z” ", "W{i} (20{i}) ", "10.1000/{i} ", "http://a.b/{i} ", "w{i}, ", "{i} and ", "not w{i} ", "Section {i} ", "<a b{i}=1>", "<p>", "<p>{i}", "<!--", "<td>", "a{i}={i},\n",
)  # fmt: skip
"""Units of some kind or other; `{i}` is counted up, for what is equal may be read once."""

CLAIM, PASSAGE, QUESTION = (
    "The notice period is 30 days [lease].",
    "The notice period is thirty (30) days.",
    "What is the notice period?",
)


def repeated(unit: str, size: int) -> str:
    """Build a text of about `size` characters out of a unit."""
    if "{i}" not in unit:
        return unit * (size // len(unit))
    pieces, length = [], 0
    for number in count(1):
        pieces.append(unit.replace("{i}", str(number)))
        length += len(pieces[-1])
        if length >= size:
            return "".join(pieces)
    raise AssertionError


def _units(unit: str, size: int) -> list[str]:
    """Give the same as separate pieces, for what is a list of its own."""
    each = max(4, len(unit) + 4)
    return [unit.replace("{i}", str(number)) for number in islice(count(1), size // each)]


def _scored(**fields: Any) -> None:
    record: dict[str, Any] = {
        "id": "q",
        "question": QUESTION,
        "retrieved": [{"source_id": "lease", "text": PASSAGE}],
        "answer": CLAIM,
    } | fields
    score(record, judge="lexical")


def _structured(*claims: dict[str, Any], **fields: Any) -> None:
    _scored(answer={"claims": list(claims)}, **fields)


def _claim(text: str = "The notice period is 30 days.", **cited: Any) -> dict[str, Any]:
    return {"text": text, "citations": [{"source_id": "lease"} | cited]}


def _source(**fields: Any) -> list[dict[str, Any]]:
    return [{"source_id": "lease", "text": PASSAGE} | fields]


def _on_a_page(claim: dict[str, Any], sources: list[dict[str, Any]]) -> None:
    """Build what the page of a run holds of a record."""
    row = {"id": "q", "question": QUESTION, "retrieved": sources, "answer": {"claims": [claim]}}
    record = Record.model_validate(row)
    body_of(record, score(record, judge="lexical"), Thresholds())


def _checked(name: str, text: str) -> None:
    for one in spot(read_bytes(name, text.encode("utf-8", "replace"))):
        assert one


READERS: dict[str, Callable[[str, int], None]] = {
    "question": lambda u, n: _scored(question=repeated(u, n)),
    "answer": lambda u, n: _scored(answer=repeated(u, n)),
    "passage": lambda u, n: _scored(retrieved=_source(text=repeated(u, n))),
    "answer and passage": lambda u, n: _scored(answer=repeated(u, n), retrieved=_source(text=repeated(u, n))),
    "answer, cited": lambda u, n: _scored(answer=repeated(u, n) + " [lease].", retrieved=_source(text=repeated(u, n))),
    "question and answer": lambda u, n: _scored(answer=repeated(u, n), question=repeated(u, n) + "?"),
    "gold": lambda u, n: _scored(gold={"answer": repeated(u, n)}),
    "gold, between words": lambda u, n: _scored(gold={"answer": f"x{repeated(u, n)}y"}),
    "gold named": lambda u, n: _scored(
        question="Which tenant leases the floors?",
        gold={"answer": "Acme Holdings"},
        answer="".join(f"The tenant Acme Holdings leases floor {i} {u.strip()} [lease]. " for i in range(n // 50)),
    ),
    "gold and answer": lambda u, n: _scored(gold={"answer": repeated(u, n)}, answer=repeated(u, n)),
    "gold in answer": lambda u, n: _scored(gold={"answer": "Acme Holdings"}, answer=repeated(u + "Acme Holdings is w. ", n)),
    "aliases": lambda u, n: _scored(gold={"answer": "30 days", "aliases": sorted(set(_units(u + "{i}", n)))}),
    "list items": lambda u, n: _scored(answer="The terms are:\n" + "".join(f"- {u.strip()} {i}\n" for i, u in enumerate(_units(u, n)))),
    "table cells": lambda u, n: _scored(answer="| Term | Days |\n|---|---|\n" + "".join(f"| {u.strip()} | {i} |\n" for i, u in enumerate(_units(u, n)))),
    "table in passage": lambda u, n: _scored(retrieved=_source(text="| Term | Days |\n|---|---|\n" + "".join(f"| {u.strip()} | {i} |\n" for i, u in enumerate(_units(u, n))))),
    "sentences": lambda u, n: _scored(answer="".join(f"The {u.strip()} is {i} days [lease]. " for i, u in enumerate(_units(u, n)))),
    "marker": lambda u, n: _scored(answer=f"It is 30 days [{repeated(u, n)}]."),
    "source id": lambda u, n: _scored(answer=f"It is 30 days [{repeated(u, n)}].", retrieved=_source(source_id=repeated(u, n))),
    "source ids": lambda u, n: _scored(retrieved=[{"source_id": f"{u}{i}", "text": "a"} for i, u in enumerate(_units(u, n))]),
    "title and url": lambda u, n: _scored(retrieved=_source(title=repeated(u, n), url="http://a.b/" + repeated(u, n))),
    "reference list": lambda u, n: _scored(answer="It is 30 days [1].\n\nReferences\n" + "".join(f"[{i}] {u.strip()} {i}\n" for i, u in enumerate(_units(u, n)))),
    "claim": lambda u, n: _structured(_claim(repeated(u, n))),
    "claim, between words": lambda u, n: _structured(_claim(f"x{repeated(u, n)}y")),
    "claims": lambda u, n: _structured(*(_claim(f"{u} {i}") for i, u in enumerate(_units(u, n)))),
    "claims and passage": lambda u, n: _structured(*(_claim(f"{u} {i}") for i, u in enumerate(_units(u, n))), retrieved=_source(text=repeated(u, n))),
    "quoted span": lambda u, n: _structured(_claim(quoted_span=repeated(u, n))),
    "quoted span and passage": lambda u, n: _structured(_claim(quoted_span=repeated(u, n) + "x"), retrieved=_source(text=repeated(u, 2 * n))),
    "cited url": lambda u, n: _structured(_claim(url="http://a.b/" + repeated(u, n), raw=repeated(u, n))),
    "cited id": lambda u, n: _structured(_claim(source_id=repeated(u, n))),
    "structured text": lambda u, n: _scored(answer={"claims": [_claim()], "text": repeated(u, n)}),
    "json answer": lambda u, n: _scored(answer='{"claims": [{"text": "' + repeated(u, n)),
    "refusal": lambda u, n: _scored(answer="I could not find the notice period. " + repeated(u, n)),
    "history": lambda u, n: _scored(history=[{"role": "user", "text": repeated(u, n)}]),
    "metadata": lambda u, n: _scored(metadata={"note": repeated(u, n)}, retrieved=_source(metadata={"version": repeated(u, n), "status": repeated(u, n)})),
    "references in text": lambda u, n: void(find_references(repeated(u, n))),
    "check .txt": lambda u, n: _checked("a.txt", repeated(u, n)),
    "check .md": lambda u, n: _checked("a.md", repeated(u, n)),
    "check .html": lambda u, n: _checked("a.html", f"<html><body><p>{repeated(u, n)}</p></body></html>"),
    "html attribute": lambda u, n: _checked("a.html", f'<html><body><p title="{repeated(u, n)}" {repeated(u, n)}>a</p></body></html>'),
    "check .bib": lambda u, n: _checked("a.bib", "@article{k, title={" + repeated(u, n) + "}, author={" + repeated(u, n) + "}, year={2020}}"),
    "bib entries": lambda u, n: _checked("a.bib", "".join(f"@article{{k{i}, title={{{u}}}, doi={{{u}}}, year={{2020}}}}\n" for i, u in enumerate(_units(u, n)))),
    "bib raw": lambda u, n: _checked("a.bib", "@article{k, " + repeated(u, n)),
    "quoted span on a page": lambda u, n: _on_a_page(_claim(quoted_span=repeated(u, n)), _source(text=repeated(u, 2 * n) + "x")),
    "reply's quote": lambda u, n: void(find_quote(repeated(u, n) + "x", repeated(u, 2 * n))),
    "reply's quote, ended": lambda u, n: void(find_quote(repeated(u, n // 2) + "… x", repeated(u, n))),
}  # fmt: skip
"""Each reads a text of `n` characters made of the unit, in the place that its name says."""


def void(result: object) -> None:
    """Drop a result."""
    del result
