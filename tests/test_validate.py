"""`showable validate`: labelled rows in, figures out; rows are decided, never guessed, and nothing is left out unsaid."""

import gzip
import json
import re
from pathlib import Path

import pytest
from run_pages import Page
from tables import every_row

from showable.records import Verdict
from showable.validation.rows import LabelledPair, LabelledResponse, read_rows
from showable.validation.units import gather_units

DATA = Path(__file__).parent / "data" / "validate"
GOLDEN = Path(__file__).parent / "golden" / "validation.txt"
JUDGE = f"scripted:{DATA / 'judge.jsonl'}"
ENTAILMENT = DATA / "entailment.jsonl"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def write(path, rows):
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return path


def pair(label, n=0, **fields):
    return {"claim": f"Claim {n}.", "passage": f"Passage {n}.", "label": label} | fields


def scripted(path, *verdicts):
    table = ({"claim": f"Claim {n}.", "passage": f"Passage {n}."} | verdict for n, verdict in enumerate(verdicts))
    return f"scripted:{write(path, table)}"


def validated(cli, *command):
    code, out, err = cli("validate", *command, "--json")
    assert code in {0, 3}, err
    return json.loads(out)


def test_the_report_on_the_terminal(cli, monkeypatch):
    from itertools import count

    ticks = count()
    monkeypatch.setattr("showable.validation.judging.time.perf_counter", lambda: next(ticks) / 1e3)
    monkeypatch.chdir(DATA)
    code, out, err = cli("validate", "entailment", "entailment.jsonl", "--judge", "scripted:judge.jsonl")
    assert code == 0, err
    *lines, signature = out.splitlines()
    assert "\n".join(lines) + "\n" == GOLDEN.read_text()
    assert max(map(len, lines)) <= 100
    assert signature.startswith("signature version:")


def test_json_has_the_promised_fields_and_the_figures_of_hand(cli):
    found = validated(cli, "entailment", ENTAILMENT, "--judge", JUDGE)
    assert {"files", "macro", "threshold", "task", "judge", "signature", "cost"} <= found.keys()
    promised = ["file", "n", "excluded", "balanced_accuracy", "tpr", "tnr", "auc", "kappa", "ece", "ms_per_pair"]
    (file,) = found["files"]
    assert {*promised, "selective", "baseline"} <= file.keys()
    assert set(promised) - {"file", "excluded"} <= found["macro"].keys()
    assert {"coverage", "balanced_accuracy"} == file["selective"].keys()
    assert {"coverage_balanced_accuracy", "coverage_auc", "majority_accuracy"} <= file["baseline"].keys()
    assert file["baseline"]["majority_balanced_accuracy"] == 0.5
    # by hand from the file: 26 rows, two groups of two, one 0.5; 11 labelled 1 and 12 labelled 0
    assert (file["pairs"], file["n"], file["excluded"], file["undecided"]) == (26, 23, 1, 0)
    assert (file["positives"], file["negatives"]) == (11, 12)
    # at p >= .5: of the 11 only the women's half (.44) is missed; of the 12 three are let through (.58, .52, .55)
    assert (file["tpr"], file["tnr"]) == pytest.approx((10 / 11, 9 / 12))
    # certain outside .4-.6: 10 of the 11 and 8 of the 12, all rightly
    assert file["selective"] == {"coverage": pytest.approx(18 / 23), "balanced_accuracy": 1.0}
    assert sum(file["verdicts"].values()) == 23
    assert found["threshold"] == "fixed"
    assert sum(one["n"] for one in file["reliability"]) == 23
    for name in ("balanced_accuracy", "tpr", "tnr", "auc", "kappa", "ece"):
        low, high = file["intervals"][name]
        assert low <= file[name] <= high
    assert found["macro"]["balanced_accuracy"] == file["balanced_accuracy"]


