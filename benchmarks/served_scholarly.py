"""True records of labelled citations, served as registries serve theirs: initials, other names of venues, subtitles apart.

Each change is drawn for a record by a hash of its title and the seed, so that a run can be repeated. What was
changed in a way that takes a mark of the truth away is kept in `Served`: against such a record a wrong claim may be right.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

VENUES = {
    "ICML": "International Conference on Machine Learning",
    "CVPR": "IEEE/CVF Conference on Computer Vision and Pattern Recognition (CVPR)",
    "NeurIPS": "Advances in Neural Information Processing Systems",
    "AAAI": "Proceedings of the AAAI Conference on Artificial Intelligence",
    "ICLR": "International Conference on Learning Representations",
    "ACL": "Proceedings of the Annual Meeting of the Association for Computational Linguistics",
    "NAACL": "Proceedings of the Conference of the North American Chapter of the Association for Computational Linguistics",
    "ICCV": "IEEE/CVF International Conference on Computer Vision (ICCV)",
    "ECCV": "European Conference on Computer Vision",
    "Mach. Learn.": "Machine Learning",
    "J. Mach. Learn. Res.": "Journal of Machine Learning Research",
    "Trans. Mach. Learn. Res.": "Transactions on Machine Learning Research",
    "Nat Commun": "Nature Communications",
    "Brief Bioinform": "Briefings in Bioinformatics",
    "Int J Mol Sci": "International Journal of Molecular Sciences",
    "Int J Lab Hematol": "International Journal of Laboratory Hematology",
    "J Biosci Bioeng": "Journal of Bioscience and Bioengineering",
    "Frontiers in Bioinformatics": "Front. Bioinform.",
    "Journal of Legal Analysis": "J. Leg. Anal.",
    "ACM Transactions on Information Systems": "ACM Trans. Inf. Syst.",
    "Natural Language Processing Journal": "Nat. Lang. Process. J.",
    "Nature Communications": "Nat Commun",
    "BMC Bioinformatics": "BMC Bioinform.",
}
"""The other name of what works appeared in."""
YEARLY = {"ICML", "CVPR", "NeurIPS", "AAAI", "ICLR", "ACL", "NAACL", "ICCV", "ECCV"}
_ACCENTED = re.compile(r"[^\x00-\x7f]")


@dataclass(frozen=True)
class Truth:
    """A work as the labelled data has it."""

    title: str
    authors: tuple[str, ...]
    year: int
    venue: str = ""
    doi: str = ""
    et_al: bool = False
    retracted: bool = False
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def on_arxiv(self) -> bool:
        """Whether it is a preprint on arXiv and nothing else."""
        return self.venue.lower() in {"", "arxiv"} and (not self.doi or "arxiv" in self.doi.lower())

    @property
    def by_its_preprint(self) -> bool:
        """Whether it appeared in a venue, and is cited by arXiv's DOI."""
        return not self.on_arxiv and self.doi.lower().startswith("10.48550/")


@dataclass(frozen=True)
class Served:
    """A record as it is served: Crossref's JSON, and what was taken from it or put beside it."""

    work: dict[str, Any]
    subtitle_dropped: bool = False
    years: tuple[int, ...] = ()


class Draw:
    """Chances for one record, by a hash."""

    def __init__(self, title: str, seed: int) -> None:
        self._of = f"{seed}|{title.casefold()}"

    def under(self, what: str, share: float) -> bool:
        """Say whether this record is among a share of all."""
        digest = hashlib.blake2b(f"{self._of}|{what}".encode(), digest_size=8).digest()
        return int.from_bytes(digest) / 2**64 < share


def as_crossref(truth: Truth, number: int, seed: int) -> Served:
    """Make a Crossref record of a work, as Crossref would have it."""
    draw = Draw(truth.title, seed)
    title, subtitle, dropped = _title(truth.title, draw)
    names = _venue(truth, draw)
    online = truth.year - 1 if truth.venue not in YEARLY and draw.under("online earlier", 0.15) else truth.year
    work: dict[str, Any] = {
        "DOI": truth.doi or f"10.5555/served.{number}",
        "type": "proceedings-article" if truth.venue in YEARLY else "journal-article",
        "title": [title],
        "author": [_author(name, draw) for name in truth.authors],
        "container-title": names[:1],
        "short-container-title": names[1:],
        "issued": {"date-parts": [[min(online, truth.year)]]},
        "published-online": {"date-parts": [[online, 11, 3]]},
        "published-print": {"date-parts": [[truth.year, 2]]},
        **truth.more,
    }
    if subtitle:
        work["subtitle"] = [subtitle]
    if truth.retracted:
        work["title"] = [f"RETRACTED: {title}"]
        work["updated-by"] = [
            {"DOI": "10.5555/correction", "type": "correction", "updated": {"date-parts": [[truth.year + 1, 3, 6]]}},
            {"DOI": "10.5555/notice", "type": "retraction", "updated": {"date-parts": [[truth.year + 2, 2, 6]]}},
        ]
    return Served(work, dropped, tuple({online, truth.year}))


