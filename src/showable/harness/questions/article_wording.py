"""Which of people's questions on a paragraph can be read alone, and which answers stand on their own."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations

from showable.harness.corpora.corpus import Labelled
from showable.harness.questions.absence import content_stems, content_words, stems_of
from showable.harness.questions.from_labels_swaps import YEAR, names_in
from showable.harness.questions.labelled_ground import Ground
from showable.search.bm25 import words_of

FIGURE = re.compile(r"(?<![\w.,])\d[\d.,]*\d%?|(?<![\w.,])\d%?(?![\w.,])")
ASKS_WHEN = re.compile(r"^(?:when|(?:in |by )?(?:what|which) year)\b", re.IGNORECASE)
ASKS_HOW_MANY = re.compile(
    r"^(?:how (?:many|much|large|far)|what (?:percentage|percent|share|number)|what (?:is|was) the (?:\w+ )?(?:number|percentage|amount|population|ratio|total))\b",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"^(?:(?:in|by|at|on|of|for|from|to|with|during|under|after|before) )?(?:who|whom|whose|what|which|when|where|why|how)\b",
    re.IGNORECASE,
)
_LEANS_ON_TEXT = re.compile(
    r"\b(?:he|she|it|its|they|them|their|his|her|him|this|that|these|those|here|there|the (?:author|passage|text|article|paragraph|writer|following|other|former|latter|group"
    r"|country|city|man|battle|war|crisis|law|treaty|treaties|university|school|company|act|theory|court|party|government|bill|study|report|agreement|committee|church|region|area|state|town|building|king|river"
    r"|island|empire|movement|organization|book|people|population|person|event|term|name|problem|machine|engine|process|system|program|network|project|case|factory?|republic|embargo|invasion|colony|duke"
    r"|leader|president|chair|cup|monks|members|attack|treatment|(?:new|final|last) (?:king|bill|emperor|ruler)))\b(?! (?:of|in|for|to|that|which|between|known|called|used)\b(?! \d))",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"\d['’]s\b|^what (?:is|was|are|were) (?:a|an|one|some|(?!the)[a-z]+ed)\b|\bNobel Prize\b(?! (?:in|for)\s+[a-z])|\bhow many total\b"
    r"|\bto the world\b|\bpast (?:decade|year)\b|\b(?:current|currently|nowadays|today)\b|^what (?:other|are other)\b",
    re.IGNORECASE,
)
"""What one cannot tell without more, or what depends on the day of asking."""
_BROKEN = re.compile(
    r"\bdid\b[^?]*[A-Z]\w+ \w+ed\b|\b(?:was|is|were|are) (?:result|name|purpose|reason|objective|role|capital)\b| s\b|\b(?:is|was|are|were) (?:know|call|use|make|base)\b|^(?:By|In|At|On|From|With|For|To) [^?]* (?:by|in|at|on|from|with|for|to)\?$|^What [A-Z]\w+ in charge|^What part of [A-Z]\w+ (?:was|were)\b|^How (?:long|much|many) as\b| - "
    r"|\b(?:a|an|of|as|on|to|from|for|in|with|by|through|into|against|than|after)\?$|\b(?:made|make) the \w+ to\b|\bbecome to\b|\bas by\b|\b(?:was|were) \w+ed to [a-z]+\?$|\bbeing \w+ed\?$|\bdoes being\b|\bwas [A-Z]\w+ [A-Z]\w+ an? \w+ for\b|\b[A-Z]{2,}['’]s\b|\btimes more than\b|\bmany (?:[A-Z]\w+ )*[A-Z]\w*[^s\W] [a-z]|\bwith regard to\b|\bthe (?:Poland|Germany|France|England|Spain|Italy|China|Japan|Russia) [a-z]|\boriginal \w+ed\b|\bto (?:chair|throne)\b|\bhaving an?\b|\bin until\b|\bcompared to other\b|^What did [^?]* (?:reason|say|think|believe|claim) (?:is|are|was|were)\b|^When is the (?:first|oldest|last)\b|^What is [A-Z]\w+['’]s [^?]*[a-z][^siu]s\?$"
)
_NO_ARTICLE = re.compile(
    r"\b(?:did|were|was|does|do|is|to|from|of|by|between|and|for|many) (?:French|British|English|Spanish|Dutch|Native|Sioux|Frenchman)(?: [a-z]|\?)"
    r"|\b(?:in|of|for|during|from|won|at) (?!World )(?:[A-Z]\w+ (?:and )?)+(?:War|Colonies|Treaty|Proclamation|Act|Revolution)\b|\bat (?:start|end) of\b|\bBattle of\b(?<!the Battle of)(?<!The Battle of)"
)
"""Where "the" was left out: "When did French learn of it?", "in Seven Years War"."""
_NEGATED = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|except|other than|rather than|besides|least|\w+n['’]t|isnt|doesnt|wasnt|didnt|non)\b",
    re.IGNORECASE,
)
_ODD = re.compile(
    r"\b(?:what|who|where|when|which|how)\b.*\b(?:what|who|where|when|which)\b|\s\?|\?\?|[^\x20-\x7e’‘“”é–—äöüńśłąęóżźćèàçñâêîôû]|\b(\w+) \1\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<!^)(?<=\s)[\"“(]?[A-Z][\w'’-]+")
_NO_NAME = re.compile(
    r"[\"“(]?(?:January|February|March|April|May|June|July|August|September|October|November|December|I|II"
    r"|Robert|Richards?|William|Henry|John|Charles|Roger|Louis|George|James|Thomas|Edward|Philip|Peter|Paul|David|Conservatives|Labour|Parliament|Bishop)(?:['’]s?)?"
)
_LITTLE = {"the", "a", "an", "of", "in", "to", "on", "at", "by", "for", "with"}
_LIST = re.compile(r",| and | or ")
_MORE_WORDS = 3
"""By how many words one answer may be longer than another."""
_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)
_NUMBER_WORD = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|third|fifth|hundred|thousand|million|once|twice)\b",
    re.IGNORECASE,
)
_DAY_OF_MONTH = re.compile(r"^[A-Z][a-z]+ \d{1,2}$|^\d{1,2} [A-Z][a-z]+$")
_LOST_POWER = re.compile(r"\b10\d{2} [a-z]")
"""What was 10 to the power of 15 kelvins stands as "1015 kelvins" in a text without superscripts."""
_FEWEST_STEMS, _FEWEST_WORDS, _MOST_WORDS = 3, 6, 20
_NAMED_BY = 2
"""Words of an article's title that name it in a question."""
_LONGEST_ANSWER = 16
_TWO = 2
_MISSPELT, _MISSPELT_ANYWHERE, _LONG = 80, 86, 5


