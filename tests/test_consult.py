"""Who is asked, when it is settled, and what comes of several answers: tables over registries that say what they are told."""

import asyncio
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import every_row

from showable.errors import SettingError
from showable.records import Entry, Found, Notice, Person, Reference
from showable.records.lookups import PROVEN_BAD
from showable.registries.answers import missed, odd, one_line, trouble, without_secrets
from showable.registries.consult import Consultation, make_consultation
from showable.registries.consult_cache import AnswerCache
from showable.registries.consult_order import DEFAULT_ALSO, DEFAULT_ORDER, IDS, INDEXES
from showable.registries.consult_sorts import part_about, sort_of, why_not_indexed
from showable.registries.settings import Settings
from showable.registries.web.asking import BlockedError, OddReplyError, RateLimitedError, Reply, UnreachableError


@dataclass
class Scripted:
    """Answers as it is told, by the reference's text or always the same, and remembers what it was asked."""

    name: str
    kinds: frozenset
    says: object
    proves: frozenset = frozenset()
    missing: str | None = None
    delay_s: float = 0.0
    keyless: bool = True
    asked: list = field(default_factory=list)

    def not_configured(self):
        return self.missing

    def key(self, reference):
        return repr(sorted(reference.fields.items())) if self.keyless else None

    async def find(self, reference):
        self.asked.append(reference)
        await asyncio.sleep(self.delay_s)
        says = self.says(reference) if callable(self.says) else self.says
        if isinstance(says, Exception):
            raise says
        return says


def consult(registries, references, order=None, **options):
    made = {registry.name: registry for registry in registries}
    kinds = {kind for registry in registries for kind in registry.kinds}
    order = order or {
        kind: [one.name for one in registries if kind in one.kinds and one.name != "local"] for kind in kinds
    }

    async def run():
        consultation = Consultation(made, order=order, **options)
        try:
            return await consultation.lookup_all(references)
        finally:
            await consultation.aclose()

    return asyncio.run(run())


def one(registries, reference, **options):
    (result,) = consult(registries, [reference], **options)
    return result


def registry(name, says, kinds="doi", proves="", **options):
    return Scripted(name, frozenset(kinds.split()), says, frozenset(proves.split()), **options)


def has(name, *entries, **more):
    return Found(status="found", registry=name, entries=entries, **more)


def says(name, status, reason="r", **more):
    return Found(status=status, registry=name, reason=reason, **more)


PAPER = Entry(
    title="Nanometre-scale thermometry in a living cell",
    authors=(Person(family="Kucsko", given="G."), Person(family="Maurer", given="P. C.")),
    years=(2013,),
    containers=("Nature",),
    volume="500",
    issue="7460",
    first_page="54",
    last_page="58",
    ids={"doi": "10.1038/nature12373"},
)
DOI = Reference(kind="doi", text="10.1038/nature12373", fields={"doi": "10.1038/nature12373"})
CLAIMED = DOI.model_copy(update={"fields": {**DOI.fields, "title": PAPER.title, "year": "2013"}})
OTHER = Entry(
    title="An entirely different matter of soil", authors=(Person(family="Ortega"),), years=(2004,), ids=PAPER.ids
)
RETRACTED = PAPER.model_copy(
    update={"notices": (Notice(kind="retracted", reason="retraction", date="2010-02-06", by="10.1/n"),)}
)
CORRECTED = PAPER.model_copy(update={"notices": (Notice(kind="corrected", reason="an erratum"),)})
REPLACED = PAPER.model_copy(update={"notices": (Notice(kind="superseded_version", reason="version 2 is out"),)})
LATER = PAPER.model_copy(update={"years": (2013, 2014)})


# --- what comes of the answers -------------------------------------------------------------------------------

MERGED = [
    ("a record of the id, nothing claimed", DOI, [("a", has("a", PAPER))], "resolved", "a"),
    ("a record that agrees", CLAIMED, [("a", has("a", PAPER))], "resolved", "a"),
    ("another paper under the id", CLAIMED, [("a", has("a", OTHER))], "mismatch", "a"),
    ("the year differs", CLAIMED, [("a", has("a", PAPER.model_copy(update={"years": (2011,)})))], "mismatch", "a"),
    ("one registry has a further year: any agrees", CLAIMED,
     [("a", has("a", PAPER.model_copy(update={"years": (2012,)}))), ("b", has("b", LATER))], "resolved", "b"),
    ("an aggregator agrees, the authority has another paper", CLAIMED,
     [("auth", has("auth", OTHER)), ("b", has("b", PAPER))], "mismatch", "auth"),
    ("the authority agrees, an aggregator has another paper", CLAIMED,
     [("b", has("b", OTHER)), ("auth", has("auth", PAPER))], "resolved", "auth"),
    ("two aggregators, one agrees", CLAIMED, [("a", has("a", OTHER)), ("b", has("b", PAPER))], "resolved", "b"),
    ("the authority has an id without metadata, another tells them", CLAIMED,
     [("auth", has("auth", Entry(ids=PAPER.ids))), ("b", has("b", PAPER))], "resolved", "b"),
    ("the authority has an id without metadata, another tells other ones", CLAIMED,
     [("auth", has("auth", Entry(ids=PAPER.ids))), ("b", has("b", OTHER))], "mismatch", "b"),
    ("the authority has an id without metadata, nobody tells them", CLAIMED,
     [("auth", has("auth", Entry(ids=PAPER.ids))), ("b", says("b", "unreachable"))], "resolved", "auth"),
    ("retracted", CLAIMED, [("a", has("a", RETRACTED))], "retracted", "a"),
    ("retracted in one of two registries", CLAIMED, [("a", has("a", PAPER)), ("b", has("b", RETRACTED))], "resolved", "a"),
    ("superseded", CLAIMED, [("a", has("a", REPLACED))], "superseded_version", "a"),
    ("corrected is no fault", CLAIMED, [("a", has("a", CORRECTED))], "resolved", "a"),
    ("the other paper is retracted: it is another paper first", CLAIMED,
     [("a", has("a", OTHER.model_copy(update={"notices": RETRACTED.notices})))], "mismatch", "a"),
    ("an authority's miss", CLAIMED, [("auth", says("auth", "not_found"))], "not_found", "auth"),
    ("an authority's miss, and nobody else has it", CLAIMED,
     [("auth", says("auth", "not_found")), ("b", says("b", "not_covered"))], "not_found", "auth"),
    ("an authority's miss, but a record elsewhere", CLAIMED,
     [("auth", says("auth", "not_found")), ("b", has("b", PAPER))], "resolved", "b"),
    ("a miss of no authority that calls itself not_found", CLAIMED, [("a", says("a", "not_found"))], "not_covered", "a"),
    ("a miss of no authority", CLAIMED, [("a", says("a", "not_covered"))], "not_covered", "a"),
    ("malformed", CLAIMED, [("auth", says("auth", "malformed"))], "malformed", "auth"),
    ("one has it though another finds the id malformed", CLAIMED,
     [("a", says("a", "malformed")), ("b", has("b", PAPER))], "resolved", "b"),
    ("limits before the lack of a key", CLAIMED,
     [("a", says("a", "not_configured")), ("b", says("b", "rate_limited"))], "rate_limited", "b"),
    ("no network before the lack of a key", CLAIMED,
     [("a", says("a", "not_configured")), ("b", says("b", "unreachable"))], "unreachable", "b"),
    ("the lack of a key before a miss that proves nothing", CLAIMED,
     [("a", says("a", "not_covered")), ("b", says("b", "not_configured"))], "not_configured", "b"),
    ("a proven miss though another could not be asked", CLAIMED,
     [("auth", says("auth", "not_found")), ("b", says("b", "unreachable"))], "not_found", "auth"),
    ("a registry whose own address is blocked says nothing of the id", CLAIMED,
     [("auth", says("auth", "blocked_url"))], "unreachable", "auth"),
    ("found without a record", CLAIMED, [("a", Found(status="found", registry="a"))], "unreachable", "a"),
]  # fmt: skip


