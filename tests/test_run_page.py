"""An answer read on the page of a run, in Chromium: claims beside their evidence, hostile text, print, and what axe-core says."""

from __future__ import annotations

import pytest
import run_pages
from browser import PHONE, faults, needs_chromium
from run_pages import TABLE, dose, few, many, search_for
from scorecards import FAIL, PASS, UNKNOWN, card, claim

from showable.records import Finding, Gold, Record, RefusalPoint, Source
from showable.records.scorecard import CitationScore, Release
from showable.report.run_view import Entry

pytestmark = needs_chromium

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)><a href=javascript:alert(3)>\u202egnp\x1b[31m"


def test_a_record_shows_its_claims_in_place_beside_the_evidence(opened):
    with opened(few(), "#record=dose") as page:
        page.wait_for_selector(".claim-card")
        assert page.locator(".answer .claim").nth(0).evaluate("one => one.className") == "claim v-contradicted"
        marked = ["".join(page.locator(f'.answer .claim[data-claims="{n}"]').all_text_contents()) for n in range(3)]
        assert marked == ["The dose is 400 mg [1].", "مقدار الجرعة 😀 أربعون.", "It is taken with food."]
        assert page.locator(".answer .flag").count() == 1, "the uncited claim's mark says it already"
        assert page.locator(".chip").nth(0).get_attribute("aria-label") == "Claim 1, contradicted: go to its evidence"
        evidence = page.locator("#claim-0")
        assert evidence.locator(".passage mark.relied").inner_text().split("\n")[1] == "The dose is 40 mg once daily"
        for said in (
            "probability of support 0.45, needs 0.5: close, the judge was unsure",
            "crossref: retracted",
            "contradicts the claim",
            "Leaflet",
            "page 2",
            "https://example.org/leaflet",
        ):
            assert said in evidence.inner_text(), said
        link = evidence.locator("a")
        assert link.get_attribute("rel") == "noopener noreferrer"
        page.click("text=What is shown in its place")
        assert "Ask a pharmacist." in page.locator("#reader").inner_text()
        page.click(".answer .flag")
        assert "semantic.contradicted" in page.evaluate("document.activeElement.innerText")
        page.click(".chip >> nth=2")
        assert page.evaluate("document.activeElement.id") == "claim-2"
        assert "lit" in page.locator("#claim-2").get_attribute("class")
        assert faults(page) == []


def test_only_web_addresses_become_links(opened):
    with opened(few(), "#record=lease-1") as page:
        page.click("details.retrieved summary")
        page.locator("details.retrieved").get_by_text("javascript:alert(1)").wait_for()  # put there once it is opened
        assert page.locator("#reader a[href^=javascript]").count() == 0


def test_text_of_records_is_text_in_every_field(opened):
    one = CitationScore(
        source_id=HOSTILE,
        raw=HOSTILE,
        exists=PASS,
        supports=UNKNOWN,
        reason=HOSTILE,
        quote=HOSTILE,
        registry=HOSTILE,
        status="retracted",
    )
    scored = card(HOSTILE, "wrong", cause="contradicts_gold", why=HOSTILE, category=HOSTILE, labelled=HOSTILE, expected=(HOSTILE,), refusal_quality=1,
                  refusal_points=(RefusalPoint(point="reason", earned=True, why=HOSTILE),), loose=(one,),
                  claims=(claim("partial", text=HOSTILE, kind=HOSTILE, supported_by=(HOSTILE,), contradicted_by=(HOSTILE,)).model_copy(update={"citations": (one,)}),),
                  findings=(Finding(code=HOSTILE, outcome=FAIL, reason=HOSTILE),), release=Release(verdict="hold", reasons=(HOSTILE,), text=HOSTILE))  # fmt: skip
    record = Record(id=HOSTILE, question=HOSTILE, answer=HOSTILE, profile=HOSTILE, trace_id=HOSTILE, metadata={HOSTILE: HOSTILE}, gold=Gold(answer=HOSTILE, why=HOSTILE, aliases=(HOSTILE,)),
                    retrieved=(Source(source_id=HOSTILE, text=HOSTILE, title=HOSTILE, url=HOSTILE, doi=HOSTILE, page=HOSTILE, metadata={HOSTILE: HOSTILE}),))  # fmt: skip
    with opened([Entry(record, scored)]) as page:
        assert search_for(page, "alert(1)") != []
        page.click("a.row")
        page.wait_for_selector(".claim-card")
        for summary in page.locator("#reader summary").all():
            summary.click()
        page.locator("#reader details.retrieved .passage").wait_for()
        assert page.locator("#reader img, #reader script, #list img").count() == 0
        assert page.locator("#reader").inner_text().count("alert(1)") >= 20
        assert page.evaluate("document.body.innerText.search(/[\\u202e\\x1b]/)") == -1
        page.reload()
        page.wait_for_selector(".claim-card")
        page.keyboard.press("Escape")


def test_the_policy_stops_what_would_be_slipped_in(opened):
    with opened(few()) as page:
        page.evaluate(
            "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"document.title=1\"><div id=bad onclick=\"document.title=1\">x</div>')"
        )
        page.evaluate(
            "const s = document.createElement('script'); s.textContent = 'document.title = 1'; document.body.append(s)"
        )
        page.evaluate("document.getElementById('bad').click()")
        assert page.title() != "1"
        assert any("Content Security Policy" in said for said in page.errors)
        page.errors.clear()
        page.asked[:] = [url for url in page.asked if not url.endswith("/x")]


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_long_names_and_right_to_left_fit_a_phone(opened, theme):
    name = "n" * 300
    scored = card(
        name,
        "wrong",
        cause="contradicts_gold",
        category="c" * 300,
        claims=(claim("supported", (PASS, PASS), text="ا" * 300, span=(0, 40)), claim("unsupported", text="w" * 300)),
        findings=(Finding(code="x." + "y" * 300, outcome=FAIL),),
    )
    record = Record(
        id=name,
        question="س" * 300,
        answer="النص العربي " * 20,
        retrieved=(Source(source_id="d1", title="t" * 300, url="https://e.org/" + "u" * 300, text="p" * 500),),
    )
    with opened([Entry(record, scored)], viewport=PHONE, color_scheme=theme) as page:
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) == 0
        assert theme == "light" or faults(page) == []  # in light all states are looked at below
        page.click("a.row")
        page.wait_for_selector(".claim-card")
        assert page.evaluate(wide) == 0
        assert page.locator(".answer").evaluate("one => getComputedStyle(one).direction") == "rtl"
        assert theme == "light" or faults(page) == []


