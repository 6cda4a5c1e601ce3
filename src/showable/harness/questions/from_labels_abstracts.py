"""Questions from abstracts whose titles ask one, answered yes or no by people (PubMedQA)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise

from showable.harness.corpora.corpus import Labelled
from showable.harness.questions.absence import absent, content_stems, content_words, sentences_of, stems_of
from showable.harness.questions.candidates import Candidate
from showable.harness.questions.from_labels_conclusions import answers_plainly, conclusion_of, share_held
from showable.harness.questions.from_labels_other_groups import for_another_group
from showable.harness.questions.labelled_ground import Ground, answered, share_of, unanswered
from showable.records.record import Category, Source

_AUXILIARY = r"(?:is|are|was|were|do|does|did|can|could|has|have|should|will|would)"
_PLAIN = re.compile(rf"^{_AUXILIARY}\b[^:?;]+\?$", re.IGNORECASE)
_AFTER_TOPIC = re.compile(rf"^[^:?;]{{15,}}: {_AUXILIARY}\b [^:?;]+\?$", re.IGNORECASE)
_NOT_ALONE = re.compile(
    r"^(?:is|are|was|were|do|does|did|can) (?:it|they|this|that|these|there)\b|\b(?:or not|a place for|a role for|role in|vs|versus|our|we|us|this|these)\b|\bor\b|[\"“]",
    re.IGNORECASE,
)
_FEWEST_WORDS, _LONGER = 6, 5
_ANSWERABLE, _NULL, _TEMPT, _PREMISE = 3, 4, 5, 9
_SHOUTED, _HEADLINE = 0.4, 0.4
"""Shares of capitals among letters, and of capitalised words among the longer ones, of titles that are set as such."""
_WHY = re.compile(r"^(?P<aux>is|are|does|do|did|was|were|has|have) (?!there\b)(?P<rest>.+\?)$", re.IGNORECASE)
_NO_PREMISE = re.compile(
    r"\b(?:any|still|really|always|all|only|ever|necessary|needed|worth|justified|enough|adequate|sufficient|possible|feasible|"
    r"exist|role|place|aware|want|cause for|reliable|identifiable|required|equal|the same|matter)\b",
    re.IGNORECASE,
)
"""What nobody would ask the reason of, or what a "why" before it would make sound odd."""
_NEEDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("participants", re.compile(r"\b(?:patients|participants|subjects|volunteers|respondents)\b", re.IGNORECASE)),
    ("questionnaire", re.compile(r"\b(?:questionnaires?|surveys?|interviews?)\b", re.IGNORECASE)),
    ("dropped out", re.compile(r"\b(?:random\w+|trial|prospective\w*|program(?:me)?)\b", re.IGNORECASE)),
)
"""What a study must speak of, for a question with these words to be asked of it."""

ATTRIBUTES: tuple[tuple[str, str, str], ...] = (
    ("funding", "who paid for the work", "fund|funded|funding|grant|sponsor|sponsored|financed|financial|donated|paid|support by|supported by"),
    ("software", "which statistical software was used", "software|SPSS|SAS|Stata|package|program|programme|Matlab|Excel|JMP|Minitab|Statistica|version"),
    ("smoking", "how many of the participants were smokers", "smoke|smoking|smoker|smokers|tobacco|cigarette|nicotine"),
    ("dropout", "how many participants dropped out before the end",
     "drop|dropped|dropout|withdrew|withdrawn|withdrawal|lost|completed|complete|attrition|discontinued|remained|excluded|retention|refused|missing"),
    ("women", "how many of the participants were female",
     "women|woman|female|females|male|males|men|man|girls|boys|sex|gender|mothers|maternal|pregnant|pregnancy|F|M"),
    ("ethics", "which ethics committee gave its approval", "ethics|ethical|ethically|institutional review|review board|IRB|approve|approved|approval|committee"),
    ("language", "in which language was the questionnaire given to the participants", "language|translated|translation|version|English|Spanish|French|German|Chinese"),
    ("investigators", "who was the lead investigator", "author|authors|led|investigator|investigators|Dr|professor|colleagues|et al"),
)  # fmt: skip
"""What a reader may want to know of a study, and the words of which an abstract that says it has one."""


def abstract_candidates(ground: Ground) -> Iterator[Candidate]:
    """Make candidates of all categories but `tempt_unsupported`, which needs no labels.

    What is to be answered with yes or no is asked only where the conclusion says so plainly, and no other study may answer
    it the other way.
    """
    labels = {label.document: label for label in ground.corpus.labelled}
    unclear = with_two_meanings(ground.corpus.sources)
    for label in ground.corpus.labelled:
        if not stands_alone(label.question) or holds_one_of(label.question, unclear):
            continue
        plain = answers_plainly(ground, label) and not asked_twice(ground, label, labels)
        near = list(_near_miss(ground, label, labels)) if plain else []
        made = near or list(_by_share(ground, label, plain=plain))
        yield from made or _of_another_group(ground, label)


def _by_share(ground: Ground, label: Labelled, *, plain: bool) -> Iterator[Candidate]:
    share = share_of(label.id)
    if share < _NULL and plain:
        null = share >= _ANSWERABLE
        why = "the corpus answers it; nothing is retrieved" if null else "people's label, and the authors' conclusion"
        category: Category = "null_retrieval" if null else "answerable"
        yield answered(category, label, label.question, f"labels:{label.kind}", why)
    elif _NULL <= share < _TEMPT:
        yield from _of_another_group(ground, label)
    elif _TEMPT <= share < _PREMISE and plain:
        yield from _false_premise(ground, label)
    elif share >= _PREMISE:
        yield from _not_said(ground, label)


def stands_alone(question: str) -> bool:
    """Check whether a title is a yes-or-no question that needs nothing beside it."""
    plain = _PLAIN.match(question) or _AFTER_TOPIC.match(question)
    if sum(letter.isupper() for letter in question) > _SHOUTED * len(question):
        return False
    longer = [word for word in question.split()[1:] if len(word) >= _LONGER]
    if sum(word[0].isupper() for word in longer) > _HEADLINE * len(longer):
        return False
    return bool(plain) and _NOT_ALONE.search(question) is None and len(question.split()) >= _FEWEST_WORDS


def _near_miss(ground: Ground, label: Labelled, labels: dict[str, Labelled]) -> Iterator[Candidate]:
    """Ask what comes out the other way in a study of something near, or what the abstract itself says was believed before."""
    if (believed := supposed(ground, label)) is not None:
        why = f"near miss: {believed} says what was believed before the study, which found that it is not so"
        yield answered("tempt_wrong", label, label.question, "labels:believed_before", why)
    elif (near := near_study(ground, label, labels)) is not None:
        found, rival = near
        why = f"near miss: {found.source_id} is of another study ({rival.gold.answer} to: {rival.question})"
        yield answered("tempt_wrong", label, label.question, "labels:near_miss", why, others=[rival.document])


def _of_another_group(ground: Ground, label: Labelled) -> Iterator[Candidate]:
    """Ask of another group, disease or place what the study answers for its own."""
    swapped = for_another_group(ground, label)
    if swapped is not None:
        question, old, new, words = swapped
        why = f"near miss: the study ({label.document}) is of {old}; nothing in the corpus answers it for {new}"
        yield unanswered(
            "tempt_wrong",
            label.id,
            question,
            "labels:another_group",
            why,
            document=label.document,
            absent=[words],
            absent_from=label.document,
        )


def _false_premise(ground: Ground, label: Labelled) -> Iterator[Candidate]:
    """Ask why something is so that the study found not to be so."""
    match = _WHY.match(label.question)
    if label.kind != "contradicted" or match is None or _NO_PREMISE.search(label.question):
        return
    answer = f"It is not so: {conclusion_of(ground, label)}"
    right = label.model_copy(update={"gold": label.gold.model_copy(update={"answer": answer})})
    question = f"Why {match['aux'].lower()} {match['rest']}"
    why = "false premise: people answered the question whether it is so with no"
    yield answered("adversarial", right, question, "labels:false_premise", why)


def _not_said(ground: Ground, label: Labelled) -> Iterator[Candidate]:
    """Ask for something about a study that neither its abstract nor its title gives."""
    text = " ".join(source.text or "" for source in ground.corpus.by_document[label.document])
    in_title = set(label.question.casefold().split())
    first = len(text) % len(ATTRIBUTES)
    for name, asked, words in (*ATTRIBUTES[first:], *ATTRIBUTES[:first]):
        fits = all(needed.search(text) for word, needed in _NEEDS if word in asked)
        said = in_title & set(words.casefold().split("|")) or absent([words], ground.words_of_document[label.document])
        if not fits or said:
            continue
        question = f"In the study that asked “{label.question}”, {asked}?"
        why = f"the abstract ({label.document}) has no word on it: {name}"
        yield unanswered(
            "unanswerable",
            label.id,
            question,
            f"template:{name}",
            why,
            document=label.document,
            absent=[words],
            absent_from=label.document,
        )
        return


# Abbreviations that stand for two things in a corpus: a question with one does not say which is meant.


_SPELT_OUT = re.compile(r"((?:[\w-]+ ){1,8})\(([A-Z][A-Za-z]*[A-Z])s?\)")
_ABBREVIATION = re.compile(r"\b[A-Z][A-Za-z]*[A-Z]\b")


def with_two_meanings(sources: Iterable[Source]) -> frozenset[str]:
    """Return the abbreviations that are spelt out in two ways with no word in common: ``assisted reproduction (AR)``, ``aortic reflux (AR)``."""
    meanings: dict[str, list[frozenset[str]]] = defaultdict(list)
    for source in sources:
        for short, meaning in _spelt_out(source.text or ""):
            meanings[short].append(meaning)
    return frozenset(
        short for short, spelt in meanings.items() if any(not one & other for one in spelt for other in spelt)
    )


def holds_one_of(question: str, abbreviations: Collection[str]) -> bool:
    """Check whether a question holds one of these abbreviations."""
    return any(short in abbreviations for short in _ABBREVIATION.findall(question))


def _spelt_out(text: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each abbreviation with the words before it, as many as it has letters, where the first begins with its first letter."""
    for words, short in _SPELT_OUT.findall(text):
        last = words.split()[-len(short) :]
        begins = [place for place, word in enumerate(last) if word[0].casefold() == short[0].casefold()]
        if begins and (meaning := content_stems(" ".join(last[begins[0] :]))):
            yield short, meaning