@every_row(("what", "reference", "answers", "status", "who"), MERGED)
def test_what_comes_of_the_answers(what, reference, answers, status, who):
    registries = [registry(name, answer, proves="doi" if name == "auth" else "") for name, answer in answers]
    result = one(registries, reference)
    assert (result.status, result.registry) == (status, who)
    assert result.claimed == reference.fields
    assert result.status == "resolved" or result.reason
    assert "\n" not in (result.reason or "")


def test_a_notice_from_a_registry_asked_besides_is_the_worst_that_is_known():
    a, b = registry("a", has("a", PAPER)), registry("b", has("b", RETRACTED))
    result = one([a, b], CLAIMED, order={"doi": ["a"]}, also={"doi": ["b"]})
    assert result.status == "retracted"
    assert result.reason == "retraction (2010-02-06), by 10.1/n"
    assert result.asked == ("a", "b")
    replaced = registry("a", has("a", REPLACED))
    assert one([replaced, b], CLAIMED, order={"doi": ["a"]}, also={"doi": ["b"]}).status == "retracted"


def test_whether_it_was_retracted_since_is_not_guessed_where_nobody_could_be_asked():
    a, b = registry("a", has("a", PAPER)), registry("b", says("b", "unreachable", "timed out"))
    result = one([a, b], CLAIMED, order={"doi": ["a"]}, also={"doi": ["b"]})
    assert result.status == "resolved"
    assert result.reason == "whether it has been retracted since could not be asked (b: timed out)"


def test_neither_is_it_where_whoever_knows_was_asked_on_the_way():
    a, b = registry("a", says("a", "unreachable", "timed out")), registry("b", has("b", PAPER))
    result = one([a, b], CLAIMED, also={"doi": ["a"]})
    assert (result.status, result.reason) == (
        "resolved",
        "whether it has been retracted since could not be asked (a: timed out)",
    )


def test_one_who_knows_of_retractions_is_enough():
    a = registry("a", has("a", PAPER))
    b, c = registry("b", has("b", PAPER)), registry("c", says("c", "unreachable"))
    assert one([a, b, c], CLAIMED, order={"doi": ["a"]}, also={"doi": ["b", "c"]}).reason is None


def test_where_no_authority_has_spoken_everyone_is_heard_before_it_is_held_against(monkeypatch):
    monkeypatch.setattr("showable.registries.consultation._CONFIRM_S", 0.0)
    a, b = registry("a", has("a", OTHER)), registry("b", has("b", PAPER), delay_s=0.2)
    assert one([a, b], CLAIMED).status == "resolved"


def test_what_an_authority_says_waits_for_the_others_only_so_long(monkeypatch):
    monkeypatch.setattr("showable.registries.consultation._CONFIRM_S", 0.01)
    a, b = registry("a", says("a", "not_found"), proves="doi"), registry("b", has("b", PAPER), delay_s=60)
    assert one([a, b], CLAIMED).status == "not_found"


def test_who_takes_long_is_not_waited_for(monkeypatch):
    monkeypatch.setattr("showable.registries.consultation._HEDGE_S", 0.01)
    a, b = registry("a", has("a", PAPER), delay_s=60), registry("b", has("b", PAPER))
    assert one([a, b], CLAIMED).registry == "b"


def test_a_retraction_of_another_work_under_the_same_cite_is_not_its_own():
    a = registry("a", has("a", PAPER))
    b = registry("b", has("b", OTHER.model_copy(update={"notices": RETRACTED.notices})))
    assert one([a, b], CLAIMED, order={"doi": ["a"]}, also={"doi": ["b"]}).status == "resolved"


def test_what_a_record_has_stands_beside_what_is_claimed():
    result = one([registry("a", has("a", OTHER, url="https://a.example/1", http_status=200, at="2026-01-01"))], CLAIMED)
    assert result.found == {"title": OTHER.title, "authors": "Ortega", "year": "2004", "doi": "10.1038/nature12373"}
    assert {check.field: check.outcome for check in result.compared} == {"title": "differs", "year": "differs"}
    assert result.reason == f"10.1038/nature12373 is “{OTHER.title}” (2004), not {PAPER.title}"
    assert (result.url, result.http_status, result.at) == ("https://a.example/1", 200, "2026-01-01")


# --- cases ---------------------------------------------------------------------------------------------------

