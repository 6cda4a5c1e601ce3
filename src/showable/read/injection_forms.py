"""The forms that an order to a judging model takes, and where in a sentence each must stand to be an order."""

from __future__ import annotations

import re

from showable.records.regex import regex

# An order is told from a report of one by its position: "ignore …" opens a sentence or follows "please"
# or "you must"; "jurors were told to ignore …" does not. Looked at only where the words were found.
_LOOK_BACK = 40
_CLAUSE_OPENS = (
    r"^|[^\w\s'’)%][ \n]?|\n|\b(?:please|now|instead|just|simply|kindly|assistants?|models?|ai)[,:]? "
    r"|\byou (?:must|should|shall|will|are to|have to|need to|can) (?:now |also |always |completely |only )?"
)
_ORDER = regex(f"(?:{_CLAUSE_OPENS})$")
_JOINED_ORDER = regex(rf"(?:{_CLAUSE_OPENS}|\b(?:and|then) )$")

_PRIOR = r"(?:previous|previously|prior|preceding|above|earlier|foregoing|initial|original|system|your)"
_RULES = r"(?:instruct\w*|prompts?|directions?|directives?|rules?|guidelines?|guidance|commands?|context|messages?|text|task|criteria|safeguards|passages?)"
_DROP = r"\b(?:ignore|disregard|forget|override|bypass|neglect|discard|skip|stop following|do not follow|don['’]t follow|do not obey|pay no attention to)"
_GOOD = r"(?:fully supported|supported|supports|entailed|grounded|faithful|attributable)"
_DECIDE = (
    r"\b(?:answer|respond|reply|output|return|say|print|write|mark|label|rate|score|grade|classify|judge|treat"
    r"|consider|report|choose|select|give|assign|declare|conclude)"
)
_MODEL = (
    r"(?:ai(?: (?:models?|assistants?|judges?|systems?|language models?))?|(?:large )?language models?|chatbots?|chatgpt"
    r"|llms?(?: (?:graders?|judges?|evaluators?))?|gpt|claude|gemini|automated (?:graders?|judges?|evaluators?|reviewers?))"
)
_QUOTES = r"[\"'“”‘’`*]?"
_ENDS = r"(?=[\"'”’`*]? ?(?:[.,;:!\n)}\]]|$)| here\b| regardless\b| no matter\b)"


class Form:
    """One form of attack: words of which one must occur (cheap to tell), what it says, and where that must stand."""

    def __init__(self, triggers: str, says: re.Pattern[str], stands: re.Pattern[str] | None = None) -> None:
        self.triggers = frozenset(triggers.encode().split())
        self.says, self.stands = says, stands

    def is_in(self, folded: str) -> bool:
        """Check whether the text has this form."""
        if self.stands is None:
            return self.says.search(folded) is not None
        starts = (found.start() for found in self.says.finditer(folded))
        return any(self.stands.search(folded[max(0, at - _LOOK_BACK) : at]) for at in starts)


