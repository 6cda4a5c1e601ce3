"""Lists of papers, trials and news articles in a form that a model can be made to answer in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from showable.read.references.dois import clean_doi
from showable.read.references.id_urls import split_arxiv
from showable.read.references.identifier_checks import doi_fault, nct_fault, pmcid_fault, pmid_fault
from showable.records.record import Reference


class _Row(BaseModel):
    """What every row allows: its own fields and no other; what is not known is null, never made up."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, coerce_numbers_to_str=True)


class MedicalReference(_Row):
    """A paper or a trial as medicine cites it; at least one of doi, pmid, pmcid and nct is hoped for."""

    authors: list[str] = Field(description="Every author as Family AB, in order; the last may be 'et al'.")
    title: str = Field(description="The title, exactly.")
    journal: str | None = Field(default=None, description="The journal, in full or as NLM abbreviates it.")
    year: str | None = Field(default=None, description="Year of publication, four digits.")
    volume: str | None = Field(default=None, description="Volume.")
    issue: str | None = Field(default=None, description="Issue.")
    pages: str | None = Field(default=None, description="First and last page, or the article's number.")
    doi: str | None = Field(default=None, description="DOI, beginning with 10.")
    pmid: str | None = Field(default=None, description="PubMed id, digits only.")
    pmcid: str | None = Field(default=None, description="PubMed Central id, PMC and digits.")
    nct: str | None = Field(default=None, description="ClinicalTrials.gov id, NCT and eight digits.")


class ResearchReference(_Row):
    """A paper, a preprint or a page as research cites it."""

    authors: list[str] = Field(description="Every author, given name first, in order; the last may be 'et al'.")
    title: str = Field(description="The title, exactly.")
    venue: str | None = Field(default=None, description="Journal, conference, repository or publisher.")
    year: str | None = Field(default=None, description="Year of publication, four digits.")
    doi: str | None = Field(default=None, description="DOI, beginning with 10.")
    arxiv: str | None = Field(default=None, description="arXiv id, with its version where that matters.")
    url: str | None = Field(default=None, description="Address, where there is neither DOI nor arXiv id.")


class NewsReference(_Row):
    """A news article."""

    headline: str = Field(description="The headline, exactly.")
    author: str | None = Field(default=None, description="The byline.")
    outlet: str = Field(description="Who published it.")
    date: str | None = Field(default=None, description="Day of publication, YYYY-MM-DD.")
    url: str | None = Field(default=None, description="Address of the article.")


SCHOLARLY: dict[str, type[_Row]] = {
    "medical": MedicalReference,
    "research": ResearchReference,
    "news": NewsReference,
}
"""The form of a row by the profile that asks for it."""

_NAMED = {"journal": "container", "venue": "container", "headline": "title"}


def from_structured(row: MedicalReference | ResearchReference | NewsReference) -> Reference:
    """Return a row as the reference that a text would have given: kind `bibliographic` or `news`, ids as keys.

    An identifier of the wrong shape is kept, with what is wrong in `malformed`.
    """
    given = {name: value for name, value in row.model_dump().items() if value}
    authors = [name.strip() for name in given.pop("authors", []) if name.strip()]
    fields = {_NAMED.get(name, name): str(value) for name, value in given.items()}
    names = [name for name in authors if name.lower().rstrip(".") not in {"et al", "others"}]
    if names:
        fields["authors"] = "; ".join(names)
    if len(names) < len(authors):
        fields["et_al"] = "yes"
    for name, read in _READ.items():
        if name in fields:
            fields.update(read(fields[name]))
    kind = "news" if isinstance(row, NewsReference) else "bibliographic"
    said = ". ".join(
        fields[name] for name in ("authors", "title", "container", "outlet", "year", "date") if name in fields
    )
    return Reference(kind=kind, text=said, fields={name: value for name, value in fields.items() if value})


def json_schema(profile: str) -> dict[str, Any]:
    """Return the JSON Schema of a list of rows for a profile (``medical``, ``research``, ``news``), strict.

    Every property is required and no other is allowed; what is not known is null.
    """
    row = SCHOLARLY[profile].model_json_schema()
    properties = {name: _strict(shape) for name, shape in row["properties"].items()}
    item = {
        "type": "object",
        "description": row["description"],
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"references": {"type": "array", "description": "Every work cited, in order.", "items": item}},
        "required": ["references"],
        "additionalProperties": False,
    }


def _strict(shape: dict[str, Any]) -> dict[str, Any]:
    """Write ``anyOf`` a type and null as a list of types, without the default and the title that pydantic adds."""
    kept = {name: value for name, value in shape.items() if name not in {"title", "default", "anyOf"}}
    if "anyOf" in shape:
        kept["type"] = [choice["type"] for choice in shape["anyOf"]]
    return kept


def _doi(written: str) -> dict[str, str]:
    bare = written.lower()
    for lead in ("https://", "http://", "dx.", "doi.org/", "doi:"):
        bare = bare.removeprefix(lead).lstrip()
    doi = clean_doi(bare, decode=written.lower().startswith("http"))
    return _checked("doi", doi, doi_fault(doi))


def _pmid(written: str) -> dict[str, str]:
    digits = written.upper().removeprefix("PMID").lstrip(": ")
    return _checked("pmid", digits, "a PMID is digits alone" if not digits.isdecimal() else pmid_fault(digits))


def _pmcid(written: str) -> dict[str, str]:
    digits = written.upper().removeprefix("PMCID").lstrip(": ").removeprefix("PMC")
    fault = pmcid_fault(f"PMC{digits}") if digits.isdecimal() else "a PMCID is PMC and digits"
    return _checked("pmcid", f"PMC{digits}", fault)


def _nct(written: str) -> dict[str, str]:
    digits = written.upper().removeprefix("NCT")
    return _checked("nct", f"NCT{digits}", nct_fault(f"NCT{digits}") if digits.isdecimal() else "NCT and eight digits")


def _arxiv(written: str) -> dict[str, str]:
    fields = split_arxiv(written.lower().removeprefix("https://arxiv.org/abs/").removeprefix("arxiv:").strip())
    fault = fields.pop("malformed")
    return {
        **{name: value for name, value in fields.items() if value},
        **({"malformed": f"arxiv: {fault}"} if fault else {}),
    }


def _checked(name: str, value: str, fault: str | None) -> dict[str, str]:
    return {name: value, **({"malformed": f"{name}: {fault}"} if fault else {})}


_READ: dict[str, Callable[[str], dict[str, str]]] = {
    "doi": _doi,
    "pmid": _pmid,
    "pmcid": _pmcid,
    "nct": _nct,
    "arxiv": _arxiv,
}
