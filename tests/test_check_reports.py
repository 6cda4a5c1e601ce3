"""Reports of `showable check`: terminal, SARIF, JSON and HTML, over one small brief of every standing."""

from __future__ import annotations

import io
import json
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from tables import every_row

from showable.records.lookups import FieldCheck, LookupStatus
from showable.report.check_html import render_check_html
from showable.report.check_outcome import (
    Checked,
    CheckedCitation,
    CheckedDocument,
    DocumentText,
    Flag,
    QuoteCheck,
    Where,
    exit_code,
    to_document,
)
from showable.report.check_sarif import to_sarif
from showable.report.check_text import render_check
from showable.report.check_words import MEANING

GOLDEN = Path(__file__).parent / "golden"
BRIEF = """\
MEMORANDUM OF LAW

Marriage is a fundamental right. Obergefell v. Hodges, 576 U.S. 644, 675 (2015).
The limitation is tolled by a bankruptcy stay. Varghese v. China Southern Airlines Co., 925 F.3d 1339 (11th Cir. 2019).
As the Court said, "separate educational facilities are inherently equal." Brown v. Board of Education, 347 U.S. 483, 495 (1954).
See also Gibson v. Acme Corp., 2019 WL 1234567 (S.D.N.Y. Mar. 4, 2019); 28 U.S.C. § 1331.
Id. at 676. The trial is described in doi:10.1016/S0140-6736(97)11096-0, and at https://example.org/opinion.
"""


def where(text, document="brief.txt", page=None, part=None, body=BRIEF):
    start = body.index(text)
    line = body.count("\n", 0, start) + 1
    column = start - body.rfind("\n", 0, start)
    end = start + len(text)
    return Where(
        document=document, page=page, line=line, column=column, part=part, start=start, end=end, end_line=line,
        end_column=column + len(text),
    )  # fmt: skip


def citations():
    fields = {
        "case_name": "Varghese v. China Southern Airlines Co.",
        "volume": "925",
        "reporter": "F.3d",
        "page": "1339",
    }
    quote = "separate educational facilities are inherently equal"
    at = BRIEF.index(quote)
    return (
        CheckedCitation(
            raw="576 U.S. 644", full="Obergefell v. Hodges, 576 U.S. 644, 675 (2015)", kind="case", where=where("576 U.S. 644"),
            status="resolved", registry="caselaw_access", passage="Obergefell v. Hodges, 576 U.S. 644, 675 (2015).",
            claimed={"volume": "576", "reporter": "U.S.", "page": "644"},
            compared=(FieldCheck(field="case_name", claimed="Obergefell v. Hodges", found="Obergefell v. Hodges", outcome="agrees"),),
            url="https://static.case.law/us/576/CasesMetadata.json", at="2026-01-02T03:04:05+00:00", cached=True,
        ),
        CheckedCitation(
            raw="925 F.3d 1339", full="Varghese v. China Southern Airlines Co., 925 F.3d 1339 (11th Cir. 2019)", kind="case",
            where=where("925 F.3d 1339"), status="mismatch", registry="caselaw_access", claimed=fields,
            reason="925 F.3d 1339 stands inside J.D. v. Azar, 925 F.3d 1291 (D.C. Cir. 2019)",
            compared=(
                FieldCheck(field="case_name", claimed=fields["case_name"], found="J.D. v. Azar", outcome="differs", score=0.2),
                FieldCheck(field="year", claimed="2019", found="2019", outcome="agrees"),
                FieldCheck(field="court", claimed="ca11", found=None, outcome="unknown"),
            ),
            passage="The limitation is tolled by a bankruptcy stay. Varghese v. China Southern Airlines Co., 925 F.3d 1339 (11th Cir. 2019).",
        ),
        CheckedCitation(
            raw="347 U.S. 483", full="Brown v. Board of Education, 347 U.S. 483, 495 (1954)", kind="case", where=where("347 U.S. 483"),
            status="resolved", registry="caselaw_access",
            quotes=(
                QuoteCheck(
                    quote=quote, status="misquoted", source="sources/brown.txt", place="line 3",
                    reason="sources/brown.txt has other words: equal → unequal", start=at, end=at + len(quote),
                ),
            ),
        ),
        CheckedCitation(
            raw="2019 WL 1234567", full="Gibson v. Acme Corp., 2019 WL 1234567 (S.D.N.Y. Mar. 4, 2019)", kind="westlaw",
            where=where("2019 WL 1234567"), status="not_configured", registry="westlaw",
            reason="needs an account (SHOWABLE_WESTLAW_KEY)",
        ),
        CheckedCitation(
            raw="28 U.S.C. § 1331", full="28 U.S.C. § 1331", kind="usc", where=where("28 U.S.C. § 1331"), status="unreachable",
            registry="us_code", reason="offline: not in the cache",
        ),
        CheckedCitation(
            raw="Id. at 676", full="Id. at 676", kind="id", where=where("Id. at 676"), status="unreachable", registry="us_code",
            reason="offline: not in the cache", antecedent=4,
        ),
        CheckedCitation(
            raw="10.1016/S0140-6736(97)11096-0", full="doi:10.1016/S0140-6736(97)11096-0", kind="doi",
            where=where("10.1016/S0140-6736(97)11096-0"), status="retracted", registry="crossref",
            reason="retracted 2010-02-06", found={"title": "Ileal-lymphoid-nodular hyperplasia", "year": "1998"},
        ),
        CheckedCitation(
            raw="https://example.org/opinion", full="https://example.org/opinion", kind="url",
            where=where("https://example.org/opinion"), status="resolved", registry="web_page", url="https://example.org/opinion",
            notes=("the page was moved to https://example.org/opinions/7",),
            flags=(Flag(code="invisible", reason="U+200B ZERO WIDTH SPACE: a break", start=0, end=1),),
        ),
    )  # fmt: skip


