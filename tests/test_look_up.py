"""Registries asked about what answers cite: which references go out, what comes back, and that nothing goes out unasked."""

import asyncio
import json

import pytest
from registry_doubles import serve
from registry_doubles.crossref import crossref

import showable
from showable.evaluation import evaluate_one
from showable.look_up import look_up
from showable.profiles.load import load_profile
from showable.read.answer import read_answer
from showable.records import GENERAL, LookupResult, Record, SettingError
from showable.records.evidence import Cost, Verdict


class Sure:
    name, prompt_hash = "sure@1", None

    async def verdicts(self, pairs):
        return [Verdict(label="supported", judge=self.name, p=0.95) for _ in pairs]

    def estimate(self, pairs):
        return Cost()


class Scripted:
    """Answers from a table by kind, and remembers what it was asked."""

    name = "scripted"

    def __init__(self, **statuses):
        self.statuses, self.asked = statuses, []

    async def lookup_all(self, references):
        self.asked += references
        return [LookupResult(status=self.statuses.get(r.kind, "resolved"), registry="table") for r in references]

    async def aclose(self):
        pass


LOG = [
    {"source_id": "trial", "doi": "10.1000/trial.7", "title": "A trial", "text": "The drug lowered blood pressure."},
    {"source_id": "notes", "text": "Notice is due. See Roe v. Poe, 12 F.3d 45 (2d Cir. 1999).", "metadata": {"pmid": 123}},
    {"source_id": "plain", "text": "Rent falls due monthly."},
]  # fmt: skip

TABLE = [
    # answer, what is asked (kind, the field that names it), source
    ("Rent falls due monthly [plain].", [], "an id of the log with nothing behind it"),
    ("The drug lowered blood pressure [trial].", [("doi", "10.1000/trial.7")], "the log's own DOI of a cited source"),
    ("Notice is due [notes].", [("pmid", "123")], "an id in the metadata"),
    ("Notice is due. Roe v. Poe, 12 F.3d 45 (2d Cir. 1999).", [("case", "12")], "a case by its own name"),
    (
        "Notice is due under Roe v. Poe, 12 F.3d 45 (2d Cir. 1999) [notes].",
        [("pmid", "123"), ("case", "12")],
        "a case that the cited source tells of, and may have made up",
    ),
    ("Rent is due (Smith 2020).", [], "an author and a year can be looked up nowhere"),
    ("Rent is due, https://example.com/a.", [("url", "https://example.com/a")], "an address outside the log"),
]


@pytest.mark.parametrize(("answer", "asked", "source"), TABLE, ids=[row[0] for row in TABLE])
def test_what_is_asked_about(answer, asked, source):
    record = Record.model_validate({"id": "q", "question": "What holds?", "retrieved": LOG, "answer": answer})
    registries = Scripted()
    lookups = asyncio.run(look_up(record, read_answer(record), registries))
    field = {"case": "volume"}
    assert [(r.kind, r.fields[field.get(r.kind, r.kind)]) for r in registries.asked] == asked, source
    assert [(lookup.claim, lookup.citation) for lookup in lookups] == [(0, 0)] * len(asked)


def scored(answer, registries, profile=GENERAL):
    record = Record.model_validate({"id": "q", "question": "What holds?", "retrieved": LOG, "answer": answer})
    return asyncio.run(evaluate_one(record, Sure(), profile, registries)).scorecard


STATUSES = [
    ("resolved", "correct", None),
    ("retracted", "unsupported", "bad_source"),
    ("mismatch", "unsupported", "bad_source"),
    ("not_found", "unsupported", "bad_source"),
    ("superseded_version", "unsupported", "bad_source"),
    ("unreachable", "unknown", "undecided"),
    ("not_covered", "unknown", "undecided"),
]


@pytest.mark.parametrize(("status", "bucket", "cause"), STATUSES)
def test_what_a_registry_says_of_a_cited_source_moves_the_bucket(status, bucket, cause):
    card = scored("The drug lowered blood pressure [trial].", Scripted(doi=status))
    assert (card.bucket, card.cause) == (bucket, cause)
    assert card.claims[0].citations[0].status == status


def test_without_registries_nothing_is_asked_and_nothing_is_unknown_for_it():
    card = scored("The drug lowered blood pressure [trial].", None)
    assert card.bucket == "correct"
    assert card.claims[0].citations[0].status is None


class Broken(Scripted):
    async def lookup_all(self, references):
        raise RuntimeError("no such luck")


class Mistaken(Scripted):
    async def lookup_all(self, references):
        raise SettingError("a key is wrong")


