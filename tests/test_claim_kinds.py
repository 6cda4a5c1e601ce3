"""The kind of a claim. Every row is a sentence made up for it; the source is the rule of the field it shows."""

import pytest
from tables import every_row

from showable.read.answer import read_answer
from showable.read.claim_kinds import RULES, Stated
from showable.records import GENERAL, Answer, Citation, Claim, Record

CASE, STATUTE = frozenset({"case"}), frozenset({"usc"})
NONE = frozenset()

TABLE = [
    # field, claim, kinds of reference it cites, kind, source
    ("legal", "The Court held that the statute violates the Fourth Amendment", CASE, "holding", "a holding decides the question before the court"),
    ("legal", "The panel rejected the argument that notice was required", CASE, "holding", "what a court rejects it decides"),
    ("legal", "Segregated schools are unconstitutional", NONE, "fact", "no case is cited for it"),
    ("legal", "A landlord must give thirty days' notice", CASE, "holding", "a rule for which a case is cited is what the case is relied on to hold"),
    ("legal", "A landlord must give thirty days' notice", STATUTE, "statute", "the same rule, with a statute cited"),
    ("legal", "Section 5 of the Act requires written notice", NONE, "statute", "text of law"),
    ("legal", "Under § 12(b), the filing is due in ten days", NONE, "statute", "a section sign"),
    ("legal", "In a footnote, the court suggested that the rule may be broader", CASE, "dictum", "said in passing"),
    ("legal", "Justice Roe, dissenting, argued that the rule is too broad", CASE, "dictum", "a dissent decides nothing"),
    ("legal", "The court observed in passing that damages were small", CASE, "dictum", "said in passing, though the court said it"),
    ("legal", "The district court granted the motion to dismiss", CASE, "procedural", "a step in the proceedings"),
    ("legal", "The appeal was dismissed as untimely", CASE, "procedural", "a step in the proceedings"),
    ("legal", "The Court held that the motion was properly denied", CASE, "holding", "a holding about a step is a holding"),
    ("legal", "The plaintiff fell on an icy stair in March", NONE, "fact", "what happened"),
    ("medical", "Adults take 5 mg twice daily", NONE, "dosage", "an amount and how often"),
    ("medical", "The maximum dose is 40 units per day", NONE, "dosage", "a dose by name"),
    ("medical", "Guidelines recommend 10 mg once daily as the starting dose", NONE, "dosage", "a recommended dose is a dose"),
    ("medical", "The guideline recommends annual screening", NONE, "recommendation", "advice"),
    ("medical", "Patients over 65 should receive the vaccine", NONE, "recommendation", "advice"),
    ("medical", "The drug is contraindicated in severe renal impairment", NONE, "safety", "harm"),
    ("medical", "Bleeding occurred in 3 % of patients", NONE, "safety", "harm"),
    ("medical", "The drug reduced mortality compared with placebo", NONE, "efficacy", "effect against placebo"),
    ("medical", "Asthma affects about 8 % of adults", NONE, "epidemiology", "how common it is"),
    ("medical", "The incidence is 12 per 100,000 a year", NONE, "epidemiology", "how common it is"),
    ("medical", "The heart has four chambers", NONE, None, "anatomy is none of the five"),
    ("research", "The authors found that sleep improved recall", NONE, "primary_finding", "what the cited work found"),
    ("research", "A meta-analysis found a small effect", NONE, "secondary_source", "found by others, reported at second hand"),
    ("research", "The effect was reported by Roe, as cited in Poe", NONE, "secondary_source", "cited at second hand"),
    ("research", "Memory is widely known to decline with age", NONE, "background", "common ground"),
    ("research", "Transformers are used in many systems", NONE, "background", "nothing is found"),
    ("legal", "The court declined to extend the privilege to spouses", CASE, "holding", "what a court declines to do it decides"),
    ("legal", "The court did not reach the constitutional question", CASE, "dictum", "what is not reached is not held"),
    ("legal", "Strict scrutiny applies to racial classifications", CASE, "holding", "a rule for which a case is cited"),
    ("legal", "Under Rule 12(b)(6), a complaint must state a plausible claim", CASE, "statute", "text of a rule"),
    ("medical", "Take one tablet every eight hours", NONE, "dosage", "numbers in words"),
    ("medical", "Two puffs every four hours", NONE, "dosage", "no verb"),
    ("medical", "Mortality was lower with the drug", NONE, "efficacy", "groups compared"),
    ("medical", "Hypertension is the leading cause of stroke", NONE, "epidemiology", "how much of it is due to what"),
    ("legal", "Regulation Z requires lenders to disclose the rate", NONE, "statute", "text of a regulation"),
    ("medical", "Do not exceed 4 g in 24 hours", NONE, "dosage", "a maximum"),
    ("medical", "Give 10 mg on the first day", NONE, "dosage", "numbers of two digits"),
    ("medical", "Clinicians should offer vaccination to pregnant women", NONE, "recommendation", "advice"),
    ("medical", "Statins can cause muscle pain", NONE, "safety", "harm"),
    ("medical", "The drug raises the risk of stroke", NONE, "safety", "harm"),
    ("medical", "The drug lowers the risk of stroke", NONE, "efficacy", "a risk lowered is an effect"),
    ("medical", "About 1 in 10 adults has diabetes", NONE, "epidemiology", "how common it is"),
    ("research", "The model reached 28.4 BLEU", NONE, "primary_finding", "a figure of its own"),
    ("research", "Participants slept 20 minutes longer than controls", NONE, "primary_finding", "groups compared"),
    ("research", "Roe (2020), citing Poe (1999), puts it at 40 %", NONE, "secondary_source", "cited at second hand"),
    ("news", "“Never again,” she told reporters", NONE, "direct_quote", "two words are somebody's words, too"),
    ("news", "Roe called the plan “reckless”", NONE, "direct_quote", "one word"),
    ("news", "The so-called “deep state” is a theory", NONE, "paraphrase", "marks of distance"),
    ("news", "The minister said that taxes would fall", NONE, "paraphrase", "in the writer's own words"),
    ("general", "The court held that notice was due", CASE, None, "the general rules give no kind"),
]  # fmt: skip