def sample(**given):
    held = citations()
    document = CheckedDocument(name="brief.txt", format="text", citations=len(held))
    fields = {"asked": ("caselaw_access", "crossref", "us_code"), "version": "0.1.0", "sources": 1}
    return Checked(**({"documents": (document,), "citations": held} | fields | given))


def printed(checked, width=80, encoding="utf-8"):
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="backslashreplace", newline="\n")
    render_check(
        checked, console=Console(file=file, width=width, force_terminal=False, no_color=True, legacy_windows=False)
    )
    file.flush()
    return "".join(f"{line.rstrip()}\n" for line in file.buffer.getvalue().decode(encoding).splitlines())


def test_the_check_prints_as_it_did():
    assert printed(sample()) == (GOLDEN / "check.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [60, 80, 200])
def test_the_check_fits_the_width(width):
    said = printed(sample(), width)
    assert all(len(line) <= min(width, 120) for line in said.splitlines())
    for words in ("J.D. v. Azar", "inherently equal", "not_configured", "retracted 2010-02-06", "Resolved: 2"):
        assert words in " ".join(said.split()), words


def test_what_is_bad_comes_first_and_what_is_good_is_counted():
    said = printed(sample())
    places = [
        said.index(head)
        for head in ("8 citations in brief.txt: 3 bad, 3 could", "Bad\n", "Could not be", "worth a look", "Resolved: 2")
    ]
    assert places == sorted(places)
    assert said.count("offline: not in the cache") == 1, "a reason is said once"
    assert "(2 citations)" in said
    assert "\x1b" not in said


def test_a_console_of_ascii_gets_signs_of_ascii():
    said = printed(sample(), encoding="ascii")
    assert "!  case name" in said
    assert "\\u2260" not in said


def test_no_citation_says_so():
    empty = Checked(documents=(CheckedDocument(name="a.txt", format="text"),))
    assert printed(empty) == "No citation found in a.txt\n"
    assert exit_code(empty) == 0
    assert "no citation in what was read" in render_check_html(empty, [DocumentText("a.txt", "words")])
    assert to_sarif(empty, {"a.txt": "a.txt"})["runs"][0]["results"] == []


def test_many_of_one_reason_are_counted():
    one = citations()[4]
    said = printed(sample(citations=tuple(one.model_copy(update={"full": f"{n} U.S.C. § 1"}) for n in range(150))))
    assert said.count("offline: not in the cache") == 1
    assert "(150 citations)" in said
    assert "and 50 more; -o FILE.html and --json have them all" in said
    assert "none bad" not in said, "nobody knows that"
    assert said.count("150 could not be checked") == 2, "once more at the end of a long list"


def test_a_citation_that_stands_often_is_told_once_with_its_places():
    held = citations()
    bad = [held[1].model_copy(update={"where": held[1].where.model_copy(update={"page": n})}) for n in range(1, 13)]
    said = printed(sample(citations=tuple(bad)))
    assert said.count("J.D. v. Azar, 925 F.3d 1291") == 1
    assert "page 1, line 4; page 2, line 4" in said
    assert "4 more places: mismatch" in " ".join(said.split())


BAD = ("not_found", "mismatch", "malformed", "retracted", "withdrawn", "superseded_version", "blocked_url")
CODES = [
    *((status, 1, "DESIGN 7: check") for status in BAD),
    *((s, 3, "DESIGN 7") for s in ("ambiguous", "not_covered", "not_configured", "unreachable", "rate_limited")),
    ("resolved", 0, "DESIGN 7"),
]


@every_row(("status", "code", "source"), CODES)
def test_exit_codes(status, code, source):
    checked = sample(citations=(citations()[0].model_copy(update={"status": status}),))
    assert exit_code(checked) == code, source


def test_exit_codes_of_quotes_pages_and_mixtures():
    good, bad, quoted, open_, *_ = citations()
    unread = (CheckedDocument(name="brief.txt", format="pdf", unread=("brief.txt: page 2 of 3 without text",)),)
    assert exit_code(sample(citations=(good, quoted))) == 1
    assert exit_code(sample(citations=(good, open_))) == 3
    assert exit_code(sample(citations=(open_, bad))) == 1
    assert exit_code(sample(citations=(good,), documents=unread)) == 3
    unsourced = quoted.model_copy(update={"quotes": (quoted.quotes[0].model_copy(update={"status": "no_source"}),)})
    assert exit_code(sample(citations=(unsourced,))) == 0
    assert unsourced.standing == "look"


def test_every_status_has_words_and_a_rule():
    from typing import get_args

    assert set(get_args(LookupStatus)) | {"bad_quote"} == set(MEANING)
    assert len({name for name, _ in MEANING.values()}) == len(MEANING)


def test_the_json_has_what_others_rely_on():
    document = json.loads(json.dumps(to_document(sample())))
    promised = {"raw", "kind", "where", "status", "registry", "claimed", "found", "reason"}
    assert all(promised <= set(one) for one in document["citations"])
    assert document["counts"] == {"citations": 8, "bad": 3, "unchecked": 3, "look": 1, "good": 1}
    assert document["exit_code"] == 1
    assert sum(document["statuses"].values()) == 8
    assert document["citations"][2]["label"] == "bad_quote"
    assert document["citations"][5]["antecedent"] == 4


def log(checked=None):
    return to_sarif(checked or sample(), {"brief.txt": "filings/brief.txt"})


def test_sarif_has_what_the_standard_requires():
    held = json.loads(json.dumps(log()))
    assert set(held) == {"$schema", "version", "runs"}  # 3.13
    assert held["version"] == "2.1.0"  # 3.13.2
    assert held["$schema"].endswith("sarif-schema-2.1.0.json")  # 3.13.3
    (run,) = held["runs"]
    driver = run["tool"]["driver"]  # 3.14.6, 3.18.2
    assert driver["name"] == "showable"  # 3.19.8
    ids = [rule["id"] for rule in driver["rules"]]  # 3.49.3
    assert len(set(ids)) == len(ids)
    levels = {"none", "note", "warning", "error"}
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"].endswith(".")  # 3.49.9
        assert rule["fullDescription"]["text"]  # 3.11.8: a message has a text
        assert rule["defaultConfiguration"]["level"] in levels  # 3.50.3
    for result in run["results"]:
        assert result["message"]["text"]  # 3.27.11
        assert ids[result["ruleIndex"]] == result["ruleId"]  # 3.27.6
        assert result["kind"] in {"pass", "open", "informational", "notApplicable", "review", "fail"}  # 3.27.9
        assert result["level"] in levels
        assert result["kind"] == "fail" or result["level"] == "none"  # 3.27.10
        (location,) = result["locations"]
        physical = location["physicalLocation"]  # 3.28.3
        uri = physical["artifactLocation"]["uri"]  # 3.4.3
        assert uri == "filings/brief.txt"
        assert run["artifacts"][physical["artifactLocation"]["index"]]["location"]["uri"] == uri  # 3.4.5
        region = physical["region"]
        assert region["startLine"] >= 1  # 3.30.5
        assert region["startColumn"] >= 1  # 3.30.6
        assert region["endLine"] == region["startLine"]  # 3.30.7
        assert region["endColumn"] - region["startColumn"] == region["charLength"]  # 3.30.8
        assert BRIEF[region["charOffset"] : region["charOffset"] + region["charLength"]] == region["snippet"]["text"]
    assert run["columnKind"] == "unicodeCodePoints"  # 3.14.17
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is True  # 3.20.14
    assert invocation["exitCode"] == 1  # 3.20.6


def test_sarif_tells_bad_open_and_passed():
    (run,) = log()["runs"]
    assert [(one["ruleId"], one["kind"], one["level"]) for one in run["results"]] == [
        ("resolved", "pass", "none"),
        ("mismatch", "fail", "error"),
        ("bad_quote", "fail", "error"),
        ("not_configured", "open", "none"),
        ("unreachable", "open", "none"),
        ("unreachable", "open", "none"),
        ("retracted", "fail", "error"),
        ("resolved", "pass", "none"),
    ]
    prints = [one["partialFingerprints"]["citation/v1"] for one in run["results"]]
    assert len(set(prints)) == len(prints)


def test_sarif_of_pages_gives_no_offsets_into_the_file():
    held = citations()[1].model_copy(update={"where": where("925 F.3d 1339", page=3)})
    document = CheckedDocument(name="brief.txt", format="pdf", unread=("brief.txt: page 2 of 3 without text",))
    (run,) = log(sample(documents=(document,), citations=(held,)))["runs"]
    (location,) = run["results"][0]["locations"]
    assert "charOffset" not in location["physicalLocation"]["region"]
    assert location["logicalLocations"][0]["name"] == "page 3, line 4"
    assert "page 2 of 3" in run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]


