"""Rubrics of one's own: drafted, written, read back, tested on labels, and put in force for their kind of claim alone."""

import asyncio
import json
import socket
import threading

import pytest
from chat_server import Say, serve
from hypothesis import given
from hypothesis import strategies as st

from showable.authoring.rubric_toml import read_rubric, to_toml, write_rubric
from showable.authoring.template import draft
from showable.authoring.trial import LEAST, LEAST_OF_EACH, missing_labels, read_trials, trials_path
from showable.errors import InputError, SettingError
from showable.judges.chat_prompt import hash_of, load_prompt, prompts_by_kind
from showable.judges.chat_settings import ChatSettings
from showable.records.rubric_file import OwnRubric, RubricExample

MAJORITY = "holdings must be stated by the majority, not in dissent"
DRAFTS = [
    # (description, name, field, kind, what a criterion must say): by hand, from the description
    (MAJORITY, "holdings-stated-majority-dissent", "legal", "holding", "only “in dissent”"),
    (
        "A dosage must name the population it is for.",
        "dosage-name-population-for",
        "medical",
        "dosage",
        "“A dosage must",
    ),
    ("numbers need units, never bare figures", "numbers-need-units-never", "general", None, "only “bare figures”"),
]


@pytest.mark.parametrize(("says", "name", "field", "kind", "criterion"), DRAFTS)
def test_a_template_is_filled_in_from_the_description(says, name, field, kind, criterion):
    rubric = draft(says)
    assert (rubric.name[: len(name) - 4], rubric.field, rubric.kind) == (name[: len(name) - 4], field, kind)
    assert criterion in " ".join(rubric.criteria)
    assert rubric.written_by == "template"


NO_RUBRICS = [
    # (words of `rubric new`, what is said of them)
    ([""], "the description: expected a sentence"),
    (["  \n "], "the description: expected a sentence"),
    (["x " * 1500], "the description: String should have at most 2000"),
    (["bad \udcff byte"], "the description: "),
    (["a holding", "--kind", "a b"], "kind: "),
    (["a holding", "--kind", "\x1b[31mred"], "kind: "),
    (["a holding", "--kind", "dosage", "--field", "legal"], "'dosage' is none of dictum, holding"),
]


@pytest.mark.parametrize(("words", "said"), NO_RUBRICS, ids=range(len(NO_RUBRICS)))
def test_what_makes_no_rubric_is_one_line(cli, tmp_path, words, said):
    code, _, err = cli("rubric", "new", *words, "-o", tmp_path / "r.toml")
    assert (code, err.count("\n"), (tmp_path / "r.toml").exists()) == (2, 1, False)
    assert said in err


def test_a_kind_that_is_given_brings_its_field(tmp_path):
    rubric = draft(MAJORITY, kind="dosage")
    assert (rubric.field, rubric.kind) == ("medical", "dosage")
    write_rubric(tmp_path / "r.toml", rubric, least=1, of_each=1)
    assert read_rubric(tmp_path / "r.toml") == rubric


def test_a_colour_code_is_no_word_of_a_name():
    assert draft("\x1b[31mred\x1b[0m figures must be \x1b]0;title\x07cited").name == "red-figures-cited"


def test_a_named_kind_stands_over_the_one_that_was_found():
    assert draft(MAJORITY, kind="dictum").kind == "dictum"


TEXT = st.text(st.characters(codec="utf-8"), min_size=1, max_size=40).filter(str.strip)


@given(TEXT, TEXT, TEXT, st.sampled_from(["", "supported", "partial"]))
def test_what_is_written_is_read_back(says, criterion, passage, label):
    import tomllib

    rubric = OwnRubric(name="r", says=says, criteria=(criterion,), menu=dict.fromkeys(("supported", "partial", "unsupported", "contradicted"), criterion), examples=(RubricExample(claim=says, passage=passage, label=label),))  # fmt: skip
    assert OwnRubric.model_validate(tomllib.loads(to_toml(rubric, least=1, of_each=1))) == rubric


