"""The address of a citation, beside its source_id: scanned, compared with its source's own, and looked up."""

from __future__ import annotations

import asyncio

import pytest

from showable.evaluation import evaluate_one
from showable.look_up import look_up
from showable.profiles.load import load_profile
from showable.read.answer import read_answer
from showable.read.scan.everything import scan
from showable.read.scan.urls import scan_url
from showable.records import GENERAL, LookupResult, Record
from showable.records.evidence import Cost, Verdict
from showable.records.findings import Outcome
from showable.records.scorecard import Scorecard

PAGE = "https://docs.example.org/leases/Thistle-4?lang=en&page=9"


class Sure:
    name, prompt_hash = "sure@1", None

    async def verdicts(self, pairs):
        return [Verdict(label="supported", judge=self.name, p=0.95) for _ in pairs]

    def estimate(self, pairs):
        return Cost()


class Table:
    """Registries that answer from a table by kind, and remember what they were asked."""

    name = "table"

    def __init__(self, **statuses):
        self.statuses, self.asked = statuses, []

    async def lookup_all(self, references):
        self.asked += [(reference.kind, reference.text) for reference in references]
        return [LookupResult(status=self.statuses.get(r.kind, "resolved"), registry="table") for r in references]

    async def aclose(self):
        pass


def record(cited: str | None, **source: object) -> Record:
    citation = {"source_id": "lease", "quoted_span": "The notice period is thirty days."}
    claim = {"text": "The notice period is thirty days.", "citations": [citation | ({"url": cited} if cited else {})]}
    log = [{"source_id": "lease", "text": "The notice period is thirty days. Rent is due in May.", **source}]
    answer = {"claims": [claim], "refusal": "none"}
    return Record.model_validate({"id": "q", "question": "How long is notice?", "retrieved": log, "answer": answer})


def card(cited: str | None, registries: Table | None = None, profile: str = "general", **source: object) -> Scorecard:
    return asyncio.run(evaluate_one(record(cited, **source), Sure(), load_profile(profile), registries)).scorecard


UNSAFE = [
    # address, why: all of them passed beside a source_id
    ("http://169.254.169.254/latest/meta-data/iam/", "link-local: metadata of a cloud"),
    ("http://[fd00:ec2::254]/latest/meta-data", "the same in IPv6"),
    ("http://metadata.google.internal/computeMetadata/v1/", "a metadata host by name"),
    ("http://100.100.100.200/latest/meta-data/", "another cloud's"),
    ("http://127.0.0.1/admin", "loopback"),
    ("http://localhost/admin", "loopback by name"),
    ("http://[::1]/", "loopback in IPv6"),
    ("http://2130706433/", "loopback as one number"),
    ("http://0x7f.1/", "loopback in hexadecimal"),
    ("http://[::ffff:169.254.169.254]/", "link-local in IPv6"),
    ("http://192.168.1.1/wiki", "a private network"),
    ("http://paypa1.com/login", "a digit for a letter"),
    ("https://rnicrosoft.com/", "two letters for one"),
    ("https://wikipedla.org/wiki/Lease", "a letter for its like"),
    ("https://www.courtlistener.com@files.example.net/x", "a user that passes for the host"),
    ("https://xn--80ak6aa92e.com/", "punycode: apple in Cyrillic"),
    ("https://pаypal.com/", "one Cyrillic letter"),
    ("https://ｐaypal.com/", "a fullwidth letter"),
    ("https://nature.com.journal-access.info/", "a name carried under another"),
    ("javascript:alert(1)", "runs"),
    ("data:text/html;base64,PHNjcmlwdD4=", "holds a page of its own"),
    ("file:///etc/passwd", "opens a file"),
    ("ftp://files.example.org/x", "another protocol"),
    ("https://example.org:2222/", "another port"),
    ("https://exa\u200bmple.org/", "a character that does not show"),
]  # fmt: skip


