"""Where a chat model is, a judge's or a pipeline's, how it is called, and what its tokens cost."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import dataclass, field
from typing import Literal, get_args
from urllib.parse import urlsplit

from showable.records import SettingError
from showable.records.calibration import Shot
from showable.records.regex import regex
from showable.records.rubric_file import OwnRubric

OPENAI_URL = "https://api.openai.com/v1"
_OPENAI_HOST = "api.openai.com"
_MILLION = 1_000_000
_SAMPLING_TEMPERATURE = 0.7
_NAMED = regex(r"(?P<model>[^\s]+?)(?:@(?P<url>(?i:https?)://\S+))?")
_ADDRESS = regex(r"\S+@(?:localhost\b\S*|[^\s@]*/\S*|[^\s@]*:\d{1,5})", re.IGNORECASE)
"""A model's name with what looks like an address behind it, and no http:// before that. No model begins with @: that is its name."""

_PART_OF_KEY = 12
"""Characters of a key that tell too much of it; what leaves this machine or is written down holds no run of so many."""
_MASK = "[key]"
_ESCAPE = regex(r"\\+u00([2-7][0-9a-fA-F])")
"""A printable ASCII character as JSON may write it, once or inside of text that is JSON again: \\u0073."""

Domain = Literal["legal", "medical", "research", "news"]
DOMAINS: tuple[Domain, ...] = get_args(Domain)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSettings:
    """Where the model is and how it is called.

    `timeout_s` is how many seconds an attempt may be silent, `retries` how often a failed call is tried again
    (with backoff, honouring Retry-After), `concurrency` how many calls may be in flight at once. A call ends at the
    latest after `timeout_s` for each attempt and 120 s for each wait between them. Prices are in US
    dollars per million tokens; without both, what was spent is unknown, not nothing. `temperature` and
    `seed` may be None for a model that refuses them.

    `domain` adds what counts as support in that field to the prompt. `samples` asks about every pair so
    often and lets the majority decide; samples need chance, so with more than one a temperature of 0
    becomes 0.7, and each sample has a seed of its own. `batch` puts up to so many claims about one
    passage into one call; with 1 (the default) a verdict depends on nothing but its pair. `shots` are worked examples that
    stand in the prompt, and in its hash. With `logprobs` one word is asked for, and its probability is the verdict's p: one
    pair a call, once. `rubrics` add what a claim of their kind must meet besides, one a kind at most.
    """

    model: str = ""
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    temperature: float | None = 0.0
    seed: int | None = 0
    timeout_s: float = 60.0
    retries: int = 3
    concurrency: int = 8
    domain: Domain | None = None
    samples: int = 1
    batch: int = 1
    logprobs: bool = False
    shots: tuple[Shot, ...] = ()
    rubrics: tuple[OwnRubric, ...] = ()
    usd_per_million_in: float | None = None
    usd_per_million_out: float | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot work. Raises SettingError."""
        if self.base_url is not None and not _is_endpoint(self.base_url):
            said = "the base URL must read http(s)://HOST/…, with no user, password or query in it"
            raise SettingError(f"chat model: {said}; a key goes in OPENAI_API_KEY")
        if not self.timeout_s > 0 or self.retries < 0 or self.concurrency < 1:
            raise SettingError("chat model: timeout must be above 0, retries at least 0, concurrency at least 1")
        if self.samples < 1 or self.batch < 1:
            raise SettingError("chat judge: samples and batch are at least 1")
        if self.logprobs and (self.samples > 1 or self.batch > 1):
            raise SettingError(
                "chat judge: --logprobs asks once about one claim; it goes with neither samples nor batch"
            )
        if self.domain is not None and self.domain not in DOMAINS:
            raise SettingError(f"chat judge: there are no notes on {self.domain!r}; choose of {', '.join(DOMAINS)}")
        kinds = [rubric.kind for rubric in self.rubrics]
        if twice := next((kind for kind in kinds if kinds.count(kind) > 1), None):
            raise SettingError(f"chat judge: two rubrics for claims of kind {twice!r}; one kind has one rubric")
        if any(shot.label == "unknown" for shot in self.shots):
            raise SettingError("chat judge: an example's verdict is one of the menu's, and unknown is not on it")
        if any(price is not None and not price >= 0 for price in (self.usd_per_million_in, self.usd_per_million_out)):
            raise SettingError("chat model: a price is a number of US dollars, 0 or more")

    def check_ready(self) -> None:
        """Refuse to start without a model, a key where one is needed, or the openai package. Raises SettingError."""
        if not self.model or any(character.isspace() or character == "|" for character in self.model):
            raise SettingError(f"chat model: {self.model!r} is no model's name; write chat:MODEL or chat:MODEL@URL")
        if self.api_key is None and urlsplit(self.url).hostname == _OPENAI_HOST:
            raise SettingError(
                f"chat model: {_OPENAI_HOST} needs a key; set OPENAI_API_KEY, or name another endpoint: chat:MODEL@URL"
            )
        if self.api_key is not None and not (self.api_key.isascii() and self.api_key.isprintable()):
            raise SettingError("chat model: the key holds characters that no key can hold; was it copied whole?")
        if importlib.util.find_spec("openai") is None:
            raise SettingError("a chat model needs the openai package: pip install 'showable[llm]'")

    @property
    def url(self) -> str:
        """The endpoint in use."""
        return (self.base_url or OPENAI_URL).rstrip("/")

    @property
    def temperature_in_use(self) -> float | None:
        """The temperature that is sent: 1 for probabilities of tokens, which some servers tell after it was applied."""
        if self.logprobs:
            return None if self.temperature is None else 1.0
        return _SAMPLING_TEMPERATURE if self.samples > 1 and self.temperature == 0 else self.temperature

    def mask(self, text: str) -> str:
        """Return a text without the key, whole or any part of it of 12 characters and more, plain or in JSON's escapes."""
        key = self.api_key or ""
        if len(key) < _PART_OF_KEY:
            return text.replace(key, _MASK) if key else text
        parts = {key[at : at + _PART_OF_KEY] for at in range(len(key) - _PART_OF_KEY + 1)}
        for written in (text, _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)):
            places = [at for at in range(len(written) - _PART_OF_KEY + 1) if written[at : at + _PART_OF_KEY] in parts]
            if places:
                return _without(written, places)
        return text

    def usd(self, tokens_in: int, tokens_out: int) -> float | None:
        """Price tokens in US dollars; None when no price was given."""
        if self.usd_per_million_in is None or self.usd_per_million_out is None:
            return None
        return (tokens_in * self.usd_per_million_in + tokens_out * self.usd_per_million_out) / _MILLION


def _without(text: str, places: list[int]) -> str:
    """Return a text with each run of characters that the places cover replaced by one mask."""
    kept: list[str] = []
    end = 0
    for at in places:
        if at > end or not kept:
            kept.append(text[end:at])
        end = at + _PART_OF_KEY
    return _MASK.join([*kept, text[end:]])


def _is_endpoint(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    plain = parts.username is None and not parts.query and not parts.fragment and "?" not in url
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and plain


def split_endpoint(named: str) -> tuple[str, str | None] | None:
    """Part MODEL@URL into the two; None where it names no model.

    Raises SettingError where what stands behind the @ looks like an address without http://: taken for a part of the name,
    it would have the passages sent to another endpoint.
    """
    found = _NAMED.fullmatch(named)
    if found is None:
        return None
    if _ADDRESS.fullmatch(found["model"]):
        model, _, at = found["model"].rpartition("@")
        raise SettingError(f"expected {model}@http://… or {model}@https://…, got {at!r} without it")
    return found["model"], found["url"]
