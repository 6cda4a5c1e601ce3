"""Cases, statutes and papers that an answer cites by their own names: what belongs to the citation, and where it leads."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import every_row

from showable.read.answer import read_answer
from showable.read.external import softened
from showable.read.log_references import SearchedLog
from showable.read.phrase_index import PhraseIndex, squeezed
from showable.read.references.find import find_references
from showable.records import Answer, Citation, Claim, Evidence, Outcome, Record, Reference, Source, Thresholds
from showable.records.profile import GENERAL
from showable.rubrics.grade import grade

BROWN = "Brown v. Board of Education, 347 U.S. 483 (1954)"
LOG = [
    {"source_id": "brown", "title": BROWN, "text": "Separate educational facilities are inherently unequal."},
    {"source_id": "notes", "text": "Roe v. Poe, 12 F.3d 45 (2d Cir. 1999), held that notice is due. See 28 U.S.C. § 1331."},
    {"source_id": "trial", "doi": "10.1000/Trial.7", "text": "The drug lowered blood pressure.", "metadata": {"pmid": 12345678}},
]  # fmt: skip
BLUEBOOK = "Bluebook 21, rule B1: a citation stands as a sentence or as a clause of its own"


def record(answer, log=None):
    return Record.model_validate({"id": "q", "question": "What holds?", "retrieved": LOG if log is None else log, "answer": answer})  # fmt: skip


TABLE = [
    # answer, (claim, ids it cites; None stands for one outside the log), source
    (f"Separate schools are unequal. {BROWN}.", [("Separate schools are unequal", ["brown"])], BLUEBOOK),
    (f"Separate schools are unequal. See {BROWN}.", [("Separate schools are unequal", ["brown"])], "Bluebook rule 1.2: signals"),
    (f"Separate schools are unequal. See, e.g., {BROWN}; Roe v. Poe, 12 F.3d 45 (2d Cir. 1999).", [("Separate schools are unequal", ["brown", "notes"])], "a string cite"),
    (f"Separate schools are unequal. {BROWN}. Notice is due. Id. at 495.", [("Separate schools are unequal", ["brown"]), ("Notice is due", ["brown"])], "Bluebook rule 4.1: id. is the citation before it"),
    ("Separate schools are unequal. Brown, 347 U.S. at 495.", [("Separate schools are unequal", ["brown"])], "Bluebook rule 10.9: a short form, of a case of the log"),
    ("Notice is due, Roe v. Poe, 12 F.3d 45 (2d Cir. 1999).", [("Notice is due", ["notes"])], BLUEBOOK),
    (f"Separate schools are unequal ({BROWN}).", [("Separate schools are unequal", ["brown"])], "a citation in brackets"),
    (f"In {BROWN}, the Court held that separate schools are unequal.", [("the Court held that separate schools are unequal", ["brown"])], "a citation that introduces its sentence"),
    ("Under 28 U.S.C. § 1331, district courts have jurisdiction.", [("Under 28 U.S.C. § 1331, district courts have jurisdiction", ["notes"])], "a statute that the sentence speaks of"),
    ("Jurisdiction lies. 28 U.S.C. § 1331.", [("Jurisdiction lies", ["notes"])], BLUEBOOK),
    ("Separate schools are unequal, 347 U. S. 483 (1954).", [("Separate schools are unequal", ["brown"])], "the Supreme Court's own spacing"),
    ("Facilities may be separate. Plessy v. Ferguson, 163 U.S. 537 (1896).", [("Facilities may be separate", [None])], "a real case that was not retrieved"),
    ("The drug lowered blood pressure (doi:10.1000/trial.7).", [("The drug lowered blood pressure", ["trial"])], "DOI Handbook 2.4: case does not matter"),
    ("The drug lowered blood pressure. PMID: 12345678.", [("The drug lowered blood pressure", ["trial"])], "an id of the log's metadata"),
    ("The drug lowered blood pressure [doi:10.1000/other].", [("The drug lowered blood pressure", ["doi:10.1000/other"])], "a bracket keeps what it names"),
    (f"The Court followed {BROWN} here [notes].", [(f"The Court followed {BROWN} here", ["notes"])], "a case that the sentence speaks of, which cites something else"),
    ("Separate schools are unequal. *Brown v. Board of Education*, 347 U.S. 483 (1954). They harm. *Id.* at 495.", [("Separate schools are unequal", ["brown"]), ("They harm", ["brown"])], "captions are put in italics"),
    ("Separate schools are unequal. *See, e.g.*, *Brown v. Board of Education*, 347 U.S. 483 (1954).", [("Separate schools are unequal", ["brown"])], "a signal in italics"),
    ("Separate schools are unequal (*see* **Brown**, 347 U.S. at 495).", [("Separate schools are unequal", ["brown"])], "a short form in bold"),
    ("**Rule:** Separate schools are unequal. **Authority:** *Brown v. Board of Education*, 347 U.S. 483 (1954).", [("Rule: Separate schools are unequal", ["brown"])], "a label before a citation is no claim"),
    (f"| Rule | Authority |\n|---|---|\n| Separate schools are unequal | {BROWN} |", [("Rule: Separate schools are unequal", ["brown"])], "a cell that is a citation"),
    ("Separate schools are unequal: Brown v. Board of Education, 347 U.S. 483 (1954)", [("Separate schools are unequal", ["brown"])], "a colon before the citation is no lead-in"),
    ("Brown v. Board of Education, 347 U.S. 483 (1954), ended separate schools.", [("Brown v. Board of Education ended separate schools", ["brown"])], "the commas go with the citation"),
    ("28 U.S.C. § 1331 gives district courts jurisdiction.", [("28 U.S.C. § 1331 gives district courts jurisdiction", ["notes"])], "a statute that is the subject"),
    ("Notice is due [notes]. Rent is due. Id. at 3.", [("Notice is due", ["notes"]), ("Rent is due", ["notes"])], "id. is the citation before it, whatever its style"),
    ("Separate schools are unequal. Brown, supra, at 495.", [("Separate schools are unequal", ["brown"])], "a supra names a case of the log by its first party"),
    ("Notice is due (Smith v Jones [2019] EWCA Civ 12 at [34]).", [("Notice is due", [None])], "a paragraph of a judgment is no marker"),
    ("The drug lowered blood pressure [PMID: 12345678].", [("The drug lowered blood pressure", ["trial"])], "an id in square brackets, which go with it"),
    ("The drug lowered blood pressure. [Source: PMID: 12345678]", [("The drug lowered blood pressure", ["trial"])], "an id with its label"),
    ("The drug lowered blood pressure (Roe et al., 2020, doi:10.1000/trial.7).", [("The drug lowered blood pressure", ["trial"])], "author, year and id in one bracket"),
    ("The result (HR 0.95; PMID 12345678) was neutral.", [("The result (HR 0.95) was neutral", ["trial"])], "an id beside a figure"),
    ("The drug lowered blood pressure (arXiv:1706.03762), and it is cheap [notes].", [("The drug lowered blood pressure", [None]), ("It is cheap", ["notes"])], "an id in brackets cites, though the sentence cites again"),
    ("The drug lowered blood pressure. *J Trials* 2020;3:1. doi:10.1000/trial.7.", [("The drug lowered blood pressure", []), ("J Trials 2020;3:1", ["trial"])], "the DOI of an entry that is none is kept"),
    ("Notice is due, Moe v. Poe, 99 F.3d 1 (2d Cir. 1999), says [notes].", [("Notice is due, Moe v. Poe, 99 F.3d 1 (2d Cir. 1999), says", ["notes", None])], "a case that no source has was not read in the one that is cited"),
    ("The drug lowered blood pressure [1].\n\nReferences\n[1] Roe A. A trial of a drug. J Trials. 2020;3(1):1-9. doi:10.1000/trial.7", [("The drug lowered blood pressure", ["trial"])], "a reference list says what [1] is"),
]  # fmt: skip


@every_row(("answer", "claims", "source"), TABLE)
def test_a_reference_is_a_citation_and_its_caption_no_claim(answer, claims, source):
    read = read_answer(record(answer)).answer.claims
    assert [(claim.text, [citation.source_id for citation in claim.citations]) for claim in read] == claims, source
    for claim in read:
        for citation in claim.citations:
            assert answer[slice(*citation.span)] == citation.raw


NO_CITATION = [
    ("In 2019, Acme acquired Foo.", "a year"),
    ("Section 5.2 of the lease requires notice.", "a section of the contract at hand"),
    ("The trial NCT04437511 enrolled 500 patients.", "what the sentence is about"),
    ("It enrolled (12) patients.", "a count"),
    ("Energy follows E = mc^2.", "a formula"),
    ("`see 347 U.S. 483` is code.", "code"),
]


@pytest.mark.parametrize(("answer", "source"), NO_CITATION)
def test_what_is_no_reference_is_no_citation(answer, source):
    reading = read_answer(record(answer))
    assert not [c for claim in reading.answer.claims for c in claim.citations], source
    assert not reading.loose


PLACES = [
    ({"kind": "doi", "text": "x", "fields": {"doi": "10.1000/trial"}}, "nowhere", ()),
    ({"kind": "doi", "text": "x", "fields": {"doi": "10.1000/tri.al7"}}, "nowhere", ()),
    ({"kind": "pmid", "text": "x", "fields": {"pmid": "45"}}, "nowhere", ()),
    ({"kind": "supra", "text": "x", "fields": {"case_name": "Brown"}}, "named", ("brown",)),
    ({"kind": "id", "text": "Id.", "fields": {}}, "unsearchable", ()),
    ({"kind": "case", "text": "x", "fields": {"volume": "347", "reporter": "U.S.", "page": "484", "case_name": "Brown v. Board of Education"}}, "nowhere", ()),
    ({"kind": "case", "text": "x", "fields": {"volume": "347", "reporter": "U.S.", "page": "483", "case_name": "Plessy v. Ferguson"}}, "nowhere", ()),
    ({"kind": "case", "text": "x", "fields": {"volume": "347", "reporter": "U.S.", "page": "483", "case_name": "Brown v. Bd. of Educ."}}, "named", ("brown",)),
    ({"kind": "doi", "text": "x", "fields": {"doi": "10.1000/trial.7"}}, "named", ("trial",)),
    ({"kind": "pmid", "text": "x", "fields": {"pmid": "12345678"}}, "named", ("trial",)),
    ({"kind": "pmid", "text": "x", "fields": {"pmid": "1234567"}}, "nowhere", ()),
    ({"kind": "case", "text": "x", "fields": {"volume": "347", "reporter": "U.S.", "page": "483"}}, "named", ("brown",)),
    ({"kind": "case", "text": "x", "fields": {"volume": "47", "reporter": "U.S.", "page": "483"}}, "nowhere", ()),
    ({"kind": "case", "text": "x", "fields": {"volume": "347", "reporter": "U.S.", "page": "48"}}, "nowhere", ()),
    ({"kind": "case", "text": "x", "fields": {"volume": "1", "reporter": "X.", "page": "2", "case_name": "Brown v. Board of Education"}}, "named", ("brown",)),
    ({"kind": "case", "text": "x", "fields": {"volume": "1", "reporter": "X.", "page": "2", "parallel": "12 F.3d 45"}}, "named", ("notes",)),
]  # fmt: skip


@every_row(("reference", "standing", "ids"), PLACES)
def test_where_a_reference_stands_in_the_log(reference, standing, ids):
    sources = [Source.model_validate(source) for source in LOG]
    assert SearchedLog(sources).place(Reference.model_validate(reference)) == (standing, ids)


def test_two_passages_that_contain_it_are_no_guess():
    sources = [Source(source_id=i, text=f"As held in 12 F.3d 45, notice is due. {i}" * 30) for i in ("a", "b")]
    found = SearchedLog(sources).place(Reference(kind="case", text="12 F.3d 45", fields={"volume": "12", "reporter": "F.3d", "page": "45"}))  # fmt: skip
    assert found.source_ids == ("a", "b")


@settings(max_examples=60)
@given(
    st.lists(st.text("aB1 .\u0130", max_size=12), max_size=4),
    st.lists(st.text("ab1 .", min_size=1, max_size=6), min_size=1, max_size=4),
    st.booleans(),
)
def test_a_phrase_is_found_wherever_its_letters_stand(texts, phrases, many):
    """Against looking at each place of each text: all of them are given, and besides only such as lie across an end."""
    index = PhraseIndex(texts)
    for _ in range(40 if many else 0):  # from then on hashes answer
        list(index.places("b"))
    for phrase in phrases:
        letters = squeezed(phrase)
        wanted = {
            (number, at)
            for number, text in enumerate(texts)
            for at in range(len(text))
            if letters and squeezed(text[at]) and squeezed(text[at:]).startswith(letters)
        }
        found = list(index.places(phrase))
        assert found == sorted(set(found))
        assert wanted <= set(found)
        assert all(squeezed("".join([texts[n][at:], *texts[n + 1 :]])).startswith(letters) for n, at in found)


def membership(answer, log):
    given = record(answer, log)
    card = grade(given, read_answer(given), Evidence(id="q", judge="none"), GENERAL.at(Thresholds()))
    return [citation.exists for claim in card.claims for citation in claim.citations]


def test_a_reference_outside_the_log_is_known_to_be_only_where_the_log_can_be_searched():
    answer = "Notice is due. Roe v. Poe, 12 F.3d 45 (2d Cir. 1999)."
    assert membership(answer, [{"source_id": "a", "text": "Nothing of it."}]) == [Outcome.FAIL]
    assert membership(answer, [{"source_id": "a"}]) == [Outcome.UNKNOWN]
    assert membership(answer, []) == [Outcome.FAIL]


def test_a_structured_citation_is_joined_by_its_reference_or_by_its_words():
    claims = (
        Claim(text="Separate schools are unequal.", citations=(Citation(raw=BROWN),)),
        Claim(text="The drug lowered blood pressure.", citations=(Citation(reference=Reference(kind="doi", text="10.1000/trial.7", fields={"doi": "10.1000/trial.7"})),)),
    )  # fmt: skip
    read = read_answer(record(Answer(claims=claims).model_dump())).answer.claims
    assert [claim.citations[0].source_id for claim in read] == ["brown", "trial"]
    assert read[0].citations[0].reference.kind == "case"


FABRICATED = "In Varghese v. China Southern Airlines, 925 F.3d 1339 (11th Cir. 2019), the court held that notice is due"


def test_a_case_that_only_the_words_of_a_structured_claim_name_is_a_citation_where_the_log_has_none_of_it():
    cited = ({"source_id": "notes"},)
    read = read_answer(record({"claims": [{"text": FABRICATED, "citations": cited}]})).answer.claims
    assert [citation.source_id for citation in read[0].citations] == ["notes", None]
    known = {"claims": [{"text": "Roe v. Poe, 12 F.3d 45 (2d Cir. 1999), is good law", "citations": cited}]}
    assert len(read_answer(record(known)).answer.claims[0].citations) == 1


def test_a_case_that_stands_only_in_a_list_of_sources_is_looked_for():
    listed = f"Notice is due [notes].\n\nSources:\n- {BROWN}\n- Varghese v. China Southern Airlines, 925 F.3d 1339 (11th Cir. 2019)"
    reading = read_answer(record(listed))
    assert [citation.reference.fields["page"] for citation in reading.loose] == ["1339"]


def test_two_cases_outside_the_log_are_not_one_cited_twice():
    given = record("Notice is due. See Moe v. Loe, 1 F.3d 2 (1st Cir. 1993); Zoe v. Koe, 3 F.3d 4 (1st Cir. 1993).")
    card = grade(given, read_answer(given), Evidence(id="q", judge="none"), GENERAL)
    assert card.checks["structural.duplicate_citation"].failed == 0


@given(st.text(alphabet="Brown v. Board, 347 U.S. 483 (1954) Id. at; See 28 USC § [1]\n", max_size=200))
def test_any_text_is_read_and_softening_keeps_its_length(text):
    reading = read_answer(record(text or "x"))
    for claim in reading.answer.claims if reading.answer else ():
        for citation in claim.citations:
            assert citation.span is None or text[slice(*citation.span)] == citation.raw
    assert len(softened(text, find_references(text))) == len(text)