@every_row(("field", "text", "cites", "kind", "source"), TABLE)
def test_a_claim_is_given_its_kind(field, text, cites, kind, source):
    assert RULES[field].kind_of(Stated(text, cites)) == kind, source


def test_words_in_quotation_marks_are_a_quotation():
    assert RULES["news"].kind_of(Stated('"Never again," she said', quotes=True)) == "direct_quote"


def test_every_kind_is_named_once_and_reached_by_a_row():
    for field, rules in RULES.items():
        assert len(set(rules.kinds)) == len(rules.kinds)
        reached = {row[3] for row in TABLE if row[0] == field} | ({"direct_quote"} if field == "news" else set())
        assert set(rules.kinds) <= reached, field


def answered(answer, **more):
    source = {"source_id": "a", "text": "The tax falls to 9 %. Ms Roe said: the tax has to fall by the spring."}
    return Record.model_validate({"id": "q", "question": "Does the tax fall?", "retrieved": [source], "answer": answer, **more})  # fmt: skip


def test_the_reading_of_an_answer_carries_the_kinds_of_its_profile():
    record = answered("The tax falls to 9 % [a]. Ms Roe said “the tax has to fall by the spring” [a].")
    news = GENERAL.model_copy(update={"claim_rules": "news"})
    assert [claim.kind for claim in read_answer(record, news).answer.claims] == ["paraphrase", "direct_quote"]
    assert [claim.kind for claim in read_answer(record).answer.claims] == [None, None]


@pytest.mark.parametrize(("stated", "kind"), [("direct_quote", "direct_quote"), ("Direct quote", "direct_quote"), ("forecast", "paraphrase"), (None, "paraphrase")])  # fmt: skip
def test_the_kind_that_an_answer_states_is_kept_if_the_profile_knows_it(stated, kind):
    record = answered(Answer(claims=(Claim(text="The tax falls to 9 %.", kind=stated),)))
    news = GENERAL.model_copy(update={"claim_rules": "news"})
    assert [claim.kind for claim in read_answer(record, news).answer.claims] == [kind]
    assert [claim.kind for claim in read_answer(record).answer.claims] == [stated]


def test_what_a_citation_quotes_from_its_source_makes_no_quotation_of_the_claim():
    cited = (Citation(source_id="a", quoted_span="The tax falls to 9 %"),)
    record = answered(Answer(claims=(Claim(text="The tax falls to 9 %.", citations=cited),)))
    news = GENERAL.model_copy(update={"claim_rules": "news"})
    assert [claim.kind for claim in read_answer(record, news).answer.claims] == ["paraphrase"]
