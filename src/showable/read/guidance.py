"""Which sentences beside a refusal only guide the reader: where to look, whom to ask, what the documents are about.

Whatever else stands beside a refusal asserts something, and is to be judged. So this is a closed grammar: a
sentence is guidance only if all of it is, and never where it states a figure or reports what a document says.
"""

from __future__ import annotations

from showable.read.predication import is_predication
from showable.read.refusal_phrases import ANY_SOURCE, EVIDENCE_SOURCE, phrase
from showable.read.refusal_pointers import name_titles, pointer_rest
from showable.records.regex import regex

SECTION = r"(?:sections?|clauses?|articles?|schedules?|chapters?|pages?|tables?|notes?|items?|appendix|appendices|annex|exhibits?|parts?|paragraphs?|passages?|figures?|rules?|regulations?|forms?|volumes?|lines?|§+)"

# Figures are looked for in text from which the numbers that merely name a document have been taken out.
_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_DATE = rf"(?:\d{{1,2}} {_MONTH}\.?,? \d{{4}}|{_MONTH}\.? \d{{1,2}},? \d{{4}}|{_MONTH} \d{{4}})"
_YEAR = r"(?:fy|cy)?(?:19|20)\d\d(?:[-–/]\d{2,4})?"
_NAMES_A_DOCUMENT = phrase(
    rf"\b{SECTION} \(?[\divxlc]+(?:[.(-]?\w{{1,3}}\)?){{0,4}}(?:(?:,| and| or| to|[-–])\s*\(?[\divxlc]+(?:\.\d+){{0,2}}\b(?=\s*(?:$|[,.;:)](?:\s|$)|(?:and|or|of|in|to|for)\b)))*"
    rf"|§+\s*\d[\w.()-]*|\b(?:form )?\d{{1,2}}-[kqf]\b|\b(?:dated|ended|ending|as of|as at|filed on) {_DATE}"
    rf"|\b{_YEAR} (?:\S+ ){{0,5}}?{ANY_SOURCE}\b|\b(?:for|from|fiscal|year|years|of|and|to|through|ended|ending|after|before) {_YEAR}\b|^\W*\d{{1,2}}[.)] "
    rf"|\b{ANY_SOURCE} (?:of|for|in|from) (?:the )?(?:fiscal |calendar )?(?:year )?{_YEAR}\b|\(?\b{_YEAR}\)|\bfy(?:\d\d){{1,2}}\b"
)
_UNIT = r"(?:mg|mcg|µg|ml|g|kg|km|m|cm|mm|l|bn|mn|k|h|hrs?|mins?|st|nd|rd|th|x|days?|weeks?|months?|years?|hours?|minutes?|percent|per|fold|point|million|billion)"
_FIGURE = regex(rf"[$€£¥]\s?\d|\d\s?%|(?<![\w.])\d[\d.,:/]*(?:(?![\w-])|-?{_UNIT}\b)|[½¼¾]")
_COUNTED_DOCUMENT = phrase(
    rf"\b(?:two|three|four|five|six) (?:\S+ ){{0,2}}?(?:{ANY_SOURCE}|values|figures|numbers|items|pieces)\b"
)
_NUMBER_WORD = regex(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|dozens?|twice|half|percent)\b"
)
_DAY = phrase(rf"\b(?:\d{{1,2}} {_MONTH}|{_MONTH} \d{{1,2}})\b")

