"""CUAD (Hendrycks et al. 2021, NeurIPS): 510 commercial contracts in which lawyers marked 41 kinds of clause."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from pydantic import Field

from showable.errors import InputError
from showable.harness.corpora.archive import members
from showable.harness.corpora.chunking import chunk, id_of
from showable.harness.corpora.corpus import Corpus, Labelled
from showable.harness.corpora.labelled_rows import Published, evidence_in, parsed, shaped
from showable.records.record import Gold, Source

ADDRESS = "https://github.com/TheAtticusProject/cuad/raw/main/data.zip"
LICENCE = "CC BY 4.0"

_FILES = {"CUADv1.json", "CUAD_v1.json"}
"""All contracts, as the repository and as Zenodo call the file."""
_CATEGORY = re.compile(r"related to \"(?P<named>[^\"]+)\"")
_TITLE = re.compile(
    r"(?P<company>[^_]+)_(?:(?P<date>\d{2}_\d{2}_\d{4}|\d{8})[_-])?"
    r"(?:.*EX-[\d.]+(?:\(\w+\))*[-_])?(?P<kind>.+)"
)
_PLAIN_TITLE = re.compile(r"(?P<company>[^_]+?) ?- ?(?P<kind>[^_]+)(?P<date>)")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})")
_SMALL = re.compile(r"\b(?:And|Of|For|The|To|Between)\b")
_LATER = re.compile(r"(?<=[a-z ])\d+$")


class _Answer(Published):
    text: str
    answer_start: int = Field(ge=0)


class _Asked(Published):
    id: str
    question: str
    is_impossible: bool | None = None
    answers: list[_Answer]


class _Paragraph(Published):
    context: str
    qas: list[_Asked]


class _Contract(Published):
    title: str = Field(min_length=1)
    paragraphs: list[_Paragraph] = Field(min_length=1)


class _File(Published):
    data: list[_Contract] = Field(min_length=1)


def read_cuad(path: Path) -> Corpus:
    """Read ``CUADv1.json`` (``CUAD_v1.json`` at Zenodo), or the archive or folder that it is published in.

    A contract is a document. A kind of clause that it has is labelled ``answered``, with every marked span as evidence;
    one that it lacks is ``absent``. Raises InputError with the file and field that is not as published.
    """
    files = list(members(path, lambda name: PurePosixPath(name).name in _FILES))
    if not files:
        raise InputError(f"holds no {' or '.join(sorted(_FILES))}", path=str(path))
    reading = _Reading()
    for file in files[:1]:
        for contract in shaped(parsed(file.data, file.shown), _File, file.shown).data:
            reading.add(contract)
    return Corpus(
        name="cuad",
        origin=str(path),
        licence=LICENCE,
        sources=tuple(reading.sources),
        labelled=tuple(reading.labelled),
        notes=tuple(reading.notes()),
    )


class _Reading:
    """The passages and labels so far, and what was left out."""

    def __init__(self) -> None:
        self.sources: list[Source] = []
        self.labelled: list[Labelled] = []
        self.unknown: dict[str, int] = {}
        self.lost = 0
        self._ids: set[str] = set()

    def add(self, contract: _Contract) -> None:
        """Take a contract; its text is that of its paragraphs, of which there is one as published."""
        document, named = self._id(contract.title), name_of(contract.title)
        text = "\n\n".join(paragraph.context for paragraph in contract.paragraphs)
        passages = chunk(document, text, title=named, metadata={"published_title": contract.title})
        self.sources += passages
        before = 0
        for paragraph in contract.paragraphs:
            for asked in paragraph.qas:
                self._label(asked, document, named, _gold(asked.answers, passages, paragraph.context, before))
            before += len(paragraph.context) + 2

    def _label(self, asked: _Asked, document: str, named: str, gold: Gold | None) -> None:
        category = category_of(asked.id, asked.question)
        wanted = CLAUSE_QUESTIONS.get(category.casefold())
        if wanted is None:
            self.unknown[category] = self.unknown.get(category, 0) + 1
            return
        if gold is None:
            self.lost += 1
            return
        self.labelled.append(
            Labelled(
                id=id_of(asked.id),
                document=document,
                question=f"In the {named}, {wanted}",
                kind="answered" if asked.answers else "absent",
                gold=gold,
            )
        )

    def _id(self, title: str) -> str:
        """Make the contract's id; two titles that differ only in signs no id has are told apart by a number."""
        wanted, number = id_of(title), 1
        found = wanted
        while found in self._ids:
            number += 1
            found = f"{wanted}-{number}"
        self._ids.add(found)
        return found

    def notes(self) -> Iterable[str]:
        """Yield what was left out."""
        if self.lost:
            yield f"{self.lost} questions left out: a marked span does not stand where the label says"
        for category, count in self.unknown.items():
            yield f"{count} questions left out: {category!r} is none of CUAD's 41 kinds of clause"


