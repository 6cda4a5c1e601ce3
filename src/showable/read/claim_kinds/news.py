"""Claims in the news: somebody's words in quotation marks, or what was said and done in the writer's own."""

from __future__ import annotations

from showable.read.claim_kinds.rule import KindRules, either, quotes, says

_SAID = r"(?:said|says|told|tells|wrote|writes|posted|tweeted|asked|added|adds|replied|warned|insisted)"
_SPOKEN = says(
    rf"{_SAID}\b[^\"“”]{{0,60}}[\"“][^\"“”]{{1,400}}[\"”]", rf"(?<=[,.!?][\"”])\s+(?:\w+\s+){{0,4}}{_SAID}",
    r"(?<!so-)(?:called|branded|described|dubbed)\b[^\"“”]{0,60}[\"“](?-i:[a-z])[^\"“”]{0,400}[\"”]",
)  # fmt: skip

NEWS = KindRules(rules=(("direct_quote", either(quotes, _SPOKEN)),), otherwise="paraphrase")
