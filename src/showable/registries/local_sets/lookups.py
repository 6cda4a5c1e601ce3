"""How imported sets are asked about one reference: by its ids, by its place in a reporter, by its words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from showable.records import Entry, Reference
from showable.registries.case_volume import CROWDED
from showable.registries.local_sets.docket_numbers import DocketNumber, docket_numbers
from showable.registries.local_sets.entry_keys import (
    ID_KINDS,
    cite_keys,
    claimed_title,
    id_key,
    main_words,
    reference_keys,
    telling_words,
)
from showable.registries.local_sets.retraction_watch import still_standing
from showable.registries.local_sets.store import SetStore
from showable.registries.scholarly import worst_first
from showable.rubrics.metadata.case_names import same_as_any
from showable.rubrics.metadata.cases import caption, claimed_cite, claimed_name, compare_case
from showable.rubrics.metadata.compare import differs
from showable.rubrics.metadata.courts import same_court
from showable.rubrics.metadata.reporter_cites import ReporterCite, page_number
from showable.rubrics.metadata.statutes import end_of_range
from showable.rubrics.metadata.titles import best_title

CASE_KINDS = frozenset({"case", "case_short"})
_MOST = 5
_NEAR = 0.6
_ORDERS = "a table of orders, of which not every one need be listed"


@dataclass(frozen=True, slots=True)
class Answer:
    """What the sets have: entries, what comes nearest, and why there is none. `covered` is False where a miss says nothing."""

    entries: tuple[Entry, ...] = ()
    near: tuple[Entry, ...] = ()
    reason: str = ""
    covered: bool = True
    ambiguous: bool = False
    """What is there may be what is cited or another: `reason` says why that cannot be told."""


def look_up(store: SetStore, reference: Reference, complete: Sequence[str], *, by_volume: bool) -> Answer:
    """Look a reference up in every set. `complete` names the sets that are complete for its kind.

    `by_volume` says that none of them is complete but for the volumes that it holds whole.
    """
    if reference.kind in CASE_KINDS:
        return _case(store, reference, complete, by_volume=by_volume)
    if reference.kind == "docket" and (numbers := docket_numbers(reference.fields.get("number", ""))):
        return _docket(store, reference, numbers)
    keys = reference_keys(reference.kind, reference.fields)
    own = [key for key in keys if key[0] == reference.kind] or keys
    if own and (found := store.by_ids(own)):
        return _whole(store, reference, merged(found))
    if own and reference.kind not in {"bibliographic", "news"}:
        return Answer(near=_by_title(store, reference), reason=f"no set has {reference.kind} {own[0][1][:80]}")
    return _titled(store, reference)


def _whole(store: SetStore, reference: Reference, entries: tuple[Entry, ...]) -> Answer:
    """Return what was found, unless the end of a range or a subpart is cited that the sets say nothing of."""
    end = end_of_range(reference)
    if end is not None and not store.by_ids(reference_keys(end.kind, end.fields)):
        return Answer(reason=f"no set has § {end.fields['section'][:40]}, with which the range ends", covered=False)
    if reference.fields.get("subpart"):
        return Answer(reason="sets are asked for parts and sections, not for subparts", covered=False)
    return Answer(entries)


def merged(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Make one entry of those that are one work by an id: one set may have its title, another that it was retracted."""
    works: list[Entry] = []
    for entry in entries:
        at = next((at for at, work in enumerate(works) if _is_one(work, entry)), None)
        if at is None:
            works.append(entry)
        else:
            works[at] = _joined(works[at], entry)
    return tuple(works)


def _case(store: SetStore, reference: Reference, complete: Sequence[str], *, by_volume: bool) -> Answer:
    cite, name = claimed_cite(reference), claimed_name(reference)
    if cite is None:
        named = _same_name(store, name)
        fitting = tuple(entry for entry in named if not differs(compare_case(reference, entry)))
        said = _but_named("no set has this case", [] if fitting else named)
        return Answer(fitting, reason=said, covered=not by_volume)
    exact = store.by_cite(cite.key)
    volume, reporter, _ = cite.key
    whole = store.holds_volume(volume, reporter, complete)
    series, page = page_number(cite.page) or ("", 0)
    if exact:
        by_name = tuple(entry for entry in exact if name and same_as_any(name, entry.case_names) is True)
        if not by_name and len(exact) >= CROWDED:
            return Answer(reason=f"{cite} is a page of {_ORDERS}", ambiguous=True)
        return Answer(by_name or tuple(exact), near=() if by_name else _elsewhere(store, volume, reporter, name, exact))
    if store.last_beginning(volume, reporter, series, page) >= CROWDED:
        return Answer(reason=f"{cite} is beside {_ORDERS}", ambiguous=True)
    inside = tuple(store.around(volume, reporter, series, page))
    near = _elsewhere(store, volume, reporter, name, inside)
    if inside:
        return Answer(inside, near=near)
    said = f"no case stands at {cite}" if whole else f"no set has {cite}"
    covered = whole or (not by_volume and _spans(store, reference, cite, complete))
    if not covered and not by_volume:
        said = f"{said}, and none is complete for {cite.reporter} of that year"
    named = _same_name(store, name)
    near = near or tuple(entry for entry in named if _in_another_volume(entry, cite))
    said = _but_named(said, [] if near else named)
    return Answer(near=near, reason=said, covered=covered)


def _spans(store: SetStore, reference: Reference, cite: ReporterCite, complete: Iterable[str]) -> bool:
    """Check whether complete sets reach to a cite: they have cases of its reporter, about its volume or its year.

    Every case of the Second Circuit says nothing of the Ninth's, nor those up to 2019 of one in 2024.
    """
    volume, reporter, _ = cite.key
    spans = store.spans_of(reporter, complete)
    if spans is None:
        return False
    (first, last), (earliest, latest) = spans
    year = reference.fields.get("year", "")
    return (
        (volume.isdecimal() and first <= int(volume) <= last)
        or not year
        or (year[:4].isdecimal() and earliest <= int(year[:4]) <= latest)
    )