def test_tables_in_answers_keep_their_columns(opened):
    with opened(few(), "#record=lease-2") as page:
        assert (
            page.wait_for_selector(".answer")
            .evaluate("one => getComputedStyle(one).fontFamily")
            .startswith("ui-monospace")
        )
        assert page.locator(".answer").inner_text() == TABLE


@pytest.mark.parametrize(("theme", "rules"), [("light", None), ("dark", ["color-contrast"])], ids=["light", "dark"])
def test_axe_finds_no_serious_fault(opened, theme, rules):
    """All rules in the light; in the dark the one that hangs on colours."""
    with opened(few(), color_scheme=theme) as page:
        assert faults(page, rules=rules) == []
        page.click("#theme")
        assert page.evaluate("document.documentElement.dataset.theme") != theme
        page.keyboard.press("?")
        assert faults(page, rules=rules, within="#help") == []


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_serious_fault_once_the_theme_is_switched(opened, theme):
    with opened(few(), color_scheme=theme) as page:
        page.click("#theme")
        assert page.evaluate("document.documentElement.dataset.theme") != theme
        assert faults(page, rules=["color-contrast"]) == []


def test_without_script_the_page_is_read_all_the_same(opened):
    with opened(few(), java_script_enabled=False) as page:
        text = " ".join(page.locator("body").inner_text().split())
        for said in ("9 of 13 answers are acceptable", "Scripts are off", "The usual dose is 400 mg"):
            assert said in text
        assert page.locator("#records").is_hidden()
        assert page.locator("article.plain-record").count() == 13


@pytest.mark.slow
def test_where_a_server_forbids_scripts_and_styles_the_page_is_read_all_the_same(browser):
    """A server's own policy comes on top of the page's: scripts are not off then, they are refused."""
    with run_pages.served(browser, few(), "default-src 'self'") as page:
        assert page.locator("article.plain-record").count() == 13
        assert page.locator(".static").is_visible()
    with run_pages.served(browser, few(), "sandbox allow-scripts") as page:
        page.wait_for_selector("html[data-ready]", state="attached")
        assert page.locator("article.plain-record").count() == 0
        page.click("a.row")
        page.wait_for_selector(".claim-card")


