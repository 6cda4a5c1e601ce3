"""The ways in which a sentence declines: which words, how strongly, and where in the sentence.

Patterns are built from grammar (who cannot do what; which document does not say what), not from
whole phrases. They are matched against lower-cased text with straight apostrophes; a space in a
pattern stands for any white space. Every gap is bounded, so matching is linear in the text.
"""

from __future__ import annotations

import re

from showable.read.paper_nouns import DATA_DOCUMENT, WORK
from showable.records.regex import regex

# "Don't", and "dont" as it is often typed; "apparent" is none of these.
_APOSTROPHE = regex(r"(?<!\+)(?<!\*)n't")


def phrase(pattern: str) -> re.Pattern[str]:
    """Compile a pattern in which a space stands for any run of white space, and an apostrophe may be left out of "n't"."""
    return regex(_APOSTROPHE.sub("n'?t", pattern).replace(" ", r"\s+"))


# Nouns for what was handed to the system: that they lack something says nothing about the world.
RETRIEVED = (
    r"(?:contexts?|excerpts?|passages?|snippets?|chunks?|sources?|results|materials?|documents|docs|information|data|evidence"
    r"|texts?|documentation|knowledge base|corpus|references|content|inputs?|files|records|citations"
    r"|(?:document|source|file) (?:sets?|packs?|bundles?|collections?|pools?|stores?)"
    r"|what (?:(?:i|we) (?:was|were|have been|am|are)|was|is|has been) (?:given|provided|retrieved|shown|supplied)|what (?:i|we) (?:have|retrieved))"
)
# What can only be what was retrieved: a figure that is not "in the passages" is one that the answer does not have.
HERE_SOURCE = (
    r"(?:contexts?|excerpts?|passages?|snippets?|chunks?|sources?|search results|materials?|documents?|documentation|docs|knowledge base|corpus|texts?"
    r"|what (?:(?:i|we) (?:was|were|have been|have|am|are)(?: given| shown| provided)?|(?:was|is|has been) (?:given|provided|retrieved|shown|supplied|found|returned)))"
)
ANY_SOURCE = rf"(?:{RETRIEVED}|{DATA_DOCUMENT}|{WORK})"
EVIDENCE_SOURCE = rf"(?:{RETRIEVED}|{DATA_DOCUMENT})"
_INFORMATION = (
    r"(?:information|info|data|details?|mention|discussion|figures?|breakdown|answers?|specifics|indication|reference"
    r"|explanation|guidance|amounts?|numbers?|evidence)"
)
SPEAK = (
    r"(?:mention|specify|state|say|address|discuss|disclose|reveal|clarify|explain|define|describe|identify|cover"
    r"|detail|name|quantify|answer|report|refer to|speak to|touch on|elaborate|spell out|make (?:it )?clear|make (?:any )?(?:mention|reference)|hint at|allude to|comment on|expand on|pin down|itemi[sz]e|let on"
    r"|put (?:an? |any )?(?:\w+ )?(?:figure|number|date|name|price|value|time|amount) (?:on|to)|get (?:that far|as far as|(?:a)?round to)|go that far)"
)
INDICATE = r"(?:indicate|show|tell)"
_HOLD = r"(?:provide|contain|include|give|list|have|present|offer|hold|supply|break|deal with|go into|get into|touch upon|speak of|refer|bear on|settle|resolve)"
# What a paper does and a firm or a person it speaks of seldom does.
SET_DOWN = frozenset({"give", "provide", "contain", "include", "list"})
_ADVERB = r"(?:(?!not )\w+ly )?(?:actually |even |currently |just |ever |anywhere |at any point |once |in fact |also |itself |themselves |so much as )?(?:(?:seem|appear|bother|care|go (?:so|as) far as) to )?"
NOT = r"(?:(?:do|does|did)(?: not|n't)|fails? to|failed to)"

