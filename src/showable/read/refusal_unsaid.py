"""How an answer says that what is asked is not said, with what is asked as the subject, and that it will not guess.

"What the second expert concluded is not reproduced", "nobody is named in the clippings", "it cannot be told from it",
"I would rather not guess". As in `refusal_phrases`, patterns are matched against lower-cased text, and every gap is bounded.
"""

from __future__ import annotations

from showable.read.refusal_phrases import ANY_SOURCE, EVIDENCE_SOURCE, phrase

_THE = r"(?:the|this|that|these|those|my|our|your|any(?: of the)?|either(?: of the)?|all of the|both)"
IN_PAPER = rf"(?:in|on|from|by|within|among|anywhere in|anywhere on) (?:{_THE} (?:[^\s,;]+ ){{0,4}}?|(?={_THE} )){EVIDENCE_SOURCE}\b"
_IN_IT = r"(?:from|with|by|on the basis of) (?:it|them|this|these|that|those|here|there|what (?:i|we) have|the above)(?: alone)?\b(?! \w+(?:sheet|book|s)\b)"
_TOLD = (
    r"(?:reproduced|stated|given|said|mentioned|told|spel(?:led|t) out|set (?:out|down|forth)|written down|covered|addressed|dealt with|gone into|touched (?:up)?on|specified|indicated|described|shown|listed"
    r"|included|quoted|printed|noted|discussed|detailed|recorded|named|identified|supplied|provided|quantified|brought up|broken (?:down|out)|itemi[sz]ed|elaborated(?: on)?|credited|cited|reported|published)"
)
_UNTOLD = r"(?:unsaid|unstated|unmentioned|unspecified|unaddressed|unnamed|unrecorded|unreported|unquantified|unlisted|untold)"
_IS_NOT = r"(?:is|are)(?: not|n't| never| nowhere)(?: \w+ly| even| actually| anywhere)?"
_WAS_NOT = r"(?:was|were|has been|have been)(?: not|n't| never| nowhere)(?: \w+ly| even| actually| anywhere)?"
_ASKED = r"(?:what(?:ever)?|who(?:m|se)?|when|where|why|whether|which|how(?: (?:many|much|long|often|far|old|high|big|large|fast|soon|likely|\w+ly))?)"