@pytest.mark.parametrize(("url", "why"), UNSAFE, ids=[why for _, why in UNSAFE])
@pytest.mark.parametrize("own", [None, PAGE])
def test_an_unsafe_address_is_not_shown(url: str, why: str, own: str | None) -> None:
    """Whether or not the log gives the source an address of its own."""
    scored = card(url, url=own)
    assert (scored.bucket, scored.cause) == ("unsupported", "bad_source"), why
    assert "resolvability.unsafe_url" in {f.code for f in scored.findings if f.outcome is Outcome.FAIL}
    assert scored.release is not None
    assert scored.release.verdict == "hold"


SAME = [
    (PAGE, "itself"),
    (PAGE.replace("https", "http"), "scheme"),
    (PAGE.replace("docs.example", "Docs.EXAMPLE"), "case of the host"),
    (PAGE.replace("Thistle", "thistle"), "case of the path"),
    (PAGE.replace("?", "/?"), "slash at the end"),
    (PAGE + "&utm_source=chat&utm_medium=answer", "tracking"),
    (PAGE.replace("lang=en", "fbclid=Ab3&lang=en"), "tracking in front"),
    (PAGE.replace("lang=en&page=9", "page=9&lang=en"), "order of the query"),
    (PAGE + "#:~:text=thirty%20days", "fragment"),
    (PAGE.replace("docs.", "www.docs."), "www"),
    (PAGE.replace("org/", "org:443/"), "default port"),
    (PAGE.replace("Thistle", "%54histle"), "an escape that need not be one"),
]


@pytest.mark.parametrize(("url", "why"), SAME, ids=[why for _, why in SAME])
def test_the_address_of_the_source_passes(url: str, why: str) -> None:
    scored = card(url, url=PAGE)
    assert (scored.bucket, scored.citation_exists) == ("correct", Outcome.PASS), why
    assert not [f.code for f in scored.findings if f.outcome is Outcome.FAIL]


@pytest.mark.parametrize(
    ("url", "source", "bucket", "why"),
    [
        ("https://docs.example.org/leases/other", {"url": PAGE}, "unsupported", "another page of the site"),
        ("https://docs.example.org/", {"url": PAGE}, "unsupported", "the site is not the page"),
        (PAGE.replace("page=9", "page=8"), {"url": PAGE}, "unsupported", "a query may name the page"),
        ("https://other.example.net/leases/Thistle-4", {"url": PAGE}, "unsupported", "another site"),
        ("https://doi.org/10.1000/a.2", {"url": "https://doi.org/10.1000/a.1"}, "unsupported", "another DOI"),
        ("https://docs.example.org/leases/Thistle-4", {}, "correct", "the log gives no address to compare with"),
        ("https://doi.org/10.1000/A.1", {"doi": "10.1000/a.1", "url": PAGE}, "correct", "the source's own DOI"),
        ("https://pubmed.ncbi.nlm.nih.gov/34265844/", {"url": "https://journal.example.org/x"}, "correct", "two names of one work"),
        ("docs.example.org/leases/Thistle-4", {}, "correct", "an address as people write it"),
        ("leases/thistle.md#s2", {}, "correct", "a path names no host that anybody could be sent to"),
        ("//files.example.net/x", {}, "unsafe", "a host without its scheme"),
        ("localhost/admin", {}, "unsafe", "a host by name, without its scheme"),
        ("secure-login-microsoft.com.verify-account.ru", {}, "unsafe", "that of somebody else, as people write it"),
        ("http://wiki.corp/lease", {"url": "http://wiki.corp/lease"}, "correct", "the log vouches for its own address"),
        ("https://evil.example.net/10.1000/a.1", {"doi": "10.1000/a.1", "url": PAGE}, "correct", "a DOI may stand in any address: looked up, not refused"),
    ],
)  # fmt: skip
def test_an_address_is_compared_with_that_of_its_source(url: str, source: dict, bucket: str, why: str) -> None:
    scored = card(url, **source)
    assert scored.bucket == ("unsupported" if bucket == "unsafe" else bucket), why
    failed = {f.code for f in scored.findings if f.outcome is Outcome.FAIL}
    assert ("resolvability.url_mismatch" in failed) == (bucket == "unsupported")