# "the report says that …" reports; "the report that covers …" only names the report.
_REPORTED = phrase(
    r"\b(?:mention|state|say|said|report|note|show|find|found|confirm|indicate|believe|suggest|reveal|conclude|explain|hold|held|add|argue|claim|acknowledge|admit|disclose|warn|remember|mind|fact|aware|know|tell you|told|require|establish|demonstrate)\w* that"
    r" (?!(?:contain|cover|include|provide|list|deal|describe|address|relate|set|give|show|discuss|was|were|is|are|has|have|you|i|we|would|might|may|could|should|applie|appl)\w*\b)"
)
_LEAD = phrase(
    r"^(?:\W*(?:\d+[.)] )?)(?:(?:however|otherwise|alternatively|instead|then|and|so|but|also|in that case|unfortunately|therefore|for that),? )?"
    r"(?:(?:if|once|when|should|for|to|in order to|with|without|as an?) [^,;:]{1,200}?, (?:then )?)?"
)
# Where a thing can be looked up.
_WHERE = rf"(?:{ANY_SOURCE}|{SECTION}|web\s*sites?|sites?|databases?|regist(?:er|ry)|portal|archives?|librar(?:y|ies)|online|internet|editions?|versions?|dockets?|edgar|sec|cop(?:y|ies)|originals?|full text|case law|balance sheets?|accounts|index|reports?|10-?[kq]|literature|press|minutes|ledgers?|dictionar(?:y|ies)|encyclop\w+|supplements?|attachments?|annex\w*|entry|entries|definitions?|inserts?|news\s*papers?)"
_FOR_WHAT = r"(?:information|info|data|figures?|details?|values?|context|numbers?|amounts?|access|specifics|line items?|the following|amounts)"
_WHO = r"(?:agent|landlord|doctor|physician|pharmacist|lawyer|solicitor|attorney|clinician|author|editor|publisher|office|department|company|team|provider|professional|expert|adviser|advisor|court|clerk|authorit(?:y|ies)|agency|regulator|support|manager|administrator|accountant|specialist|lender|insurer|employer|union|librarian|registrar|issuer|relations|counsel)"
_CLARIFY = r"(?:clarif\w+|confirm\w*|provid\w+|check\w*|explain\w*|send|see|find|verify|tell|which|what|whether|about|directly|if|help|advice|guidance|further|more)"
# Look-up verbs with what they take; each may stand bare or with -ing.
_LOOK_UP = (
    r"(?:(?:consult(?! (?:fees?|rooms?)\b)|refer(?:ring)? (?:back |directly )?to|check(?:ing)? (?:with|back)|contact|reach(?:ing)? out to|(?:speak|talk)(?:ing)? (?:to|with)|hav(?:e|ing) a look at|turn(?:ing)? to|inquir(?:e|ing)|enquir(?:e|ing))(?:ing)?\b"
    rf"|(?:ask(?:ing)?|get(?:ting)? in touch with) (?:(?:\S+ ){{0,6}}{_CLARIFY}\b|(?:\S+ ){{0,6}}for (?:\S+ ){{0,4}}{_WHERE}\b|(?!(?:\S+ ){{0,6}}?(?:to|for|that) ))"
    rf"|(?:check|see|review|examin|search|look|find|locat|brows|access|open|obtain|get|visit|read|verify|compar|navigat|try|identify|inspect|download|scan|revisit|study|consider|gather|retriev)(?:e|ing|ning|ting|ying)?(?! of\b)(?: (?:at|in|into|up|for|to|through|the|over|out|a|an))* (?:\S+ ){{0,9}}?{_WHERE}\b"
    rf"|(?:check|verify|find out|look|see)(?:ing)? (?:\S+ )?(?:whether|if|what|which|when|how|who|where|here|there|elsewhere|again)\b)"
)
_GIVE = (
    r"(?:provid(?:e|ing)|shar(?:e|ing)|supply(?:ing)?|upload(?:ing)?|send(?:ing)?|attach(?:ing)?|specify(?:ing)?|clarify(?:ing)?|indicat(?:e|ing)|stat(?:e|ing)|past(?:e|ing)|rephras(?:e|ing)|narrow(?:ing)?|nam(?:e|ing)|giv(?:e|ing) me|tell(?:ing)? me|let(?:ting)? me know)"
    rf"(?: (?:me|us))?(?: (?:with|the|a|an|your|this|that|any))*(?: (?:which|what|who|whether|if|how|when|where)\b| (?:(?!to\b)\S+ ){{0,8}}?(?:{_WHERE}|{_FOR_WHAT}|question|query|request|name|year|title|party|parties)\b(?! to (?:the|your|a)\b))"
)
_SOFT = r"(?:(?:may|might|can|could|should|would|will)(?: also| always| instead| still| \w+ly)?|'d|'ll)"
_WISH = r"(?:(?:want|need|wish|like|try|have|do well|be able|be better off|be advised) (?:to )?|consider |try )"
_ADVISED = (
    rf"(?:please(?: also)? |kindly |consider |feel free to |be sure to |make sure to |try |(?:you|one|we|readers?|users?)(?: {_SOFT}|(?='))(?:'d|'ll)? (?:also )?{_WISH}?(?:also )?|(?:you|one) (?:also )?(?:need|may) to "
    r"|(?:i|we)(?:'d| would| can only)? (?:\w+ly )?(?:recommend|suggest|advise|encourage)(?: that)?(?: you)?(?: to)? (?:try )?|(?:it|this) (?:may|might|would|could|can) help to |(?:it|this)(?: is|'s| may be| might be| would be| will be| could be) (?:\w+ )?(?:recommended|advisable|best|helpful|useful|necessary|worth\w*|better|a good idea|wise|important)(?: that you| for you)? (?:to )?"
    r"|(?:my|a|the)(?: \w+)? (?:suggestion|recommendation|advice|next step|best option|option)(?: \w+)? (?:is|would be) to |(?:the )?(?:next|best) step (?:is|would be) to )"
)
_STEP = phrase(
    rf"(?:{_ADVISED})?(?:{_LOOK_UP})|i(?:'d| would) (?:\w+ly )?(?:{_LOOK_UP})|(?:{_ADVISED})?(?:{_GIVE})"
    rf"|(?:you|one|we)(?: {_SOFT}|'d|'ll)? (?:also |first |\w+ly )?(?:need|require) (?:\S+ ){{0,16}}?(?:{EVIDENCE_SOURCE}|{_FOR_WHAT}|balance sheet|accounts|full (?:text|lease|agreement|contract|study)|(?:the|that|this|your) (?:lease|agreement|contract|study|opinion|judge?ment|policy))\b"
    r"|let me know\b|feel free\b|(?:i|we)(?:'ll| (?:can|could|will|would|may|might))(?: (?:be (?:\w+ )?(?:happy|glad|able|pleased) to|then|also|gladly|certainly|try to|attempt to))* (?:help|assist|look|check|try|search|review|answer (?:your|the|this|it|that)|calculate|compute|provide|work|determine|find|update|do (?:so|that|it|this))\b"
)
_OBLIGED = phrase(
    rf"(?:you|one)(?: (?:must|have to|shall)|'ll have to| will have to) (?:consult|refer to|check|see|review|look (?:at|in|up)|read) (?:\S+ ){{0,6}}?{_WHERE}\b"
)
_MODAL = r"(?:would|may|might|could|can|should|(?:is|are) (?:most )?likely to|(?:is|are) (?:usually|typically|normally|generally))"
_PLACE = phrase(
    rf"(?:the|a)(?: \w+)? (?:place|source|way|person|office) to (?:look|ask|check|start|search|find \S+)(?: \S+){{0,4}}? (?:is|would be|may be|might be)\b"
    rf"|(?:\S+ ){{1,12}}?(?:{_MODAL}) (?:\w+ )?be (?:the |a |an |your )?(?:\w+ )?(?:places?|sources?|persons?|offices?|points?|contacts?|documents?|starting point) (?:to|for|of contact)\b"
    rf"|(?:\S+ ){{1,10}}?(?:{_MODAL}) (?:\w+ )?be (?:consulted|contacted|asked)\b(?! (?:to|only|in|by))"
    rf"|(?:\S+ ){{0,8}}?(?:{_WHERE}) (?:\S+ ){{0,6}}?(?:should|could|can|may|might) (?:\w+ )?be (?:checked|reviewed|examined|searched)\b"
    rf"|(?:\S+ ){{0,8}}?(?:{_WHERE}) (?:\S+ ){{0,3}}?(?:would|may|might) (?:have|need) to be (?:checked|consulted|read|seen|searched)\b"
    rf"|(?:\S+ ){{0,8}}?(?:{_WHERE}) (?:\S+ ){{0,3}}?{_MODAL} (?:settle|resolve|say more|clear up|tell more|have it)\b(?=\W*$| (?:it|this|that|on it|about it|the (?:question|point|matter))\W*$)"
    rf"|(?:it|this|that|such an? \S+) (?:{_MODAL}) be (?:in|on|under|at) (?:\S+ ){{0,6}}?(?:{_WHERE})\b"
    rf"|(?:\S+ ){{0,6}}?{_WHO} (?:\S+ ){{0,3}}?{_MODAL} (?:\w+ )?(?:know(?:\W*$| (?:the|this|more|whether|what|which|how|when|it)\b)|be able to (?:say|tell|answer|confirm|help|provide)\b|have (?:it|this|that|the \w+|a copy|more)\W*$)"
    rf"|(?:\S+ ){{0,10}}?(?:{_WHERE}) (?:\S+ ){{0,5}}?(?:{_MODAL}) (?:\w+ )?(?:(?:contain|include|provide|list|have|address)\b|(?:state|say|show|answer|specify|tell|explain) (?:it|this|these|those|that\W*$|what|whether|when|how|the (?:exact|full|precise|required|relevant|date|period|answer))\b)"
    rf"|(?:(?:it|this|that|these|those|they|such|the answer)\b|(?:\S+ ){{0,8}}?{_FOR_WHAT}\b)(?: \S+){{0,8}}? (?:{_MODAL}) (?:\w+ )?(?:need to )?be (?:found|available|listed|located|obtained|set out|stated|given|provided|disclosed|reported|detailed|included|accessed|published)(?:\W*$| (?:in|on|under|at|within|from|by|through|there|elsewhere|to you|separately)\b)"
    rf"|(?:\S+ ){{1,10}}?(?:{_MODAL}) (?:\w+ )?(?:be )?(?:found|listed|located|set out|stated|disclosed|reported|detailed|obtained|accessed|available) (?:in|on|under|at|within|from) (?:\S+ ){{0,6}}?(?:{_WHERE})\b"
)
_SOURCE = rf"(?:the |these |this |those |all |both |most |my |your )?(?:of the )?(?:\S+ ){{0,4}}?{EVIDENCE_SOURCE}(?: (?:i|we|you|that|which)(?: \w+){{1,4}}| (?:provided|given|retrieved|available|supplied|shared|here|above|themselves|itself)| \[?\d+\]?){{0,2}}"
_ONLY = r"(?:only|mainly|mostly|primarily|instead|just|merely|solely|largely|chiefly|all|generally|also|both|simply|do|does|rather)"
_ABOUT = phrase(
    rf"(?:{_SOURCE}|(?:they|it)(?= {_ONLY} )|{SECTION} [\divxa-z.()-]+(?= {_ONLY} ))(?: {_ONLY})*(?: seems? to| appears? to)? (?:covers?|address(?:es)?|discuss(?:es)?|focus(?:es)?(?: \w+)? on|deals?(?: \w+)? with|concerns?|relates?(?: \w+)? to|pertains? to|refers?(?: \w+)? to|talks? about|speaks? (?:of|about)|(?:is|are)(?: \w+)? (?:about|from|dated|titled|limited to|related to|concerned with|focused on))(?! (?:no|not)\b)"
    rf"|(?:{_SOURCE}|they|it|{SECTION} [\divxa-z.()-]+) (?:(?:{_ONLY} )+(?:describes?|mentions?|contains?|includes?|provides?|presents?|lists?|details?|gives?|shows?)|(?:contains?|includes?|provides?|gives?|presents?|offers?) (?:only |\S+ ){{0,4}}?(?:information|data|details|sections?|discussions?|references?|tables?|excerpts?))(?! (?:no|not)\b)"
    rf"|(?:{_SOURCE}|this|these) (?:is|are) (?:only |just |merely )?(?:an? |the )?(?:\S+ ){{0,2}}?(?:excerpts?|portions?|parts?|extracts?|fragments?|snippets?|summar(?:y|ies)) (?:of|from)\b"
)
# Where another clause may begin, which then has to be guidance as well.
_BREAK = phrase(
    r"\s*(?:;|\s[—–-]\s|—|:|(?<=\w\w\w)\.)\s+|,? (?:because|since|given that|so that|under which|in which|by which|according to which|where(?:by|as)|although|though|while|but|unless) |,? as (?=(?:it|they|these|this|the|that|he|she|you)\b)|, which |,? (?:who|whose) |, (?:and|so|or|then|where|when|after which|that)?\s*| and (?=(?:you|i|we|it|he|she|they)\b|(?:the|a|this|that|your|his|her|their) [^,;]{1,60}? (?:is|are|was|were|has|have|had|must|shall|can|will|would|may|does|did|do)\b)"
)
# The lead-in of a list of places and steps, which each item repeats: "I can guide you on how to find this: Visit …".
_LEAD_IN = phrase(
    r"(?:i (?:can|could|will|would) (?:guide|help|show|walk)\b(?:(?! that\b)[^:]){0,150}|(?:[^:,]{0,80}, )?(?:you|one|we)(?: can| could| may| might| should| would|'d)(?: \w+ly)?(?: also)?"
    r"(?: (?:need|want|have) to)?(?: follow (?:these|the following) steps| (?:check|consult|visit|try|consider|need|look at|refer to|contact|do)(?: the following| these \w+)?)?"
    r"|how (?:you|one) (?:would|could|can|might) [^:]{1,100}|(?:possible |some |useful )?(?:next steps|places to look|sources to (?:check|consult)|suggestions)(?: include| are)?): "
)
# "To calculate this, you would need the cash flow from operations": what it takes to answer.
_NEEDED = phrase(
    r"(?:however,? |but )?(?:to|in order to) (?:\w+ly )?(?:calculate|determine|compute|answer|work out|know|find|verify|assess|say|tell|establish|confirm|derive)\b[^,;:]{0,200}, (?:you|one|we|i)(?: would| will|'d|'ll)(?: \w+)? (?:need|require) (?!to )"
)
# "You should never have started": a reproach, which the grade of a refusal counts, and no fact.
_REPROACH = phrase(
    r"you (?:should|ought to|could)(?: not| never|n't)? have (?:\w+ed|been|taken|gone|done|begun|known|left|let|put) "
)
_ASIDE = phrase(
    r", (?:if (?:there (?:is|are) (?:one|any|some)|any|available|applicable|possible|you have (?:it|one|them))),"
)
_FINITE = regex(
    r"\b(?:is|are|was|were|am|be|has|have|had|does|do|did|must|shall|cannot|can|could|will|would|may|might|should|owes?|causes?|pays?|requires?|means?|became|becomes?|\w+n't)\b"
)
_HOLDS = phrase(
    rf"(?:also |then |{_MODAL} |typically |usually |generally |normally |often |likely )*(?:contain|cover|include|provide|list|detail|address|set|give|discuss|describe|explain|deal|specify|disclose|govern|present|have|show|report|outline|hold)(?:s|es)?\b|(?:it|they|this|these|that|the \S+|those)(?: \S+){{0,3}}? (?:{_MODAL} |will )(?:\w+ )?(?:contain|cover|include|provide|list|detail|address|give|discuss|explain|specify|disclose|have|show|help|be (?:found|listed|more|most|able))\b|(?:{_MODAL} |is |are |will )?(?:\w+ )?(?:be )?(?:found|available|listed|located|filed|published)\b"
)
_POSTMODIFIER = regex(
    r"\b(?!relat|bas|contain|provid|list|includ|dat|titl|nam|call|issu|entitl|locat|publish|fil|attach|concern|limit|focus|retriev|supplied|mention|describ|discuss|report|unrelat|need|seed|present|prepar)\w{2,}ed (?:of|for|by|to|with|from|as|against|in|on|after)\b"
    r"|\b(?:causing|leading to|resulting in|increasing|reducing|killing|showing|proving|found to|known to|guilty|made by|sold to|paid (?:by|to)|struck off|caught|shown to)\b|\w['’]s? (?:\w+ )?(?:conviction|arrest|failure|refusal|death|resignation|guilt|breach|admission|fraud|dismissal|crimes?|bribery|negligence)\b"
)
_RELATIVE = regex(r"\b(?:that|which|who|how)\b|;")
_ADDS = regex(r"\b(?:where|because|since|whereby|wherein)\b")
_WHERE_AT_ALL = regex(rf"\b{_WHERE}\b")
_EMBEDS = phrase(r"\b(?:whether|if|what|which|who|when|where|how|why|that|than)\b")
_SAID_OF_US = phrase(r"\b(?:you|we|i)(?: \w+)? (?:are|were|have|had|can|could|may|might|should|will|would)\b")
_OPEN = phrase(r"(?:$|(?:if|whether|what|which|to) )")
_LISTS = frozenset({"", "and", "or", ":", "—", "–", "-"})
_LONGEST_ITEM = 25


