"""Looks up a case by its Westlaw or Lexis number: by the number, and where nobody can be asked about that, by its docket."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from showable.records import LookupResult, Reference
from showable.records.lookups import PROVEN_BAD
from showable.registries.merge import with_reason

DATABASES = frozenset({"westlaw", "lexis"})
"""Kinds whose numbers only their publishers can look up."""

Walk = Callable[[Reference], Awaitable[LookupResult]]


async def look_up_database(reference: Reference, walk: Walk) -> LookupResult:
    """Look a database number up. Where that is not to be had, the docket number and the court beside it may speak.

    A docket number belongs to one case of its court: where the archive has it under other parties, the citation
    is another case's. An archive that does not have it proves nothing, and one that has it under the claimed
    name proves the case, not the number of the database.
    """
    result = await walk(reference)
    docket = _docket(reference)
    if result.status == "resolved" or result.status in PROVEN_BAD or docket is None:
        return result
    known = await walk(docket)
    if known.status == "mismatch" and _is_another(known):
        said = f"docket {reference.fields['docket']}: {known.reason}"
        asked = (*result.asked, *(name for name in known.asked if name not in result.asked))
        return known.model_copy(update={"claimed": dict(reference.fields), "reason": said, "asked": asked})
    if known.status == "resolved":
        return with_reason(result, f"{known.registry} has its docket under that name, which does not prove the number")
    return result


def _docket(reference: Reference) -> Reference | None:
    fields = reference.fields
    if not (fields.get("docket") and fields.get("case_name") and (fields.get("court") or fields.get("court_text"))):
        return None
    kept = {name: fields[name] for name in ("case_name", "plaintiff", "defendant", "court", "court_text") if fields.get(name)}  # fmt: skip
    return Reference(kind="docket", text=f"No. {fields['docket']}", fields={"number": fields["docket"], **kept})


def _is_another(known: LookupResult) -> bool:
    return any(check.field == "case_name" and check.outcome == "differs" for check in known.compared)
