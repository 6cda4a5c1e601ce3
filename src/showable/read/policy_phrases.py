"""The ways in which help is withheld on policy: for safety, ethics, privacy, or as advice that may not be given.

Such a refusal says nothing about the evidence. As in `refusal_phrases`, patterns are matched against lower-cased text
with straight apostrophes, a space stands for any white space, and every gap is bounded.
"""

from __future__ import annotations

from collections.abc import Sequence

from showable.read.refusal_phrases import EVIDENCE_SOURCE, FRAME, I_LACK, UNABLE, phrase

# "I", and "I am a language model and".
_I = r"\bi(?:(?='m)|(?:'m| am)(?: not| just| only)? an? (?:\S+ ){1,5}?and)?"
_ADVERB = r"(?:\w+ly |also |in good conscience )?"
_WILL_NOT = r"(?:will not|won't|would not|wouldn't|must not|shouldn't|do not|don't)"

ADVICE = phrase(
    r"\b(?:legal|medical|financial|investment|tax|professional|clinical|personal)(?: or \w+)? (?:advice|opinion|recommendations?|diagnos\w+)\b"
)
NO_ADVICE = phrase(
    rf"{_I}(?:(?='m)| (?:\w+ )?){UNABLE} (?:give|provide|offer)(?: you)?(?: with)?(?: any| specific| personal)? {ADVICE.pattern}"
)
HARM_ACT = phrase(
    rf"(?:{_I}|\bwe)(?:(?='m)| (?:\w+ )?)(?:{UNABLE}|{_WILL_NOT}) {_ADVERB}(?:help|assist|comply|engage|participate|fulfil|fulfill|condone|encourage|promote|support|discuss|endorse|satisfy|facilitate)\b"
    rf"|{_I}(?: \w+)? (?:will not|won't) {_ADVERB}(?:answer|respond|provide|give|say|share|write|tell|explain|offer|generate)\b"
    rf"|{_I}(?: \w+)?(?:(?='m)| ){UNABLE} (?:provide|give|offer)(?: you)?(?: with)?(?: the| any| that| this| such)?(?: kind of| sort of| type of)? (?:help|assistance)\b"
    r"|^(?:(?:i'm )?sorry,? (?:but )?)?(?:cannot|can't|unable to) (?:help|assist|comply)\b"
    r"|\bi (?:must|have to|will|need to|'ll) (?:\w+ )?(?:decline|refuse)\b|\bi (?:refuse|decline) to\b"
    r"|\bi(?:'d| would) (?:rather|prefer) not (?:to )?(?:answer|say|discuss|comment|respond|help|give|share)\b"
    r"|\bi(?:'m| am)(?: not|n't) (?:\w+ly )?(?:(?:allowed|permitted|authori[sz]ed|supposed|programmed) to (?!be\b)|comfortable (?:with )?\w+ing\b)"
    r"|\bi(?:'m| am) (?:prohibited|forbidden|barred|prevented) (?:from|to)\b"
)
# The rule that forbids it, as the subject or as what the request offends.
FORBIDDEN = phrase(
    r"\b(?:my|our|the (?:content|usage|use|safety)|(?:content|usage|safety)) (?:\w+ )?(?:guidelines|polic(?:y|ies)|rules|instructions|programming|principles)(?: \w+)? (?:(?:do|does)(?: not|n't) (?:allow|permit|let)|prohibits?|prevents?|forbids?|bars?|stops?) (?:me|us)\b"
    r"|\b(?:goes|is|are|runs|falls|would be|would go) against (?:my|our|the|openai'?s?|\w+'s) (?:\w+ )?(?:guidelines|programming|(?:content |usage |safety )polic(?:y|ies)|polic(?:y|ies)(?=\W*$))"
    r"|\b(?:violat\w+|breach\w*) (?:(?:my|our) (?:\w+ )?(?:guidelines|polic(?:y|ies))|the (?:content|usage|safety|use|community) (?:polic(?:y|ies)|guidelines))\b"
    r"|\b(?:request|response|content|message|answer|output|question)(?: \w+)? (?:was|has been|is|were) (?:blocked|filtered|flagged|withheld) (?:by|due to|because of|under|for) (?:\S+ ){0,5}?(?:filters?|polic(?:y|ies)|moderation|safety|guardrails?|guidelines)\b(?![^\n]{0,300}\[)"
)
_WRONG = (
    r"(?:illegal|unethical|harmful|dangerous|violent|hateful|offensive|discriminatory|inappropriate|criminal|immoral|unlawful|hurtful|abusive|malicious|stereotypes?|violence|explicit content|self-harm"
    r"|(?:commit(?:ting)? )?(?:an? )?(?:serious )?crimes?|harm(?:ing)?|kill(?:ing)?|hurt(?:ing)?)"
)
HARM_REASON = phrase(
    r"\b(?:my|our|safety|content|ethical|usage|openai'?s?|company) (?:\w+ )?(?:guidelines|programming|polic(?:y|ies)|principles|values)\b"
    rf"|\b(?:{_WRONG}|not (?:an? )?(?:\w+ )?(?:appropriate|ethical|legal|acceptable|right|safe|respectful|responsible)(?:,? (?:or|and) \w+)?)\b"
    r"|(?:^|\b(?:that|this|it|question|request) )for (?:\S+ )?(?:safety|legal|policy|ethical|privacy|compliance|security|confidentiality) reasons\b"
)
_PRIVACY_DUTY = r"\b(?:respect|invad\w+|violat\w+|protect) (?:\S+ ){0,4}?(?:privacy|rights|dignity|confidential\w*)\b|\b(?:explicit |their |without )consent\b"
_PRIVACY = phrase(
    rf"{_PRIVACY_DUTY}|\bprivate (?:and|or) confidential\b|\b(?:personal|private|confidential|sensitive) (?:\S+ )?(?:information|data|details)\b|\bconsidered (?:private|confidential|sensitive)\b"
)
_DUTY = phrase(_PRIVACY_DUTY)
WITHHOLDS = phrase(
    rf"{_I}(?:(?='m)| (?:\w+ )?){UNABLE} {_ADVERB}(?:provide|give|offer|suggest|share|create|write|generate|recommend|answer|advise|teach|make|tell|continue|respond|speak|promote|speculate)\b(?! (?:you )?(?:from|whether|if|when|who|which|how (?:many|much|long|often|old|far)|what (?:the|was|is|were|are))\b)"
)
# A sentence with a citation states what a source holds to be wrong.
MORALISING = phrase(
    r"\b(?:it is|it's|it would be|it is also)(?: not|n't| never)(?: \w+)? (?:appropriate|ethical|acceptable|okay|ok|right|respectful|safe)(?:,? (?:or|and) \w+)? (?:or \w+ )?to (?:ask|discuss|joke|seek|request|encourage|promote|suggest|provide|glorify|speculate|make (?:jokes|fun|assumptions))\b(?![^\n]{0,300}\[)"
    r"|\bi (?:do not|don't) (?:think|believe) (?:it|that|this)(?:'s| is| would be) (?:\w+ )?(?:appropriate|right|ethical|fair|acceptable|respectful|a (?:good|valid))"
    r"|\b(?:asking (?:such|this|that)(?: an?)? \w+|(?:the|this|that|your|such an?) (?:question|request)(?: that)?(?: you(?: have|'ve)? asked| itself)?) is(?: not|n't)(?: \w+ly)? (?:ethical|appropriate|acceptable|respectful)\b"
)
# What goes with a refusal on policy: what matters, whom to turn to, what to do instead.
_LECTURE = phrase(
    r"^\W*(?:(?:instead|additionally|also|however|rather|furthermore|moreover|and|but),? )?(?:it(?:'s| is) (?:also )?(?:\w+ )?(?:important|crucial|essential|vital|best|never|always|not)\b|i(?:'d| would)? (?:strongly |also )?(?:encourage|suggest|recommend|urge|advise|like to|must|want)\b"
    r"|(?:please|remember|let's|let us|everyone|all (?:individuals|people)|violence|we should)\b|i(?:'m| am) (?:just |only )?(?:an? |here|designed)|there (?:are|is) (?:\w+ )?(?:\w+ )?(?:resources|organi[sz]ations|help|people|support|professionals)\b"
    r"|you (?:can|may|could|should|are not)(?: \w+)? (?:reach|contact|call|seek|talk|alone|consider)|if you(?:'re| are| have| or| need| feel| suspect| know)\b)"
)


