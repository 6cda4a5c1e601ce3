"""How an answer points to what it did find beside what it declines: the closest passage, a related section.

Each pattern ends where the name of the place or of its subject begins; `guidance` holds that rest to a bare noun phrase,
so that "the closest passage is in clause 7: the landlord keeps the roof in repair" stays a claim. Markers are off
already, which leaves gaps: "Passage [2] comes closest" is read as "passage comes closest".
"""

from __future__ import annotations

from showable.read.predication import finite_at, tokens
from showable.read.refusal_phrases import HERE_SOURCE, phrase
from showable.records.regex import regex

_NEAR = r"(?:closest|nearest|best|top|top-ranked|highest-ranked|most (?:\w+ )?(?:relevant|related|similar|pertinent))"
_PART = r"(?:sections?|clauses?|articles?|schedules?|chapters?|pages?|paragraphs?|provisions?|entr(?:y|ies)|parts?|tables?|appendix|annex)"
_THING = rf"(?:{HERE_SOURCE}|{_PART}|match(?:es)?|results?|hits?|filings?|reports?|one|thing|information|starting points?|places? to (?:start|look|begin))"
_WHENCE = (
    rf"(?:,? (?:found|retrieved|returned|available|here|by far|i (?:found|have|(?:could|can|did) find)|that (?:i|the search) (?:found|returned|could find)|to (?:it|this|that|(?:the|this|your|that) (?:question|query|topic))"
    rf"|(?:in|among) (?:the|these|all the) (?:\S+ )?{_THING}))*,?"
)
_IS = r"(?:is|are|was|were|would be|may be|might be|seems to be|appears to be|comes from)"
_DEALS = r"(?:deals? (?:only |mainly )?with|concerns?|covers?|discuss(?:es)?|address(?:es)?|touch(?:es)? (?:up)?on|relates? to|pertains? to|(?:is|are|was|were) (?:only |mainly |mostly |all )?(?:about(?! to\b)|on(?= \w+s\b| the\b)))"
_NUMBERED = (
    rf"(?:{HERE_SOURCE}|{_PART})(?: [\divxa-z]{{1,4}}(?:[.(-]\w{{1,3}}\)?){{0,3}})?(?:,? (?:and|to|through|of))*"
)
_NAMED = rf"(?:the |this |both |these )?(?:\S+ )?{_NUMBERED}(?: (?:on|about|of|in|to) (?:the )?(?:\S+ ){{0,4}}?\S+)?"
# What may stand behind "is": a place, a subject, a name; an epithet ("is a forgery") would assert.
_PLACED = rf"(?=,|\W*$| (?:in|from|on|at|under|about|within|titled|entitled|called|the|that|this|one|section|clause|article|page|chapter|schedule|{_NUMBERED})\b| an? (?:\S+ )?{_THING}\b)"
_ONLY = r"(?:only |just |also |did |does |do |instead )?"

_WHICH = phrase(rf",? (?:which|that|and) (?={_DEALS}\b)|, (?=(?:on|about) )")
_TITLE = regex(
    r"(?P<named>(?<=\bin )|(?<=\bsee )|(?<=titled )|(?<=called )|(?<=named )|(?<=document )|(?<=article )|(?<=passage )|(?<=source ))?"
    r"(?:\"(?P<title>[^\"\n]{1,200})\"|“(?P<curly>[^”\n]{1,200})”)"
)