def _in_another_volume(entry: Entry, cite: ReporterCite) -> bool:
    """Check whether a case stands at the cited page of the reporter, but in another volume: one number is wrong.

    A case of the same name at a wholly different place may be another decision, or the same in another reporter.
    """
    return any(own[1:] == cite.key[1:] for own in cite_keys(entry))


def _but_named(reason: str, named: Iterable[Entry]) -> str:
    others = " and ".join(caption(entry) for entry in list(named)[:2])
    return f"{reason}; of that name there is {others}" if others else reason


def _docket(store: SetStore, reference: Reference, numbers: Iterable[DocketNumber]) -> Answer:
    """Look for every number that is cited. One without its court is of the case of that name, if of any."""
    entries: list[Entry] = []
    for number in numbers:
        there = [entry for entry in store.by_ids([("docket", number.key)]) if _has_number(entry, number)]
        there = [entry for entry in there if _of_court(reference, entry) is not False]
        if not there:
            return Answer(reason=f"no set has docket {number.written[:80]}")
        entries += there
    works, name = merged(entries), claimed_name(reference)
    named = tuple(entry for entry in works if name and same_as_any(name, entry.case_names) is True)
    sure = tuple(entry for entry in works if _of_court(reference, entry) is True)
    if named or sure:
        return Answer(named or sure)
    said = f"a set has docket {reference.fields['number'][:80]}; whether of the court that is cited cannot be told"
    return Answer(reason=said, ambiguous=True)


def _has_number(entry: Entry, number: DocketNumber) -> bool:
    return any(number.agrees(own) for own in docket_numbers(entry.facts.get("docket", "")))


def _of_court(reference: Reference, entry: Entry) -> bool | None:
    """Return whether an entry is of the court that is cited; None where one of the two is not said or not known."""
    cited = reference.fields.get("court") or reference.fields.get("court_text") or ""
    if cited and entry.court:
        return same_court(cited, entry.court)
    return True if not cited and not entry.court else None


def _elsewhere(store: SetStore, volume: str, reporter: str, name: str, standing: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the cases of a name that stand elsewhere in the volume."""
    if not name:
        return ()
    there = list(standing)
    words = telling_words([name])
    named = (
        entry for entry in store.by_words(words) if entry not in there and same_as_any(name, entry.case_names) is True
    )
    in_volume = {entry.model_dump_json() for entry in store.in_volume(volume, reporter)} if words else set()
    return tuple(entry for entry in named if entry.model_dump_json() in in_volume)[:_MOST]


def _same_name(store: SetStore, name: str) -> tuple[Entry, ...]:
    if not name:
        return ()
    found = store.by_words(telling_words([name]))
    return tuple(entry for entry in found if entry.case_names and same_as_any(name, entry.case_names) is True)[:_MOST]


def _titled(store: SetStore, reference: Reference) -> Answer:
    title = claimed_title(reference)
    if not title:
        return Answer(reason="nothing is claimed that could be looked up", covered=False)
    ranked = _ranked(store, title)
    same = tuple(entry for score, entry in ranked if score >= 1.0 or _is_same(title, entry))
    if same:
        return Answer(merged(same[:_MOST]))
    near = tuple(entry for score, entry in ranked if score >= _NEAR)[:_MOST]
    return Answer(near=near, reason="no set has a work of this title")


def _by_title(store: SetStore, reference: Reference) -> tuple[Entry, ...]:
    title = claimed_title(reference)
    return tuple(entry for score, entry in (_ranked(store, title) if title else []) if score >= _NEAR)[:_MOST]


def _ranked(store: SetStore, title: str) -> list[tuple[float, Entry]]:
    """Return the entries that share the rarest words of a title, the likest first; sought once more without its subtitle."""
    whole, main = telling_words([title]), main_words(title)
    found = store.by_words(whole)
    if main != whole:
        found += [entry for entry in store.by_words(main) if entry not in found]
    scored = []
    for entry in found:
        match = best_title(title, [one for one in (entry.title, *entry.other_titles) if one])
        scored.append((match.score if match else 0.0, entry))
    return sorted(scored, key=lambda pair: -pair[0])


def _is_same(title: str, entry: Entry) -> bool:
    match = best_title(title, [one for one in (entry.title, *entry.other_titles) if one])
    return match is not None and match.likeness == "same"


def _is_one(one: Entry, other: Entry) -> bool:
    shared = [kind for kind in ID_KINDS if kind in one.ids and kind in other.ids and kind != "issn"]
    if shared:
        return all(id_key(kind, one.ids[kind]) == id_key(kind, other.ids[kind]) for kind in shared)
    return one.model_copy(update={"notices": ()}) == other.model_copy(update={"notices": ()})


def _joined(one: Entry, other: Entry) -> Entry:
    """Fill what one entry lacks from another; titles, years and notices of both count."""
    update = {
        name: getattr(other, name) for name in type(one).model_fields if not getattr(one, name) and getattr(other, name)
    }
    titles = [title for title in (*one.other_titles, other.title, *other.other_titles) if title]
    return one.model_copy(
        update=update
        | {
            "other_titles": tuple(dict.fromkeys(title for title in titles if title != (one.title or other.title))),
            "years": tuple(dict.fromkeys((*one.years, *other.years))),
            "containers": tuple(dict.fromkeys((*one.containers, *other.containers))),
            "ids": {**other.ids, **one.ids},
            "notices": worst_first(still_standing((*one.notices, *other.notices))),
        }
    )
