"""Whether a legal citation is written as The Bluebook (21st edition) asks, and what it lacks.

What a rule asks of the form of the words is checked, not whether the authority exists. The names of cases are not
checked against the tables of abbreviations: courts accept them unabbreviated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from showable.read.formats.fault import FormatFault
from showable.read.references.found import FoundReference
from showable.records.regex import regex

_NEEDS_COURT = frozenset(
    """
    F.|F.2d|F.3d|F.4th|F. App'x|F. Cas.|F. Supp.|F. Supp. 2d|F. Supp. 3d|B.R.|F.R.D.|A.|A.2d|A.3d|N.E.|N.E.2d|N.E.3d|N.W.|N.W.2d|N.W.3d|P.|P.2d|P.3d|
    S.E.|S.E.2d|S.W.|S.W.2d|S.W.3d|So.|So. 2d|So. 3d|Cal. Rptr.|Cal. Rptr. 2d|Cal. Rptr. 3d|N.Y.S.|N.Y.S.2d|N.Y.S.3d
    """.replace("\n", "")
    .replace("    ", "")
    .split("|")
)
"""Reporters of several courts: the court is named in the parenthetical (rule 10.4)."""
_OF_SEVERAL = regex(r" (?:F\.|A\.|N\.E|N\.W|P\.|S\.E|S\.W|So\.|B\.R|F\.R\.D|Cal\. ?Rptr|N\.Y\.S|WL|LEXIS)")
_VERSUS = regex(r"(?<=[\w.)'’]) (?P<mark>vs\.?|v(?!\.)|versus|V\.) (?=\S)")
_MARK = regex(r"§(?=[^\s§])")
_SPACE = regex(r"\s+")
_ALIKE = str.maketrans({"’": "'", "‘": "'", "–": "-", "\u00a0": " "})
_RULE_SETS = regex(r"Fed\. R\. (?:Civ|Crim|App|Bankr)\. P\. [0-9]|Fed\. R\. Evid\. [0-9]")


def bluebook_faults(found: FoundReference, text: str) -> list[FormatFault]:
    """Return what is wrong with one citation in `text`, nothing for a kind of which The Bluebook says nothing."""
    check = _CHECKS.get(found.reference.kind)
    return list(check(found, text)) if check else []


def _case(found: FoundReference, text: str) -> Iterator[FormatFault]:
    fields = found.reference.fields
    yield from _name(found, text)
    if "year" not in fields:
        yield FormatFault("missing_year", "no year of decision in a parenthetical (rule 10.5)")
    elif _california(found, text):
        yield FormatFault(
            "year_before_citation", "the year stands before the citation, not in a parenthetical after it (rule 10.5)"
        )
    if fields.get("reporter_known") == "no":
        yield FormatFault(
            "unknown_reporter", f"{fields.get('reporter', '')} is no reporter that is known (table T1)", found.span
        )
    yield from _reporter(found, text)
    yield from _court(found)
    after = text[found.span[1] : found.full[1]]
    if re.match(r",?\s+at\s", after) and fields.get("pin") and fields.get("neutral") != "yes":
        yield FormatFault(
            "pin_form", "a pin cite follows the first page after a comma, without at (rule 3.2)", found.span
        )


def _court(found: FoundReference) -> Iterator[FormatFault]:
    fields = found.reference.fields
    told = "court_text" in fields or fields.get("neutral") == "yes"
    parallel = fields.get("parallel", "")
    official = any(not _OF_SEVERAL.search(one) for one in parallel.split("; ")) if parallel else False
    if not told and not official and fields.get("reporter") in _NEEDS_COURT:
        yield FormatFault(
            "missing_court", f"{fields['reporter']} reports several courts, and none is named (rule 10.4)"
        )
    if told and fields.get("court") == "scotus" and fields.get("reporter") in {"U.S.", "S. Ct.", "L. Ed.", "L. Ed. 2d"}:
        yield FormatFault("needless_court", f"{fields['reporter']} tells the court (rule 10.4(a))")


def _name(found: FoundReference, text: str) -> Iterator[FormatFault]:
    fields = found.reference.fields
    if "case_name" not in fields:
        yield FormatFault("missing_name", "no name of a case before the citation (rule 10.2)")
        return
    if "history" in fields or found.full[0] == found.span[0]:
        return
    before = text[found.full[0] : found.span[0]]
    versus = _VERSUS.search(before)
    if versus and found.reference.kind != "neutral_uk":
        start = found.full[0] + versus.start("mark")
        yield FormatFault(
            "versus_form", "the parties are parted by v. (rule 10.2.1)", (start, start + len(versus["mark"]))
        )
    if not re.search(r"[,;)\]][\"'”’*_]*\s*\(?$|,[^,]*$", before) and "parallel" not in fields:
        yield FormatFault(
            "missing_comma",
            "no comma between the name and the citation (rule 10.1)",
            (found.span[0] - 1, found.span[0]),
        )


def _california(found: FoundReference, text: str) -> bool:
    before = text[found.full[0] : found.span[0]]
    return re.search(r"[(\[](?:1[6-9]|20)[0-9]{2}[)\]],?\s*$", before) is not None


def _reporter(found: FoundReference, _text: str) -> Iterator[FormatFault]:
    fields = found.reference.fields
    canonical, volume = fields.get("reporter") or fields.get("journal", ""), fields.get("volume", "")
    words = found.reference.text
    if "reporter_candidates" in fields:
        said = fields["reporter_candidates"]
        yield FormatFault("ambiguous_reporter", f"{canonical} can be {said} (table T1)", found.span)
        return
    start = len(volume) + (len(words[len(volume) :]) - len(words[len(volume) :].lstrip()))
    end = len(words.rstrip()) - len(fields.get("page", "")) if fields.get("page") else len(words.rstrip("_ "))
    written = words[start:end].rstrip(" ,-\n")
    if not canonical or not words.startswith(volume) or "nominative" in fields or fields.get("neutral") == "yes":
        return
    if _SPACE.sub(" ", written.translate(_ALIKE)) != canonical:
        place = (found.span[0] + start, found.span[0] + start + len(written))
        yield FormatFault("reporter_form", f"{_SPACE.sub(' ', written)} is abbreviated {canonical} (table T1)", place)


def _short(found: FoundReference, _text: str) -> Iterator[FormatFault]:
    if re.search(r",\s+at\b", found.reference.text):
        yield FormatFault("short_form_comma", "a short form has no comma before at (rule 10.9)", found.span)


def _database(found: FoundReference, text: str) -> Iterator[FormatFault]:
    fields = found.reference.fields
    if found.antecedent is not None:
        return
    yield from _name(found, text)
    if "docket" not in fields and "parallel" not in fields:
        yield FormatFault("missing_docket", "no docket number before the database number (rule 10.8.1)")
    if "date" not in fields:
        yield FormatFault("missing_date", "no full date of decision in the parenthetical (rule 10.8.1)")
    if "court_text" not in fields:
        yield FormatFault("missing_court", "no court in the parenthetical (rule 10.8.1)")


def _docket(found: FoundReference, _text: str) -> Iterator[FormatFault]:
    fields = found.reference.fields
    for code, field, said in (
        ("missing_name", "case_name", "name of a case"),
        ("missing_court", "court_text", "court"),
        ("missing_date", "date", "date"),
    ):
        if field not in fields:
            yield FormatFault(code, f"no {said} (rule 10.8.1)")


def _code(found: FoundReference, text: str) -> Iterator[FormatFault]:
    words = found.reference.text
    name = {"usc": "U.S.C.", "cfr": "C.F.R."}[found.reference.kind]
    if found.span[0] != found.full[0] or words.startswith("Treas."):
        return
    if name not in words:
        yield FormatFault("code_form", f"the code is abbreviated {name} (table T1)", found.span)
    yield from _section_mark(found, text)
    if found.reference.kind == "cfr" and "year" not in found.reference.fields:
        yield FormatFault("missing_year", "no year of the edition (rule 14.2(a))")


def _section_mark(found: FoundReference, _text: str) -> Iterator[FormatFault]:
    words, fields = found.reference.text, found.reference.fields
    if "section" in fields and "§" not in words:
        yield FormatFault("missing_section_mark", "no § before the section (rule 12.9)", found.span)
    tight = _MARK.search(words)
    if tight:
        place = found.span[0] + tight.start()
        yield FormatFault("section_space", "no space after § (rule 6.2(c))", (place, place + 1))
    if "section" not in fields and re.search(r"[Pp]art", words):
        yield FormatFault("part_form", "part is abbreviated pt. (rule 14.2(a))", found.span)


def _register(found: FoundReference, _text: str) -> Iterator[FormatFault]:
    fields, words = found.reference.fields, found.reference.text
    if "Fed. Reg." not in _SPACE.sub(" ", words):
        yield FormatFault("register_form", "the register is abbreviated Fed. Reg. (table T1)", found.span)
    if "date" not in fields:
        yield FormatFault("missing_date", "no date of publication (rule 14.2(a))")
    if re.search(r"\d{5}$", words):
        yield FormatFault("page_comma", "a page of five figures has a comma (rule 6.2(a))", found.span)


def _rule(found: FoundReference, _text: str) -> Iterator[FormatFault]:
    if found.span[0] == found.full[0] and not _RULE_SETS.match(_SPACE.sub(" ", found.reference.text)):
        said = f"the rule is cited {found.reference.fields['rules']} {found.reference.fields['rule']} (rule 12.9.3)"
        yield FormatFault("rule_form", said, found.span)


def _law(found: FoundReference, _text: str) -> Iterator[FormatFault]:
    if not _SPACE.sub(" ", found.reference.text).startswith("Pub. L. No. "):
        yield FormatFault("public_law_form", "a public law is cited Pub. L. No. (rule 12.4)", found.span)


def _article(found: FoundReference, text: str) -> Iterator[FormatFault]:
    fields = found.reference.fields
    for code, field, said in (
        ("missing_author", "author", "author"),
        ("missing_title", "title", "title"),
        ("missing_year", "year", "year"),
    ):
        if field not in fields:
            yield FormatFault(code, f"no {said} (rule 16)")
    yield from _reporter(found, text)


def _id(found: FoundReference, _text: str) -> Iterator[FormatFault]:
    if found.reference.text.casefold().startswith("ibid"):
        yield FormatFault("ibid_form", "the Bluebook writes id., not ibid. (rule 4.1)", found.span)
    if found.antecedent is None:
        yield FormatFault("no_antecedent", "it does not follow one citation alone (rule 4.1)", found.span)


_CHECKS: dict[str, Callable[[FoundReference, str], Iterator[FormatFault]]] = {
    "case": _case,
    "case_short": _short,
    "westlaw": _database,
    "lexis": _database,
    "docket": _docket,
    "usc": _code,
    "cfr": _code,
    "fed_reg": _register,
    "fed_rule": _rule,
    "public_law": _law,
    "law_journal": _article,
    "id": _id,
}