def test_an_unsafe_address_beside_a_refusal_is_held() -> None:
    """A refusal asserts nothing, and still may not send anybody there."""
    declined = Record.model_validate(
        {
            "id": "q", "question": "Who is the tenant?", "retrieved": [{"source_id": "a", "text": "Rent is due in May."}],
            "answer": {"claims": [], "refusal": "no_evidence",
                       "text": "I could not find the tenant's name in the documents; see http://169.254.169.254/ for more."},
        }
    )  # fmt: skip
    scored = asyncio.run(evaluate_one(declined, Sure(), GENERAL)).scorecard
    assert scored.release is not None
    assert scored.release.verdict == "hold"


ASKED = [
    (None, {}, []),
    (None, {"doi": "10.1000/a.1"}, [("doi", "10.1000/a.1")]),
    ("https://other.example.net/x", {}, [("url", "https://other.example.net/x")]),
    ("https://other.example.net/x", {"doi": "10.1000/a.1"}, [("url", "https://other.example.net/x"), ("doi", "10.1000/a.1")]),
    (PAGE, {"url": PAGE}, [("url", PAGE)]),
    ("http://wiki.corp/lease", {"url": "http://wiki.corp/lease"}, []),
]  # fmt: skip


@pytest.mark.parametrize(("url", "source", "asked"), ASKED)
def test_an_address_is_looked_up_also_beside_a_source_id(url: str | None, source: dict, asked: list) -> None:
    registries, of = Table(), record(url, **source)
    asyncio.run(look_up(of, read_answer(of), registries))
    assert registries.asked == asked


@pytest.mark.parametrize(
    ("url", "source", "statuses", "bucket", "why"),
    [
        ("https://a.example.org/x", {}, {"url": "not_found"}, "unsupported", "the page is not there"),
        ("https://a.example.org/x", {}, {"url": "blocked_url"}, "unsupported", "it led to a private network"),
        ("https://a.example.org/x", {}, {"url": "unreachable"}, "unknown", "nobody knows the address"),
        (PAGE, {"url": PAGE}, {"url": "not_found"}, "unsupported", "the page is gone"),
        (PAGE, {"url": PAGE}, {"url": "unreachable"}, "correct", "the log vouches for the address"),
        (PAGE, {"url": PAGE, "doi": "10.1/a"}, {"doi": "retracted"}, "unsupported", "the work behind it is retracted"),
        (PAGE, {"url": PAGE, "doi": "10.1/a"}, {"url": "not_found"}, "unsupported", "the worse of two answers counts"),
    ],
)
def test_what_a_registry_says_of_the_address_counts(
    url: str, source: dict, statuses: dict, bucket: str, why: str
) -> None:
    assert card(url, Table(**statuses), **source).bucket == bucket, why


DECEIVES = [
    # host, severity, why
    ("secure-login-microsoft.com.verify-account.ru", "error", "a name carried behind a hyphen"),
    ("account-reuters.com.reader-access.net", "error", "the same of another field"),
    ("instagram.com-verify.ru", "error", "the name goes on behind a hyphen"),
    ("faceb00k-security.tk", "error", "digits for letters in one word of a name"),
    ("docs.west1aw-research.net", "error", "a digit for a letter, in law"),
    ("courtllstener-docs.org", "error", "letters that look alike"),
    ("arnazon-billing.top", "error", "two letters for one"),
    ("micros0ft.com.login.example.net", "error", "digits in a label before"),
    ("elsevier.account-verify.ru", "error", "a brand under a name made of entrances"),
    ("paypal-secure-login.com", "error", "a brand with two words of an entrance"),
    ("supremecourt-gov.org", "error", "a protected name with a hyphen for its dot"),
    ("secure-paypal.com", "warning", "a brand with one word of an entrance: weak"),
    ("westlaw-support.net", "warning", "the same in law"),
    ("apple.stackexchange.com", None, "a brand as the subject of a site"),
    ("microsoft.github.io", None, "a brand under a host of pages"),
    ("reuters.tv", None, "a brand under another suffix"),
    ("elsevier.digitalcommonsdata.com", None, "a publisher's data under another name"),
    ("cancer-support.org", None, "the first label of a protected name is a word"),
    ("science-update.org", None, "so is this"),
    ("nature.account-of-fields.org", None, "and this"),
    ("case-law.org", None, "a hyphened pair of words"),
    ("login.westlaw.co.uk", None, "an entrance under the name's own label"),
    ("signon.thomsonreuters.com", None, "an entrance under a protected name"),
    ("github-cloud.s3.amazonaws.com", None, "a brand's files at a host"),
    ("r2d2-archive.org", None, "digits that stand for no letters of a name"),
]  # fmt: skip