def as_datacite(truth: Truth, seed: int) -> dict[str, Any]:
    """Make DataCite's attributes of a preprint."""
    draw = Draw(truth.title, seed)
    people = [_author(name, draw) for name in truth.authors]
    creators = [
        {"name": f"{one['family']}, {one['given']}", "familyName": one["family"], "givenName": one["given"]}
        if one.get("given")
        else {"name": one["family"]}
        for one in people
    ]
    return {
        "titles": [{"title": truth.title}],
        "creators": creators,
        "publicationYear": truth.year,
        "publisher": "arXiv",
        "types": {"resourceTypeGeneral": "Preprint"},
    }


def as_arxiv(truth: Truth) -> dict[str, Any]:
    """Make a paper for the double of arXiv."""
    return {"title": _plain(truth.title), "authors": list(truth.authors), "published": f"{truth.year}-06-12"}


def _title(title: str, draw: Draw) -> tuple[str, str | None, bool]:
    plain = _plain(title)
    head, colon, rest = plain.partition(": ")
    if colon and draw.under("subtitle apart", 0.15):
        return head, rest, False
    if colon and len(head.split()) > 1 and draw.under("subtitle dropped", 0.06):
        return head, None, True
    if draw.under("sentence case", 0.2):
        plain = plain[:1] + plain[1:].lower()
    if draw.under("markup", 0.1):
        first, space, others = plain.partition(" ")
        plain = f"<i>{first}</i>{space}{others}".replace(" & ", " &amp; ")
    return f"{plain}." if draw.under("period", 0.1) else plain, None, False


def _venue(truth: Truth, draw: Draw) -> list[str]:
    other = VENUES.get(truth.venue)
    if not truth.venue or not other:
        return [truth.venue] if truth.venue else []
    if truth.venue in YEARLY:
        long = f"{truth.year} {other}" if other.startswith("IEEE") else other
        return (
            [long, truth.venue]
            if draw.under("acronym too", 0.3)
            else [long]
            if draw.under("long", 0.6)
            else [truth.venue]
        )
    return [other] if draw.under("abbreviated", 0.5) else [truth.venue, other]


def _author(name: str, draw: Draw) -> dict[str, str]:
    family, given = _split(name)
    if draw.under("initials", 0.35):
        given = " ".join(f"{part[0]}." for part in re.split(r"[\s-]+", given) if part)
    if _ACCENTED.search(family) and draw.under("accents lost", 0.4):
        family = "".join(char for char in unicodedata.normalize("NFD", family) if not unicodedata.combining(char))
    return {"family": family, **({"given": given} if given else {})}


def _split(name: str) -> tuple[str, str]:
    """Split a name of the labelled data: ``Hu, Edward J.``, ``Uesaka K`` or ``Emma L. Flynn``."""
    plain = _plain(name)
    if "," in plain:
        family, _, given = plain.partition(",")
        return family.strip(), given.strip()
    words = plain.split()
    if len(words) > 1 and words[-1].isupper() and len(words[-1]) <= 3 and "." not in words[-1]:
        return " ".join(words[:-1]), " ".join(words[-1])
    first_initial = next((n for n, word in enumerate(words) if n and len(word) == 2 and word.endswith(".")), None)
    if first_initial and all(len(word) == 2 and word.endswith(".") for word in words[first_initial:]):
        return " ".join(words[:first_initial]), " ".join(words[first_initial:])
    at = next(
        (n for n, word in enumerate(words[1:-1], 1) if word in {"van", "von", "de", "der", "di", "y"}), len(words) - 1
    )
    return " ".join(words[at:]), " ".join(words[:at])


def _plain(text: str) -> str:
    """Take BibTeX off, as the publisher's own record has none."""
    text = re.sub(r"\\~\{?(\w)\}?", r"\1", re.sub(r"\\'\{?(\w)\}?", r"\1", text))
    return " ".join(
        text.replace("{", "").replace("}", "").replace("``", '"').replace("''", '"').replace("&apos;", "'").split()
    )


def unique(truths: Iterator[Truth]) -> list[Truth]:
    """Keep one of each: the same title, authors, venue and year. Of two with one DOI and title the one that names more authors."""
    kept = {(one.title.casefold(), one.authors, one.venue, one.year): one for one in truths}
    by_doi: dict[str, Truth] = {}
    for number, one in enumerate(kept.values()):
        key = f"{one.doi.lower()} {_plain(one.title).casefold()}" if one.doi else f"{number}"
        if key not in by_doi or len(one.authors) > len(by_doi[key].authors):
            by_doi[key] = one
    return list(by_doi.values())
