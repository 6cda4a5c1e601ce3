"""Refusal quality, 0 to 3: whether a refusal says why, points somewhere useful, and stays calm.

0 is a flat "I don't know". The scale is the one of the third axis in the project's design: one point each
for a reason, a pointer and calm; calm by itself is worth nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from showable.read.declining import antecedents, find_declines
from showable.read.question_focus import stems, topic
from showable.read.reading import RefusalReading
from showable.read.refusal_phrases import EVIDENCE_SOURCE, phrase
from showable.read.roles import points_to_contents
from showable.records.regex import regex
from showable.records.scorecard import RefusalPoint

CALM_ALONE = "calm earns nothing without a reason or a pointer"
"""Why a refusal without alarm earns no point for calm."""
_SHORTEST_TITLE = 4
_LEAST_NAMED = 2
"""Words of its own that a refusal has which says what it has no answer to: "I don't know." and "Unknown." have none or one."""
# "Unknown." says that something is missing, and not what.
_MISSING = stems(
    "unknown unclear uncertain unsure unstated unspecified undetermined undisclosed unanswerable unavailable"
)
_SENTENCE = regex(r"(?<=[.!?])\s+|\n+")
_CONTRAST = regex(r";\s+|[,—–-]?\s+(?:but|although|though|while|whereas|however,)\s+")
# The documents as the reason, even where what they lack is only called "the answer".
_BLAMES_SOURCES = phrase(
    rf"\b{EVIDENCE_SOURCE}\b[^.]{{0,80}}?\b(?:do|does|did)(?: not|n't) |\b(?:not|n't) [^.]{{0,60}}?\bin (?:the|these|this|any of the) (?:\S+ ){{0,3}}?{EVIDENCE_SOURCE}\b"
)
# "I cannot say how long it is" only repeats the question; with a ground it says why.
_GROUND = phrase(
    rf"\b(?:{EVIDENCE_SOURCE}|because|since|without|due to|access|missing|incomplete|agreement|contract|lease|policy|study|statute)\b"
)
_STEP = phrase(
    r"\b(?:consult|check(?:ing)?|refer(?:ring)? to|see|review(?:ing)?|contact(?:ing)?|ask(?:ing)?|search(?:ing)?(?: for| in)?|visit(?:ing)?|request(?:ing)?|obtain(?:ing)?|upload(?:ing)?|provid(?:e|ing)|share"
    r"|send|supply|try|look(?:ing)? (?:at|up|in|into|for|under)|read|call|write to|turn to|found (?:in|on|at|under)|need|access|specify|clarify|tell me|say|attach|available (?:in|on|at|from)|cit(?:e|ing)|quot(?:e|ing)|name)\b(?P<object>[^.;?!\n]{0,160})"
)
_VAGUE = regex(
    r"\b(?:an?|the|your|my|our|this|that|these|those|for|to|of|with|or|and|in|on|at|from|if|about|is|are|be|as|by|me|i|you|it|them|their|its|own|other|any|some|more|further|additional|please"
    r"|qualified|licensed|registered|local|appropriate|relevant|suitable|reliable|trusted|reputable|official|credible|authoritative|current|latest|recent|up-to-date|accurate|complete|full|specific|necessary|right|best|different"
    r"|professionals?|experts?|specialists?|lawyers?|attorneys?|solicitors?|counsel|doctors?|physicians?|advis[eo]rs?|accountants?|healthcare|health|care|medical|legal|financial|tax|provider|someone|somebody|anyone|authorit(?:y|ies)"
    r"|sources?|resources?|information|info|details?|context|data|documents?|materials?|internet|web|online|elsewhere|again|later|help|advice|guidance|assistance|assist|question|answer|another|way|can|could|would|will|need|know|so|that|which|mean|do|did"
    r"|immediately|urgently|now|once|right|away|asap|instead|directly|able|there|here|then|what|who|something|anything|everything|matter|issue|topic|case|situation|rephras\w*|clarif\w*|specif\w*|sorry|determine|calculate|provide|access|see|find|obtain|have|had|has|was|were|not|no|don't|n't)\b"
)
_NEGATED = regex(
    r"(?:\bnot|n't|\bcannot|\bunable to|\bno|\bnever|\bdo i|\bi can|\bwithout|\b(?:does|do|did) not \w+) *$"
)
_ALARM = phrase(
    r"\burgent(?:ly)?\b(?=.{0,30}\b(?:act|seek|contact|call|need|matter|consult)|\W)|\bimmediately (?:seek|contact|consult|call|stop|act|see|go|leave|notify)\b|\b(?:seek|contact|consult|call|act|stop|see|notify|go)\b[^.!?]{0,40}\b(?:immediately|right away|at once|right now|without delay|asap|this instant)\b"
    r"|\b(?:act now|must act|don't delay|do not delay|before it(?:'s| is) too late|time is running out|every (?:second|minute) counts|this is an emergency|call (?:911|999|112|emergency)|life-threatening|you (?:will|could|may|might) (?:die|be sued|be fined|be prosecuted|go to (?:jail|prison)|lose everything|regret))\b"
    r"|\b(?:serious|severe|grave|dire|legal) consequences\b|\b(?:warning|danger|alert)!|!{2,}"
)
_BLAME = phrase(
    r"\byour (?:own )?fault\b|\byou (?:should (?:have|know)|failed|forgot|neglected|didn't bother|did not bother|obviously|clearly (?:did|do|don't|have)|are to blame|are wrong|never (?:told|gave))\b|\byou asked (?:the wrong|a bad|a poor|a stupid)\b"
    r"|\byour (?:question|request) (?:is|was) (?:stupid|bad|poor|wrong|nonsens\w+|badly|poorly|ridiculous|pointless|careless|meaningless)\b|\byour (?:careless|sloppy|poor|bad)\b|\bmakes no sense\b"
)
_SHOUTED = regex(r"\b(?:URGENT|WARNING|DANGER|IMMEDIATELY|EMERGENCY|NOW|MUST|STOP|DO NOT|NEVER|ALERT|CRITICAL)\b")


def grade_refusal(
    text: str, refusal: RefusalReading, citations: int, source_titles: Sequence[str]
) -> tuple[int, tuple[RefusalPoint, ...]]:
    """Grade a refusal: one point each for a reason, a pointer and calm, with the why of each in words.

    `citations` counts the citations in the refusal, `source_titles` are the titles of what was retrieved.
    A refusal on policy ("I can't help with that", "I cannot give legal advice") earns nothing: it says nothing about the evidence.
    """
    if refusal.kind == "harm":
        why = "a refusal on policy says nothing about the evidence"
        return 0, tuple(RefusalPoint(point=name, earned=False, why=why) for name in ("reason", "pointer", "calm"))
    sentences = [" ".join(s.split()) for s in _SENTENCE.split(text) if s.strip()]
    folded = [s.lower().replace("’", "'") for s in sentences]
    reason = _reason(folded, refusal)
    pointer = _pointer(text, folded, refusal, citations, source_titles)
    calm = _calm(sentences, folded, other=reason.earned or pointer.earned)
    points = (reason, pointer, calm)
    return sum(point.earned for point in points), points


def names_its_subject(text: str) -> bool:
    """Check whether a refusal has words of its own, beyond those that decline: "I have no benchmark for this provision."."""
    return len(topic(" ".join(text.lower().replace("’", "'").split())) - _MISSING) >= _LEAST_NAMED


def _reason(folded: Sequence[str], refusal: RefusalReading) -> RefusalPoint:
    for sentence, before in zip(folded, antecedents(folded), strict=True):
        senses = {decline.sense for decline in find_declines(sentence, before)}
        if "scope" in senses:
            return RefusalPoint(point="reason", earned=True, why="says that the question is out of scope")
        if "ask" in senses and topic(sentence):
            return RefusalPoint(point="reason", earned=True, why="says what is ambiguous")
        grounded = senses & {"absent", "need"} or ("unable" in senses and _GROUND.search(sentence))
        if grounded and topic(sentence) - _MISSING:
            return RefusalPoint(point="reason", earned=True, why=f"names what is missing: {_excerpt(sentence)}")
        if "absent" in senses and _BLAMES_SOURCES.search(sentence):
            return RefusalPoint(point="reason", earned=True, why="says that the documents do not hold the answer")
    if refusal.kind == "out_of_scope":
        return RefusalPoint(point="reason", earned=True, why="says that the question is out of scope")
    return RefusalPoint(point="reason", earned=False, why="does not say what is missing, ambiguous or out of scope")


def _pointer(
    text: str, folded: Sequence[str], refusal: RefusalReading, citations: int, source_titles: Sequence[str]
) -> RefusalPoint:
    if citations > 0:
        return RefusalPoint(point="pointer", earned=True, why="cites the closest passage")
    lowered = " ".join(text.casefold().split())
    for title in source_titles:
        name = " ".join(title.casefold().split())
        if len(name) >= _SHORTEST_TITLE and name in lowered:
            return RefusalPoint(point="pointer", earned=True, why=f"names a source: {_excerpt(title)}")
    for sentence in folded:
        if any(points_to_contents(part) and not find_declines(part) for part in _CONTRAST.split(sentence)):
            return RefusalPoint(
                point="pointer", earned=True, why=f"says what the documents do hold: {_excerpt(sentence)}"
            )
        step = _concrete_step(sentence)
        if step:
            return RefusalPoint(point="pointer", earned=True, why=f"gives a concrete next step: {_excerpt(step)}")
        if refusal.asks_back and "?" in sentence and topic(sentence):
            return RefusalPoint(point="pointer", earned=True, why="asks for what would settle the question")
    return RefusalPoint(point="pointer", earned=False, why="names no closest passage and no concrete next step")


def _concrete_step(sentence: str) -> str | None:
    """Find an action with an object of its own: "check the lease's schedule 2", not "consult a professional"."""
    for match in _STEP.finditer(sentence):
        if _NEGATED.search(sentence[max(0, match.start() - 30) : match.start()]):
            continue
        if any(char.isalnum() for char in _VAGUE.sub(" ", match["object"])):
            return match[0].strip()
    return None


def _calm(sentences: Sequence[str], folded: Sequence[str], *, other: bool) -> RefusalPoint:
    for original, sentence in zip(sentences, folded, strict=True):
        for pattern, said, words in (
            (_ALARM, "raises an alarm", sentence),
            (_SHOUTED, "raises its voice", original),
            (_BLAME, "blames the asker", sentence),
        ):
            match = pattern.search(words)
            if match:
                return RefusalPoint(point="calm", earned=False, why=f"{said}: {_excerpt(match[0])}")
    if not other:
        return RefusalPoint(point="calm", earned=False, why=CALM_ALONE)
    return RefusalPoint(point="calm", earned=True, why="no false urgency, alarm or blame")


def _excerpt(words: str, longest: int = 80) -> str:
    short = " ".join(words.split())
    return f'"{short}"' if len(short) <= longest else f'"{short[: longest - 1]}…"'