def test_a_file_is_not_written_over(tmp_path):
    path = tmp_path / "r.toml"
    write_rubric(path, draft(MAJORITY), least=1, of_each=1)
    assert read_rubric(path) == draft(MAJORITY)
    with pytest.raises(InputError, match="is there already"):
        write_rubric(path, draft(MAJORITY), least=1, of_each=1)


WRONG = [
    # (what to put for what, where the error points, what it says)
    ('kind = "holding"', 'kind = "dosage"', "kind", "none of dictum, holding"),
    ("threshold = 0.6", "threshold = 1.5", "threshold", "less than 1"),
    ("partial = ", "partly = ", "menu", "supported"),
    ('written_by = "template"', 'writer = "template"', "writer", "unknown field"),
    ("criteria = [", "criteria = [ 7,", "criteria", "string"),
]


@pytest.mark.parametrize(("old", "new", "field", "said"), WRONG)
def test_a_mistake_in_the_file_is_one_line(tmp_path, old, new, field, said):
    path = tmp_path / "r.toml"
    path.write_text(to_toml(draft(MAJORITY), least=1, of_each=1).replace(old, new, 1))
    with pytest.raises(InputError) as refused:
        read_rubric(path)
    assert field in str(refused.value)
    assert said in str(refused.value)
    assert str(path) in str(refused.value)


def test_the_digest_is_of_what_moves_a_verdict():
    rubric = draft(MAJORITY)
    example = RubricExample(claim="c", passage="p", label="supported")
    assert rubric.model_copy(update={"examples": (example,), "name": "other"}).digest == rubric.digest
    for change in ({"says": "Another rule."}, {"kind": "dictum"}, {"threshold": 0.7}, {"criteria": ("Another.",)}):
        assert rubric.model_copy(update=change).digest != rubric.digest


def with_labels(yes, no, blank=0):
    """A rubric whose examples a judge by words gets right: the passage has the claim's words, or others."""
    claims = [f"The court held that tenant number {i} owes rent." for i in range(yes + no + blank)]
    labels = ["supported"] * yes + ["unsupported"] * no + [""] * blank
    passages = [c if label != "unsupported" else "The dissent spoke of fishing rights in the river." for c, label in zip(claims, labels, strict=True)]  # fmt: skip
    examples = (RubricExample(claim=c, passage=p, label=x) for c, p, x in zip(claims, passages, labels, strict=True))
    return draft(MAJORITY).model_copy(update={"examples": tuple(examples)})


MISSING = [
    (
        0,
        0,
        0,
        "0 labelled examples (0 supported, 0 not), and it takes 20: 8 more supported, 8 more of the other verdicts, 4 more of any",
    ),
    (19, 0, 3, "8 more of the other verdicts; 3 examples wait for a label"),
    (9, 9, 0, "2 more of any verdict"),
    (12, 8, 5, None),
]


@pytest.mark.parametrize(("yes", "no", "blank", "said"), MISSING)
def test_missing_labels_are_counted_by_class(yes, no, blank, said):
    found = missing_labels(with_labels(yes, no, blank))
    assert (found is None) == (said is None)
    assert said is None or said in found
    assert (LEAST, LEAST_OF_EACH) == (20, 8)


def record(number, claim):
    return {
        "id": f"r{number}",
        "question": "Who owes rent?",
        "retrieved": [{"source_id": "a", "text": "The court held that the tenant owes rent."}],
        "answer": f"{claim} [a].",
        "profile": "legal",
    }


@pytest.fixture
def rubric_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "majority.toml"
    write_rubric(path, with_labels(12, 12), least=1, of_each=1)
    (tmp_path / "answers.jsonl").write_text(json.dumps(record(1, "The court held that the tenant owes rent")) + "\n")
    return path