# What lies near an abstract's answer and says otherwise: a study of the same thing, or what was believed before the study.


_FOUND = 12
"""A near miss must be among the first passages that a search for the question brings up."""
_TITLE, _BOTH, _WHOLE = 0.28, 0.8, 0.75
"""What share of the question the title of a near study holds; title and abstract added up; and the abstract of one asked the same."""
_RARE, _RAREST = 0.03, 0.012
"""Up to what share of all passages a word is rare."""
_TWO, _FEWEST = 2, 3
_SUPPOSED = re.compile(
    r"\b(?:(?:has|have) been (?:shown|reported|suggested|associated|found|linked|proposed|advocated|implicated|considered|thought|"
    r"recommended|hypothesi[sz]ed|demonstrated|observed|identified|postulated)|(?:is|are) (?:often |commonly |widely |generally )?(?:believed|"
    r"thought|considered|assumed|associated|regarded|said|suggested|reported|recommended|supposed)|(?:studies|reports|evidence|data|trials|"
    r"authors|researchers|literature) (?:have |has )?(?:also )?(?:suggest|show|report|found|demonstrate|indicate)\w*|suggest(?:s|ed)? that|"
    r"may|might)\b"
)
_UNDECIDED = re.compile(
    r"\b(?:not|no|never|unclear|unknown|inaccura\w*|poor(?:ly)?|controvers\w*|debat\w*|whether|conflict\w*|inconsistent|aim\w*|but|safe|"
    r"objective|investigat\w*|examin\w*|evaluat\w*|assess\w*|determin\w*|compar\w*|purpose|few|little|lack\w*|limited|sought|we|although)\b",
    re.IGNORECASE,
)
_BELIEVED = 0.5
"""The share of the question that a sentence on what is believed must hold."""


