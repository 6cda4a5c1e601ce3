"""Answered questions with one name or year put for another of its kind, so that what is asked about is not in the corpus."""

from __future__ import annotations

import re
from collections.abc import Iterator

from showable.harness.corpora.corpus import Labelled
from showable.harness.questions.absence import content_stems, stems_of
from showable.harness.questions.labelled_ground import Ground

YEAR = re.compile(r"(?<![\d$€£,.-])(?:1[0-9]|20)\d\d(?![\d-]|['’]?s\b)")
PLACES: tuple[tuple[str, ...], ...] = (
    ("Germany", "France", "England", "Spain", "Italy", "Poland", "Scotland", "Ireland", "Switzerland", "Portugal", "Sweden", "Norway", "Denmark", "Hungary", "Austria", "Greece", "Belgium", "Netherlands", "Russia"),
    ("Brazil", "Mexico", "Canada", "Argentina", "Chile", "Peru", "Australia", "Kenya", "Nigeria", "South Africa"),
    ("China", "Japan", "Korea", "Vietnam", "Thailand", "Burma"),
    ("India", "Pakistan", "Afghanistan", "Indonesia", "Malaysia", "Bangladesh", "Nepal"),
    ("Iran", "Iraq", "Syria", "Egypt", "Israel", "Turkey", "Sudan", "Tunisia", "Algeria", "Lebanon", "Yemen", "Libya"),
    ("London", "Paris", "Berlin", "Warsaw", "Vienna", "Rome", "Madrid", "Prague", "Budapest", "Lisbon", "Stockholm", "Dublin", "Amsterdam", "Brussels"),
    ("New York", "Boston", "Chicago", "Philadelphia", "Denver", "Houston", "Seattle", "Atlanta", "Los Angeles", "Cambridge"),
    ("Florida", "Virginia", "Texas", "California", "Ohio", "Georgia", "Oregon", "Kansas", "Kentucky", "Maryland", "Massachusetts", "Pennsylvania", "South Carolina", "Louisiana", "Minnesota"),
)  # fmt: skip
"""Countries, cities and states, each among its like."""
KINDS: tuple[tuple[str, ...], ...] = (
    *PLACES,
    ("French", "English", "German", "Polish", "Spanish", "Italian", "Dutch", "Swedish", "Danish", "Portuguese", "Hungarian", "Russian"),
    ("Chinese", "Japanese", "Korean", "Vietnamese", "Thai"),
    ("Indian", "Persian", "Egyptian", "Turkish", "Arabic"),
    ("Harvard", "Yale", "Princeton", "Stanford", "Oxford", "Cornell"),
    ("Yuan", "Song", "Ming", "Qing", "Tang", "Han"),
    ("Catholic", "Protestant", "Orthodox", "Jewish", "Muslim", "Buddhist", "Hindu"),
    ("16th century", "17th century", "18th century", "19th century", "15th century", "13th century", "11th century"),
    ("European Union", "African Union", "Arab League"),
    ("EU", "African Union", "Arab League"),
    ("Scottish Parliament", "Bundestag", "Knesset"),
    ("Scottish", "Welsh", "Catalan"),
    ("Huguenot", "Quaker", "Mennonite"),
    ("steam engine", "diesel engine", "jet engine", "rocket engine"),
    ("steam engines", "diesel engines", "jet engines", "rocket engines"),
    ("Huguenots", "Quakers", "Mennonites", "Moravians"),
    ("Hamas", "Fatah"),
    ("Watt", "Newcomen", "Trevithick", "Stephenson", "Smeaton", "Corliss", "Hornblower"),
)  # fmt: skip
"""Names that stand in a question in each other's place, and make another question of it."""
_WORDING = re.compile(r"\b(?:mean|means|meaning|word|language|name|named|called|translat\w+|spell\w*)\b")
_IN_A_LANGUAGE = re.compile(r"\bin [A-Z]\w+\?$")
_SPAN = re.compile(
    r"\b(?:since|until|till|by|after|before|between|from|through|during|serve[ds]?|serving|capital|control\w*|rul(?:e|ed|er|ing)|contain\w*|(?:was|were) \w+ing)\b"
)
"""What goes on over years may be true of another year as well."""
_YEARS_OFF = (2, 3, -2, 4, -3)
"""Near enough that what was done in the one year might have been done in the other."""
_OF_A_PEOPLE = re.compile(
    r"(?:ish|[ei]an|ese|French|Dutch|Thai|Arabic|Catholic|Protestant|Orthodox|Muslim|Buddhist|Hindu|century)$"
)
_OF_ONE_ALONE = re.compile(
    r"\b(?:declin|fell|fall|rose|ris(?:e|en|ing)\b|grew|grow|increas|decreas|drop|reduc|chang|after\b|annex|collaps|promis|replac|restor|reincorporat"
    r"|no longer|become|became|lost|regain|rebuil|destroy|surrender|defeat|persecut|kill|massacre|slaughter|fail|attempt|lower\b|higher\b|featured|famous|combin|settle|land\b|since\b|remain|well-known|introduc|second\b|third|\d+th\b)",
    re.IGNORECASE,
)
"""What tells of a change or an event that another city or another year may not have seen."""
_HIS_OWN = re.compile(r"\b(?:discover|invent|propos|patent|wrote|written)", re.IGNORECASE)
"""What one person found or made is not to be had of another."""
_OF_ANY = content_stems("country city year people number type kind part thing")
_LEAST = 3
"""Words besides the name that a question needs, so that one can tell what it asks."""
_SAID = 0.8
"""A passage that holds so much of a question within a few sentences may answer it."""