def stands_alone(question: str, document: str) -> bool:
    """Check whether a question can be read without the paragraph it was asked on.

    It names something (a proper name, a year, its article), points back to nothing, denies nothing and is of a
    usual length. What people wrote carelessly is left out with it.
    """
    words = question.split()
    if not question.endswith("?") or not _FEWEST_WORDS <= len(words) <= _MOST_WORDS or not _OPENS.match(question):
        return False
    faults = (_VAGUE, _BROKEN, _NO_ARTICLE, _LEANS_ON_TEXT, _NEGATED, _ODD)
    if not question[0].isupper() or any(fault.search(question) for fault in faults) or _repeats(question):
        return False
    subject = content_stems(document.replace("_", " "))
    names = bool(names_of(question)) or len(content_stems(question) & subject) >= min(len(subject), _NAMED_BY)
    return names and len(content_stems(question)) >= _FEWEST_STEMS


def names_of(question: str) -> list[str]:
    """Return the proper names of a question; a month names nothing, nor does a first name alone."""
    return [name for name in _NAME.findall(question) if not _NO_NAME.fullmatch(name)]


def _repeats(question: str) -> bool:
    """Check whether a lower-case word comes twice, in whatever form: "the current number of … currently in"."""
    stems = Counter(stem for word in content_words(question) if word.islower() for stem in set(stems_of(word)))
    return any(count > 1 for count in stems.values())


def agreed(label: Labelled) -> bool:
    """Check whether people gave one answer: of every two, one holds all words of the other, few more, and no list beside a single thing."""
    answers = [label.gold.answer or "", *label.gold.aliases]
    words = [set(re.findall(r"\w+", answer.casefold())) - _LITTLE for answer in answers]
    short = all(len(answer.split()) <= _LONGEST_ANSWER and (len(answer) > 1 or answer.isdigit()) for answer in answers)
    alike = all(
        one and other and (one <= other or other <= one) and abs(len(one) - len(other)) <= _MORE_WORDS
        for one, other in combinations(words, 2)
    )
    return short and alike and len({bool(_LIST.search(answer.strip(" ,."))) for answer in answers}) == 1


def tells(label: Labelled) -> bool:
    """Check whether an answer says what was asked: a time of "when", a number of "how many", of all else more than a word.

    One word of lower case ("peace", "high") is seldom all that a question wants; a day wants its year.
    """
    answer = label.gold.answer or ""
    if ASKS_WHEN.match(label.question):
        day_alone = _DAY_OF_MONTH.match(answer) and not YEAR.search(label.question)
        return not day_alone and bool(re.search(r"\d|century", answer))
    if ASKS_HOW_MANY.match(label.question):
        return bool(re.search(r"\d", answer) or _NUMBER_WORD.search(answer))
    if _LOST_POWER.search(answer):
        return False
    bare = _ARTICLE.sub("", answer)
    named = any(sign.isupper() or sign.isdigit() for sign in bare)
    return named or bool(_NUMBER_WORD.search(answer)) or len(content_words(bare)) >= _TWO


def misspelt(ground: Ground, question: str, document: str) -> bool:
    """Check whether a word of a question is nearly one of its article, or of the corpus, and no form of it; or is no word."""
    names = (re.sub(r"\W|['’]s$", "", name) for name in names_of(question))
    words = content_words(question)
    return (
        any(_never_a_name(ground, name) for name in names)
        or any(_misspelt(ground, word, document) for word in words)
        or any(_always_a_name(ground, word) for word in words)
    )


def _never_a_name(ground: Ground, name: str) -> bool:
    """Check whether a word with a capital in a question is in the corpus, but never with a capital: "Alan Turning"."""
    return name.casefold() in ground.spelt() and not any(
        name in (source.text or "") for source in ground.corpus.sources
    )


def _always_a_name(ground: Ground, word: str) -> bool:
    """Check whether a word of lower case is in the corpus, but always with a capital: "the french"."""
    return (
        word.islower()
        and word in ground.spelt()
        and not any(word in (source.text or "") for source in ground.corpus.sources)
    )


def _misspelt(ground: Ground, word: str, document: str) -> bool:
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - only where a label is of this kind

    plain = word.casefold()
    if plain in ground.spelt() or not plain.isalpha() or names_in(word):
        return False
    for known, cutoff in ((ground.spelt(document), _MISSPELT), (ground.spelt(), _MISSPELT_ANYWHERE)):
        near = process.extractOne(plain, known.keys(), scorer=fuzz.ratio, score_cutoff=cutoff)
        if near is not None and words_of(near[0]) != words_of(plain):
            return True
    return word.islower() and len(word) >= _LONG and stems_of(word)[0] not in ground.words.vocabulary
