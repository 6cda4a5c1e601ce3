"""A writer that speaks of its own looking: what it reports beside that is a claim, the looking itself is none.

All sentences are hand-made. The rule of grammar: a main clause on the writer's own doings asserts nothing of the sources;
what is coordinated with it, or is the complement of its verb of finding or saying, does.
"""

from __future__ import annotations

import pytest
from tables import every_row, most_rows

from showable.read.claims import asserts_fact, find_claims
from showable.read.markers import find_markers
from showable.read.sentences import split_sentences

# The sentence, and its claims as they stand alone.
REPORTS = [
    ("I checked the lease, and it says that pets are allowed.", ["Pets are allowed"]),
    ("I checked, and pets are allowed.", ["Pets are allowed"]),
    ("I checked and pets are allowed.", ["Pets are allowed"]),
    ("I looked it up and it turns out that pets are allowed.", ["Pets are allowed"]),
    ("I searched the files and found that pets are allowed.", ["Pets are allowed"]),
    ("I have verified that the fee is 5%.", ["The fee is 5%"]),
    ("I've double-checked, and the fee is indeed 5%.", ["The fee is indeed 5%"]),
    ("I went through the handbook; it puts the limit at 30 days.", ["It puts the limit at 30 days"]),
    ("I read the contract twice - the deposit is 500 euros.", ["The deposit is 500 euros"]),
    ("I looked at section 4: the deposit is refundable.", ["The deposit is refundable"]),
    (
        "I reviewed the policy and, as far as I can see, visitors pay 10 euros.",
        ["As far as I can see, visitors pay 10 euros"],
    ),
    ("I ran a search and the handbook allows remote work.", ["The handbook allows remote work"]),
    ("I compared both leases, and only the second one permits subletting.", ["Only the second one permits subletting"]),
    ("I checked whether pets are allowed, and they are.", ["I checked whether pets are allowed, and they are"]),
    ("I checked: yes, pets are allowed.", ["I checked: yes, pets are allowed"]),
    ("I checked and yes, they are.", ["I checked and yes, they are"]),
    ("I looked that up: 30 days.", ["I looked that up: 30 days"]),
    ("Let me check the lease: pets are allowed.", ["Pets are allowed"]),
    ("I'm pleased to confirm that the fee was waived.", ["The fee was waived"]),
    ("I'm afraid pets are not allowed.", ["Pets are not allowed"]),
    ("I'm afraid that the deadline has passed.", ["The deadline has passed"]),
    ("My answer is that pets are allowed.", ["Pets are allowed"]),
    (
        "My reading of clause 4 is that the tenant pays for heating.",
        ["The tenant pays for heating"],
    ),
    ("My search shows that the law was repealed in 2019.", ["The law was repealed in 2019"]),
    ("I learned that the plant closed in 2010.", ["The plant closed in 2010"]),
    (
        "I discovered that the drug is contraindicated in pregnancy.",
        ["The drug is contraindicated in pregnancy"],
    ),
    ("I checked the lease, so I can tell you that pets are allowed.", ["Pets are allowed"]),
    (
        "I consulted the datasheet, which gives a range of 30 metres.",
        ["I consulted the datasheet, which gives a range of 30 metres"],
    ),
    ("I found the lease, which says that pets are allowed.", ["I found the lease, which says that pets are allowed"]),
    (
        "I've read the minutes and the council rejected the plan.",
        ["The council rejected the plan"],
    ),
    ("I had a look at the documents you uploaded, and the rent is due on the first.", ["The rent is due on the first"]),
    ("I examined the table and its third row lists a fee of $40.", ["Its third row lists a fee of $40"]),
    ("i checked the lease and it says pets are allowed", ["Pets are allowed"]),
    ("I checked the lease — pets are allowed.", ["Pets are allowed"]),
    ("I checked the lease, pets are allowed.", ["Pets are allowed"]),
    ("I took a look at the report and revenue rose by 5%.", ["Revenue rose by 5%"]),
    (
        "I'd like to point out that the offer expired in March.",
        ["The offer expired in March"],
    ),
    ("I understand your worry, and the lease allows pets.", ["The lease allows pets"]),
    ("I opened the annex and there is a fee of 3%.", ["There is a fee of 3%"]),
    ("I opened the annex and there's a fee of 3%.", ["There's a fee of 3%"]),
    ("So I checked the lease, and it does allow pets.", ["So I checked the lease, and it does allow pets"]),
    ("I checked, but the lease ended in May.", ["The lease ended in May"]),
    ("I can now calculate the margin: it is 5%.", ["It is 5%"]),
    (
        "I searched the archive and, according to the minutes, the plan was rejected.",
        ["According to the minutes, the plan was rejected"],
    ),
    ("I'd be happy to help: the fee is 5%.", ["The fee is 5%"]),
    ("I want to stress that the dose must not exceed 4 g.", ["The dose must not exceed 4 g"]),
    ("I looked into this and the answer is no.", ["The answer is no"]),
    ("I was able to verify that the bridge opened in 1932.", ["The bridge opened in 1932"]),
    ("I've been through both acts and the tenant must give notice.", ["The tenant must give notice"]),
    ("I am certain that the bridge opened in 1932.", ["The bridge opened in 1932"]),
    ("I skimmed the leaflet and children should take 5 mg.", ["Children should take 5 mg"]),
    (
        "I checked the lease and in section 4 the landlord agrees to repair the roof.",
        ["In section 4 the landlord agrees to repair the roof"],
    ),
    ("I've gone over everything and nothing in the lease forbids pets.", ["Nothing in the lease forbids pets"]),
    ("I have looked at the act, and Section 5 requires written notice.", ["Section 5 requires written notice"]),
    ("I scanned the FAQ and refunds take ten days.", ["Refunds take ten days"]),
    ("I confirmed with the schedule: delivery is free above 50 euros.", ["Delivery is free above 50 euros"]),
    ("I reviewed the record, and the appeal was dismissed in 2018.", ["The appeal was dismissed in 2018"]),
    ("I checked the manual and the warranty lasts two years.", ["The warranty lasts two years"]),
    ("I pulled up the leaflet; adults may take two tablets.", ["Adults may take two tablets"]),
    ("I saw in the minutes that the plan was rejected.", ["The plan was rejected"]),
    ("I can see from the table that revenue fell.", ["Revenue fell"]),
    (
        "I gather from the report that the bridge reopened in June.",
        ["The bridge reopened in June"],
    ),
    ("I remember that the fee is 5%.", ["The fee is 5%"]),
    ("I know that the lease runs until 2027.", ["The lease runs until 2027"]),
    ("I'd argue that the clause is void.", ["The clause is void"]),
    ("I would note that the offer lapsed.", ["I would note that the offer lapsed"]),
    ("My conclusion is that the clause is void.", ["The clause is void"]),
    ("My calculation gives a margin of 12%.", ["A margin of 12%"]),
    ("My notes say the plant closed in 2010.", ["The plant closed in 2010"]),
    ("I did the sums: 12.5%.", ["I did the sums: 12.5%"]),
    ("I did the sums and the ratio is 1.18.", ["The ratio is 1.18"]),
    ("I ran the numbers, and margin comes to 12%.", ["Margin comes to 12%"]),
    ("I'm sure the lease ends in May.", ["The lease ends in May"]),
    ("I'm confident that the lease ends in May.", ["The lease ends in May"]),
    ("I am happy to report that the merger closed.", ["I am happy to report that the merger closed"]),
    ("I checked the lease and, yes, pets are allowed.", ["I checked the lease and, yes, pets are allowed"]),
    ("I checked the lease, then the handbook, and both forbid smoking.", ["Both forbid smoking"]),
    ("I checked the lease (section 4), and pets are allowed.", ["Pets are allowed"]),
    (
        "I looked and looked, and in the end the annex gives the fee as 3%.",
        ["In the end the annex gives the fee as 3%"],
    ),
    (
        "Having checked the lease, I can confirm that pets are allowed.",
        ["Having checked the lease, I can confirm that pets are allowed"],
    ),
    ("I asked the search tool, and the deadline is 1 May.", ["The deadline is 1 May"]),
    ("I checked the prices and they start at 20 euros.", ["They start at 20 euros"]),
    ("I read on, and the author concedes the point.", ["The author concedes the point"]),
    ("I verified this, and it's correct: the fee is 5%.", ["It's correct: the fee is 5%"]),
    ("I checked the register, and the company was dissolved in 2015.", ["The company was dissolved in 2015"]),
    ("I took another look and there's no limit in the act.", ["There's no limit in the act"]),
    ("I checked, there are three exceptions.", ["There are three exceptions"]),
    ("I checked; there's a fee.", ["There's a fee"]),
    ("I verified the figures: revenue came to $3.2 million.", ["Revenue came to $3.2 million"]),
    (
        "I've read the judgment and I'm convinced that the appeal failed.",
        ["I've read the judgment and I'm convinced that the appeal failed"],
    ),
    ("I reread the memo and the committee backs the plan.", ["The committee backs the plan"]),
    ("I've gone through the notes and apparently the vote was unanimous.", ["Apparently the vote was unanimous"]),
    ("I looked at both trials, and neither shows a benefit.", ["Neither shows a benefit"]),
    ("I checked the map, and in fact the bridge is in Tamar.", ["In fact the bridge is in Tamar"]),
    ("I am told that the office closes at five.", ["The office closes at five"]),
    ("I must add that the offer lapsed in June.", ["The offer lapsed in June"]),
    ("I was surprised to learn that the clause is void.", ["The clause is void"]),
    (
        "I've checked and double-checked that the dose is 5 mg.",
        ["I've checked and double-checked that the dose is 5 mg"],
    ),
]