def test_from_a_description_to_a_score(cli, rubric_file, tmp_path):
    code, out, _ = cli("rubric", "new", MAJORITY, "-o", "new.toml")
    assert (code, out.splitlines()[0]) == (0, "new.toml: holdings-stated-majority-dissent, for claims of kind holding, written by template")  # fmt: skip
    code, _, err = cli("rubric", "test", "new.toml", "--judge", "lexical")
    assert code == 3
    assert "8 more supported" in err
    code, out, _ = cli("rubric", "test", "new.toml", "--judge", "lexical", "--json")
    refused = json.loads(out)["refused"]
    assert (code, "8 more supported" in refused["reason"]) == (3, True)
    assert refused["missing"] == [
        {"label": "supported", "have": 0, "need": 8}, {"label": "not supported", "have": 0, "need": 8}, {"label": "any", "have": 0, "need": 20}
    ]  # fmt: skip
    code, _, err = cli("score", "answers.jsonl", "--judge", "lexical", "--rubric", "majority.toml")
    assert code == 2
    assert "was not tested as it stands" in err
    code, out, _ = cli("rubric", "test", "majority.toml", "--judge", "lexical")
    assert code == 0
    assert "balanced accuracy 100.0%" in out
    assert "n 24 (12 supported, 12 not), 95 % interval" in out
    assert "reads no criteria" in out
    code, out, err = cli("score", "answers.jsonl", "--judge", "lexical", "--rubric", "majority.toml", "--json")
    assert code == 0, err
    label = read_rubric(rubric_file).label
    assert f"+{label}|" in json.loads(out)["signature"]
    assert "holding=0.6" in json.loads(out)["signature"]
    assert "not tested with" not in cli("rubric", "show", "majority.toml")[1]


def test_a_template_cuts_no_lower_than_the_profile_of_its_field():
    # the thresholds that the profile files write down: legal holdings 0.6, general claims 0.5
    assert (draft(MAJORITY).threshold, draft("numbers need units").threshold) == (0.6, 0.5)


def test_a_run_takes_a_rubric_as_a_score_does(cli, rubric_file, tmp_path):
    (tmp_path / "set.jsonl").write_text(json.dumps({"id": "r1", "question": "Who owes rent?"}) + "\n")
    words = ("run", "--pipeline", "recorded:answers.jsonl", "--questions", "set.jsonl", "--judge", "lexical", "--profile", "legal", "--out", "asked")  # fmt: skip
    code, _, err = cli(*words, "--rubric", "majority.toml")
    assert (code, "was not tested as it stands" in err, (tmp_path / "asked").exists()) == (2, True, False)
    assert cli("rubric", "test", "majority.toml", "--judge", "lexical")[0] == 0
    assert cli(*words, "--rubric", "majority.toml")[0] == 0
    assert f"+{read_rubric(rubric_file).label}|" in json.loads((tmp_path / "asked/run.json").read_text())["signature"]
    code, _, err = cli(*words)
    assert code == 2
    assert "holds a run of another signature" in err


def test_a_changed_rubric_is_an_untested_one(cli, rubric_file):
    assert cli("rubric", "test", "majority.toml", "--judge", "lexical")[0] == 0
    rubric_file.write_text(rubric_file.read_text().replace("threshold = 0.6", "threshold = 0.65"))
    code, _, err = cli("score", "answers.jsonl", "--judge", "lexical", "--rubric", "majority.toml")
    assert code == 2
    assert "was not tested as it stands" in err
    assert "not tested as it stands" in cli("rubric", "show", "majority.toml")[1]


def test_the_same_example_twice_is_refused(cli, rubric_file):
    text = rubric_file.read_text()
    rubric_file.write_text(text + "[[examples]]" + text.rpartition("[[examples]]")[2])
    code, _, err = cli("rubric", "test", "majority.toml", "--judge", "lexical")
    assert code == 2
    assert "examples 24 and 25 are the same claim and passage" in err


def test_a_judge_that_decides_nothing_is_no_test(cli, rubric_file, tmp_path):
    assert cli("rubric", "test", "majority.toml", "--judge", "lexical")[0] == 0
    kept = trials_path(rubric_file).read_text()
    mute = tmp_path / "mute.jsonl"
    pairs = (
        {"claim": one.claim, "passage": one.passage, "label": "unknown"} for one in read_rubric(rubric_file).examples
    )
    mute.write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
    code, out, _ = cli("rubric", "test", "majority.toml", "--judge", f"scripted:{mute}")
    assert code == 3
    assert "nothing was measured, so nothing is kept" in out
    assert trials_path(rubric_file).read_text() == kept


