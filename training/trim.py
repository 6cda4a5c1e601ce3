"""Leave out of a BERT tokenizer what English text never needs, so that the embeddings that go with it take no room.

Left out are the reserved tokens and those in other scripts than Latin and Greek. What was read with them is read as
unknown; every other text keeps its tokens, under other numbers.
"""

from __future__ import annotations

import json
import unicodedata
from typing import Any

KEPT = ("LATIN", "GREEK", "MICRO", "MODIFIER", "FEMININE", "MASCULINE")
"""How the Unicode names of letters begin that stay."""


def is_kept(token: str) -> bool:
    """Tell whether a token can stand in the text this model reads."""
    if token.startswith("[") and token.endswith("]") and len(token) > 2:
        return not token.startswith("[unused")
    letters = [char for char in token if not char.isascii() and unicodedata.category(char)[0] in "LM"]
    return all(unicodedata.name(char, "").startswith(KEPT) for char in letters)


def trimmed(tokenizer: str) -> tuple[str, list[int]]:
    """Give the JSON of a tokenizer without those tokens, and the old number of every token it still has, in order."""
    held: dict[str, Any] = json.loads(tokenizer)
    by_number = sorted(held["model"]["vocab"].items(), key=lambda one: one[1])
    kept = [(token, number) for token, number in by_number if is_kept(token)]
    anew = {number: at for at, (_, number) in enumerate(kept)}
    held["model"]["vocab"] = {token: anew[number] for token, number in kept}
    for one in held["added_tokens"]:
        one["id"] = anew[one["id"]]
    for one in held["post_processor"]["special_tokens"].values():
        one["ids"] = [anew[number] for number in one["ids"]]
    held["truncation"] = held["padding"] = None
    return json.dumps(held, ensure_ascii=False, separators=(",", ":")), [number for _, number in kept]