def category_of(asked_id: str, question: str) -> str:
    """Return the kind of clause that a question is about: named in it, else at the end of its id."""
    named = _CATEGORY.search(question)
    return named["named"] if named else asked_id.rpartition("__")[2]


def name_of(title: str) -> str:
    """Name a contract as a person would, from its published title: ``Supply Agreement of ACME INC (2011)``."""
    parts = _TITLE.fullmatch(title.strip()) or _PLAIN_TITLE.fullmatch(title.strip())
    if parts is None:
        return f"contract {title.strip()}"
    company = _CAMEL.sub(" ", parts["company"]).replace(",", ", ").replace("  ", " ").strip(" ,")
    kind = _LATER.sub("", parts["kind"].replace("_", " ").strip(" -"))
    date = parts["date"] or ""
    year = f" ({date[-4:] if '_' in date else date[:4]})" if date else ""
    return f"{_SMALL.sub(_lower, kind.title()) if kind.isupper() else kind} of {company}{year}"


def _lower(found: re.Match[str]) -> str:
    return found[0].lower()


def _gold(answers: list[_Answer], passages: list[Source], context: str, before: int) -> Gold | None:
    """Make the gold, or None where a marked span is not the text at its offset."""
    if not answers:
        return Gold(answerable=False)
    evidence = []
    for answer in answers:
        start, end = answer.answer_start, answer.answer_start + len(answer.text)
        if context[start:end] != answer.text or not answer.text.strip():
            return None
        evidence += evidence_in(passages, before + start, before + end)
    texts = dict.fromkeys(" ".join(answer.text.split()) for answer in answers)
    return Gold(answer="; ".join(texts), answerable=True, evidence=tuple(dict.fromkeys(evidence)))


# A natural question for each of CUAD's 41 kinds of clause; the data set itself gives an instruction to highlight.
#
# Each asks what the contract says, not whether it says so: where the contract has no such clause, the answer is not in it.


CLAUSE_QUESTIONS = {
    "document name": "what is the agreement called?",
    "parties": "who are the parties?",
    "agreement date": "on what date was the agreement made?",
    "effective date": "from what date does the agreement take effect?",
    "expiration date": "when does the initial term of the agreement end?",
    "renewal term": "for how long is the agreement renewed after its initial term?",
    "notice period to terminate renewal": "how much notice must a party give to prevent a renewal?",
    "governing law": "which law governs the agreement?",
    "most favored nation": "which terms must be matched if a third party is given better ones?",
    "non-compete": "what restriction is there on competing with the other party?",
    "exclusivity": "what exclusivity do the parties owe each other?",
    "no-solicit of customers": "how are the parties restricted from soliciting each other's customers?",
    "competitive restriction exception": "what exceptions are made to the restrictions on competing?",
    "no-solicit of employees": "how are the parties restricted from soliciting or hiring each other's employees?",
    "non-disparagement": "what may the parties not say of each other?",
    "termination for convenience": "how may a party end the agreement without cause?",
    "rofr/rofo/rofn": "what right of first refusal, first offer or first negotiation is granted?",
    "change of control": "what follows if a party undergoes a change of control?",
    "anti-assignment": "under what conditions may a party assign the agreement?",
    "revenue/profit sharing": "what share of revenue or profit is one party to pay the other?",
    "price restrictions": "how is a party restricted in raising or lowering prices?",
    "minimum commitment": "what minimum must a party buy, order or pay?",
    "volume restriction": "what happens if use exceeds the agreed volume?",
    "ip ownership assignment": "who comes to own intellectual property that is created under the agreement?",
    "joint ip ownership": "what intellectual property do the parties own jointly?",
    "license grant": "what licence does one party grant to the other?",
    "non-transferable license": "how is the transfer of the licence restricted?",
    "affiliate license-licensor": "what licence is granted by, or covers the intellectual property of, affiliates of the licensor?",
    "affiliate license-licensee": "which affiliates of the licensee may use the licence?",
    "unlimited/all-you-can-eat-license": "what use does the unlimited licence allow?",
    "irrevocable or perpetual license": "which licence is irrevocable or perpetual?",
    "source code escrow": "on what terms is source code placed in escrow?",
    "post-termination services": "what must a party still do after the agreement has ended?",
    "audit rights": "what may a party inspect or audit of the other?",
    "uncapped liability": "for what is a party's liability not limited?",
    "cap on liability": "to what amount or time is a party's liability limited?",
    "liquidated damages": "what damages or fee are fixed for a breach or an early end?",
    "warranty duration": "how long does the warranty last?",
    "insurance": "what insurance must a party keep?",
    "covenant not to sue": "what has a party undertaken not to contest or sue over?",
    "third party beneficiary": "who, not being a party, may enforce the agreement?",
}