def test_more_is_asked_of_a_rubric_than_it_reached(cli, rubric_file):
    text = rubric_file.read_text()
    first, second = (
        '"The dissent spoke of fishing rights in the river."',
        '"The court held that tenant number 12 owes rent."',
    )
    rubric_file.write_text(text.replace(first, second, 1))  # a judge by words gets one of the twelve wrong
    code, out, err = cli("rubric", "test", "majority.toml", "--judge", "lexical")
    assert (code, err) == (0, "")
    assert "balanced accuracy 95.8%" in out
    rubric_file.write_text(rubric_file.read_text().replace("must_reach = 0.75", "must_reach = 0.98"))
    code, _, err = cli("score", "answers.jsonl", "--judge", "lexical", "--rubric", "majority.toml")
    assert code == 2
    assert "reached less than the 98.0% that it must reach now" in err


def test_what_a_file_of_trials_says_is_text(cli, rubric_file):
    assert cli("rubric", "test", "majority.toml", "--judge", "lexical")[0] == 0
    held = json.loads(trials_path(rubric_file).read_text())
    held[0]["why"] = "\x1b[31mred\x1b]0;title\x07"
    trials_path(rubric_file).write_text(json.dumps(held))
    code, out, _ = cli("rubric", "show", "majority.toml")
    assert (code, "\x1b" in out, "\x07" in out) == (0, False, False)


def test_a_rubric_that_failed_is_not_used(cli, rubric_file):
    text = rubric_file.read_text()
    swapped = text.replace('label = "supported"', 'label = "-"').replace('"unsupported"', '"supported"').replace('label = "-"', 'label = "unsupported"')  # fmt: skip
    rubric_file.write_text(swapped)
    code, out, _ = cli("rubric", "test", "majority.toml", "--judge", "lexical", "--json")
    trial = json.loads(out)
    assert (code, trial["passed"], trial["balanced_accuracy"]) == (1, False, 0.0)
    assert [one.passed for one in read_trials(rubric_file)] == [False]
    code, _, err = cli("score", "answers.jsonl", "--judge", "lexical", "--rubric", "majority.toml")
    assert code == 2
    assert "failed its test" in err


def test_a_kind_that_the_profile_never_gives_is_refused(cli, rubric_file):
    assert cli("rubric", "test", "majority.toml", "--judge", "lexical")[0] == 0
    code, _, err = cli(
        "score", "answers.jsonl", "--judge", "lexical", "--rubric", "majority.toml", "--profile", "medical"
    )
    assert code == 2
    assert "kind holding, and the profile medical gives none that kind" in err


def test_a_profile_that_finds_no_kinds_is_told(cli, rubric_file, tmp_path):
    assert cli("rubric", "test", "majority.toml", "--judge", "lexical")[0] == 0
    plain = record(1, "The court held that the tenant owes rent") | {"profile": "general"}
    (tmp_path / "plain.jsonl").write_text(json.dumps(plain) + "\n")
    code, _, err = cli("score", "plain.jsonl", "--judge", "lexical", "--rubric", "majority.toml")
    assert code == 0
    assert "the profile general finds no kinds of claims" in err
    assert "(--profile legal finds them)" in err
    code, _, err = cli("score", "answers.jsonl", "--judge", "lexical", "--rubric", "majority.toml")
    assert (code, "finds no kinds" in err) == (0, False)


def test_two_rubrics_for_one_kind_are_refused(cli, rubric_file):
    code, _, err = cli("score", "answers.jsonl", "--rubric", "majority.toml", "--rubric", "majority.toml")
    assert code == 2
    assert "are both for claims of kind holding" in err


