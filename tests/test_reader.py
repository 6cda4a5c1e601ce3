"""The trained reader: what it is given of a text, what it says, and that what it said once is used again."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys

import numpy as np
import pytest
from tables import every_row

from showable.encoder import SHIPPED
from showable.evaluation import sign
from showable.judges.scripted import ScriptedJudge
from showable.read.answer import read_answer
from showable.reader.card import CARD
from showable.reader.context import around, summary
from showable.reader.form import NAMES, form_of
from showable.reader.heads import see
from showable.reader.read import digest_of, read_text, reader_name, replayed
from showable.reader.units import MOST_CLAUSES, clauses
from showable.reader.windows import MOST_WINDOWS, SIZE, states_of
from showable.records import Record
from showable.records.profile import GENERAL
from showable.records.roles import BASES, EXTENTS, ROLES, ReadSentence

# a sentence, its clauses; the rule is the docstring of `clauses`
TURNS = [
    ("I do not know, but it is 30 days.", ["I do not know,", "but it is 30 days."]),
    ("Although the leaflet gives no dose, adults take 5 mg [1].", ["Although the leaflet gives no dose,", "adults take 5 mg [1]."]),
    ("The dose is 5 mg [1]; the interval is not given.", ["The dose is 5 mg [1];", "the interval is not given."]),
    ("Here is the sum: 900 euros.", ["Here is the sum:", "900 euros."]),
    ("No deposit is mentioned, so none is due.", ["No deposit is mentioned,", "so none is due."]),
    ("Yes.", ["Yes."]),
    ("The fee is 5%.", ["The fee is 5%."]),
    ("It opens at 10:30 on weekdays.", ["It opens at 10:30 on weekdays."]),
]  # fmt: skip


@every_row(("sentence", "expected"), TURNS)
def test_a_sentence_is_cut_where_it_may_turn(sentence, expected):
    text = f"Hello. {sentence} Bye."
    found = clauses(text, (7, 7 + len(sentence)))
    assert [text[start:end] for start, end in found] == expected


def test_clauses_are_bounded():
    sentence = "but it is " * 50
    assert len(clauses(sentence, (0, len(sentence)))) <= MOST_CLAUSES


def test_every_span_of_a_text_of_several_windows_has_its_states():
    sentences = [f"Clause {number} sets the notice at {number} days for the tenant." for number in range(60)]
    text, spans, at = " ".join(sentences), [], 0
    for sentence in sentences:
        spans.append((at, at + len(sentence)))
        at += len(sentence) + 1
    states = states_of("What is the notice?", text, spans)
    assert states.shape == (60, SIZE)
    assert np.isfinite(states).all()
    assert (np.abs(states).sum(1) > 0).all()


@pytest.mark.slow
def test_what_lies_behind_the_last_window_is_taken_to_assert():
    sentence = "The documents do not mention it, and nothing in the passages says who decides on it. "
    text = sentence * (MOST_WINDOWS * 25)
    spans = [(at, at + len(sentence) - 1) for at in range(0, len(text), len(sentence))]
    read = read_text("Who decides?", text, spans)
    assert len(read.sentences) >= len(spans)
    assert read.sentences[-1].p == (1.0, *(0.0 for _ in ROLES[1:]))
    assert max(read.sentences[0].p) < 1


def test_a_text_cannot_end_itself():
    plain = states_of("Who?", "Ann       did it.", [(0, 17)])
    spelt = states_of("Who?", "Ann [SEP] did it.", [(0, 17)])
    assert np.array_equal(plain, spelt)


def test_form_says_what_its_names_say():
    text = "- Is it **5**?\n- It is [1]."
    rows = form_of("Is it so?", text, [(2, 14), (17, 27)])
    told = [dict(zip(NAMES, row, strict=True)) for row in rows]
    assert [one["asks"] for one in told] == [1, 0]
    assert [one["bulleted"] for one in told] == [1, 1]
    assert [one["first"] for one in told] == [1, 0]
    assert [one["last"] for one in told] == [0, 1]
    assert [one["bracketed"] for one in told] == [0, 1]


def test_probabilities_are_of_every_role_extent_and_basis():
    read = read_text("What is the fee?", "I could not find it. The fee is 5%.", [(0, 20), (21, 35)])
    assert [len(one.p) for one in read.sentences] == [len(ROLES)] * len(read.sentences)
    assert len(read.extent) == len(EXTENTS)
    assert len(read.basis) == len(BASES)
    for p in (*(one.p for one in read.sentences), read.extent, read.basis):
        assert sum(p) == pytest.approx(1, abs=0.001)
    assert [one.role for one in read.sentences] == ["decline", "claim"]


def test_numbers_of_context_do_not_grow_with_the_answer():
    p = np.random.default_rng(1).dirichlet(np.ones(len(ROLES)), 300)
    assert around(p).shape[1] == around(p[:1]).shape[1]
    assert summary(p, "a and b?").shape == summary(p[:1], "a?").shape
    assert np.isfinite(around(p)).all()


def test_heads_were_fitted_on_the_encoder_that_is_shipped():
    encoder = hashlib.sha256((SHIPPED / "model.onnx").read_bytes()).hexdigest()
    assert json.loads(CARD.read_text("utf-8"))["encoder"] == encoder


def test_the_encoder_tells_its_layers_by_name():
    seen = see("Who?", "Ann did it.", [(0, 11)])
    assert seen.states.shape == (1, SIZE)


def test_what_was_said_is_said_again_without_the_model():
    record = Record(id="r", question="What is the fee?", answer="The fee is 5%.")
    first = read_answer(record)
    turned = first.read[0].model_copy(
        update={
            "sentences": (ReadSentence(span=(0, 14), p=tuple(float(role == "decline") for role in ROLES)),),
            "extent": tuple(float(extent == "full") for extent in EXTENTS),
        }
    )
    again = read_answer(record, GENERAL, replayed((turned,)))
    assert (first.refusal.extent, again.refusal.extent) == ("none", "full")
    assert again.read == (turned,)
    assert turned.digest == digest_of("What is the fee?", "The fee is 5%.")


def test_the_reader_stands_in_the_signature():
    assert sign(ScriptedJudge(()), GENERAL).reader == reader_name()
    assert reader_name().startswith("reader@")


@pytest.mark.slow
def test_a_structured_answer_whose_claims_cite_loads_no_model():
    code = """if True:
        import sys, showable
        row = {"id": "a", "question": "What is the fee?", "retrieved": [{"source_id": "s", "text": "The fee is 5%."}]}
        claim = {"text": "The fee is 5%.", "citations": [{"source_id": "s", "quoted_span": "The fee is 5%."}]}
        showable.score({**row, "answer": {"claims": [claim], "refusal": "none"}}, judge="lexical")
        loaded = "onnxruntime" in sys.modules
        showable.score({**row, "answer": "The fee is 5% [s]."}, judge="lexical")
        sys.exit(loaded or "onnxruntime" not in sys.modules)
    """
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
