"""How an answer says that its search brought nothing back, or that nothing was handed to it.

What a search of a house did not bring to light is a fact about the world, and so is what a method returns for an empty
index. A search declines only as one of documents: by what was searched, by whose search it is, or by what it did not
find. As in `refusal_phrases`, patterns are matched against lower-cased text, and every gap is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from showable.read.decline import Decline, matches, subject_of
from showable.read.refusal_phrases import HERE_SOURCE, SAYS, phrase

# What is searched, and what a search of it would bring back.
_STORE = rf"(?:{HERE_SOURCE}|collections?|ind(?:ex|ices|exes)|databases?|librar(?:y|ies)|filings|handbooks?)"
_ITEM = r"(?:(?:search )?results?|documents?|docs|passages?|sources?|excerpts?|snippets?|chunks?|context|articles?|hits?|search hits)"
_FOUND_ITEM = rf"(?:{_ITEM}|matches|match|entr(?:y|ies)|information|info|answers?|content|mention|materials?|pages?|figures?|details?|references?)"
_NO = r"(?:no|zero|0|not a single|none of the)"
_QUESTION = r"(?:this|that|the|your|my) (?:\S+ )?(?:question|query|request|topic|search|subject|point|terms?)"

_KIND = r"(?:documents?|keyword|semantic|vector|full-?text|initial|first|second|new|further|broader|knowledge base|corpus|index|retrieval)"
_SEARCHING = r"(?:search(?:es| engine| tool| index)?|quer(?:y|ies)|retriev(?:al|er)(?: step)?|look-?up)"
_OF_STORE = rf"(?:of|in|through|across|over|among) (?:\S+ ){{0,3}}?{_STORE}"
_FOR = r"(?:for|on|about) (?:\S+ ){0,11}?\S+"
_SEARCH = (
    rf"(?:(?:the|this|that|a|both) (?:{_KIND} )?{_SEARCHING}(?: {_OF_STORE})?"
    rf"|(?:my|our) (?:\S+ )?{_SEARCHING}(?: {_OF_STORE})?"
    rf"|(?:the|our|my) (?:knowledge base|corpus|index|document store|vector store)|(?:searching|querying)(?: through| in)? (?:\S+ ){{0,3}}?{_STORE}|^retrieval)"
)
_OWN_SEARCH = rf"(?:my|our) (?:\S+ )?{_SEARCHING}(?: {_OF_STORE})?(?: {_FOR})?"
_BROUGHT = (
    r"(?:(?:has |have )?(?:returned|retrieved|found|yielded|produced|gave|given|turned up|brought (?:up|back)|surfaced|located|uncovered|matched|(?:came|come) (?:back|up) with)"
    r"|(?:(?:did|could|has|have)(?: not|n't)|failed to) (?:\w+ly )?(?:return(?:ed)?|retrieved?|find|found|yield(?:ed)?|produced?|give|turn(?:ed)? up|bring (?:up|back)|surfaced?|located?|come up with))"
)
_UNDER = r"(?:on|about|for|regarding|concerning|that|which|relevant|related|useful|specific|of use|here|in (?:the|these|this))"
BARREN_SEARCH = phrase(
    rf"\b(?:{_SEARCH}(?: {_FOR})?|{_OWN_SEARCH}) {_BROUGHT} (?:{_NO}|any|an? (?:single )?) ?(?:\S+ ){{0,3}}?{_FOUND_ITEM}\b"
    rf"|\b(?:search(?:es|ed)?|quer(?:y|ied))\b[^.?!]{{0,80}}? (?:it|they|this|which) {_BROUGHT} (?:{_NO}|any) (?:\S+ ){{0,2}}?{_ITEM}\b"
    rf"|\b(?:{_SEARCH}|{_OWN_SEARCH}) {_BROUGHT} (?:nothing|anything)(?=\W*$| {_UNDER}\b)"
)
_EMPTY = r"(?:is|are|was|were|(?:came|come|comes|has come|have come) (?:back|up|away)|returned|turned up) (?:completely |entirely )?empty(?:-handed)?"
EMPTY_RESULT = phrase(
    rf"(?:(?:\bthe|\bthis|\bmy|\bour) (?:{_KIND} |provided |supplied |given |retrieved )?(?:{_SEARCHING}|(?:search )?results?(?: (?:set|list))?|context|(?:retrieved|provided) \w+)"
    rf"(?: (?:provided|given|supplied|retrieved|returned|i was given|for {_QUESTION}))?|\b{_OWN_SEARCH}|^retrieval|\b(?:i|we)) {_EMPTY}(?=\W*$|\W*[,;]| (?:for|on|and|so|because|as|here)\b)"
    rf"|\b(?:{_SEARCH}|{_OWN_SEARCH}) (?:has |have )?(?:returned|produced|gave|yielded) an empty (?:result|list|set|response)"
)
_LOOKED = r"(?:searched|looked|checked|reviewed|read|went|examined|scanned|combed)"
LOOKED_IN_VAIN = phrase(
    rf"\b(?:i|we) (?:have )?{_LOOKED} (?:(?!that\b|said\b)\S+ ){{0,14}}?(?:but|and|yet)(?: i| we)? (?:have )?(?:found|saw|located|could find|came up with) (?:nothing|no (?:\S+ ){{0,2}}?{_FOUND_ITEM})\b"
)
_CAME = r"(?:was|were|is|are|has been|have been|could be|got)"
NOTHING_RETURNED = phrase(
    rf"\bnothing (?:relevant |useful |at all |of use )?{_CAME} (?:retrieved|returned|found|located|surfaced)"
    rf"(?= for {_QUESTION}| (?:on|about) (?:this|that|{_QUESTION})\b| (?:that|which) (?:\w+ )?{SAYS}\b| (?:in|among) (?:the|these|my|our) (?:\S+ ){{0,3}}?{HERE_SOURCE}\b)"
    rf"|\bnothing {_CAME} (?:retrieved|returned)(?=\W*$| (?:on|about)\b)"
    rf"|\b{_NO} (?:\S+ ){{0,3}}?{_ITEM} {_CAME} (?:retrieved|returned|found|located|surfaced|available|provided|supplied|given)"
    rf"(?= (?:for|with|to) (?:{_QUESTION}|this|me\b)| (?:that|which) (?:\w+ ){{0,2}}?{SAYS}\b| (?:about|regarding|concerning|covering|matching|addressing|mentioning|relating to)\b| (?:by|in) (?:the|my|our) (?:\S+ )?(?:search|query|retrieval)\b)"
    rf"|\b{_NO} (?:\S+ ){{0,3}}?{_ITEM} {_CAME} (?:retrieved|returned)(?=\W*$| on\b)"
    rf"|\b{_NO} (?:context|passages?|excerpts?|snippets?|sources|chunks?) {_CAME} (?:provided|supplied|given)(?=\W*$|[,;])"
    rf"|\b{_NO} (?:\S+ ){{0,2}}?{_ITEM} (?:came (?:back|up)|turned up)(?=\W*$| (?:for|on|about)\b)"
    rf"|^zero (?:\S+ ){{0,2}}?{_ITEM}(?: (?:was|were))? (?:found|retrieved|returned)\b"
)
_PAPER = r"(?:documents?|docs|passages?|sources?|excerpts?|snippets?|chunks?|materials?)"
_SUBJECT_OF = r"(?:about|on|regarding|concerning|covering|naming|addressing|mentioning|describing|stating|dealing with)"
NO_SUCH_PAPER = phrase(
    rf"\bthere(?:'s no| (?:is|are|was|were) (?:no|not an?|not any)| (?:is|are|was|were)n't (?:an?|any)) (?:(?!such )\S+ ){{0,3}}?{_PAPER}"
    rf"(?=\W*$| {_SUBJECT_OF} | (?:here|available|provided)\b| for {_QUESTION}| (?:\S+ ){{0,5}}?(?:that|which) (?:\w+ )?{SAYS}\b| to (?:answer|draw on|go on|work (?:from|with)))"
    rf"|\b(?:has|have|holds?|contains?|includes?|offers?) no (?:\S+ ){{0,2}}?(?:{_PAPER}|entr(?:y|ies)|articles?|pages?)(?= {_SUBJECT_OF} | for {_QUESTION}|\W*$)"
)
# The collection that "has no entry on this", as against an archive that has no papers from before a fire.
STORE_SUBJECT = phrase(
    rf"(?:^|, |\b(?:that|but|and|because|since|as) )(?:\S+ )?(?:the|our|my|this) (?:\S+ ){{0,2}}?(?:{HERE_SOURCE}|collection|index|database|library|help cent(?:er|re)|search)\s*$"
)

# What must stand in a sentence for each of the patterns to be tried.
_SEARCHES: tuple[tuple[tuple[str, ...], re.Pattern[str]], ...] = (
    (
        ("search", "quer", "retriev", "lookup", "look-up", "knowledge base", "corpus", "index", "store"),
        BARREN_SEARCH,
    ),
    (("empty",), EMPTY_RESULT),
    (("nothing", "no ", "zero", "single"), NOTHING_RETURNED),
    (
        ("searched", "looked", "checked", "review", "read", "went", "examined", "scanned", "combed"),
        LOOKED_IN_VAIN,
    ),
)


def nothing_brought(sentence: str) -> Iterator[Decline]:
    """Yield the statements that the search brought nothing back."""
    for cues, pattern in _SEARCHES:
        if any(cue in sentence for cue in cues):
            yield from matches(pattern, sentence, "absent")
    for match in NO_SUCH_PAPER.finditer(sentence):
        there = sentence.startswith("there", match.start())
        if there or STORE_SUBJECT.search(subject_of(sentence, match.start())):
            yield Decline("absent", match.start(), match.end(), hides=True)