AZAR = Entry(
    case_names=("J.D. v. Azar",), citations=("925 F.3d 1291",), years=(2019,), date="2019-06-14", court="cadc",
    volume="925", containers=("F.3d",), first_page="1291", last_page="1344",
)  # fmt: skip
BROWN_AT_7 = AZAR.model_copy(update={"case_names": ("Brown v. Ray",), "citations": ("925 F.3d 7",), "first_page": "7"})
BROWN = AZAR.model_copy(update={"case_names": ("Brown v. Ray",), "citations": ("10 F.3d 1",), "first_page": "1"})


def case(name="J.D. v. Azar", page="1291", volume="925"):
    fields = {"case_name": name, "volume": volume, "reporter": "F.3d", "page": page, "year": "2019", "court": "cadc"}
    return Reference(kind="case", text=f"{name}, {volume} F.3d {page}", fields=fields)


CASES = [
    ("the very case", case(), has("cl", AZAR), "resolved", None),
    ("a fabricated case on a page inside another, answered with 200", case("Varghese v. China Southern Airlines", "1339"),
     has("cl", AZAR), "mismatch",
     "925 F.3d 1339 stands inside J.D. v. Azar, 925 F.3d 1291 (D.C. Cir. 2019), not Varghese v. China Southern Airlines"),
    ("a real case cited by a page within it", case(page="1339"), has("cl", AZAR), "mismatch",
     "925 F.3d 1339 stands inside J.D. v. Azar, 925 F.3d 1291 (D.C. Cir. 2019)"),
    ("a fabricated case on the first page of another", case("Miller v. United Airlines"), has("cl", AZAR), "mismatch",
     "925 F.3d 1291 is J.D. v. Azar, 925 F.3d 1291 (D.C. Cir. 2019), not Miller v. United Airlines"),
    ("a miss that says who stands there", case("Varghese v. China Southern Airlines", "1339"),
     says("cl", "not_found", "it stands inside another case", near=(AZAR,)), "not_found", "it stands inside another case"),
    ("a miss with the case itself near", case(page="1339"), says("cl", "not_covered", "no case begins there", near=(AZAR,)),
     "mismatch", "925 F.3d 1339 stands inside J.D. v. Azar, 925 F.3d 1291 (D.C. Cir. 2019)"),
    ("another case there, and the claimed one elsewhere", case(page="7"), has("cl", BROWN_AT_7, near=(AZAR,)), "mismatch",
     ("925 F.3d 7 is Brown v. Ray, 925 F.3d 7 (D.C. Cir. 2019), not J.D. v. Azar;"
     " the case of that name is J.D. v. Azar, 925 F.3d 1291 (D.C. Cir. 2019)")),
    ("a miss of no authority and no occupant", case(), says("cl", "not_covered", "not held"), "not_covered", "not held"),
    ("a case of the name near, of another year", case(page="1339"),
     says("cl", "not_covered", "no case begins there", near=(AZAR.model_copy(update={"date": "2011-06-14", "years": ()}),)),
     "not_covered", "no case begins there"),
    ("an office, and a name that may be its holder's", case("J.D. v. Roe"),
     has("cl", AZAR.model_copy(update={"case_names": ("J.D. v. Secretary of Health and Human Services",)})), "resolved",
     "it exists; whether the parties are those claimed cannot be told"),
    ("two clusters of one case", case(), Found(status="ambiguous", registry="cl", entries=(AZAR, AZAR), reason="300"), "resolved", None),
    ("two cases, one of the name", case(), Found(status="ambiguous", registry="cl", entries=(BROWN, AZAR), reason="300"),
     "resolved", None),
    ("a reporter of several meanings, without a case", case(), says("cl", "ambiguous", "several reporters"), "ambiguous",
     "several reporters"),
]  # fmt: skip


@every_row(("what", "reference", "answer", "status", "reason"), CASES)
def test_cases(what, reference, answer, status, reason):
    result = one([registry("cl", answer, "case")], reference)
    assert result.status == status, result
    assert result.reason == reason


def test_several_cases_that_agree_equally_are_ambiguous():
    nameless = Reference(kind="case", text="10 F.3d 1", fields={"volume": "925", "reporter": "F.3d", "page": "1291"})
    twin = AZAR.model_copy(update={"case_names": ("Brown v. Ray",)})
    result = one(
        [registry("cl", Found(status="ambiguous", registry="cl", entries=(AZAR, twin), reason="300"), "case")], nameless
    )
    assert result.status == "ambiguous"
    assert "Brown v. Ray" in result.reason


def test_a_second_registry_speaks_for_a_case_that_the_first_has_under_another_name():
    cl, cap = registry("cl", has("cl", BROWN), "case"), registry("cap", has("cap", AZAR), "case")
    assert one([cl, cap], case()).status == "resolved"


# --- who is asked --------------------------------------------------------------------------------------------


def test_the_first_record_that_agrees_settles_it():
    a, b = registry("a", has("a", PAPER)), registry("b", has("b", PAPER))
    assert one([a, b], CLAIMED, also={}, order={"doi": ["a", "b"]}).asked == ("a",)
    assert b.asked == []


@pytest.mark.parametrize("status", ["not_found", "not_covered", "unreachable", "rate_limited", "not_configured"])
def test_whoever_does_not_settle_it_is_followed_by_the_next(status):
    a, b = registry("a", says("a", status), proves="doi"), registry("b", has("b", PAPER))
    result = one([a, b], CLAIMED)
    assert (result.status, result.registry, result.asked) == ("resolved", "b", ("a", "b"))


def test_a_registry_without_its_key_is_not_asked():
    a = registry("a", has("a", PAPER), missing="SHOWABLE_A_KEY is not set")
    result = one([a], CLAIMED)
    assert (result.status, result.reason) == ("not_configured", "SHOWABLE_A_KEY is not set")
    assert a.asked == []


def test_a_registry_that_cannot_be_asked_about_this_was_not_asked():
    a = registry("a", has("a", PAPER), keyless=False)
    result = one([a], CLAIMED)
    assert (result.status, result.asked, a.asked) == ("not_covered", (), [])


def test_a_registry_is_not_asked_about_kinds_that_it_does_not_know():
    a = registry("a", has("a", PAPER), kinds="pmid")
    result = one([a], CLAIMED, order={"doi": ["a"]})
    assert (result.status, result.reason) == (
        "not_covered",
        "none of the registries to be asked holds references of this kind (doi)",
    )