def test_figures_are_those_of_the_rows_that_are_written(cli, tmp_path):
    from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score, roc_auc_score

    (file,) = validated(cli, "entailment", ENTAILMENT, "--judge", JUDGE, "--rows", "rows.jsonl")["files"]
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert len(rows) == file["n"] + file["excluded"] + file["undecided"]
    assert {"id", "file", "label", "p", "verdict", "coverage"} <= rows[0].keys()
    assert [row["id"] for row in rows if row["label"] == 0.5] == ["row-3"]
    kept = [row for row in rows if row["label"] != 0.5]
    labels, p = [row["label"] == 1 for row in kept], [row["p"] for row in kept]
    assert [row["decision"] for row in kept] == [one >= 0.5 for one in p]
    assert file["balanced_accuracy"] == pytest.approx(balanced_accuracy_score(labels, [one >= 0.5 for one in p]))
    assert file["kappa"] == pytest.approx(cohen_kappa_score(labels, [one >= 0.5 for one in p]))
    assert file["auc"] == pytest.approx(roc_auc_score(labels, p))
    coverage = [row["coverage"] for row in kept]
    assert file["baseline"]["coverage_auc"] == pytest.approx(roc_auc_score(labels, coverage))


SUPPORTED, NOT, BARE = ({"label": label, "judge": "j"} for label in ("supported", "unsupported", "unknown"))
GROUPS = [
    # verdicts of the chunks, (decision, p, verdict): why
    ([NOT | {"p": 0.2}, SUPPORTED | {"p": 0.8}], (True, 0.8, "supported"), "the highest p stands for the group"),
    ([NOT | {"p": 0.2}, NOT | {"p": 0.3}], (False, 0.3, "unsupported"), "no chunk supports"),
    ([SUPPORTED | {"p": 0.8}, BARE | {"reason": "429"}], (True, 0.8, "supported"), "one that supports is enough"),
    ([NOT | {"p": 0.2}, BARE | {"reason": "429"}], (None, None, "unknown"), "the other might have supported"),
    ([BARE | {"p": 0.6}], (True, 0.6, "unknown"), "an uncertain one is decided by its p"),
    ([NOT, SUPPORTED], (True, None, "supported"), "without p by the label"),
    ([{"label": "partial", "judge": "j"}], (False, None, "partial"), "partial is no support"),
]


@pytest.mark.parametrize(("verdicts", "expected", "why"), GROUPS, ids=[row[2] for row in GROUPS])
def test_chunks_of_a_group_are_decided_together(verdicts, expected, why):
    rows = [(n, LabelledPair(claim="c", passage=str(n), label=1, group="g")) for n, _ in enumerate(verdicts, 1)]
    (unit,) = gather_units(rows, [Verdict(**one) for one in verdicts], [0.1 * n for n, _ in rows], 0.5)
    assert (unit.decision, unit.p, unit.verdict) == expected, why
    assert unit.coverage == pytest.approx(0.1 * len(verdicts)), "the highest coverage"


def test_a_group_is_of_one_claim_and_clusters_are_questions():
    rows = [
        (1, LabelledPair(claim="a", passage="p", label=0, group="g", question="q")),
        (2, LabelledPair(claim="b", passage="p", label=0, group="g", question="q")),
        (3, LabelledPair(claim="a", passage="p", label=1)),
        (4, LabelledPair(claim="a", passage="r", label=1, group="g", question="q")),
    ]
    units = gather_units(rows, [Verdict(label="supported", judge="j", p=0.9)] * 4, [0.0] * 4, 0.5)
    assert [(unit.chunks, unit.label, unit.mixed) for unit in units] == [
        (2, 1.0, True),
        (1, 0.0, False),
        (1, 1.0, False),
    ]
    assert units[0].cluster == units[1].cluster != units[2].cluster
    assert [unit.id for unit in units] == ["group g", "group g", "line 3"]


