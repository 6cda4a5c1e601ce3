"""How an assistant says that it will not do what is asked: that it is unwilling, not allowed, or no part of it.

The verbs are those of which an assistant is the doer: it helps, tells, writes, makes up. To be unwilling to guess is a
matter of evidence, and "I won't lie" or "I won't repeat the table" refuses nothing. As in `refusal_phrases`, patterns are
matched against lower-cased text with straight apostrophes, and every gap is bounded.
"""

from __future__ import annotations

from showable.read.predication import is_predication
from showable.read.refusal_phrases import UNABLE, phrase

__all__ = ["unwilling_at"]

_I = r"\bi"
_AM = r"(?:'m| am|m)"
_ADVERB = r"(?:(?:ever|also|simply|just|certainly|definitely|absolutely|ethically|knowingly|therefore|be|personally|in good conscience|in any way|\w+ly) ){0,2}"
_AID = (
    r"(?:help|assist|aid|abet|comply|cooperate|collaborate|engage|participate|partake|join|contribute|condone|encourage|promote|support|endorse|facilitate|enable|entertain|indulge|accommodate|honou?r|oblige|play along|take part|take any part"
    r"|(?:be )?(?:an? )?(?:party|part(?: of)?|complicit|involved|drawn)\b|get (?:involved|drawn|mixed)|go (?:there|along|near|down th|through with|ahead)|touch (?:this|that|it)|carry (?:this |that |it )?out|have any(?:thing to do| part)|lend)"
)
_TELL = r"(?:answer|respond|reply|provide|give|say|share|tell|explain|offer|discuss|disclose|reveal|divulge|release|publish|hand|pass|leak|expose|identify|describe|outline|spell|walk|guide|teach|show|instruct|coach|advise|recommend|suggest|supply|furnish|send|point|direct|link|deliver|display|output|print|look up|track|locate|translate|summari[sz]e)"
_MAKE = r"(?:write|create|make|produce|generate|draft|compose|craft|design|develop|build|code|program|script|fabricate|invent|forge|fake|falsify|counterfeit|concoct|cook up|doctor|manipulate|alter|edit|rewrite|polish|proofread|plan|plot|role-?play|impersonate|pose|perform|execute|fulfil|fulfill|satisfy|do (?:that|this|it|so|such|any|your)|continue|proceed|put together|come up with|set up)"
# "I don't create malware", but "I don't make the rules" and "I don't edit files".
_MAKES = r"(?:write|create|produce|generate|draft|compose|craft|design|develop|build|code|fabricate|invent|forge|fake|falsify|counterfeit|concoct|doctor|plot|role-?play|impersonate)"
_WRONG = (
    r"(?:hack|crack|break|bypass|circumvent|disable|defeat|unlock|override|attack|threaten|harass|insult|mock|ridicule|demean|degrade|defame|slander|smear|blackmail|extort|intimidate|target|deceive|mislead|trick|scam|phish|spam|steal|cheat|plagiari[sz]e|harm|hurt|kill|endanger|poison|glorify"
    r"|glamori[sz]e|normali[sz]e|justify|defend|excuse|sanction|stereotype|discriminate|stalk|dox+|spy|diagnose|prescribe)"
)
_DO = rf"(?:{_AID}|{_TELL}|{_MAKE}|{_WRONG})\b"
# What leaves out a part only ("I won't list them all"), and what cites, which tells of a source.
_IN_EARNEST = r"(?! (?:\S+ ){0,3}?(?:all|every|each|everything|whole|entire|full|obvious|again|too much|more than|twice|at length|in detail|away|up on you)\b)(?! (?:mistakes?|assumptions?|promises|guesses|a guess|an estimate|up my mind|sure|more|further)\b)(?![^\n]{0,300}\[)"
_HELPING = r"(?:helping|assisting|aiding|abetting|doing|answering|writing|drafting|giving|telling|sharing|explaining|providing|touching|playing along|participating|engaging|getting involved|taking part|discussing|producing|making|supporting|creating|generating|building|enabling|facilitating|handing|showing|teaching|walking|disclosing|revealing|fabricating|inventing|forging|faking|going (?:there|along|near))"

