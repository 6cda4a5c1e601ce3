"""Profiles: what is shipped, how one extends another, what is said of a wrong one, and what they make of an answer."""

import json

import pytest

import showable
from showable.errors import InputError, SettingError
from showable.profiles.load import BUILT_IN, load_profile, read_profile_json
from showable.records import GENERAL, Lookup, Profile, Record, Thresholds
from showable.records.evidence import Verdict
from showable.registries.catalogue import NAMES

ISSUE = [
    # profile, floor, formats, kinds that have a threshold: the floors and kinds that the field was promised
    ("legal", 0.99, {"bluebook"}, {"holding", "dictum", "procedural", "fact", "statute"}),
    ("medical", 0.99, {"ama", "vancouver"}, {"recommendation", "dosage", "efficacy", "safety", "epidemiology"}),
    ("research", 0.97, {"apa", "ama", "vancouver"}, {"primary_finding", "background", "secondary_source"}),
    ("news", 0.97, {"inline_link"}, {"direct_quote", "paraphrase"}),
    ("general", None, set(), set()),
]


@pytest.mark.parametrize(("name", "floor", "formats", "kinds"), ISSUE, ids=[row[0] for row in ISSUE])
def test_a_shipped_profile_has_its_floor_its_formats_and_a_threshold_for_each_kind(name, floor, formats, kinds):
    profile = load_profile(name)
    assert (profile.name, profile.floor, set(profile.formats)) == (name, floor, formats)
    assert set(profile.thresholds.per_kind) == kinds
    assert set(profile.critical) <= kinds
    assert profile.refusal.hold_text


def test_every_registry_that_a_profile_names_is_one():
    known = {*NAMES, "local"}
    for name in BUILT_IN:
        profile = load_profile(name)
        named = {r for order in (*profile.registries.values(), *profile.notices.values()) for r in order}
        assert named <= known, named - known


def test_a_profile_of_ones_own_names_only_what_differs(tmp_path):
    (tmp_path / "firm.toml").write_text(
        'name = "firm"\nextends = "legal"\nfloor = 1.0\n[thresholds]\nper_kind = { holding = 0.8 }\n[registries]\ncase = ["local"]\n'
    )
    firm, legal = load_profile(str(tmp_path / "firm.toml")), load_profile("legal")
    assert (firm.floor, firm.thresholds.of("holding"), firm.thresholds.of("dictum")) == (1.0, 0.8, 0.55)
    assert firm.registries["case"] == ("local",)
    assert firm.registries["case"] != legal.registries.get("case")
    assert (firm.formats, firm.critical, firm.refusal) == (legal.formats, legal.critical, legal.refusal)
    (tmp_path / "desk.toml").write_text('name = "desk"\nextends = "firm.toml"\nfloor = 0.5\n')
    assert load_profile(str(tmp_path / "desk.toml")).thresholds.of("holding") == 0.8


def test_a_byte_order_mark_is_passed_over(tmp_path):
    (tmp_path / "firm.toml").write_bytes(b'\xef\xbb\xbfname = "firm"\nextends = "legal"\n')
    assert load_profile(str(tmp_path / "firm.toml")).name == "firm"


WRONG = [
    ('name = "x"\nflor = 3\n', ":2: flor: unknown field"),
    ('name = "x"\nfloor = 3\n', ":2: floor: "),
    ('name = "x"\nfloor = "high"\n', ":2: floor: expected a number"),
    ('extends = "legal"\n', "name: this field is missing"),
    ('name = "x"\nextends = "medicine"\n', ":2: extends: expected general, legal"),
    ('name = "x"\nextends = "legal"\nformats = ["mla"]\n', ":3: formats: 'mla' is none of bluebook"),
    ('name = "x"\nextends = "legal"\ncritical = ["dosage"]\n', ":3: critical: 'dosage' is none of dictum"),
    ('name = "x"\nextends = "legal"\n[thresholds]\nper_kind = { dosage = 0.5 }\n', ":4: thresholds.per_kind: 'dosage'"),
    ('name = "x"\n[tiers]\nblog = 2.0\n', "tiers.blog: a weight lies above 0"),
    ('name = "x"\nclaim_rules = "sports"\n', ":2: claim_rules: expected"),
    ("name = \n", ":1: no TOML: "),
    ('name = "x"\nextends = "p.toml"\n', ":2: extends: profiles extend each other in a ring"),
]


