"""Yes/no questions as statements: `affirm` takes the answer to be yes, `deny` to be no."""

from __future__ import annotations

import re

from statements.lexicon import AUXILIARIES, DO, HAVE, MODALS, PREDICATES, VERBS, bare
from statements.subjects import base_verb_at, predicate_at, subject_end
from statements.verbs import is_participle, past, third_person

_CONTRACTED = {
    "didn't": "did",
    "doesn't": "does",
    "isn't": "is",
    "wasn't": "was",
    "wouldn't": "would",
    "aren't": "are",
    "weren't": "were",
}
_POSITIVE = {
    "any": "some",
    "anyone": "someone",
    "anything": "something",
    "anybody": "somebody",
    "anywhere": "somewhere",
}
# A denial of these says less, or other, than that the question's answer is no.
_QUANTIFIED = frozenset(
    {"all", "some", "many", "most", "every", "each", "both", "several", "everyone", "someone", "no", "always"}
)
# Words that speak of the reader or of the text, not of the world: no statement stands on them.
_READER = re.compile(
    r"\b(you|your|i|we|us|our|passage|paragraph|article|excerpt|reader|above|mentioned|author|sentence)\b",
    re.IGNORECASE,
)
_FRAME = re.compile(
    r"^(?:from|based on|according to|given|in|using) (?:only |solely )?(?:the|this) (?:passage|paragraph|information|article|text)[^,]*, ",
    re.IGNORECASE,
)
_LONGEST = 45


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _split(question: str) -> tuple[str, str, list[str]] | None:
    """A question as (what stands before, auxiliary, words after it)."""
    text = re.sub(r"\s+", " ", question.strip()).rstrip("?. ").strip()
    text = _FRAME.sub("", text)
    if not text or _READER.search(text) or "?" in text or len(text.split()) > _LONGEST:
        return None
    first = text.split(" ", 1)[0]
    if first.lower() in AUXILIARIES and " " in text:
        return "", first.lower(), text.split()[1:]
    found = list(re.finditer(r", (?:then )?([a-z]+) ", text))
    fits = [match for match in found if match[1] in AUXILIARIES]
    if not fits or not text[:1].isupper():
        return None
    match = fits[-1]
    if re.search(r"\b(which|what|how|who|when|where|why|whether)\b", text[: match.start()], re.IGNORECASE):
        return None
    return text[: match.start()] + ", ", match[1], text[match.end() :].split()


def _without_polarity(words: list[str]) -> list[str]:
    text = re.sub(r" at all(?=$|,)", "", " ".join(word for word in words if word != "ever"))
    kept = [_POSITIVE.get(word, word) if word != "yet" else word for word in text.split()]
    return [*kept[:-1], "already"] if kept and kept[-1] == "yet" else kept


def _finite(aux: str, verb: str) -> str:
    if aux == "did":
        return past(verb)
    return third_person(verb) if aux == "does" else verb


def _supported(aux: str, words: list[str], *, no: bool) -> list[str] | None:
    at = base_verb_at(words)
    if at is None:
        return None
    subject_to = subject_end(words, at=at)
    subject, adverbs, verb, rest = words[:subject_to], words[subject_to:at], words[at], words[at + 1 :]
    if "not" in adverbs or (adverbs and adverbs[0] == "no"):
        return None
    if aux in MODALS:
        middle = [aux, "not", *adverbs, verb] if no else [aux, *[word for word in adverbs if word != "ever"], verb]
    elif no:
        middle = [aux, "not", *adverbs, verb]
    else:
        core = bare(verb)
        middle = [*[word for word in adverbs if word != "ever"], verb.replace(core, _finite(aux, core), 1)]
    return subject + middle + (rest if no else _without_polarity(rest))


def _predicated(aux: str, words: list[str], *, no: bool) -> list[str] | None:
    at = _perfect_at(words) if aux in HAVE else predicate_at(words)
    if at is None or at >= len(words):
        return None
    if words[at] == "not":
        return None
    subject, rest = words[:at], words[at:]
    return [*subject, aux, "not", *rest] if no else [*subject, aux, *_without_polarity(rest)]


def _perfect_at(words: list[str]) -> int | None:
    for at in range(1, min(len(words), 12)):
        core = bare(words[at])
        if (
            is_participle(core)
            and core.islower()
            and words[at - 1].lower() not in {"the", "a", "an", "of", "who", "that", "by"}
        ):
            return subject_end(words, at=at)
    return None


def _modal_be(aux: str, words: list[str], *, no: bool) -> list[str] | None:
    """`would X be …`: the first plain be/have settles where the subject ends, whatever verbs-or-nouns stand before it."""
    plain = base_verb_at(words)
    be = next(
        (i for i, word in enumerate(words) if i and word in {"be", "have", "likely", "still", "not", "probably"}), None
    )
    if be is not None and (plain is None or be < plain):
        words_after = words[be:]
        if "not" in words_after[:1]:
            return None
        if aux in MODALS and not any(bare(word) in VERBS for word in words_after[:3]):
            return None
        return [*words[:be], aux, *(["not"] if no else []), *(words_after if no else _without_polarity(words_after))]
    return _supported(aux, words, no=no)


def _turnable(aux: str, words: list[str], *, no: bool) -> bool:
    """Whether a subject starts where the auxiliary ends, and a denial would mean a plain no."""
    first = words[0].lower()
    adjectives = PREDICATES - {"all", "both", "more", "other", "most", "old", "older", "first", "new", "good"}
    if bare(words[0]) in adjectives or any(bare(word).lower() == "or" for word in words[:4]):
        return False
    return not (no and (first in _QUANTIFIED or first.startswith("any") or aux in {"must", "may", "might", "shall"}))


def _turn(question: str, *, no: bool) -> str | None:
    parts = _split(question)
    if parts is None or not parts[2] or not _turnable(parts[1], parts[2], no=no):
        return None
    before, aux, words = parts
    if not no:
        words = [_POSITIVE.get(words[0].lower(), words[0]), *words[1:]]
    turn = _supported if aux in DO else _modal_be if aux in MODALS else _predicated
    turned = turn(aux, words, no=no)
    if turned is None:
        return None
    text = re.sub(r"\bcan not\b", "cannot", " ".join(turned))
    return before + (text if before else _capital(text)) + "."


def affirm(question: str) -> str | None:
    """The statement a yes to this question makes; None where it would not surely be fluent."""
    return _turn(question, no=False)


def deny(question: str) -> str | None:
    """The statement a no to this question makes; None where it would not surely be fluent."""
    return _turn(question, no=True)