def is_guidance(sentence: str) -> bool:
    """Check whether a sentence guides the reader and asserts nothing: a next step, or what the documents are about.

    A next step is a look-up verb put to the reader ("You may want to consult the 2022 annual report"), a place to
    look ("This may be found in the 10-K"), a request or an offer ("If you can provide the lease, I can help"). Never
    guidance: a sentence with a figure, an amount or a date, other than in a document's name, or one that reports
    ("The passages mention that …").
    """
    plain = _ASIDE.sub("", sentence.replace("’", "'").strip())
    if _points(name_titles(plain)):
        return True
    lowered = plain.lower()
    if _states_figure(plain, lowered) or _REPORTED.search(lowered):
        return False
    lead = _LEAD.match(lowered)
    body = lowered[lead.end() :] if lead else lowered
    return (
        _guides(body)
        or _guides(lowered)
        or _is_about(body)
        or _is_item(body)
        or _is_need(lowered)
        or _is_reproach(body)
    )


def _states_figure(sentence: str, lowered: str) -> bool:
    """Check whether a sentence states a quantity or a day. A capital keeps "3M" from being read as an amount."""
    text = sentence if len(sentence) == len(lowered) else lowered
    kept, at = [], 0
    for named in _NAMES_A_DOCUMENT.finditer(lowered):
        kept.append(text[at : named.start()])
        at = named.end()
    text = " ".join((*kept, text[at:]))
    lowered = _COUNTED_DOCUMENT.sub(" ", text.lower())
    return bool(_FIGURE.search(text) or _NUMBER_WORD.search(lowered) or _DAY.search(lowered))


