"""Whether words are in a language that the shipped judge and reader were trained on, which is English.

By script, and by the words that every language strings its sentences with. Numbers, names, code and terms of law ("de minimis",
"inter alia") carry none or few of these, so that a text is another language's only where several stand in it and hardly an English one.
"""

from __future__ import annotations

import unicodedata
from collections import Counter

from showable.read.word_sets import word_set
from showable.records.regex import regex

LANGUAGES = "English"
_WORD = regex(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_NOT_PROSE = regex(r"`[^`]*`|https?://\S+|\[[^\[\]]*\]|\S*[@/\\_]\S*")
_ENGLISH = word_set(
    "the of and to in is for that it with as was on be by this are or from at which not have an has but were they can been will if "
    "their would there what all who when may any no than its about into only other should must under after does between such"
)
# Not among them: what English or the Latin of lawyers has as well ("in", "die", "a", "et", "per", "on").
_FOREIGN = {
    "German": word_set("das und ist nicht ein eine einen dem mit auf für im sich auch wird werden sind bei nach oder wie vom zum zur durch kann dass aus über innerhalb"),
    "French": word_set("les est une que qui dans pour pas sur ne ce sont avec au aux il elle cette ses été être peut doit dès où leur vous nous mais après"),
    "Spanish": word_set("los las una que con para se su más pero en esta este por debe puede está también sin días cuando entre desde hasta"),
    "Italian": word_set("il gli è una che con si sono alla nel nella anche più questo questa deve può entro dal dalla essere viene"),
    "Portuguese": word_set("é uma um em que com para não são ao pelo pela mais deve pode está também ou até ser foi dias prazo"),
    "Dutch": word_set("het een niet dat met voor zijn aan door wordt er ook bij uit naar moet kan worden binnen over"),
    "Swedish": word_set("och att det som är på för med till inte ska eller från inom efter måste"),
    "Danish or Norwegian": word_set("og det som er på til med ikke skal eller fra innen etter efter må"),
    "Polish": word_set("jest nie się że przez są dla oraz lub ciągu jeśli tylko może być został można"),
    "Turkish": word_set("bir bu için ile olarak değil olan gibi daha kadar sonra veya tarafından içinde"),
    "Czech": word_set("že jsou nebo jako při podle musí může být které během"),
    "Finnish": word_set("ja ei että ovat voi tai kun hän myös mukaan jos kuin"),
}  # fmt: skip
_OF_NAMES = word_set("von van der den de du des la le el da dos das di del della zu ter af av al na za y i e o en die")
"""What stands in names, and in several languages: counted only beside words of one language."""
_FEWEST_WORDS, _FEWEST, _SHARE, _ENGLISH_SHARE = 4, 2, 0.2, 0.34
_LETTERS, _FEWEST_LETTERS, _IN_A_ROW = 0.5, 4, 3
_QUOTED = regex(r"\"[^\"]*\"|“[^”]*”|«[^»]*»|‘[^’]*’")


def foreign_language(text: str) -> str | None:
    """Return the name of the language or script of a text that is not English; None where it is, or too short to tell."""
    prose = _NOT_PROSE.sub(" ", text)
    if not prose.isascii() and (script := _script(prose)):
        return script
    words = [word.lower() for word in _WORD.findall(prose)]
    english = sum(word in _ENGLISH for word in words)
    language, known = max(_FOREIGN.items(), key=lambda one: sum(word in one[1] for word in words))
    strong = sum(word in known for word in words)
    beside = sum(word not in known and (word in _OF_NAMES or not word.isascii()) for word in words)
    few = len(words) < _FEWEST_WORDS or strong + beside < max(_FEWEST, _SHARE * len(words))
    unclear = not strong and sum(not word.isascii() for word in words) < _FEWEST
    return None if few or unclear or english > _ENGLISH_SHARE * (strong + beside) else language


def _script(text: str) -> str | None:
    """Return the script of most letters, or of some words in a row that are not quoted, where it is not the Latin one.

    A few Greek letters are a formula's, words in quotation marks a title.
    """
    letters = [letter for letter in text if letter.isalpha()]
    others = Counter(_script_of(letter) for letter in letters if not letter.isascii())
    others.pop("Latin", None)
    if others and others.total() >= max(_FEWEST_LETTERS, _LETTERS * len(letters)):
        return others.most_common(1)[0][0]
    row = 0
    for word in _WORD.findall(_QUOTED.sub(" a ", text)):
        foreign = len(word) > 1 and not word.isascii() and _script_of(word[0]) not in {"Latin", "Micro"}
        row = row + 1 if foreign else 0
        if row == _IN_A_ROW:
            return _script_of(word[0])
    return None


def _script_of(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0].title()
