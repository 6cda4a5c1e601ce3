"""How an answer says that the sources leave its question open, without a verb of saying denied.

They "say nothing on it", "leave it open", "are too thin to say"; it "appears nowhere in them". Each pattern is bound to
the sources by its subject or by a place ("in the passages"), for a court leaves questions open too. As in
`refusal_phrases`, patterns are matched against lower-cased text, and every gap is bounded.
"""

from __future__ import annotations

from showable.read.refusal_phrases import ANY_SOURCE, HERE_SOURCE, NOT, SAYS, SUBJECT_OF, phrase

_TELL = r"(?:answer\w*|say(?:ing)?|tell(?:ing)?|determin\w+|conclud\w+|identify\w*|establish\w*|work(?:ing)? out|know|giv(?:e|ing) an? \w+|draw(?:ing)?|calculat\w+|settl\w+)"
_ON = r"(?:about|on|regarding|concerning|as to|at all|here|to (?:say|answer|go on)|that (?:would|could|answers?|bears?|helps?)|specific|definite|relevant|in (?:this|that) regard)"

# Bound to the sources by the subject before them.
SAYS_NOTHING = phrase(
    rf"\b(?:says?|tells? (?:me|us|you)|reveals?|states?|mentions?) (?:\w+ly )?(?:nothing|too little|not enough)(?=\W*$| (?:\w+ )?{_ON}\b)"
)
HOLDS_NOTHING = phrase(
    rf"\b(?:contains?|has|have|holds?|offers?|gives?|provides?|includes?) (?:\w+ly )?(?:nothing|too little|not enough)(?=\W*$| (?:\w+ )?{_ON}\b)"
    rf"|\b(?:leaves?|has left|have left) (?:\S+ ){{1,10}}?(?:open|unanswered|unclear|unstated|unspecified|unaddressed)\b"
    r"|\b(?:stops?|falls?) short of (?:\w+ing|an answer)\b"
    r"|\b(?:is|are|remains?|stays?|keeps?) (?:\w+ )?silent(?=\W*$| (?:on|about|as to|regarding|here)\b)"
    r"|\blacks? (?:\S+ ){0,3}?(?:answers?|figures?|details?|information|data|mention|specifics)\b"
)
HELD_BACK = phrase(
    rf"\b{NOT} (?:\w+ly )?(?:allow|permit|support|enable|let|help|justify|warrant|suffice)(?: for)?(?: me| us| one| you| anyone)?(?: to)? (?:\S+ ){{0,4}}?(?:answers?|conclusions?|determination|determin(?:e|ing)|say|tell|conclude|identify|inference)\b"
    rf"|\b{NOT} (?:\w+ly )?(?:help|suffice)(?=\W*$| (?:here|with (?:this|that|the question|your question)))"
)
_BE = r"(?:is|are|was|were|seems?|appears?|looks?)(?: to be)?"
_SCANT = r"(?:insufficient|inadequate|(?:not|n't) (?:\w+ )?(?:enough|sufficient|adequate)|too (?:little|few|limited|sparse|vague|general|thin|short|narrow))"
SCANT = phrase(
    rf"\b(?:{_BE} )?(?:{_SCANT}|(?:is|are|was|were|do|does|did)n't (?:\w+ )?(?:enough|sufficient|adequate)) (?:\S+ ){{0,10}}?(?:to|for) (?:\w+ly |me to |us to )?{_TELL}\b"
)
OFF_TOPIC = phrase(
    rf"\b(?:{_BE}(?: not|n't) (?:\w+ly )?(?:relevant|related|pertinent|applicable|helpful|useful|on topic|on point)|{_BE} (?:\w+ly )?(?:unrelated|irrelevant|off[- ]topic)"
    r"|(?:do|does)(?: not|n't) (?:seem|appear|look)(?: to be)? (?:\w+ly )?(?:relevant|related|pertinent|helpful|useful))\b"
    r"(?=\W*$| to (?:the|this|that|your|my|what (?:you|was|is)) ?(?:question|query|request|topic|asked|being)?\b|[,;]| to (?!the\b|this\b|that\b|his\b|her\b|its\b|their\b)\w+\W*$| (?:here|for (?:this|the|your))\b)"
    rf"|\b{_BE} about (?:other|different|unrelated) (?:topics?|subjects?|matters?|things)\b"
)
# The subject that a second verb goes without: "the excerpts cover employees and say nothing on contractors".
NAMED_FIRST = phrase(
    rf"^\W*(?:(?:however|but|and|unfortunately|regrettably|sorry),? )?(?:the|these|those|my|your|our|both|all(?: the| \w+)?) (?:\S+ ){{0,3}}?{HERE_SOURCE}\b(?!')"
)
AND_THEN = phrase(r"\b(?:and|but|yet)(?: \w+ly)?\s*$")
HERE_SUBJECT = phrase(SUBJECT_OF.format(noun=HERE_SOURCE))
# Findings of a study, unless they are what was handed over: "the evidence provided", "the search results".
BARE_FINDING = phrase(
    r"\b(?<!search\s)(?:data|evidence|results|information)\b(?! (?:provided|given|supplied|retrieved|returned|above|here|i (?:was|have)|available (?:to me|here)|in (?:the|these) (?:passages|context|documents|excerpts|sources)))"
)

