"""Is it the value asked for that equals gold's? An answer may give it of something else, and another of what was asked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from showable.read.quantities import find_quantities, same_quantity
from showable.rubrics.gold_match import Match
from showable.rubrics.gold_members import Bound, bound_values, meaning, opens_with_pronoun
from showable.rubrics.gold_question import Asked
from showable.rubrics.gold_statements import Statement
from showable.rubrics.gold_units import SHARE

_PART_OR_PAST = re.compile(
    r"\b(?:of which|of whom|of these|of this|each|per|every|includ\w+|compris\w+|up from|down from|compared|versus|vs|previous\w*|prior|former\w*|earlier|initial\w*|"
    r"original\w*|until|estimate\w*|expect\w*|forecast\w*|target\w*|guidance|example|other|another|if|unless|except|exclud\w+)\b|\s[=≈+×*/]\s",
    re.IGNORECASE,
)
_FOLLOWS = re.compile(
    r"[,;]\s*(?:and\s)?an?\s(?!total\b)|\W*(?:(?:and\s|or\s)?(?:so|thus|hence|therefore|consequently)\b|i\.e\.|that is\b|meaning\b|giving\b|resulting\b|equal\b|equivalent\b|for an?\s|which\s|making\b)",
    re.IGNORECASE,
)
"""Openings of a member that says of the whole before it what follows: "…, a rise of 5", "…, so 5 in the end"."""
_ELSEWHERE = re.compile(r"\W*(?:outside|except|apart from|other than|beyond)\b", re.IGNORECASE)
_AGAINST = frozenset({"against"})
_CONTRASTS = frozenset({"against", "without", "outside", "before", "after"})
_MEASURED = frozenset({"measure", "duration", "date"})
_ALIKE = ({"money", "number"}, {"number", "year"}, {"date", "year"})
_WHICH_YEAR = re.compile(
    r"(?<!\bin )(?<!\bon )(?<!\bby )(?<!\bsince )\b(?:which|what) (?:\w+ )?(?:years?|quarters?|months?|dates?|days?) (?:had|has|have|saw|shows?|showed|is|are|was|were)\b",
    re.IGNORECASE,
)
"""Asks which of several years stands out, so that each of them is a label: "Which year had the highest income?"."""
_RESTRICTS = re.compile(r"\bof (?:which|whom|them|these|those|this)\b|\b(?:includ|compris)\w+", re.IGNORECASE)
_FROM, _TO = (re.compile(rf"\b(?:{word})\s+(?:about |around |roughly )?$", re.IGNORECASE) for word in ("from", "to"))
_CHANGED = re.compile(
    r"\b(?:rais|increas|rose|rise|reduc|decreas|lower|cut|fell|fall|chang|went|gone|grew|grow|extend|shorten|amend|mov|drop|climb|expand|shr[aiu]nk|doubl|halv|revis|adjust)\w*",
    re.IGNORECASE,
)
_FORMER_ASKED = re.compile(
    r"\b(?:from|before|between|prior|previous\w*|former\w*|original\w*|initial\w*|first|start\w*|old|earlier|used to|range|change\w*|difference)\b",
    re.IGNORECASE,
)
_ASKS_DIFFERENCE = re.compile(
    r"\bby (?:how (?:much|many|far)|what (?:margin|majority|amount))\b|\b(?:difference|margin|majority|lead)\b|\bhow (?:much|many) (?:\w+ )?(?:more|fewer|less|higher|lower|longer|shorter)\b",
    re.IGNORECASE,
)
_DIFFERS = re.compile(
    r"\W+(?:\w+\s+)?(?:more|fewer|less|higher|lower|longer|shorter|above|below|ahead|behind|over|under)\b",
    re.IGNORECASE,
)
"""Follows a value that is a difference: "87 fewer than", "30 days longer"."""
_PLAINLY = 2


def rebind(match: Match, asked: Asked, answer: Sequence[Statement], gold: str) -> Match:
    """Take an agreement back where gold's value is given of something else, and another value of what was asked.

    Each value is bound to the words of its own clause or member of a list. Where every value that equals gold's stands
    among words that neither the question nor gold has, and another of its kind among words that they have, it is a
    disagreement if nothing else is said of that other one, and unknown if something is.
    """
    if match.agreement != "agrees" or not match.values:
        return match
    dated = asked.when and _WHICH_YEAR.search(asked.text) is None and bool(_years_alone(gold))
    bound = list(bound_values(answer, years=dated))
    ours = [b for b in bound if b.statement.text in match.statements and b.value.text in match.values]
    kinds: frozenset[str] = frozenset(b.value.kind for b in ours)
    if SHARE & {q.kind for q in find_quantities(gold)}:
        kinds = SHARE
    if "year" in kinds and asked.when and not dated:
        return match
    others = [b for b in bound if _is_other(b, ours, kinds, asked)]
    if not ours or not others or _is_difference_asked_for(ours, asked):
        return match
    known = meaning(asked.text, periods=not dated) | meaning(gold, periods=not dated)
    rivals = [_rival(b, others, known, asked) for b in ours]
    plain = [r for r, is_plain in filter(None, rivals) if is_plain]
    if None in rivals:
        return match
    if plain:
        reason = f"the answer gives {plain[0].value.text}, and {ours[0].value.text} of something else"
        return Match("disagrees", reason, (plain[0].statement.text,), values=(plain[0].value.text,))
    reason = f"the answer gives {ours[0].value.text} and other values, and of which it is what was asked is open"
    return Match("unknown", reason, match.statements, undecided=True)


def _is_difference_asked_for(ours: Sequence[Bound], asked: Asked) -> bool:
    """Tell a difference that a difference was asked for by: what it differs from is then no rival."""
    if _ASKS_DIFFERENCE.search(asked.text) is None:
        return False
    return any(_DIFFERS.match(b.statement.text.partition(b.value.text)[2]) for b in ours)


def _years_alone(gold: str) -> bool:
    """Tell a gold answer that is a year or a date, so that a year is a value in the answer."""
    found = find_quantities(gold)
    return bool(found) and all(q.kind in {"year", "date"} for q in found)


def _is_other(b: Bound, ours: Sequence[Bound], kinds: frozenset[str], asked: Asked) -> bool:
    """Tell whether a value is of the kind of gold's, not the same, and not a part, a former value or one of the question's."""
    if any(same_quantity(b.value, o.value) for o in ours) or any(same_quantity(b.value, q) for q in asked.quantities):
        return False
    alike = b.value.kind in kinds or any({b.value.kind, kind} in _ALIKE for kind in kinds)
    apart = _marks(b).difference(*(_marks(o) for o in ours))
    return alike and (not apart or _RESTRICTS.search(b.text) is not None)


def _marks(b: Bound) -> frozenset[str]:
    """List the words of a member that make its value a part, a former one or one for each."""
    return frozenset(m.group().lower() for m in _PART_OR_PAST.finditer(b.text))


def _rival(ours: Bound, others: Sequence[Bound], known: frozenset[str], asked: Asked) -> tuple[Bound, bool] | None:
    """Find the value that is bound to more of the question's words than ours, and whether it is so plainly."""
    open_ = [(other, plain) for other in others if (plain := _displaces(other, ours, known)) is not None]
    open_ += [(other, True) for other in others if _supersedes(other, ours, asked)]
    return max(open_, key=lambda found: found[1], default=None)


