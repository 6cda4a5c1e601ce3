"""A claim and a text as the token ids a cross-encoder reads, in as many pieces as the text needs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tokenizers import Encoding, Tokenizer

from showable.errors import SettingError
from showable.judges.embedded.manifest import Manifest

LONGEST_CLAIM = 128
"""Tokens of a claim that are read; longer claims are not put to a model at all."""
_OVERLAP = 4
"""Two pieces of a text that is too long share one part in so many."""
_CLAIM, _PASSAGE, _SHARED = 0, 1, 2


class Encoded(NamedTuple):
    """Token ids and token types of one input, of the same length."""

    tokens: list[int]
    types: list[int]


class Encoder:
    """Turns pairs into inputs by the template of a manifest. Raises SettingError where the file is no tokenizer."""

    def __init__(self, manifest: Manifest, tokenizer: Path) -> None:
        self._template, self._longest = manifest.template, manifest.longest
        self._tokenizer = _load(tokenizer)
        self._special = [one.content for one in self._tokenizer.get_added_tokens_decoder().values() if one.special]

    def encode(self, claim: str, text: str) -> list[Encoded]:
        """Encode one pair; a text that does not fit gives several inputs, each with the whole claim.

        Special tokens that either side spells out are left out: a passage must not be able to end itself.
        """
        claim, text = self._plain(claim), self._plain(text)
        if self._template == "shared":
            return shared(self._tokenizer, claim, text, self._longest)
        pieces = self._pieces(claim, text)
        if self._template in {"pair", "pair_claim_first"}:
            sides = [(claim, piece) if self._template == "pair_claim_first" else (piece, claim) for piece in pieces]
            return [Encoded(one.ids, one.type_ids) for one in self._tokenizer.encode_batch(sides)]
        return [Encoded(one.ids, one.type_ids) for one in self._tokenizer.encode_batch(self._filled(claim, pieces))]

    def _filled(self, claim: str, pieces: Sequence[str]) -> list[str]:
        return [_fill(self._template, claim, piece) for piece in pieces]

    def _plain(self, text: str) -> str:
        for token in self._special:
            text = text.replace(token, " ")
        return text

    def _pieces(self, claim: str, text: str) -> list[str]:
        """Cut a text so that each piece fits beside the claim."""
        empty = self._filled(claim, [""])[0] if "{" in self._template else None
        around = self._tokenizer.encode(empty) if empty is not None else self._tokenizer.encode("", claim)
        found = self._tokenizer.encode(text, add_special_tokens=False)
        room = max(8, self._longest - len(around.ids) - 1)
        spans = [found.offsets[start:end] for start, end in _cuts(len(found.ids), room)]
        return [text[span[0][0] : span[-1][1]] for span in spans] or [text]


def shared(tokenizer: Tokenizer, claim: str, text: str, longest: int) -> list[Encoded]:
    """Encode `[CLS] claim [SEP] text [SEP]` in at most `longest` tokens each.

    A type is 0 in the claim and 1 in the text, plus 2 where the other side has the same token; words that the tokenizer does
    not know are the same where they are written the same.
    """
    start, end, unknown = (_id(tokenizer, token) for token in ("[CLS]", "[SEP]", "[UNK]"))
    sides = tokenizer.encode_batch([claim, text], add_special_tokens=False)
    first, every = (_written(one, text, unknown) for one, text in zip(sides, (claim, text), strict=True))
    first = first[: min(LONGEST_CLAIM, (longest - 3) // 2)]
    encoded = []
    for begin, stop in _cuts(len(every), longest - len(first) - 3) or [(0, 0)]:
        second = every[begin:stop]
        both = set(first) & set(second)
        types = [_CLAIM, *(_CLAIM + _SHARED * (token in both) for token in first), _CLAIM]
        types += [*(_PASSAGE + _SHARED * (token in both) for token in second), _PASSAGE]
        tokens = [start, *(token for token, _ in first), end, *(token for token, _ in second), end]
        encoded.append(Encoded(tokens, types))
    return encoded


def _written(found: Encoding, text: str, unknown: int) -> list[tuple[int, str]]:
    """Return every token with, where it is the unknown one, the word it stands for."""
    return [
        (token, text[start:end].lower() if token == unknown else "")
        for token, (start, end) in zip(found.ids, found.offsets, strict=True)
    ]


def _cuts(length: int, room: int) -> list[tuple[int, int]]:
    """Return the ranges of overlapping pieces that cover a text, none longer than `room`."""
    if length <= room:
        return [(0, length)] if length else []
    step = room - room // _OVERLAP
    starts = range(0, length - room // _OVERLAP, step)
    return [(start, min(start + room, length)) for start in starts]


def _fill(template: str, claim: str, text: str) -> str:
    """Put both sides in at once, so that braces inside a passage stay what they are."""
    before, middle, after = template.replace("{passage}", "\0p\0", 1).replace("{claim}", "\0c\0", 1).split("\0")[::2]
    first, second = (text, claim) if template.index("{passage}") < template.index("{claim}") else (claim, text)
    return before + first + middle + second + after


def _load(path: Path) -> Tokenizer:
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # noqa: BLE001 - what tokenizers raises is a bare Exception
        raise SettingError(f"{path}: not a tokenizer of the tokenizers library ({str(error)[:80]})") from None
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _id(tokenizer: Tokenizer, token: str) -> int:
    number = tokenizer.token_to_id(token)
    if number is None:
        raise SettingError(f"the tokenizer has no {token}; a template of `shared` needs BERT's")
    return number