def name_swapped(ground: Ground, label: Labelled) -> Iterator[tuple[str, str, str]]:
    """Yield the question with a name for which its article has nothing, with the name that was there and the new one.

    What presupposes that something changed or happened is left alone: it need not have happened to another.
    """
    if _OF_ONE_ALONE.search(label.question):
        return
    article = ground.words_of_document[label.document].vocabulary
    for kind in KINDS:
        named = [name for name in kind if re.search(_word(name), label.question)]
        if (
            len(named) != 1
            or not _may_be_of_another(named[0], label)
            or not _stands_for_itself(named[0], label.question)
            or content_stems(named[0]) & content_stems(label.gold.answer or "")
        ):
            continue
        place = kind.index(named[0])
        for other in (*kind[place + 1 :], *kind[:place]):
            question = re.sub(_word(named[0]), other, label.question)
            foreign = not set(stems_of(other)) <= set(article)
            if foreign and ground.words.most_covered(question, beside=_own(label))[0] < _SAID:
                yield _article_put_right(question), named[0], other
                break


def year_swapped(ground: Ground, label: Labelled) -> tuple[str, str, str] | None:
    """Return the question with a year that its article does not mention, the year that was there, and the new one."""
    years = YEAR.findall(label.question)
    if (
        len(years) != 1
        or years[0] in (label.gold.answer or "")
        or _SPAN.search(label.question)
        or _OF_ONE_ALONE.search(label.question)
    ):
        return None
    text = " ".join(source.text or "" for source in ground.corpus.by_document[label.document])
    wrong = next((year for off in _YEARS_OFF if (year := str(int(years[0]) + off)) not in text), None)
    return (label.question.replace(years[0], wrong), years[0], wrong) if wrong else None


def names_in(word: str) -> bool:
    """Check whether a word is one of the names that stand in each other's place."""
    return any(word in kind for kind in KINDS)


def _may_be_of_another(name: str, label: Labelled) -> bool:
    """Check whether a question names nothing else but its article's subject, so that another name makes no nonsense of it.

    What was the capital of one commonwealth was not another city, nor is a city in another country; a century may be
    put for another all the same.
    """
    rest = re.sub(_word(name), " ", label.question)
    subject = content_stems(label.document.replace("_", " "))
    others = [word for word in re.findall(r"(?<=[\s\"“(-])[A-Z]\w+", rest) if not content_stems(word) <= subject]
    asked = content_stems(rest) - _OF_ANY
    places = not _OF_A_PEOPLE.search(name) and any(re.search(_word(one), rest) for kind in KINDS for one in kind)
    enough = len(asked) >= _LEAST or content_stems(name) <= subject
    return enough and not places and not _HIS_OWN.search(rest) and (not others or name.endswith("century"))


def _stands_for_itself(name: str, question: str) -> bool:
    """Check whether a name is no part of a longer one ("East India Company"), nor the language that something is put in."""
    around = re.search(rf"(?:(\w+) (?:(of) (?:the )?)?)?{_word(name)}(?:['’]s)?(?: (?:and (?:the )?)?(\w+))?", question)
    if (
        around is None
        or _WORDING.search(question)
        or _in_a_language(name, question)
        or re.search(rf"['’]s? {_word(name)}", question)
    ):
        return False
    before, after = around[1] or "", around[3] or ""
    opens = question.startswith(before)
    return before != "and" and (before.islower() or not before or opens) and (not after or after[0].islower())


def _in_a_language(name: str, question: str) -> bool:
    """Check whether a question ends on "in French?"; "in France?" is another thing."""
    return bool(_IN_A_LANGUAGE.search(question)) and not any(name in kind for kind in PLACES)


def _word(name: str) -> str:
    return rf"(?<![\w-]){re.escape(name)}(?![\w-])"


def _own(label: Labelled) -> set[str]:
    """Return the passages of the answer: they hold the question's words by nature."""
    return {evidence.source_id for evidence in label.gold.evidence}


def _article_put_right(question: str) -> str:
    """Write "an English king" and "a Polish king"."""
    right = re.sub(r"\b([Aa]) (?=[AEIO][a-z])", r"\1n ", question)
    return re.sub(r"\b([Aa])n (?=[B-DF-HJ-NP-TV-Z][a-z])", r"\1 ", right)