@pytest.mark.parametrize(("text", "said"), WRONG, ids=[said for _, said in WRONG])
def test_a_wrong_profile_is_one_clear_line(tmp_path, text, said):
    path = tmp_path / "p.toml"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        load_profile(str(path))
    assert said in str(error.value)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_a_profile_that_is_neither_a_name_nor_a_file():
    with pytest.raises(SettingError, match=r"profile 'law': expected general, legal, .* or the path of a \.toml file"):
        load_profile("law")


def test_the_label_moves_with_the_rules_and_not_with_what_a_signature_says_elsewhere():
    legal = load_profile("legal")
    assert GENERAL.label == load_profile("general").label == "general"
    assert legal.label.startswith("legal@")
    assert legal.at(Thresholds(support=0.9)).label == legal.label
    assert legal.model_copy(update={"registries": {}}).label == legal.label
    assert legal.model_copy(update={"floor": 0.5}).label != legal.label


def test_a_run_from_before_profiles_has_the_general_one(tmp_path):
    assert read_profile_json(tmp_path / "profile.json") == GENERAL


class Sure:
    """Supports whatever its table says, at the p it says."""

    name, prompt_hash = "sure@1", None

    def __init__(self, p=0.95, label="supported"):
        self.p, self.label = p, label

    async def verdicts(self, pairs):
        return [Verdict(label=self.label, judge=self.name, p=self.p) for _ in pairs]

    def estimate(self, pairs):
        from showable.records import Cost

        return Cost()


def ask(profile, judge=None, *, answer="The dose is 5 mg twice daily [leaflet].", metadata=None, **record):
    source = {"source_id": "leaflet", "text": "The dose is 5 mg twice daily.", "metadata": metadata or {}}
    row = {"id": "q", "question": "What is the dose?", "retrieved": [source], "answer": answer, **record}
    return showable.score(row, judge=judge or Sure(), profile=profile)


def test_a_correct_answer_is_shown():
    card = ask("medical")
    assert (card.bucket, card.claims[0].kind, card.release.verdict, card.release.text) == (
        "correct",
        "dosage",
        "show",
        None,
    )


def test_a_threshold_belongs_to_the_kind_of_claim():
    assert ask("medical", Sure(0.65)).bucket == "unsupported"
    assert ask("general", Sure(0.65)).bucket == "correct"


def test_one_citation_that_does_not_resolve_is_below_a_floor_of_99_percent():
    card = ask("medical", answer="The dose is 5 mg twice daily [leaflet] [other].")
    assert (card.release.verdict, card.release.resolved, card.release.unresolved) == ("hold", 1, 1)
    assert card.release.reasons == ("it is unsupported", "1 of 2 citations resolve, the floor is 99%")
    assert "pharmacist" in card.release.text


def test_what_could_not_be_checked_is_neither_shown_nor_held_for_it():
    card = ask("medical", Sure(None, "unknown"))
    assert card.release.verdict == "unknown"
    assert "its bucket is unknown" in card.release.reasons


def test_a_weaker_tier_must_be_clearer():
    answer = "The mayor resigned [post]."
    row = {"id": "q", "question": "Did the mayor resign?", "answer": answer}
    for tier, bucket in (("wire", "correct"), ("blog", "correct"), ("anonymous", "unsupported"), (None, "correct")):
        source = {"source_id": "post", "text": "The mayor resigned.", "metadata": {"tier": tier} if tier else {}}
        card = showable.score({**row, "retrieved": [source]}, judge=Sure(0.7), profile="news")
        assert card.bucket == bucket, tier  # 0.5 / 1, 0.5 / 0.75, 0.5 / 0.6 = 0.83, 0.5 / 0.9


RECOMMENDED = "The 2017 guideline recommends annual screening [guide]."
VERSIONS = [
    ({"version": "2017"}, RECOMMENDED, "pass", "correct"),
    ({"version": "2024"}, RECOMMENDED, "fail", "unsupported"),
    ({}, RECOMMENDED, "unknown", "correct"),
    ({"effective": "2024-01-01"}, "The guideline recommends annual screening [guide].", "pass", "correct"),
]


@pytest.mark.parametrize(("metadata", "answer", "outcome", "bucket"), VERSIONS)
def test_a_recommendation_rests_on_the_version_it_names(metadata, answer, outcome, bucket):
    source = {"source_id": "guide", "text": "We recommend annual screening.", "metadata": metadata}
    row = {"id": "q", "question": "How often is screening recommended?", "answer": answer, "retrieved": [source]}
    card = showable.score(row, judge=Sure(), profile="medical")
    counts = card.checks["resolvability.source_version"].model_dump()
    assert counts[{"pass": "passed", "fail": "failed"}.get(outcome, outcome)] == 1
    assert card.bucket == bucket