def test_a_judge_of_labels_alone(cli, tmp_path):
    file = write(tmp_path / "f.jsonl", [pair(n % 2, n) for n in range(30)])
    judge = scripted(tmp_path / "j.jsonl", *({"label": ("unsupported", "supported")[n % 2]} for n in range(30)))
    (found,) = validated(cli, "entailment", file, "--judge", judge)["files"]
    assert (found["balanced_accuracy"], found["kappa"]) == (1.0, 1.0)
    assert (found["auc"], found["ece"], found["reliability"], found["most_confident_half"]) == (None, None, [], None)
    assert "30 of 30 verdicts have none" in found["notes"][0]
    assert "–" in cli("validate", "entailment", file, "--judge", judge)[1]


def test_what_the_judge_left_open_is_not_guessed(cli, tmp_path):
    file = write(tmp_path / "f.jsonl", [pair(n % 2, n) for n in range(4)])
    judge = scripted(tmp_path / "j.jsonl", {"label": "unsupported", "p": 0.1}, {"label": "supported", "p": 0.9})
    (found,) = validated(cli, "entailment", file, "--judge", judge)["files"]
    assert (found["n"], found["undecided"], found["selective"]["coverage"]) == (2, 2, 0.5)
    assert "2 undecided, the first: the scripted table does not hold this pair" in found["notes"]


def test_nothing_to_measure_is_inconclusive(cli, tmp_path):
    file = write(tmp_path / "f.jsonl", [pair(0.5)])
    code, out, _ = cli("validate", "entailment", file, "--json", "--judge", "lexical")
    found = json.loads(out)
    assert code == 3
    assert (found["files"][0]["n"], found["files"][0]["excluded"], found["macro"]["balanced_accuracy"]) == (0, 1, None)
    assert cli("validate", "entailment", file, "-o", "page.html", "--judge", "lexical")[0] == 3
    one_class = write(tmp_path / "g.jsonl", [pair(1, 1), pair(1, 2)])
    (found,) = validated(cli, "entailment", one_class, "--judge", "lexical")["files"]
    assert (found["balanced_accuracy"], found["auc"], found["tnr"]) == (None, None, None)
    assert any("labelled 1" in note for note in found["notes"])


def test_per_file_thresholds_are_cross_fitted_and_said(cli, tmp_path):
    file = write(tmp_path / "f.jsonl", [pair(n % 2, n) for n in range(40)])
    judge = scripted(tmp_path / "j.jsonl", *({"label": "unsupported", "p": 0.1 + 0.2 * (n % 2)} for n in range(40)))
    fixed = validated(cli, "entailment", file, "--judge", judge)
    fitted = validated(cli, "entailment", file, "--judge", judge, "--threshold", "per-file")
    assert (fixed["files"][0]["balanced_accuracy"], fitted["files"][0]["balanced_accuracy"]) == (0.5, 1.0)
    assert len(fitted["files"][0]["fold_thresholds"]) == 5
    assert (fitted["threshold"], fitted["files"][0]["threshold"]) == ("per-file", pytest.approx(0.2))
    assert fitted["signature"] != fixed["signature"]
    assert validated(cli, "entailment", file, "--judge", judge, "--at", "0.2")["files"][0]["balanced_accuracy"] == 1.0
    out = cli("validate", "entailment", file, "--judge", judge, "--threshold", "per-file")[1]
    assert "no row is decided" in " ".join(out.split())


def test_the_same_rows_in_another_order_are_measured_alike(cli, tmp_path):
    p = [((37 * n) % 101) / 101 for n in range(60)]
    judge = scripted(tmp_path / "j.jsonl", *({"label": "unsupported", "p": one} for one in p))
    rows = [pair(int((n * n) % 7 < 3), n, id=f"r{n}", question=f"q{n // 2}") for n in range(60)]
    other = [rows[(n * 17) % 60] for n in range(60)]
    found, written = [], []
    for name, given in (("a", rows), ("b", other)):
        file = write(tmp_path / f"{name}.jsonl", given)
        how = ("--judge", judge, "--threshold", "per-file", "--rows", f"{name}.rows")
        (measured,) = validated(cli, "entailment", file, *how)["files"]
        found.append({key: value for key, value in measured.items() if key not in {"file", "ms_per_pair"}})
        written.append(
            [json.loads(line) | {"file": ""} for line in (tmp_path / f"{name}.rows").read_text().splitlines()]
        )
    assert found[0] == found[1]
    assert [row["id"] for row in written[1]] == [row["id"] for row in other]  # rows keep the order of their file
    assert sorted(written[0], key=lambda row: row["id"]) == sorted(written[1], key=lambda row: row["id"])