SILENT = [
    "I searched the documents.",
    "I searched the documents and the handbook.",
    "I searched the documents and the notes that were attached.",
    "I reviewed the terms and conditions.",
    "I checked the lease, the handbook and the notes that were sent.",
    "I have read your question, and I will do my best.",
    "I looked at the files you uploaded.",
    "I checked the files you have uploaded.",
    "I'll check that the lease is signed.",
    "I can check whether pets are allowed.",
    "I will verify that the figures match.",
    "I want to make sure that you get the right answer.",
    "I tried to confirm that pets are allowed.",
    "I searched to find out whether pets are allowed.",
    "I hope that this helps.",
    "I hope this helps, and let me know if you have further questions.",
    "I'm happy to help with that.",
    "I used the following documents: the lease and the handbook.",
    "I looked at three files: lease.pdf, note 2.pdf and annex.pdf.",
    "I searched the state and county records.",
    "I looked at what it costs and what it covers.",
    "I checked whether the lease ends and whether pets are allowed.",
    "I need to know that to help you.",
    "I cannot say that pets are allowed.",
    "I can't confirm that the fee was waived.",
    "I compared the costs and benefits.",
    "I searched the passages, which were provided.",
    "Let me know if anything is unclear.",
    "Let me look at the figures.",
    "Let's look at the figures.",
    "My knowledge cutoff is 2023.",
    "My training data ends in 2023.",
    "My answer is based on the documents provided.",
    "I recommend that you consult a lawyer.",
    "I suggest asking the landlord and keeping a copy.",
    "I see that you asked about pets.",
    "I noted that you asked about pets, and I looked at the lease.",
    "I checked the lease and the annex signed by the tenant.",
    "I would need the lease and the annex to answer.",
    "I have two questions: which lease and which year?",
    "I'm a language model, and I can make mistakes.",
    "I summarised the lease, looking at each clause in turn.",
    "I read the lease from start to finish, taking notes.",
    "I do not know whether pets are allowed and whether they must be declared.",
    "I'm sorry for the wait.",
    "I was asked to check that the fee is due.",
    "I wish that were so.",
    "I appreciate your patience, and I apologise for the delay.",
    "I doubt that pets are allowed.",
    "I'd be glad to look at the annex and the schedule if you send them.",
    "I checked the sections on fees, on notice and on repairs.",
    "I only looked at the lease and not at the annex.",
    "I'm looking at the lease and the annexes now.",
    "I focused on the second passage and left the others aside.",
    "I checked the lease and the handbook, which you uploaded.",
    "I read through the annual report and its notes.",
    "I looked for the fee in the lease and in the annex.",
    "I searched the documents you gave me and those I was shown.",
    "I went through the reports and summarised what they say.",
    "I collected the passages that mention pets and sorted them.",
    "I checked the lease so that you can be sure.",
    "I looked at the parts of the lease that deal with pets and noise.",
    "I looked at the leases and contracts listed below.",
    "I understand that you would like to know the fee.",
    "I understand you are worried, and I want to help.",
    "I can look that up for you.",
    "I'd suggest that you ask the landlord.",
    "I am here to help, and I'm glad you asked.",
    'I searched for the terms "pets" and "animals".',
    "I used two sources: the lease and the handbook.",
    "I read clauses 4, 5 and 6.",
    "I compared the 2019 and 2020 reports.",
    "I worked from the report and the table on page 4.",
    "I will summarise the lease, and then I will list the fees.",
    "I need more details, such as the year and the country.",
    "I'm going to check the lease and the handbook now.",
    "I took the question to mean pets and other animals.",
    "I reviewed the cases cited and the statutes quoted.",
    "I've listed the sources below, and you can open each of them.",
    "I looked at how the fee is set and who pays it.",
    "I checked who signs, who pays and who insures.",
    "I searched everything, from the lease to the emails.",
    "I asked whether the lease covers pets and if fees apply.",
    "Let me check the lease and the handbook.",
    "Let's look at the lease and the house rules.",
    "My search covered the lease and the handbook.",
    "My sources are the lease and the handbook.",
    "My apologies for the delay and the confusion.",
    "My pleasure, and have a nice day!",
    "I hope that's clear, and good luck!",
    "I split the answer into two parts, as you asked.",
    "I took care to read the annex and the schedule attached to it.",
    "I believe you are asking about pets.",
    "I was given the lease and the annex.",
    "I read the lease and then the handbook.",
    "I checked the lease, the annex and all three notes.",
    "I looked at the lease and at the other two documents.",
    "I used the lease and its four annexes.",
    "I went through the minutes of the council and the letters to the mayor.",
    "I found the passages and the tables most useful.",
    "I considered the fees, the deposit and the two notices the tenant got.",
    "I relied on the report and the ten tables it holds.",
    "I weighed the reports, both new and old.",
    "I worked through the appendices and the figures one by one.",
    "I searched the handbook and the wiki the team uses.",
    "I answered from the lease, as you asked, and from the annex.",
    "I listed the fees above, and the sources below.",
    "I've put the fees in a table, and the sources under it.",
    "I can compare the lease and the annex, or the two annexes.",
    "I'll look at the lease, and then the annex a second time.",
    "I checked the office hours and prices.",
    "I quoted the first clause and paraphrased the two others.",
    "I translated the letter and kept the two names as they stand.",
    "I am an assistant, and I answer from documents.",
    "I could check the lease and, if need be, the annex.",
    "I sorted the reports by year and the tables by size.",
    "I only read English and the three Nordic languages.",
    "I am not a lawyer, and this is not legal advice.",
    "I kept the answer short and the list complete.",
]

