"""What a command says on stderr of the corpus that it opens; nothing of it goes to stdout."""

import json

import pytest

from showable.cli.corpus_opening import open_aloud

SEEN = {"a.txt": "The rent is ten pounds."}


@pytest.fixture
def said(tmp_path, capsys):
    """Open a folder of these files, and give the lines on stderr."""

    def run(files):
        folder = tmp_path / "papers"
        folder.mkdir()
        for name, text in files.items():
            (folder / name).write_text(text)
        assert open_aloud(str(folder)).name == "papers"
        out, err = capsys.readouterr()
        assert out == ""
        return err.splitlines()

    return run


def test_what_was_left_out_is_said(said):
    count, left_out = said({**SEEN, "b.csv": "x"})
    assert count == "showable: papers: 1 of 2 files left out:"
    assert left_out.startswith("showable: papers: left out: ")
    assert left_out.endswith("b.csv: is called .csv, and read are txt, md, html, pdf, docx, jsonl")


def test_nothing_is_said_where_all_was_read(said):
    assert said(SEEN) == []


def test_a_long_list_is_cut_and_counted(said):
    lines = said(SEEN | {f"{number}.csv": "x" for number in range(30)})
    assert len(lines) == 21
    assert lines[-1] == "showable: papers: and 11 more"


def test_a_name_cannot_steer_the_terminal(said):
    assert "\x1b" not in "".join(said({**SEEN, "b\x1b[31m.csv": "x"}))


def test_a_corpus_that_is_none_is_one_line_and_exit_2(cli, tmp_path):
    record = {"id": "1", "question": "Rent?", "retrieved": [], "answer": "Ten pounds."}
    (tmp_path / "records.jsonl").write_text(json.dumps(record) + "\n")
    code, _, err = cli("score", str(tmp_path / "records.jsonl"), "--judge", "lexical", "--corpus", "nowhere")
    assert code == 2
    assert err.strip().startswith("showable: corpus 'nowhere': no such file or folder, nor a corpus by that name")
    assert len(err.strip().splitlines()) == 1