@pytest.mark.parametrize("kind", ["id", "supra", "fed_rule", "law_journal", "author_year", "", "no such kind\n"])
def test_a_kind_that_nobody_answers_for_is_not_covered(kind):
    result = one([registry("a", has("a", PAPER))], Reference(kind=kind, text="id. at 5"))
    assert result.status == "not_covered"


def test_what_is_malformed_is_not_asked_about():
    a = registry("a", has("a", PAPER))
    reference = DOI.model_copy(update={"fields": {"doi": "10.1", "malformed": "a DOI has a slash"}})
    result = one([a], reference)
    assert (result.status, result.reason, a.asked) == ("malformed", "a DOI has a slash", [])


def test_imported_citations_are_asked_first():
    local = registry("local", has("local", PAPER), proves="doi")
    a = registry("a", has("a", PAPER))
    assert one([a, local], CLAIMED).registry == "local"
    assert a.asked == []


def test_a_complete_list_of_ones_own_can_prove_an_absence():
    local = registry("local", says("local", "not_found"), proves="doi")
    assert one([local], CLAIMED, offline=True).status == "not_found"


def test_offline_only_the_cache_and_imported_citations_answer(tmp_path):
    a = registry("a", has("a", PAPER), proves="doi")
    local = registry("local", says("local", "not_covered"))
    path = tmp_path / "c.sqlite"
    result = one([a, local], CLAIMED, offline=True, cache=AnswerCache(path))
    assert (result.status, result.reason, a.asked) == (
        "unreachable",
        "offline, and not in the cache: a would decide it",
        [],
    )
    assert one([a, local], CLAIMED, cache=AnswerCache(path)).status == "resolved"
    again = one([a, local], CLAIMED, offline=True, cache=AnswerCache(path))
    assert (again.status, again.cached, len(a.asked)) == ("resolved", True, 1)


def test_an_answer_is_compared_anew_when_it_comes_from_the_cache(tmp_path):
    a = registry("a", has("a", OTHER))
    a.key = lambda reference: reference.fields["doi"]
    path = tmp_path / "c.sqlite"
    assert one([a], DOI, cache=AnswerCache(path)).status == "resolved"
    again = one([a], CLAIMED, cache=AnswerCache(path))
    assert (again.status, again.cached) == ("mismatch", True)


def test_a_mirror_does_not_answer_from_what_the_public_registry_said(tmp_path):
    a = registry("a", has("a", PAPER))
    path = tmp_path / "c.sqlite"
    one([a], DOI, cache=AnswerCache(path))
    one([a], DOI, cache=AnswerCache(path), scope="a: http://mirror.example")
    assert len(a.asked) == 2


def test_errors_are_asked_about_again(tmp_path):
    a = registry("a", says("a", "unreachable"))
    for _ in range(2):
        assert not one([a], DOI, cache=AnswerCache(tmp_path / "c.sqlite")).cached
    assert len(a.asked) == 2


def test_equal_references_are_asked_about_once_and_results_keep_their_order():
    def by_id(reference):
        return has("a", PAPER.model_copy(update={"title": reference.fields["doi"]}))

    a = registry("a", by_id)
    dois = ["10.1/a", "10.1/b", "10.1/a", "10.1/c", "10.1/b"]
    results = consult([a], [Reference(kind="doi", text=f"see {doi}", fields={"doi": doi}) for doi in dois])
    assert [result.found["title"] for result in results] == dois
    assert len(a.asked) == 3


def test_references_are_looked_up_at_the_same_time():
    inside, most = 0, 0

    class Counting(Scripted):
        async def find(self, reference):
            nonlocal inside, most
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.02)
            inside -= 1
            return has("a", PAPER)

    a = Counting("a", frozenset({"doi"}), None)
    consult([a], [Reference(kind="doi", text=str(n), fields={"doi": str(n)}) for n in range(20)])
    assert most == 20


def test_the_deadline_ends_everything_and_keeps_what_is_known():
    slow, quick = registry("a", has("a", PAPER), delay_s=60), registry("b", says("b", "not_covered"))
    results = consult([slow, quick], [DOI, CLAIMED], deadline_s=0.05)
    assert {result.status for result in results} == {"unreachable"}
    assert results[0].reason == "no answer before the deadline"


def test_progress_is_told_as_it_comes():
    told = []

    async def run():
        a = registry("a", has("a", PAPER))
        consultation = Consultation({"a": a}, order={"doi": ["a"]})
        await consultation.lookup_all(
            [DOI, CLAIMED, DOI], done=lambda place, result: told.append((place, result.status))
        )
        await consultation.aclose()

    asyncio.run(run())
    assert sorted(told) == [(0, "resolved"), (1, "resolved")]


def test_nothing_is_asked_about_nothing():
    assert consult([registry("a", has("a", PAPER))], []) == []


@pytest.mark.parametrize(
    "error", [ValueError("x\ny"), KeyError("k"), RecursionError(), UnreachableError("u"), OSError()]
)
def test_an_adapter_that_raises_is_unreachable(error):
    result = one([registry("a", error, proves="doi")], CLAIMED)
    assert result.status == "unreachable"
    assert "the adapter failed" in result.reason


def test_a_comparison_that_raises_leaves_the_record_uncompared():
    def broken(reference, entry):
        raise ValueError("no")

    result = one([registry("a", has("a", PAPER))], CLAIMED, compare=broken)
    assert (result.status, [check.outcome for check in result.compared]) == ("resolved", ["unknown"])


def test_a_name_that_is_no_registry_is_the_users_mistake():
    with pytest.raises(SettingError, match="registries for doi: 'crosref' is none"):
        Consultation({}, order={"doi": ["crosref"]})


def test_the_users_mistake_found_on_the_way_is_raised_as_it_is():
    with pytest.raises(SettingError, match="fix me"):
        one([registry("a", SettingError("fix me"))], CLAIMED)


def test_the_name_says_who_is_asked_and_whether_over_the_network():
    plain, offline = Consultation({}), Consultation({}, offline=True)
    assert offline.name == f"{plain.name}-offline"
    assert Consultation({}, order={"doi": ["crossref"]}).name != plain.name


hostile = st.text(max_size=40)


@given(st.sampled_from(sorted({*DEFAULT_ORDER, "id", "?"})), st.dictionaries(
    st.sampled_from(["doi", "title", "year", "volume", "reporter", "page", "case_name", "url", "isbn", "authors", "container"]),
    hostile), hostile, st.sampled_from([has("a", PAPER), has("a", AZAR, PAPER), says("a", "not_found", near=(AZAR,)), says("a", "ambiguous")]),
    st.booleans())  # fmt: skip