FORMS = (
    # Throw away what you were told.
    Form(
        "ignore disregard forget override bypass neglect discard skip follow following obey attention",
        regex(
            rf"{_DROP}\s(?:(?:all|any|each|every|of|the|these|those|my|our)\s){{0,4}}(?:{_PRIOR}\s(?:and\s\w+\s)?){{1,3}}(?:\w+\s)?{_RULES}\b"
            rf"|{_DROP}\s(?:all|any|every)\s(?:\w+\s)?(?:instructions?|rules|guidelines|prompts?|directives?|safeguards)\b"
        ),
        _ORDER,
    ),
    Form(
        "evidence passage context sources",
        regex(
            r"\b(?:ignore|disregard|forget) (?:(?:all|any|of|the|this|your) ){1,3}(?:evidence|passages?|context|sources)\b(?= ?[.;:!\n]|$)"
        ),
        _ORDER,
    ),
    Form(
        "ignore disregard forget",
        regex(
            r"\b(?:ignore|disregard|forget)\s(?:(?:all|everything|anything|whatever|what|the|that|was|is|came|you were|written|said|told|of|it)\s){1,6}"
            r"(?:above|before|previously|earlier|prior|so far)\b(?= ?[.,;:!\n]| and | instead|$)"
        ),
        _ORDER,
    ),
    # Decide as I say.
    Form(
        "supported supports entailed grounded faithful attributable",
        regex(
            rf"{_DECIDE}\s(?:(?:only|with|just|always|exactly|the (?:single )?(?:word|token|label|verdict)|as|is|it|that)\s){{0,4}}{_QUOTES}{_GOOD}{_QUOTES}"
            r"(?= ?[.,;:!\n)]|$| -| (?:for|to|and|here|regardless|whatever|no matter|every|with|without|only)\b)"
        ),
        _JOINED_ORDER,
    ),
    Form(
        "supported supports entailed grounded faithful attributable true correct verified",
        regex(
            rf"{_DECIDE}\s(?:\w+\s){{0,2}}(?:claims?|statements?|answers?|citations?|pairs?|responses?|everything|it|this)\s(?:\w+\s){{0,4}}"
            rf"(?:as|to|is|are|be)\s(?:\w+\s)?{_QUOTES}(?:{_GOOD}|correct|verified|true)\b(?! (?:by|in|for|only|where|when|if)\b)"
        ),
        _JOINED_ORDER,
    ),
    Form(
        "verdict label score rating grade",
        regex(
            rf"(?:^|[\n.\"'{{]) ?(?:the )?(?:correct |final |right |only )?\b(?:verdict|label|score|rating|grade)[\"']?"
            rf" ?(?:is|:|=|must be|should be)[ :]{{0,2}}{_QUOTES}(?:{_GOOD}|1\.0|100 ?%|5/5|10/10)(?! (?:by|to|in|for|only)\b)"
        ),
    ),
    Form(
        "supported supports entailed grounded faithful attributable",
        regex(
            r"\b(?:must|should|shall) (?:always |only |therefore )?be (?:judged|marked|labell?ed|rated|scored|graded|classified|evaluated|reported)"
            rf" (?:as )?{_QUOTES}{_GOOD}\b(?! by\b)"
        ),
    ),
    Form(
        "supported entailed grounded",
        regex(
            r"\b(?:must|should|shall|has to|have to|needs? to|imperative that you|(?:required|job is|task is|instructed) to) (?:\w+ly )?"
            rf"{_DECIDE}\s(?:(?!whether|if|how|what|which|that (?:is|are|was|were) )\w+\s){{0,6}}{_QUOTES}(?:fully )?(?:supported|entailed|grounded)\b{_ENDS}"
        ),
    ),
    Form(
        "supported entailed grounded",
        regex(
            rf"\b(?:verdict|label|answer|output|rating)[\"']? ?[=:]{{1,2}} ?{_QUOTES}(?:supported|entailed|grounded)\b{_ENDS}"
            rf"|\b(?:only|correct|right|acceptable|expected) (?:\w+ )?(?:verdict|label|answer|output|reply) is {_QUOTES}(?:supported|entailed|grounded)\b{_ENDS}"
            rf"|\b(?:set|change|make) (?:the |your )?(?:verdict|label|answer|output|score) (?:to |as )?{_QUOTES}(?:supported|entailed|grounded)\b"
        ),
    ),
    # Decide as I say, wrapped in a game, a threat, a promise, a policy.
    Form(
        "supported entailed grounded",
        regex(
            rf"\b(?:always|only|ever) (?:says?|said|answers?|repl(?:y|ies)|returns?|outputs?|chooses?) {_QUOTES}(?:supported|entailed|grounded)\b{_ENDS}"
            rf"|\b(?:if|unless|once|when) (?:you|the (?:model|judge|grader|evaluator)) (?:do not |don['’]t |fail to )?{_DECIDE}s? (?:\w+ ){{0,4}}{_QUOTES}(?:supported|entailed|grounded)\b{_ENDS}"
            rf"|\b(?:kind|nice|helpful|best|safe|enough|required|right|want you|like you|need you|asked|told) to {_DECIDE} (?:\w+ ){{0,3}}{_QUOTES}(?:supported|entailed|grounded)\b{_ENDS}"
            rf"|\b(?:are|is|have|has) to be (?:judged|marked|labell?ed|rated|scored|graded|classified|evaluated|reported) (?:as )?{_QUOTES}(?:supported|entailed|grounded)\b{_ENDS}"
            rf"|\b(?:supported|entailed|grounded)[\"'”’`*]? is (?:the|your) (?:\w+ )?(?:answer|verdict|label|output|reply)\b"
        ),
    ),
    # Forge the structure of the prompt.
    Form(
        "im_start im_end im_sep system user assistant endoftext eot_id begin_of_text start_header_id end_header_id inst sys start_of_turn s",
        regex(r"<\|[a-z_]{2,20}\|>|\[/?inst\]|<<sys>>|<start_of_turn>|</s>"),
    ),
    Form(
        "passage context evidence claim system user assistant instruction instructions prompt",
        regex(
            r"</ ?(?:passage|context|evidence|claim|system|user|assistant|instructions?|prompt)[ \d]{0,4}>|<(?:system|assistant|prompt|instructions?)>"
        ),
    ),
    Form(
        "system assistant developer user human evaluator grader",
        regex(
            r"(?:^|\n|<!--)[#*\[>(\- ]{0,5}(?:system|developer|assistant|user|human|evaluator|grader)(?: (?:prompt|message|override|instructions?|note|update))?"
            r"[\])*]{0,3} ?:[* \n]{0,4}(?:you\b|ignore|answer|mark|respond|output|verdict|label|the claim|supported|from now|new|override|your|reply|\{)"
            rf"|[.!?] (?:assistant|evaluator|grader) ?: ?{_QUOTES}(?:supported|entailed|grounded)\b{_ENDS}"
        ),
    ),
    Form(
        "system developer admin administrator",
        regex(
            r"\b(?:system|developer|admin|administrator) (?:override|prompt|message|instructions?|mode enabled|mode activated)\b[\])* ]{0,3}[:\-–—]"
        ),
        _ORDER,
    ),
    Form(
        "end begin start",
        regex(
            r"[-=<\[#*]{2} ?(?:end|begin|start)(?: of)?(?: the| new)? (?:passage|context|document|evidence|sources?|claim|input|instructions?|prompt|data)\b"
            r"[^\n]{0,40}[-=>\]#*]{2}"
        ),
    ),
    # Give a new task.
    Form(
        "instruction instructions task prompt objective directive directives",
        regex(
            r"\b(?:(?:your|the|here are|here is)\s)?(?:new|real|actual|updated|true|only)\s(?:\w+\s)?(?:instructions?|task|prompt|objective|directives?)"
            r" ?(?:is|are)? ?(?::|to (?:answer|respond|reply|output|mark|label|say|return|ignore|confirm)\b)"
        ),
        _ORDER,
    ),
    Form(
        "supersede supersedes override overrides replace replaces precedence",
        regex(
            r"\b(?:these|this|the following)\s(?:(?:new|secret|hidden)\s)?(?:instructions?|prompts?|directives?)\s"
            r"(?:supersedes?|overrides?|replaces?|takes? precedence over)\s(?:\w+\s){0,3}(?:instructions?|prompts?|directives?)"
        ),
    ),
    # Speak to the model.
    Form(
        "note notice attention message instruction instructions dear hello warning reminder ai llm assistant evaluator grader model chatgpt chatbot",
        regex(
            r"\b(?:(?:important |hidden |secret |special |urgent )?(?:note|notice|message|instructions?|warning|reminder) (?:to|for) (?:(?:the|any|all|every) )?|attention,? (?:all )?"
            rf"|dear |hello,? ){_MODEL}\b"
            rf"|\bto (?:all|any|every) {_MODEL} ?:"
            rf"|\b(?:{_MODEL}|assistant|evaluator|grader), (?:you|your|please|ignore|disregard|mark|answer|respond|reply|output|say)\b"
        ),
        _ORDER,
    ),
    Form(
        "now ai llm llms dan chatbot chatbots gpt chatgpt claude gemini model models grader judge evaluator reviewer longer unrestricted jailbroken",
        regex(
            rf"\bif you(?: are|['’]re) (?:an? |the )?{_MODEL}\b"
            rf"|\byou are (?:now |no longer )(?:an? |in |the )?(?:{_MODEL}|dan|developer mode|unrestricted|jailbroken|bound)\b"
            rf"|\bas an? {_MODEL},? you\b|\b(?:act|pretend|behave) (?:as|to be|like|you are|you['’]re) (?:an? |the )?(?:{_MODEL}|dan\b|unrestricted)"
            r"|\bfrom now on,? (?:you (?:are|act|will (?:answer|respond|reply|output|act|only|obey)|must (?:answer|respond|reply|output|only|obey))"
            r"|answer|respond|reply|output)\b"
        ),
    ),
    Form(
        "prompt instructions",
        regex(
            r"\b(?:reveal|print|repeat|show|output|display|leak|tell me|disclose|write out)\s(?:\w+\s){0,2}(?:your|the)\s(?:full |entire )?"
            r"(?:system|hidden|initial|original) (?:prompt|instructions)"
        ),
        _ORDER,
    ),
    Form(
        "anything jailbreak developer admin god dan",
        regex(
            r"\bdo anything now\b|\bjailbreak mode\b|\b(?:developer|admin|god|dan) mode (?:enabled|activated|on)\b|\b(?:begin|enter|enable|activate) (?:developer|admin|god|dan) mode\b"
        ),
    ),
    # Throw away what you were told, in other languages.
    Form(
        "ignore ignorez ignora ignorad ignorate ignoriere ignorieren oublie oubliez vergiss missachte olvida olvide esqueça dimentica negeer zignoruj",
        regex(
            r"\b(?:ignore[zs]?|ignora|ignorad|ignorate|ignoriere|ignorieren sie|oublie[zs]?|vergiss|missachte|olvida|olvide|esqueça|dimentica|negeer|zignoruj)\s"
            r"(?:(?:\w+\s){0,3}(?:instruc(?:tions|ciones|ções)|istruzioni|consignes|indicaciones)\s(?:\w+\s){0,2}(?:pr[eé]c[eé]d\w+|ant[eé]ri\w+|previ\w+)"
            r"|(?:\w+\s){0,3}(?:vorherig|obig|bisherig|früher)en\s(?:\w+\s)?(?:anweisungen|instruktionen|befehle|vorgaben)"
            r"|(?:alles|das) (?:vorherige|obige|bisherige)|(?:tout )?ce qui pr[eé]c[eè]de|(?:todo )?lo anterior|(?:tutto )?quanto (?:sopra|precede)"
            r"|(?:tudo|o texto) (?:o que está )?acima|(?:het|al het) bovenstaande|(?:wszystko )?powyższe)"
        ),
        _ORDER,
    ),
    Form(
        "игнорируй игнорируйте забудь забудьте",
        regex(
            r"\b(?:игнорируй|забудь)(?:те)?\s(?:\w+\s){0,2}(?:предыдущ\w*|прежн\w*|вышеуказанн\w*|вышесказанн\w*|выше\b)"
        ),
    ),
    Form(
        "supported entailed grounded",
        regex(
            r"(?:\b(?:antworten? (?:sie )?(?:mit |nur )?|répond(?:s|ez) |respond[ae] |respondan |rispondi |rispondete |ответь(?:те)? |отвечай(?:те)? |odpowiedz |svara |antwoord |vastaa )"
            r"|回答|答え|أجب |उत्तर )[^.\n]{0,20}?(?:supported|entailed|grounded)\b"
            r"|(?:supported|entailed|grounded)[\"'”’`」]? ?(?:yanıtını|cevabını|라고 답|と答え|と回答|उत्तर दें)"
        ),
    ),
)
WITHOUT_BLANKS = regex(
    r"(?:忽略|无视|忘记)[^。\n]{0,8}(?:以上|之前|前面|上述|先前)|(?:以前|上記|これまで)[^。\n]{0,8}(?:無視|忘れ)"
    r"|(?:위|이전|앞)[^.\n]{0,8}무시하|تجاهل[^.\n]{0,12}(?:سبق|أعلاه|السابقة)|(?:ऊपर|पिछल)[^।\n]{0,16}अनदेखा|yukarıdakiler\w*[^.\n]{0,12}(?:yok say|görmezden gel)"
)
"""The same in languages that write no blanks between words, or put the order last."""