def _guides(body: str) -> bool:
    """Check whether a sentence, without its lead, is a next step in every clause."""
    breaks = list(_BREAK.finditer(body))
    head = body[: breaks[0].start()] if breaks else body
    found = next((m for m in (pattern.match(head) for pattern in (_STEP, _OBLIGED, _PLACE)) if m), None)
    if found is None or _asserts_after(head, found.end()):
        return False
    ends = [*(b.start() for b in breaks[1:]), len(body)]
    return all(
        _is_harmless(joint[0].strip(" ,"), body[joint.end() : end].strip(" ,."))
        for joint, end in zip(breaks, ends, strict=False)
    )


def _asserts_after(head: str, at: int) -> bool:
    """Check whether a verb that asserts follows: "contact dermatitis is common", as against "check whether it is"."""
    finite = _FINITE.search(head, at)
    if finite is None or _EMBEDS.search(head, 0, finite.end()):
        return False
    return _SAID_OF_US.search(head, at, finite.end()) is None


def _is_about(body: str) -> bool:
    """Check whether a sentence names the subject of the documents, as a bare noun phrase."""
    match = _ABOUT.match(body)
    return match is not None and _is_bare(body[match.end() :])


def _is_item(body: str) -> bool:
    """Check whether a sentence is an item, with its lead-in, of a list of steps or places to look."""
    lead_in = _LEAD_IN.match(body)
    if lead_in is None:
        return False
    item = body[lead_in.end() :]
    return _guides(item) or (bool(_WHERE_AT_ALL.search(item)) and _is_bare(item))