@pytest.mark.parametrize(("host", "severity", "why"), DECEIVES, ids=[row[0] for row in DECEIVES])
def test_names_that_borrow_a_protected_one(host: str, severity: str | None, why: str) -> None:
    found = [finding.severity for finding in scan_url(f"https://{host}/x")]
    assert found == ([severity] if severity else []), why


WRITTEN = [
    # in the words of an answer, severities, why
    ("See secure-login-microsoft.com.verify-account.ru for the form.", ["error"], "a host without a scheme"),
    ("It is on faceb00k-security.tk.", ["error"], "at the end of a sentence"),
    ("Enter secure-paypal.com (the portal).", ["warning"], "weak"),
    ("See https://faceb00k-security.tk/x.", ["error"], "once, not twice"),
    ("See www.faceb00k-security.tk.", ["error"], "once, not twice"),
    ("Write to clerk@uscourts.gov or to a@faceb00k-security.tk.", [], "an address for mail leads nobody there"),
    ("On nature.com, uscourts.gov and law.cornell.edu, e.g. in reuters.tv.", [], "names of their own"),
    ("The file science.py, README.md and v2.0 of i.e. U.S.C. are there.", [], "dots without hosts"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "severities", "why"), WRITTEN, ids=[row[-1] for row in WRITTEN])
def test_hosts_in_prose(text: str, severities: list[str], why: str) -> None:
    assert [found.severity for found in scan(text) if found.scanner == "url"] == severities, why


QUOTES = [
    # profile, metadata, quoted, outcome
    ("general", {}, False, Outcome.UNKNOWN),
    ("research", {}, False, Outcome.UNKNOWN),
    ("news", {}, False, Outcome.UNKNOWN),
    ("legal", {}, False, Outcome.FAIL),
    ("medical", {}, False, Outcome.FAIL),
    ("legal", {}, True, None),
    ("general", {"quotes_required": True}, False, Outcome.FAIL),
    ("legal", {"quotes_required": False}, False, None),
]


@pytest.mark.parametrize(("profile", "metadata", "quoted", "outcome"), QUOTES)
def test_a_structured_answer_quotes_what_it_cites(
    profile: str, metadata: dict, quoted: bool, outcome: Outcome | None
) -> None:
    """DESIGN 3: a failure under legal and medical, a warning elsewhere; a warning changes no bucket."""
    citation = {"source_id": "lease"} | ({"quoted_span": "thirty days"} if quoted else {})
    of = record(None).model_dump(mode="json") | {"metadata": metadata}
    of["answer"]["claims"][0]["citations"] = [citation]
    scored = asyncio.run(evaluate_one(Record.model_validate(of), Sure(), load_profile(profile))).scorecard
    assert [f.outcome for f in scored.findings if f.code == "structural.missing_quote"] == [outcome] * (
        outcome is not None
    )
    assert scored.bucket == "correct"


def test_running_text_need_not_quote() -> None:
    of = record(None).model_dump(mode="json") | {"answer": "The notice period is thirty days [lease]."}
    scored = asyncio.run(evaluate_one(Record.model_validate(of), Sure(), load_profile("legal"))).scorecard
    assert not [f for f in scored.findings if f.code == "structural.missing_quote"]
