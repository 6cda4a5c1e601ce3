"""How an answer bounds its own material, and leaves it to the reader that what is asked lies beyond it.

The sign is whose material it is: "my sources end with 2023", "the chapter you've indexed", "Article 17 as retrieved", "the
search brought up her views on cycling". A part of the file that is cut off or illegible is such a bound as well. As in
`refusal_phrases`, patterns are matched against lower-cased text, and every gap is bounded.
"""

from __future__ import annotations

from showable.read.refusal_phrases import ANY_SOURCE, EVIDENCE_SOURCE, HERE_SOURCE, phrase

_HAVE = (
    r"(?:(?:i|we)(?:'ve| have| had| was| were|'m| am| are|'ve been| have been)?(?: (?:\w+ly|just|only|all))?(?: (?:been )?(?:given|got|had|provided(?: with)?|shown|supplied(?: with)?|handed|sent|passed|retrieved|found|loaded|indexed|hold|have|hold here|see|can see|can access|have access to|looked at|searched|was able to (?:open|read|see)))"
    r"|you(?:'ve| have)?(?: \w+ly)? (?:given|provided|shared|sent|uploaded|indexed|loaded|supplied|attached|pasted|shown|linked|gave|included|submitted|posted|quoted|copied)(?: me| us| here| in)?)"
)
_AT_HAND = r"(?:as (?:retrieved|provided|supplied|uploaded|indexed|loaded|given|shared|pasted|quoted|received|scanned|shown|submitted)|before me|to hand|at hand|in front of me|at my disposal|available to me|in my possession|i have here)"
_PAPER = rf"(?:{ANY_SOURCE}|articles? \d+\w*|sections? \d+\w*|chapters? \d+\w*|scans?|uploads?|pdfs?|files?|selections?|copy|copies|records?|(?:search )?results|hits|notes|extracts?|holdings|library|index|corpus|data)"
_OWN_PAPER = r"(?:sources?|material|documents?|documentation|passages|excerpts?|extracts?|(?:search )?results|context|knowledge base|corpus|index|collection|notes|files?|records|library|uploads?|pdfs?|scans?|texts?|pages|holdings|information)"
MINE = (
    rf"(?:(?:my|our|your) (?:[^\s,;]+ ){{0,3}}?{_OWN_PAPER}(?: {_HAVE})?|(?:what|all|everything)(?: that)?(?: little)? {_HAVE}"
    rf"|(?:the|this|these|those) (?:[^\s,;]+ ){{0,4}}?{_PAPER}(?: (?:sections?|pages?|chapters?|parts?|extracts?|excerpts?|from [^\s,;]+))?(?: that| which)? (?:{_HAVE}|{_AT_HAND})"
    rf"|(?:the |this )?(?:[^\s,;]+ ){{0,2}}?{_PAPER} {_AT_HAND})"
)
OF_MINE = phrase(rf"\b{MINE}\b")