_WILL_NOT = r"(?:(?: \w+)? (?:will not|won't|wont|would not|wouldn't|shall not|shan't)|(?: will| would|'ll|'d|ll)(?: \w+ly)? never)(?:, [^,;:]{1,40},)?"
_NOT_WILLING = rf"(?:{_AM}|'d be| would be) (?:\w+ly )?(?:(?:not|never) (?:\w+ly )?(?:going to|gonna|about to|willing to|prepared to|inclined to|ready to|at liberty to|free to|here to)|unwilling to|loath to|reluctant to|gonna not)"
_HAVE_TO = r"(?:must|have to|will have to|'ll have to|am going to have to|'m going to have to|will|'ll|need to|am going to|'m going to|am obliged to|'m obliged to|am bound to|'m bound to|feel obliged to|am forced to|am compelled to|am required to|'m required to|would have to|'d have to|gotta|'ve got to|have got to|can only|should)"
_ACT = phrase(
    rf"{_I}(?:{_WILL_NOT}|{_NOT_WILLING}) {_ADVERB}{_DO}{_IN_EARNEST}"
    rf"|{_I}(?: \w+ly)? (?:do not|don't|dont|never) {_ADVERB}(?:{_MAKES}|disclose|divulge|give out|hand out|condone|abet|{_WRONG})\b(?! (?:it|this|that|them)? ?(?:to be|as)\b){_IN_EARNEST}"
    rf"|{_I}{_AM} (?:\w+ly )?not (?:\w+ly )?{_HELPING}\b{_IN_EARNEST}"
    rf"|{_I}(?: |(?=')){_HAVE_TO} (?:\w+ )?(?:decline|refuse|draw the line|turn (?:this|that|it|you|your \w+) down|pass on (?:this|that|it)|say no to (?:(?:this|that)(?! question)|it|you|any|such|helping|(?:the|your) request)|opt out)\b"
    rf"|{_I}(?:'ve| have)? (?:no|not the slightest|no earthly) (?:intention|wish|desire|plans?) (?:of|to) (?:{_HELPING}|{_DO}|being)\b"
    rf"|{_I} (?:draw the line|refuse|object to (?:{_HELPING})|decline (?=to\b|this\b|that\b|your\b|the request\b))"
    rf"|{_I}(?:'d| would|'ll| will|'ve| have| want|'ll have| will have) (?:want |have )?(?:no part (?:of|in)|nothing to do with)\b|{_I} want (?:no part|nothing to do)\b"
    rf"|{_I}(?:'d| would) (?:much )?(?:rather|prefer) not (?:to )?(?:{_AID}|do (?:that|this|it|so)|get into|go into (?:this|that|it)|explain|describe|write|produce|create|provide|disclose)\b{_IN_EARNEST}"
    rf"|{_I}(?:'ve| have) been (?:\w+ )?(?:told|instructed|asked|directed|programmed|trained|designed|ordered) not to (?!(?:guess|speculate|use|rely|go beyond|make)\b)\w+"
    rf"|{_I}(?:{_AM}| was) (?:\w+ )?(?:under instructions|instructed|told|programmed|trained|designed|built|made|meant) not to (?!(?:guess|speculate|use|rely|go beyond|make)\b)\w+"
    rf"|{_I}{_AM} not (?:\w+ )?(?:comfortable|okay|ok|happy|at ease) (?:with )?(?:{_HELPING}|\w+ing)\b"
    r"|(?:'s| is| goes| would be| would go| runs) against (?:all )?(?:my|our) (?:\w+ )?(?:rules|principles|values|ethics|code|conscience|instructions|standards)\b(?![^\n]{0,300}\[)"
    r"|\bin good conscience,? i (?:\w+ )?(?:cannot|can't|can not|could not|couldn't|won't|will not)\b"
)
_CANNOT_JOIN = phrase(
    rf"{_I}(?:(?='m)| (?:\w+ )?)(?:{UNABLE}|cant|could never|can never) {_ADVERB}(?:{_AID}|in good conscience|be (?:the one|seen)|conscience|play any part|stand by)\b(?! (?:you )?(?:find|locate|determine|calculate)\b)"
)
# "Interfering with an election is not something I'll be part of."
_NOT_SOMETHING = phrase(
    r"\b(?:(?:is|are|was|would be|'s) (?:\w+ly )?(?:not|never)|isn't|aren't|wouldn't be|'s not) (?:something|anything|an? (?:\w+ )?(?:request|task|thing|topic|area|project|plan)|one|the kind of thing|the sort of thing) (?:that |which )?i(?:"
    rf"(?:'ll| will| would|'d|'m| am)(?: \w+ly)? (?:ever |be |willing to |going to |prepared to |comfortable (?:with )?|happy to |allowed to |permitted to |ready to |about to )*(?:{_DO}|{_HELPING}|do\b)"
    rf"|(?:(?: can| could|'m able to| am able to) (?:\w+ly )?(?:be )?(?:{_AID}|{_WRONG}|do\b|write|create|produce|generate|draft|fabricate|invent|forge|fake)\b))"
    r"|\b(?:helping|assisting|aiding|supporting|enabling|facilitating|writing|creating|producing|providing|sharing|giving)\b[^.;:]{0,100} (?:is|would be)(?: \w+ly)? (?:off the table|out of the question|off[- ]limits|not an option|a no-go|a line i)\b"
    r"|\b(?:off[- ]limits|a no-go|off the table|out of bounds|out of the question) for me\b"
)
_TO_YOU = phrase(
    r"\byou (?:will not|won't|wont|'ll not|are not going to|aren't going to) (?:get|find|have|hear|see|receive) [^.;:]{1,60}? (?:from|out of) me\b"
    rf"|\byou(?:'ll| will)? (?:get|find|have|receive) no (?:\w+ ){{1,4}}from me\b|\b(?:do not|don't|dont) (?:ask|expect) me to {_DO}|\bcount me out\b|\bleave me out of (?:this|that|it)\b|^(?:sorry,? )?no can do\b"
    r"|\b(?:this|that|your|such an?) (?:request|prompt|instruction) (?:cannot|can't|can not|will not|won't) be (?:fulfilled|honou?red|accommodated|entertained|carried out|complied with)\b"
    r"|^no (?:help|assistance|instructions|guidance|advice) (?:will be|can be|is|shall be) (?:given|provided|offered) (?:on|with|for) (?:this|that|such)\b"
)
# "Nope, not helping with a break-in": a sentence without a verb of its own, as against "Not giving notice is a breach".
_FRAGMENT = phrase(
    rf"^(?:(?:no|nope|nah|sorry|never|absolutely not|no way|hard no|um|well|ok|okay)\b\W+)*(?:(?:definitely|certainly|absolutely|just|still) )?(?:not|never) (?:gonna |going to |about to |willing to )?(?:{_HELPING}|help|assist|do (?:that|this|it))\b"
)
_WONT_FRAGMENT = phrase(
    rf"^(?:(?:no|nope|nah|sorry|never|absolutely not|no way|hard no)\b\W+)+(?:but )?(?:will not|won't|wont|refuse to|can't|cannot|cant) (?:{_AID}|do (?:that|this|it)|(?:{_MAKE}|{_TELL})(?= (?:this|that|it|you|such)\b))"
)

# Without one of these neither of the two long patterns can match: most sentences speak of something else.
_ONESELF = phrase(r"\b(?:im?|ill|id|ive|my|our)\b")


def unwilling_at(sentence: str) -> tuple[int, int] | None:
    """Find where a sentence says that what is asked will not be done, for whatever reason but want of evidence."""
    others = (_NOT_SOMETHING, _TO_YOU, _WONT_FRAGMENT)
    for pattern in (_ACT, _CANNOT_JOIN, *others) if _ONESELF.search(sentence) else others:
        if found := pattern.search(sentence):
            return found.span()
    fragment = _FRAGMENT.match(sentence)
    if fragment is not None and not is_predication(f"so {sentence[fragment.end() :]}"):
        return fragment.span()
    return None