# "Is not in the passages": where documents may be those of a case, they must be the ones that were handed over.
_HANDED = (
    r"(?:the |these |any of the |my |either of the )?(?:\S+ ){0,3}?(?:(?:passages|excerpts?|snippets|chunks|sources|search results|knowledge base|documentation)\b"
    r"|(?:provided|given|supplied|retrieved|available) (?:\S+ )?(?:documents?|materials?|texts?|contexts?)\b|(?:documents?|materials?|texts?|contexts?) (?:provided|given|supplied|retrieved|i have|i was|available)\b)"
)

# Bound to the sources by where it is missing: "… in the passages".
HERE = phrase(
    rf"\b(?:in|within|from|by|on|with|among|of|off|across) (?:any of |either of |all of |none of )?(?:the |these |this |those |any |your |our |my |either |both )?(?:\S+ ){{0,4}}?{HERE_SOURCE}\b"
    r"|\bhere\b"
)
MISSING_THERE = phrase(
    r"\b(?:do|does|did)(?: not|n't) (?:seem to |actually |even )?appear(?: to be)?\b(?! (?:that|as|until|before)\b)"
    r"|\b(?:is|are|was|were)(?: not|n't) (?:\w+ly )?(?:part of|among|to be (?:found|had|seen)|answered|answerable|evident|apparent|discernible|obvious|supported|explained|spelled out|spelt out|set out|recorded|named|quantified|touched (?:up)?on|dealt with|brought up)\b"
    r"|\b(?:is|are) (?:nowhere|never) (?:\w+ed|given|found|shown|set out|to be found)\b"
    r"|\b(?:goes|go|is|are|remains?|(?:is|are) left) (?:unanswered|unstated|unmentioned|unspecified|unaddressed|undisclosed)\b"
    r"|\bno (?:\S+ ){1,10}?(?:appears?|is contained|are contained|can be (?:drawn|derived|inferred|read|given|found|made))\b|\b(?:is|are) (?:lacking|left out|omitted)\b"
    r"|\b(?:cannot|can't|can not|could not|couldn't) be (?:read|told|gleaned|extracted|drawn|worked out|gathered|deduced|seen|had|settled|pinned down|discerned|taken|located)\b"
    rf"|\b(?:is|are|was|were)(?: not|n't) (?:\w+ly |anywhere )?(?:in|within|among) {_HANDED}"
    r"|\bi (?:do not|don't|did not|didn't) see\b|\bi(?:'m| am) not (?:seeing|finding)\b"
    r"|\b(?:there is |there's )?no way (?:to|of) (?:tell|know|say|determin|answer)\w*\b"
    r"|\b(?:we|one) (?:found|find|could find|can find|see|saw|located) (?:nothing|no (?:\S+ ){0,2}?(?:evidence|mention|figures?|answers?|information|passages?|documents?|details?))\b"
)
_THINGS = rf"(?:the|these|those|my|any|any of the|your|our) (?:\S+ ){{0,4}}?{HERE_SOURCE}"
NOT_THEIR_MATTER = phrase(
    rf"\b(?:is|are)(?: not|n't) (?:something|anything|what|a (?:point|question|matter|topic)) (?:that |which )?{_THINGS}(?: \w+)? {SAYS}\b"
    rf"|\b(?:is|are)(?: not|n't) (?:something|anything) (?:that )?(?:i|we|one) can \w+ (?:from|with|in|on) {_THINGS}"
    rf"|\b{NOT} (?:look|seem|appear)(?: like| as (?:if|though)| that)? {_THINGS}(?: \w+)? {SAYS}\b"
)
NOWHERE = phrase(
    rf"\bnowhere (?:in|within|among) (?:\S+ ){{0,4}}?{ANY_SOURCE} (?:is|are|was|were|do|does|did)\b|\b(?:nowhere|at no point) (?:do|does|did) (?:\S+ ){{0,4}}?{ANY_SOURCE} (?:\w+ )?{SAYS}\b"
    rf"|\bnot (?:one|a single one|any) of (?:\S+ ){{1,5}}?{ANY_SOURCE} (?:\S+ ){{0,4}}?{SAYS}\b(?! for\b)|\bnot a single (?:\S+ )?{HERE_SOURCE} (?:\w+ )?{SAYS}\b"
    rf"|\bnothing (?:\w+ )?(?:in|within|among) (?:the |these |those |this |my |any of the )(?:\S+ ){{0,3}}?{HERE_SOURCE}\b(?= (?:about|on|regarding|concerning|as to|that (?:would|could|answers?|bears?))\b|\W*$)"
    r"|\b(?:there (?:is|was)|there's|i (?:see|have|find)) nothing here (?:about|on|regarding|that)\b"
    rf"|\bneither (?:\S+ )?(?:source|passage|document|excerpt|text|result|snippet|article|page|one) (?:\w+ )?{SAYS}\b(?! for\b)"
    rf"|\bnone of (?:this|that|it|what (?:i|we) (?:have|found|was given)) (?:\w+ly )?(?:answers?|says?|tells?|address(?:es)?|bears on|helps?|names?|gives?|states?|mentions?|settles?)\b"
    rf"|\bnone of (?:\S+ ){{1,4}}?(?:{HERE_SOURCE}|results|hits) (?:is|are|was|were|seems?|appears?)(?: to be)? (?:\w+ly )?(?:relevant|related|about|helpful|useful|on (?:topic|point))\b"
)
