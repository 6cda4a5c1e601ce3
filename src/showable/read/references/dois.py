"""DOIs in running text: where one ends, what an address or a line break adds to it."""

from __future__ import annotations

import html
import re
from urllib.parse import unquote

from showable.read.invisible import without_invisible
from showable.read.references.found import FoundReference, Span
from showable.read.references.identifier_checks import doi_fault
from showable.read.references.placed import placed
from showable.records.regex import regex

_PREFIX = regex(r"(?<![\d.])10\.\d{4,9}(?:\.\d{1,9})*(?:/|%2[Ff])\s?(?=\S)")
_SUFFIX = regex(
    r"(?:[^\s\"“”«»<>\[\]{}|\\^`（）【】「」『』，。；、：]|<[^\s<>]{1,80}>(?=\d\.\d\.[A-Z]{2};)|\[[^\s\[\]]{1,80}\](?=\d\.\d\.[A-Z]{2};))+"
)
"""The brackets of a SICI (``…<1::AID-AJPA1>3.0.CO;2-1``) are part of the DOI, others are not."""
_ESCAPED = regex(r"&lt;(?=[^\s&]{1,80}&gt;\d\.\d\.[A-Z]{2};)|(?<=[\w:])&gt;(?=\d\.\d\.[A-Z]{2};)|&amp;")
_NEXT = regex(
    r"(?i)&(?:quot|nbsp|apos|lt|gt|#\d{1,5});|[,;]+(?=(?:10\.\d{4,9}/|https?:|doi:|pm(?:id|c)|\[))"
    r"|(?-i:PMC?ID):?\s?(?:PMC)?\d|(?-i:\.Epub)(?![a-z])"
)
"""What stands right after a DOI and is no part of it: in pasted entries of PubMed often without a space between."""
_LEAD = regex(
    r"(?i)(?P<url>https?://[^\s<>\"()\[\]]{0,300}[/=]|(?<![\w.])(?:https?://)?(?:dx\.|www\.)?doi\.org/\s?)$"
    r"|(?P<label>(?<![^\W_])(?:digital object identifier|doi)(?:\.org)?(?:[ \t]*\(doi\))?[ \t]*(?:[:=#]|number|no\.)?\s?(?:doi:[ \t]?)?)$"
)
_LABELLED = regex(r"(?i)(?<![^\W_])doi[ \t]*[:=][ \t]*(?=\S)(?!10\.\d{4,9}/|https?:|doi)")
_SHORT = regex(r"(?i)(?<![\w.-])(?:https?://)?(?:dx\.)?doi\.org/(?!10\.\d{4})([^\s<>\"()\[\]{}|\\^`?#]{3,60})")
_ALONE = regex(r"10\.\d+(?:\.\d+)*/\S*[A-Za-z]\S*")
_PAGE_OF = regex(
    r"(?i)(?:/(?:full(?:/html|\.pdf|-text)?|fulltext|abstract|summary|pdf(?:/.*)?|epdf|pdfdirect|html|meta|tables|references|suppl.*))?/?$"
)
_QUERY = regex(r"[?#&]")
_NUMBER = regex(r"[\d.,:/-]+")
_OPERATOR_BEFORE = regex(r"[=+*/×÷^<>≈~$€£-]\s?$")
_OPERATOR_AFTER = regex(r"\s?[=+*×÷^<>≈]|\s[/-]\s|\s?%")
_BREAK_AFTER = regex(r"[ \t]*\r?\n[ \t]*(?=[\w(])")
_GOES_ON = regex(r"(?=\S*\d)[\w(][^\s\"<>\[\]{}|]{2,80}")
_WHOLE_NUMBER = regex(r"(?:19|20)\d\d\b|\d{1,3}[.)](?:\s|$)|(?i:https?:|doi|pmid|pmc)")
_PARENTHESIS = regex(r"[()]")
_LOOK_BACK = 340
_FEWEST_DIGITS = 3
_LONGEST = 400
_LABELLED_ROOM = 6
"""Characters after a DOI within which the number that makes ``PMCID: PMC`` a label begins."""
_ENDS = ".,;:!?'*_~’‘…·"


def find_dois(text: str) -> list[FoundReference]:
    """Find DOIs, bare, after ``doi:`` and in addresses; `doi` is in lower case, percent signs decoded.

    A bare number is none where its suffix is digits alone, fewer than three or beside an operator:
    ``10.1234/5 = 2.02`` is a division. A label before what has no shape of a DOI is kept with `malformed`.
    """
    found = []
    if "10." in text:
        end = 0
        for match in _PREFIX.finditer(text):
            if match.start() >= end and (one := _read(text, match)) is not None:
                found.append(one)
                end = one.span[1]
    lowered = text.lower() if "doi" in text or "DOI" in text or "Doi" in text else ""
    if "doi.org/" in lowered:
        found += [_short(text, match) for match in _SHORT.finditer(text)]
    if lowered:
        found += [one for match in _LABELLED.finditer(text) if (one := _labelled(text, match)) is not None]
    if not found and _ALONE.fullmatch(text.strip()):
        found.append(_alone(text))
    return found


def _read(text: str, match: re.Match[str]) -> FoundReference | None:
    floor = max(0, match.start() - _LOOK_BACK)
    lead = _LEAD.search(text[floor : match.start()])
    address = (lead["url"] or "") if lead else ""
    if lead is None and match.start() and (text[match.start() - 1].isalnum() or text[match.start() - 1] == "_"):
        return None
    end = _end(text, match.end(), address)
    if end <= match.end():
        return None
    suffix = text[match.end() : end]
    if lead is None and _is_arithmetic(text, (match.start(), end), suffix):
        return None
    start = floor + lead.start() if lead else match.start()
    doi = clean_doi(text[match.start() : end], decode=bool(address))
    fields = {"doi": doi, "malformed": doi_fault(doi) or ""}
    if address.lower().startswith("http"):
        fields["url"] = "".join(text[start:end].split())
    return placed(text, "doi", (start, end), fields)


