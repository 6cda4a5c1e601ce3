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
        "allow for confidential information that is conveyed verbally",
        "leave all verbally conveyed information unprotected",
    ),
    "nda-4": Hypothesis(
        "is the receiving party barred from using confidential information for purposes other than the stated ones",
        "bar the receiving party from using confidential information for purposes other than the stated ones",
        "let the receiving party use confidential information for any purpose it likes",
    ),
    "nda-5": Hypothesis(
        f"may {_SHARE} some of its employees",
        f"let {_SHARE} some of its employees",
        "forbid the receiving party to share confidential information with any of its employees",
    ),
    "nda-7": Hypothesis(
        f"may {_SHARE} some third parties, such as consultants, agents or professional advisors",
        f"let {_SHARE} some third parties, such as consultants, agents or professional advisors",
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
        "is it ruled out that the receiving party is granted rights to the confidential information",
        "rule out that the receiving party is granted rights to the confidential information",
        "grant the receiving party ownership of the confidential information",
    ),
    "nda-16": Hypothesis(
        "must the receiving party destroy or return some confidential information when the agreement ends",
        "require the receiving party to destroy or return some confidential information when the agreement ends",
        "let the receiving party keep all confidential information when the agreement ends",
    ),
    "nda-17": Hypothesis(
        "may the receiving party make a copy of some confidential information in some circumstances",
        "let the receiving party copy some confidential information in some circumstances",
        "forbid the receiving party to make any copy of confidential information",
    ),
    "nda-18": Hypothesis(
        "is the receiving party barred from soliciting some of the disclosing party's representatives",
        "bar the receiving party from soliciting some of the disclosing party's representatives",
        "let the receiving party solicit all of the disclosing party's representatives",
    ),
    "nda-19": Hypothesis(
        "may some obligations survive the termination of the agreement",
        "keep some obligations alive after its termination",
        "end every obligation at its termination",
    ),
    "nda-20": Hypothesis(
        "may the receiving party retain some confidential information even after the return or destruction of confidential information",
        "let the receiving party retain some confidential information even after the return or destruction of the rest",
        "forbid the receiving party to retain any confidential information after its return or destruction",
    ),
}


def hypothesis_key(labelled_id: str) -> str | None:
    """Give the hypothesis that a label's id ends with (``12-nda-5``), None where it ends with none."""
    key = "nda-" + labelled_id.rpartition("-nda-")[2]
    return key if key in HYPOTHESES else None
