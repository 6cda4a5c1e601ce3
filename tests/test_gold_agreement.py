"""Agreement with gold answers. `source` of every row: made by hand, the design, or a kind of case met in labelled answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import every_row, most_rows, never

from showable.records import Gold, Thresholds
from showable.records.evidence import PairVerdict, Verdict
from showable.rubrics.gold_agreement import compare_with_gold
from showable.rubrics.gold_reading import GoldReading
from showable.rubrics.gold_text import says_none, says_unstated
from showable.rubrics.gold_verdicts import gold_pairs, settle_with_verdicts

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
    (IMPROVING, "Yes", "It is not possible to determine whether Acme has an improving operating margin profile.", "absent", "declines"),
    (IMPROVING, "Maybe", "Acme's operating margin is improving as of FY2022.", "unknown", "medical questions with three answers"),
    (IMPROVING, "Yes", "Margins were discussed.", "unknown", "left to a judge"),
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
    (CAPITAL, "Paris", "The capital of France is not Paris but Lyon.", "disagrees"),
    (CAPITAL, "Paris", "Lyon, rather than Paris, is the capital of France.", "disagrees"),
    (CAPITAL, "Paris", "Paris was replaced by Lyon as the capital of France.", "disagrees"),
    (CAPITAL, "Paris", "The capital is Paris, not Lyon.", "agrees"),
    (CAPITAL, "Paris", "The capital of France is not Lyon but Paris.", "agrees"),
    (CAPITAL, "Paris", "The capital of France is none other than Paris.", "agrees"),
    (CAPITAL, "Paris", "Paris, which is not the oldest city, is the capital of France.", "agrees"),
    ("Which city fell in 1944?", "Paris", "Paris did not fall until 1944.", "agrees"),
    (DRUG, "aspirin", "Aspirin is not recommended after stenting.", "unknown"),
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
    (OP_MARGIN, "-5%", "The margin was 5%.", "absent"),
    (OP_MARGIN, "-5%", "It rose 5%.", "absent"),
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

BRIEFLY = [
    ("Did the council approve the plan?", "Yes", "The council approved the minutes.", "unknown"),
    ("Did the council approve the plan?", "No", "The council rejected an amendment.", "unknown"),
    ("Did the council approve the plan?", "Yes", "The mayor did.", "unknown"),
    ("Did the council approve the plan?", "Yes", "A rival plan was rejected.", "unknown"),
    ("Did the council approve the plan?", "Yes", "The council discussed the plan and rejected a motion to delay it.", "unknown"),
    ("Is a tenant allowed to sublet the flat?", "Yes", "The lease forbids pets.", "unknown"),
    ("Is a tenant allowed to sublet the flat?", "No", "The lease allows pets.", "unknown"),
    ("Did the court find the clause enforceable?", "no", "The clause was upheld.", "unknown"),
    ("Did profits rise?", "No", "Costs fell.", "unknown"),
    ("Is ibuprofen contraindicated in pregnancy?", "Yes", "It can be used safely.", "unknown"),
    ("Did the amendment pass?", "It was rejected by 52 votes to 48.", "It was defeated by 52 votes to 48.", "agrees"),
    ("Will the plant close?", "No", "It will stay open.", "unknown"),
]  # fmt: skip
COMPARED += [(*row, "made by hand: a yes or no in a word of the same sense, or its opposite") for row in BRIEFLY]

OTHER_PLACE = [
    ("Who is the chief executive officer of the group?", "Luca Ferrante", "Dana Whitlock is the CEO; Luca Ferrante chairs the board.", "disagrees"),
    ("Who is the chief executive officer of the group?", "Luca Ferrante", "Dana Whitlock took over as CEO after Luca Ferrante resigned.", "disagrees"),
    ("Who is the chief executive officer of the group?", "Luca Ferrante", "The chief executive is Dana Whitlock. Luca Ferrante is her deputy.", "disagrees"),
    ("Who is the chief executive officer of the group?", "Luca Ferrante", "Luca Ferrante is chairman, while Dana Whitlock serves as CEO.", "disagrees"),
    ("Who won the tender?", "Holm AG", "Berg Ltd won, ahead of Holm AG.", "disagrees"),
    ("Who won the tender?", "Holm AG", "Berg Ltd won the tender; Holm AG had also submitted a bid.", "disagrees"),
    ("Who wrote the report?", "Jane Orlov", "The report was written by Carl Holm. Jane Orlov edited it.", "disagrees"),
    ("Who wrote the report?", "Jane Orlov", "Carl Holm wrote the report, and Jane Orlov reviewed it.", "disagrees"),
    ("Who wrote the report?", "Jane Orlov", "Carl Holm wrote it; Jane Orlov drew the maps.", "disagrees"),
    ("Which drug is recommended as first-line therapy?", "metformin", "Insulin is the first-line therapy. Metformin is added later.", "disagrees"),
    ("Which drug is recommended as first-line therapy?", "metformin", "The first-line therapy recommended is insulin, whereas metformin is used in obese patients.", "disagrees"),
    ("Which countries were excluded from the agreement?", "Chad and Mali", "Togo was excluded, whereas Chad and Mali were admitted.", "disagrees"),
    ("Which quarter was the weakest?", "Q1", "Q1 was the strongest and Q3 the weakest.", "disagrees"),
    ("Which company manufactures the device?", "Medtronic", "Siemens makes the device; Medtronic distributes it.", "disagrees"),
    ("Which colour is the lamp when the tank is full?", "amber", "It switches from amber to green.", "disagrees"),
    ("Where is the head office?", "Leeds", "It moved from Leeds to York.", "disagrees"),
    ("Where is the head office?", "Leeds", "The head office is in York; a branch is in Leeds.", "disagrees"),
    ("Which bonds were downgraded?", "the 2026 notes", "The 2024 notes were downgraded; the 2026 notes were left unchanged.", "disagrees"),
    ("Who is the landlord?", "Acme Ltd", "The tenant is Acme Ltd and the landlord is Beta Ltd.", "disagrees"),
    ("Which party pays the costs?", "the buyer", "The seller pays the costs; the buyer pays the tax.", "unknown"),
    ("Which state's regulator objected?", "Texas", "Ohio's regulator objected; Texas's approved.", "disagrees"),
    ("What caused the fire?", "a faulty cable", "A cigarette caused the fire. A faulty cable was found elsewhere.", "disagrees"),
    ("Which test should be repeated every three months?", "HbA1c", "Lipids every three months, HbA1c once a year.", "disagrees"),
    ("Which bank provided the loan?", "HSBC", "Barclays provided the loan. HSBC acted as adviser.", "disagrees"),
    ("Which organ is mainly affected?", "the liver", "The kidney is mainly affected, the liver only rarely.", "disagrees"),
    ("What is the largest segment?", "Cloud", "Devices is the largest segment, followed by Cloud.", "disagrees"),
    ("Who is the chief executive officer of the group?", "Luca Ferrante", "Luca Ferrante has been CEO since Dana Whitlock stepped down.", "agrees"),
    ("Who is the chief executive officer of the group?", "Luca Ferrante", "Dana Whitlock stepped down in 2019; Luca Ferrante is now CEO.", "agrees"),
    ("Who is the chief executive officer of the group?", "Luca Ferrante", "Luca Ferrante. He succeeded Dana Whitlock, who was CEO until 2019.", "agrees"),
    ("Who is the chief executive officer of the group?", "Luca Ferrante", "Dana Whitlock, the former CEO, was replaced by Luca Ferrante.", "agrees"),
    ("Who is the chief executive officer of the group?", "Luca Ferrante", "The CEO is Luca Ferrante, who joined from Siemens.", "agrees"),
    ("Who is the chief executive officer of the group?", "Luca Ferrante", "Luca Ferrante, who was appointed when Dana Whitlock resigned as CEO.", "agrees"),
    ("Who is the chief executive officer of the group?", "Luca Ferrante", "The group's annual report names its chief executive officer: Luca Ferrante.", "agrees"),
    ("Who won the tender?", "Holm AG", "Holm AG won the tender, ahead of Berg Ltd.", "agrees"),
    ("Who won the tender?", "Holm AG", "Berg Ltd came second. Holm AG won.", "agrees"),
    ("Who won the tender?", "Holm AG", "The contract was awarded to Holm AG.", "agrees"),
    ("Who won the tender?", "Holm AG", "Berg Ltd lost to Holm AG.", "agrees"),
    ("Who won the tender?", "Holm AG", "Holm AG, followed by Berg Ltd.", "agrees"),
    ("Who won the tender?", "Holm AG", "Holm AG beat Berg Ltd.", "agrees"),
    ("Who wrote the report?", "Jane Orlov", "The report, which was written for the Ministry of Health, is by Jane Orlov.", "agrees"),
    ("Who wrote the report?", "Jane Orlov", "Jane Orlov is the author. She wrote the report with help from the Ministry.", "agrees"),
    ("Who wrote the report?", "Jane Orlov", "Jane Orlov wrote it, and Carl Holm drew the maps.", "agrees"),
    ("Which drug is recommended as first-line therapy?", "metformin", "Metformin is the drug recommended as first-line therapy; insulin is reserved for later.", "agrees"),
    ("Which drug is recommended as first-line therapy?", "metformin", "Guidelines recommend metformin first.", "agrees"),
    ("Which drug is recommended as first-line therapy?", "metformin", "Metformin. Second-line therapy is a sulfonylurea.", "agrees"),
    ("Which countries were excluded from the agreement?", "Chad and Mali", "The territory is Africa. Chad and Mali were excluded.", "agrees"),
    ("Which countries were excluded from the agreement?", "Chad and Mali", "Chad and Mali are excluded, Togo is not.", "agrees"),
    ("Which countries were excluded from the agreement?", "Chad and Mali", "All countries of the region except Chad and Mali are covered.", "agrees"),
    ("Which quarter was the weakest?", "Q3", "Q1 was the strongest and Q3 the weakest.", "agrees"),
    ("Which region grew fastest?", "Asia", "Asia grew fastest, Europe slowest.", "agrees"),
    ("Which region grew fastest?", "Asia", "Asia, where sales rose by 9%.", "agrees"),
    ("Which company manufactures the device?", "Medtronic", "The device is made by Medtronic; Siemens distributes it.", "agrees"),
    ("Which company manufactures the device?", "Medtronic", "Medtronic. It competes with Siemens.", "agrees"),
    ("Which colour is the lamp when the tank is full?", "green", "It switches from amber to green.", "agrees"),
    ("Where is the head office?", "York", "It moved from Leeds to York.", "agrees"),
    ("Where was the head office before 2010?", "Leeds", "It moved from Leeds to York in 2010.", "agrees"),
    ("Where is the head office?", "York", "The head office is in York; a branch is in Leeds.", "agrees"),
    ("Who is the landlord?", "Beta Ltd", "The tenant is Acme Ltd and the landlord is Beta Ltd.", "agrees"),
    ("Who bought the shares?", "Beta Ltd", "The seller sold the shares to Beta Ltd.", "agrees"),
    ("Who is the buyer?", "Beta Ltd", "Acme sold the shares to Beta Ltd.", "agrees"),
    ("What caused the fire?", "a faulty cable", "A faulty cable caused the fire.", "agrees"),
    ("What caused the fire?", "a faulty cable", "Investigators first suspected a cigarette. It was in fact a faulty cable.", "agrees"),
    ("Which bank provided the loan?", "HSBC", "The loan was provided by HSBC. Barclays acted as adviser.", "agrees"),
    ("Which bank provided the loan?", "HSBC", "HSBC is the lender. The loan was provided in 2019.", "agrees"),
    ("What is the largest segment?", "Cloud", "Cloud is the largest segment, followed by Devices.", "agrees"),
    ("What is the largest segment?", "Cloud", "By revenue, Cloud is bigger than any other segment.", "agrees"),
    ("What is the capital of France?", "Paris", "France's capital is Paris. Lyon is its third-largest city.", "agrees"),
    ("Which court heard the appeal?", "Court of Appeal", "The appeal was heard by the Court of Appeal after the High Court dismissed the claim.", "agrees"),
    ("Which organ is mainly affected?", "the liver", "The liver; the kidney is affected only rarely.", "agrees"),
    ("Which law governs the contract?", "English law", "The contract is governed by English law. Disputes go to arbitration in Paris.", "agrees"),
    ("Who signed the contract for the seller?", "Anna Berg", "Anna Berg signed for the seller and Carl Holm signed the contract for the buyer.", "agrees"),
    ("Which segment dragged down growth?", "Consumer", "The Consumer segment shrank by 0.9 percent organically.", "agrees"),
    ("Who chairs the committee?", "Ann Lee", "The committee is chaired by Ann Lee, a member of the House of Lords.", "agrees"),
    ("What is the company's main product?", "insulin", "The company mainly produces insulin. Its second product is a pen.", "agrees"),
    ("Which country has the highest debt?", "Japan", "Japan's debt is 250% of GDP, whereas Italy has 140%.", "agrees"),
]  # fmt: skip
COMPARED += [(*row, "made by hand: gold stands in the place asked for, or another does") for row in OTHER_PLACE]

BOUND = [
    ("What is the net weight of the parcel?", "4.2 kg", "The gross weight of the parcel is 4.2 kg and the net weight 3.9 kg.", "disagrees"),
    ("What was the operating profit in 2019?", "$14 million", "Net profit in 2019 was $14 million; operating profit was $21 million.", "disagrees"),
    ("How many staff work in Leeds?", "240", "There are 240 staff in York and 310 in Leeds.", "disagrees"),
    ("What is the fine for a second offence?", "£200", "A first offence costs £200, a second £500.", "disagrees"),
    ("What was unemployment in rural areas?", "6.1%", "Unemployment stood at 6.1% in cities and 8.4% in rural areas.", "disagrees"),
    ("How much was spent on training?", "$30,000", "$30,000 went on travel, $45,000 on training.", "disagrees"),
    ("When was the contract signed?", "3 May 2017", "It was drafted on 3 May 2017 and signed on 9 June 2017.", "disagrees"),
    ("What is the minimum deposit?", "€500", "The minimum deposit is €100, the maximum €500.", "disagrees"),
    ("What dose do children get?", "250 mg", "Adults take 250 mg; children get 125 mg.", "disagrees"),
    ("What is the height of the north tower?", "92 m", "The south tower is 92 m high and the north tower 88 m.", "disagrees"),
    ("How many seats did the party win in 2015?", "56", "In 2019 it won 56 seats, in 2015 it won 48.", "disagrees"),
    ("What was the mean age of controls?", "41 years", "Cases were 41 years old on average and controls 44 years.", "disagrees"),
    ("How many votes were cast against the motion?", "112", "112 voted for the motion and 97 against.", "disagrees"),
    ("What is the response rate in the treatment arm?", "34%", "The response rate was 52% in the treatment arm and 34% in the control arm.", "disagrees"),
    ("What is the late fee?", "$25", "The application fee is $25. The late fee is $40.", "disagrees"),
    ("What was Acme's capital expenditure in 2020?", "$80 million", "Depreciation in 2020 was $80 million and capital expenditure was $95 million.", "disagrees"),
    ("How long must records be kept?", "five years", "Records must be kept for seven years; complaints can be made for five years.", "disagrees"),
    ("What is the boiling point of the solvent?", "78 °C", "It melts at 78 °C and has a boiling point of 131 °C.", "disagrees"),
    ("How many people were injured?", "14", "14 people died and 32 were injured.", "disagrees"),
    ("What is the total cost of the project?", "$3 million", "Phase one costs $3 million, phase two $4 million, so $7 million in total.", "disagrees"),
    ("What is the tax rate for small companies?", "21%", "Large companies pay 21%, small companies pay 12%.", "disagrees"),
    ("How much did the seller pay?", "$5,000", "The buyer paid $5,000; the seller paid $2,000.", "disagrees"),
    ("What is the net weight of the parcel?", "3.9 kg", "The gross weight of the parcel is 4.2 kg and the net weight 3.9 kg.", "agrees"),
    ("What was the operating profit in 2019?", "$21 million", "Net profit in 2019 was $14 million; operating profit was $21 million.", "agrees"),
    ("How many staff work in Leeds?", "310", "There are 240 staff in York and 310 in Leeds.", "agrees"),
    ("How much was spent on training?", "$45,000", "$30,000 went on travel, $45,000 on training.", "agrees"),
    ("When was the contract signed?", "9 June 2017", "It was drafted on 3 May 2017 and signed on 9 June 2017.", "agrees"),
    ("What is the total cost of the project?", "$7 million", "Phase one costs $3 million, phase two $4 million, so $7 million in total.", "agrees"),
    ("How many patients were enrolled?", "512", "Of the 1,040 patients screened, 512 were enrolled.", "agrees"),
    ("How long is the lease?", "ten years", "The lease runs for ten years, with a break option after five years.", "agrees"),
    ("What was revenue in 2018?", "$4.1 million", "Revenue rose from $3.8 million in 2017 to $4.1 million in 2018.", "agrees"),
    ("What was revenue in 2018?", "$4.1 million", "Sales came to $4.1 million in 2018, compared with revenue of $3.8 million in 2017.", "agrees"),
    ("What is the deposit?", "$900", "The deposit is $900 and the monthly rent $1,200.", "agrees"),
    ("What is the gross margin for FY2019?", "40%", "Gross margin = gross profit / revenue. FY2019 revenue is $500 million and gross profit $200 million, so the gross margin is 40%.", "agrees"),
    ("What is the interest rate?", "4.5%", "The loan carries a fixed 4.5% for the first three years and the interest rate floats thereafter.", "agrees"),
    ("How old must applicants be?", "18", "Applicants must be 18 or older; drivers of lorries must be 21.", "agrees"),
    ("What was net income in 2021?", "$12 million", "In 2021 the company earned $12 million net, after tax of $3 million.", "agrees"),
    ("How many members does the board have?", "nine", "The board consists of nine members, five of whom are independent.", "agrees"),
    ("How many members does the board have?", "nine", "There are nine directors on the board, of whom five are independent members.", "agrees"),
    ("What dose do children get?", "125 mg", "Adults take 250 mg; children get half, 125 mg.", "agrees"),
    ("What is the speed limit?", "30 km/h", "30 km/h, except on the bypass, where it is 50 km/h.", "agrees"),
    ("How much did Acme pay for Beta?", "$40 million", "Acme paid $40 million for Beta, which had revenue of $12 million.", "agrees"),
    ("What is the maximum penalty?", "two years", "Up to two years' imprisonment; the minimum is six months.", "agrees"),
    ("How many tests failed?", "3", "Of 120 tests, 117 passed and 3 failed.", "agrees"),
    ("When does the term end?", "31 December 2025", "The term starts on 1 January 2021 and ends on 31 December 2025.", "agrees"),
    ("What is the voltage?", "230", "The mains supply is 230 V at 50 Hz.", "agrees"),
    ("How many wards are closed?", "12", "The hospital has twelve wards, five of which are closed.", "disagrees"),
    ("How many wards does the hospital have?", "12", "The hospital has twelve wards, five of which are closed.", "agrees"),
    ("What was the basic EPS?", "$2.31", "Basic and diluted EPS were $2.31 and $2.28, respectively.", "agrees"),
    ("When was the bridge opened?", "1990", "The bridge was begun in 1990 and opened in 1994.", "disagrees"),
    ("When was the bridge opened?", "1994", "The bridge was begun in 1990 and opened in 1994.", "agrees"),
    ("When was the bridge opened?", "4 May 1990", "Begun on 4 May 1990, it was opened on 2 June 1994.", "disagrees"),
    ("In which year was Acme listed?", "1990", "Acme was founded in 1990 and listed in 1998.", "disagrees"),
    ("In which year was Acme listed?", "1998", "Acme was founded in 1990 and listed in 1998.", "agrees"),
    ("When was Acme founded?", "1987", "Acme, listed in 1999, was founded in 1987.", "agrees"),
    ("What is the fee?", "$10", "The fee was raised from $10 to $12.", "disagrees"),
    ("What is the fee?", "$12", "The fee was raised from $10 to $12.", "agrees"),
    ("What was the fee before the change?", "$10", "The fee was raised from $10 to $12.", "agrees"),
    ("What is the term of office?", "four years", "The term was extended to five years from four years.", "disagrees"),
    ("What was revenue in 2017?", "$3.8 million", "Revenue grew from $3.8 million in 2017 to $4.1 million in 2018.", "agrees"),
    ("When does the lease end?", "2030", "The lease began in 2020 and ends in 2030.", "agrees"),
    ("When does the lease end?", "2020", "The lease began in 2020 and ends in 2030.", "disagrees"),
    ("What was the deposit?", "$900", "The rent was $900 and the deposit $1,200.", "disagrees"),
    ("What was the deposit?", "$900", "The deposit was $1,200; the rent was $900.", "disagrees"),
    ("What was the deposit?", "$900", "The deposit was $1,200, of which $900 came from the parents.", "disagrees"),
    ("What was the deposit?", "$1,200", "The deposit was $1,200, of which $900 came from the parents.", "agrees"),
    ("How much is paid for hotels in a capital city?", "190 crowns", "Hotels cost up to 140 crowns, and up to 190 crowns in a capital city [policy-travel#1].", "agrees"),
    ("How much is paid for hotels in a capital city?", "140 crowns", "Hotels cost up to 140 crowns, and up to 190 crowns in a capital city [policy-travel#1].", "disagrees"),
    ("What was the diluted EPS?", "$2.31", "- Basic EPS: $2.31\n- Diluted EPS: $2.28", "disagrees"),
    ("What was the diluted EPS?", "$2.28", "- Basic EPS: $2.31\n- Diluted EPS: $2.28", "agrees"),
    ("How much of the loan has been repaid?", "£80,000", "The loan was for £80,000. So far £20,000 has been repaid.", "disagrees"),
    ("How many people attended the second meeting?", "45", "45 people attended the first meeting and 62 the second.", "disagrees"),
    ("How many people attended the first meeting?", "45", "45 people attended the first meeting and 62 the second.", "agrees"),
    ("What is Beta's revenue?", "$5 million", "Acme's revenue was $5 million and Beta's $7 million.", "disagrees"),
    ("What is Acme's revenue?", "$5 million", "Acme's revenue was $5 million and Beta's $7 million.", "agrees"),
    ("How long does shipping to Canada take?", "5 days", "Shipping takes 5 days within the US and 9 days to Canada.", "disagrees"),
    ("How long does shipping to Canada take?", "9 days", "Shipping takes 5 days within the US and 9 days to Canada.", "agrees"),
    ("What is the capacity of the small hall?", "400", "The large hall seats 400 and the small one 120.", "disagrees"),
    ("What percentage of women smoked?", "31%", "31% of the men smoked, as against 18% of the women.", "disagrees"),
    ("What percentage of men smoked?", "31%", "31% of the men smoked, as against 18% of the women.", "agrees"),
    ("How many days of sick leave are paid?", "10", "Employees get 10 days of holiday and 6 days of sick leave.", "disagrees"),
    ("What does the premium plan cost?", "$12 per month", "The basic plan costs $12 per month, the premium plan $20 per month.", "disagrees"),
    ("What does the premium plan cost?", "$20 per month", "The basic plan costs $12 per month, the premium plan $20 per month.", "agrees"),
    ("What was the number of exits in 2018?", "17", "There were 17 entries and 9 exits in 2018.", "disagrees"),
    ("What is the recommended dose for adults?", "10 mg", "For adults the recommended dose is 10 mg; children receive 5 mg, and the maximum is 20 mg.", "agrees"),
    ("What was total revenue?", "$9 million", "Services brought in $5 million and products $4 million, for total revenue of $9 million.", "agrees"),
    ("What was the award?", "$2 million", "The jury awarded $2 million, which the judge reduced to $1.5 million.", "agrees"),
]  # fmt: skip
COMPARED += [(*row, "made by hand: of several values, the one that is bound to what was asked") for row in BOUND]


TOLD = [
    ("How did cash flow develop?", "It fell by $40 million to $310 million and 12 sites closed.", "Cash flow went from $350 million to $310 million and 15 sites closed.", "disagrees"),
    ("How did operating cash flow develop?", "It decreased by $40 million to $310 million.", "Operating cash flow went from $310m up to $350m.", "disagrees"),
    ("How did operating cash flow develop?", "It decreased from $350 million to $310 million.", "Operating cash flow rose from $310 million to $350 million.", "disagrees"),
    ("How did operating cash flow develop?", "It decreased from $350 million to $310 million.", "Operating cash flow was down to $310 million from $350 million.", "agrees"),
    ("How did operating cash flow develop?", "It rose from 3.1% to 3.4%.", "It rose from 3.1% in May to 3.4% in June.", "agrees"),
    ("How did operating cash flow develop?", "It rose from 3.1% to 3.4%.", "It eased from 3.4% to 3.1%.", "disagrees"),
    ("How many of the complaints were upheld?", "7 of 40", "Seven were upheld.", "agrees"),
    ("How many of the complaints were upheld?", "7 of 40", "7 out of 40 were upheld.", "agrees"),
    ("How many of the complaints were upheld?", "7 of 40", "7 of 50 complaints were upheld.", "disagrees"),
    ("How many of the complaints were upheld?", "7 of 40", "33 of 40 complaints were upheld.", "disagrees"),
    ("How many of the complaints were upheld?", "7 of 40", "33 complaints were upheld, 7 were dismissed.", "disagrees"),
    ("How many of the complaints were upheld?", "7 of 40", "Eight complaints were upheld.", "disagrees"),
    ("How many of the complaints were upheld?", "7 of the 40 complaints", "Seven complaints were upheld and 33 rejected.", "agrees"),
    ("When were the samples collected?", "between March and August 2015", "The samples were collected from March 2015 to August 2015.", "agrees"),
    ("When were the samples collected?", "March to August 2015", "The samples were collected between March and August 2015.", "agrees"),
    ("When were the samples collected?", "between March and August 2015", "The samples were collected between March and September 2015.", "disagrees"),
    ("On what date was the patient discharged?", "12 April", "Admitted 5 March, discharged on the 12th.", "absent"),
]  # fmt: skip
COMPARED += [(*row, "made by hand: a change, a count of a total, a period told in another way") for row in TOLD]


DENTAL, CHILDREN, WON = (
    "Which plan covers dental implants?",
    "What is the daily dose for children?",
    "Who won the design competition?",
)
CLOSES, FEE_THEN = "When does the exhibition close?", "What was the fee in 2021?"
BOTH = [
    # the document holds both values, and the answer gives one of them, or each in its role
    (CHILDREN, "10 mg", "Children take 40 mg a day.", "disagrees"),
    (CHILDREN, "10 mg", "Adults take 10 mg a day and children 40 mg.", "disagrees"),
    (CHILDREN, "10 mg", "Adults take 40 mg a day and children 10 mg.", "agrees"),
    (WON, "Ostrava Studio", "Second place went to Ostrava Studio; the competition was won by Lindqvist & Partners.", "disagrees"),
    (WON, "Ostrava Studio", "Lindqvist & Partners won the design competition.", "disagrees"),
    (WON, "Lindqvist & Partners", "Lindqvist & Partners won, ahead of Ostrava Studio.", "agrees"),
    (CLOSES, "14 June 2026", "The exhibition opens on 14 June 2026 and closes on 2 May 2026.", "disagrees"),
    (CLOSES, "14 June 2026", "The exhibition runs from 2 May to 14 June 2026.", "agrees"),
    (DENTAL, "Silver", "Dental implants are covered by Silver Plus.", "unknown"),
    (DENTAL, "Silver", "The Silver plan covers dental implants.", "agrees"),
    ("What is the limit under Silver Plus?", "€1,200", "Under Silver the limit is €1,200, under Silver Plus €600.", "disagrees"),
    ("Where is the head office?", "Leeds", "It moved from Leeds to York.", "disagrees"),
    # a right answer repeats a number or a name of the question
    (FEE_THEN, "€300", "In 2021 the fee was €300.", "agrees"),
    (FEE_THEN, "€300", "In 2021 the fee was €300, up from €280 in 2020.", "agrees"),
    ("How long is maternity leave for grade 14 staff?", "14 weeks", "Maternity leave for grade 14 staff is 14 weeks.", "agrees"),
    ("Who is the tenant in the Acme lease?", "Acme Ltd", "The tenant in the Acme lease is Acme Ltd.", "agrees"),
    # part of gold is right and incomplete
    ("At what temperature is it fired?", "482 °C for two hours", "It is fired at 482 °C.", "agrees"),
    ("At what temperature is it fired?", "482 °C for two hours", "It is fired at 428 °C for two hours.", "disagrees"),
]  # fmt: skip
COMPARED += [(*row, "made by hand: the role that the question asks for") for row in BOTH]


# Numbers, dates and provisions have a grammar: each of their rows must hold. Of words, one in a hundred may be traded for others.
NUMBERED = [row for row in COMPARED if any(character.isdigit() for character in row[1])]
WORDED = [row for row in COMPARED if row not in NUMBERED]


@every_row(("question", "gold", "answer", "expected", "source"), NUMBERED)
def test_compares_an_answer_with_a_gold_answer_of_numbers(question, gold, answer, expected, source):
    assert_compared(question, gold, answer, expected)


@most_rows(("question", "gold", "answer", "expected", "source"), WORDED, floor=0.99)
def test_compares_an_answer_with_a_gold_answer_of_words(question, gold, answer, expected, source):
    assert_compared(question, gold, answer, expected)


def assert_compared(question, gold, answer, expected):
    reading = compare_with_gold(question, Gold(answer=gold), [answer], answer)
    never(expected != "agrees" and "agrees" in {reading.overall, *reading.per_claim}, reading.reason)
    assert reading.overall == expected, reading.reason
    if expected in {"agrees", "disagrees"}:
        assert reading.per_claim == (expected,)
    assert reading.undecided == (expected == "unknown")


AGREED = "Acme's FY2018 capital expenditure was $1,577 million."
BESIDE = [
    # question, gold, the claim that agrees, another claim, what that one has to do with gold
    (NOTICE, "30 days", "The notice period is 30 days.", "The notice period is 60 days.", "disagrees"),
    (CAPITAL, "Paris", "The capital of France is Paris.", "The capital of France is Lyon.", "disagrees"),
    (CAPITAL, "Paris", "Paris is the capital of France.", "Lyon is the capital of France.", "disagrees"),
    (CEO, "John Smith", "The CEO of Acme is John Smith.", "The CEO of Acme is Mary Jones.", "disagrees"),
    (CAPEX, "1577", AGREED, "Acme's FY2018 capital expenditure was $900 million.", "disagrees"),
    (OP_MARGIN, "6%", "The operating margin of Acme in FY2022 was 6%.", "The operating margin of Acme in FY2022 was 9%.", "disagrees"),
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


@every_row(("question", "gold", "agreeing", "other", "expected"), BESIDE)
def test_an_answer_is_judged_by_the_claim_that_contradicts_gold(question, gold, agreeing, other, expected):
    overall = "disagrees" if expected == "disagrees" else "agrees"
    for claims in ([agreeing, other], [other, agreeing]):
        reading = compare_with_gold(question, Gold(answer=gold), claims, " ".join(claims))
        assert (reading.overall, reading.per_claim[claims.index(other)]) == (overall, expected)


@pytest.mark.parametrize(
    "description",
    ["The capital of France is beautiful.", "The capital of France was Vichy.", "Lyon is in France."],
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


@every_row("gold", NOTHING_SAID)
def test_a_gold_answer_says_that_there_is_none(gold):
    assert says_none(gold)


@every_row("gold", SOMETHING_SAID)
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


@every_row(("gold", "expected"), SAID_OF_THE_DOCUMENTS)
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


YES = "Yes, it crosses the placenta."
POLAR_READING = GoldReading("unknown", ("unknown",), "polarity", "open", undecided=True, reasoned=True)
YES_OR_NO = [
    # p of gold as it stands, of its yes, of the contrary no; what the answer comes to
    (0.8, 0.7, 0.2, "agrees"),
    (0.8, 0.2, 0.7, "disagrees"),
    (0.1, 0.7, 0.2, "absent"),
    (0.8, 0.4, 0.4, "agrees"),  # gold's reason tells them apart
    (0.4, 0.4, 0.4, "unknown"),
]


def _forward(*chances):
    """The verdicts on the three pairs of a yes or no with its reason."""
    pairs = gold_pairs(SAFE, Gold(answer=YES), [], "x")
    verdicts = [Verdict(label="unsupported", judge="t@1", p=p, reason="r") for p in chances]
    return [PairVerdict(claim=n, sources=(), role=r, verdict=v) for (r, n, _), v in zip(pairs, verdicts, strict=True)]


@every_row(("gold", "same", "contrary", "expected"), YES_OR_NO)
def test_a_yes_or_no_is_what_the_judge_finds_likelier(gold, same, contrary, expected):
    settled = settle_with_verdicts(POLAR_READING, _forward(gold, same, contrary), Thresholds())
    assert (settled.overall, settled.undecided) == (expected, expected == "unknown")


@pytest.mark.parametrize(("p", "expected"), [(0.2, "absent"), (0.3, "agrees")])
def test_a_yes_for_another_reason_than_gold_gives_is_no_agreement(p, expected):
    said = "Yes, it is stored in fat."
    reading = compare_with_gold(SAFE, Gold(answer=YES), [said], said)
    settled = settle_with_verdicts(reading, _forward(p, 0.7, 0.2), Thresholds())
    assert (reading.overall, reading.open, settled.overall) == ("agrees", True, expected)


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


@every_row(("question", "gold"), sorted({(r[0], r[1]) for r in COMPARED}))
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


@every_row(("question", "gold", "answer"), sorted({r[:3] for r in COMPARED} | {(r[0], r[1], r[3]) for r in BESIDE}))
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