_POINTERS = tuple(
    phrase(rf"\W*(?:{pattern})")
    for pattern in (
        rf"(?:the|my|a|an) (?:single |good )?{_NEAR} {_THING}{_WHENCE} {_IS}{_PLACED}",
        rf"(?:the|my) {_NEAR} {_IS} (?:the |an? )?(?:\S+ ){{0,3}}?(?:{HERE_SOURCE}|{_PART})(?: (?:on|about) (?:\S+ ){{0,3}}?\S+)?(?=\W*$)",
        rf"(?:the|my|a|an) (?:single |good )?{_NEAR} {_THING}{_WHENCE} {_DEALS}(?! (?:no|not)\b)",
        rf"(?:the )?(?:{_NEAR}|related) {_THING}{_WHENCE}(?:\W*$|: )",
        rf"(?:an?|the|one|another) (?:one |only |good |possible )?starting points? {_IS}(?= (?:the|a|an|in|section|clause|{_NUMBERED})\b|\W*$)",
        rf"(?:{_NAMED} )?(?:(?:is|was) (?:the )?{_NEAR}(?: {_THING})?|(?:comes|came) (?:the )?(?:closest|nearest)){_WHENCE}(?=\W*$|, which )",
        rf"(?:the {_THING}|what) (?:(?:that|which) )?(?:comes|came) (?:the )?(?:closest|nearest){_WHENCE} {_IS}{_PLACED}",
        rf"(?:an?|the|one|another|some)(?: one| only)?(?: \w+ly)? related {_THING}{_WHENCE} (?:{_IS}{_PLACED}|{_DEALS})",
        rf"(?:(?:an?|the|one|another|some) )?(?:\w+ly )?related (?:{_THING}|text|matters?|topics?|subjects?|points?|question)(?:, [^,]{{1,60}},)? (?:(?:is|are) (?:found |covered |discussed |dealt with |treated )?(?:in|under|on|at)|(?:can|may|might|could) be found (?:in|under|on|at))\b",
        rf"what (?:i|we|they|the (?:\S+ )?(?:{HERE_SOURCE}|search)) {_ONLY}(?:find|found|cover|return|returned|discuss|contain|have) (?:is|was|are|were|concerns|relates to|deals with|is about)(?! that\b)",
        rf"(?:the|my|our) (?:\w+ )?search {_ONLY}(?:returned|found|turned up|brought up|retrieve|retrieved) (?:only |just )?(?:\S+ )?{_THING} (?:on|about|regarding|concerning|from)",
        rf"(?:it|they|this|these|both|all of them) {_ONLY}(?:(?:is|are) (?:only |mainly |mostly |all )?about(?! to\b)|deals? (?:only |mainly )?with|touch(?:es)? (?:up)?on|concern|pertains? to)",
        rf"(?:the |both |these |all )?(?:retrieved |found )?{_NUMBERED}(?: of)?{_WHENCE} {_DEALS}",
        rf"{_NUMBERED} (?:may|might|could) be (?:worth (?:a look|a read|reading|checking|consulting|looking at|seeing)|of (?:use|help|interest)|useful|helpful|relevant)(?=\W*$)",
        r"(?:(?:you|one|we)(?: (?:may|might|can|could|should|would))?(?: (?:want|wish|like|need) to)? |(?:it )?(?:may|might|would) be worth |please )(?:start|begin|look|check|see|consult|turn|try|read)(?:ing|ning)?(?: with| at| to| in| from)?(?=\W*$|, which )",
        rf"(?:(?:you|one|we)(?: (?:may|might|can|could|should|would))?(?: (?:want|wish|like|need) to)? |it (?:may|might|would) be (?:worth|best) (?:to )?|please )(?:start|begin)(?:ning|ing)?(?: with| at| from)(?= (?:the |a |an )?{_NUMBERED}\b)",
    )
)


_DEALS_AT_START = phrase(rf"{_DEALS}\b")


def pointer_rest(body: str) -> list[str] | None:
    """Return what a pointer names: the words behind it, cut at "which deals with". None where a lower-cased sentence is none."""
    match = next((m for m in (pattern.match(body) for pattern in _POINTERS) if m), None)
    if match is None:
        return None
    parts = _WHICH.split(body[match.end() :])
    return [parts[0], *(_DEALS_AT_START.sub("", part, count=1) for part in parts[1:])]


def name_titles(sentence: str) -> str:
    """Put "the document" for the title of a source in quotation marks, whose words and figures assert nothing here.

    A quotation that is a clause ("The landlord lied") stays, unless it stands where only a name can.
    """
    return _TITLE.sub(
        lambda m: "the document" if m["named"] is not None or not _is_clause(m["title"] or m["curly"]) else m[0],
        sentence,
    )


def _is_clause(title: str) -> bool:
    return not title[:1].isupper() or finite_at(tokens(title.lower()), loose=True) is not None
