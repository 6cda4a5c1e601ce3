"""Claims of law: what a court held, what it said in passing, what it did, what a statute says, what happened."""

from __future__ import annotations

from showable.read.claim_kinds.rule import KindRules, both, cites, either, says

_STATUTES = ("usc", "cfr", "fed_rule", "public_law", "statutes_at_large", "fed_reg")
_CASES = ("case", "case_short", "supra", "id", "neutral_uk", "westlaw", "lexis")

_DICTUM = says(
    r"dict(?:a|um)", r"in passing", r"without deciding", r"assum(?:ed|ing) without", r"declined to (?:decide|reach|address)",
    r"left open", r"concurr(?:ed|ing|ence)", r"dissent(?:ed|ing|s)?", r"in a footnote", r"speculated",
    r"(?:did|does|do) not (?:reach|decide|address|resolve|consider)", r"need(?:ed)? not (?:reach|decide|address|resolve)", r"expressed no (?:opinion|view)",
    r"(?:left|leaving|reserved)\s+(?:\w+\s+){0,6}(?:open|undecided|for another (?:day|case))",
    r"(?:court|judge|justice|panel|opinion)\s+(?:\w+\s+){0,2}(?:noted|observed|remarked|suggested|commented|mused)",
)  # fmt: skip
_HELD = says(
    r"held(?: that|,)?", r"holds?(?: that)", r"holding", r"ruled that", r"rul(?:ed|ing) (?:in favou?r|against)", r"concluded that",
    r"determined that", r"established (?:that|the)", r"announced (?:a|the) (?:rule|test|standard)", r"struck down", r"overrul(?:ed|ing)",
    r"(?:court|panel|justices|circuit|majority)\s+(?:\w+ly\s+)?(?:found|finds|decided|made clear|recogni[sz]ed|rejected|adopted|agreed|upheld|invalidated|explained|emphasi[sz]ed)",
    r"(?:declined|refused) to (?:extend|adopt|follow|apply|recogni[sz]e|enforce|find|hold)", r"reason(?:ed|ing) that",
)  # fmt: skip
_PROCEDURE = says(
    r"(?:grant|den)(?:ed|ies|ying)\s+(?:\w+\s+){0,4}(?:motion|petition|certiorari|leave|relief|rehearing|summary judgment|injunction|stay)",
    r"(?:motion|petition|appeal|complaint|case|suit|action|claims?|indictment)\s+(?:\w+\s+){0,4}(?:was|were|is|are)\s+(?:\w+\s+)?(?:granted|denied|dismissed|filed|remanded|removed|transferred|consolidated|stayed|affirmed|reversed|vacated)",
    r"dismissed (?:the|his|her|their|its|all|with|without|for)", r"remand(?:ed|ing)", r"vacat(?:ed|ing)", r"affirmed", r"reversed(?: and)?",
    r"certiorari", r"summary judgment", r"appealed", r"moved (?:to|for)", r"filed (?:a|an|its|his|her|their|suit|the)", r"sued",
    r"default judgment", r"interlocutory", r"en banc", r"jury (?:returned|found|awarded|convicted|acquitted)",
)  # fmt: skip
_NORM = says(
    r"must", r"shall", r"may not", r"may", r"is required", r"are required", r"requires?", r"prohibits?", r"forbids?", r"is liable", r"are liable",
    r"entitle[sd]?", r"is unlawful", r"is unconstitutional", r"violates?", r"provides? that", r"authori[sz]es?", r"bars?", r"permits?", r"elements?",
    r"cannot", r"need not", r"appl(?:y|ies)", r"governs?", r"bears? the burden", r"turns? on", r"depends? on",
    r"(?:is|are) (?:not )?(?:enforceable|unenforceable|void|voidable|valid|invalid|constitutional|admissible|inadmissible|barred|protected|presumed|subject to)",
)  # fmt: skip
_TEXT_OF_LAW = says(
    r"(?:under|pursuant to|by) (?:section|sec\.|article|rule|title) \d+\w*(?:\(\w+\))*", r"(?:under|pursuant to) (?:the|this|that) (?:statute|act|code|regulation)",
    r"§+\s*\d\w*", r"(?:section|sec\.|article|rule|title|part|chapter|regulation|directive)\s+(?:\d+\w*|[A-Z]{1,3})(?:\([\w]+\))*\s+(?:of|provides?|requires?|states?|defines?|says|prohibits?|permits?|bars?|allows?)",
    r"(?:the|this|that) (?:statute|act|code|regulation|rule|constitution)\s+(?:\w+\s+)?(?:provides?|requires?|states?|defines?|says|prohibits?|permits?|bars?|allows?)",
)  # fmt: skip

LEGAL = KindRules(
    rules=(
        ("dictum", _DICTUM),
        ("holding", _HELD),
        ("statute", either(_TEXT_OF_LAW, both(cites(*_STATUTES), _NORM))),
        ("procedural", _PROCEDURE),
        ("holding", both(cites(*_CASES), _NORM)),
        ("statute", cites(*_STATUTES)),
    ),
    otherwise="fact",
)
"""A rule of law for which a case is cited is what the case is relied on to hold."""
