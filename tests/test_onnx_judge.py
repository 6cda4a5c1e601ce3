"""A model of the user's own: what its manifest may say, what it answers, and every way it can be broken."""

import asyncio
import hashlib
import json
import math

import pytest
from onnx_models import WORDS, write_folder, write_full_range_model

from showable.errors import InputError, SettingError
from showable.judges.choose import choose
from showable.judges.embedded import EmbeddedJudge
from showable.judges.embedded.encode import Encoder
from showable.judges.embedded.manifest import read_manifest
from showable.judges.embedded.odds import Odds
from showable.judges.embedded.session import Session
from showable.records import Pair

PLAIN = Pair("the deposit is due", "the deposit is due yes yes yes yes")


def judge(folder, *pairs):
    return asyncio.run(choose(f"onnx:{folder}", environ={}).verdicts(pairs))


def p_of(*logits):
    """Softmax of the first logit. Source: its definition."""
    return math.exp(logits[0]) / sum(map(math.exp, logits))


# [CLS] + 8 words of the passage + [SEP] + 4 of the claim + [SEP] = 15 tokens, 4 of them `yes`: logits 10·4/15 − 1, −1, −1.
def test_probability_is_the_softmax_of_what_the_model_gives(tmp_path):
    [verdict] = judge(write_folder(tmp_path), PLAIN)
    assert verdict.p == pytest.approx(p_of(40 / 15 - 1, -1, -1), abs=1e-4)
    assert verdict.label == "supported"
    assert verdict.quote.startswith("the deposit is due")


@pytest.mark.parametrize(
    ("manifest", "outputs", "p"),
    [
        ({"outcomes": ["contradicted", "neutral", "entailed"]}, 3, p_of(-1, -1, 40 / 15 - 1)),
        ({"outcomes": ["entailed", "not_entailed"]}, 2, p_of(40 / 15 - 1, -1)),
        ({"outcomes": ["not_entailed", "entailed"]}, 2, p_of(-1, 40 / 15 - 1)),
        ({"outcomes": ["entailed"]}, 1, 1 / (1 + math.exp(-(40 / 15 - 1)))),
        ({"outcomes": ["entailed"], "calibration": {"scale": 2.0, "shift": -1.0}}, 1, 1 / (1 + math.exp(-(2 * (40 / 15 - 1) - 1)))),
        ({"outcomes": ["entailed"], "template": "pair_claim_first"}, 1, 1 / (1 + math.exp(-(40 / 15 - 1)))),
        ({"outcomes": ["entailed"], "template": "shared"}, 1, 1 / (1 + math.exp(-(40 / 15 - 1)))),
        # [CLS] 8 words, </s>, 4 words [SEP]: 15 tokens as well
        ({"outcomes": ["entailed"], "template": "{passage} </s> {claim}"}, 1, 1 / (1 + math.exp(-(40 / 15 - 1)))),
    ],
)  # fmt: skip
def test_manifest_says_how_the_model_is_asked_and_read(tmp_path, manifest, outputs, p):
    [verdict] = judge(write_folder(tmp_path, outputs=outputs, **manifest), PLAIN)
    assert verdict.p == pytest.approx(p, abs=1e-4)


def test_eight_bit_weights_of_full_range_do_not_overflow(tmp_path):
    """Can fail only on a processor without VNNI, where ONNX Runtime adds two products in sixteen bits unless told otherwise."""
    folder = write_folder(tmp_path, outcomes=["entailed"], outputs=1)
    write_full_range_model(folder / "model.onnx")
    [verdict] = judge(folder, PLAIN)
    assert verdict.p == pytest.approx(1 / (1 + math.exp(-2)), abs=0.01)


def test_the_uncertain_band_is_unknown_with_its_probability(tmp_path):
    folder = write_folder(tmp_path, outcomes=["entailed"], outputs=1, uncertain=[0.8, 0.9])
    [verdict] = judge(folder, PLAIN)
    assert verdict.label == "unknown"
    assert 0.8 < verdict.p < 0.9
    assert "uncertain" in verdict.reason


def test_a_claim_of_several_sentences_is_as_good_as_its_weakest(tmp_path):
    folder = write_folder(tmp_path, outcomes=["entailed"], outputs=1)
    passage = "the deposit is due may"
    both = judge(
        folder, Pair("yes yes yes yes deposit.", passage), Pair("It is due. The yes yes yes yes yes due.", passage)
    )
    assert both[0].p > 0.5
    assert both[1].p < both[0].p