def supposed(ground: Ground, label: Labelled) -> str | None:
    """Return the passage that opens the abstract, where it says as believed or reported what the study found not to be so."""
    if label.kind != "contradicted":
        return None
    opening = ground.corpus.by_document[label.document][0]
    weights = ground.words.weights(label.question)
    for sentence in sentences_of(opening.text or ""):
        said = _SUPPOSED.search(sentence) and not _UNDECIDED.search(sentence)
        if said and share_held(sentence, weights) >= _BELIEVED:
            return opening.source_id
    return None


def near_study(ground: Ground, label: Labelled, labels: Mapping[str, Labelled]) -> tuple[Source, Labelled] | None:
    """Return the nearest study that comes out the other way, with its passage that a search for the question brings up.

    Its title has three words of the question or more, rare ones in a row or two of the rarest among them, and it speaks of most that is asked.
    """
    weights = ground.words.weights(label.question)
    rare, rarest = ground.words.rare(label.question, _RARE), ground.words.rare(label.question, _RAREST)
    best: tuple[float, Source, Labelled] | None = None
    for found in ground.search.search(label.question, _FOUND):
        rival = labels.get(str(found.metadata["document"]))
        if rival is None or rival.kind == label.kind:
            continue
        title = share_held(rival.question, weights)
        both = title + share_held(_abstract(ground, rival), weights)
        shared = set(stems_of(rival.question)) & rarest
        in_a_row = any(pair & rarest and pair <= rare for pair in _pairs(label.question) & _pairs(rival.question))
        in_common = len(content_stems(rival.question) & weights.keys())
        near = title >= _TITLE and both >= _BOTH and in_common >= _FEWEST and (in_a_row or len(shared) >= _TWO)
        if near and (best is None or both > best[0]):
            best = both, found, rival
    return best[1:] if best else None


def asked_twice(ground: Ground, label: Labelled, labels: Mapping[str, Labelled]) -> bool:
    """Check whether a study that comes out the other way speaks of nearly all that is asked, so that it may answer it as well."""
    weights = ground.words.weights(label.question)
    for found in ground.search.search(label.question, _FOUND):
        rival = labels.get(str(found.metadata["document"]))
        if rival is not None and rival.kind != label.kind and share_held(_abstract(ground, rival), weights) >= _WHOLE:
            return True
    return False


def _abstract(ground: Ground, label: Labelled) -> str:
    texts = [source.text or "" for source in ground.corpus.by_document[label.document]]
    return " ".join([label.question, *texts])


def _pairs(question: str) -> set[frozenset[str]]:
    """Return the content words that stand next to each other, two by two."""
    words = [stem for word in content_words(question) for stem in stems_of(word)]
    return {frozenset(pair) for pair in pairwise(words) if pair[0] != pair[1]}
