"""What a command prints by itself fits a screen of 40 rows and 80 columns; --details prints the rest."""

import json

import pytest
from screens import rows_on_screen

ROWS = 40
PASSAGE = {
    "source_id": "h",
    "text": "Full-time staff must give thirty days' notice. Part-time staff give fourteen days. " * 3,
}
ANSWERS = [
    # the answer, source of the kind
    ("Full-time staff must give thirty days' notice [h].", "supported"),
    (f"Full-time staff must give ninety days' notice [h], {'as the board confirmed, ' * 6}in its last session.", "contradicted, and longer than a line"),
    ("The canteen opens at seven [h].", "no evidence"),
    ("Full-time staff must give thirty days' notice [z].", "invented"),
    ("I don't know.", "a refusal"),
    ("", "empty"),
]  # fmt: skip


@pytest.fixture(autouse=True)
def screen(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def answers(path, kinds=ANSWERS, n=30):
    rows = (
        {
            "id": f"question-{at:02}",
            "question": "How much notice do full-time staff give?",
            "answer": kinds[at % len(kinds)][0],
            "retrieved": [PASSAGE],
            "gold": {"answer": "thirty days", "category": "answerable"},
            "profile": "legal",
        }
        for at in range(n)
    )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


CASES = "".join(f"Smith v. Jones, {volume} F.3d {volume + 1} (9th Cir. 2001). " for volume in range(100, 117))


def test_what_every_command_prints_is_one_screen(cli, screen):
    base, candidate = answers(screen / "base.jsonl"), answers(screen / "candidate.jsonl", ANSWERS[::-1])
    (screen / "brief.txt").write_text(CASES)
    said = {
        "demo": cli("demo", "--judge", "lexical", "--out", "demo"),
        "score": cli("score", base, "--judge", "lexical", "--out", "base"),
        "score again": cli("score", candidate, "--judge", "lexical", "--out", "candidate"),
        "gate": cli("gate", "base", "candidate"),
        "report": cli("report", "base"),
        "check": cli("check", "brief.txt", "--offline"),
    }
    rows = {name: rows_on_screen(out + err) for name, (_, out, err) in said.items()}
    assert {name: n for name, n in rows.items() if n > ROWS} == {}
    assert all("--details" in out for _, out, _ in said.values())
    assert [code for code, _, _ in said.values()] == [0, 0, 0, 1, 0, 3]
    assert "17 citations in brief.txt" in said["check"][1]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_details_are_more_and_hold_what_the_screen_holds(cli, screen, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    answers(screen / "base.jsonl")
    _, brief, _ = cli("score", "base.jsonl", "--judge", "lexical", "--out", "base")
    _, whole, _ = cli("report", "base", "--details")
    assert len(whole.splitlines()) > len(brief.splitlines())
    headings = [line for line in brief.splitlines() if line.endswith("with 95 % intervals")]
    assert headings
    assert all(heading in whole for heading in headings)
