"""One reader of settings: what decides a score means the same in `score`, `traces score`, `serve` and the pytest plugin."""

import asyncio
import dataclasses
import json
import os
from pathlib import Path

import pytest
from built_traces import lease_trace
from test_own_rubrics import with_labels
from test_traces_command import sent

from showable.authoring.rubric_toml import write_rubric
from showable.authoring.trial import keep_trial
from showable.calibrating.calibration_file import write_calibration
from showable.errors import InputError
from showable.evaluation import evaluate_one
from showable.judges.cascade import CascadeJudge
from showable.judges.lexical import LexicalJudge
from showable.judging_settings import Judging, JudgingSettings
from showable.profiles.load import load_profile
from showable.records import Record, Signature, Thresholds, Verdict
from showable.records.calibration import Calibration, FittedOn, IsotonicMap
from showable.records.lookups import LookupResult
from showable.records.rubric_file import RubricTrial
from showable.serving.live_judging import LiveJudging
from showable.serving.live_rules import LiveRules
from showable.serving.live_scoring import LiveScoring
from showable.serving.settings import ServeSettings
from showable.stores.traces.opening import open_trace_store
from showable.traces.otlp.encode_json import encode_spans_json

pytest_plugins = ["pytester"]

ON = FittedOn(n=80, positives=40, negatives=40, labels="0" * 16)
ANSWER = "The tenant must give a notice of 30 days [lease-4]."
PER_KIND = dict(load_profile("legal").thresholds.per_kind)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    held = Calibration(
        name="lease",
        judge=LexicalJudge().name,
        profile="legal",
        thresholds=Thresholds(support=0.45, per_kind=PER_KIND | {"holding": 0.66}),
        recalibration=IsotonicMap(x=(0.0, 0.5, 1.0), y=(0.0, 0.8, 1.0)),
        fitted_on=ON,
    )
    write_calibration(tmp_path / "lease.json", held)
    rubric = with_labels(12, 12)
    write_rubric(tmp_path / "majority.toml", rubric, least=1, of_each=1)
    given = {"digest": rubric.digest, "judge": LexicalJudge().name, "prompt": None, "passed": True, "why": "well done"}
    trial = RubricTrial(
        **given, n=24, positives=12, negatives=12, balanced_accuracy=1.0, low=0.8, high=1.0, examples="0"
    )
    keep_trial(tmp_path / "majority.toml", trial)


def by_score(cli, options):
    record = {"id": "a", "question": "What notice?", "answer": ANSWER, "retrieved": []}
    with open("in.jsonl", "w") as file:
        file.write(json.dumps(record))
    code, out, err = cli("score", "in.jsonl", "--json", *options)
    assert code in {0, 3}, err
    return json.loads(out)["signature"]


def by_traces(cli, options):
    with open("spans.jsonl", "wb") as file:
        file.write(encode_spans_json(sent(lease_trace(ANSWER), "a")))
    code, out, err = cli("traces", "score", "spans.jsonl", "--json", *options)
    assert code in {0, 3}, err
    return json.loads(out)["signature"]


def served(tmp_path, settings, **more):
    """Score and judge one answer as `serve` does."""
    store = open_trace_store(tmp_path / "traces.db")
    try:
        store.add_spans(sent(lease_trace(ANSWER), "a"))
        told = dataclasses.replace(settings, store=str(store.path), sample=1.0, quiet_s=0.0, give_up_s=0.0)
        scoring = LiveScoring(store, told)
        while scoring.step(10**18):
            pass
        asyncio.run(judge_all(store, told, **more))
        (score,) = store.scores_of("a" * 32)
        return score
    finally:
        store.close()


async def judge_all(store, told, **more):
    judging = LiveJudging(store, told, **more)
    try:
        while await judging.step(1.0):
            pass
    finally:
        await judging.end()


SETTINGS = {
    "--judge": ("judge", "lexical"),
    "--profile": ("profile", "legal"),
    "--threshold": ("threshold", "0.7"),
    "--calibration": ("calibration", Path("lease.json")),
    "--rubric": ("rubric", (Path("majority.toml"),)),
    "--offline": ("offline", True),
}