# An indirect question as the subject, in the present: what was never established is a finding.
QUESTION_UNSAID = phrase(
    rf"(?:^|[,;:] |\b(?:but|and|though|yet|while|that) ){_ASKED} (?:[^\s,;:]+ ){{1,14}}?(?:{_IS_NOT} {_TOLD}|(?:is|are|remains?|stays?|goes|go|(?:is|are) left) {_UNTOLD})(?=\W*$|[,;:.]| (?:here|there|in|on|by|anywhere|at all)\b)"
)
# "The fee goes unmentioned", "the reasons are left unsaid".
LEFT_UNSAID = phrase(
    rf"\b(?:remains?|stays?|goes|go|(?:is|are) left) {_UNTOLD}(?=\W*$|[,;:.]| (?:here|there|and|but|so|{IN_PAPER}))"
)
# Bound to a paper by where it is missing: "is not given anywhere in the council minutes".
UNSAID_THERE = phrase(
    rf"\b(?:(?:{_IS_NOT}|{_WAS_NOT}) (?:{_TOLD}|to be (?:found|seen|had)|spoken of|part of|present|legible|readable)|(?:do|does|did)(?: not|n't) (?:seem to |actually |even )?(?:appear|feature|figure|occur|crop up|come up|show up|get a mention))"
    rf"(?: (?:at all|anywhere|as \S+|as an? \S+))? {IN_PAPER}"
    rf"|\b(?:is|are|was|were|appears?|features?|figures?|stands?|occurs?) in (?:none|neither) of (?:it|them|these|those|(?:the|my|our|your|these|those) (?:[^\s,;]+ ){{0,3}}?{EVIDENCE_SOURCE})\b"
    rf"|\b(?:nobody|no one|no-one|no \w+|none) (?:is|are) (?:\w+ly )?(?:named|identified|listed|mentioned|credited|given|stated|recorded|shown|quoted|described|specified) (?:(?:as|for|with|to) (?:[^\s,;]+ ){{1,3}}?)?{IN_PAPER}"
    rf"|\bnothing (?:else |further |more |whatsoever |at all )?(?:in|on|from|within) (?:{_THE} (?:[^\s,;]+ ){{0,4}}?|(?={_THE} )){EVIDENCE_SOURCE} (?:\w+ly )?(?:lists?|records?|sets? out|spells? out|quotes?|quantif(?:y|ies)|hints?|points?|speaks?|bears?|settles?|helps?|sheds?|confirms?|tells?|says?|gives?|names?|states?|mentions?|answers?)\b"
)
_TELL = r"(?:told|said|stated|gathered|gleaned|worked out|figured out|made out|learn(?:ed|t)|deduced|inferred|established|determined|calculated|computed|ascertained|answered|judged|reckoned|concluded|known|confirmed|verified|pinned down|settled|quoted|quantified|estimated)"
_CANNOT_BE = r"(?:cannot|can not|can't|could not|couldn't) (?:\w+ly )?be"
# Nobody's inability, with the paper as what it would be told from, or as what follows from a lack named before it.
NOT_TELLABLE = phrase(
    rf"\b{_CANNOT_BE} (?:\w+ly )?{_TELL} (?:from|on the basis of|with|by) (?:{_THE} (?:[^\s,;]+ ){{0,4}}?|(?={_THE} )){ANY_SOURCE}\b"
    rf"|\b{_CANNOT_BE} (?:\w+ly )?(?:{_TELL}|derived) {_IN_IT}"
    rf"|\b(?:not|n't) clear from {_THE} (?:[^\s,;]+ ){{0,3}}?{ANY_SOURCE}\b|\bunclear from (?:{_THE} (?:[^\s,;]+ ){{0,3}}?{ANY_SOURCE}|it|them)\b"
    rf"|\bno (?:[^\s,;]+ ){{1,6}}?(?:is|are) (?:supplied|given|provided|listed|quoted|stated|shown|included|reported), (?:so|hence|therefore|and so|which means)(?: that)? (?:[^\s,;]+ ){{1,6}}?{_CANNOT_BE} {_TELL}"
)
# What follows from "holds no fee schedule": a lack of a source that was handed over.
SO_NOT_TOLD = phrase(
    rf"\b(?:so|hence|therefore|thus|and so|which means)(?: that)? (?:[^\s,;]+ ){{1,8}}?{_CANNOT_BE} (?:told|said|stated|quoted|given|named|worked out|answered)(?=\W*$|[,;:.]| (?:here|with))"
)
LACKING_PAPER = phrase(
    rf"\b{_THE} (?:[^\s,;]+ ){{0,3}}?{EVIDENCE_SOURCE} (?:[^\s,;]+ ){{0,3}}?(?:no|not|\w+n't|only|none|nothing|lacks?)\b"
)
HOLDS_NONE = phrase(
    r"\b(?:carr(?:y|ies)|gives?|lists?|names?|states?|shows?|has|have|contains?|includes?|quotes?|suppl(?:y|ies)|offers?|mentions?|provides?|holds?) (?:none(?=\W*$|[,;:]| (?:of (?:these|those|them|it|this|that)\b|for\b|at all))|neither\b|no such\b)"
)
_GUESS = r"(?:guess|speculate|conjecture|estimate|make (?:something|anything|one|it|an? (?:figure|number|answer)) up|invent (?:one|an? \w+|anything)|fill (?:in )?(?:the|that|this|any) gaps?|hazard a guess|venture (?:a guess|an answer))"
# Nothing else is meant by these. They decline only where no answer follows: "I'd only be guessing, but 30".
NO_GUESSING = phrase(
    rf"\bi(?:'d| would) (?:much )?(?:rather|prefer) not (?:to )?{_GUESS}\b|\bi(?:'m| am)?\s*(?:do not|don't|did not|will not|won't|would not|wouldn't|cannot|can't|not going to|shall not|must not|should not|shouldn't|refuse to|decline to)(?: (?:want|wish|like|care|mean|intend) to)?(?: simply| just)? {_GUESS}\b"
    r"|\b(?:i|we)(?:'d| would| could| can)(?: only| just| merely)? (?:only |just |merely )?(?:be )?(?:guessing|speculating|(?:hazard|venture) a guess)\b|\bi (?:can|could) only (?:guess|speculate|conjecture)\b"
    rf"|\b(?:it|that|this|anything (?:else|more)|any (?:figure|answer|number|date|name)) (?:would|could|can only|would only) be (?:\w+ )?(?:guesswork|speculation|conjecture|a guess|guessing|(?:irresponsible|wrong|rash|reckless|misleading|dishonest|premature|improper|unwise) (?:of|for) me)\b"
)
NO_ANSWER_FROM_ME = phrase(
    r"\bi (?:must|have to|need to|will have to|am going to have to|shall|will|can only|had to|'ll)?(?:\s*therefore|\s*thus|\s*hence|\s*accordingly|\s*regretfully)?\s*(?:leave|keep) (?:this|that|it|the (?:question|point|matter)|your question)(?: one)? (?:unanswered|open|blank|unresolved)\b"
    r"|\bi(?: must| have to| will| shall|'ll)?(?: therefore| thus| hence| accordingly| consequently| regretfully)? (?:refrain|abstain) from (?:answer\w*|giv\w+|stat\w+|say\w+|quot\w+|offer\w+|guess\w*|speculat\w+|comment\w*|any)\b"
    r"|\bi(?: must| have to| will| shall|'ll)? (?:therefore|thus|hence|accordingly|consequently) (?:must |have to )?(?:decline|abstain|pass)\b"
    r"|\bi(?:'ll| will| must| have to|'ll have to| will have to) (?:pass on|come up short on|give up on|admit defeat)(?: (?:this|that)| the question)?\b"
    r"|\bi(?:'ve| have) (?:no|not the (?:faintest|slightest|foggiest)) (?:idea|clue|way of (?:knowing|telling|saying))\b|\bi(?:'m| am) (?:none the wiser|at a loss|stumped|in the dark)\b|\bi(?:'ve| have)? drawn? a blank\b|\bi drew a blank\b"
    r"|\b(?:is|stays|remains) (?:a mystery|unknown|unclear|a blank) to me\b|\b(?:beats|escapes) me\W*$"
)