RESPONSES = ("The lease does not say.", "Rent is 900 euros.", "I cannot find it in the lease.", "It is due monthly.")


def refusal_rows():
    return [
        {"id": f"r{n}", "question": f"q{n // 3}", "response": RESPONSES[(n * n) % 4], "refusal": int((n * n) % 7 < 3)}
        for n in range(60)
    ]


def factuality_rows():
    passage, buckets = (
        {"source_id": "lease", "text": "Rent is 900 euros."},
        ("correct", "refused", "unsupported", "wrong"),
    )
    for n in range(60):
        answer = {"answer": f"{RESPONSES[n % 3]} [1]", "retrieved": [passage]}
        yield {"id": f"r{n}", "question": f"q{n // 3}", **answer, "gold": {"bucket": buckets[(n * n) % 7 % 4]}}


@pytest.mark.parametrize(("task", "rows"), [("refusal", refusal_rows), ("factuality", factuality_rows)])
def test_answers_in_another_order_are_measured_alike(cli, tmp_path, task, rows):
    rows, judge = list(rows()), ("--judge", "lexical") if task == "factuality" else ()
    found = []
    for name, given in (("a", rows), ("b", [rows[(n * 17) % 60] for n in range(60)])):
        (measured,) = validated(cli, task, write(tmp_path / f"{name}.jsonl", given), *judge)["files"]
        found.append({k: value for k, value in measured.items() if k not in {"file", "ms_per_pair", "verdicts"}})
    assert found[0]["intervals"]["balanced_accuracy"]
    assert found[0] == found[1]


def test_words_that_cannot_tell_and_where_the_judge_is_surest(cli, tmp_path):
    rows = [
        {"claim": "Rent is due monthly.", "passage": "Rent is due monthly.", "label": 1},
        {"claim": "Rent is due.", "passage": "Rent is not due.", "label": 0},
        {"claim": "Cats may stay.", "passage": "Nothing of it.", "label": 0},
    ]
    table = [{k: row[k] for k in ("claim", "passage")} | {"label": "supported", "p": p}
             for row, p in zip(rows, (0.9, 0.6, 0.05), strict=True)]  # fmt: skip
    judge = f"scripted:{write(tmp_path / 'j.jsonl', table)}"
    (found,) = validated(cli, "entailment", write(tmp_path / "f.jsonl", rows), "--judge", judge)["files"]
    assert found["high_coverage"] == {"above": 0.85, "n": 2, "positives": 1, "negatives": 1, "tpr": 1.0, "tnr": 0.0}
    assert found["most_confident_half"] == {"n": 2, "balanced_accuracy": 1.0}
    assert found["baseline"]["coverage_balanced_accuracy"] == 0.75


def test_several_files_gzip_or_not_and_fields_that_nobody_asked_for(cli, tmp_path):
    packed = tmp_path / "more.jsonl.gz"
    packed.write_bytes(gzip.compress(ENTAILMENT.read_bytes()))
    extra = write(tmp_path / "extra.jsonl", [pair(True, 1, dataset={"x": [1]}, id=7), pair(0.0, 2, raw_label="no")])
    found = validated(cli, "entailment", ENTAILMENT, packed, extra, "--judge", JUDGE)
    first, second, _ = found["files"]
    figures = {"file", "ms_per_pair"}
    assert {k: v for k, v in first.items() if k not in figures} == {k: v for k, v in second.items() if k not in figures}
    assert found["macro"]["files"] == 3
    assert found["macro"]["over"]["auc"] == 2, "the third has no verdict at all"
    out = cli("validate", "entailment", ENTAILMENT, packed, "--judge", JUDGE)[1]
    assert "mean over files" in out
    assert "above it on every file" in " ".join(out.split())