def test_no_text_makes_it_raise(kind, fields, text, answer, proves):
    kinds = " ".join(DEFAULT_ORDER)
    a = registry("a", answer, kinds, kinds if proves else "")
    result = one([a], Reference(kind=kind, text=text, fields=fields), order={name: ["a"] for name in DEFAULT_ORDER})
    assert result.status == "resolved" or result.reason
    assert "\n" not in (result.reason or "")


# --- entries of a reference list -----------------------------------------------------------------------------

FIELDS = {
    "style": "apa", "authors": "Kucsko, G.; Maurer, P. C.", "title": PAPER.title, "container": "Nature", "year": "2013",
    "volume": "500", "issue": "7460", "pages": "54-58",
}  # fmt: skip


def entry(**fields):
    kept = {name: value for name, value in {**FIELDS, **fields}.items() if value}
    return Reference(kind="bibliographic", text="an entry", fields=kept)


def index(name, answer):
    return registry(name, answer, "bibliographic")


def nothing(name):
    return says(name, "not_covered", "no such title")


FAKE = "Quantised hedgerows and the thermometry of imaginary marshland voles"


def all_indexes(**answers):
    return [index(name, answers.get(name, nothing(name))) for name in sorted(INDEXES)]


ENTRIES = [
    ("in one index", entry(), {"crossref": has("crossref", PAPER)}, "resolved"),
    ("in the last index asked", entry(), {"europe_pmc": has("europe_pmc", PAPER)}, "resolved"),
    ("the right record among others", entry(), {"crossref": has("crossref", OTHER.model_copy(update={"ids": {}}), PAPER)}, "resolved"),
    ("in no index", entry(title=FAKE), {}, "not_found"),
    ("in no index, other works named", entry(title=FAKE), {"crossref": has("crossref", PAPER, OTHER)}, "not_found"),
    ("wrong year", entry(year="2009"), {"crossref": has("crossref", PAPER)}, "mismatch"),
    ("wrong journal", entry(container="Annals of Soil"), {"crossref": has("crossref", PAPER)}, "mismatch"),
    ("one index could not be asked", entry(title=FAKE), {"arxiv": says("arxiv", "unreachable")}, "unreachable"),
    ("one index is limited", entry(title=FAKE), {"arxiv": says("arxiv", "rate_limited")}, "rate_limited"),
    ("retracted", entry(), {"crossref": has("crossref", RETRACTED)}, "retracted"),
    ("a book is not in indexes of articles",
     entry(title=FAKE, container="", volume="", issue="", pages="", publisher="Harbour Press"), {}, "not_covered"),
    ("a book that an index happens to have",
     entry(container="", volume="", issue="", pages="", publisher="Springer"), {"crossref": has("crossref", PAPER)}, "resolved"),
    ("an article from before the indexes", entry(title=FAKE, year="1911"), {}, "not_covered"),
    ("an entry without a title", entry(title="", container="Nature"), {}, "not_covered"),
]  # fmt: skip


@every_row(("what", "reference", "answers", "status"), ENTRIES)
def test_an_entry_without_an_id_is_searched_by_title(what, reference, answers, status):
    result = one(all_indexes(**answers), reference)
    assert result.status == status, result
    assert result.claimed == reference.fields


def test_a_search_that_proves_an_absence_has_heard_every_index():
    registries = all_indexes()
    result = one(registries, entry(title=FAKE))
    assert set(result.asked) == INDEXES
    assert all(len(registry.asked) == 1 for registry in registries)


def test_an_index_that_cannot_search_for_this_proves_nothing():
    registries = all_indexes()
    registries[0].keyless = False
    assert one(registries, entry(title=FAKE)).status == "not_covered"


def test_the_absence_of_a_paid_index_is_no_obstacle():
    registries = [*all_indexes(), registry("openalex", None, "bibliographic", missing="no key")]
    assert one(registries, entry(title=FAKE)).status == "not_found"


def with_doi(doi_answer, title_answer=None, proves="doi"):
    indexes = all_indexes(**({"crossref": title_answer} if title_answer else {}))
    return [registry("doi_org", doi_answer, "doi", proves), *indexes]


