"""The pages: which record is whose next, and what each page is made from."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.responses import HTMLResponse, RedirectResponse, Response

from showable.errors import SettingError
from showable.measure.labelled_answer import digest_of
from showable.measure.labelled_kinds import kinds_of
from showable.review import adjudication, record_view, start_page
from showable.review.desk import Desk
from showable.review.labelling_api import own_words, progress_shown, url_of
from showable.review.page_context import LabelPage, target_key
from showable.review.refusals import Refusal
from showable.review.reveal import shown_judge
from showable.review.showing_records import show_record
from showable.stores.labels.queues import Queue

Query = Mapping[str, str]


def start(desk: Desk, set_cookie: str | None) -> Response:
    """The start page: who labels, the queues, and what there is to do."""
    headers = {"Set-Cookie": set_cookie} if set_cookie else {}
    return HTMLResponse(start_page.render(desk), headers=headers)


def next_record(desk: Desk, queue: str, query: Query) -> Response:
    """Lead to the record to do next: the first that is not done, or the first such behind the place ``after``."""
    held, name = _queue(desk, queue), desk.visit.name or ""
    after = desk.store.record_at(held.name, name, _place(query.get("after", "0")))
    url = url_of(desk.store, held.name, name, desk.store.next_record(held.name, name, after))
    return RedirectResponse(url or "/", 303)


def label(desk: Desk, queue: str, position: str, query: Query) -> Response:  # noqa: ARG001 - pages are all called alike
    """The labelling page of the record at a place of one's own order."""
    held, name = _queue(desk, queue), desk.visit.name or ""
    dealt = desk.store.records_dealt(held.name, name)
    at = _place(position)
    if not 1 <= at <= len(dealt):
        raise Refusal(
            404, f"your part of the queue {held.name} has {len(dealt)} records so far; there is no {position}"
        )
    key, finished = dealt[at - 1]
    card = desk.run.card(key)
    record = desk.run.record(key)
    mine = {target: one.value for target, one in own_words(desk, key, digest_of(record, card)).items()}
    more = at < len(dealt) or desk.store.place(held.name, name).mine > len(dealt)
    page = LabelPage(
        visit=desk.visit,
        queue=held.name,
        kind=held.kind,
        position=at,
        record=show_record(record, card),
        progress=progress_shown(desk, held.name),
        mine={target_key(target): value for target, value in mine.items() if value is not None},
        judge=shown_judge(desk.run, card, mine.keys()),
        finished=finished,
        previous_url=f"/label/{held.name}/{at - 1}" if at > 1 else None,
        next_url=_following(held.name, at, len(dealt), more=more),
        kinds=kinds_of(desk.run.profile),
    )
    return HTMLResponse(record_view.render(page))


def adjudicate(desk: Desk, query: Query) -> Response:  # noqa: ARG001 - pages are all called alike
    """What there is to settle."""
    return HTMLResponse(adjudication.render_list(desk))


def adjudicate_one(desk: Desk, n: str, query: Query) -> Response:  # noqa: ARG001 - pages are all called alike
    """One disagreement, by its number."""
    page = adjudication.render_one(desk, _place(n))
    if page is None:
        raise Refusal(404, f"there is no case {n} that you may settle")
    return HTMLResponse(page)


def agreement(desk: Desk, query: Query) -> Response:  # noqa: ARG001 - pages are all called alike
    """How far people agree, and the judge with them."""
    from showable.review import agreement_page  # noqa: PLC0415 - statistics are long to import

    return HTMLResponse(agreement_page.render(desk))


def _queue(desk: Desk, name: str) -> Queue:
    try:
        return desk.store.queue(name)
    except SettingError:
        raise Refusal(404, "there is no queue of that name") from None


def _place(text: str) -> int:
    """Read a number of an address; 0, which is no place, for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0  # noqa: PLR2004 - more than any run has


def _following(queue: str, at: int, dealt: int, *, more: bool) -> str | None:
    """Return the address behind a place: the next of one's own order, or one that is dealt when it is asked for."""
    if at < dealt:
        return f"/label/{queue}/{at + 1}"
    return f"/label/{queue}?after={at}" if more else None
