"""Lexis: LEXIS numbers, which nobody but LexisNexis can look up."""

from __future__ import annotations

from showable.records import Reference
from showable.registries.contract_database import ContractDatabase


class Lexis(ContractDatabase):
    """LEXIS numbers (``2015 U.S. LEXIS 4250``). Brief Analysis and the like are pages for people; see `ContractDatabase`."""

    name = "lexis"
    kinds = frozenset({"lexis"})
    secret = "SHOWABLE_LEXIS_KEY"  # noqa: S105 - the name of the variable that holds it
    label = "Lexis"
    known = Reference(
        kind="lexis",
        text="2015 U.S. LEXIS 4250",
        fields={
            "case_name": "Obergefell v. Hodges",
            "year": "2015",
            "series": "U.S.",
            "number": "4250",
            "court": "scotus",
        },
    )