WITH_ID = [
    ("the id's record agrees", entry(doi="10.1038/nature12373"), has("doi_org", PAPER), None, "resolved", None),
    ("the id is not registered, the title is", entry(doi="10.1038/nature00000"), says("doi_org", "not_found", "no such handle"),
     has("crossref", PAPER), "not_found", "no such handle; the work of this title is doi 10.1038/nature12373"),
    ("neither is", entry(doi="10.1038/nature00000", title=FAKE), says("doi_org", "not_found", "no such handle"), None, "not_found",
     "no such handle; no work of this title is in arxiv, crossref, datacite, europe_pmc"),
    ("the id is another paper's", entry(doi="10.1038/nature12373"), has("doi_org", OTHER), has("crossref", PAPER), "mismatch",
     f"10.1038/nature12373 is “{OTHER.title}” (2004), not {PAPER.title}; the work of this title is doi 10.1038/nature12373"),
    ("nobody could be asked about the id, its work is in an index", entry(doi="10.1038/nature12373"), says("doi_org", "unreachable"),
     has("crossref", PAPER), "resolved", None),
    ("nobody could be asked about the id, an index has the title under another", entry(doi="10.5/other"),
     says("doi_org", "unreachable", "timed out"), has("crossref", PAPER), "unreachable", "timed out"),
    ("nobody could be asked about the id, the title is in no index", entry(doi="10.5/other", title=FAKE),
     says("doi_org", "unreachable", "timed out"), None, "unreachable", "timed out"),
    ("retracted", entry(doi="10.1038/nature12373"), has("doi_org", RETRACTED), None, "retracted", "retraction (2010-02-06), by 10.1/n"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("reference", "by_id", "by_title", "status", "reason"),
    [row[1:] for row in WITH_ID],
    ids=[row[0] for row in WITH_ID],
)
def test_an_entry_with_an_id(reference, by_id, by_title, status, reason):
    result = one(with_doi(by_id, by_title), reference)
    assert (result.status, result.reason) == (status, reason)
    assert result.claimed == reference.fields


ON_ARXIV = Entry(
    title="Watching cats sleep through lasers",
    authors=(Person(family="Adler", given="Ruth"), Person(family="Böhm", given="Karl")),
    years=(2019,),
    containers=("arXiv",),
    ids={"doi": "10.48550/arxiv.1901.00001", "arxiv": "1901.00001"},
    facts={"type": "preprint"},
)
IN_CVPR = ON_ARXIV.model_copy(
    update={
        "containers": ("2019 IEEE/CVF Conference on Computer Vision and Pattern Recognition (CVPR)",),
        "ids": {"doi": "10.1109/cvpr.2019.00001"},
        "facts": {"type": "proceedings-article"},
    }
)
IN_PAMI = IN_CVPR.model_copy(
    update={
        "containers": ("IEEE Transactions on Pattern Analysis and Machine Intelligence",),
        "years": (2021,),
        "ids": {"doi": "10.1109/tpami.2021.1"},
        "facts": {"type": "journal-article"},
    }
)
RENAMED = IN_CVPR.model_copy(update={"title": "Lasers do not wake felines"})
TOLD = ON_ARXIV.model_copy(update={"facts": {"type": "preprint", "comment": "8 pages, accepted at NeurIPS 2019"}})
COMMENTED = ON_ARXIV.model_copy(update={"facts": {"type": "preprint", "comment": "CVPR 2019 camera ready"}})
RETRACTED_THERE = IN_CVPR.model_copy(update={"notices": RETRACTED.notices})
LINKED = {"doi": ["datacite", "doi_org"], "arxiv": ["arxiv"], "bibliographic": sorted(INDEXES)}
AT = {"at": "2026-11-21T08:00:00Z"}
VENUES = [
    # what, the venue, its year, what the indexes answer, the status, the outcome of the container, a part of the reason
    ("a: arXiv's comment names it", "NeurIPS", "2019", {"arxiv": TOLD}, "resolved", "agrees", "arxiv says that it appeared in"),
    ("b: it is in an index", "CVPR", "2019", {"crossref": IN_CVPR}, "resolved", "agrees", "10.1109/cvpr.2019.00001"),
    ("b: of another year", "CVPR", "2020", {"crossref": IN_CVPR}, "mismatch", "agrees", "year: 2020 is claimed"),
    ("b: retracted there", "CVPR", "2019", {"crossref": RETRACTED_THERE}, "retracted", "agrees", "retraction"),
    ("c: a conference that registers", "CVPR", "2019", {}, "mismatch", "differs", "Crossref, with which CVPR registers its papers, has no"),
    ("c: a journal", "Optics Letters", "2019", {}, "mismatch", "differs", "has no such paper there"),
    ("c: Crossref has it elsewhere", "ICCV", "2019", {"crossref": IN_CVPR}, "mismatch", "differs", "but has it in 2019 IEEE/CVF"),
    ("c: but arXiv's comment names it", "CVPR", "2019", {"crossref": IN_PAMI, "arxiv_id": COMMENTED}, "resolved", "agrees", "camera ready"),
    ("c: but it was renamed", "CVPR", "2019", {"crossref": RENAMED}, "resolved", "unknown", "of another title"),
    ("c: but arXiv could not be asked", "CVPR", "2019", {"crossref": IN_PAMI, "arxiv_id": None}, "resolved", "unknown", "could not be confirmed"),
    ("c: but Crossref could not be asked", "CVPR", "2019", {"crossref": None}, "resolved", "unknown", "could not be confirmed"),
    ("c: but an index could not be asked", "CVPR", "2019", {"europe_pmc": None}, "resolved", "unknown", "could not be confirmed"),
    ("c: but the year is not over", "CVPR", "2026", {}, "mismatch", "unknown", "year: 2026 is claimed"),
    ("d: a conference that does not register", "NeurIPS", "2019", {}, "resolved", "unknown", "the DOI is the preprint's, and that it appeared in NeurIPS"),
    ("d: a workshop", "CVPR Workshop on Cats", "2019", {}, "resolved", "unknown", "could not be confirmed"),
    ("d: a longer version is in a journal", "NeurIPS", "2019", {"crossref": IN_PAMI}, "resolved", "unknown", "crossref has a version in IEEE"),
    ("in the proceedings of another conference", "NeurIPS", "2019", {"crossref": IN_CVPR}, "mismatch", "differs", "not in NeurIPS"),
    ("no venue", "Technical report", "2019", {}, "resolved", "unknown", None),
    ("arXiv", "arXiv preprint", "2019", {}, "resolved", "agrees", None),
]  # fmt: skip


def by_preprint(answers):
    """Registries that have a preprint by its ids, and what else they are told; None is one that cannot be reached."""

    def answer(name):
        def say(reference):
            if not reference.fields.get("doi", "10.48550/").startswith("10.48550/"):
                return says(name, "not_covered", **AT)
            if reference.kind != "bibliographic":
                name_by_id = f"{name}_id"
                entry = answers.get(name_by_id, ON_ARXIV)
                return says(name, "unreachable") if entry is None else has(name, entry, **AT)
            entry = answers.get(name, ON_ARXIV if name in {"arxiv", "datacite"} else "nothing")
            if entry is None:
                return says(name, "unreachable")
            return says(name, "not_covered", **AT) if entry == "nothing" else has(name, entry, **AT)

        return say

    kinds = {"arxiv": "arxiv bibliographic", "datacite": "doi bibliographic"}
    return [registry(name, answer(name), kinds.get(name, "bibliographic")) for name in sorted(INDEXES, reverse=True)]


def cats(venue, year, **ids):
    fields = {"title": ON_ARXIV.title, "authors": "Ruth Adler; Karl Böhm", "container": venue, "year": year, **ids}
    return Reference(kind="bibliographic", text="e", fields=fields)


@every_row("row", VENUES)
def test_a_venue_beside_the_doi_of_a_preprint(row):
    _, venue, year, answers, status, container, reason = row
    result = one(by_preprint(answers), cats(venue, year, doi="10.48550/arXiv.1901.00001"))
    found = {check.field: check.outcome for check in result.compared}
    assert (result.status, found["container"]) == (status, container), result.reason
    assert (reason or "") in (result.reason or "")
    assert reason or result.reason is None


@pytest.mark.parametrize(
    ("venue", "answers", "status", "container"),
    [
        ("CVPR", {"crossref": IN_CVPR}, "resolved", "agrees"),
        ("CVPR", {}, "mismatch", "differs"),
        ("CVPR", {"crossref": None}, "resolved", "unknown"),
        ("NeurIPS", {}, "resolved", "unknown"),
        ("NeurIPS", {"arxiv": TOLD}, "resolved", "agrees"),
    ],
)
@pytest.mark.parametrize("ids", [{"arxiv": "1901.00001"}, {}], ids=["by its number", "by its title"])
def test_a_venue_beside_a_number_of_arxiv_or_the_title_of_a_preprint(venue, answers, status, container, ids):
    result = one(by_preprint(answers), cats(venue, "2019", **ids))
    assert result.status == status, result.reason
    assert {check.field: check.outcome for check in result.compared}["container"] == container
    assert result.claimed["container"] == venue
    assert "version_sought" not in result.claimed


@pytest.mark.parametrize(
    ("answer", "status", "container"),
    [
        (has("doi_org", RENAMED, **AT), "resolved", "agrees"),
        (has("doi_org", RETRACTED_THERE, **AT), "retracted", "agrees"),
        (says("doi_org", "unreachable"), "resolved", "unknown"),
        (has("doi_org", IN_PAMI, **AT), "mismatch", "differs"),
    ],
    ids=["renamed", "retracted", "out of reach", "elsewhere"],
)
@pytest.mark.parametrize("where", ["datacite", "arxiv"])
def test_a_preprint_that_links_to_what_was_published_is_followed(answer, status, container, where):
    facts = {"type": "preprint", "published_as": "10.5555/linked"}
    of_datacite = ON_ARXIV.model_copy(update={"facts": facts})
    of_arxiv = ON_ARXIV.model_copy(update={"ids": {"arxiv": "1901.00001", "doi": "10.5555/linked"}})
    answers = {"datacite_id": of_datacite} if where == "datacite" else {"arxiv_id": of_arxiv}
    linked = registry("doi_org", answer, "doi")
    ids = {"doi": "10.48550/arXiv.1901.00001"}
    if where == "arxiv":
        ids = {"arxiv": "1901.00001"}
    result = one([*by_preprint(answers), linked], cats("CVPR", "2019", **ids), order=LINKED)
    assert result.status == status, result.reason
    assert {check.field: check.outcome for check in result.compared}["container"] == container


def test_every_id_of_an_entry_is_held_against_what_is_claimed():
    right = registry("doi_org", has("doi_org", PAPER), "doi", "doi")
    wrong = registry("pubmed", has("pubmed", OTHER.model_copy(update={"ids": {"pmid": "23903748"}})), "pmid", "pmid")
    result = one([right, wrong, *all_indexes()], entry(doi="10.1038/nature12373", pmid="23903748"))
    assert (result.status, result.registry) == ("mismatch", "pubmed")
    assert result.reason.startswith("pmid: 23903748 is “An entirely different matter of soil” (2004)")
    assert {"doi_org", "pubmed"} <= set(result.asked)


def test_an_entry_that_is_a_page_of_the_web_is_looked_up_as_one():
    page = registry("web_page", has("web_page", Entry(title="Heat in cells: a guide")), "url", "url")
    fields = {
        "style": "apa",
        "title": "Heat in cells: a guide",
        "url": "https://example.org/heat",
        "authors": "Someone, A.",
    }
    result = one([page, *all_indexes()], Reference(kind="bibliographic", text="e", fields=fields))
    assert (result.status, result.registry) == ("resolved", "web_page")
    assert page.asked[0].kind == "url"
    assert page.asked[0].fields == {"url": "https://example.org/heat", "title": "Heat in cells: a guide"}


@pytest.mark.parametrize(("kind", "fields", "kept"), [
    ("doi", {"doi": "d", "title": "t", "container": "c"}, {"doi", "title", "container"}),
    ("nct", {"nct": "n", "title": "t", "authors": "a", "year": "y"}, {"nct"}),
    ("isbn", {"isbn": "i", "title": "Chapter", "container": "Book", "authors": "a", "pages": "1-2"}, {"isbn", "title"}),
    ("isbn", {"isbn": "i", "title": "Book", "authors": "a"}, {"isbn", "title", "authors"}),
    ("arxiv", {"arxiv": "x", "title": "t", "container": "NeurIPS", "year": "2018", "authors": "a"}, {"arxiv", "title", "authors"}),
    ("arxiv", {"arxiv": "x", "title": "t", "container": "arXiv preprint", "year": "2017"}, {"arxiv", "title", "container", "year"}),
    ("url", {"url": "u", "title": "t", "authors": "a"}, {"url", "title"}),
])  # fmt: skip
def test_an_id_is_held_against_what_is_claimed_of_its_own_record(kind, fields, kept):
    part = part_about(kind, fields)
    assert part.keys() == kept
    if kind == "isbn" and "container" in fields:
        assert part["title"] == "Book"


@every_row(("fields", "sort"), [
    ({"container": "Nature", "volume": "500"}, "article"),
    ({"container": "J Am Coll Cardiol", "pages": "1-9"}, "article"),
    ({"container": "Advances in Neural Information Processing Systems"}, "article"),
    ({"container": "NeurIPS"}, "article"),
    ({"container": "ICLR 2021"}, "article"),
    ({"container": "arXiv preprint"}, "article"),
    ({"container": "Journal of Imaginary Results", "publisher": "Elsevier"}, "article"),
    ({"container": "Machine Vision", "style": "bibtex"}, "article"),
    ({"doi": "10.1/x"}, "article"),
    ({"publisher": "Oxford University Press"}, "book"),
    ({"container": "Handbook of Things", "publisher": "Routledge", "pages": "3-9"}, "book"),
    ({"edition": "3rd", "container": "Journal"}, "book"),
    ({"container": "The Guardian", "url": "https://example.org"}, "page"),
    ({"url": "https://example.org"}, "page"),
    ({"title": "Something"}, "unknown"),
    ({"container": "Nat Commun", "authors": "Alder, M.; Rowan, S."}, "article"),
    ({"container": "Nat Commun", "authors": "Alder, M."}, "unknown"),
    ({"container": "The Guardian", "authors": "Alder, M.; Rowan, S."}, "page"),
    ({"title": "A framework for aligning two models of vision", "authors": "Alder, M.", "et_al": "yes"}, "article"),
    ({"title": "A framework for aligning two models of vision", "authors": "Alder, M."}, "unknown"),
    ({"title": "Deep Learning", "authors": "Alder, M.; Rowan, S."}, "unknown"),
])  # fmt: skip
def test_what_sort_of_work_an_entry_is(fields, sort):
    assert sort_of(fields) == sort
    assert (why_not_indexed({"title": "T", **fields}) is None) == (sort == "article")


# --- addresses -----------------------------------------------------------------------------------------------

URL = Reference(kind="url", text="https://example.org/a", fields={"url": "https://example.org/a"})
PAGE = Entry(title="A page", url="https://example.org/a")


@pytest.mark.parametrize(("page", "archive", "status", "who"), [
    (has("web_page", PAGE), None, "resolved", "web_page"),
    (says("web_page", "not_found"), nothing("wayback"), "not_found", "web_page"),
    (says("web_page", "not_found", "404"), has("wayback", PAGE), "resolved", "wayback"),
    (says("web_page", "unreachable"), has("wayback", PAGE), "resolved", "wayback"),
    (says("web_page", "unreachable"), nothing("wayback"), "unreachable", "web_page"),
    (says("web_page", "blocked_url"), has("wayback", PAGE), "blocked_url", "web_page"),
    (nothing("web_page"), says("wayback", "blocked_url"), "unreachable", "wayback"),
])  # fmt: skip
def test_addresses(page, archive, status, who):
    pages = registry("web_page", page, "url news", "url news")
    archives = registry("wayback", archive, "url news")
    result = one([pages, archives], URL)
    assert (result.status, result.registry) == (status, who)


def test_a_dead_link_with_a_copy_says_that_it_is_dead():
    pages = registry("web_page", says("web_page", "not_found", "status 404"), "url", "url")
    result = one([pages, registry("wayback", has("wayback", PAGE), "url")], URL)
    assert result.reason == "web_page has none (status 404)"


# --- answers -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("error", "status"), [
    (UnreachableError("no"), "unreachable"),
    (OddReplyError("no"), "unreachable"),
    (RateLimitedError("no"), "rate_limited"),
    (BlockedError("no"), "blocked_url"),
])  # fmt: skip
def test_troubles_are_statuses(error, status):
    assert trouble("a", error).status == status