def test_damaged_trials_are_one_line(cli, rubric_file):
    trials_path(rubric_file).write_text('[{"digest": "x"}]')
    code, _, err = cli("score", "answers.jsonl", "--judge", "lexical", "--rubric", "majority.toml")
    assert code == 2
    assert "majority.trials.json" in err
    assert len(err.splitlines()) == 1


def test_the_prompt_has_the_rule_for_claims_of_its_kind_alone():
    rubric = draft(MAJORITY)
    prompts = prompts_by_kind(ChatSettings(rubrics=(rubric,)))
    assert set(prompts) == {None, "holding"}
    assert prompts[None].hash == load_prompt().hash
    assert all(line in prompts["holding"].system for line in rubric.notes.splitlines())
    assert prompts["holding"].system.endswith(load_prompt().system[-200:])
    assert len({hash_of(prompts), hash_of({None: load_prompt()}), prompts["holding"].hash}) == 3
    for_all = rubric.model_copy(update={"kind": None})
    assert for_all.notes in prompts_by_kind(ChatSettings(rubrics=(for_all,)))[None].system


def test_one_kind_has_one_rubric():
    with pytest.raises(SettingError, match="two rubrics"):
        ChatSettings(rubrics=(draft(MAJORITY), draft(MAJORITY)))


class Thread:
    """The chat server on a thread of its own, for commands that run in this one."""

    def __init__(self, answers):
        self.answers, self.ready, self.done = answers, threading.Event(), None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.thread = threading.Thread(target=lambda: asyncio.run(self.run()))

    async def run(self):
        self.loop, self.done = asyncio.get_running_loop(), asyncio.Event()
        async with serve(self.answers, self.port) as self.server:
            self.ready.set()
            await self.done.wait()

    def __enter__(self):
        self.thread.start()
        assert self.ready.wait(10)
        return self.server

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.done.set)
        self.thread.join()


def obedient(asked):
    """A model that heeds the rule where it is told one: what the dissent says is then no support."""
    system, user = (message["content"] for message in asked["messages"])
    dissent = "The dissent wrote" in user
    label = "unsupported" if dissent and "in dissent" in system else "supported"
    return Say(
        json.dumps({"verdict": label, "reason": "as told", "quote": "owes rent" if label == "supported" else ""})
    )