class Page(HTMLParser):
    """Collects what a page would show and load."""

    def __init__(self, html):
        super().__init__()
        self.text, self.tags, self.attributes, self.open = "", [], [], []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in {"meta", "br", "input"}:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def html(checked=None, text=BRIEF, breaks=()):
    return render_check_html(checked or sample(), [DocumentText("brief.txt", text, breaks)])


def test_the_page_is_whole_and_loads_nothing():
    written = html()
    page = Page(written)
    assert page.open == []
    assert not {"script", "link", "img", "iframe", "form"} & set(page.tags)
    assert "src" not in dict(page.attributes)
    assert "default-src 'none'" in written
    for words in (
        "8 citations in brief.txt",
        "J.D. v. Azar",
        "retracted 2010-02-06",
        "MEMORANDUM OF LAW",
        "Quotations were looked for in 1 files",
    ):
        assert words in page.text, words


def test_every_citation_is_marked_and_listed_failures_first():
    written = html()
    page = Page(written)
    ids = [value for name, value in page.attributes if name == "id"]
    assert [one for one in ids if one.startswith("m")] == [f"m{n}" for n in range(1, 9)]
    assert [one for one in ids if one.startswith("c")] == ["c2", "c3", "c7", "c4", "c5", "c6", "c8", "c1"]
    targets = {value for name, value in page.attributes if name == "href" and value.startswith("#")}
    assert {target[1:] for target in targets} <= set(ids), "every link within the page leads somewhere"
    assert '<a class="m citation bad" id="m2" href="#c2" data-sign="✗">925 F.3d 1339</a>' in written
    assert 'class="m quote bad" href="#c3"' in written