@pytest.mark.parametrize("template", ["pair", "pair_claim_first", "{passage} </s> {claim}", "shared"])
def test_a_text_that_does_not_fit_is_read_in_pieces_and_the_best_one_counts(tmp_path, template):
    folder = write_folder(tmp_path, outcomes=["entailed"], outputs=1, template=template, longest=64, words=200)
    early, late, without = (
        Pair("the deposit is due", text)
        for text in ("yes " * 30 + "the due " * 50, "the due " * 50 + "yes " * 30, "the due " * 65)
    )
    ends = judge(folder, early, late, without)
    assert [verdict.label for verdict in ends] == ["supported", "supported", "unsupported"]


@pytest.mark.parametrize(
    ("manifest", "room"),
    [({}, 256), ({"longest": 300}, 150), ({"longest": 64}, 60), ({"longest": 8000}, 256), ({"words": 400}, 400)],
)
def test_as_many_words_of_a_passage_are_shown_as_the_manifest_says(tmp_path, monkeypatch, manifest, room):
    asked = []
    monkeypatch.setattr(Session, "odds", lambda _, pairs: asked.extend(pairs) or [Odds(1.0, None) for _ in pairs])
    folder = write_folder(tmp_path, **manifest)
    just, more = ("May is a month. " * (room // 4) + "Due. " * left for left in (room % 4, room % 4 + 1))
    judge(folder, Pair("The deposit is due.", just), Pair("The deposit is due.", more))
    [(_, whole), (_, part)] = asked  # and nothing beside no text: a model without a head has no use for that
    assert whole == just
    assert len(part.split()) < room


@pytest.mark.parametrize(
    ("template", "ends"), [("pair", 2), ("pair_claim_first", 2), ("shared", 2), ("{passage} </s> {claim}", 1)]
)
def test_a_passage_that_spells_out_special_tokens_cannot_end_itself(tmp_path, template, ends):
    manifest, folder = read_manifest(write_folder(tmp_path, template=template))
    [one] = Encoder(manifest, folder / "tokenizer.json").encode("yes [SEP] no", "the </s> [SEP] [CLS] deposit </s> is")
    last = WORDS.index("</s>" if "</s>" in template else "[SEP]")
    assert one.tokens.count(last) == ends
    assert one.tokens.count(WORDS.index("[CLS]")) == 1


@pytest.mark.parametrize("claim", ["word " * 200, "The deposit is due. " + "word " * 200 + "."])
def test_a_sentence_that_the_model_cannot_read_whole_is_unknown(tmp_path, claim):
    [verdict] = judge(write_folder(tmp_path), Pair(claim, "the deposit is due"))
    assert verdict.label == "unknown"
    assert verdict.p is not None  # of the beginning: `validate` decides every row by it, scoring no answer
    assert verdict.of_part
    assert "more than 80 words" in verdict.reason


def test_what_the_model_cannot_say_is_unknown_for_its_pair_alone(tmp_path):
    folder = write_folder(tmp_path, outcomes=["entailed"], outputs=1, fails_on="may")
    good, bad = judge(folder, PLAIN, Pair("the deposit is due", "the deposit is due may"))
    assert good.label == "supported"
    assert (bad.label, bad.p) == ("unknown", None)
    assert "none (NaN" in bad.reason


def test_a_number_that_differs_is_flagged_where_the_model_sees_support(tmp_path):
    folder = write_folder(tmp_path, outcomes=["entailed"], outputs=1)
    [verdict] = judge(
        folder, Pair("The deposit is 4,200 euros.", "The deposit is 2,400 euros. yes yes yes yes yes yes")
    )
    assert verdict.label == "unknown"
    assert "4,200" in verdict.reason


def test_half_characters_are_read_as_something(tmp_path):
    [verdict] = judge(write_folder(tmp_path), Pair("the deposit \ud800 is due", "the deposit is \udc00 due"))
    assert verdict.p is not None


def test_many_callers_load_one_model(tmp_path):
    from concurrent.futures import ThreadPoolExecutor

    made = EmbeddedJudge(write_folder(tmp_path), threads=2)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: made.judge([PLAIN]), range(16)))
    assert all(answer == answers[0] for answer in answers)
    assert made._loaded() is made._loaded()


