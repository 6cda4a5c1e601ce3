"""The 17 hypotheses of ContractNLI (Koreeda & Manning 2021, EMNLP Findings), as a person would ask about them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One hypothesis as questions.

    `asks` follows "Under the agreement with A, …". `says` is what an agreement does that entails it, and `opposite` what one
    does that contradicts it; both follow "Does the agreement with A …".
    """

    asks: str
    says: str
    opposite: str


_SHARE = "the receiving party share some confidential information with"
_UNASKED = "without asking permission first"
"""What may be done with the other's consent only is not open to the receiving party; people labelled it so."""

HYPOTHESES: dict[str, Hypothesis] = {
    "nda-1": Hypothesis(
        "must all confidential information be expressly identified as such by the disclosing party",
        "require that all confidential information be expressly identified by the disclosing party",
        "protect information that the disclosing party has not expressly identified as confidential",
    ),
    "nda-2": Hypothesis(
        "is confidential information limited to technical information",
        "limit confidential information to technical information",
        "extend confidential information beyond technical information",
    ),
    "nda-3": Hypothesis(
        "can information that is conveyed verbally be confidential information",
        "protect confidential information that is conveyed verbally",
        "leave all verbally conveyed information unprotected",
    ),
    "nda-4": Hypothesis(
        "is the receiving party barred from using confidential information for purposes other than the stated ones",
        "bar the receiving party from using confidential information for purposes other than the stated ones",
        "let the receiving party use confidential information for any purpose it likes",
    ),
    "nda-5": Hypothesis(
        f"may {_SHARE} some of its employees {_UNASKED}",
        f"let {_SHARE} some of its employees {_UNASKED}",
        "forbid the receiving party to share confidential information with any of its employees",
    ),
    "nda-7": Hypothesis(
        f"may {_SHARE} outsiders such as consultants, agents or professional advisors {_UNASKED}",
        f"let {_SHARE} outsiders such as consultants, agents or professional advisors {_UNASKED}",
        "forbid the receiving party to share confidential information with any third party, its advisors included",
    ),
    "nda-8": Hypothesis(
        "must the receiving party notify the disclosing party when the law or a court requires it to disclose confidential information",
        "require the receiving party to notify the disclosing party when the law or a court makes it disclose confidential information",
        "excuse the receiving party from giving notice when a court makes it disclose confidential information",
    ),
    "nda-10": Hypothesis(
        "must the receiving party keep secret that the agreement was made or negotiated",
        "forbid the receiving party to disclose that the agreement was made or negotiated",
        "let the receiving party tell the public that the agreement was negotiated",
    ),
    "nda-11": Hypothesis(
        "is the receiving party forbidden to reverse engineer objects that embody the disclosing party's confidential information",
        "forbid the receiving party to reverse engineer objects that embody the disclosing party's confidential information",
        "let the receiving party reverse engineer objects that embody the disclosing party's confidential information",
    ),
    "nda-12": Hypothesis(
        "may the receiving party independently develop information similar to the confidential information",
        "leave the receiving party free to develop similar information independently",
        "forbid the receiving party to develop similar information independently",
    ),
    "nda-13": Hypothesis(
        "may the receiving party acquire information similar to the confidential information from a third party",
        "leave the receiving party free to acquire similar information from a third party",
        "forbid the receiving party to acquire similar information from a third party",
    ),
    "nda-15": Hypothesis(
        "is it made clear that the receiving party gets no rights in the confidential information",
        "make clear that the receiving party gets no rights in the confidential information",
        "give the receiving party ownership of the confidential information",
    ),
    "nda-16": Hypothesis(
        "must the receiving party destroy or return some confidential information at the end of the dealings or on request",
        "require the receiving party to destroy or return some confidential information at the end of the dealings or on request",
        "let the receiving party keep all confidential information for good",
    ),
    "nda-17": Hypothesis(
        f"may the receiving party make some copies of confidential information {_UNASKED}",
        f"let the receiving party make some copies of confidential information {_UNASKED}",
        "forbid the receiving party to make any copy of confidential information",
    ),
    "nda-18": Hypothesis(
        "is the receiving party barred from soliciting some of the disclosing party's people, such as employees",
        "bar the receiving party from soliciting some of the disclosing party's people, such as employees",
        "let the receiving party solicit any of the disclosing party's employees",
    ),
    "nda-19": Hypothesis(
        "do some obligations continue after the agreement or the dealings under it end",
        "keep some obligations in force after it or the dealings under it end",
        "release the receiving party from every obligation when it ends",
    ),
    "nda-20": Hypothesis(
        "may the receiving party retain some confidential information even after the return or destruction of the rest",
        "let the receiving party retain some confidential information even after the return or destruction of the rest",
        "forbid the receiving party to retain any confidential information after its return or destruction",
    ),
}


def hypothesis_key(labelled_id: str) -> str | None:
    """Return the hypothesis that a label's id ends with (``12-nda-5``), None where it ends with none."""
    key = "nda-" + labelled_id.rpartition("-nda-")[2]
    return key if key in HYPOTHESES else None
