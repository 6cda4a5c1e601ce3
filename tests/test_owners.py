"""Every visible word of an answer has an owner: what states something is judged wherever it stands, and talk is not."""

from __future__ import annotations

import asyncio

import pytest
from tables import every_row

import showable
from showable.evaluation import evaluate_one, regrade_one
from showable.judges.choose import choose
from showable.read.answer import read_answer
from showable.read.language import foreign_language
from showable.records.record import Record
from showable.report.over_refusals import in_another_language

LEASE = "The landlord returns the deposit within 21 days. Damage may be deducted."
BILLS = "The tenant pays for electricity and internet. The landlord pays for water."
LOG = [{"source_id": "lease", "text": LEASE}, {"source_id": "bills", "text": BILLS}]
QUESTION = "When is the deposit returned, and what does the tenant pay for?"
FACTS = (
    "The landlord returns the deposit within 21 days [lease].",
    "The tenant pays for electricity and internet [bills].",
)
GOOD = " ".join(FACTS)
HIDDEN = ("the roof was replaced in 2011", "smokers must leave the building", "a late fee of 75 euros is charged")
ACCEPTABLE = {"correct", "refused"}

# {s} is a statement that no passage supports, {g} a good answer. Every place is one that a reader of the page sees.
PLACES = [
    "# {s}\n\n{g}", "**{s}**\n\n{g}", "{s}\n---\n\n{g}", "<h3>{s}</h3>\n{g}", "## Why {s}\n\n{g}",
    "| Point | {s} |\n|---|---|\n| first | {g} |", "<table><caption>{s}</caption><tr><td>{g}</td></tr></table>",
    "![{s}](a.png)\n\n{g}", "<img src='a.png' alt='{s}'>\n\n{g}", '{g} See the [page](#top "{s}").',
    "<details><summary>{s}</summary>\n\n{g}\n\n</details>", "{g}\n\n```python\n# {s}\nrun()\n```", "{g}\n\n```yaml\nnote: {s}\n```",
    "{g} `{s}`", "{g} ({s})", "{g} [{s}]", "Did you know that {s}? {g}", "{s}, right? {g}", "{g} Given that {s}, shall I go on?",
    "Here's the short version: {s}. {g}", "As {s}, these points matter:\n\n- {g}", "Because {s}, {g}", "{g} Ask again, because {s}.",
    "{g} I hope this helps, since {s}!", "{g} See the passages, which show that {s}.", "{g}\n\nSources: [lease] ({s})",
    "The documents say nothing about keys, because {s}.", "While {s}, the documents say nothing about keys.",
    "The documents say nothing about keys ({s}).",
]  # fmt: skip
GOOD_ONES = [
    GOOD, f"# Answer\n\n- {FACTS[0]}\n- {FACTS[1]}", f"Here is what I found:\n\n1. {FACTS[0]}\n2. {FACTS[1]}",
    f"The passages say the following. {GOOD}", f"**Summary.** {GOOD}", f"{GOOD} I hope this helps! Let me know if you have questions.",
    f"Thank you for asking. {GOOD}\n\nKind regards", f"{GOOD} For the exact wording, see [lease].", f"{GOOD}\n\n*Sources used: [lease] and [bills]*",
    f"<p>{FACTS[0]}</p><ul><li>{FACTS[1]}</li></ul>", f"{GOOD}\n\n> [!NOTE]\n> {FACTS[0]}", "The documents say nothing about keys.",
    f"| No. | Finding |\n|---|---|\n| 1 | {FACTS[0]} |", "I could not find anything about keys. You may want to ask the landlord.",
]  # fmt: skip


def bucket(answer, log=LOG, judge="lexical"):
    return showable.score({"id": "r", "question": QUESTION, "retrieved": log, "answer": answer}, judge=judge).bucket


@every_row(("place", "statement"), [(place, HIDDEN[at % 3]) for at, place in enumerate(PLACES)])
def test_an_unsupported_statement_passes_nowhere(place, statement):
    assert bucket(place.format(s=statement, g=GOOD)) not in ACCEPTABLE


@every_row("answer", GOOD_ONES)
def test_talk_and_form_flag_no_good_answer(answer):
    assert bucket(answer, judge="embedded") in ACCEPTABLE


@every_row("answer", [answer for answer in GOOD_ONES if "[lease]" in answer])
def test_without_the_source_of_a_claim_no_answer_passes(answer):
    assert bucket(answer, LOG[1:]) not in ACCEPTABLE