@pytest.mark.parametrize("passage", ["", "   ", "… !"])
def test_nothing_to_read_is_unknown(tmp_path, passage):
    [verdict] = judge(write_folder(tmp_path), Pair("the deposit is due", passage))
    assert (verdict.label, verdict.p) == ("unknown", None)
    assert "passage has no words" in verdict.reason


def test_pairs_do_not_change_each_other_and_order_does_not_matter(tmp_path):
    folder = write_folder(tmp_path)
    pairs = [Pair("the deposit is due", "yes " * n + "the deposit") for n in range(6)]
    alone = [judge(folder, pair)[0] for pair in pairs]
    assert judge(folder, *reversed(pairs)) == alone[::-1]
    assert EmbeddedJudge(folder, threads=3).judge(pairs) == alone


def test_the_name_changes_with_the_model_and_with_the_manifest(tmp_path):
    names = {
        EmbeddedJudge(write_folder(tmp_path / name, **manifest)).name
        for name, manifest in [("a", {}), ("b", {"revision": "2"}), ("c", {"outputs": 3, "uncertain": [0.4, 0.6]})]
    }
    assert len(names) == 3
    assert all(name.startswith("onnx-counting@") for name in names)


def _break(folder, what):
    if what == "no folder":
        return folder / "absent"
    manifest = folder / "manifest.json"
    said = json.loads(manifest.read_text())
    if what == "no outcomes":
        manifest.write_text('{"name": "counting"}')
    elif what.startswith("no "):
        (folder / what.removeprefix("no ")).unlink()
    elif what == "not JSON":
        manifest.write_text("{")
    elif what == "not ONNX":
        (folder / "model.onnx").write_bytes(b"nothing of the kind")
    elif what == "half a model":
        (folder / "model.onnx").write_bytes((folder / "model.onnx").read_bytes()[:100])
    elif what == "not a tokenizer":
        (folder / "tokenizer.json").write_text("{}")
    elif what == "changed":
        said["sha256"] = {"model.onnx": hashlib.sha256(b"another").hexdigest()}
        manifest.write_text(json.dumps(said))
    else:
        manifest.write_text(json.dumps(said | json.loads(what)))
    return folder


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("no folder", "a model folder holds a manifest.json"),
        ("no manifest.json", "a model folder holds a manifest.json"),
        ("no model.onnx", "model.onnx: missing"),
        ("no tokenizer.json", "tokenizer.json: missing"),
        ("not JSON", "Invalid JSON"),
        ("not ONNX", "not a model that ONNX Runtime can load"),
        ("half a model", "not a model that ONNX Runtime can load"),
        ("not a tokenizer", "not a tokenizer"),
        ("changed", "damaged or replaced"),
        ('{"outcomes": ["neutral"]}', "exactly one of them is entailed"),
        ('{"outcomes": ["entailed", "not_entailed"]}', "the model gives 3 outputs, its manifest names 2"),
        ('{"template": "claim"}', "template: pair, pair_claim_first, shared, or a text"),
        ('{"name": "a|b"}', "name"),
        ('{"longest": 3}', "longest"),
        ('{"words": 40}', "words"),
        ('{"head": "head.json", "uncertain": [0.4, 0.6]}', "leave them out"),
        ("no outcomes", "outcomes: Field required"),
        ('{"uncertain": [0.7, 0.3]}', "the lower first"),
        ('{"colour": "red"}', "colour"),
    ],
)
def test_what_is_broken_is_one_clear_line(tmp_path, what, said):
    folder = _break(write_folder(tmp_path / "m"), what)
    with pytest.raises((SettingError, InputError)) as raised:
        judge(folder, PLAIN)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_inputs_that_nobody_can_fill_are_named(tmp_path):
    folder = write_folder(tmp_path, inputs=("input_ids", "position_ids"))
    with pytest.raises(SettingError, match="position_ids"):
        judge(folder, PLAIN)


@pytest.mark.parametrize("threads", ["0", "-1", "two", "1.5"])
def test_threads_are_a_positive_number(threads):
    with pytest.raises(SettingError, match="SHOWABLE_THREADS"):
        choose("embedded", environ={"SHOWABLE_THREADS": threads})
