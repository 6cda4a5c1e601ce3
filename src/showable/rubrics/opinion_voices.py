"""Who speaks in a passage of an opinion: the court, a dissent or concurrence, a summary, or the court in passing."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from showable.records.evidence import PairVerdict
from showable.records.record import Claim, Source
from showable.records.regex import regex
from showable.rubrics.operands import sentences_of
from showable.rubrics.retrieval_log import RetrievalLog
from showable.rubrics.table_values import terms

Voice = Literal["court", "dissent", "concurrence", "summary", "counsel", "dictum"]

HOLDING = "holding"
_MARKS: tuple[tuple[Voice, re.Pattern[str]], ...] = (
    ("dissent", regex(r"\d*dissent(?:ing)?(?:[ -]?opinion| in part| (?:by|of|per) .*)?", re.IGNORECASE)),
    (
        "concurrence",
        regex(
            r"\d*concurr(?:ence|ing)(?:[ -]?(?:in ?part|opinion)| in (?:the )?(?:judg|result).*| (?:by|of|per) .*)?",
            re.IGNORECASE,
        ),
    ),
    ("summary", regex(r"(?:case )?(?:syllabus|headnotes?|summary)", re.IGNORECASE)),
    ("counsel", regex(r"(?:arguments? of counsel|submissions?|briefs?)(?: (?:by|of|per|for) .*)?", re.IGNORECASE)),
)
"""What a heading, or a field of metadata, calls the parts that are not the court's: all of it, so that "Summary judgment" and
"Reply to the dissent" are sections like any other."""
_KEYS = ("opinion_type", "opinion", "section", "part", "type", "role", "heading")
"""Keys of a source's metadata that may say which part of a decision it is; CourtListener's types are read too: "040dissent"."""
_JUDGE = r"(?:(?:Chief )?(?:Justice|Judge)|JUSTICE|JUDGE|Lord|Lady|(?:C\.? ?J|J\.?J?|JA|JJA|LJ|LJJ|JSC|SCJ)\b\.?)"
_NAMES = r"(?:[A-Z][\w’'.-]*,? (?:and )?){0,5}"
_SIGNED = regex(
    rf"(?:^|(?<=[.!?:] )){_NAMES}{_JUDGE}[^\n(]{{0,80}}?(?:,|\(| \() ?(?:\w+ ){{0,2}}(?i:(?P<how>dissenting|concurring))\b"
    r"(?: in [\w ]{1,40}| from [\w ]{1,40}|,? and (?:dissenting|concurring) in part| only)?[)\]]?[.:](?=\s|$)"
    r"|^\W{0,4}(?:[IVX\d]{1,4}\.? )?(?i:(?P<head>dissent(?:ing opinion)?|concurr(?:ence|ing opinion)|(?:majority )?opinion of the court|majority(?: opinion)?"
    r"|per curiam|syllabus|headnotes?|arguments? of counsel))(?: (?i:of|by|per|for) [^\n.]{1,60})?\W*$"
    r"|(?P<court>(?i:\bdelivered the opinion of the court\b|\bopinion of the court (?:was )?(?:delivered|written) by\b|\bfor the court[.:])"
    rf"|^{_NAMES}{_JUDGE},? with whom [^\n.]{{1,80}} (?:agree[ds]?|joined?|joins|concur(?:red|s)?)[.:])",
    re.MULTILINE,
)
"""Where somebody begins to speak: "Lathbury JA (dissenting).", "JUSTICE THOMAS, with whom …, dissenting.", a heading "Dissent". Not
"(Holmes, J., dissenting)" behind a citation, nor "As Justice Holmes, dissenting in Lochner, wrote, …", which goes on."""
_CLOSED = regex(r"\bI (?:\w+ )?dissent\b", re.IGNORECASE)
"""How a dissent says that it is one, wherever it says so: "I respectfully dissent"."""
_IN_PASSING = regex(
    r"\b(?:unnecessary|not necessary|no need|need not|needn['’]t) (?:for us )?(?:to )?(?:decide|reach|resolve|address|consider|determine)\b"
    r"|\b(?:without|do not|does not|did not) (?:so )?(?:decid(?:e|ing)|resolv(?:e|ing)|reach(?:ing)?)\b"
    r"|\b(?:no|any) (?:concluded|final|settled) (?:view|opinion)\b|\bexpress(?:es|ed|ing)? no (?:view|opinion)\b|\bobiter\b|\bincline(?:d|s)? to (?:think|the view)\b"
    r"|\bleaves? (?:that|the|this) (?:question|point|issue) (?:open|for another day)\b|\bassum(?:e|ing)[^.]{0,30} without deciding\b",
    re.IGNORECASE,
)
"""How a court says that it does not decide: "it is unnecessary to decide whether …; we incline to think that it may"."""
_SAID: dict[Voice, str] = {
    "dissent": "what it relies on stands in a dissent",
    "concurrence": "what it relies on stands in a concurrence",
    "summary": "what it relies on stands in a summary, which is no part of the opinion",
    "counsel": "what it relies on stands in an argument of counsel",
    "dictum": "what it relies on is said in passing, and not decided",
}


def as_holding(claim: Claim, pair: PairVerdict, log: RetrievalLog) -> PairVerdict:
    """Return a verdict on a claim that a court held something as one on the court's own words.

    Support by words that are not the court's, in every source that it is of, is none: the verdict is unsupported with p 0, and
    says whose they are. A passage that tells nobody's voice is taken for the court's.
    """
    if claim.kind != HOLDING or pair.verdict.label in {"unknown", "contradicted"}:
        return pair
    voices = [_voice_relied_on(claim, pair, log, source_id) for source_id in pair.sources]
    if not voices or "court" in voices:
        return pair
    verdict = pair.verdict.model_copy(
        update={
            "label": "unsupported",
            "p": None if pair.verdict.p is None else 0.0,
            "topical": None,
            "reason": f"the court did not hold it: {_SAID[voices[0]]}",
        }
    )
    return pair.model_copy(update={"verdict": verdict})


def voice_of(source: Source) -> Voice | None:
    """Return whose words a source is by its own metadata or title; None where neither says so."""
    told = (str(source.metadata[key]).strip() for key in _KEYS if source.metadata.get(key))
    for said in (*told, source.title or ""):
        voice = _named(said) or next((voice for _, voice in _beginnings(f"{said}.")), None)
        if voice is not None:
            return voice
    return None


def _named(heading: str) -> Voice | None:
    return next((voice for voice, pattern in _MARKS if pattern.fullmatch(heading)), None)


def voice_at(text: str, place: int) -> Voice | None:
    """Return who speaks at a place of an opinion by the last signature or heading before it; None where none stands there."""
    before = [voice for start, voice in _beginnings(text) if start <= place]
    if before:
        return before[-1]
    return "dissent" if _CLOSED.search(text) and not _beginnings(text) else None


def _voice_relied_on(claim: Claim, pair: PairVerdict, log: RetrievalLog, source_id: str) -> Voice:
    text = log.texts.get(source_id, "")
    told = (pair.spans[0] if pair.spans else pair.verdict.quote_span) if len(pair.sources) == 1 else None
    start, end = told or _closest(claim, text)
    by_itself = [voice for source in log.by_id.get(source_id, ()) if (voice := voice_of(source)) is not None]
    voice = voice_at(text, start) or (by_itself[0] if by_itself else "court")
    return "dictum" if voice == "court" and _IN_PASSING.search(text[start:end]) else voice


def _closest(claim: Claim, text: str) -> tuple[int, int]:
    """Return the place of the sentence that shares most terms with a claim."""
    words = frozenset(terms(claim.text))
    sentence = max(sentences_of(text), key=lambda one: len(words & one[1]), default=("", words))[0]
    start = text.find(sentence)
    return start, start + len(sentence)


@lru_cache(maxsize=256)
def _beginnings(text: str) -> tuple[tuple[int, Voice], ...]:
    """Return where in a text who begins to speak."""
    found: list[tuple[int, Voice]] = []
    for match in _SIGNED.finditer(text):
        said = match["how"] or match["head"] or ""
        found.append((match.start(), _named(said) or "court"))
    return tuple(found)