def test_near_chance_is_said(cli, tmp_path):
    file = write(tmp_path / "coin.jsonl", [pair(n % 2, n) for n in range(60)])
    judge = scripted(tmp_path / "j.jsonl", *({"label": "supported", "p": (n // 2 % 2) * 0.8 + 0.1} for n in range(60)))
    assert "Near chance" in cli("validate", "entailment", file, "--judge", judge)[1]
    assert "Nowhere near chance" in cli("validate", "entailment", ENTAILMENT, "--judge", JUDGE)[1]


MISTAKES = [
    # (task, lines, what is said): source: one clear line with file, line number, field and what was expected; exit code 2
    ("entailment", [pair(1), {"claim": "c", "label": 1}], "bad.jsonl:2: passage: this field is missing"),
    ("entailment", [pair(2)], "bad.jsonl:1: label: expected 1, 0, 0.5 or one of supported, yes, pass,"),
    (
        "entailment",
        [pair("yes"), pair("maybe")],
        "bad.jsonl:2: label: expected 1, 0, 0.5 or one of supported, yes, pass,",
    ),
    ("entailment", [pair(None)], "bad.jsonl:1: label: expected 1, 0, 0.5 or one of supported, yes, pass,"),
    ("entailment", [json.dumps(pair(float("nan")))], "bad.jsonl:1: label: expected 1, 0, 0.5"),
    ("entailment", [pair(1, claim=3)], "bad.jsonl:1: claim: expected a string, got 3"),
    ("entailment", ["{"], "bad.jsonl:1: not JSON"),
    ("entailment", [], "bad.jsonl: holds no rows"),
    ("refusal", [{"response": "x", "question": "q"}], "bad.jsonl:1: refusal: this field is missing"),
    (
        "refusal",
        [{"response": "x", "refusal": "maybe"}],
        "bad.jsonl:1: refusal: expected true, false, 0.5 or one of none",
    ),
    (
        "factuality",
        [{"id": "a", "question": "q", "answer": "x", "gold": {"bucket": "good"}}],
        "bad.jsonl:1: gold.bucket",
    ),
    ("factuality", [], "bad.jsonl: holds no records"),
]


@pytest.mark.parametrize(("task", "lines", "said"), MISTAKES, ids=[row[2] for row in MISTAKES])
def test_a_bad_row_is_one_line_and_exit_code_2(cli, tmp_path, task, lines, said):
    file = write(tmp_path / "bad.jsonl", lines)
    for packed in (False, True):
        if packed:
            file.write_bytes(gzip.compress(file.read_bytes()))
        code, out, err = cli("validate", task, DATA / f"{task}.jsonl", file)
        assert (code, out) == (2, "")
        assert said in err
        assert len(err.splitlines()) == 1


USAGE = [
    (["entailment", "missing.jsonl"], "missing.jsonl: No such file or directory"),
    (["entailment", "."], ".: Is a directory"),
    (["entailment", "cut.gz"], "cut.gz: not a whole gzip file"),
    (["entailment", ENTAILMENT, "--judge", "magic"], "judge 'magic'"),
    (["entailment", ENTAILMENT, "--at", "1.5"], "--at: expected p between 0 and 1, got 1.5"),
    (["entailment", ENTAILMENT, "--threshold", "0.7"], "0.7"),
    (["refusal", DATA / "refusal.jsonl", "--threshold", "per-file"], "--threshold per-file"),
    (["entailment", ENTAILMENT, "--rows", ENTAILMENT], "would be written over"),
    (["entailment", ENTAILMENT, ENTAILMENT], "given twice"),
    (["entailment", ENTAILMENT, "--rows", "same.html", "-o", "./same.html"], "--rows and -o name the same file"),
    (["entailment", ENTAILMENT, "--html", "x.html"], "--html is now -o FILE.html"),
    (["entailment", ENTAILMENT, "--rows", "no/such/rows.jsonl"], "its folder does not exist"),
    (
        ["entailment", ENTAILMENT, "--max-cost", "1", "--judge", "chat:m@http://127.0.0.1:9/v1"],
        "--max-cost needs a price",
    ),
    (["grading", ENTAILMENT], "grading"),
]


@pytest.mark.parametrize(("command", "said"), USAGE, ids=[row[1] for row in USAGE])
def test_a_mistake_in_the_command_is_exit_code_2(cli, tmp_path, monkeypatch, command, said):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    (tmp_path / "cut.gz").write_bytes(gzip.compress(b"{}" * 99)[:-9])
    code, out, err = cli("validate", *command)
    assert (code, out) == (2, "")
    assert said in err
    assert "Traceback" not in err


LABELS = [
    (True, 1.0), (False, 0.0), (1, 1.0), (0.0, 0.0), (0.5, 0.5), ("none", 0.0), ("no_evidence", 1.0), ("evidence", 1.0),
    ("harm", 1.0), ("Full", 1.0), ("partial", 0.5), ("ambiguous", 1.0), ("out_of_scope", 1.0),
]  # fmt: skip


@every_row(("given", "read"), LABELS)
def test_words_for_a_refusal(given, read):
    assert LabelledResponse(response="x", refusal=given).refusal == read


def test_refusals_are_read_by_this_tool(cli, tmp_path):
    found = validated(cli, "refusal", DATA / "refusal.jsonl", "--rows", "rows.jsonl")
    (file,) = found["files"]
    # by hand: seven rows, one partial, one empty; the usual words hit "cannot keep dogs" and "can't", and miss "do not say"
    assert (file["n"], file["excluded"], file["undecided"], file["positives"]) == (5, 1, 1, 3)
    assert (file["balanced_accuracy"], file["f1"]) == (1.0, 1.0)
    assert file["baseline"]["usual_words_balanced_accuracy"] == pytest.approx((1 / 3 + 1 / 2) / 2)
    assert (file["auc"], file["ece"]) == (None, None)
    assert "judge:none" in found["signature"]
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert [row["verdict"] for row in rows][-1] == "unknown"
    assert rows[-1]["decision"] is None
    code, out, err = cli("validate", "refusal", DATA / "refusal.jsonl", "--judge", "lexical")
    assert (code, "takes no part" in err, "1 undecided" in out) == (0, True, True)


def test_buckets_against_a_persons(cli, tmp_path):
    command = ("factuality", DATA / "factuality.jsonl", "--judge", "lexical")
    found = validated(cli, *command, "--rows", "rows.jsonl", "-o", "page.html")
    (file,) = found["files"]
    assert (file["n"], file["excluded"], file["undecided"]) == (4, 1, 1)
    assert (file["balanced_accuracy"], file["kappa"], file["bucket_accuracy"]) == (1.0, 1.0, 1.0)
    assert file["confusion"]["unsupported"] == {"correct": 0, "wrong": 0, "unsupported": 1, "refused": 0, "unknown": 1}
    assert (file["recall"]["correct"]["passed"], file["recall"]["unsupported"]["unknown"]) == (1, 1)
    assert file["baseline"]["majority_bucket_accuracy"] == 0.25
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert [(row["label"], row["verdict"]) for row in rows][-1] == ("unsupported", "unknown")
    assert "found again" in cli("validate", *command)[1]
    assert "found again" in Page((tmp_path / "page.html").read_text()).text


def test_the_page_is_whole_and_draws_its_diagrams(cli, tmp_path):
    attack = tmp_path / "<script>alert(1)<script>.jsonl"
    attack.write_bytes(ENTAILMENT.read_bytes())
    code, _, err = cli("validate", "entailment", ENTAILMENT, attack, "--judge", JUDGE, "-o", "page.html")
    assert code == 0, err
    written = (tmp_path / "page.html").read_text()
    tags = {tag for tag in Page(written).tags if tag != "br"}
    assert not {"script", "link", "img", "iframe"} & tags
    assert written.count('class="reliability"') == 2
    assert written.count('class="forest"') == 3
    assert "http" not in written.replace("http-equiv", "")
    text = " ".join(Page(written).text.split())
    assert "83.0" in text
    assert "Near chance" in text or "near chance" in text
    assert "<script>alert(1)<script>" in text


def narrow(cli, monkeypatch, *command, width):
    """Print a validation as on a terminal of so many columns."""
    from functools import partial

    from showable.cli.console import ReportConsole

    terminal = partial(ReportConsole, force_terminal=True, no_color=True, width=width)
    monkeypatch.setattr("showable.cli.console.ReportConsole", terminal)
    code, out, err = cli("validate", *command)
    assert code == 0, err
    return re.sub(r"\x1b\[[\d;]*m", "", out).splitlines()


@pytest.mark.parametrize("task", ["entailment", "refusal", "factuality"])
def test_no_line_is_wider_than_the_terminal(cli, monkeypatch, tmp_path, task):
    """Intervals go below their figures where the line is short; only the signature stays on a line of its own."""
    long = tmp_path / f"{'a_long_name_' * 5}.jsonl"
    long.write_bytes((DATA / f"{task}.jsonl").read_bytes())
    judge = [] if task == "refusal" else ["--judge", "lexical"]
    for width in (80, 100):
        *lines, _ = narrow(cli, monkeypatch, task, DATA / f"{task}.jsonl", long, *judge, width=width)
        assert max(map(len, lines)) <= width
        assert any("mean over files" in line for line in lines)


def test_files_of_one_name_are_told_apart(cli, tmp_path):
    (tmp_path / "other").mkdir()
    same = tmp_path / "other" / "entailment.jsonl"
    same.write_bytes(ENTAILMENT.read_bytes())
    out = cli("validate", "refusal", DATA / "refusal.jsonl")[1]
    assert "refusal.jsonl" not in out
    out = cli("validate", "entailment", ENTAILMENT, "other/entailment.jsonl", "--judge", JUDGE)[1]
    assert "other/entailment.jsonl" in out


def test_a_cascade_says_what_it_saved(tmp_path):
    """Of four rows the first judge leaves one undecided and one is of a critical kind: two are asked, two saved."""
    import asyncio

    from showable.judges.cascade import CascadeJudge
    from showable.judges.scripted import ScriptedJudge
    from showable.report.validation_words import spent
    from showable.validation.run import LabelledFile, Plan, estimate_cost, validate

    file = write(tmp_path / "f.jsonl", [pair(n % 2, n, kind="dosage" if n == 3 else 7) for n in range(4)])
    sure = {"label": "supported", "p": 0.9}
    first = scripted(tmp_path / "first.jsonl", sure, {"label": "unknown", "reason": "unsure"}, sure, sure)
    second = scripted(tmp_path / "second.jsonl", *[{"label": "unsupported", "p": 0.1}] * 4)
    judges = [ScriptedJudge.read(Path(one.removeprefix("scripted:"))) for one in (first, second)]
    cascade = CascadeJudge(*judges, frozenset({"dosage", "holding"}))
    plan = Plan("entailment", [LabelledFile.read("entailment", file, "f")], cascade)
    found, rows = asyncio.run(validate(plan, lambda _: None))
    assert found.cascade is not None
    assert (found.cascade.pairs, found.cascade.asked, found.cascade.saved) == (4, 2, 2)
    assert [row.p for row in rows] == [0.9, 0.1, 0.9, 0.1]
    assert (spent(found) or "").startswith("second judge asked about 2 of 4 pairs (50.0 %), 2 saved")
    assert plan.idle_kinds == ["holding"]
    assert estimate_cost(plan)[0].calls == 0


class Calls:
    """A judge whose verdicts take so many calls each."""

    name, prompt_hash = "j", None

    def __init__(self, calls):
        self.calls = calls

    def estimate(self, pairs):
        from showable.records.evidence import Cost

        return Cost(calls=self.calls * len(pairs))

    async def verdicts(self, pairs):
        raise AssertionError


def test_verdicts_from_the_cache_are_said():
    from showable.records.evidence import Cost
    from showable.validation.judging import note_remembered

    costs = (None, Cost(), Cost(calls=1, tokens_in=9), Cost(tokens_in=3))
    verdicts = [Verdict(label="supported", judge="j", cost=cost) for cost in costs]
    said = "1 of 4 verdicts came from the cache, so that ms is not the judge's own time"
    assert note_remembered(Calls(1), verdicts) == [said]
    assert note_remembered(Calls(1), verdicts[2:]) == []
    assert note_remembered(Calls(0), verdicts) == [], "a judge without calls has no cache"


def test_rows_that_share_an_id_are_counted(cli, tmp_path):
    file = write(tmp_path / "f.jsonl", [pair(1, 1, id="a"), pair(0, 2, id="a"), pair(0, 3, id="b")])
    (found,) = validated(cli, "entailment", file, "--judge", "lexical")["files"]
    assert any(note.startswith("2 rows share their id") for note in found["notes"])


def test_dots_of_the_diagram_stand_where_their_bins_are():
    from showable.measure.calibration_error import ReliabilityBin
    from showable.report.validation_html import LEFT, SIDE, TOP, points

    one = ReliabilityBin(low=0.5, high=0.6, n=8, mean_p=0.5, observed=1.0, observed_low=0.6, observed_high=1.0)
    (dot,) = points([one])
    assert (dot.x, dot.y) == (LEFT + SIDE / 2, TOP)
    assert dot.low == pytest.approx(TOP + 0.4 * SIDE)
    assert "8 rows" in dot.said


def test_dry_run_calls_nothing(cli):
    judge = "chat:m@http://127.0.0.1:9/v1"
    command = ("validate", "entailment", ENTAILMENT, "--judge", judge, "--price-in", 1, "--price-out", 2, "--dry-run")
    code, out, err = cli(*command)
    assert code == 0, err
    assert out.startswith("26 judge calls, "), "not: 26 to 26"
    assert json.loads(cli(*command, "--json")[1])["least"]["calls"] == 26
    assert "no judge call" in cli("validate", "refusal", DATA / "refusal.jsonl", "--dry-run")[1]
    code, out, _ = cli("validate", "factuality", DATA / "factuality.jsonl", "--judge", judge, "--dry-run")
    assert "price unknown" in out


def test_rows_are_read_with_their_line_numbers(tmp_path):
    file = write(tmp_path / "f.jsonl", [pair(1), "", pair(0)])
    assert [number for number, _ in read_rows(file, LabelledPair)] == [1, 3]


def test_standard_input(cli, monkeypatch):
    import io
    import sys

    class Stdin:
        buffer = io.BytesIO(ENTAILMENT.read_bytes())

    monkeypatch.setattr(sys, "stdin", Stdin())
    assert validated(cli, "entailment", "-", "--judge", JUDGE)["files"][0]["file"] == "-"


def test_rows_that_are_another_again_count_and_are_no_independent_rows(cli, tmp_path):
    rows = [pair(n % 2, n) for n in range(40)]
    judge = scripted(tmp_path / "judge.jsonl", *({"label": "supported", "p": 0.3 + n % 5 / 10} for n in range(40)))
    alone, doubled = (
        validated(cli, "entailment", write(tmp_path / f"{name}.jsonl", given), "--judge", judge)["files"][0]
        for name, given in (("alone", rows), ("doubled", rows * 4))
    )
    assert (alone["n"], doubled["n"], doubled["balanced_accuracy"]) == (40, 160, alone["balanced_accuracy"])
    widths = [one["intervals"]["tpr"][1] - one["intervals"]["tpr"][0] for one in (alone, doubled)]
    assert widths[1] == pytest.approx(widths[0], rel=0.15), "four copies say no more than one"
    said = "160 rows have claim, passage and kind as another has them; all count, and are resampled together"
    assert said in doubled["notes"]
    assert not any("as another has them" in note for note in alone["notes"])