# Claims of sentences with markers, and the markers of each.
CITED = [
    ("I checked the lease [1], and it says that pets are allowed.", [("Pets are allowed", ["1"])]),
    ("I checked the lease, and it says that pets are allowed [1].", [("Pets are allowed", ["1"])]),
    (
        "I checked both: the fee is 5% [1], and the deposit is 500 euros [2].",
        [("The fee is 5%", ["1"]), ("The deposit is 500 euros", ["2"])],
    ),
    (
        "I checked [1] and pets are allowed and smoking is banned [2].",
        [("Pets are allowed", ["2"]), ("Smoking is banned", ["2"])],
    ),
]


def read(text):
    markers, _ = find_markers(text)
    claims = find_claims(text, split_sentences(text), markers, ())
    return [(claim.text, [markers[index].token for index in claim.markers]) for claim in claims]


@every_row(("sentence", "claims"), REPORTS)
def test_what_is_reported_beside_the_looking_is_a_claim(sentence, claims):
    assert [words for words, _ in read(sentence)] == claims
    assert asserts_fact(sentence)


@most_rows("sentence", SILENT, floor=0.99)
def test_the_looking_itself_is_no_claim(sentence):
    assert read(sentence) == []
    assert not asserts_fact(sentence)


@pytest.mark.parametrize(("sentence", "expected"), CITED)
def test_a_claim_keeps_the_markers_of_the_whole_sentence(sentence, expected):
    assert read(sentence) == expected


def test_the_span_of_a_claim_is_what_it_says():
    text = "The deposit is 500 euros. I checked the lease, and it says that pets are allowed."
    *_, claim = find_claims(text, split_sentences(text), [], ())
    assert text[slice(*claim.span)] == "pets are allowed."
    assert claim.context == "I checked the lease, and it says that pets are allowed."


@pytest.mark.parametrize("unit", ["I checked and ", "I found that I found that ", "I: ", "I, the ", "my a of b is "])
def test_hostile_text_on_oneself_is_read_to_its_end(unit):
    assert len(read(unit * (100_000 // len(unit)))) <= 1
