"""News articles as they are cited: by line, headline, outlet, date, address, in prose, in a list, beside a link."""

from __future__ import annotations

import re

from showable.read.references.entry_text import plain_entry
from showable.read.references.found import FoundReference, Span
from showable.read.references.links_in_text import Link, links_in
from showable.read.references.placed import placed
from showable.read.references.written_dates import DATE, iso_date
from showable.records.regex import regex

_DATED = regex(DATE)
_OUTLET = regex(
    r"\b(?:Times|Post|Guardian|Reuters|Associated Press|AP(?: News)?|BBC(?: News)?|CNN|NPR|MSNBC|CNBC|ABC News|CBS News|NBC News|Fox News|Sky News|PBS|Al Jazeera|Bloomberg|Axios|"
    r"Politico|ProPublica|Vox|Slate|Salon|HuffPost|BuzzFeed(?: News)?|Wired|The Verge|Ars Technica|TechCrunch|Forbes|Fortune|Newsweek|Time|The Atlantic|The New Yorker|The Economist|"
    r"The Hill|USA Today|Wall Street Journal|WSJ|Financial Times|Independent|Telegraph|Observer|Herald|Tribune|Gazette|Chronicle|Examiner|Inquirer|Globe|Courier|Dispatch|Sentinel|"
    r"Star|Sun|Mirror|Mail|Express|Standard|Bee|Mercury|Record|Register|Daily|Evening|Morning|Le Monde|Le Figaro|Libération|El País|El Mundo|La Repubblica|Corriere|Die Zeit|"
    r"Der Spiegel|Spiegel|Frankfurter|Süddeutsche|Asahi|Xinhua|Deutsche Welle|DW|France 24|AFP|Agence France-Presse|STAT(?: News)?|News|Newspaper|Press|Outlet|Wire|Review-Journal|Plain Dealer)\b"
)
_JOURNAL = regex(
    r"\b(?:Proceedings|Transactions|Annals|Archives|Reviews?|Letters|Research|Medicine|Science|Sciences|Nature|Lancet|University Press|Law (?:Journal|Review))\b(?!-)"
)
_NAME = r"[A-Z][\w.'’-]*(?:\s(?:(?:van|von|de|der|la|el|al|bin)\s)?[A-Z][\w.'’-]*){1,3}"
_AUTHORS = rf"{_NAME}(?:,\s{_NAME}){{0,4}}(?:,?\s(?:and|&)\s{_NAME})?"
_OUTLET_SHAPE = r"(?:The\s|the\s|Le\s|La\s|El\s|Die\s|Der\s)?[A-Z][\w.&'’-]*(?:\s(?:of\s|the\s|and\s|&\s|de\s)?[A-Z][\w.&'’-]*){0,5}"
_QUOTED = r"(?:“(?P<curly>[^”\n]{4,250})”|\"(?P<straight>[^\"\n]{4,250})\")"
_URL_AFTER = r"(?:[,.;:]?\s(?:[Aa]vailable at:?\s|[Rr]etrieved from:?\s)?(?P<mark>[(<]?)(?=https?://|www\.))?"
_QUOTED_FORM = regex(
    rf"(?:(?:\b[Bb]y\s)?(?P<author>{_AUTHORS}),\s|(?P<inverted>[A-Z][\w'’-]+,\s[A-Z][\w.'’-]+(?:\s[A-Z]\.)?)\.\s)?{_QUOTED}[,.]?\s(?:in\s)?(?P<outlet>{_OUTLET_SHAPE}),?\s\(?(?P<date>{DATE})\)?{_URL_AFTER}"
)
_BYLINE_FORM = regex(
    rf"\b[Bb]y\s(?P<author>{_AUTHORS}),\s(?P<title>[^\n,]{{4,200}}(?:,\s[^\n,]{{3,120}}){{0,3}}?),\s(?P<outlet>{_OUTLET_SHAPE}),?\s\(?(?P<date>{DATE})\)?{_URL_AFTER}"
)
_APA_FORM = regex(
    rf"(?P<author>[A-Z][\w'’-]+,\s(?:[A-Z]\.\s?){{1,3}}(?:,\s(?:&\s)?[A-Z][\w'’-]+,\s(?:[A-Z]\.\s?){{1,3}}){{0,5}})\((?P<date>(?:19|20)\d\d,\s[A-Z][a-z]+\.?\s\d{{1,2}})\)\.\s(?P<title>[^\n]{{4,250}}?[.?!])\s(?P<outlet>{_OUTLET_SHAPE})\.{_URL_AFTER}"
)
_DATED_FORM = regex(
    rf"(?P<author>[A-Z][\w'’-]+,\s[A-Z][\w.'’-]*(?:\s[A-Z]\.)?(?:;\s[A-Z][\w'’-]+,\s[A-Z][\w.'’-]*(?:\s[A-Z]\.)?){{0,5}})\s\((?P<date>{DATE})\)\.\s{_QUOTED}\s?\.?\s(?P<outlet>{_OUTLET_SHAPE})\s?\.{_URL_AFTER}"
)
_PLAIN_FORM = regex(
    rf"(?<![\w.])(?P<author>{_AUTHORS}),\s(?P<title>[A-Z][^\n,“\"]{{8,200}}(?:,\s[^\n,“\"]{{3,120}}){{0,3}}?),\s(?P<outlet>{_OUTLET_SHAPE}),?\s\(?(?P<date>{DATE})\)?,\s(?=https?://|www\.)"
)
_NEEDS_QUOTE, _NEEDS_BY = ('"', "“"), ("By ", "by ")
_AROUND = 160
_AFTER_LINK = regex(
    rf"[\s,.;–—-]{{0,3}}\(?(?:(?:by\s)?(?P<author>{_NAME}(?:\sand\s{_NAME})?),\s)?(?P<outlet>{_OUTLET_SHAPE}),?\s(?P<date>{DATE})\)?"
)
_BEFORE_LINK = regex(rf"(?:[Bb]y\s(?P<author>{_NAME}(?:\sand\s{_NAME})?),\s)?(?P<outlet>{_OUTLET_SHAPE})\s?[:,]\s$")
_DATE_AFTER = regex(rf"[\s,.]{{0,2}}\(?(?P<date>{DATE})\)?")
_LABEL_OF = regex(rf"(?P<outlet>{_OUTLET_SHAPE}),\s(?P<date>{DATE})")
_LONGEST_LINE = 1200