def test_a_refusal_lacks_what_the_profile_demands():
    card = ask("medical", answer="I don't know.")
    demanded = [finding.reason for finding in card.findings if finding.code == "refusal.demanded"]
    assert len(demanded) == 3
    assert demanded[0].startswith("the medical profile asks for a reason:")
    assert (card.release.verdict, card.release.reasons) == ("hold", tuple(demanded))
    assert "refusal.demanded" not in ask("general", answer="I don't know.").checks


class Conflict(Sure):
    """One passage supports the claim, the other contradicts it."""

    async def verdicts(self, pairs):
        return [
            Verdict(label="contradicted" if "10 mg" in pair.passage else "supported", judge=self.name, p=0.05 if "10 mg" in pair.passage else 0.95)
            for pair in pairs
        ]  # fmt: skip


def test_sources_in_conflict_leave_the_bucket_open_where_the_profile_says_so():
    both = [
        {"source_id": "leaflet", "text": "The dose is 5 mg twice daily."},
        {"source_id": "old", "text": "The dose is 10 mg twice daily."},
    ]
    answer = "The dose is 5 mg twice daily [leaflet] [old]."
    row = {"id": "q", "question": "What is the dose?", "retrieved": both, "answer": answer}
    general = showable.score(row, judge=Conflict(), profile="general")
    medical = showable.score(row, judge=Conflict(), profile="medical")
    assert "semantic.sources_conflict" in {finding.code for finding in general.findings}
    assert (general.bucket, medical.bucket) == ("correct", "unknown")


class Remembering(Sure):
    """Remembers the passages that it was asked about."""

    async def verdicts(self, pairs):
        self.asked = [*getattr(self, "asked", []), *(pair.passage for pair in pairs)]
        return [Verdict(label="contradicted" if "10 mg" in p.passage else "supported", judge=self.name, p=self.p) for p in pairs]  # fmt: skip


@pytest.mark.parametrize(("other", "name", "bucket", "asked"), [
    ("Rent is due.", "general", "correct", 1),
    ("Rent is due.", "medical", "correct", 2),
    ("The dose is 10 mg twice daily.", "general", "correct", 1),
    ("The dose is 10 mg twice daily.", "medical", "unknown", 2),
])  # fmt: skip
def test_where_a_conflict_of_sources_matters_the_other_passages_are_read(other, name, bucket, asked):
    log = [{"source_id": "leaflet", "text": "The dose is 5 mg twice daily."}, {"source_id": "other", "text": other}]
    judge = Remembering()
    assert ask(name, judge, retrieved=log).bucket == bucket
    assert len(judge.asked) == asked


MISLEADING = [
    ({}, "The dose is 5 mg twice daily [leaflet]. See http://127.0.0.1/admin.", "it gives an address that misleads"),
    ({}, "The dose is 5 mg twice daily\U000e0041\U000e0042 [leaflet].", "it hides characters"),
    ({"patterns": {"dose": r"\b5 mg\b"}}, "The dose is 5 mg twice daily [leaflet].", "it matches a pattern that no answer should"),
]  # fmt: skip


@pytest.mark.parametrize(("more", "answer", "reason"), MISLEADING)
def test_what_misleads_is_held_however_well_it_is_supported(more, answer, reason):
    release = ask(GENERAL.model_copy(update=more), answer=answer).release
    assert release.verdict == "hold"
    assert reason in release.reasons


def test_evaluating_takes_the_profile_of_the_records_and_never_guesses_one():
    rows = [{"id": str(n), "question": "?", "retrieved": [], "answer": "I don't know."} for n in range(2)]
    named = [row | {"profile": "medical"} for row in rows]
    assert showable.evaluate(named, judge=Sure()).summary.signature.profile.startswith("medical@")
    with pytest.raises(SettingError, match=r"several profiles \(medical 1, none 1\)"):
        showable.evaluate([named[0], rows[1]], judge=Sure())
    assert showable.evaluate([named[0], rows[1]], judge=Sure(), profile="news").summary.n == 2


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b", ".", "/dev/zero"])
def test_a_record_may_not_name_whatever_can_be_opened(name):
    with pytest.raises(SettingError, match="expected general, legal"):
        showable.score({"id": "q", "question": "?", "answer": "x", "profile": name}, judge=Sure())