def plain(options):
    return dict(SETTINGS[option] for option in options)


def flags(options, prefix="--"):
    for option in options:
        value = SETTINGS[option][1]
        yield option.replace("--", prefix)
        if value is not True:
            yield value[0] if isinstance(value, tuple) else value


def by_pytest(pytester, tmp_path, options):
    record = {"id": "a", "question": "What notice?", "answer": ANSWER, "retrieved": []}
    pytester.makepyfile(test_it=f"def test_it(showable_score):\n    showable_score({record!r})\n")
    given = [tmp_path / value if isinstance(value, Path) else value for value in flags(options, "--showable-")]
    os.chdir(pytester.path)
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider", "-p", "showable.pytest_plugin", *given)
    assert result.ret == 0, "\n".join([*result.outlines, *result.errlines])
    return next(line.removeprefix("signature ") for line in result.outlines if line.startswith("signature "))


DOORS = [
    # (options, what the signature must say of them). Source: the same options of `score` before there was one reader.
    (("--judge", "--threshold"), {"judge": LexicalJudge().name, "thresholds": "0.7"}),
    (("--judge", "--profile"), {"profile": "legal@"}),
    (("--judge", "--profile", "--calibration"), {"calibration": "lease@", "thresholds": "holding=0.66"}),
    (("--judge", "--profile", "--rubric"), {"profile": "+holdings-"}),
    (("--judge", "--profile", "--rubric", "--calibration"), {"profile": "+holdings-", "calibration": "lease@"}),
    (("--judge", "--profile", "--offline"), {"registries": "-offline"}),
]


@pytest.mark.parametrize(("options", "said"), DOORS, ids=range(len(DOORS)))
def test_four_doors_sign_alike(cli, pytester, tmp_path, options, said):
    os.chdir(tmp_path)  # pytester has gone elsewhere
    signatures = {
        "score": by_score(cli, list(flags(options))),
        "traces": by_traces(cli, list(flags(options))),
        "serve": served(tmp_path, ServeSettings("-", **plain(options))).signature,
        "pytest": by_pytest(pytester, tmp_path, options),
    }
    assert len(set(signatures.values())) == 1, signatures
    signature = Signature.parse(signatures["score"])
    for field, value in said.items():
        assert value in str(getattr(signature, field)), field


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"--calibration", "--threshold"}, "--calibration and --threshold both say where p is cut"),
        ({"--calibration"}, "was fitted for the judge lexical"),
    ],
)
def test_serve_refuses_what_score_refuses(cli, options, said):
    """Before anything is started, in the same words."""
    given = list(flags(sorted(options)))
    given += [] if "--threshold" in options else ["--judge", "embedded"]
    code, _, err = cli("serve", "--port", "0", "--page-port", "0", *given)
    assert code == 2
    assert said in err


def test_serve_scores_all_under_the_profile_that_a_calibration_was_fitted_for(tmp_path):
    """A record may name another: its p would be mapped by labels of a field that is not its own."""
    settings = ServeSettings("-", judge="lexical", calibration=tmp_path / "lease.json")
    assert served(tmp_path, settings).profile == "legal"
    rules = tmp_path / "tags.toml"
    rules.write_text('[[rule]]\nname = "a"\nprofile = "news"\n')
    with pytest.raises(InputError, match=r"tags\.toml:3: profile: .*fitted under the profile legal"):
        LiveRules(dataclasses.replace(settings, rules=rules))
    rules.write_text('[[rule]]\nname = "a"\njudge = "embedded"\n')
    with pytest.raises(InputError, match=r"judge: calibration lease@.*: was fitted for the judge lexical"):
        LiveRules(dataclasses.replace(settings, rules=rules)).check_judges()


def test_serve_keeps_resolvability_as_every_answer_has_it(tmp_path, monkeypatch):
    """Registries are asked about the answers that the judge reads: what they cannot tell is no news of the others."""

    class Registries:
        name, closed = "scripted", False

        def __init__(self, status):
            self.status = status

        async def lookup_all(self, references):
            return [LookupResult(status=self.status, registry="scripted", reason="said so") for _ in references]

        async def aclose(self):
            Registries.closed = True

    for number, (status, outcome) in enumerate([("unreachable", "pass"), ("not_found", "fail"), ("resolved", "pass")]):
        monkeypatch.setattr(Judging, "registries", lambda self, rules, status=status: Registries(status))
        monkeypatch.setattr("showable.evaluation.look_up", looked_up(status))
        folder = tmp_path / str(number)
        folder.mkdir()
        assert served(folder, ServeSettings("-", judge="lexical", look_up=True)).resolvability == outcome
    assert Registries.closed


