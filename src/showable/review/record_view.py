"""The labelling page of one record: what a reviewer sees, and what the page's script needs to take the labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from showable.records.label_guide import GUIDE
from showable.records.labels import LONGEST_COMMENT, MOST_EXTRA_CLAIMS
from showable.review.answer_pieces import answer_pieces
from showable.review.page_context import CitationShown, LabelPage, PassageShown, RecordShown
from showable.review.script_data import script_data
from showable.review.shared_words import PassageWords, Span
from showable.review.static_files import static_url
from showable.review.unseen import marked_unseen

ROLE_WORDS = {"senior": "senior domain reviewer", "reviewer": "domain reviewer", "engineer": "engineer"}
SCRIPTS = tuple(
    f"label_{name}.js"
    for name in (
        "answer",
        "clock",
        "keys",
        "log",
        "marks",
        "outbox",
        "panel",
        "passage",
        "says",
        "server",
        "state",
        "undo",
    )
)
"""What `label.js` imports, asked for at once: found one behind the other, they would hold up every page."""
Json = dict[str, Any]
MOST_OF_NEIGHBOURS = 1_500_000
"""Characters of passages that are cited nowhere, together; cited ones are always whole."""
LEAST_OF_NEIGHBOUR = 2_000
_WORD_LENGTH = 5
MOST_SHARED = 200_000
"""Places of shared words that one page is looked through for; the pairs after that have none marked."""


def render(page: LabelPage) -> str:
    """Render the labelling page. What the tool said stands in it for targets in `page.mine` alone.

    All texts of the record are shown as text; what cannot be seen in them is shown as a mark.
    """
    record = page.record
    placed = _placed(record)
    return _template().render(
        page=page,
        role=ROLE_WORDS.get(page.visit.role or "", page.visit.role or ""),
        question=marked_unseen(record.question),
        pieces=answer_pieces(marked_unseen(record.answer), record.claims) if record.answer is not None else (),
        placed=placed,
        guide=GUIDE,
        longest_comment=LONGEST_COMMENT,
        pairs=_pair_numbers(record),
        data=script_data(page_data(page)),
        asset=static_url,
        scripts=SCRIPTS,
        unseen=_has_unseen(record),
        listed=[number for number in range(len(record.claims)) if number not in placed],
    )


def page_data(page: LabelPage) -> Json:
    """Return what the script works with: claims, pairs, passages with their neighbours, the guide, and one's own labels.

    `labels` and `judge` are keyed by `target_key`; places count characters (code points).
    """
    record = page.record
    mine = dict(page.mine)
    return {
        "token": page.visit.token,
        "run": page.visit.run,
        "name": page.visit.name,
        "role": page.visit.role,
        "queue": page.queue,
        "position": page.position,
        "record": record.id,
        "finished": page.finished,
        "asserts": bool(record.claims or (record.answer or "").strip()),
        "previous": page.previous_url,
        "next": page.next_url,
        "progress": asdict(page.progress),
        "claims": [marked_unseen(claim.text) for claim in record.claims],
        "pairs": list(_pairs(record)),
        "passages": list(_passages(record)),
        "logged": record.logged,
        "mine": mine,
        "judge": {key: dict(word) for key, word in page.judge.items() if key in mine},
        "kinds": list(page.kinds),
        "guide": {about: one.model_dump(mode="json") for about, one in GUIDE.items()},
        "most": {"comment": LONGEST_COMMENT, "extra": MOST_EXTRA_CLAIMS},
    }


def _pairs(record: RecordShown) -> Iterator[Json]:
    """Yield every citation of every claim, and each claim without one, in the order in which they are gone through."""
    words: dict[str, PassageWords] = {}
    room = MOST_SHARED
    for number, claim in enumerate(record.claims):
        for place, citation in enumerate(claim.citations):
            passage = None if citation.passage is None else record.passages[citation.passage]
            shared: tuple[Span, ...] = ()
            if passage is not None and passage.text and not citation.own_words and room > 0:
                if passage.source_id not in words:
                    words[passage.source_id] = PassageWords(passage.text)
                known = words[passage.source_id]
                room -= len(claim.text) // _WORD_LENGTH + known.count(claim.text)
                shared = known.shared(claim.text) if room > 0 else ()
            yield {"claim": number, "citation": place, **_cited(citation, shared)}
        if not claim.citations:
            yield {"claim": number, "citation": None}


def _cited(citation: CitationShown, shared: Sequence[Span]) -> Json:
    return {
        "raw": citation.raw,
        "source": citation.source_id,
        "passage": citation.passage,
        "own": citation.own_words,
        "missing": citation.missing_words,
        "shared": shared,
    }


def _pair_numbers(record: RecordShown) -> tuple[tuple[int, ...], ...]:
    """Return the pairs of each claim by their numbers: one for each citation, one where there is none."""
    found, at = [], 0
    for claim in record.claims:
        count = max(1, len(claim.citations))
        found.append(tuple(range(at, at + count)))
        at += count
    return tuple(found)


def _passages(record: RecordShown) -> Iterator[Json]:
    cited = {one.passage for claim in record.claims for one in claim.citations}
    room = MOST_OF_NEIGHBOURS
    for at, (passage, near) in enumerate(zip(record.passages, beside(record.passages), strict=True)):
        text = passage.text
        if text is not None and at not in cited:
            text = text[: max(room, LEAST_OF_NEIGHBOUR)]
            room -= len(text)
        yield _passage(passage, near, text)


def _passage(passage: PassageShown, near: Beside, text: str | None) -> Json:
    return {
        "id": passage.source_id,
        "title": passage.title,
        "page": passage.page,
        "url": passage.url,
        "text": None if text is None else marked_unseen(text),
        "more": len(passage.text or "") - len(text or ""),
        "before": near.before,
        "after": near.after,
        "same": near.same,
    }


def _placed(record: RecordShown) -> frozenset[int]:
    """Return the claims that are marked in the answer's text; the others are listed below it."""
    if record.answer is None:
        return frozenset()
    return frozenset(
        piece.claim for piece in answer_pieces(record.answer, record.claims) if piece.first and piece.claim is not None
    )