def doi_in(url: str) -> str | None:
    """Return the DOI that an address carries in its path, as ``dl.acm.org/doi/full/10.1145/…`` does, or None."""
    match = _PREFIX.search(url) if "10." in url else None
    if match is None or match.start() == 0 or url[match.start() - 1] not in "/=":
        return None
    end = _end(url, match.end(), url[: match.start()])
    return clean_doi(url[match.start() : end], decode=True) if end > match.end() else None


def clean_doi(raw: str, *, decode: bool = False) -> str:
    """Return a DOI as a key: no white space or invisible characters, entities and percent signs decoded, lower case."""
    joined = re.sub(r"([a-z])[-\u2010\u00ad][ \t]*\r?\n[ \t]*([a-z])", r"\1\2", raw)
    plain = html.unescape("".join(without_invisible(joined).split()))
    return (unquote(plain) if decode or "%2f" in plain.lower() else plain).lower()


def _end(text: str, start: int, address: str) -> int:
    """Return where the suffix that begins at an offset ends."""
    end = _run(text, start)
    if address:
        query = _QUERY.search(text, start, end)
        end = query.start() if query else end
        if "doi.org" not in address.lower():
            page = _PAGE_OF.search(text, start, end)
            end = page.start() if page and page.start() > start else end
            end -= 4 if text[end - 4 : end].lower() == ".pdf" else 0
    end = _trimmed(text, start, end)
    broken = _BREAK_AFTER.match(text, _past_marks(text, end))
    if broken is None or not _continues(text, end, broken):
        return end
    return _trimmed(text, start, _run(text, broken.end()))


def _run(text: str, start: int) -> int:
    match = _SUFFIX.match(text, start, min(len(text), start + _LONGEST))
    if match is None:
        return start
    end = match.end()
    escaped = {one.start() for one in _ESCAPED.finditer(text, start, end)}
    for cut in _NEXT.finditer(text, start + 1, min(len(text), end + _LABELLED_ROOM)):
        if cut.start() < end and cut.start() not in escaped:
            return cut.start()
    return end


def _past_marks(text: str, end: int) -> int:
    """Step over one mark that trimming took and that may be part of a DOI broken across lines."""
    return end + 1 if text[end : end + 1] in {".", "(", "_", ":", ";"} and text[end : end + 1] else end


def _continues(text: str, end: int, broken: re.Match[str]) -> bool:
    """Check whether a DOI goes on after a line break: its line ends in a mark no DOI ends in, and digits follow."""
    after = _GOES_ON.match(text, broken.end())
    last = text[broken.start() - 1]
    if after is None or last not in "-/._(\u00ad\u2010" or _WHOLE_NUMBER.match(text, broken.end()):
        return False
    if last == ".":
        return re.match(r"\d{5,}|[a-z]{1,12}[.\d]\S*\d", after[0]) is not None
    return broken.start() - end <= 1


def _trimmed(text: str, start: int, end: int) -> int:
    """Leave out what belongs to the sentence: marks at the end, and a bracket that is not opened or not closed within."""
    unclosed: list[int] = []
    for match in _PARENTHESIS.finditer(text, start, end):
        if match[0] == "(":
            unclosed.append(match.start())
        elif unclosed:
            unclosed.pop()
        else:
            end = match.start()
            break
    if unclosed and unclosed[0] < end:
        end = unclosed[0]
    while end > start and text[end - 1] in _ENDS:
        end -= 1
    return end


def _is_arithmetic(text: str, span: Span, suffix: str) -> bool:
    if not _NUMBER.fullmatch(suffix):
        return False
    digits = sum(char.isdigit() for char in suffix)
    beside = _OPERATOR_BEFORE.search(text[max(0, span[0] - 2) : span[0]]) or _OPERATOR_AFTER.match(text, span[1])
    return digits < _FEWEST_DIGITS or beside is not None


def _short(text: str, match: re.Match[str]) -> FoundReference:
    """Read ``doi.org/abc123``, the short form of a DOI, or what is no DOI at all though it stands there."""
    end = _trimmed(text, match.start(1), match.end(1))
    token = unquote(text[match.start(1) : end]).lower()
    doi = f"10/{token}" if re.fullmatch(r"[a-z0-9]{3,12}", token) else token
    span = (match.start(), end)
    url = text[slice(*span)] if match[0].lower().startswith("http") else ""
    return placed(text, "doi", span, {"doi": doi, "malformed": doi_fault(doi) or "", "url": url})


def _labelled(text: str, match: re.Match[str]) -> FoundReference | None:
    """Keep what a label calls a DOI and what is none, where it has a digit and a slash or a point."""
    end = _trimmed(text, match.end(), _run(text, match.end()))
    token = text[match.end() : end]
    if not any(map(str.isdigit, token)) or not ("/" in token or token.startswith("10.")):
        return None
    doi = clean_doi(token)
    return placed(text, "doi", (match.start(), end), {"doi": doi, "malformed": doi_fault(doi) or ""})


def _alone(text: str) -> FoundReference:
    start = len(text) - len(text.lstrip())
    end = len(text.rstrip())
    doi = text[start:end].lower()
    return placed(text, "doi", (start, end), {"doi": doi, "malformed": doi_fault(doi) or ""})
