"""What is left of a tokenizer for English text. Every row is written by hand."""

import sys
from pathlib import Path

from tables import every_row
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

sys.path.insert(0, str(Path(__file__).parents[1] / "training"))

from trim import is_kept, trimmed

VOCABULARY = ["[PAD]", "[unused0]", "м", "[UNK]", "[CLS]", "[SEP]", "月", "µ", "##g", "rent", "β", "##я", "is", "due"]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]


def tokenizer() -> str:
    numbers = {token: number for number, token in enumerate(VOCABULARY)}
    made = Tokenizer(models.WordPiece(numbers, unk_token="[UNK]"))
    made.normalizer, made.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
    ends = [(token, numbers[token]) for token in ("[CLS]", "[SEP]")]
    made.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", "[CLS] $A [SEP] $B [SEP]", ends)
    made.add_special_tokens(SPECIAL)
    made.enable_truncation(4)
    return made.to_str()


@every_row(
    ("token", "kept"),
    [
        ("[UNK]", True),
        ("[unused17]", False),
        ("[", True),
        ("]", True),
        ("rent", True),
        ("##ing", True),
        ("€", True),
        ("½", True),
        ("²", True),
        ("→", True),
        ("’", True),
        ("µ", True),
        ("β", True),
        ("wrocław", True),
        ("##ø", True),
        ("ʼ", True),
        ("м", False),
        ("##я", False),
        ("月", False),
        ("ا", False),
        ("ন", False),
        ("ি", False),
    ],
)
def test_what_english_text_can_hold_is_kept(token, kept):
    assert is_kept(token) == kept


def test_kept_tokens_are_read_as_before_under_new_numbers():
    anew, kept = trimmed(tokenizer())
    assert [VOCABULARY[number] for number in kept] == [token for token in VOCABULARY if is_kept(token)]
    before, after = Tokenizer.from_str(tokenizer()), Tokenizer.from_str(anew)
    before.no_truncation()
    text = "The β rent, µg, is due"
    assert after.encode(text).tokens == before.encode(text).tokens
    assert [kept[number] for number in after.encode(text).ids] == before.encode(text).ids


def test_what_is_left_out_is_read_as_unknown():
    anew, _ = trimmed(tokenizer())
    assert Tokenizer.from_str(anew).encode("rent 月").tokens == ["[CLS]", "rent", "[UNK]", "[SEP]"]