def looked_up(status):
    from showable.records.lookups import Lookup

    async def look_up(_record, _reading, registries):
        return (
            () if registries is None else (Lookup(claim=0, citation=0, status=status, registry="scripted", reason="x"),)
        )

    return look_up


# ── the cascade


class Says:
    """Says the same of every pair, and counts what it was asked."""

    prompt_hash = None

    def __init__(self, name, label, **more):
        self.name, self._said, self.asked = name, {"label": label, "judge": name, **more}, []

    async def verdicts(self, pairs):
        self.asked += pairs
        return [Verdict(**self._said) for _ in pairs]

    def estimate(self, _pairs):
        raise AssertionError


def sure():
    """A cascade whose first judge is always sure: only what escalates is put to the second."""
    first, second = Says("first@1", "supported", p=0.99), Says("second@1", "supported", p=0.99)
    return CascadeJudge(first, second), first, second


def holding(answer, **fields):
    source = {"source_id": "a", "text": "The court held that the tenant owes rent.", "doi": "10.1000/182"}
    return Record.model_validate(
        {"id": "r", "question": "Who owes rent?", "retrieved": [source], "answer": answer} | fields
    )


class Retracted:
    name = "scripted"

    async def lookup_all(self, references):
        return [
            LookupResult(status="retracted", registry="scripted", reason="withdrawn by the editors") for _ in references
        ]

    async def aclose(self):
        pass


SAID = "The court held that the tenant owes rent"
ESCALATES = [
    # (answer, profile, registries, pairs put to the second judge of how many, source)
    (f"{SAID} [a].", "general", None, (0, 1), "the first is sure, nothing failed, no kind is critical"),
    (f"{SAID} [a].", "legal", None, (1, 1), "a holding is critical under legal"),
    ("The rent is owed each month [a].", "legal", None, (0, 1), "what no kind of the profile is"),
    (f"{SAID} [a]. {SAID} in May [ghost-1].", "general", None, (2, 2), "resolvability failed: an invented source"),
    (f"{SAID}.", "general", None, (1, 1), "structural failed: nothing is cited"),
    (f"{SAID} [a].", "general", Retracted(), (1, 1), "resolvability failed by a registry alone"),
]


@pytest.mark.parametrize(("answer", "profile", "registries", "calls", "source"), ESCALATES, ids=range(len(ESCALATES)))
def test_what_is_put_to_the_second_judge(answer, profile, registries, calls, source):
    """None of 33 pairs were, in a band that no pair fell into."""
    judge, first, second = sure()
    rules = load_profile(profile)
    judging = Judging(JudgingSettings(judge="lexical"))
    asyncio.run(evaluate_one(holding(answer), judging.judge(rules, given=judge), rules, registries))
    assert (len(second.asked), len(first.asked)) == calls, source


def test_critical_kinds_that_are_named_take_the_place_of_the_profiles():
    judge, _, second = sure()
    rules = load_profile("legal")
    judging = Judging(JudgingSettings(judge="cascade:chat:m@http://127.0.0.1:9/v1", critical="procedural"))
    assert "cascade+procedural(" in judging.judge(rules).name
    asyncio.run(evaluate_one(holding(f"{SAID} [a]."), judging.judge(rules, given=judge), rules))
    assert second.asked == []


def test_the_cascade_of_serve_escalates_too(tmp_path):
    judges = {}

    def choose(spec, **_):
        judges[spec], _, judges["second"] = sure()
        return judges[spec]

    score = served(tmp_path, ServeSettings("-", judge="cascade:lexical", profile="legal"), chooser=choose)
    assert score.judged
    assert "cascade+holding+statute(first@1>second@1)" in score.signature
    assert judges["second"].asked == []
