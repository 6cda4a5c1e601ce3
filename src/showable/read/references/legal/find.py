"""Every legal citation in a text, in order of place."""

from __future__ import annotations

from showable.read.references.found import FoundReference
from showable.read.references.legal.antecedents import resolve
from showable.read.references.legal.cite import NAMED_CASES, Cite, in_order, merged
from showable.read.references.legal.databases import find_databases, find_dockets
from showable.read.references.legal.folded import Folded, fold
from showable.read.references.legal.linking import complete
from showable.read.references.legal.pointers import find_ids, find_supras
from showable.read.references.legal.reporters import find_reporters
from showable.read.references.legal.rules import find_rules
from showable.read.references.legal.statutes import find_statutes
from showable.read.references.legal.uk import find_uk
from showable.read.references.legal.unknown import find_unknown
from showable.records.record import Reference
from showable.records.regex import regex

_WORTH_READING = regex(r"[0-9]|\b[Ii]d\.|\b[Ii]bid|\b[Ss]upra\b")


def find_legal(text: str) -> list[FoundReference]:
    """Find cases, statutes, regulations, rules, articles and dockets, and what points back to them.

    Kinds: case, case_short, supra, id, neutral_uk, westlaw, lexis, docket, usc, cfr, fed_reg, public_law,
    statutes_at_large, fed_rule, law_journal. Forms are those of The Bluebook (21st edition) with the spellings that
    eyecite's reporters and PDFs bring; UK forms as the courts publish them. Linear in the text; never raises.
    """
    if not _WORTH_READING.search(text):
        return []
    folded = fold(text)
    cites = _scan(folded.text)
    cites = complete(folded.text, cites)
    resolve(folded.text, cites)
    return _as_found(text, folded, cites)


def _scan(text: str) -> list[Cite]:
    """Find citations of all kinds, those with a mark of their own before those told by shape alone."""
    cites = in_order([*find_statutes(text), *find_rules(text), *find_databases(text), *find_uk(text)])
    cites = merged(cites, find_reporters(text))
    cites = merged(cites, find_dockets(text))
    cites = merged(cites, find_unknown(text))
    cites = merged(cites, find_ids(text))
    return merged(cites, find_supras(text))


def _as_found(text: str, folded: Folded, cites: list[Cite]) -> list[FoundReference]:
    places = {id(cite): place for place, cite in enumerate(cites)}
    sizes: dict[int, list[Cite]] = {}
    for cite in cites:
        sizes.setdefault(id(cite.first or cite), []).append(cite)
    found = []
    for cite in cites:
        together = sizes[id(cite.first or cite)]
        several = len(together) > 1 and cite.kind in NAMED_CASES | {"case_short"}
        span = folded.span(cite.start, cite.end)
        fields = {key: value for key, value in cite.fields.items() if value}
        if several:
            others = (folded.text[one.start : one.end] for one in together if one is not cite)
            fields["parallel"] = "; ".join(others)
        found.append(
            FoundReference(
                Reference(kind=cite.kind, text=text[slice(*span)], fields=fields),
                span,
                folded.span(min(cite.full_start, cite.start), max(cite.full_end, cite.end)),
                places.get(id(cite.antecedent)) if cite.antecedent else None,
                places[id(together[0])] if several else None,
            )
        )
    return found
