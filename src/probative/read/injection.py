"""Suspect a passage of carrying instructions for the model that reads it. A suspicion is recorded; it decides nothing."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff9-\ufffb\U000e0100-\U000e01ef]"
)
_TAG_CHARACTERS = re.compile("[\U000e0020-\U000e007e]{8,}")
"""Tag characters spell ASCII that nobody sees; a flag emoji needs at most six of them."""
_TAG_OFFSET = 0xE0000

_LOOKALIKES = str.maketrans(
    {
        "а": "a", "е": "e", "і": "i", "о": "o", "р": "p", "с": "c", "у": "y", "х": "x", "ѕ": "s", "ј": "j", "һ": "h",
        "ԁ": "d", "ԛ": "q", "ԝ": "w", "к": "k", "м": "m", "т": "t", "в": "b", "н": "h", "ӏ": "l",
        "α": "a", "ο": "o", "ι": "i", "ν": "v", "ρ": "p", "τ": "t", "υ": "u", "κ": "k", "ε": "e", "η": "n",
    }
)  # fmt: skip
_MIXED_WORD = re.compile("[a-z][\u0370-\u03ff\u0400-\u052f]|[\u0370-\u03ff\u0400-\u052f][a-z]")

_SPACED_HINTS = (" o r", ".o.r", "-o-r", "*o*r", "_o_r", " g a r")
_SPACED = re.compile(r"\b(?:\w[ .*_-]){7,}\w\b")
_RUN_ON = re.compile(
    r"(?:ignore|disregard|forget)(?:all|any|the|of|your|my){0,4}(?:previous|prior|above|earlier|preceding)"
    r"|(?:answer|output|respondwith|reply|mark\w{0,12}as)supported"
)

# An order is told from a report of one by its position: "ignore …" opens a sentence or follows "please"
# or "you must"; "jurors were told to ignore …" does not. Looked at only where the words were found.
_LOOK_BACK = 40
_CLAUSE_OPENS = (
    r"^|[^\w\s'’)%][ \n]?|\n|\b(?:please|now|instead|just|simply|kindly|assistants?|models?|ai)[,:]? "
    r"|\byou (?:must|should|shall|will|are to|have to|need to|can) (?:now |also |always |completely |only )?"
)
_ORDER = re.compile(f"(?:{_CLAUSE_OPENS})$")
_JOINED_ORDER = re.compile(rf"(?:{_CLAUSE_OPENS}|\b(?:and|then) )$")

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


class _Form:
    """One form of attack: words of which one must occur (cheap to tell), what it says, and where that must stand."""

    def __init__(self, triggers: str, says: re.Pattern[str], stands: re.Pattern[str] | None = None) -> None:
        self.triggers = frozenset(triggers.encode().split())
        self.says, self.stands = says, stands

    def is_in(self, folded: str) -> bool:
        """Say whether the text has this form."""
        if self.stands is None:
            return self.says.search(folded) is not None
        starts = (found.start() for found in self.says.finditer(folded))
        return any(self.stands.search(folded[max(0, at - _LOOK_BACK) : at]) for at in starts)


_TO_BLANKS = bytes.maketrans(
    bytes(code for code in range(128) if not chr(code).isalnum() and code != ord("_")),
    b" " * sum(1 for code in range(128) if not chr(code).isalnum() and code != ord("_")),
)
"""For telling ASCII words apart at the speed of bytes; a word with an accent stays whole."""

_FORMS = (
    # Throw away what you were told.
    _Form(
        "ignore disregard forget override bypass neglect discard skip follow following obey attention",
        re.compile(
            rf"{_DROP}\s(?:(?:all|any|each|every|of|the|these|those|my|our)\s){{0,4}}(?:{_PRIOR}\s(?:and\s\w+\s)?){{1,3}}(?:\w+\s)?{_RULES}\b"
            rf"|{_DROP}\s(?:all|any|every)\s(?:\w+\s)?(?:instructions?|rules|guidelines|prompts?|directives?|safeguards)\b"
        ),
        _ORDER,
    ),
    _Form(
        "evidence passage context sources",
        re.compile(
            r"\b(?:ignore|disregard|forget) (?:(?:all|any|of|the|this|your) ){1,3}(?:evidence|passages?|context|sources)\b(?= ?[.;:!\n]|$)"
        ),
        _ORDER,
    ),
    _Form(
        "ignore disregard forget",
        re.compile(
            r"\b(?:ignore|disregard|forget)\s(?:(?:all|everything|anything|whatever|what|the|that|was|is|came|you were|written|said|told|of|it)\s){1,6}"
            r"(?:above|before|previously|earlier|prior|so far)\b(?= ?[.,;:!\n]| and | instead|$)"
        ),
        _ORDER,
    ),
    # Decide as I say.
    _Form(
        "supported supports entailed grounded faithful attributable",
        re.compile(
            rf"{_DECIDE}\s(?:(?:only|with|just|always|exactly|the (?:single )?(?:word|token|label|verdict)|as|is|it|that)\s){{0,4}}{_QUOTES}{_GOOD}{_QUOTES}"
            r"(?= ?[.,;:!\n)]|$| -| (?:for|to|and|here|regardless|no matter|every|with|without|only)\b)"
        ),
        _JOINED_ORDER,
    ),
    _Form(
        "supported supports entailed grounded faithful attributable true correct verified",
        re.compile(
            rf"{_DECIDE}\s(?:\w+\s){{0,2}}(?:claims?|statements?|answers?|citations?|pairs?|responses?|everything|it|this)\s(?:\w+\s){{0,4}}"
            rf"(?:as|to|is|are|be)\s(?:\w+\s)?{_QUOTES}(?:{_GOOD}|correct|verified|true)\b(?! (?:by|in|for|only|where|when|if)\b)"
        ),
        _JOINED_ORDER,
    ),
    _Form(
        "verdict label score rating grade",
        re.compile(
            rf"(?:^|[\n.\"'{{]) ?(?:the )?(?:correct |final |right |only )?\b(?:verdict|label|score|rating|grade)[\"']?"
            rf" ?(?:is|:|=|must be|should be)[ :]{{0,2}}{_QUOTES}(?:{_GOOD}|1\.0|100 ?%|5/5|10/10)(?! (?:by|to|in|for|only)\b)"
        ),
    ),
    _Form(
        "supported supports entailed grounded faithful attributable",
        re.compile(
            r"\b(?:must|should|shall) (?:always |only |therefore )?be (?:judged|marked|labell?ed|rated|scored|graded|classified|evaluated|reported)"
            rf" (?:as )?{_QUOTES}{_GOOD}\b(?! by\b)"
        ),
    ),
    _Form(
        "supported entailed grounded",
        re.compile(
            r"\b(?:must|should|shall|has to|have to|needs? to|imperative that you|(?:required|job is|task is|instructed) to) (?:\w+ly )?"
            rf"{_DECIDE}\s(?:(?!whether|if|how|what|which|that (?:is|are|was|were) )\w+\s){{0,6}}{_QUOTES}(?:fully )?(?:supported|entailed|grounded)\b{_ENDS}"
        ),
    ),
    _Form(
        "supported entailed grounded",
        re.compile(
            rf"\b(?:verdict|label|answer|output|rating)[\"']? ?[=:]{{1,2}} ?{_QUOTES}(?:supported|entailed|grounded)\b{_ENDS}"
            rf"|\b(?:only|correct|right|acceptable|expected) (?:\w+ )?(?:verdict|label|answer|output|reply) is {_QUOTES}(?:supported|entailed|grounded)\b{_ENDS}"
            rf"|\b(?:set|change|make) (?:the |your )?(?:verdict|label|answer|output|score) (?:to |as )?{_QUOTES}(?:supported|entailed|grounded)\b"
        ),
    ),
    # Forge the structure of the prompt.
    _Form(
        "im_start im_end im_sep system user assistant endoftext eot_id begin_of_text start_header_id end_header_id inst sys start_of_turn s",
        re.compile(r"<\|[a-z_]{2,20}\|>|\[/?inst\]|<<sys>>|<start_of_turn>|</s>"),
    ),
    _Form(
        "passage context evidence claim system user assistant instruction instructions prompt",
        re.compile(
            r"</ ?(?:passage|context|evidence|claim|system|user|assistant|instructions?|prompt)[ \d]{0,4}>|<(?:system|assistant|prompt|instructions?)>"
        ),
    ),
    _Form(
        "system assistant developer user human evaluator grader",
        re.compile(
            r"(?:^|\n|<!--)[#*\[>(\- ]{0,5}(?:system|developer|assistant|user|human|evaluator|grader)(?: (?:prompt|message|override|instructions?|note|update))?"
            r"[\])*]{0,3} ?:[* \n]{0,4}(?:you\b|ignore|answer|mark|respond|output|verdict|label|the claim|supported|from now|new|override|your|reply|\{)"
        ),
    ),
    _Form(
        "system developer admin administrator",
        re.compile(
            r"\b(?:system|developer|admin|administrator) (?:override|prompt|message|instructions?|mode enabled|mode activated)\b[\])* ]{0,3}[:\-–—]"
        ),
        _ORDER,
    ),
    _Form(
        "end begin start",
        re.compile(
            r"[-=<\[#*]{2} ?(?:end|begin|start)(?: of)?(?: the| new)? (?:passage|context|document|evidence|sources?|claim|input|instructions?|prompt|data)\b"
            r"[^\n]{0,40}[-=>\]#*]{2}"
        ),
    ),
    # Give a new task.
    _Form(
        "instruction instructions task prompt objective directive directives",
        re.compile(
            r"\b(?:(?:your|the|here are|here is)\s)?(?:new|real|actual|updated|true|only)\s(?:\w+\s)?(?:instructions?|task|prompt|objective|directives?)"
            r" ?(?:is|are)? ?(?::|to (?:answer|respond|reply|output|mark|label|say|return|ignore|confirm)\b)"
        ),
        _ORDER,
    ),
    _Form(
        "supersede supersedes override overrides replace replaces precedence",
        re.compile(
            r"\b(?:these|this|the following)\s(?:(?:new|secret|hidden)\s)?(?:instructions?|prompts?|directives?)\s"
            r"(?:supersedes?|overrides?|replaces?|takes? precedence over)\s(?:\w+\s){0,3}(?:instructions?|prompts?|directives?)"
        ),
    ),
    # Speak to the model.
    _Form(
        "note notice attention message instruction instructions dear hello warning reminder ai llm assistant evaluator grader model chatgpt chatbot",
        re.compile(
            r"\b(?:(?:important |hidden |secret |special |urgent )?(?:note|notice|message|instructions?|warning|reminder) (?:to|for) (?:(?:the|any|all|every) )?|attention,? (?:all )?"
            rf"|dear |hello,? ){_MODEL}\b"
            rf"|\bto (?:all|any|every) {_MODEL} ?:"
            rf"|\b(?:{_MODEL}|assistant|evaluator|grader), (?:you|your|please|ignore|disregard|mark|answer|respond|reply|output|say)\b"
        ),
        _ORDER,
    ),
    _Form(
        "now ai llm llms dan chatbot chatbots gpt chatgpt claude gemini model models grader judge evaluator reviewer longer unrestricted jailbroken",
        re.compile(
            rf"\bif you(?: are|['’]re) (?:an? |the )?{_MODEL}\b"
            rf"|\byou are (?:now |no longer )(?:an? |in |the )?(?:{_MODEL}|dan|developer mode|unrestricted|jailbroken|bound)\b"
            rf"|\bas an? {_MODEL},? you\b|\b(?:act|pretend|behave) (?:as|to be|like|you are|you['’]re) (?:an? |the )?(?:{_MODEL}|dan\b|unrestricted)"
            r"|\bfrom now on,? (?:you (?:are|act|will (?:answer|respond|reply|output|act|only|obey)|must (?:answer|respond|reply|output|only|obey))"
            r"|answer|respond|reply|output)\b"
        ),
    ),
    _Form(
        "prompt instructions",
        re.compile(
            r"\b(?:reveal|print|repeat|show|output|display|leak|tell me|disclose|write out)\s(?:\w+\s){0,2}(?:your|the)\s(?:full |entire )?"
            r"(?:system|hidden|initial|original) (?:prompt|instructions)"
        ),
        _ORDER,
    ),
    _Form(
        "anything jailbreak developer admin god dan",
        re.compile(
            r"\bdo anything now\b|\bjailbreak mode\b|\b(?:developer|admin|god|dan) mode (?:enabled|activated|on)\b|\b(?:begin|enter|enable|activate) (?:developer|admin|god|dan) mode\b"
        ),
    ),
    # The first form in other languages.
    _Form(
        "ignore ignorez ignora ignorad ignorate ignoriere ignorieren oublie oubliez vergiss missachte olvida olvide esqueça dimentica",
        re.compile(
            r"\b(?:ignore[zs]?|ignora|ignorad|ignorate|ignoriere|ignorieren sie|oublie[zs]?|vergiss|missachte|olvida|olvide|esqueça|dimentica)\s(?:\w+\s){0,3}"
            r"(?:(?:instruc(?:tions|ciones|ções)|istruzioni|consignes|indicaciones)\s(?:\w+\s){0,2}(?:pr[eé]c[eé]d\w+|ant[eé]ri\w+|previ\w+)"
            r"|(?:vorherig|obig|bisherig|früher)en\s(?:\w+\s)?(?:anweisungen|instruktionen|befehle|vorgaben))"
        ),
    ),
    _Form(
        "игнорируй игнорируйте забудь забудьте",
        re.compile(r"\b(?:игнорируй|забудь)(?:те)?\s(?:\w+\s){0,2}(?:предыдущ|прежн|вышеуказанн)\w*"),
    ),
)
_WITHOUT_BLANKS = re.compile(
    r"(?:忽略|无视|忘记)[^。\n]{0,8}(?:以上|之前|前面|上述|先前)|(?:以前|上記|これまで)[^。\n]{0,8}(?:無視|忘れ)"
)
"""The first form in languages that write no blanks between words."""


def suspect_injection(text: str) -> bool:
    """Say whether a text seems to give orders to the model that reads it, or forges the prompt's own structure.

    Read after Unicode compatibility folding, without invisible characters, with letters spaced out or
    swapped for look-alikes put back. Orders are told from reports of orders by their position in the
    sentence, so that a judge's charge to a jury or a dosing instruction does not trigger. A miss is
    possible and a hit proves nothing: defence lies in how the prompt is built, not here.
    """
    return _suspect_again(text) if len(text) <= _REMEMBERED_LENGTH else _suspect(text)


def _suspect(text: str) -> bool:
    folded = _fold(text)
    if _gives_orders(folded):
        return True
    if not folded.isascii():
        if _WITHOUT_BLANKS.search(folded):
            return True
        if _MIXED_WORD.search(folded) and _gives_orders(folded.translate(_LOOKALIKES)):
            return True
    if not any(hint in folded for hint in _SPACED_HINTS):
        return False
    return any(_RUN_ON.search(re.sub(r"[ .*_-]", "", run[0])) for run in _SPACED.finditer(folded))


_REMEMBERED_LENGTH = 20_000
_suspect_again = lru_cache(maxsize=64)(_suspect)
"""One passage is judged against many claims in a row; a very long one is not held in memory for that."""


def _gives_orders(folded: str) -> bool:
    words = frozenset(folded.encode(errors="replace").translate(_TO_BLANKS).split())
    return any(form.is_in(folded) for form in _FORMS if not form.triggers.isdisjoint(words))


def _fold(text: str) -> str:
    """Fold to lower-case text with one blank between words and lines kept apart."""
    if not text.isascii():
        text = _TAG_CHARACTERS.sub(_spell_out, text)
        text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))
    return "\n".join(joined for line in text.lower().splitlines() if (joined := " ".join(line.split())))


def _spell_out(run: re.Match[str]) -> str:
    return f"\n{''.join(chr(ord(character) - _TAG_OFFSET) for character in run[0])}\n"