NEGATED_VERB = phrase(rf"\b{NOT} {_ADVERB}(?P<verb>{SPEAK}|{INDICATE}|{_HOLD})\b(?! for\b)")
NO_INFORMATION = phrase(
    rf"\b(?:contain(?:s|ed)?|provide[sd]?|gives?|gave|include[sd]?|has|have|had|makes?|made|offer(?:s|ed)?|holds?|held|presents?) no (?:\S+ ){{0,3}}?{_INFORMATION}\b"
)
LACKS = phrase(
    r"\b(?:is|are) silent (?:on|about|as to|regarding|with respect)|\blacks? (?:any|the|specific|enough|sufficient|details?|information)\b"
    r"|\b(?:gives?|states?|specif(?:y|ies)|names?|mentions?) no \w|\b(?:ends? abruptly|(?:is|are|has been|have been|was) cut off)\b"
)
SAYS = (
    r"(?:mention\w*|specif\w+|stat(?:e|es|ed)|say|says|said|address\w*|discuss\w*|disclos\w+|reveal\w*|clarif\w+|explain\w*|defin\w+"
    r"|describ\w+|identif\w+|cover\w*|detail\w*|nam(?:e|es|ed)|answer\w*|report\w*|provid\w+|contain\w*|includ\w+|giv\w+|indicat\w+|shows?|tells?"
    r"|concerns?|relates? to|deals? with|speaks? (?:to|of|about)|touch(?:es)? (?:up)?on|bears? on)"
)
NOTHING_IN = phrase(
    rf"\b(?:none|neither|nothing) (?:of|in|from) (?:\S+ ){{0,5}}?{EVIDENCE_SOURCE} (?:\S+ ){{0,6}}?{SAYS}\b(?! for\b)"
    rf"|\b(?:none|neither|nothing) (?:of|in|from) (?:\S+ ){{0,5}}?{WORK} (?:\S+ ){{0,6}}?(?!includ|contain|provid|giv|cover|show|identif|concern|relate|deal){SAYS}\b(?! for\b)"
    rf"|(?<!\bfound\s)(?<!\bhas\s)(?<!\bhave\s)\bno (?:\S+ ){{0,3}}?{EVIDENCE_SOURCE} (?:\S+ ){{0,4}}?{SAYS}\b(?! to (?!me|us)\w)"
    rf"|\bnothing (?:that )?(?:i|we) (?:was|were|have been|am|are|had|have) (?:given|shown|provided with|retrieved) (?:\w+ly )?{SAYS}\b"
    rf"|\bnothing (?:retrieved|provided|supplied|returned)(?: here)? (?:\w+ly )?{SAYS}\b"
)
INFORMATION_OBJECT = phrase(rf"\s*(?:\S+ ){{0,5}}?{_INFORMATION}\b")
# The head of the subject stands among its first words and is followed by the verb or a modifier of it.
_FOUND = (
    r"(?:found|searched|returned|shown|cited|listed|consulted|reviewed|below|attached|used|checked|i (?:found|have|was given|can see))"
    r"(?=\s*$| (?:for|by|in) (?:this|the|my|your|our) (?:\S+ ){{0,2}}?(?:question|query|search|request|topic|collection|index|knowledge base|corpus|retrieval)\b"
    r"| (?:also|only|just|so far|here|do|does|did)\b)"
)
_MODIFIER = (
    rf"(?:\s*$|\s+{_FOUND}|\s+(?:provided|given|available|supplied|retrieved|shared|about|on|for|from|in|of|(?:that|which) (?:you|i|we|was|were|is|are|has|have|had)|you|i|we|here|above"
    r"|itself|themselves|also|only|just|really|alone|together|does|do|excerpts?|contained|at|with|to|presented|numbers?|however|simply|as)\b|\s+\d[\w.()-]*\s|\s*[\[(]|,\s*(?:which|including|such|as|while|although|though|despite)\b)"
)
SUBJECT_OF = (
    r"(?:^|\b(?:that|but|and|because|since|so|although|though|while|whereas|as|nor|of|none|something|what|which|given|is) |, )(?:\S+ ){{0,6}}?{noun}(?!')"
    + _MODIFIER
)
ANY_SUBJECT = phrase(SUBJECT_OF.format(noun=ANY_SOURCE))
EVIDENCE_SUBJECT = phrase(SUBJECT_OF.format(noun=EVIDENCE_SOURCE))
# "The policy does not cover floods" answers; "the policy does not cover this question" declines.
INSURES = phrase(SUBJECT_OF.format(noun=r"(?:insurance|polic(?:y|ies)|plans?|warrant(?:y|ies))"))
THE_MATTER = phrase(
    r" (?:this|that|it|the (?:question|topic|subject|matter|point))\b(?=\W*$| (?:question|topic|subject|matter|point)\b)"
)
FINDING_SUBJECT = phrase(SUBJECT_OF.format(noun=r"(?<!search\s)(?:data|evidence|results)"))
# Pronouns for documents named in the sentence before, singular or plural, and where things stand in those documents.
REFERS_TO_ONE = phrase(
    r"^\W*(?:(?:but|and|however|still|yet),? )?(?:it|this|that)\b(?! (?:is|was|would|could|may|might)\b)"
)
REFERS_TO_SEVERAL = phrase(r"^\W*(?:(?:but|and|however|still|yet),? )?(?:they|these|those|neither|none|both)\b")
_PAPERS = (
    rf"(?:contexts?|excerpts?|passages?|snippets?|sources|texts?|documents|documentation|results|files|{DATA_DOCUMENT})"
)
_THE = r"(?:the|this|that|these|those|both|all|two|three|four|five|\d+|my|your|our|any)"
NAMES_ONE = phrase(rf"^\W*(?:\S+ ){{0,5}}?{_THE} (?:\S+ ){{0,3}}?(?!\S*s\b){_PAPERS}\b(?!')")
NAMES_SEVERAL = phrase(rf"^\W*(?:\S+ ){{0,5}}?{_THE} (?:\S+ ){{0,3}}?(?=\w*s\b){_PAPERS}\b(?!')")
NEITHER_SAYS = phrase(
    rf"\b(?:none|neither)(?: of (?:them|these|those|the (?:two|three|four|five)))?(?: \w+ly)? (?:{SAYS}|has|have)\b"
)
IN_THEM = phrase(
    r"\b(?:there|here|(?:in|by|from) (?:it|them|these|those|(?:any|either|none|all) of (?:them|these|those)))\b"
)
PRONOUN_SUBJECT = phrase(r"(?:^|[,;] |\b(?:but|and|nor|however,?) )(?:it|they|this|these)(?: also)?\s*$")