# What is asked lies past the bound: this declines by itself.
BEYOND_MINE = phrase(
    rf"\b(?:lies?|falls?|is|are|goes|sits?|was|comes)(?: well| far| just| somewhat| rather| quite| \w+ly)? (?:outside|beyond|past|out of)(?: of)?(?: the (?:bounds|limits|reach|range|coverage|period|scope) of| what)? (?:{MINE}|(?:i|we) (?:have|hold|was given|were given|can see))\b"
    rf"|\b(?:is|are|was|were)(?: not|n't) (?:\w+ly |anywhere )?(?:in|among|part of|within|on|covered (?:by|in)|included in|to be found in|mentioned in|answered (?:by|in)) {MINE}\b"
    r"|\b(?:that|which) (?:has|have)(?: not|n't)(?: yet)? been (?:loaded|uploaded|indexed|ingested|scanned in)(?=\W*$|,)|\b(?:has|have)(?: not|n't)(?: yet)? been (?:shared with me|supplied to me|made available to me|included in the (?:upload|index|bundle))\b"
)
# The bounds of the material as its only news. Facts may stand beside them, so they decline only where no answer follows.
_BOUNDED = (
    r"(?:(?:ends?|stops?|ended|stopped|breaks? off|cuts? off|runs? out)(?: \w+)? (?:with|at|in|on|before|after|short|around|by)\b|(?:only )?(?:goes|go|runs?|reach(?:es)?|extends?|takes? (?:us|me|you)|gets?)(?: back)? (?:only |just )?(?:back |up |down )?(?:as far(?: back)? as|to|until|till|through)\b"
    r"|(?:begins?|starts?|opens?) (?:only )?(?:with|in|at|on|from)\b|(?:is|are) (?:limited to|confined to|restricted to|(?:all|only|solely|exclusively|just|entirely) (?:about|on|concerned with|devoted to|from))\b"
    r"|(?:all |only |solely |exclusively |just |both )?(?:covers?|relates? to|deals? with|concerns?|discuss(?:es)?|describes?|treats?|speaks? of|talks? about)\b|(?:does not|doesn't|do not|don't) (?:go|reach|extend|get|stretch)\b)"
)
BOUND = phrase(rf"(?:^|[,;:] |\b(?:but|and|because|since|as|though|that) ){MINE} {_BOUNDED}")
ALL_I_HAVE = phrase(
    r"\b(?:that(?:'s| is| was)|those (?:are|were)|this is|these are|which is) (?:all|everything|the (?:only|sum|extent|lot)(?: \S+){0,2}?)(?: that| which)? (?:i|we)(?:'ve| have| could| can| was| were| am)?(?: got| found| find| see| have| given| able to find| been given| hold)?(?: (?:on|about|for) (?:[^\s,;]+ ){0,4}?[^\s,;]+)?(?=\W*$|, |;)"
    r"|\b(?:the )?(?:best|most|closest|nearest)(?: thing)?(?: that)? (?:i|we) (?:can|could)(?: do| offer| give(?: you)?| find| come up with| get)(?: here)? is\b"
)
_SEARCH = rf"(?:(?:the|my|our|this) (?:\S+ )?(?:search|quer(?:y|ies)|retrieval|look-?up)|(?:the |my |our |these |those )?(?:search )?(?:results|hits)|{MINE}|(?:the|these|those|both|all) (?:[^\s,;]+ ){{0,3}}?{HERE_SOURCE})"
# "… her views on cycling and on parking, though not on the tram."
BUT_NOT = phrase(
    rf"(?:^|[,;:] |\b(?:but|and) ){_SEARCH} (?:\w+ly |only )?(?:brought (?:up|back)|turned up|returned|found|gave|gives?|yielded|covers?|cover|mentions?|lists?|names?|states?|describes?|discuss(?:es)?|tells?|has|have|contains?|includes?|speaks?|deals?) "
    rf"(?:[^\s.;]+ ){{1,20}}?(?:,?\s*(?:but|though|although|yet|and|while))?\s*not (?:on|about|for|of|in|from|the|its|his|her|their|any|to|what|who|when|where|how|why|whether)\b(?: [^\s,;]+){{1,8}}\W*$"
)
# The material or a part of it is damaged or missing.
_PART = (
    r"(?:pages?|tables?|annex(?:es)?|appendi(?:x|ces)|figures?|charts?|diagrams?|paragraphs?|clauses?|lines?|columns?|rows?|cells?|sections?|schedules?|sheets?|signatures?|signature blocks?|footnotes?|scans?|pdfs?|uploads?|attachments?|images?|photocop(?:y|ies)|files?|chapters?|halves|half|margins?|stamps?|dates?|names?|entr(?:y|ies)"
    r"|bottom|top|rest|remainder|end|exhibits?|print|text|handwriting|documents?|cop(?:y|ies)|transcripts?|letters?|captions?|legends?|enclosures?|slides?|parts?|volumes?|articles?|items?|listings?)"
)
_FILE = rf"(?:scans?|pdfs?|uploads?|cop(?:y|ies)|photocop(?:y|ies)|files?|documents?|records? before me|versions?|images?|extracts?|excerpts?|bundles?|packs?|attachments?|record|{HERE_SOURCE})"
_IN_FILE = rf"(?:(?:in|from|on|of|within|out of) (?:the|this|my|our|your|that|these|those) (?:[^\s,;]+ ){{0,3}}?{_FILE}|(?:in|from) (?:scan|pdf|upload|file|document|extract|excerpt)s?)\b"
_SEEMS = r"(?:is|are|was|were|seems?(?: to be)?|appears?(?: to be)?|looks?|has been|have been|came out|comes out|got)(?: \w+ly| too| all but| so| quite| simply| also)?"
_SPOILT = r"(?:illegible|unreadable|indecipherable|not (?:legible|readable)|cut off|cropped|torn(?: off| out)?|smudged|blurred|blurry|smeared|faded|blacked out|redacted|truncated|garbled|corrupt(?:ed)?|damaged|faint to read|blank)"
_GONE = r"(?:missing|absent|left out|omitted|not included|not part|not there|not attached|not reproduced|not scanned|n't (?:included|part|there|attached|reproduced|scanned))"
DAMAGED = phrase(
    rf"\b{_PART} (?:[^\s,;]+ ){{0,6}}?(?:{_SEEMS} )?(?:{_SPOILT}|{_GONE}) {_IN_FILE}"
    rf"|\b(?:the|this|that|my|your) (?:[^\s,;]+ ){{0,2}}?(?:scan|pdf|upload|attachment|photocopy|file|image|page|extract|excerpt|passage|snippet|chunk|text|document)s? (?:[^\s,;]+ ){{0,3}}?(?:(?:is|are|seems?(?: to be)?|appears?(?: to be)?) (?:illegible|unreadable|indecipherable|cut off|cropped|truncated|garbled|corrupt(?:ed)?|blank|password[- ]protected|empty)"
    r"|(?:did not|didn't|does not|doesn't|will not|won't|would not|wouldn't|failed to|fails to) (?:come through|open|load|render|upload|download)|(?:breaks?|cuts?) off (?:before|mid|in mid|there|here|just|after|at))"
    rf"|\b(?:cannot|can't|could not|couldn't) be (?:read|made out|deciphered|opened) {_IN_FILE}"
)
_LOOKED = r"(?:searched|looked|checked|reviewed|read|went|gone|examined|scanned|combed|hunted|trawled|scoured|sifted|dug|browsed|queried|skimmed|leafed|tried|been|combed|worked|studied|consulted|inspected|ransacked|rummaged|perused|scrolled|hunted)"
_IN_VAIN = (
    r"(?:(?:but|and|yet|only to)(?: i| we)?(?: have|'ve)? (?:c(?:a|o)me (?:up|away|back) (?:empty|with nothing|short|blank|dry)(?:-handed| handed)?|dr[ae]wn? a blank|had no (?:luck|success|joy)|turned up nothing|got nowhere|got nothing|saw nothing|failed|(?:could not|couldn't|can't|cannot|did not|didn't) (?:find|see|spot|locate))"
    r"|(?:but|and|with) no (?:luck|success|joy|result)|without (?:success|luck|result|joy|finding\b|any (?:luck|success|joy|result))|in vain|to no avail|(?:but )?(?:it|that|this)(?:'s| is)(?: not|n't) (?:there|in there|in (?:it|them|any of them)))"
)
SOUGHT_IN_VAIN = phrase(
    rf"(?:\b(?:i|we)(?:'ve| have)? (?:also |even |just )?|^(?:sorry,? )?){_LOOKED} (?:(?!that\b|said\b)\S+ ){{0,16}}?{_IN_VAIN}"
    r"|\b(?:i|we)(?:'ve| have)? (?:had|have) (?:no|little) (?:luck|success|joy) (?:find|locat|look|search|track)\w+\b|^no (?:luck|joy|dice)\b"
    r"|\b(?:the|my|our|this|a) (?:\S+ )?(?:search|query|retrieval|look-?up)(?: for (?:\S+ ){0,6}?\S+)? (?:has |have )?(?:gave|given|gives|got|brought|returned|yielded|produced|offered) (?:me |us |you |back )?(?:no|nothing|zero)(?: (?:\S+ ){0,2}?(?:results?|hits?|answers?|matches|luck|joy))?(?=\W*$|[,;]| (?:on|for|about)\b)"
)
_ITEM = r"(?:articles?|pages?|entr(?:y|ies)|posts?|guides?|help topics?|documentation|docs|documents?|information|info|details?|answers?|records?|anything|content|listings?|materials?|instructions|sources?|data|figures?)"
WE_HAVE_NONE = phrase(
    rf"\bwe (?:currently |still )?(?:do not|don't)(?: (?:currently|yet|actually|seem to|appear to))* have (?:an?|any|the)?\s*(?:\S+ ){{0,2}}?{_ITEM}(?: (?:on|about|for|regarding|covering|that covers|to answer) [^.;]{{1,60}}?| (?:yet|here|available))?(?=\W*$|[,;.!]| (?:yet|here|in our|in the|at the moment|so)\b)"
    rf"|\bthere(?:'s no| (?:is|are|seems to be|appears to be) (?:no|not an?)| (?:is|are)n't (?:an?|any)) (?:(?!such |longer )\S+ ){{0,2}}?(?:articles?|pages?|entr(?:y|ies)|posts?|guides?|help topics?|documentation) (?:on|about|for|covering|regarding) (?:\S+ ){{1,6}}?(?:in|on) (?:the|our|this|my) (?:\S+ ){{0,2}}?(?:knowledge base|help cent(?:re|er)|index|library|corpus|wiki|site|collection|database|archive)\b"
)
HERE_LESS = phrase(
    r"^\W*(?:(?:nope|no|nah|sorry|alas|hmm?),? )?(?:cannot|can't|could not|couldn't|did not|didn't|do not|don't) (?:see|find|spot|make out|locate) (?:\S+ ){1,8}?(?:in here|in there|anywhere|in (?:the|this|these|any of the) (?:\S+ ){0,3}?"
    + EVIDENCE_SOURCE
    + r")\b"
    r"|^\W*(?:(?:nope|no|nah|sorry|alas),? )(?:it's |that's |it is |that is |just )?not (?:there|in there|in here|in (?:it|them|the (?:\S+ ){0,3}?"
    + EVIDENCE_SOURCE
    + r"))\b"
    r"|^\W*(?:nope,? )?(?:nothing|not a word|not a thing|no word) (?:on|about|regarding) (?:that|this|it|them|those|these)(?=\W*$| (?:in|here|there|either)\b)"
    rf"|^\W*(?:nothing|not a word|no word) (?:on|about|regarding) (?:\S+ ){{1,6}}?(?:in|among) {MINE}\b"
)
FEATURES_NOT = phrase(
    r"\b(?:do|does|did)(?: not|n't) (?:feature|figure|crop up|come up|get a mention|come into it|occur)\b|\b(?:is|are)(?: not|n't) (?:among them|one of them|part of (?:it|them|that))\b|\b(?:never|nowhere)(?=\W*$)"
)