def test_what_was_read_beside_the_sentences_is_saved_and_replayed(monkeypatch):
    record = Record.model_validate(
        {"id": "r", "question": QUESTION, "retrieved": LOG, "answer": f"# The roof was replaced in 2011\n\n{GOOD}"}
    )
    graded = asyncio.run(evaluate_one(record, choose("lexical")))
    assert next(claim.text for claim in graded.scorecard.claims) == "The roof was replaced in 2011"
    monkeypatch.setattr("showable.reader.read._read", None)
    assert regrade_one(record, graded.evidence) == graded.scorecard


# (answer, its claims): the words before a claim that only say whose it is, and what stands inside another
CLAIMS = [
    ("According to [lease] and [bills], notice is due.", ["Notice is due"]),
    ("[lease] clearly states that notice is due.", ["Notice is due"]),
    ("Under 28 U.S.C. § 1331, notice is due.", ["Under 28 U.S.C. § 1331, notice is due"]),
    ("The landlord, who owns the bakery, pays 5 euros.", ["The landlord pays 5 euros", "The landlord owns the bakery"]),
    ("The landlord, a retired judge, must pay.", ["The landlord must pay", "The landlord is a retired judge"]),
    ("Because the fee was paid, the tenant must leave.", ["The tenant must leave", "The fee was paid"]),
    ("The tenant must leave (and the fee was paid) [lease].", ["The tenant must leave", "The fee was paid"]),
    ("The tenant must leave – the fee was paid.", ["The tenant must leave", "The fee was paid"]),
    ("Late fee\n: 75 euros", ["Late fee: 75 euros"]),
    ("Step 1: The tenant must leave.", ["The tenant must leave"]),
]


@every_row(("answer", "claims"), CLAIMS)
def test_a_claim_is_read_without_what_leads_into_it_or_stands_inside_it(answer, claims):
    record = Record.model_validate({"id": "r", "question": QUESTION, "retrieved": LOG, "answer": answer})
    assert sorted(claim.text.casefold() for claim in read_answer(record).answer.claims) == sorted(
        map(str.casefold, claims)
    )


FOREIGN = [
    "Die Kaution wird innerhalb von 21 Tagen zurückgezahlt [lease].", "Le dépôt est rendu dans les 21 jours.", "La fianza se devuelve en un plazo de 21 días.",
    "Il deposito viene restituito entro 21 giorni.", "O depósito é devolvido no prazo de 21 dias.", "De borg wordt binnen 21 dagen terugbetaald.",
    "Depositionen återbetalas inom 21 dagar.", "Kaucja jest zwracana w ciągu 21 dni.", "押金在21天内退还。", "Залог возвращается в течение 21 дня.", "المستأجر يدفع الكهرباء",
]  # fmt: skip
ENGLISH = [
    "The doctrine of res ipsa loquitur applies; de minimis non curat lex.", "See R v Dudley and Stephens (1884) 14 QBD 273 DC.", "Van der Berg v. De la Cruz was reversed per curiam.",
    "Give 5 mg t.i.d. p.r.n., max. 15 mg/d.", "α = 0.05, β = 0.2", "SELECT id FROM la_table WHERE y = 'das'", "Der Spiegel reported the merger of El País and Le Monde.", "30 days", "§ 1331",
    "Müller, Søren and Łukasz met in Zürich.", "café, naïve and résumé are loan words",
]  # fmt: skip


@every_row("text", FOREIGN)
def test_an_answer_in_another_language_is_undecided_and_says_so(text):
    for answer in (text, {"claims": [{"text": text, "citations": [{"source_id": "lease"}]}]}, f"{GOOD} {text}"):
        record = {"id": "r", "question": QUESTION, "retrieved": LOG, "answer": answer}
        card = showable.score(record, judge="lexical")
        assert (card.bucket, card.cause) == ("unknown", "language"), answer


@every_row("text", ENGLISH)
def test_names_terms_of_law_and_code_are_no_other_language(text):
    assert foreign_language(text) is None


@pytest.mark.parametrize(
    ("count", "told"), [(0, None), (1, "1 answer is in a language"), (2, "2 answers are in languages")]
)
def test_the_headline_tells_what_was_not_judged(count, told):
    answers = [GOOD, *FOREIGN[:count]]
    records = [
        {"id": str(at), "question": QUESTION, "retrieved": LOG, "answer": answer} for at, answer in enumerate(answers)
    ]
    said = in_another_language(showable.evaluate(records, judge="lexical").summary)
    assert said is None if told is None else said.startswith(told)
