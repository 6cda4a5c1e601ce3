"""Agreement with gold answers. `source` of every row: made by hand, the design, or a kind of case met in labelled answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probative.records import Gold, Thresholds
from probative.records.evidence import PairVerdict, Verdict
from probative.rubrics.gold_agreement import GoldReading, compare_with_gold, gold_pairs, settle_with_verdicts
from probative.rubrics.gold_text import says_none, says_unstated

DESIGN, HAND, MET = "design: gold answers", "made by hand", "made by hand after a kind met in labelled answers"
CAPEX = "How much was Acme's capital expenditure in FY2018, in USD millions?"
PPE = "What is the year end FY2018 net PPE for Acme? Answer in USD billions."
MARGIN = "What is the FY2021 COGS % margin of Acme?"
RATIO = "What is the FY2017 cash flow ratio for Acme? Round your answer to two decimal places."
CHANGE = "What was the change in Acme's operating margin between FY2018 and FY2019? Give it in percent, rounded to one decimal."
DOSE = "What is the starting dose of drugamab in adults?"
NOTICE = "How long is the notice period for termination?"
EFFECTIVE = "When did the amendment take effect?"
IMPROVING = "Is Acme's operating margin improving as of FY2022?"
SAFE = "Is drugamab safe during pregnancy?"
MAY_SUBLET = "Can the tenant sublet the premises without consent?"
CAPITAL = "What is the capital of France?"
CHOICE = "Among operating, investing and financing activities, which gave Acme the most cash in FY22?"
BONDS = "Which debt securities are registered under Acme's name as of 2022?"
ACQUIRED = "Which three companies did Acme acquire?"
DROVE = "What drove the reduction in expenses of Acme in FY2023?"
DROVE_GOLD = "Smaller advertising budgets and fewer staff bonuses after the merger."

DEPOSIT = "How much is the deposit, and by when must it be paid back?"
DOSAGE = "What maintenance dose of drugamab does the table give?"
ELECTION = "Who won the election in Northtown, and by how many votes?"
COMPARED = [
    # several quantities and little else
    (DEPOSIT, "£9,600, within 30 days", "The deposit of £9,600 must be paid back within 30 days.", "agrees", HAND),
    (DEPOSIT, "£9,600, within 30 days", "The deposit of £9,600 must be paid back within 60 days.", "disagrees", "one of two differs"),
    (DEPOSIT, "£9,600, within 30 days", "The deposit of £6,900 must be paid back within thirty days.", "disagrees", "one of two differs"),
    (DOSAGE, "250 mg every 12 hours", "The maintenance dose of drugamab is 375 mg every 8 hours, infused over 60 minutes.", "disagrees", HAND),
    (DOSAGE, "250 mg every 12 hours", "The maintenance dose of drugamab is 0.25 g every 12 hours.", "agrees", "converted unit"),
    ("What revenue does Acme expect?", "$5.9 million to $6.05 million", "Acme expects revenue of $5.9 billion to $6.05 billion.", "disagrees", "wrong scale"),
    (ELECTION, "Mirela Varga, by 312 votes", "Turnout in Northtown was 61.4 percent.", "absent", "a share is no count of votes"),
    # numbers, scale, precision
    (CAPEX, "1577", "The capital expenditure amount in FY2018 for Acme was $1,577 million.", "agrees", DESIGN),
    (CAPEX, "1577", "Acme's FY2018 capital expenditure was $1.58 billion.", "agrees", DESIGN),
    (CAPEX, "1577", "Acme's FY2018 capital expenditure was $1,577.", "agrees", "the answer is in the unit asked for"),
    (CAPEX, "1577", "Acme's FY2018 capital expenditure was $(1,577) million.", "agrees", "accounting negative"),
    (CAPEX, "1577", "Acme's FY2018 capital expenditure was $1,577,000,000.", "agrees", HAND),
    (CAPEX, "1577", "Acme's FY2018 capital expenditure was $1,373 million.", "disagrees", HAND),
    (CAPEX, "1577", "Acme's FY2018 capital expenditure was $1,577 thousand.", "disagrees", "wrong scale"),
    (CAPEX, "1577", "Acme's FY2018 capital expenditure was $1.5 billion.", "disagrees", "1.577 rounds to 1.6"),
    (CAPEX, "1577", "Acme makes tape and glue.", "absent", HAND),
    (CAPEX, "1577", "Acme's FY2017 capital expenditure was $1,373 million.", "absent", "another year's value does not compete"),
    (CAPEX, "$1,577 million", "Acme's FY2018 capital expenditure was 1577 million dollars.", "agrees", HAND),
    (PPE, "8.70", "The net PPE for Acme at year end FY2018 was $8,738 million.", "agrees", DESIGN),
    (PPE, "8.7", "Net PPE for Acme at year end FY2018: $8.738 billion.", "agrees", HAND),
    (PPE, "8.7", "Net PPE for Acme at year end FY2018 was $7.9 billion.", "disagrees", HAND),
    (MARGIN, "0.397", "The FY2021 COGS margin of Acme is 39.7%.", "agrees", DESIGN),
    (MARGIN, "0.397", "The FY2021 COGS margin of Acme is 39.72%.", "agrees", HAND),
    (MARGIN, "0.397", "The FY2021 COGS margin of Acme is 0.397.", "agrees", HAND),
    (MARGIN, "39.7%", "The FY2021 COGS margin of Acme is 39.7 percent.", "agrees", HAND),
    (MARGIN, "0.397", "The FY2021 COGS margin of Acme is 42.1%.", "disagrees", HAND),
    (RATIO, "0.83", "The FY2017 cash flow ratio for Acme is 0.83.", "agrees", HAND),
    (RATIO, "0.83", "The FY2017 cash flow ratio for Acme is 83%.", "agrees", "a ratio as a percentage"),
    (RATIO, "0.83", "The FY2017 cash flow ratio for Acme is 0.84.", "agrees", "one unit in the last digit, within 2 %"),
    (RATIO, "0.83", "The FY2017 cash flow ratio for Acme is 0.86.", "disagrees", HAND),
    (RATIO, "0.8", "The FY2017 cash flow ratio for Acme is 79.83%.", "agrees", "gold lost its trailing zero"),
    (RATIO, "0.8", "The FY2017 cash flow ratio for Acme is 0.76.", "disagrees", "the question fixes two decimals"),
    (CHANGE, "0.002", "The change in operating income margin for Acme from FY2018 to FY2019 is an increase of 0.2%.", "agrees", MET),
    (CHANGE, "0.002", "Acme's operating margin decreased by 0.2% between FY2018 and FY2019.", "disagrees", "the wrong way"),
    (
        "What is the FY2019 asset turnover ratio for Acme?",
        "24.00",
        "Revenue is $4,200 million and average PP&E is ($180 + $170) / 2 = $175 million.\nTherefore, the asset turnover ratio for FY2019 is $4,200 million / $175 million = 24.00.",
        "agrees",
        "operands are not the answer",
    ),
    (
        "What is the FY2019 asset turnover ratio for Acme?",
        "267.5",
        "Average PP&E is ($180 + $170) / 2 = 175.\nTherefore, the asset turnover ratio for FY2019 is 4,200 / 175 = 24.00.",
        "disagrees",
        "gold's value is only an operand",
    ),
    (
        "By how many percentage points did Acme raise its guidance?",
        "Acme raised its guidance by 1 percentage point.",
        "Acme now expects growth of 9 percent (previously 8 percent).",
        "agrees",
        MET,
    ),
    ("By how much did Acme increase its credit line?", "$400,000,000 increase.", "Acme increased its credit line by $400 million, from $3.8 billion to $4.2 billion.", "agrees", MET),
    ("How many patients were enrolled in the trial?", "43,548", "The trial enrolled 43548 patients.", "agrees", "peer_failures"),
    ("How many patients were enrolled in the trial?", "43,548", "The trial enrolled 43,845 patients.", "disagrees", "digits swapped"),
    ("How many patients were enrolled in the trial?", "twelve", "In the trial, 12 patients were enrolled.", "agrees", HAND),
    (DOSE, "0.5 mg/kg", "The starting dose of drugamab in adults is 0.5 mg per kg.", "agrees", HAND),
    (DOSE, "0.5 mg/kg", "The starting dose of drugamab in adults is 5 mg/kg.", "disagrees", "tenfold dose"),
    (DOSE, "500 mg", "Adults start drugamab at a dose of 0.5 g.", "agrees", HAND),
    (NOTICE, "30 days", "The notice period for termination is thirty (30) days [2].", "agrees", HAND),
    (NOTICE, "30 days", "The notice period for termination is 60 days [30].", "disagrees", "a marker is no number"),
    (NOTICE, "30 days", "The notice period for termination is one month.", "disagrees", "a month is not thirty days"),
    # dates
    (EFFECTIVE, "3 May 2021", "The amendment took effect on May 3, 2021.", "agrees", HAND),
    (EFFECTIVE, "2021-05-03", "The amendment took effect on 3 May 2021.", "agrees", HAND),
    (EFFECTIVE, "3 May 2021", "The amendment took effect on June 3, 2021.", "disagrees", HAND),
    (EFFECTIVE, "2021", "The amendment took effect in 2021.", "agrees", HAND),
    (EFFECTIVE, "2021", "The amendment took effect on 3 May 2021.", "agrees", "more exact than gold"),
    (EFFECTIVE, "2021", "The amendment took effect in 2019.", "disagrees", HAND),
    # yes and no
    (IMPROVING, "No", "No, it declined to 34.6%.", "agrees", HAND),
    (IMPROVING, "No, it declined.", "Yes. It grew.", "disagrees", HAND),
    (IMPROVING, "No, it declined.", "Acme's operating margin is not improving as of FY2022.", "agrees", "never says no outright"),
    (IMPROVING, "Yes, it improved.", "Acme's operating margin is not improving as of FY2022.", "disagrees", "never says no outright"),
    (IMPROVING, "No", "Acme's operating margin is declining as of FY2022.", "agrees", "the opposite word"),
    (IMPROVING, "Yes", "Acme's operating margin is improving as of FY2022.", "agrees", HAND),
    (IMPROVING, "Yes", "It is not possible to determine whether Acme has an improving operating margin profile.", "absent", "declines"),
    (SAFE, "No", "Drugamab is unsafe during pregnancy.", "agrees", HAND),
    (SAFE, "No", "Drugamab is safe during pregnancy.", "disagrees", HAND),
    (MAY_SUBLET, "No", "The tenant cannot sublet the premises.", "agrees", HAND),
    (MAY_SUBLET, "No", "The tenant can sublet the premises.", "disagrees", HAND),
    (
        "Were there events that are not in Acme's standard operations that increased net income in 2019?",
        "Yes, a gain on a sale",
        "The gain, not part of Acme's standard operations, increased net income in 2019.",
        "agrees",
        "the question's own negation repeated",
    ),
    (IMPROVING, "Maybe", "Acme's operating margin is improving as of FY2022.", "unknown", "medical questions with three answers"),
    (IMPROVING, "Yes", "Margins were discussed.", "unknown", "left to a judge"),
    (
        "Does awareness improve accrual into trials?",
        "No",
        "Awareness significantly improved satisfaction, but did not improve accrual into trials.",
        "agrees",
        "the clause that is about the question",
    ),
    ("Are clinical predictors adequate for elderly patients?", "No", "Clinical predictors appear inadequate for elderly patients.", "agrees", "negating prefix"),
    ("Is the drug given orally or intravenously?", "Intravenously", "The drug is given intravenously.", "agrees", "an alternative, not a yes or no"),
    # names, choices, lists
    (CAPITAL, "Paris", "Paris.", "agrees", HAND),
    (CAPITAL, "Paris", "The capital of France is Paris [1].", "agrees", HAND),
    (CAPITAL, "Paris", "The capital of France is Lyon.", "disagrees", HAND),
    (CAPITAL, "Paris", "France is a country in Europe.", "absent", HAND),
    ("Who wrote the opinion?", "Justice Müller", "The opinion was written by Justice Muller.", "agrees", "accents"),
    (CHOICE, "Operating activities gave Acme the most cash in 2022", "Operating activities gave Acme the most cash in FY22.", "agrees", MET),
    (CHOICE, "Operating activities gave Acme the most cash in 2022", "Investing activities gave Acme the most cash in FY22.", "disagrees", MET),
    (ACQUIRED, "Trillium, Array, and Therachon", "Acme acquired Array, Therachon and Trillium.", "agrees", MET),
    (BONDS, "There are none", "There are no debt securities registered under Acme's name as of 2022.", "agrees", MET),
    (BONDS, "There are none", "The debt securities registered under Acme's name as of 2022 are the 3% Notes due 2030.", "disagrees", MET),
    (BONDS, "There are none", "The document does not provide information on debt securities registered under Acme's name.", "absent", "a refusal is no denial"),
    (BONDS, "There are none", "The debt securities registered under Acme's name as of 2022 are:\n\n* None", "agrees", MET),
    (BONDS, "Not stated", "The document does not mention debt securities registered under Acme's name.", "agrees", "design: not-stated"),
    # longer texts
    (DROVE, DROVE_GOLD, "The reduction came from smaller advertising budgets and fewer staff bonuses after the merger.", "agrees", MET),
    (DROVE, DROVE_GOLD, "Acme sells shoes.", "absent", HAND),
    (DROVE, DROVE_GOLD, "Acme had smaller advertising costs.", "unknown", "left to a judge"),
]  # fmt: skip


REVIEW = "made by hand: negation, sign and contradiction are part of what is said"
DRUG = "Which drug is recommended after stenting?"
OP_MARGIN = "What was the operating margin of Acme in FY2022?"
INCOME = "What was the net income of Acme (in USD millions)?"
CEO = "Who is the CEO of Acme?"
NEGATED = [
    (CAPITAL, "Paris", "The capital is not Paris.", "unknown"),
    (CAPITAL, "Paris", "The capital of France isn't Paris.", "unknown"),
    (CAPITAL, "Paris", "Paris is not the capital of France.", "unknown"),
    (CAPITAL, "Paris", "The capital of France is no longer Paris.", "unknown"),
    (CAPITAL, "Paris", "The capital is Lyon, not Paris.", "disagrees"),
    (CAPITAL, "Paris", "The capital of France is not Paris but Lyon.", "disagrees"),
    (CAPITAL, "Paris", "Lyon, rather than Paris, is the capital of France.", "disagrees"),
    (CAPITAL, "Paris", "Paris was replaced by Lyon as the capital of France.", "disagrees"),
    (CAPITAL, "Paris", "The capital is Paris, not Lyon.", "agrees"),
    (CAPITAL, "Paris", "The capital of France is not Lyon but Paris.", "agrees"),
    (CAPITAL, "Paris", "The capital of France is none other than Paris.", "agrees"),
    (CAPITAL, "Paris", "Paris, which is not the oldest city, is the capital of France.", "agrees"),
    ("Which city fell in 1944?", "Paris", "Paris did not fall until 1944.", "agrees"),
    (DRUG, "aspirin", "Aspirin is contraindicated.", "unknown"),
    (DRUG, "aspirin", "Aspirin is not recommended after stenting.", "unknown"),
    (DRUG, "aspirin", "Warfarin, which replaced aspirin, is recommended.", "disagrees"),
    (DRUG, "aspirin", "Aspirin, which replaced warfarin, is recommended.", "agrees"),
    ("Which drug is contraindicated?", "aspirin", "Aspirin is contraindicated.", "agrees"),
    ("Which drug is not recommended?", "aspirin", "Aspirin is not recommended.", "agrees"),
    ("Who led Acme before Lee?", "Kim", "Lee replaced Kim as head of Acme.", "agrees"),
    (NOTICE, "30 days", "The notice period is not 30 days but 60 days.", "disagrees"),
    (NOTICE, "30 days", "The notice period is 60 days, not 30 days.", "disagrees"),
    (NOTICE, "30 days", "The notice period is 60 days instead of 30 days.", "disagrees"),
    (NOTICE, "30 days", "The notice period is no longer 30 days; it is 60 days.", "disagrees"),
    (NOTICE, "30 days", "The notice period is not 30 days.", "unknown"),
    (NOTICE, "30 days", "The notice period is not 60 days but 30 days.", "agrees"),
    (NOTICE, "30 days", "The notice period may not exceed 30 days.", "agrees"),
    (NOTICE, "30 days", "The notice period is not more than 30 days.", "agrees"),
    (NOTICE, "30 days", "It is 60 days. It was 30 days until 2019.", "disagrees"),
    (NOTICE, "30 days", "It was 60 days until 2019. It is 30 days.", "agrees"),
    (NOTICE, "30 days", "The notice period was 30 days until 2019.", "unknown"),
    ("What happened to revenue?", "It did not fall", "Revenue did not fall.", "agrees"),
    ("What happened to revenue?", "It did not fall", "Revenue did fall.", "unknown"),
    # sign
    (OP_MARGIN, "-5%", "The margin was 5%.", "disagrees"),
    (OP_MARGIN, "-5%", "It rose 5%.", "disagrees"),
    (OP_MARGIN, "-5%", "The operating margin of Acme fell to 5%.", "disagrees"),
    (OP_MARGIN, "-5%", "The operating margin of Acme was -5%.", "agrees"),
    (OP_MARGIN, "-5%", "The operating margin of Acme was negative 5%.", "agrees"),
    (OP_MARGIN, "-5%", "It fell by 5%.", "agrees"),
    (OP_MARGIN, "minus 5%", "The operating margin of Acme was 5%.", "disagrees"),
    (OP_MARGIN, "5%", "The operating margin of Acme was -5%.", "disagrees"),
    (INCOME, "-5", "Acme had a net loss of $5 million.", "agrees"),
    (INCOME, "-5", "The net income of Acme was (5).", "agrees"),
    (INCOME, "(5)", "The net income of Acme was $(5) million.", "agrees"),
    (INCOME, "-5", "The net income of Acme was $5 million.", "disagrees"),
    ("By how much did revenue decrease?", "5%", "Revenue decreased by 5%.", "agrees"),
    ("By how much did revenue decrease?", "5%", "Revenue increased by 5%.", "disagrees"),
    ("How did revenue change?", "Decreased by 5%", "Revenue increased by 5%.", "disagrees"),
    ("How did revenue change?", "Decreased by 5%", "Revenue fell 5%.", "agrees"),
    (CAPEX, "-1577", "Acme's FY2018 capital expenditure was $1,577 million.", "agrees"),
]  # fmt: skip
COMPARED += [(*row, REVIEW) for row in NEGATED]

ALCOHOL, PREGNANT = "Is alcohol allowed during treatment?", "Can I take it while pregnant?"
PETS, SUBLET = "Does the lease allow pets?", "May the tenant sublet?"
FORBIDDEN = [
    # a prohibition in other words than the question's is a no, or is left to a judge: never a yes
    *((ALCOHOL, gold, said, expected)
      for gold, expected in (("No", "agrees"), ("Yes", "disagrees"))
      for said in ("Alcohol is contraindicated during treatment.", "Alcohol must be avoided during treatment.", "Patients should avoid alcohol during treatment.",
                   "Patients must refrain from alcohol during treatment.", "Alcohol is dangerous during treatment.")),
    (PETS, "No", "Pets are excluded by the lease.", "agrees"),
    (PETS, "Yes", "Pets are excluded by the lease.", "disagrees"),
    (PETS, "Yes", "The lease allows pets.", "agrees"),
    (ALCOHOL, "No", "Alcohol is permitted during treatment.", "disagrees"),
    (ALCOHOL, "Yes", "Alcohol during treatment is a bad idea.", "unknown"),
    (PREGNANT, "Yes", "You must stop taking it while pregnant.", "unknown"),
    (PREGNANT, "Yes", "Taking it while pregnant is unsafe.", "unknown"),
    (PREGNANT, "Yes", "You can take it while pregnant.", "agrees"),
    (SUBLET, "Yes", "The tenant must obtain consent before subletting.", "unknown"),
    ("May the tenant pay the rent electronically?", "No", "The tenant pays the rent electronically to a bank.", "unknown"),
    # the opposite word of a second group; of two groups, one word repeated and one put into its opposite
    ("Is higher salt intake associated with mortality?", "No", "Salt intake was independent of mortality.", "agrees"),
    ("Is it safe to increase the dose?", "No", "It is safe to reduce the dose.", "unknown"),
]  # fmt: skip
COMPARED += [(*row, "made by hand: a prohibition outside the question's own words") for row in FORBIDDEN]

DAYS, MG = "How many days is the notice period?", "What is the maximum dose in mg?"
AGE, RATE, TABLETS = "What is the minimum age?", "What is the interest rate?", "How many tablets may be taken?"
WARRANTY, PATIENTS = "How many months is the warranty?", "How many patients were enrolled?"
UNITS = [
    # the question names the unit
    (DAYS, "30", "The notice period is 30 days.", "agrees"),
    (DAYS, "thirty", "The notice period is 30 days.", "agrees"),
    (DAYS, "30", "The notice period is 720 hours.", "agrees"),
    (DAYS, "30", "The notice period is 60 days.", "disagrees"),
    (DAYS, "30", "The notice period is 60.", "disagrees"),
    (DAYS, "30 days", "The notice period is 30.", "agrees"),
    (DAYS, "30 days", "The notice period is 60.", "unknown"),
    ("What is the notice period in days?", "30", "The notice period is 30 days.", "agrees"),
    (MG, "2000", "The maximum dose is 2000 mg.", "agrees"),
    (MG, "2000", "The maximum dose is 2 g.", "agrees"),
    (MG, "2000", "The maximum dose is 4 g.", "disagrees"),
    ("What is the dose (mg)?", "500", "The dose is 250 mg.", "disagrees"),
    (TABLETS, "4", "Up to 4 tablets of 500 mg may be taken.", "agrees"),
    (TABLETS, "4", "Take 500 mg.", "absent"),
    (WARRANTY, "24", "The warranty is two years.", "agrees"),
    (WARRANTY, "2 years", "The warranty is 24.", "agrees"),
    (WARRANTY, "2 years", "The warranty is 2.", "unknown"),
    ("How long is the road in km?", "12", "The road is 12 km long.", "agrees"),
    ("How many percent of the shares does it hold?", "30", "It holds 30 percent of the shares.", "agrees"),
    # it names none: the same number agrees where such a quantity is asked for, another may be a converted one
    (AGE, "18", "The minimum age is 18 years.", "agrees"),
    (AGE, "18 years", "The minimum age is 18.", "agrees"),
    (AGE, "18 years", "The minimum age is 21.", "unknown"),
    (DOSE, "500", "The starting dose of drugamab in adults is 500 mg.", "agrees"),
    (DOSE, "500", "The starting dose of drugamab in adults is 0.5 g.", "unknown"),
    (RATE, "5", "The interest rate is 5%.", "agrees"),
    (RATE, "5%", "The interest rate is 5.", "agrees"),
    (RATE, "5", "The interest rate is 7%.", "disagrees"),
    (RATIO, "0.83", "The FY2017 cash flow ratio for Acme is 0.83%.", "disagrees"),
    ("How much is the deposit?", "900", "The deposit is repaid within 900 days.", "unknown"),
    (PATIENTS, "512", "The trial of patients lasted 12 weeks.", "absent"),
    (PATIENTS, "512", "The patients enrolled got 512 mg.", "unknown"),
    # "in" before what is no unit of the answer
    ("How much did Acme earn in month three?", "5", "In month three Acme earned 5.", "agrees"),
    # two currencies that are both stated; a bare dollar sign may be that of another country
    ("What was the revenue of Acme?", "$1.5 billion", "The revenue of Acme was €1.5 billion.", "disagrees"),
    ("What was the revenue of Acme?", "1.5 billion", "The revenue of Acme was €1.5 billion.", "agrees"),
    ("What was the revenue of Acme?", "$1.5 billion", "The revenue of Acme was 1.5 billion.", "agrees"),
    ("What was the revenue of Acme?", "A$1.5 billion", "The revenue of Acme was $1.5 billion.", "agrees"),
]  # fmt: skip
COMPARED += [(*row, "made by hand: a unit on one side alone") for row in UNITS]

SIGNED, BUYER = "Who signed the deed?", "Who is the buyer?"
ROLES = [
    (SIGNED, "Anna Berg", "Anna Berg signed the deed.", "agrees"),
    (SIGNED, "Anna Berg", "The deed was signed by Anna Berg.", "agrees"),
    (SIGNED, "Anna Berg", "Anna Berg did not sign the deed.", "unknown"),
    (SIGNED, "Anna Berg", "Anna Berg did not sign the deed [1].", "unknown"),
    (CAPITAL, "Paris", "Paris is not the capital of France [1].", "unknown"),
    (SIGNED, "Anna Berg", "Anna Berg never signed the deed.", "unknown"),
    (SIGNED, "Anna Berg", "Anna Berg refused to sign the deed.", "unknown"),
    (SIGNED, "Anna Berg", "The deed was not signed by Anna Berg.", "unknown"),
    (SIGNED, "Anna Berg", "The deed was not signed by Anna Berg but by Carl Holm.", "disagrees"),
    (SIGNED, "Carl Holm", "The deed was not signed by Anna Berg but by Carl Holm.", "agrees"),
    ("Who wrote the opinion?", "Justice Lee", "Justice Lee did not write the opinion.", "unknown"),
    ("Which party failed to sign?", "Acme", "Acme failed to sign.", "agrees"),
    ("Who won the cup?", "Leeds", "Leeds never lost a match and won the cup.", "agrees"),
    (BUYER, "Acme Ltd", "Acme Ltd is the seller and Beta Ltd is the buyer.", "disagrees"),
    (BUYER, "Acme Ltd", "The seller is Acme Ltd and the buyer is Beta Ltd.", "disagrees"),
    (BUYER, "Acme Ltd", "Acme Ltd is the seller. Beta Ltd is the buyer.", "disagrees"),
    (BUYER, "Acme Ltd", "Acme Ltd is the seller [1] and Beta Ltd is the buyer [2].", "disagrees"),
    (BUYER, "Beta Ltd", "Acme Ltd is the seller and Beta Ltd is the buyer.", "agrees"),
    (BUYER, "Acme Ltd", "Acme Ltd is the purchaser, and the buyer is Acme Ltd's parent.", "agrees"),
    (CEO, "John Smith", "John Smith is the founder. He is the CEO of Acme.", "agrees"),
    (CEO, "John Smith", "John Smith is the founder, and Smith is the CEO of Acme.", "agrees"),
]  # fmt: skip
COMPARED += [(*row, "made by hand: named, but not as what was asked for") for row in ROLES]


@pytest.mark.parametrize(
    ("question", "gold", "answer", "expected", "source"), COMPARED, ids=[f"{r[1][:24]} / {r[2][:60]}" for r in COMPARED]
)
def test_compares_an_answer_with_its_gold_answer(question, gold, answer, expected, source):
    reading = compare_with_gold(question, Gold(answer=gold), [answer], answer)
    assert reading.overall == expected, reading.reason
    if expected in {"agrees", "disagrees"}:
        assert reading.per_claim == (expected,)
    assert reading.undecided == (expected == "unknown")


AGREED = "Acme's FY2018 capital expenditure was $1,577 million."
BESIDE = [
    # question, gold, the claim that agrees, another claim, what that one has to do with gold
    (NOTICE, "30 days", "The notice period is 30 days.", "The notice period is 60 days.", "disagrees"),
    (NOTICE, "30 days", "The notice period is 30 days.", "The notice period is not 30 days.", "disagrees"),
    (CAPITAL, "Paris", "The capital of France is Paris.", "The capital of France is Lyon.", "disagrees"),
    (CAPITAL, "Paris", "Paris is the capital of France.", "Lyon is the capital of France.", "disagrees"),
    (CEO, "John Smith", "The CEO of Acme is John Smith.", "The CEO of Acme is Mary Jones.", "disagrees"),
    (CAPEX, "1577", AGREED, "Acme's FY2018 capital expenditure was $900 million.", "disagrees"),
    (OP_MARGIN, "6%", "The operating margin of Acme in FY2022 was 6%.", "The operating margin of Acme in FY2022 was 9%.", "disagrees"),
    (SAFE, "No", "Drugamab is not safe during pregnancy.", "Drugamab is safe during pregnancy.", "disagrees"),
    # history, another period, another entity, another tense
    (NOTICE, "30 days", "The notice period is 30 days.", "The notice period was 60 days until 2019.", "absent"),
    (NOTICE, "30 days", "The notice period is 30 days.", "The notice period was 60 days.", "absent"),
    (NOTICE, "30 days", "The notice period is 30 days.", "The notice period for managers is 60 days.", "absent"),
    (NOTICE, "30 days", "The notice period is 30 days.", "The probation period is 60 days.", "absent"),
    (NOTICE, "30 days", "The notice period for termination is 30 days.", "Of which 10 days are paid.", "absent"),
    (CAPEX, "1577", AGREED, "Acme's FY2017 capital expenditure was $1,373 million.", "absent"),
    (CAPEX, "1577", AGREED, "Beta's FY2018 capital expenditure was $900 million.", "absent"),
    (CAPEX, "1577", AGREED, "Acme's FY2018 capital expenditure was €1,340 million.", "absent"),
    (OP_MARGIN, "6%", "In FY2022 the operating margin of Acme was 6%.", "In FY2021 the operating margin of Acme was 5%.", "absent"),
    (OP_MARGIN, "6%", "Acme's operating margin was 6%.", "Acme's gross margin was 40%.", "absent"),
    (CAPITAL, "Paris", "The capital of France is Paris.", "The capital of Germany is Berlin.", "absent"),
    (CAPITAL, "Paris", "The capital of France is Paris.", "Lyon is a city in France.", "absent"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "gold", "agreeing", "other", "expected"), BESIDE, ids=[r[3] for r in BESIDE])
def test_an_answer_is_judged_by_the_claim_that_contradicts_gold(question, gold, agreeing, other, expected):
    overall = "disagrees" if expected == "disagrees" else "agrees"
    for claims in ([agreeing, other], [other, agreeing]):
        reading = compare_with_gold(question, Gold(answer=gold), claims, " ".join(claims))
        assert (reading.overall, reading.per_claim[claims.index(other)]) == (overall, expected)


@pytest.mark.parametrize(
    "description",
    ["The capital of France is beautiful.", "The capital of France was Vichy.", "The capital of France is Parisian."],
)
def test_what_describes_the_answer_does_not_compete_with_it(description):
    claims = ["The capital of France is Paris.", description]
    reading = compare_with_gold(CAPITAL, Gold(answer="Paris"), claims, " ".join(claims))
    assert (reading.overall, "disagrees" in reading.per_claim) == ("agrees", False)


NOTHING_SAID = [
    "Not stated.", "The lease does not say.", "Not mentioned in the documents", "It is not specified", "It isn't stated.", "No such provision",
    "No such clause exists in the lease.", "There are none", "None", "N/A", "The documents do not mention it.", "This is not addressed.",
    "The agreement contains no such provision.", "Unknown", "Nothing is said about this.", "The lease is silent on this.", "No deposit is mentioned.",
    "Cannot be determined", "It cannot be determined from the lease.",
]  # fmt: skip
SOMETHING_SAID = [
    "No", "No, it is not.", "The tenant does not pay.", "The report does not say that profits fell", "Not until 2019", "Not required", "No limit",
    "Nothing to declare at customs", "None of them but Acme", "Nonesuch plc", "30 days", "Unknown Pleasures",
]  # fmt: skip


@pytest.mark.parametrize("gold", NOTHING_SAID)
def test_a_gold_answer_says_that_there_is_none(gold):
    assert says_none(gold)


@pytest.mark.parametrize("gold", SOMETHING_SAID)
def test_a_gold_answer_that_only_denies_says_something(gold):
    assert not says_none(gold)


SAID_OF_THE_DOCUMENTS = [
    # gold, whether it says that the documents leave it unsaid
    *((gold, True) for gold in ("Not stated.", "The lease does not say.", "Unknown", "Unanswerable", "Cannot be determined", "No deposit is mentioned.",
                                "There is no information on this.", "There is no mention of a deposit.", "The agreement contains no mention of it.", "No answer")),
    *((gold, False) for gold in ("None", "None.", "There are none", "There is no deposit.", "There are no known side effects.", "No such clause exists in the lease.",
                                 "The agreement contains no such provision.", "Nothing", "30 days", "No")),
    *((gold, None) for gold in ("N/A", "n/a", "Not applicable", "Not available", "Not given")),
]  # fmt: skip


@pytest.mark.parametrize(("gold", "expected"), SAID_OF_THE_DOCUMENTS)
def test_that_there_is_none_is_an_answer_and_that_it_is_not_stated_is_none(gold, expected):
    assert says_unstated(gold) is expected


def test_an_alias_counts_as_much_as_the_gold_answer():
    gold = Gold(answer="United Kingdom", aliases=("UK", "Great Britain"))
    assert (
        compare_with_gold("Which country is it?", gold, ["It is Great Britain."], "It is Great Britain.").overall
        == "agrees"
    )


def test_a_calculation_blames_only_the_claim_that_gives_the_final_value():
    claims = [
        "Revenue was $6,489 million.",
        "Average PP&E was $250.0 million.",
        "The FY2019 asset turnover ratio for Acme is 25.96.",
    ]
    reading = compare_with_gold(
        "What is the FY2019 asset turnover ratio for Acme?", Gold(answer="24.00"), claims, " ".join(claims)
    )
    assert (reading.overall, reading.per_claim) == ("disagrees", ("absent", "absent", "disagrees"))


def test_two_facts_of_one_sentence_are_told_apart_by_their_values():
    text = "Acme's FY2018 capital expenditure was $1,577 million and its depreciation in FY2018 was $1,500 million."
    claims = [
        "Acme's FY2018 capital expenditure was $1,577 million",
        "Acme's depreciation in FY2018 was $1,500 million",
    ]
    assert compare_with_gold(CAPEX, Gold(answer="1577"), claims, text).per_claim == ("agrees", "absent")


def test_a_list_with_a_part_left_out_is_incomplete():
    gold = Gold(
        answer="Acme acquired:\n- a films company in Brno\n- a packaging site in Shanghai\n- a machine maker in Auckland"
    )
    text = "Acme acquired a films company in Brno and a packaging site in Shanghai."
    reading = compare_with_gold("What did Acme acquire in FY2023?", gold, [text], text)
    assert (reading.overall, reading.incomplete) == ("agrees", True)


def test_a_year_for_a_gold_date_is_incomplete():
    text = "The amendment took effect in 2021."
    reading = compare_with_gold(EFFECTIVE, Gold(answer="3 May 2021"), [text], text)
    assert (reading.overall, reading.incomplete) == ("agrees", True)


def test_no_gold_answer_is_not_applicable():
    reading = compare_with_gold("Why?", Gold(answerable=False), ["A.", "B."], "A. B.")
    assert (reading.overall, reading.per_claim) == ("not_applicable", ("not_applicable", "not_applicable"))


def test_an_empty_answer_is_unknown_with_a_reason():
    reading = compare_with_gold("Why?", Gold(answer="Because"), [], "  ")
    assert (reading.overall, reading.undecided, reading.reason) == ("unknown", False, "the answer is empty")


def test_without_text_the_claims_are_the_answer():
    assert compare_with_gold(CAPITAL, Gold(answer="Paris"), ["The capital of France is Paris"], "").overall == "agrees"


def test_a_judge_is_asked_both_ways():
    pairs = gold_pairs("Why?", Gold(answer="Rain"), ["It poured.", "It was May."], "It poured. It was May.")
    assert [(role, index) for role, index, _ in pairs] == [
        ("gold_in_answer", 0),
        ("answer_in_gold", 0),
        ("answer_in_gold", 1),
    ]
    assert (pairs[0][2].passage, pairs[1][2].claim) == ("It poured. It was May.", "It poured.")


def test_there_is_nothing_to_ask_a_judge_without_gold():
    assert gold_pairs("Why?", Gold(), ["It poured."], "It poured.") == []


OPEN = GoldReading("unknown", ("unknown", "unknown"), "text", "40 % of the facts", incomplete=False, undecided=True)


def _verdicts(forward, *back, p=None):
    pairs = [
        PairVerdict(
            claim=0, sources=(), role="gold_in_answer", verdict=Verdict(label=forward, judge="t@1", p=p, reason="r")
        )
    ]
    return pairs + [
        PairVerdict(claim=i, sources=(), role="answer_in_gold", verdict=Verdict(label=b, judge="t@1", reason="r"))
        for i, b in enumerate(back)
    ]


SETTLED = [
    ("supported", ("supported", "unsupported"), ("agrees", False, ("agrees", "absent"))),
    ("partial", ("supported", "unsupported"), ("agrees", True, ("agrees", "absent"))),
    ("contradicted", ("contradicted", "unsupported"), ("disagrees", False, ("disagrees", "absent"))),
    ("unsupported", ("contradicted", "unsupported"), ("disagrees", False, ("disagrees", "absent"))),
    ("unsupported", ("unsupported", "unsupported"), ("absent", False, ("absent", "absent"))),
    ("unknown", ("unknown", "unknown"), ("unknown", False, ("unknown", "unknown"))),
    ("supported", ("contradicted", "unsupported"), ("agrees", False, ("unknown", "absent"))),
    ("contradicted", ("supported", "unsupported"), ("disagrees", False, ("agrees", "disagrees"))),
    ("contradicted", ("supported", "supported"), ("disagrees", False, ("disagrees", "agrees"))),
]  # fmt: skip


@pytest.mark.parametrize(("forward", "back", "expected"), SETTLED, ids=[f"{r[0]} {r[1]}" for r in SETTLED])
def test_verdicts_settle_what_was_left_open(forward, back, expected):
    settled = settle_with_verdicts(OPEN, _verdicts(forward, *back), Thresholds())
    assert (settled.overall, settled.incomplete, settled.per_claim) == expected
    assert settled.undecided == (forward == "unknown")


def test_part_of_a_yes_or_no_is_no_answer():
    polar = GoldReading("unknown", ("unknown",), "polarity", "open", incomplete=False, undecided=True)
    settled = settle_with_verdicts(polar, _verdicts("partial", "unsupported"), Thresholds())
    assert (settled.overall, settled.undecided) == ("unknown", True)


@pytest.mark.parametrize(
    ("forward", "overall"),
    [("supported", "unknown"), ("partial", "unknown"), ("contradicted", "disagrees"), ("unsupported", "absent")],
)
def test_no_judge_finds_said_what_is_only_denied(forward, overall):
    said = "Anna Berg did not sign the deed."
    reading = compare_with_gold(SIGNED, Gold(answer="Anna Berg"), [said], said)
    settled = settle_with_verdicts(reading, _verdicts(forward, "unsupported"), Thresholds())
    assert (reading.denied, settled.overall, settled.undecided) == (True, overall, overall == "unknown")


def test_a_bare_yes_is_put_to_the_judge_with_its_question():
    assert gold_pairs(SAFE, Gold(answer="Yes"), [], "It may be used.")[0][2].claim == f"{SAFE} Yes"


def test_a_probability_counts_at_the_threshold():
    settled = [
        settle_with_verdicts(OPEN, _verdicts("supported", p=0.6), Thresholds(support=t)).overall for t in (0.5, 0.7)
    ]
    assert settled == ["agrees", "absent"]


def test_verdicts_change_nothing_that_was_decided():
    decided = GoldReading("disagrees", ("disagrees",), "number", "another value")
    assert settle_with_verdicts(decided, _verdicts("supported", "supported"), Thresholds()) is decided


@pytest.mark.parametrize(("question", "gold"), sorted({(r[0], r[1]) for r in COMPARED}), ids=repr)
def test_the_gold_answer_given_as_answer_agrees(question, gold):
    assert compare_with_gold(question, Gold(answer=gold), [gold], gold).overall == "agrees"


@given(
    st.text(max_size=60),
    st.text(min_size=1, max_size=60),
    st.lists(st.text(max_size=60), max_size=3),
    st.text(max_size=120),
)
def test_any_text_is_compared_without_error(question, gold, claims, text):
    reading = compare_with_gold(question, Gold(answer=gold), claims, text)
    assert len(reading.per_claim) == len(claims)
    assert reading.reason
    assert reading.overall in {"agrees", "disagrees", "absent", "unknown", "not_applicable"}


@given(st.integers(min_value=1, max_value=10**9), st.integers(min_value=1, max_value=10**9))
def test_a_number_agrees_exactly_when_it_is_the_same(gold, given_number):
    text = f"The number of tickets sold for the show was {given_number:,}."
    reading = compare_with_gold(
        "What is the number of tickets sold for the show?", Gold(answer=str(gold)), [text], text
    )
    close = abs(gold - given_number) <= 1 and abs(gold - given_number) <= 0.02 * gold
    assert reading.overall == ("agrees" if close else "disagrees")


def assert_goes_together(reading):
    """The answer disagrees exactly where one of its claims does, or it is left open."""
    blamed = "disagrees" in reading.per_claim
    if reading.overall == "disagrees" and reading.per_claim:
        assert blamed
    if blamed:
        assert reading.overall in {"disagrees", "unknown"}


@pytest.mark.parametrize(
    ("question", "gold", "answer"), sorted({r[:3] for r in COMPARED} | {(r[0], r[1], r[3]) for r in BESIDE})
)
def test_answer_and_claims_go_together_in_every_case(question, gold, answer):
    for claims in ([answer], ["Something else was also said.", answer], [answer, "The capital of France is Rome."], []):
        assert_goes_together(compare_with_gold(question, Gold(answer=gold), claims, answer))


LABELS = st.sampled_from(["supported", "partial", "unsupported", "contradicted", "unknown"])
SENTENCES = st.sampled_from(sorted({r[2] for r in COMPARED} | {r[3] for r in BESIDE}))


@given(
    st.sampled_from(sorted({r[:2] for r in COMPARED})),
    st.lists(SENTENCES, max_size=4),
    LABELS,
    st.lists(LABELS, max_size=4),
)
def test_answer_and_claims_go_together_before_and_after_a_judge(asked, claims, forward, back):
    reading = compare_with_gold(asked[0], Gold(answer=asked[1]), claims, " ".join(claims))
    assert_goes_together(reading)
    assert_goes_together(settle_with_verdicts(reading, _verdicts(forward, *back), Thresholds()))
