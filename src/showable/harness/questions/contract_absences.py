"""What to ask of an agreement that does not speak of a matter: how much, how long, by when.

Whether it speaks of it at all is no such question: "no, it does not" is the right answer, and stands in its silence.
"""

from __future__ import annotations

from typing import NamedTuple


class Detail(NamedTuple):
    """A question that an agreement answers only where it speaks of the matter; the terms stand together where it does."""

    asks: str
    absent: tuple[str, ...]


DETAILS: dict[str, Detail] = {
    "nda-1": Detail(
        "with what label must the disclosing party mark its information as confidential",
        ("mark|marked|marking|legend|stamp|label|designated|designate|designation|identified",),
    ),
    "nda-3": Detail(
        "within how many days must information that was conveyed verbally be confirmed in writing",
        ("oral|orally|verbal|verbally|spoken|conversation|discussed|discussions",),
    ),
    "nda-8": Detail(
        "how many days before a disclosure that a court orders must the receiving party tell the disclosing party",
        ("court|subpoena|judicial|required by law|legal process|regulation|legally", "notify|notice|inform|advise|tell|disclose"),
    ),
    "nda-10": Detail(
        "for how many years must the parties keep secret that the agreement exists",
        ("existence|exists|publicity|announcement|announce|press|negotiations|discussions|public statement",),
    ),
    "nda-11": Detail(
        "in which cases is reverse engineering permitted after all",
        ("reverse|decompile|disassemble|analyze|analyse|analysis",),
    ),
    "nda-12": Detail(
        "what records prove that the receiving party developed the same information independently",
        ("independent|independently|developed|develop",),
    ),
    "nda-13": Detail(
        "how must the receiving party prove that it got the same information from a third party",
        ("source|third party|third parties|third person|others",),
    ),
    "nda-16": Detail(
        "within how many days must the receiving party return or destroy the confidential information",
        ("return|returned|destroy|destruction|deliver|surrender|erase|delete",),
    ),
    "nda-17": Detail(
        "how many copies of the confidential information may the receiving party make",
        ("copy|copies|copied|copying|reproduce|reproduction|duplicate|duplication|photocopy",),
    ),
    "nda-18": Detail(
        "for how many months may the receiving party not solicit the disclosing party's employees",
        ("solicit|solicitation|hire|hiring|recruit|entice|induce",),
    ),
    "nda-19": Detail(
        "for how many years do the obligations continue after the agreement ends",
        ("survive|survival|years|year|months|month|period|expire|perpetual|perpetuity|indefinitely|continue|termination",),
    ),
    "nda-20": Detail(
        "for how long may the receiving party keep backup copies after it has returned the confidential information",
        ("retain|retained|backup|back up|archive|archival|archives",),
    ),
}  # fmt: skip
"""By hypothesis. The others have none: what may not be said of employees, say, is not told from silence by a word."""