def _has_unseen(record: RecordShown) -> bool:
    texts = [record.question, record.answer or "", *(one.text or "" for one in record.passages)]
    return any("\ufffd" in marked_unseen(text) for text in texts)


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("showable.review", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["seen"] = marked_unseen
    return environment.get_template("label.html.j2")


# What stands beside a passage: the one before and the one after it, in its document, or else in the retrieval log.


_STEM = re.compile(r"^(.+?)[#:/_-](?:p|page|chunk|part|para|c|s)?[-_ ]?(\d{1,6})$", re.IGNORECASE)
"""``policy-v2#3``, ``doc_12_p4``, ``10-K:chunk-7``: the document, and the place in it."""
_NUMBER = re.compile(r"\d{1,6}")


@dataclass(frozen=True, slots=True)
class Beside:
    """The passages before and after one, as places in the list of passages; `same` says that they are of its document."""

    before: int | None = None
    after: int | None = None
    same: bool = False


def beside(passages: Sequence[PassageShown]) -> tuple[Beside, ...]:
    """Return the neighbours of every passage: by page or number where other passages of its document were retrieved, else by rank."""
    placed = [_place(passage) for passage in passages]
    by_document: dict[str, list[tuple[int, int]]] = {}
    for at, place in enumerate(placed):
        if place is not None:
            by_document.setdefault(place[0], []).append((place[1], at))
    ranks: dict[int, int] = {}
    for members in by_document.values():
        members.sort()
        ranks |= {at: rank for rank, (_, at) in enumerate(members)}
    found = []
    for at, place in enumerate(placed):
        family = by_document[place[0]] if place else []
        if place is None or len(family) < 2:  # noqa: PLR2004 - alone in its document
            found.append(Beside(at - 1 if at else None, at + 1 if at + 1 < len(passages) else None))
            continue
        rank = ranks[at]
        before = family[rank - 1][1] if rank else None
        after = family[rank + 1][1] if rank + 1 < len(family) else None
        found.append(Beside(before, after, same=True))
    return tuple(found)


def _place(passage: PassageShown) -> tuple[str, int] | None:
    """Return the document of a passage and its place in it: by the shape of its id, else by title and page."""
    if shape := _STEM.match(passage.source_id):
        return f"id {shape[1]}", int(shape[2])
    page = _NUMBER.fullmatch((passage.page or "").strip())
    return (f"title {passage.title}", int(page[0])) if page and passage.title else None
