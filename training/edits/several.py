"""Claims of more than one sentence: facts merged, facts joined, a fact whose sentence is gone, a clause misattached."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence

from edits import clause
from edits.example import Change, Example, Scope
from edits.passage import window
from edits.surface import stopped
from edits.verb_forms import PAST_TO_BASE, THIRD_TO_BASE

Say = Callable[[str], str]
_NAME = r"(?:The )?[A-Z][\w.'’-]+(?: (?:(?:of|de|van|von|the) )?[A-Z][\w.'’-]+){0,3}"
_VERBS = "|".join(
    sorted(
        {*PAST_TO_BASE, *THIRD_TO_BASE}
        - {"left", "used", "felt", "found", "uses", "reports", "results", "states", "forms"}
    )
)
_PREDICATE = re.compile(
    rf"^(?P<who>{_NAME}) (?P<does>(?P<verb>was|is|are|were|has|had|can|will|may|must|{_VERBS}) .{{12,}})\.$"
)
_NOT_SUBJECTS = re.compile(
    r"^(?:(?:But|And|Though|Although|While|When|As|After|If|So|Yet|Then|Now|Next)\b.*|That|Others|Any|People|Experts|Police|Officers|Researchers|Data|Subjects|No-one|Nobody|Such|Following|Neither|Either|Several|Three|Four|Five|Six|Seven|Eight|Nine|Ten|A|An|Note|We|Only|Those who|The|He|She|It|They|This|There|In|On|At|As|For|When|If|While|After|Before|Although|All|Some|Most|Many|Each|Both|One|Two|What|Who|No|Not|Another|These|Those|Its|His|Her|Their|However|Patients|Results)$"
)
_WORD = re.compile(r"[a-z]{4,}|[A-Z]\w{2,}|\d[\d.,]*\d|\d")


_PLURAL = frozenset({"are", "were", "have"})


def _content(text: str) -> set[str]:
    return {w.lower().rstrip("s") for w in _WORD.findall(text)}


def _named(who: str, whole: str) -> bool:
    """A lone capital word is a name when it stands within a sentence with its capital too."""
    if _NOT_SUBJECTS.match(who) or re.match(r"[A-Z]\w*-[a-z]|.*(?:\.|’|')$", who):
        return False
    return " " in who or bool(re.search(rf"[a-z,] {re.escape(who)}\b", whole))


def merged(sentences: Sequence[str], say: Say, rng: random.Random) -> Iterator[Example]:
    """Give the subject of one sentence the predicate of another; and the same done to the passage, which makes it true."""
    whole = " ".join(sentences)
    read = [
        (i, m)
        for i, s in enumerate(sentences)
        for m in [_PREDICATE.match(s)]
        if m and _named(m["who"], whole) and not re.search(r"\b(?:his|her|its|their|he|she|it|himself)\b", m["does"])
    ]
    pairs = [
        (i, m, j, n)
        for i, m in read
        for j, n in read
        if i < j < i + 6
        and not set(m["who"].lower().split()) & (set(n["who"].lower().split()) - {"the", "of"})
        and (m["verb"] == "is") == (n["verb"] == "is")
        and (m["verb"] in _PLURAL) == (n["verb"] in _PLURAL)
        and m["does"] != n["does"]
        and n["who"] not in m["does"]
        and m["who"] not in n["does"]
    ]
    for i, m, j, n in rng.sample(pairs, min(2, len(pairs))):
        if rng.random() < 0.5:
            wrong, (a, b) = f"{m['who']} {n['does']}.", (m, n)
        else:
            wrong, (a, b) = f"{n['who']} {m['does']}.", (m, n)
        right = rng.choice([sentences[i], sentences[j]])
        before, after = window(sentences, i, j, rng)
        middle = list(sentences[i + 1 : j])
        plain = " ".join([*before, sentences[i], *middle, sentences[j], *after])
        crossed = " ".join([*before, f"{a['who']} {b['does']}.", *middle, f"{b['who']} {a['does']}.", *after])
        case = rng.random() < 0.5
        yield Example(say(wrong), plain if case else crossed, 0 if case else 1, "merged")
        yield Example(say(right), plain if case else crossed, 1 if case else 0, "merged")


def truncated(sentences: Sequence[str], place: int, say: Say, rng: random.Random) -> Iterator[Example]:
    """Take the sentence of the claim from the passage (not stated), beside the passage with it."""
    if len(sentences) < 3:
        return
    sentence = sentences[place]
    before, after = window(sentences, place, place, rng)
    rest = [*before, *after]
    words = _content(sentence)
    left = _content(" ".join(rest))
    if len(rest) < 2 or not words or len(words & left) > 0.6 * len(words):
        return
    yield Example(say(sentence), " ".join(rest), 0, "truncated")
    others = [
        s for s in rest if 6 <= len(s.split()) <= 40 and s.endswith(".") and s[0].isupper() and s.count('"') % 2 == 0
    ]
    if others and rng.random() < 0.5:
        yield Example(say(rng.choice(others)), " ".join(rest), 1, "truncated")
    else:
        yield Example(say(sentence), " ".join([*before, sentence, *after]), 1, "truncated")


def joined(
    sentences: Sequence[str], place: int, changes: Sequence[Change], say: Say, rng: random.Random
) -> Iterator[Example]:
    """Join the sentence with another of the passage into one claim: true as it is, wrong where either is edited."""
    near = [i for i in range(max(0, place - 3), min(len(sentences), place + 4)) if i != place and _joins(sentences[i])]
    told = [c.text for c in changes if clause.core(c.text) != clause.core(sentences[place])]
    if not near or not _joins(sentences[place]) or not told:
        return
    other = rng.choice(near)
    first, last = min(place, other), max(place, other)
    before, after = window(sentences, first, last, rng)
    passage = " ".join([*before, *sentences[first : last + 1], *after])
    link = rng.choice([", and ", ", while ", "; "])
    edited = rng.choice(told)
    for text, label in ((sentences[place], 1), (edited, 0)):
        if len(text.split()) + len(sentences[other].split()) > 60:
            continue
        parts = [say(text), say(sentences[other])]
        rng.shuffle(parts)
        yield Example(f"{parts[0][:-1]}{link}{_lowered(parts[1])}", passage, label, "joined")


def _joins(sentence: str) -> bool:
    return (
        5 <= len(sentence.split()) <= 28
        and sentence.endswith(".")
        and not re.search(r"[;:\"“”(]|\b(?:while|and)\b.*\b(?:while|and)\b", sentence)
        and not re.match(
            r"(?:However|In addition|Thus|This|These|It|They|He|She|But|And|Such|Also|His|Her|Their|Its|That|Those|Although|While|When|If)\b",
            sentence,
        )
        and sentence[0].isupper()
    )


def _lowered(text: str) -> str:
    return (
        text[0].lower() + text[1:]
        if re.match(
            r"(?:The|A|An|In|On|At|By|During|After|Before|For|From|Many|Most|Some|Several|All|One|Two|There|With|Under|To|No|Each|As|Since) ",
            text,
        )
        else text
    )


def clauses(
    sentence: str, passage: str, rng: random.Random, scope: Scope, changes: Sequence[Change]
) -> Iterator[Example]:
    """Give a clause the sentence holds (entailed), and a clause set on another subject (not)."""
    told = clause.apposition(sentence)
    if told:
        what, rest, name = told
        yield Example(rng.choice([what, rest]), passage, 1, "clause")
        rivals = [
            m["who"]
            for s in [*scope.sentences, *scope.others]
            for m in [_PREDICATE.match(s)]
            if m
            and not _NOT_SUBJECTS.match(m["who"])
            and not set(m["who"].split()) & set(name.split())
            and len(m["who"].split()) == len(name.split())
        ]
        if rivals:
            yield Example(rng.choice(rivals) + what[len(name) :], passage, 0, "clause")
    split = clause.halves(sentence)
    if split:
        yield Example(rng.choice(split), passage, 1, "clause")
        one, two = (_PREDICATE.match(part) for part in split)
        if (
            one
            and two
            and one["who"] != two["who"]
            and one["who"] not in two["does"]
            and not _NOT_SUBJECTS.match(one["who"])
        ):
            yield Example(stopped(f"{one['who']} {two['does']}"), passage, 0, "clause")
    short = clause.asides_dropped(sentence, rng)
    if not told and not split and short != sentence and len(short.split()) < len(sentence.split()) - 2:
        yield Example(short, passage, 1, "clause")
        wrong = [c.text for c in changes if clause.core(c.text) != clause.core(sentence)]
        if wrong:
            yield Example(clause.asides_dropped(rng.choice(wrong), rng), passage, 0, "clause")