def test_the_record_names_its_profile():
    row = {"id": "q", "question": "What is the dose?", "retrieved": [{"source_id": "a", "text": "The dose is 5 mg twice daily."}],
           "answer": "The dose is 5 mg twice daily [a].", "profile": "medical"}  # fmt: skip
    assert showable.score(row, judge=Sure()).claims[0].kind == "dosage"
    assert showable.score(row, judge=Sure(), profile="general").claims[0].kind is None


def write(path, *profiles):
    rows = [
        {"id": f"q{n}", "question": "What is the dose?", "retrieved": [{"source_id": "a", "text": "The dose is 5 mg twice daily."}],
         "answer": "The dose is 5 mg twice daily [a].", **({"profile": profile} if profile else {})}
        for n, profile in enumerate(profiles)
    ]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_score_takes_the_profile_of_the_records_and_says_what_is_held(cli, tmp_path):
    file = write(tmp_path / "a.jsonl", "medical", "medical")
    code, out, _ = cli("score", file, "--judge", "lexical", "--out", tmp_path / "run")
    assert code == 0
    assert "Under the medical profile\n  2 may be shown, 0 held back, 0 undecided" in out
    assert "citations that resolve: 100 %" in out
    assert "floor of 99.0 %: reached" in out
    assert "profile:medical@" in out
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert summary["released"] == {
        "show": 2,
        "hold": 0,
        "unknown": 0,
        "floor": 0.99,
        "shown_from": None,
        "verdict": "show",
    }
    assert Profile.model_validate_json((tmp_path / "run" / "profile.json").read_bytes()) == load_profile("medical")


def test_records_of_several_profiles_are_not_scored_as_one(cli, tmp_path):
    file = write(tmp_path / "a.jsonl", "medical", "legal", None)
    code, _, err = cli("score", file, "--judge", "lexical", "--out", tmp_path / "run")
    assert code == 2
    assert "the records name several profiles (" in err
    code, _, err = cli("score", file, "--judge", "lexical", "--profile", "news", "--out", tmp_path / "run")
    assert code == 0
    assert "1 of the records name legal; all are scored under news, as --profile says" in err


def test_a_run_is_regraded_under_its_own_rules_or_others(cli, tmp_path):
    file = write(tmp_path / "a.jsonl", "medical")
    cli("score", file, "--judge", "lexical", "--out", tmp_path / "run")
    code, out, _ = cli("regrade", tmp_path / "run", "--out", tmp_path / "again")
    assert code == 0
    assert "Under the medical profile" in out
    code, out, _ = cli("regrade", tmp_path / "run", "--profile", "general")
    assert code == 0
    assert "Under the" not in out
    assert "profile:general|" in out
    (tmp_path / "run" / "profile.json").unlink()
    code, _, err = cli("regrade", tmp_path / "run", "--out", tmp_path / "third")
    assert code == 2
    assert "is missing, and the run was scored under medical@" in err


def test_profile_prints_what_is_demanded(cli, tmp_path):
    code, out, _ = cli("profile", "legal")
    assert code == 0
    assert "99% of citations must resolve" in out
    assert json.loads(cli("profile", "legal", "--json")[1])["floor"] == 0.99
    (tmp_path / "mine.toml").write_text(cli("profile", "legal", "--toml")[1].replace('name = "legal"', 'name = "mine"'))
    assert load_profile(str(tmp_path / "mine.toml")).thresholds == load_profile("legal").thresholds
    assert cli("profile", "law")[0] == 2


# source: the registries of `registries.catalogue`, and `local`
@pytest.mark.parametrize("table", ["registries", "notices"])
def test_profile_refuses_a_registry_that_there_is_not(cli, tmp_path, table):
    path = tmp_path / "firm.toml"
    path.write_text(f'name = "firm"\nextends = "legal"\n[{table}]\ncase = ["local", "nosuch"]\n')
    for more in ((), ("--json",)):
        code, _, err = cli("profile", path, *more)
        assert code == 2
        assert f"{path}:4: {table}.case: 'nosuch' is none of local, doi_org, " in err
    path.write_text(path.read_text().replace("nosuch", "courtlistener"))
    assert cli("profile", path)[0] == 0