def _is_need(lowered: str) -> bool:
    """Check whether a sentence says what it would take to answer, as a bare noun phrase."""
    match = _NEEDED.match(lowered)
    return match is not None and _is_bare(lowered[match.end() :])


def _is_reproach(body: str) -> bool:
    """Check whether a sentence only blames the reader."""
    match = _REPROACH.match(body)
    return match is not None and _is_bare(body[match.end() :])


def _points(plain: str) -> bool:
    """Check whether a sentence points to a passage, and only names it or its subject."""
    lowered = plain.lower()
    if _states_figure(plain, lowered) or _REPORTED.search(lowered):
        return False
    lead = _LEAD.match(lowered)
    rest = pointer_rest(lowered[lead.end() :] if lead else lowered)
    return rest is not None and all(_is_bare(words) and not _is_clause(words) for words in rest)


def _is_clause(words: str) -> bool:
    return is_predication(f"- {words}") or _ADDS.search(words) is not None


def _is_bare(words: str) -> bool:
    """Check whether words are a mere noun phrase: no verb that asserts, and no participle that does in its stead."""
    return not (_FINITE.search(words) or _POSTMODIFIER.search(words) or _RELATIVE.search(words))


def _is_harmless(joiner: str, clause: str) -> bool:
    """Check whether a further clause asserts nothing: a noun in a list, another step, what a document would hold."""
    if any(pattern.match(clause) for pattern in (_HOLDS, _STEP, _PLACE, _OPEN)):
        return True
    return joiner in _LISTS and len(clause.split()) <= _LONGEST_ITEM and not _FINITE.search(clause)