def test_a_chat_judge_is_given_the_criteria_and_they_are_measured(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    claims = [f"Tenant {i} owes rent." for i in range(20)]
    examples = [RubricExample(claim=c, passage=f"The {who} wrote: {c.lower()}", label=label) for c, (who, label) in zip(claims, [("majority", "supported"), ("dissent", "unsupported")] * 10, strict=True)]  # fmt: skip
    write_rubric(tmp_path / "m.toml", draft(MAJORITY).model_copy(update={"examples": tuple(examples)}), least=1, of_each=1)  # fmt: skip
    with Thread(obedient) as server:
        code, out, err = cli("rubric", "test", "m.toml", "--judge", f"chat:m@{server.url}", "--json")
        trial = json.loads(out)
        assert code == 0, err
        assert (trial["balanced_accuracy"], trial["without"]) == (1.0, 0.5)
        # 20 examples with the rubric and without it; tokens as the server counts them, 400 in and 50 out a call
        assert {name: trial["cost"][name] for name in ("calls", "tokens_in", "tokens_out", "usd")} == {
            "calls": 40, "tokens_in": 16_000, "tokens_out": 2_000, "usd": None,
        }  # fmt: skip
        again = ("rubric", "test", "m.toml", "--judge", f"chat:dear@{server.url}")
        out = cli(*again, "--price-in", "1", "--price-out", "2")[1]
        assert "40 judge calls, 16,000 tokens in, 2,000 out, $0.0200" in out  # .016 + .004
        assert "judge call" not in cli(*again, "--price-in", "1", "--price-out", "2")[1]  # all of it is cached
        (tmp_path / "answers.jsonl").write_text(
            json.dumps(record(1, "The court held that the tenant owes rent")) + "\n"
        )
        code, _, err = cli("score", "answers.jsonl", "--judge", f"chat:m@{server.url}", "--rubric", "m.toml")
        assert code == 0, err
        assert any("in dissent" in one["messages"][0]["content"] for one in server.requests[80:])
        batched = ("--judge", f"chat:m@{server.url}", "--batch", "2")
        code, _, err = cli("score", "answers.jsonl", *batched, "--rubric", "m.toml")
        assert (code, "not with chat:m" in err) == (2, True)
        assert cli("rubric", "test", "m.toml", *batched)[0] == 0
        assert cli("score", "answers.jsonl", *batched, "--rubric", "m.toml")[0] == 0
        code, _, err = cli("score", "answers.jsonl", "--judge", f"chat:other@{server.url}", "--rubric", "m.toml")
        assert code == 2
        assert "was tested, but not with chat:other" in err


WRITTEN = {
    "name": "Majority only!",
    "kind": "holding",
    "criteria": ["The majority states it.", "A dissent does not count."],
    "menu": dict.fromkeys(("supported", "partial", "unsupported", "contradicted"), "As the rule says."),
    "examples": [{"claim": "C holds.", "passage": "The majority holds C."}],
}
REPLIES = [
    # (replies in turn, exit code, what is said)
    ([json.dumps(WRITTEN)], 0, "majority-only, for claims of kind holding, written by m"),
    (["no JSON", json.dumps(WRITTEN)], 0, "majority-only"),
    (["no JSON", "none again"], 3, "asked for twice"),
    ([json.dumps(WRITTEN | {"kind": "dosage"})], 3, "'dosage' is none of"),
    ([json.dumps(WRITTEN | {"examples": WRITTEN["examples"] * 9, "label": "supported"})], 0, "majority-only"),
    ([json.dumps(WRITTEN | {"criteria": []})], 3, "criteria"),
    ([json.dumps(WRITTEN | {"criteria": ["x"] * 51})], 3, "criteria"),
    ([json.dumps(WRITTEN | {"menu": WRITTEN["menu"] | {"partial": "x" * 2001}})], 3, "menu"),
    ([json.dumps(WRITTEN | {"menu": {"supported": "x"}})], 3, "menu"),
    ([json.dumps({k: v for k, v in WRITTEN.items() if k != "examples"})], 3, "examples is missing"),
    ([json.dumps(WRITTEN | {"examples": [{"claim": "c"}]})], 3, "examples: expected pairs"),
]


@pytest.mark.parametrize(("replies", "expected", "said"), REPLIES, ids=range(len(REPLIES)))
def test_a_model_drafts_a_rubric_or_says_why_not(cli, tmp_path, replies, expected, said):
    with Thread([Say(reply) for reply in replies]) as server:
        code, out, err = cli("rubric", "new", MAJORITY, "--model", f"m@{server.url}", "-o", tmp_path / "r.toml")
        asked = server.requests[0]["messages"][1]["content"]
    assert code == expected, err
    assert said in out + err
    assert (tmp_path / "r.toml").exists() == (expected == 0)
    assert MAJORITY in asked
    if expected == 0:
        assert [one.label for one in read_rubric(tmp_path / "r.toml").examples] == [""]


def test_examples_are_taken_from_a_run_the_least_certain_first(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    claims = ["The court held that the tenant owes rent", "The court held that a fisher owes taxes and tolls", "The motion was denied"]  # fmt: skip
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(record(i, c)) + "\n" for i, c in enumerate(claims)))
    assert cli("score", "a.jsonl", "--judge", "lexical", "--out", "run")[0] == 0
    assert cli("rubric", "new", MAJORITY, "--examples", "run", "-o", "r.toml")[0] == 0
    found = read_rubric(tmp_path / "r.toml").examples
    assert {one.claim.rstrip(" [a].") for one in found} >= {"The court held that a fisher owes taxes and tolls"}
    assert not any("motion" in one.claim for one in found)
    assert all(one.label == "" and "tenant owes rent" in one.passage for one in found)
    code, _, err = cli("rubric", "new", MAJORITY, "--kind", "statute", "--examples", "run", "-o", "s.toml")
    assert code == 0
    assert "no claim of kind statute" in err
