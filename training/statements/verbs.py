"""English verb forms: an irregular table and the regular spelling rules."""

from __future__ import annotations

from statements.words import word_set

# base past participle; written by hand. Only the forms in everyday use are named where there are several.
_TABLE = """
arise arose arisen|awake awoke awoken|bear bore borne|beat beat beaten|become became become|begin began begun|bend bent bent|bet bet bet
bind bound bound|bite bit bitten|bleed bled bled|blow blew blown|break broke broken|breed bred bred|bring brought brought
broadcast broadcast broadcast|build built built|burst burst burst|buy bought bought|cast cast cast|catch caught caught
choose chose chosen|cling clung clung|come came come|cost cost cost|creep crept crept|cut cut cut|deal dealt dealt|dig dug dug
do did done|draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed fed|feel felt felt
fight fought fought|find found found|flee fled fled|fling flung flung|fly flew flown|forbid forbade forbidden
forecast forecast forecast|foresee foresaw foreseen|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen
get got gotten|give gave given|go went gone|grind ground ground|grow grew grown|hang hung hung|have had had|hear heard heard
hide hid hidden|hit hit hit|hold held held|hurt hurt hurt|keep kept kept|kneel knelt knelt|know knew known|lay laid laid
lead led led|leave left left|lend lent lent|let let let|lie lay lain|light lit lit|lose lost lost|make made made|mean meant meant
meet met met|mislead misled misled|mistake mistook mistaken|misunderstand misunderstood misunderstood|outgrow outgrew outgrown
overcome overcame overcome|oversee oversaw overseen|overtake overtook overtaken|overthrow overthrew overthrown|pay paid paid
put put put|quit quit quit|read read read|rebuild rebuilt rebuilt|redo redid redone|rewrite rewrote rewritten|rid rid rid
ride rode ridden|ring rang rung|rise rose risen|run ran run|say said said|see saw seen|seek sought sought|sell sold sold
send sent sent|set set set|shake shook shaken|shed shed shed|shine shone shone|shoot shot shot|show showed shown
shrink shrank shrunk|shut shut shut|sing sang sung|sink sank sunk|sit sat sat|sleep slept slept|slide slid slid|sow sowed sown
speak spoke spoken|spend spent spent|spin spun spun|split split split|spread spread spread|spring sprang sprung|stand stood stood
steal stole stolen|stick stuck stuck|sting stung stung|strike struck struck|strive strove striven|string strung strung
swear swore sworn|sweep swept swept|swell swelled swollen|swim swam swum|swing swung swung|take took taken|teach taught taught
tear tore torn|tell told told|think thought thought|throw threw thrown|thrust thrust thrust|undergo underwent undergone
understand understood understood|undertake undertook undertaken|undo undid undone|uphold upheld upheld|upset upset upset
wake woke woken|wear wore worn|weave wove woven|weep wept wept|win won won|wind wound wound|withdraw withdrew withdrawn
withhold withheld withheld|withstand withstood withstood|write wrote written|retake retook retaken|resell resold resold
remake remade remade|rethink rethought rethought|regrow regrew regrown|reset reset reset|inlay inlaid inlaid|offset offset offset
outdo outdid outdone|outrun outran outrun|override overrode overridden|partake partook partaken|foretell foretold foretold
bid bid bid|spit spat spat|slay slew slain|stride strode stridden|shear sheared shorn|hew hewed hewn|wed wed wed|thrive thrived thrived
"""
_ROWS = [row.split() for line in _TABLE.split("\n") for row in line.split("|") if row.strip()]
IRREGULAR = {base: (past, participle) for base, past, participle in _ROWS}
PASTS = frozenset(past for past, _ in IRREGULAR.values())
PARTICIPLES = frozenset(participle for _, participle in IRREGULAR.values()) | {"born", "got", "been"}

_NOT_VERBS = word_set(
    "need speed seed feed deed weed reed breed greed indeed hundred sacred united limited aged naked proceed exceed succeed"
)
_VOWELS = "aeiou"
# Verbs of several syllables, stressed on the last, double their consonant as short ones do.
_DOUBLING = word_set(
    "refer prefer transfer occur recur incur commit permit admit submit omit emit transmit control compel expel propel repel rebel "
    "equip regret forget begin defer deter infer confer patrol excel abet allot acquit unplug program kidnap worship"
)


def _doubles(base: str) -> bool:
    if base in _DOUBLING:
        return True
    groups = "".join("v" if letter in _VOWELS + "y" else "c" for letter in base)
    short = groups.strip("c").count("v") == groups.count("v") == 1
    return short and groups.endswith("vc") and base[-1] not in "wxy" and len(base) > 2


def past(base: str) -> str:
    """The simple past of a base verb: `write` → `wrote`, `stop` → `stopped`."""
    if base in IRREGULAR:
        return IRREGULAR[base][0]
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return base[:-1] + "ied"
    return base + (base[-1] if _doubles(base) else "") + "ed"


def third_person(base: str) -> str:
    """The third person singular present of a base verb: `carry` → `carries`."""
    special = {"have": "has", "be": "is", "do": "does", "go": "goes"}
    if base in special:
        return special[base]
    if base.endswith(("s", "sh", "ch", "x", "z", "o")):
        return base + "es"
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return base[:-1] + "ies"
    return base + "s"


def is_past(word: str) -> bool:
    """Whether a lower-case word may be a simple past."""
    return (
        word in PASTS
        or word in {"was", "were", "had"}
        or (word.endswith("ed") and len(word) > 3 and word not in _NOT_VERBS)
    )


def is_participle(word: str) -> bool:
    """Whether a lower-case word may be a past participle."""
    return word in PARTICIPLES or (word.endswith("ed") and len(word) > 3 and word not in _NOT_VERBS)
