"""The card of the shipped heads: their revision, the encoder that they read, how much its states count."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from showable.errors import SettingError

FOLDER = Path(__file__).parent / "model"
CARD = FOLDER / "heads.json"


@cache
def card() -> dict[str, Any]:
    """Return what the heads' file says of them: revision, encoder, weight of the states. Raises SettingError."""
    try:
        return dict(json.loads(CARD.read_bytes()))
    except (OSError, ValueError) as error:
        raise SettingError(f"{CARD}: no card of a reader ({type(error).__name__}: {error})") from None
