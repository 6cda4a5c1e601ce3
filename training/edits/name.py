"""Names: two of a sentence swapped, or another of the same kind put in."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass

from edits.example import Change, Scope
from edits.reword import MONTHS
from edits.surface import put

_WORD = r"(?:[A-Z][a-zéèêëáàâäíìîïóòôöúùûüçñøåšžćčł]+(?:[-'’][A-Z][a-zéèáíóúöü]+)?|[A-Z]\.)"
_NAME = re.compile(rf"(?<![\w.'’-]){_WORD}(?: (?:(?:of|de|van|von|del|la|du) )?{_WORD}){{0,3}}(?![\w-])(?!’s\w)")
_ORG = re.compile(
    r"\b(?:University|Company|Inc|Corporation|College|Institute|Party|Council|Church|Museum|Association|League|Club|Bank|Department|Agency|Committee|School|Press|Society|Court|Ministry|Army|Navy|Records|Group|Union|Hospital|Academy|Foundation)\b"
)
_PLACE_LEAD = re.compile(
    r"\b(?:in|at|near|from|outside|across|throughout|around|via)(?: (?:northern|southern|eastern|western|central))?\s$"
)
_PERSON_LEAD = re.compile(
    r"\b(?:Mr|Mrs|Ms|Dr|Sir|King|Queen|Prince|Princess|Pope|Emperor|President|General|Lord|Captain|Professor|Saint|by|actor|singer|director|author|writer|brother|son|daughter|father|wife|husband|whom|who)\.?\s$"
)
_NOT_NAMES = frozenset(MONTHS) | frozenset(
    [
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
        "Sunday",
        "The",
        "A",
        "An",
        "In",
        "On",
        "At",
        "For",
        "As",
        "By",
        "With",
        "Although",
        "While",
        "When",
        "After",
        "Before",
        "Since",
        "During",
        "Under",
        "If",
        "All",
        "Some",
        "Many",
        "Most",
        "Several",
        "However",
        "Despite",
        "Because",
        "From",
        "Through",
        "Both",
        "He",
        "She",
        "It",
        "They",
        "This",
        "These",
        "His",
        "Her",
        "Their",
        "Its",
        "There",
        "One",
        "Two",
        "Three",
        "Four",
        "Five",
        "Six",
        "Seven",
        "Eight",
        "Nine",
        "Ten",
        "Each",
        "Every",
        "No",
        "Not",
        "And",
        "But",
        "Or",
        "Of",
        "To",
        "Such",
        "Other",
        "Another",
        "Between",
        "Among",
        "Unlike",
        "Like",
        "Then",
        "Thus",
        "Also",
        "Only",
        "Early",
        "Later",
        "Today",
        "Once",
        "Where",
        "Until",
        "Over",
        "Not",
        "Any",
        "Agreement",
        "Information",
        "Confidential",
        "Recipient",
        "Discloser",
        "Section",
        "Disclosing",
        "Receiving",
        "Parties",
        "I",
        "Mr",
        "Mrs",
        "Dr",
        "Patients",
        "Results",
        "Conclusion",
        "Methods",
    ]
)
_DEMONYM = re.compile(
    r"(?:ese|ish|(?:[a-z]i|[^aeiou]r|[lsn]i|c|k)an|French|Greek|Dutch|Roman|Christian|Muslim|Jewish|Catholic|Protestant)s?$"
)
_SYMMETRIC = re.compile(
    r"\b(?:and|or|with|married|met|between|versus|vs|sister|brother|border|borders|among|both|merged|joined|cousins?|same|like|known|called|alias|aka|born|named|nicknamed|also|formerly|real|equals?|is|are|either)\b|&"
)


@dataclass(frozen=True, slots=True)
class _Name:
    text: str
    start: int
    end: int
    kind: str


def _kind(text: str, sentence: str, start: int) -> str:
    words = text.split()
    lead = sentence[:start]
    if _ORG.search(text):
        return "org"
    if _DEMONYM.search(words[-1]) and len(words) == 1:
        return "people"
    if _PERSON_LEAD.search(lead):
        return "person"
    if _PLACE_LEAD.search(lead):
        return "place"
    if (
        len(words) in (2, 3)
        and all(w.isalpha() or w.endswith(".") for w in words)
        and not re.search(r"\b[Tt]he $", lead)
    ):
        return "person"
    return "other"


def names_in(sentence: str) -> list[_Name]:
    """List the names of `sentence` with their kind: person, place, org, people (a demonym) or other."""
    found = []
    for m in _NAME.finditer(sentence):
        text, start = m[0], m.start()
        while text and text.split()[0] in _NOT_NAMES:
            cut = len(text.split()[0]) + 1
            text, start = text[cut:], start + cut
        if not text or any(w in _NOT_NAMES for w in text.split()) or len(text) < 3 or text[0].islower():
            continue
        if (
            start == 0
            and " " not in text
            and not re.match(r"(?:'s)?\s(?:is|was|has|had|did|became|\w+ed)\b", sentence[len(text) :])
        ):
            continue
        if re.search(r"\b[Aa]n? $", sentence[:start]):
            continue
        found.append(_Name(text, start, start + len(text), _kind(text, sentence, start)))
    return found


def kinds_of(scope: Scope) -> dict[str, str]:
    """Settle the kind of each name of the scope by its most frequent reading."""
    votes: dict[str, Counter[str]] = {}
    for sentence in [*scope.sentences, *scope.others]:
        for name in names_in(sentence):
            votes.setdefault(name.text, Counter())[name.kind] += 1
    return {text: count.most_common(1)[0][0] for text, count in votes.items()}


def changes(sentence: str, scope: Scope, rng: random.Random) -> list[Change]:
    """Give up to two sentences with a wrong name."""
    kinds = kinds_of(scope)
    names = [n for n in names_in(sentence) if kinds.get(n.text, n.kind) in ("person", "place", "org")]
    if not names or len({n.text for n in names}) != len(names):
        return []
    found = [*_swap(sentence, names, kinds, rng), *_replace(sentence, names, kinds, rng)]
    return [Change(text, "name") for text in found]


def _swap(sentence: str, names: list[_Name], kinds: dict[str, str], rng: random.Random) -> list[str]:
    pairs = []
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            between = sentence[a.end : b.start]
            related = set(a.text.split()) & set(b.text.split())
            apart = len(re.findall(r"\b[a-z]{2,}\b", between)) >= 2 and "(" not in between
            alike = kinds.get(a.text) == kinds.get(b.text) and not related
            if apart and alike and not _SYMMETRIC.search(between):
                pairs.append((a, b))
    if not pairs:
        return []
    a, b = rng.choice(pairs)
    return [sentence[: a.start] + b.text + sentence[a.end : b.start] + a.text + sentence[b.end :]]


def _replace(sentence: str, names: list[_Name], kinds: dict[str, str], rng: random.Random) -> list[str]:
    place = rng.choice(names)
    kind = kinds.get(place.text, place.kind)
    said = set(sentence.replace("'s", " ").replace(",", " ").replace(".", " ").split())
    rivals = [
        text
        for text, k in kinds.items()
        if k == kind and not said & set(text.split()) and abs(len(text.split()) - len(place.text.split())) < 2
    ]
    return [put(sentence, place.start, place.end, rng.choice(rivals))] if rivals else []