def test_registries_that_fail_are_data_and_the_users_mistake_is_not():
    card = scored("The drug lowered blood pressure [trial].", Broken())
    (found,) = [finding for finding in card.findings if finding.code == "resolvability.registry_unreachable"]
    assert "no such luck" in found.reason
    with pytest.raises(SettingError):
        scored("The drug lowered blood pressure [trial].", Mistaken())


RETRACTED = {
    "DOI": "10.1000/trial.7", "type": "journal-article", "title": ["A trial"], "container-title": ["J Trials"],
    "author": [{"family": "Roe", "given": "A."}], "issued": {"date-parts": [[2020]]},
    "updated-by": [{"DOI": "10.1000/notice", "type": "retraction", "updated": {"date-parts": [[2021, 2, 3]]}}],
}  # fmt: skip


def test_score_asks_only_when_told_to_and_signs_it(cli, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    row = {
        "id": "q",
        "question": "What did it do?",
        "retrieved": LOG,
        "answer": "The drug lowered blood pressure [trial].",
    }
    (tmp_path / "a.jsonl").write_text(json.dumps(row) + "\n")
    (tmp_path / "p.toml").write_text('name = "p"\n[registries]\ndoi = ["crossref"]\n')
    seen = []
    with serve(crossref([RETRACTED], seen=seen)) as base:
        monkeypatch.setenv("SHOWABLE_REGISTRY_CROSSREF", base)
        run = ("score", tmp_path / "a.jsonl", "--judge", "lexical", "--profile", tmp_path / "p.toml")
        code, out, _ = cli(*run, "--out", tmp_path / "quiet")
        assert (code, seen) == (0, [])
        assert "|registries:-|" in out
        code, out, err = cli(*run, "--look-up", "--out", tmp_path / "asked")
        assert code == 0, err
        assert len(seen) == 1
        assert "q  unsupported  bad_source" in out
        assert "|registries:-|" not in out
        assert cli(*run, "--look-up", "--out", tmp_path / "again")[0] == 0
        assert len(seen) == 1  # from the cache
    code, out, _ = cli(*run, "--offline", "--out", tmp_path / "offline")
    assert "q  unsupported  bad_source" in out  # the cache knows it


def test_regrading_sends_no_packet_and_keeps_what_was_said(cli, tmp_path, monkeypatch):
    profile = load_profile("research")
    record = Record.model_validate({"id": "q", "question": "?", "retrieved": LOG, "answer": "The drug lowered blood pressure [trial]."})  # fmt: skip
    graded = asyncio.run(evaluate_one(record, Sure(), profile, Scripted(doi="retracted")))
    assert graded.evidence.lookups[0].status == "retracted"
    from showable.evaluation import regrade_one

    assert regrade_one(record, graded.evidence, profile).cause == "bad_source"


def test_the_python_door_takes_registries():
    row = {"id": "q", "question": "?", "retrieved": LOG, "answer": "The drug lowered blood pressure [trial]."}
    assert showable.score(row, judge=Sure(), registries=Scripted(doi="retracted")).cause == "bad_source"
    result = showable.evaluate([row], judge=Sure(), registries=Scripted(doi="resolved"))
    assert result.summary.signature.registries == "scripted"


def test_a_citation_that_hangs_on_no_claim_is_looked_up_too():
    answer = "The passages do not say what the dose is [trial]."
    card = scored(answer, Scripted(doi="retracted"))
    assert not card.claims
    assert (card.loose[0].status, card.loose[0].resolves) == ("retracted", "fail")
    assert scored(answer, Scripted(doi="retracted"), load_profile("medical")).release.verdict == "hold"


SPOKEN = "Notice is due under Roe v. Poe, 12 F.3d 45 (2d Cir. 1999) [plain]."
BESIDE = [
    ("not_found", "unsupported", "bad_source"),
    ("unreachable", "correct", None),
    ("not_covered", "correct", None),
]


@pytest.mark.parametrize(("status", "bucket", "cause"), BESIDE)
def test_a_case_that_a_memo_repeats_is_looked_up(status, bucket, cause):
    """What a registry knows counts; that it knows nothing of a case which a retrieved text tells of does not."""
    memo = [{"source_id": "plain", "text": "Notice is due under Roe v. Poe, 12 F.3d 45 (2d Cir. 1999)."}]
    record = Record.model_validate({"id": "q", "question": "What holds?", "retrieved": memo, "answer": SPOKEN})
    card = asyncio.run(evaluate_one(record, Sure(), GENERAL, Scripted(case=status))).scorecard
    assert (card.bucket, card.cause) == (bucket, cause)