def find_news(text: str) -> list[FoundReference]:
    """Find news articles with their claims: kind `news`, fields title, author, outlet, date (ISO 8601), url.

    A date with its day is always asked for, and an outlet that is one by its name; a plain address without
    these stays an address.
    """
    links = links_in(text)
    lines = [(start, end) for start, end in _lines(text) if _DATED.search(text, start, end)]
    if not lines:
        return []
    found = [one for link in links if link.label and (one := _beside_link(text, link)) is not None]
    starts = {link.span[0]: link for link in links}
    for start, end in lines:
        for form in _forms(text[start:end]):
            found += [
                one for match in form.finditer(text, start, end) if (one := _read(text, match, starts)) is not None
            ]
    return found


def _lines(text: str) -> list[Span]:
    """Return the lines of a text in pieces that one article's citation fits in."""
    spans = []
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        spans += [(at, min(end, at + _LONGEST_LINE)) for at in range(start, end, _LONGEST_LINE)]
        start = end + 1
    return spans


def _forms(line: str) -> list[re.Pattern[str]]:
    forms = []
    if any(mark in line for mark in _NEEDS_QUOTE):
        forms += [_QUOTED_FORM, _DATED_FORM]
    if any(mark in line for mark in _NEEDS_BY):
        forms.append(_BYLINE_FORM)
    if "(19" in line or "(20" in line:
        forms.append(_APA_FORM)
    if "http" in line or "www." in line:
        forms.append(_PLAIN_FORM)
    return forms


def is_outlet(name: str) -> bool:
    """Check whether a name is a newspaper's, an agency's or a broadcaster's rather than a journal's."""
    return _OUTLET.search(name) is not None and _JOURNAL.search(name) is None


def _read(text: str, match: re.Match[str], links: dict[int, Link]) -> FoundReference | None:
    given = match.groupdict()
    if not is_outlet(match["outlet"]):
        return None
    link = links.get(match.end())
    end = link.span[1] if link else match.end()
    title = given.get("title") or given.get("curly") or given.get("straight") or ""
    fields = {
        "title": plain_entry(title).line.rstrip(" .,"),
        "author": (given.get("author") or given.get("inverted") or "").strip(" ,"),
        "outlet": match["outlet"].strip(" ,."),
        "date": iso_date(match["date"]),
        "url": link.url if link else "",
    }
    while end > match.start() and text[end - 1] in " .,;:(<":
        end -= 1
    return placed(text, "news", (match.start(), end), fields)


def _beside_link(text: str, link: Link) -> FoundReference | None:
    """Read outlet and date beside a link, or in its words."""
    named = _LABEL_OF.fullmatch(link.label)
    if named and is_outlet(named["outlet"]):
        fields = {"outlet": named["outlet"], "date": iso_date(named["date"]), "url": link.url}
        return placed(text, "news", link.full, fields)
    stop = min(len(text), link.full[1] + _AROUND)
    after = _AFTER_LINK.match(text, link.full[1], stop)
    if after and is_outlet(after["outlet"]):
        return _linked(text, link, (link.full[0], after.end()), (after["author"], after["outlet"], after["date"]))
    before = _BEFORE_LINK.search(text, max(0, link.full[0] - _AROUND), link.full[0])
    date = _DATE_AFTER.match(text, link.full[1], stop)
    if before and date and is_outlet(before["outlet"]):
        return _linked(text, link, (before.start(), date.end()), (before["author"], before["outlet"], date["date"]))
    return None


def _linked(text: str, link: Link, full: Span, said: tuple[str | None, str, str]) -> FoundReference:
    fields = {
        "title": link.label.strip("“”\"' .,"),
        "author": said[0] or "",
        "outlet": said[1],
        "date": iso_date(said[2]),
        "url": link.url,
    }
    return placed(text, "news", link.full, fields, full)