def _displaces(other: Bound, ours: Bound, known: frozenset[str]) -> bool | None:
    """Tell whether the other value, rather than ours, is what was asked for: plainly, perhaps, or (None) not."""
    apart = other.statement.text != ours.statement.text
    if _FOLLOWS.match(ours.text) or (apart and ours.statement.concludes) or _other_time(other, known):
        return None
    words = ours.words | ours.subject if apart else ours.words
    theirs = other.words | other.subject
    gain, lack = (other.words & known) - words, (words & known) - theirs
    foreign, stray = words - known - other.words, other.words - known - words - _AGAINST
    part = _RESTRICTS.search(other.text) is not None
    if not (foreign or part or gain & _CONTRASTS) or not (gain or _ELSEWHERE.match(ours.text)):
        return None
    plain = not stray or (len(gain) >= _PLAINLY and not lack)
    if apart and ours.value.kind not in _MEASURED:
        return True if plain and other.statement.restates >= ours.statement.restates else None
    perhaps = len(gain) > len(lack) and not part and not opens_with_pronoun(ours.text)
    return plain if plain or perhaps else None


def _supersedes(other: Bound, ours: Bound, asked: Asked) -> bool:
    """Tell whether ours is what the other value was changed from: "raised from 10 to 12", asked what it is."""
    text = ours.statement.text
    if other.statement.text != text or asked.when or _FORMER_ASKED.search(asked.text):
        return False
    if any(q.kind in {"year", "quarter", "date"} for q in asked.quantities) or _CHANGED.search(text) is None:
        return False
    return bool(_FROM.search(text[: ours.value.span[0]]) and _TO.search(text[: other.value.span[0]]))


def _other_time(b: Bound, known: frozenset[str]) -> bool:
    """Tell whether a value is said to be of a year or quarter that was not asked about."""
    asked, said = ({w for w in words if w[-1:].isdigit()} for words in (known, b.words))
    return bool(asked and said - asked)