def test_print_lays_out_the_summary_and_what_is_filtered(opened):
    with opened(many(230), "#bucket=wrong") as page:
        page.evaluate("window.print = () => {}")
        page.click("#print")
        page.wait_for_selector("#toast:not(.on)", state="attached")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")
        assert page.locator("#paper article").count() == 46
        assert page.locator("#paper h2").first.inner_text() == "Answers (bucket: wrong)"
        assert page.locator("#overview h1").is_visible()
        assert page.locator("#records, #tools, #reader").locator("visible=true").count() == 0
        assert page.pdf()[:4] == b"%PDF"
    with opened(many(230)) as page:
        page.evaluate("window.print = () => {}")
        page.click("#print")
        page.wait_for_selector("#toast:not(.on)", state="attached")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.locator("#paper h2").first.text_content() == "The first 100 of 230 answers"


def test_what_was_cut_out_of_a_passage_is_said_where_it_stood(opened, monkeypatch):
    monkeypatch.setattr("showable.report.page.shortening.MOST_OF_PASSAGE", 400)
    text = "Before. " * 200 + "The dose is 40 mg." + " After." * 200
    start = text.index("The dose")
    cited = CitationScore(
        source_id="d1", exists=PASS, supports=FAIL, quote_span=(start, start + 18), quote="The dose is 40 mg."
    )
    scored = card("q", "wrong", claims=(claim("unsupported", text="c").model_copy(update={"citations": (cited,)}),))
    record = Record(id="q", question="?", answer="!", retrieved=(Source(source_id="d1", text=text),))
    with opened([Entry(record, scored)], "#record=q") as page:
        passage = page.wait_for_selector(".claim-card .passage")
        before = start - (400 - 18) // 2
        assert passage.inner_text().lstrip().startswith(f"[… {before:,} characters left out …]")
        assert passage.inner_text().rstrip().endswith("characters left out …]")
        assert passage.query_selector("mark.relied").inner_text().split("\n")[1] == "The dose is 40 mg."
        page.click("details.retrieved summary")
        said = f"{len(text) - 400:,} characters are left out here"
        page.locator("details.retrieved").get_by_text(said).wait_for()  # the passage is put there once it is opened


NAMES = ["__proto__", "constructor", "a b+c&d=e#f%20", "1e999", "\ud800", "x" * 900, " "]


def named(name):
    scored = card(
        name,
        "wrong",
        cause="contradicts_gold",
        category=name,
        claims=(claim("contradicted", text="c", kind=name, supported_by=(name,), contradicted_by=(name,)),),
        findings=(Finding(code=name, outcome=FAIL),),
    )
    source = Source.model_construct(**Source(source_id="d", text="t").model_dump() | {"source_id": name})
    return Entry(
        Record(id="q", question="?", answer="!").model_copy(update={"id": name, "retrieved": (source,)}), scored
    )


SOME_NAMES = pytest.mark.parametrize(
    "names", [NAMES[:3], pytest.param(NAMES[3:], marks=pytest.mark.slow)], ids=["some", "the others"]
)


@SOME_NAMES
def test_a_name_is_a_name(opened, names):
    with opened([named(name) for name in names]) as page:
        for number in range(1, len(names) + 1):
            page.locator("a.row").nth(number - 1).click()
            page.wait_for_selector(".claim-card")
            page.reload()
            page.wait_for_selector(".claim-card")
            assert "native code" not in page.content()
            assert f"{number} of {len(names)}" in page.locator(".reader-bar").inner_text()
            page.go_back()
            page.wait_for_selector("a.row")


@SOME_NAMES
def test_a_name_can_be_filtered_by(opened, names):
    with opened([named(name) for name in names]) as page:
        for option in page.locator("label.option .what.code").all():
            option.click()
            page.wait_for_selector(".chip-off")
            assert page.locator("a.row").count() == 1
            page.locator(".chip-off").first.click()


def test_an_answer_opened_by_its_link_prints(opened):
    with opened(many(230), "#record=q00228") as page:
        page.wait_for_selector(".claim-card")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.locator("#paper article").count() == 1
        assert "q00228" in page.locator("#paper").text_content()


def test_on_paper_claims_that_merely_cite_nothing_share_a_line(opened):
    with opened([dose()], "#record=dose") as page:
        page.wait_for_selector(".claim-card")
        assert "structural.uncited_claim" in page.locator("#claim-2").inner_text()
        assert "failed" not in page.locator("#claim-2").inner_text(), "that it cites nothing is said once"
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert "Claim 3 cites nothing." in page.locator("#paper").text_content()
        assert page.locator("#paper .claim-card").count() == 2