@pytest.mark.parametrize(("http", "status"), [(401, "unreachable"), (403, "unreachable"), (429, "rate_limited"),
                                              (200, "unreachable"), (500, "unreachable"), (404, "unreachable")])  # fmt: skip
def test_an_odd_reply_is_never_a_miss(http, status):
    assert odd("a", Reply(http, "https://x.example/", b"")).status == status


def test_a_miss_is_not_found_only_from_the_authority():
    assert missed("a", frozenset({"doi"}), "doi", None, "r").status == "not_found"
    assert missed("a", frozenset({"doi"}), "pmid", None, "r").status == "not_covered"


@pytest.mark.parametrize(("url", "clean"), [
    ("https://u:p@api.example/x?a=1", "https://api.example/x?a=1"),
    ("https://api.example/x?api_key=s&id=5", "https://api.example/x?id=5"),
    ("https://api.example/x?id=5&mailto=a%40b.example", "https://api.example/x?id=5"),
    ("https://api.example/x?X-Amz-Signature=s&access_token=t&Token=u&q=a+b", "https://api.example/x?q=a+b"),
    ("https://api.example/x?email=a&tool=t", "https://api.example/x?tool=t"),
    ("https://api.example/x?q=key&monkey=5", "https://api.example/x?q=key&monkey=5"),
    ("https://api.example/works/10.1%2Fx?q=%2F", "https://api.example/works/10.1%2Fx?q=%2F"),
    ("https://api.example/x#token=5", "https://api.example/x"),
    ("http://[", "(an address that cannot be read)"),
])  # fmt: skip
def test_no_secret_is_written_down(url, clean):
    assert without_secrets(url) == clean