# "in the provided documents": what ties a missing thing to the evidence.
FRAME = phrase(
    rf"\b(?:in|within|from|by|on|(?<!you\s)with|among|of|under) (?:the |these |this |those |any |your |our |my )?(?:\S+ ){{0,5}}?{EVIDENCE_SOURCE}\b"
    rf"|\b(?:provided|given|available|retrieved|supplied) (?:\S+ )?{EVIDENCE_SOURCE}\b"
)
PASSIVE = phrase(
    r"\b(?:is|are|was|were|been|be)(?: not|n't)(?! publicly\b)(?: \w+ly)?(?: \w+)?? "
    r"(?P<verb>mentioned|stated|specified|provided|given|included|available|disclosed|shown|listed|present|found|reported|detailed"
    r"|displayed|contained|addressed|covered|discussed|indicated|described|identified|outlined|clear)\b"
)
# "The dose is 5 mg, but the interval is not given."
LEFT_OUT = phrase(
    r"\b(?:but|though|although|while|whereas) (?P<what>(?:the|its|their|an?|no) (?:\S+ ){1,8}?(?:is|are)(?: not|n't) (?:given|disclosed|reported|indicated|listed|shown))(?=\W*(?:$|[.;,]| there\b| here\b))"
)
PLAIN_PASSIVE = frozenset({"mentioned", "stated", "specified"})
EXPLICITLY = phrase(r"\b(?:explicit(?:ly)?|directly|specifically|clearly|expressly|exactly|precisely)\b")
NOTHING_THERE = phrase(
    r"\bthere(?:'s| is| are| was| were)(?: no|n't any| not any)(?: \S+){0,3}? (?:information|info|data|mention|details?|reference to|discussion)\b"
    r"|\bno (?:\S+ ){0,2}?(?:information|mention|details?|discussion|data) (?:is|are|was|were|could be|can be|has been|have been) (?:\w+ly )?(?:found|available|present|provided|given|made|included|contained|located|retrieved|returned|identified|offered|supplied|there)\b(?! to (?!me|us|answer))"
    r"|\bno (?:\S+ ){0,12}?(?:is|are|was|were|has been|have been) (?:\S+ )?(?:mentioned|stated|specified)\b"
    r"|\bthere(?:'s| is| are) no (?:\S+ ){1,6}?(?:mentioned|provided|stated|specified|given) (?:in|for|within|about)\b"
    r"|\b(?:not|isn't|aren't|n't) (?:\S+ )?(?:enough|sufficient|adequate) (?:\S+ )?(?:information|context|detail)\w*\b"
    r"|\b(?:insufficient|inadequate|incomplete) (?:\S+ )?(?:information|context|detail)\w*\b"
    r"|\b(?:not enough|insufficient|not sufficient) (?:\S+ )?(?:data|evidence) (?:\S+ ){0,3}?to (?:\S+ )?(?:answer|determine|say|calculate|compute|conclude)\b"
    r"|\byou (?:have not|haven't|did not|didn't) (?:provided?|included?|shared?|supplied|supply|attach(?:ed)?|upload(?:ed)?)\b"
)
FRAMED_ABSENCE = phrase(
    r"\bno (?:\S+ ){1,14}?(?:in|within|from|by) (?:the |these |this |those |any )?(?:provided|given|available|retrieved|supplied|documents|context|excerpts|passages|sources)\b"
    r"|\b(?:is|are|was|were) (?:missing|absent)\b|\b(?:isn't|is not|not|un)\s*clear (?:from|based|in)\b|\bcould not be found\b|\bnot found\b"
)
CANNOT_BE = phrase(
    r"\b(?:cannot|can't|can not|could not|couldn't) be (?:\w+ )?(?P<verb>determined|calculated|answered|ascertained|computed|derived"
    r"|established|inferred|verified|confirmed|identified|found|provided|concluded|made|known|given)\b"
)
PLAIN_CANNOT_BE = frozenset({"determined", "calculated", "answered", "ascertained", "computed"})
NOT_POSSIBLE = phrase(
    r"\b(?:not (?:\w+ )?(?:possible|feasible)|n't (?:\w+ )?possible|impossible|no way)(?: for me)? to (?:\w+ly )?"
    r"(?:determine|calculate|answer|compute|say|tell|ascertain|provide|give|know|identify|derive|assess|conclude)\b"
)
UNABLE = r"(?:cannot|can not|can't|could not|couldn't|(?:am|was|'m|are|were|will be|'re) (?:currently |therefore )?(?:unable|not able) to|wasn't able to|(?:won't|will not|would not|wouldn't) be able to)"
_NO_DECLINE = r"(?:stress|emphasi[sz]e|overstate|guarantee|promise|vouch|wait|thank|imagine|agree|help but|but|understate|rule out|recommend (?:it|this))"
I_CANNOT = phrase(rf"\bi(?:(?='m)| (?:\w+ )?){UNABLE} (?:\w+ly |also )?(?!{_NO_DECLINE}\b)\w+")
WE_CANNOT = phrase(
    rf"\bwe (?:\w+ )?{UNABLE} (?:\w+ly )?(?:answer|calculate|compute|tell|provide (?:you|an?|the|that|this)\b|give (?:you|an?|the)\b|find|determine (?:the|whether|from|which|what))"
    r"|\bwe (?:do not|don't) (?:know|have (?:enough|sufficient|access|the|any) (?:\S+ )?(?:information|data|context|figures?|documents?|details?))"
)
CANNOT = phrase(
    r"^(?:(?:i'm )?sorry,? (?:but )?|unfortunately,? )?(?:unable to|cannot|can't|could not|couldn't|not able to) (?:\w+ly )?"
    r"(?:answer|determine|calculate|compute|find|say|tell|provide|help|assist|locate|give|identify|confirm|verify)\b"
    r"|^(?:don't|do not) know\b"
)
I_LACK = phrase(
    r"\bi (?:could|can) (?:find|see) (?:no|nothing)\b|\bi (?:\w+ly )?(?:do not|don't|did not|didn't) (?:\w+ly )?(?:know|find|see (?:any|a|the|where)|possess"
    r"|have (?:\S+ ){0,4}?(?:access|information|info|data|context|details?|knowledge|records?|answers?|documents?|evidence|enough|ability|capability|figures?|statements?|sources?|filings?|reports?))\b"
    r"|\bi (?:have|found|find|see) (?:no|nothing|insufficient|not enough)\b|\bi lack\b|\bi have(?: not|n't) (?:\w+ )?(?:found|seen|been (?:given|provided|able))\b|\bi haven't\b"
    r"|\bi couldn't\b"
)
I_DOUBT = phrase(
    r"\bi(?:'m| am) (?:really |quite |entirely |completely |honestly )?(?:not (?:\w+ )?(?:sure|certain|aware)|unsure|uncertain)\b"
)
EXACT = phrase(
    r"\b(?:exact|precise|definitive|definite|comprehensive|full list|complete list|certainty|certain|sure)\b"
)
SCOPE = phrase(
    r"\b(?:question|request|query|topic|that|this|it|subject|which|what you ask\w*)(?:'s| is| are| falls?| lies| goes| seems?| appears?)(?: to be)?(?: \w+)?? (?:outside|beyond|not within|out of|not in)(?: of)?(?: the| my| our| its)? (?:scope|remit|domain|coverage|area)(?: of (?:this|these|the|my|our|what|your) (?:\S+ )?(?:documents?|context|materials?|collection|corpus|knowledge|sources?|assistant|tool|service|system|information|texts?|can|files?|data\w*|passages|excerpts?|i)\b|\s*[.!,;:]|\s*$| and| so)"
    r"|\b(?:outside|beyond|not within)(?: of)?(?: the scope of| what) (?:my|our|this assistant|the (?:provided|given|available|supplied)|these|i can|i am|i was|the documents|the sources|the context)\b"
    r"|\b(?:outside|beyond)(?: of)? my (?:\S+ )?(?:scope|expertise|knowledge|area|remit|capabilit\w+|purview|domain)\b"
    r"|\bi(?:'m| am)? (?:can |could |am able to |able to |will )?only (?:able to |allowed to |designed to |set up to )?(?!answer (?:the|one|a|this|that|your|its) (?:\S+ )?(?:part|half|question)\b)(?:answer|help with|help you|assist with|respond to|discuss|cover|provide (?:information|answers))\b"
    r"|\bi(?:'m| am) (?:designed|limited|restricted|intended|here) (?:only )?to (?:only )?(?:answer\w*|help|assist\w*|questions|discuss\w*)\b.{0,80}\bonly\b"
    r"|\bi(?:'m| am) (?:limited|restricted) to\b"
    r"|\b(?:unrelated|not related|not relevant|irrelevant) to (?:the|these|this|my|our) (?:\S+ )?(?:documents?|context|materials?|sources?|collection|corpus|knowledge base|passages?|texts?|excerpts?)\b"
)
ASK = phrase(
    r"\b(?:do|did|are) you (?:mean|meaning|referring|refer|asking|looking for|interested in|have in mind|talking about|want (?=[^?]{0,200} or ))\b"
    r"|\b(?:can|could|would|will) you (?:please |kindly )?(?:clarify|specify|confirm (?:which|what|whether)|be more specific|say (?:which|what|who)|tell me (?:which|what|who|more)|let me know (?:which|what)|indicate (?:which|what)|elaborate|narrow|rephrase|explain what|provide|share|upload|supply|identify|give)\b"
    r"|^(?:(?:so|and|but|sorry|to be clear|just to be sure),? )?(?:which|whose) (?!means|is why|brings|in turn)"
    r"|^(?:what|who) (?:exactly |specifically )?(?:do|are) you\b"
)
UNCLEAR = phrase(
    r"\bplease (?:clarify|specify|indicate (?:which|what)|tell me (?:which|what|who)|say which|let me know which|be more specific|rephrase|confirm which)\b"
    r"|\b(?:unclear|not clear|ambiguous|uncertain) (?:to me )?(?:which|what|who|whether|if) (?:\S+ ){0,6}?(?:you|your|the question)\b"
    r"|\b(?:question|request|query|term|name|wording) (?:itself )?(?:is|seems|appears)(?: \w+)? (?:ambiguous|unclear|vague|underspecified|too (?:broad|vague))\b"
    r"|\byour (?:question|request|query) (?:\w+ )?(?:could|may|might|can) (?:refer|apply|mean|relate)\b"
    r"|\bi (?:\w+ )?need to know (?:which|what|who|whether)\b|\b(?:question|request) (?:does not|doesn't) (?:say|specify|state|name|make clear|indicate)\b"
)
# Of two things asked, only one is answered.
PART_ONLY = phrase(r"\b(?:i|we) can only (?:answer|give|tell you|address) (?:the|one|a|its) (?:\S+ )?(?:part|half)\b")
OFFER = phrase(
    r"\b(?:would you like|do you want me|want me to|anything else|any (?:other|further|more|additional) questions|does (?:this|that) help|need any(?:thing)?|hear more|like me to)\b"
)
NEED = phrase(
    r"\b(?:i(?:'d| would| will|'ll)?|(?:we|one)(?:'d| would)) (?:\w+ly |also |still )?(?:need|require) (?:more|additional|further|the|access|to (?:have|see|know|refer|review)|specific|both|a|your)\b"
    r"|\b(?:more|additional|further) (?:\S+ )?(?:information|context|details?|data) (?:is|are|would be|will be) (?:needed|required|necessary)\b"
    r"|\b(?:information|data|details?|figures?|context|documents?|statements?|access) (?:\S+ ){0,8}?(?:would be|is|are) (?:required|needed|necessary) to (?:answer|calculate|compute|determine|provide)\b"
    r"|\bplease (?:provide|share|upload|supply|send|attach) (?:\S+ ){0,8}?(?:information|context|details?|data|documents?|figures?|texts?|statements?|excerpts?|sections?|values|numbers|names?|titles?)\b"
    r"|\bif you (?:can |could |would |are able to |have |happen to have )?(?:provide|share|supply|send|upload|give|access|direct|(?:additional|more|any)\b(?! (?:(?:other|further|more|specific|additional|general) )*(?:questions?|concerns?|quer(?:y|ies)|requests?|issues?|topics?|needs?)\b))\b.{0,300}\bi (?:can|could|would|will|may|might)\b"
    r"|\bif you (?:can |could )?(?:provide|share|supply|send|upload|give)\b.{0,300}\bi'(?:d|ll)\b"
    r"|\b(?:you|one)(?:'d| would| will|'ll) need to (?:check|consult|refer|look|access|review|provide|obtain|have|visit|see|find|examine)\b"
)
# A sentence in which every word declines: what was sought, that it is not there, where it was looked for.
_COURTESY = r"(?:(?:(?:i'm |i am |we're |we are )?(?:very |so |truly )?sorry|unfortunately|regrettably|(?:my )?apologies)[,:;.]? (?:but )?)?"
_OF_USE = r"(?:relevant|matching|related|suitable|supporting|pertinent|useful)"
_FIT = rf"(?:(?:{_OF_USE}|specific|direct|definit(?:e|ive)|clear|exact|explicit|further|additional|more|other|such|reliable|requested|required|necessary|sufficient|correct|valid|possible) ){{0,2}}"
_TO_IT = r"(?: (?:to|for) (?:this|that|the|your) (?:question|query|request|topic|search))?"
_SOUGHT = rf"{_FIT}(?:answers?|information|info|details?|data|context){_TO_IT}"
_FINDS = rf"(?:{_FIT}(?:results?|hits?)|{_OF_USE} (?:documents?|passages?|sources?|excerpts?|texts?|records?|articles?|pages?|content|match(?:es)?))"
_THERE = r"(?:found|available|present|provided|given|located|retrieved|returned|identified|known|possible|stated|mentioned|specified)"
_IS = r"(?:is|are|was|were|has been|have been|can be|could be)"
_IS_NOT = r"(?:(?:(?:is|are|was|were)(?: not|n't)|(?:has|have)(?: not|n't) been|(?:cannot|can not|can't|could not|couldn't) be)|not)"
_NAMED = rf"(?:(?:the|an?|this|that|any|such|your) )?{_SOUGHT}"
_TOLD = r"(?:stated|mentioned|specified|disclosed|addressed|covered|discussed|answered|reported|indicated)"
_IN = r"(?:in|from|by|within|among|on|with|using|based on)"
_HANDED = r"(?: (?:provided|given|above|available|supplied|retrieved|(?:that )?(?:i|you) \w+(?: \w+)?))?"
TERSE = phrase(
    rf"\W*{_COURTESY}(?:(?:the )?(?:final )?(?:answer|response|result)(?::\s*| is ))?(?:(?:"
    rf"no (?:{_SOUGHT}|{_FIT}evidence|{_FINDS}(?= \w)|results?|match(?:es)?(?= found))(?: {_THERE})?{_TO_IT}"
    rf"|(?:there(?:'s| is| are| was| were) )?no (?:{_SOUGHT}|{_FINDS})(?! (?:was|were) given) {_IS} {_THERE}"
    rf"|there(?:'s| is| are| was| were) no {_SOUGHT}(?: {_THERE})?"
    rf"|nothing (?:found|retrieved|returned|(?:{_OF_USE}|on this|about this)(?: (?:{_IS} )?{_THERE})?)"
    rf"|{_NAMED} (?:{_IS_NOT} (?:\w+ly )?{_THERE}|(?:is |are )?unavailable)"
    rf"|(?:(?:the|this|that|your) question|it|this|that) (?:is|was) (?:unanswerable|not answerable)"
    rf"|(?:(?:is|are) )?not (?:\w+ly )?(?:{_THERE}|{_TOLD}|answerable|enough (?:information|context|data))"
    r"|(?:information|context|data|evidence) (?:is |are )?insufficient"
    rf"|outside (?:of )?(?:the |these |this )?(?:\S+ ){{0,2}}?{HERE_SOURCE}"
    r"|unknown|unanswerable|n/?a|no idea|idk|insufficient (?:information|context|data|evidence)|cannot\s?answer|cannot (?:say|tell|determine)"
    rf")(?: {_IN} (?:\S+ ){{0,4}}?{ANY_SOURCE}{_HANDED})?"
    rf"|(?:(?:is|are) )?not (?:\w+ly )?{_TOLD} (?:in|by) (?:[^\s,;:]+ ){{0,4}}?[^\s,;:]*\w"
    rf"|(?:(?:{_NAMED}|it|this|that) (?:is|are|was|were)(?: not|n't)|not) (?:in|within|among) (?:\S+ ){{0,4}}?{EVIDENCE_SOURCE}{_HANDED})[^\w\[]*(?:\[[^\[\]\n]{{1,60}}\][^\w\[]*)*"
)
