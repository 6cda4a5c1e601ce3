"""How an answer says that a text passes over what is asked, or that it has no part of a text in which it would stand.

A text "leaves out", "skips" or "is no help with" something; one "won't find it" there; it is "in Appendix B, which I have
not been given". What a contract or a statute leaves out is so, and declines nothing: these take texts that inform. As in
`refusal_phrases`, patterns are matched against lower-cased text, and every gap is bounded.
"""

from __future__ import annotations

from showable.read.paper_nouns import INFORMING
from showable.read.refusal_phrases import ANY_SOURCE, EVIDENCE_SOURCE, SUBJECT_OF, phrase

_THE = r"(?:the|this|that|these|those|my|our|your|any(?: of the)?|either(?: of the)?|both)"
_TEXT = rf"(?:{EVIDENCE_SOURCE}|{INFORMING})"
_A_TEXT = rf"(?:{_THE} (?:[^\s,;]+ ){{0,4}}?|(?={_THE} )){_TEXT}"
TEXT_SUBJECT = phrase(SUBJECT_OF.format(noun=_TEXT))
_SAYS = (
    r"(?:mentions?|says?|states?|specif(?:y|ies)|tells?|discloses?|reveals?|addresses|address|discuss(?:es)?|explains?|clarif(?:y|ies)|touch(?:es)? (?:up)?on|gets? (?:(?:a)?round )?to|comes? to|goes? into|names?|quantif(?:y|ies)"
    r"|spells? out|answers?|identif(?:y|ies)|describes?|defines?|sets? out|gives?|quotes?|refers? to|alludes? to|broach(?:es)?|takes? up|lets? on)"
)
NEVER_SAYS = phrase(
    rf"\b(?:never|nowhere|at no point|not once|not anywhere) (?:\w+ly |even |once |actually |do |does |did )?{_SAYS}\b(?! for\b)"
)
_SILENCE = r"(?:mum|tight-lipped|coy|vague|evasive|quiet|reticent|no help|of no help|no use|of little help|(?:no|none the) (?:\w+ )?(?:wiser|clearer)|uninformative|unhelpful|noncommittal|non-committal|inconclusive|blank|no better)"
# Bound to a text by its subject.
PASSES_OVER = phrase(
    r"\b(?:omits?|omitted|leaves? out|neglects? to (?:\w+ )?(?:say|mention|state|tell|explain|name|give|specify))\b(?=\W*$| \S)|\b(?:skips?|pass(?:es)? over) (?:\S+ ){1,6}?(?:altogether|entirely|completely|in silence)\b"
    r"|\b(?:avoids?|sidesteps?|dodges?|skirts?|gloss(?:es)? over|steers? clear of) (?:the|this|that|your) (?:question|issue|matter|point|subject|topic)\b"
    rf"|\b(?:is|are|stays?|remains?|keeps?) (?:\w+ly |rather |quite |too |somewhat |also )?{_SILENCE}(?=\W*$|[,;:]| (?:on|about|as to|regarding|here|there|with|in this|and|at)\b)"
    r"|\bleaves? (?:\S+ ){0,8}?(?:open|undefined|unspecified|unstated|unsaid|unmentioned|unnamed|blank|vague|to the (?:imagination|reader)|in the dark)(?=\W*$|[,;:]| (?:and|but|so)\b)"
    r"|\b(?:has|have|had) (?:absolutely |precisely |next to )?nothing (?:(?:at all|whatsoever|further|more|else|later|earlier|newer|specific|useful) )?(?:to say |to tell (?:us |me |you )?)?(?=\W*$|[,;:]|(?:on|about|as to|regarding|concerning|later|for)\b)"
    rf"|\b(?:offers?|gives?|contains?|holds?|has|have|provides?|makes?|drops?|bears?) (?:no|not the slightest|not a single|not one) (?:\S+ )?(?:clues?|hints?|pointers?|word|trace|mention|reference|allusion|inkling|page|entry|article|section|line|indication|definition)\b(?! period)"
    r"|\b(?:will not|won't|would not|wouldn't|cannot|can't) (?:be able to )?(?:tell|help|say|answer|settle|enlighten)(?: (?:me|you|us|anyone))?(?=\W*$|[,;:]| (?:that|this|it|what|who|when|where|how|why|whether|with|here|much|on|about)\b)"
    r"|\b(?:breaks? off|cuts? (?:out|off)|ends?|stops?|trails? off|runs? out)(?: \w+)? (?:before|just as|right before|short of)\b"
    r"|\b(?:gives?|lists?|states?|shows?|mentions?|names?|reports?|quotes?|publish(?:es)?) (?:the |its |her |his |their |an? )?(?:[^\s.;]+ ){1,12}?(?:(?:and nothing (?:else|more|further))|only|alone)\W*$"
    r"|\b(?:should|ought to|might|would)\b[^.;]{0,40}, but (?:(?:it|they) )?(?:does not|doesn't|do not|don't)\W*$"
)
# Bound to a text by its place.
_UNSEEN = r"(?:(?:(?:has|have) been |is |are |was |were )?(?:\w+ly )?(?:left out|omitted|missing|absent|lacking|excluded|cut)|(?:is|are) nowhere(?: to be (?:found|seen))?|never (?:comes?|crops?) up|never (?:appears?|features?|figures?)|(?:is|are) never (?:mentioned|given|stated|named|specified|said|explained|discussed|addressed|quoted|disclosed|revealed|spelled out|spelt out))"
NOT_IN_TEXT = phrase(
    rf"\b{_UNSEEN} (?:from|of|in|within|by|on|throughout) (?:all of |any of |both of )?{_A_TEXT}\b"
    rf"|\b(?:you|one|we|readers?) (?:(?:will not|won't|would not|wouldn't) (?:find|see|learn|get|discover)|(?:will )?(?:search|look|hunt)(?:es|s|ed)?) (?:[^\s.;]+ ){{0,8}}?(?:in vain\b|(?:in|from|on|within) {_A_TEXT}\b)"
    rf"|\b(?:nothing|not a word|not a thing|not a line|no (?:word|trace|sign|hint|clue|whisper|mention|reference|hits?)|little or nothing) (?:at all |whatsoever |to be found )?(?:in|on|within|among|from) (?:{_THE} (?:[^\s,;]+ ){{0,4}}?|(?={_THE} )){ANY_SOURCE}(?: (?:i|we|you) \w+)? (?:about|on|regarding|concerning|as to|of|for|to (?:say|tell|show|indicate|answer))\b"
    rf"|\b(?:not a word|no (?:trace|sign|hint|clue|whisper|mention|hits?)) (?:of|about|on|for|as to|to) (?:[^\s.;]+ ){{1,8}}?(?:in|on|within|among) {_A_TEXT}\b"
    rf"|\bthere(?:'s| is| are| was| were)(?: no| not an?|n't an?|n't any) (?:[^\s.;,]+ ){{1,6}}?(?:(?:given|listed|stated|named|mentioned|shown|quoted|recorded|indicated|printed|published) (?:in|on|by|anywhere in) {_A_TEXT}|hits? for)\b"
    rf"|\bneither {_A_TEXT} nor {_A_TEXT} (?:\w+ly )?{_SAYS}\b"
    rf"|\b(?:is|are)(?: not|n't) (?:\w+ly )?(?:one of the things|among the (?:things|points|topics|figures)|an? (?:figure|number|date|name|point|question|topic|matter|thing|detail)|something|anything|what) (?:that |which )?(?:{_A_TEXT}|it|they)(?: \w+)? (?:covers?|gives?|says?|states?|mentions?|lists?|address(?:es)?|touch(?:es)?|deals?|goes?|tells?|discuss(?:es)?)\b"
    rf"|\b(?:cannot|can't|could not|couldn't) be (?:\w+ )?(?:supported|answered|sourced|substantiated|backed up|read off|documented) (?:from|by|in|on|with) {_A_TEXT}\b"
)
_PART = rf"(?:appendix|annex|schedule|exhibit|attachment|table|page|chapter|section|part|volume|figure|enclosure|sheet|supplement|{EVIDENCE_SOURCE})"
# A part of a text that the answer lacks. Facts may stand beside it, so it declines only where no answer follows.
PART_NOT_SUPPLIED = phrase(
    rf"\b(?:that|which) (?:i|we)(?:'ve| have| was| were| do|'m| am)?(?: not|n't)(?: been)? (?:given|have|had|seen|got|shown|sent|provided with)(?=\W*$|[,;])"
    rf"|\bi (?:(?:do|did)(?: not|n't) (?:actually )?(?:have|see|hold|possess)|have(?: not|n't) (?:got|seen|been (?:given|shown|sent)|had)|was(?: not|n't) (?:given|shown|sent)|lack) (?:access to )?(?:the |that |this |an? |any )?(?:[^\s.;,]+ ){{0,3}}?{_PART}\b"
    r"|^(?:the |that |this )?(?:relevant|right|necessary|crucial) (?:page|section|chapter|table|annex|appendix|part|document|file|passage)s? (?:is|are|seems?|appears?)(?: to be)? (?:missing|absent|lost|cut off|not (?:here|there|included|supplied|provided))\b"
    r"|^(?:all|the only thing)(?: that)? (?:i|we)(?:'ve| have)? (?:got |have |hold |see |was given )?(?:is|are) (?:the|an?|one|two) (?:\S+ )?(?:pages?|sections?|chapters?|excerpts?|extracts?|passages?|articles?|paragraphs?|documents?)\b"
    r"|\b(?:search|query|lookup|retrieval) (?:turned up|brought up|found|returned) (?:[^\s.;]+ ){0,5}?(?:pages?|articles?|passages?|documents?|sections?|entries|results|hits|views|papers?|reports?) (?:[^\s.;]+ ){1,8}?(?:and|but) (?:none|nothing|not one) (?:on|about|for)\b"
)
OWN_SHRUG = phrase(
    r"\bi(?:'m| am)(?: not|n't) in a position to (?:say|tell|answer|give|state|confirm|judge)\b|\b(?:it is|it's|that's|that is)(?: not|n't) for me to say\b|\b(?:it is|it's)n't for me to say\b"
    r"|\bi(?:'ve| have)?(?: got)? (?:nothing|no (?:information|info|idea|clue|data|details?|record|source|figures?|answer)) (?:on|about|for|regarding|to (?:go|offer)|here)\b|\b(?:there is|there's) (?:nothing|little) to go on\b|\b(?:there is|there's) no basis (?:\S+ ){0,4}?(?:for|to)\b(?! (?:a|the) (?:claim|appeal|charge))"
    r"|\bi(?:'d| would) (?:only |just )?(?:be making (?:it|one|that|something) up|have to (?:invent|guess|make (?:it|one|something) up|speculate))\b|\bany (?:\w+ )?i (?:gave|give|could give|offered|quoted)(?: you)? would be (?:an? |pure |mere )?(?:\w+ )?(?:guess\w*|speculation|invention|made up|invented)\b"
    r"|\bi(?:'ll| will| must| have to|'ll have to|'m afraid i have to) pass\b(?! (?:the|a|an|your|him|her)\b)|\b(?:i'm|i am) drawing a blank\b|\bnothing (?:here|there|in here) (?:lets|allows|helps|enables|tells) (?:me|us|you|one)\b|\bno(?:body| one) could (?:tell|say)\b.{0,40}\bfrom (?:this|these|it)\b|\b(?:extracts?|passages?|pages|excerpts?) alone, (?:nobody|no one|one cannot|you can't|it)\b"
)
# "Height: not given", "Bursaries - no information", where the label holds no verb and no figure.
_NOT_V = r"(?:not (?:\w+ly )?(?:given|stated|specified|listed|mentioned|disclosed|reported|recorded|provided|available|found|indicated|named|shown|quoted|known|included|covered|there|in (?:there|here|it|them))|un(?:known|specified|stated|available|disclosed|clear)|none (?:given|stated|listed|found|named|mentioned)|no (?:information|info|data|details?|mention|answer|figure|entry|record)(?: (?:given|found|available))?|n/?a|nothing (?:found|on (?:that|this|it))|missing)"
LABELLED = phrase(
    rf"^\W*(?!(?:result|outcome|verdict|decision|status|finding|cause|conclusion)s?\b)(?:(?!is\b|are\b|was\b|were\b|has\b|have\b)[^\s\d:?;,.]+ ){{0,5}}?[^\s\d:?;,.]+(?:\s*[:?]| [-–—]) (?:sorry, |nope, |alas, |unfortunately )?(?P<what>{_NOT_V}(?: (?:in|on|by|from) (?:\S+ ){{1,6}}?\S+)?)\W*$"
)
FRAGMENT = phrase(
    r"^\W*(?:(?:sorry|alas|nope|unfortunately|hmm?),? )?no (?:[^\s,;.]+ ){1,4}?(?:stated|listed|mentioned|specified|named|quoted|indicated|disclosed)\W*$|^\W*(?:sorry,? |no,? )?(?:dunno|don't know|no info|no information|no data)\b\W*$"
    rf"|^\W*(?:(?:sorry|alas|hmm?|unfortunately),? )?(?:not (?:mentioned|covered|stated|specified|addressed|discussed|given|listed|found|answered|in)) (?:by|in|there|here|among)?\s*(?:{_A_TEXT}|my sources|there|here)\b"
    rf"|\b(?:that one|that info|that information|this info|that detail|this detail|the answer)(?:'s| is)(?: not|n't) (?:\w+ly )?(?:in|on|covered by|part of) {_A_TEXT}\b"
)