@given(st.text())
def test_a_reason_is_one_printable_line(text):
    assert one_line(text).isprintable()
    assert len(one_line(text)) <= 300


# --- wiring --------------------------------------------------------------------------------------------------


def test_the_default_order_names_ids_and_indexes_that_it_has():
    assert set(IDS) <= DEFAULT_ORDER.keys()
    assert set(DEFAULT_ORDER["bibliographic"]) >= INDEXES
    assert set(DEFAULT_ALSO) <= DEFAULT_ORDER.keys()
    assert {"retracted", "not_found", "mismatch"} <= PROVEN_BAD


@pytest.fixture
def own_data(tmp_path, monkeypatch):
    """Whatever the user of this machine has imported is no part of a test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def test_made_for_the_command_line_and_offline_it_asks_nobody(tmp_path, own_data):
    async def run():
        made = make_consultation(Settings(), offline=True, cache_path=tmp_path / "c.sqlite", also={"doi": ["openalex"]})
        try:
            return await made.lookup_all([DOI, URL, case(), entry(), entry(doi="10.1038/nature12373")])
        finally:
            await made.aclose()

    assert [result.status for result in asyncio.run(run())] == ["unreachable"] * 5


def test_a_damaged_cache_is_noted(tmp_path, own_data):
    (tmp_path / "c.sqlite").write_text("nothing of the kind" * 50)
    made = make_consultation(Settings(), cache_path=tmp_path / "c.sqlite")
    assert len(made.notes) == 1
    assert "set aside" in made.notes[0]
    asyncio.run(made.aclose())


def test_imported_citations_are_part_of_it_where_there_are_any(own_data):
    closed = []

    class Imported(Scripted):
        def close(self):
            closed.append(self.name)

    async def run(local):
        made = make_consultation(Settings(), offline=True, local=local)
        try:
            return await made.lookup(DOI)
        finally:
            await made.aclose()

    full = Imported("local", frozenset({"doi"}), has("local", PAPER))
    assert asyncio.run(run(full)).registry == "local"
    empty = Imported("local", frozenset({"doi"}), None, missing="nothing was imported")
    result = asyncio.run(run(empty))
    assert (result.status, "local" in result.asked) == ("unreachable", False)
    assert closed == ["local", "local"]
