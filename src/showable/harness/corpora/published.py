"""Where each published corpus is to be had, and under which licence: as its publisher states it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from showable.harness.corpora import contractnli, cuad, edgar, financebench, govreport, pubmedqa, squad2

Kind = Literal["json", "jsonl", "zip", "gzip", "submission"]


@dataclass(frozen=True, slots=True)
class File:
    """A file to download: its address, what it is called in the cache, what it must begin like, and how large it may be."""

    address: str
    name: str
    kind: Kind
    largest: int = 200_000_000


@dataclass(frozen=True, slots=True)
class Release:
    """A corpus as it is published. `stated_at` is where the licence is stated; `contact` says that its host wants a mail address."""

    name: str
    licence: str
    stated_at: str
    files: tuple[File, ...]
    contact: bool = False

    @property
    def address(self) -> str:
        """Where it comes from."""
        return self.files[0].address

    @property
    def shown(self) -> str:
        """The licence, and where to read it."""
        return f"{self.licence} ({self.stated_at})"


_ALL = (
    Release(
        "contractnli",
        contractnli.LICENCE,
        "https://stanfordnlp.github.io/contract-nli/",
        (File(contractnli.ADDRESS, "contract-nli.zip", "zip"),),
    ),
    Release(
        "squad2",
        squad2.LICENCE,
        "https://rajpurkar.github.io/SQuAD-explorer/",
        (File(squad2.ADDRESS, "dev-v2.0.json", "json"),),
    ),
    Release(
        "pubmedqa",
        pubmedqa.LICENCE,
        "https://github.com/pubmedqa/pubmedqa/blob/master/LICENSE",
        (File(pubmedqa.ADDRESS, "ori_pqal.json", "json"),),
    ),
    Release(
        "govreport",
        govreport.LICENCE,
        "https://huggingface.co/datasets/launch/gov_report",
        (File(govreport.ADDRESS, "gov-report.tar.gz", "gzip", largest=600_000_000),),
    ),
    Release(
        "edgar",
        edgar.LICENCE,
        "https://www.sec.gov/privacy#dissemination",
        tuple(File(address, address.rpartition("/")[2], "submission") for address in edgar.ADDRESSES),
        contact=True,
    ),
    Release("cuad", cuad.LICENCE, "https://doi.org/10.5281/zenodo.4595826", (File(cuad.ADDRESS, "data.zip", "zip"),)),
    Release(
        "financebench",
        financebench.LICENCE,
        "https://huggingface.co/datasets/PatronusAI/financebench",
        (
            File(financebench.ADDRESS, "financebench_open_source.jsonl", "jsonl"),
            File(financebench.DOCUMENTS, "financebench_document_information.jsonl", "jsonl"),
        ),
    ),
)
PUBLISHED = {published.name: published for published in _ALL}
