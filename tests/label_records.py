"""Answers in every state that the labelling page has to show, as records to be scored: long, empty, hostile, right to left."""

from __future__ import annotations

import json

MARKUP = '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script></script><!--'
"""Stands in every text of the record ``hostile``: it has to stay text."""
GOLD = "The building was designed by the town's own surveyor."
"""A gold answer: no page may hold it before one's own verdict on the whole answer."""
RULES = (
    "Reading Room Rules, version 4. Readers register at the desk on their first visit and are given a card that is valid for"
    " two years. The reading room is open from 09:00 to 18:00 on weekdays and from 10:00 to 14:00 on Saturdays; it is closed on"
    " public holidays and in the last week of December.\n\nUp to five volumes may be ordered at a time. Orders placed before"
    " 15:00 are delivered the same day, later ones on the next opening day. Manuscripts and maps are delivered once a day, at"
    " 11:00, and are returned by 17:30. Pens, food and drink stay outside; pencils are lent at the desk. Photographs for private"
    " study are allowed without flash, except of works on deposit, for which the depositor's consent in writing is needed."
)
FEES = (
    "Fees and charges. The card costs 12 crowns; students and residents of the town pay 6. A lost card is replaced for 4 crowns."
    " Copies are 0.20 a page. Interlibrary loans are 8 crowns each, and 15 from abroad. Fees are not refunded."
)


def source(key, text, title=None, page=None, url=None):
    return {"source_id": key, "text": text, "title": title, "page": page, "url": url}


RULES_LOG = [
    source("rules-v4#1", RULES, "Reading Room Rules, version 4", 1, "https://library.example.org/rules/v4#page=1"),
    source("fees-2031#1", FEES, "Fees and charges", 1, "https://library.example.org/fees"),
    source(
        "rules-v4#2",
        "Lockers are free of charge. Bags larger than a sheet of paper stay in them. Readers who damage a volume pay for its repair.",
        "Reading Room Rules, version 4",
        2,
        "https://library.example.org/rules/v4#page=2",
    ),
]


def quoted():
    """A structured answer: three claims, quotations, one that cites nothing, one with two sources."""
    text = (
        "The reading room is open from 09:00 to 18:00 on weekdays. A card costs 12 crowns, and it is valid for two years."
        " Photographs are allowed without flash. Visitors like the view."
    )

    def claim(words, *citations):
        start = text.index(words)
        return {"text": words, "span": [start, start + len(words)], "citations": [*citations]}

    def cite(key, quote=None):
        return {"source_id": key, "quoted_span": quote}

    claims = [
        claim("The reading room is open from 09:00 to 18:00 on weekdays.", cite("rules-v4#1", "open from 09:00 to 18:00 on weekdays")),
        claim("A card costs 12 crowns, and it is valid for two years.", cite("fees-2031#1", "The card costs 12 crowns"), cite("rules-v4#1", "a card that is valid for two years")),
        claim("Photographs are allowed without flash.", cite("rules-v4#2")),
        claim("Visitors like the view."),
    ]  # fmt: skip
    return {
        "id": "quoted",
        "question": "When is the reading room open, and what does a card cost?",
        "answer": {"text": text, "claims": claims},
        "retrieved": RULES_LOG,
    }


def marked():
    """Plain text with markers in it, as most answers come."""
    answer = (
        "The reading room opens at 09:00 on weekdays [1] and is closed on public holidays [1]. Lockers are free [3]. Students"
        " pay 6 crowns for the card [2], which is valid for two years [1][2]."
    )
    return {
        "id": "marked",
        "question": "What do I need to know before my first visit?",
        "answer": answer,
        "retrieved": RULES_LOG,
    }


def many(n=40):
    """A claim a sentence, forty of them."""
    answer = " ".join(f"Rule {k} allows {k + 1} volumes at a time [1]." for k in range(1, n + 1))
    return {"id": "many", "question": "What are all the rules?", "answer": answer, "retrieved": RULES_LOG}


def long():
    """A passage of 100 KB in which the place is far down."""
    filler = " ".join(f"Paragraph {k} concerns the storage of volumes in room {k % 17}." for k in range(1, 1800))
    text = f"{filler} The northern stacks are kept at 17 degrees and 45 per cent humidity. {filler[: len(filler) // 9]}"
    answer = "The northern stacks are kept at 17 degrees [1]."
    log = [source("stacks", text, "Report on the stacks", 88)]
    return {"id": "long", "question": "How cold are the northern stacks?", "answer": answer, "retrieved": log}


def hostile():
    """Markup everywhere, control and invisible characters, and an address that is a script."""
    answer = f"The hall {MARKUP} holds 300\u202e people\u200b\u2066 [1]. Its \x1b[31mroof\u00ad is new [2]."
    log = [
        source("a<b>&amp;\"'", f"The hall holds 300 people. {MARKUP} \u2028 & &lt;", f"{MARKUP} hall", "1<i>", "javascript:document.title='owned'"),
        source("b\u202e2", "The roof was made new in 2031.\u200b", None, None, "data:text/html,<script>document.title='owned'</script>"),
    ]  # fmt: skip
    return {
        "id": f"hostile {MARKUP} & 100% #?/..",
        "question": f"How large is the hall? {MARKUP}",
        "answer": answer,
        "retrieved": log,
    }


def others():
    arabic = "مكتبة المدينة مفتوحة من التاسعة صباحا حتى السادسة مساء [1]."
    passage = "تفتح مكتبة المدينة أبوابها من التاسعة صباحا حتى السادسة مساء، وتغلق يوم الجمعة."
    return [
        {"id": "rtl", "question": "متى تفتح مكتبة المدينة؟", "answer": arabic, "retrieved": [source("ar-1", passage, "دليل الزائر", 3)]},
        {"id": "nothing", "question": "What does the annex hold?", "answer": None, "retrieved": None},
        {"id": "refusal", "question": "Who designed the building?", "answer": "The passages do not name the architect, so I cannot say. The closest is the rules of the reading room; the municipal archive may know.", "retrieved": RULES_LOG, "gold": {"answer": GOLD}},
        {"id": "no-text", "question": "Is there a garden?", "answer": "There is a garden behind the hall [1]. It closes at dusk [9].", "retrieved": [{"source_id": "garden-leaflet", "title": "The garden", "page": 2}]},
        {"id": "uncited", "question": "Is there a café?", "answer": "There is a café on the first floor.", "retrieved": []},
    ]  # fmt: skip


def fifty():
    """Short answers, one claim and one citation each."""
    return [
        {
            "id": f"s{k}",
            "question": f"How many volumes may be ordered on day {k}?",
            "answer": f"On day {k}, {k + 4} volumes may be ordered [1].",
            "retrieved": [source(f"day-{k}", f"Day {k}: up to {k + 4} volumes may be ordered.")],
        }
        for k in range(1, 51)
    ]


def every_state():
    return [quoted(), marked(), many(), long(), hostile(), *others()]


def write_records(path, records):
    path.write_text("".join(json.dumps(one) + "\n" for one in records), "utf-8")
    return path