def test_the_text_is_all_there_with_page_breaks():
    written = html(breaks=((0, "page 1"), (BRIEF.index("As the"), "page 2")))
    shown = written.split('<div class="paper">')[1].split("</div>")[0]
    text = Page(f"<div>{shown}</div>").text
    assert text == "page 1" + BRIEF.replace("As the", "page 2As the", 1)


def test_only_registries_addresses_are_links():
    held = citations()
    page = Page(html(sample(citations=(held[0], held[7]))))
    outside = [value for name, value in page.attributes if name == "href" and not value.startswith("#")]
    assert outside == ["https://static.case.law/us/576/CasesMetadata.json"]
    evil = held[0].model_copy(update={"url": "javascript:alert(1)"})
    assert "javascript:" not in html(sample(citations=(evil,)))


HOSTILE = "\x1b[31mred\x1b[0m <script>alert(1)</script> [bold]x[/bold] \"'><img src=x> {{ 7*7 }} \u202ereversed\ud800 \n\x00 end"


def hostile(text):
    place = Where(document=text, page=1, line=1, part=text, start=0, end=max(1, len(text)))
    one = CheckedCitation(
        raw=text,
        full=text,
        kind=text,
        where=place,
        status="mismatch",
        registry=text,
        asked=(text,),
        claimed={text: text},
        found={text: text},
        compared=(FieldCheck(field=text, claimed=text, found=text, outcome="differs"),),
        reason=text,
        url=text,
        at=text,
        passage=text,
        quotes=(QuoteCheck(quote=text, status="misquoted", source=text, place=text, reason=text, start=0, end=1),),
        flags=(Flag(code=text, reason=text, severity="error", start=0, end=1),),
        notes=(text,),
    )
    unchecked = one.model_copy(update={"status": "not_covered", "quotes": ()})
    good = one.model_copy(update={"status": "resolved", "quotes": ()})
    document = CheckedDocument(name=text, format="text", citations=3, unread=(text,), notes=(text,))
    return Checked(
        documents=(document,), citations=(one, unchecked, good), asked=(text,), profile=text, stopped=text, version=text
    )


def test_hostile_text_steers_nothing():
    checked = hostile(HOSTILE)
    said = printed(checked, 200)
    assert not {"\x1b", "\u202e", "\x00"} & set(said)
    assert "[bold]x[/bold]" in said
    page = Page(render_check_html(checked, [DocumentText(HOSTILE, HOSTILE * 3, ((3, HOSTILE),))]))
    assert page.open == []
    assert not {"script", "img"} & set(page.tags)
    assert "{{ 7*7 }}" in page.text
    sarif = json.dumps(to_sarif(checked, {HOSTILE: "x"})).encode()
    assert b"\\u202e" not in sarif
    assert b"\\u001b" not in sarif


@settings(max_examples=40)
@given(st.text(min_size=1, max_size=40), st.integers(30, 120))
def test_no_text_breaks_a_report(text, width):
    checked = hostile(text)
    assert all(len(line) <= 2 * width for line in printed(checked, width).splitlines())
    json.dumps(to_sarif(checked, {text: "x"}))
    Page(render_check_html(checked, [DocumentText(text, text)]))