@pytest.mark.parametrize("status", ["retracted", "not_found", "mismatch", "unreachable", "not_configured", "resolved"])
def test_what_a_registry_says_counts_against_the_floor_only_where_it_proves_something(status):
    import asyncio

    from showable.evaluation import evaluate_one, regrade_one

    row = {"id": "q", "question": "What is the dose?", "retrieved": [{"source_id": "a", "text": "The dose is 5 mg twice daily."}],
           "answer": "The dose is 5 mg twice daily [a]."}  # fmt: skip
    record, profile = Record.model_validate(row), load_profile("medical")
    evidence = asyncio.run(evaluate_one(record, Sure(), profile)).evidence
    lookup = Lookup(claim=0, citation=0, status=status, registry="crossref", reason="made by hand")
    card = regrade_one(record, evidence.model_copy(update={"lookups": (lookup,)}), profile)
    proven = status in {"retracted", "not_found", "mismatch"}
    assert card.release.verdict == ("hold" if proven else "show" if status == "resolved" else "unknown")
    assert (card.claims[0].citations[0].status, card.claims[0].citations[0].registry) == (status, "crossref")


FORMS = [
    ("legal", {"case": "Brown v. Board of Education", "reporter": "U.S.", "volume": 347, "page": 483, "year": 1954, "court": None}, "case", {"volume": "347", "page": "483", "case_name": "Brown v. Board of Education"}),
    ("medical", {"authors": ["Roe AB", "et al"], "title": "A trial of a drug", "journal": "J Trials", "year": "2020", "volume": None, "issue": None, "pages": None, "doi": "10.1000/trial.7", "pmid": None, "pmcid": None, "nct": None}, "bibliographic", {"doi": "10.1000/trial.7", "et_al": "yes", "container": "J Trials"}),
    ("research", {"authors": ["Ann Roe"], "title": "A theory", "venue": "J Theory", "year": "2020", "doi": None, "arxiv": "2001.00001v2", "url": None}, "bibliographic", {"arxiv": "2001.00001", "version": "2"}),
    ("news", {"headline": "Mayor resigns", "author": None, "outlet": "The Courier", "date": "2024-03-03", "url": "https://example.com/a"}, "news", {"title": "Mayor resigns", "outlet": "The Courier"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "form", "kind", "fields"), FORMS, ids=[row[0] for row in FORMS])
def test_a_model_answers_in_the_form_of_its_profile(name, form, kind, fields, cli):
    from showable.read.answer import read_answer

    schema = json.loads(cli("schema", "--profile", name)[1])
    claim = schema["properties"]["claims"]["items"]
    asked = claim["properties"]["citations"]["items"]["properties"]["reference"]
    assert set(asked["properties"]) == set(form) == set(asked["required"])
    assert set(claim["properties"]["kind"]["enum"]) == {*load_profile(name).thresholds.per_kind, None}
    answer = {"claims": [{"text": "It is so.", "citations": [{"reference": form}]}], "refusal": "none"}
    for given in (answer, json.dumps(answer)):
        row = {
            "id": "q",
            "question": "Is it so?",
            "retrieved": [{"source_id": "a", "text": "It is so."}],
            "answer": given,
        }
        reading = read_answer(Record.model_validate(row))
        reference = reading.answer.claims[0].citations[0].reference
        assert not reading.problems
        assert reference.kind == kind
        assert fields.items() <= reference.fields.items()


def test_a_form_that_is_none_is_a_problem_that_names_its_field():
    row = {"id": "q", "question": "Is it so?", "retrieved": [{"source_id": "a", "text": "It is so."}],
           "answer": {"claims": [{"text": "It is so.", "citations": [{"source_id": "a", "reference": {"case": "Roe v. Poe"}}]}]}}  # fmt: skip
    card = showable.score(row, judge=Sure())
    (said,) = [finding.reason for finding in card.findings if finding.code == "structural.schema"]
    assert said.startswith("claims.0.citations.0.reference: ")
    assert "this field is missing" in said


def test_a_pattern_of_the_profile_is_a_finding_with_its_place(tmp_path):
    (tmp_path / "firm.toml").write_text("name = \"firm\"\n[patterns]\nclient = '(?i)acme corp'\n")
    card = ask(str(tmp_path / "firm.toml"), answer="The dose at Acme Corp is 5 mg twice daily [leaflet].")
    (found,) = [finding for finding in card.findings if finding.code == "structural.pattern"]
    assert (found.where, found.reason) == ((12, 21), "matches the pattern client")
    (tmp_path / "bad.toml").write_text("name = \"bad\"\n[patterns]\nclient = '(?<=a)b'\n")
    with pytest.raises(InputError, match=r"bad\.toml:2: patterns: .*client.*lookbehind"):
        load_profile(str(tmp_path / "bad.toml"))