def withholds_on_principle(sentences: Sequence[str], question: str = "") -> bool:
    """Check whether help is withheld in one sentence, and law, ethics, safety or privacy given as the reason in any.

    Words of the `question` are no reason, nor is what a sentence with a citation or on the documents speaks of:
    "I cannot answer that. The closest passage is on criminal liability".
    """
    own = [s for s in sentences if not _ON_EVIDENCE.search(s)]
    reasons = [match[0] for s in own for match in HARM_REASON.finditer(s) if match[0] not in question]
    reasons += [match[0] for s in own for match in _PRIVACY.finditer(s) if match[0] not in question]
    if any(_DUTY.search(s) for s in own) and any(I_LACK.search(s) or WITHHOLDS.search(s) for s in own):
        return True
    return bool(reasons) and any(WITHHOLDS.search(s) and not FRAME.search(s) for s in sentences)


_ON_EVIDENCE = phrase(
    rf"\[[^\]]{{1,60}}\]|\b(?:the|these|those|provided|retrieved) (?:\S+ )?(?!information|data|content){EVIDENCE_SOURCE}\b"
)


def withheld_at(sentence: str) -> tuple[int, int] | None:
    """Find where a sentence withholds help on policy: by saying so, by the rule that forbids it, or with its reason."""
    act = HARM_ACT.search(sentence) or FORBIDDEN.search(sentence)
    reasons = (HARM_REASON, _PRIVACY)
    if act is None and not FRAME.search(sentence) and any(reason.search(sentence) for reason in reasons):
        act = WITHHOLDS.search(sentence)
    return act.span() if act else None


def lectures(claim: str) -> bool:
    """Check whether what stands beside a refusal on policy is its reason or goes with it, and so answers nothing."""
    return _LECTURE.search(claim) is not None or HARM_REASON.search(claim) is not None
