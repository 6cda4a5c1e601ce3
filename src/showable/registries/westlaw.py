"""Westlaw: WL numbers, which nobody but Thomson Reuters can look up."""

from __future__ import annotations

from showable.records import Reference
from showable.registries.contract_database import ContractDatabase


class Westlaw(ContractDatabase):
    """WL numbers (``2019 WL 4639462``). Quick Check and the like are pages for people; see `ContractDatabase`."""

    name = "westlaw"
    kinds = frozenset({"westlaw"})
    secret = "SHOWABLE_WESTLAW_KEY"  # noqa: S105 - the name of the variable that holds it
    label = "Westlaw"
    known = Reference(
        kind="westlaw",
        text="2023 WL 4114965",
        fields={"case_name": "Mata v. Avianca, Inc.", "year": "2023", "number": "4114965", "court": "nysd"},
    )
