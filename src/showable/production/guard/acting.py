"""From a release to what the client receives: shown, held, refused, rewritten; and the words for it."""

from __future__ import annotations

import re
from typing import Literal

from showable.production.guard.call import GuardCall, Policy
from showable.records.record import Source
from showable.records.scorecard import Release

Action = Literal["show", "hold", "refuse", "rewrite", "unverified", "not_an_answer"]
_WORD = re.compile(r"\w{3,}")
_NEAREST = 2


def action_of(release: Release, call: GuardCall, policy: Policy) -> Action:
    """Return what is done with the answers of a call.

    Without a log nothing is ever shown as checked: the route's `no_retrieval` decides, where `reject` has let the call
    through because a search of the provider might have brought sources, and none came.
    """
    if release.verdict == "hold":
        return policy.on_fail
    if all(answer.finish == "tools" for answer in call.answers) and release.verdict == "show":
        return "not_an_answer"
    if call.retrieved is None and release.verdict == "unknown":
        return "hold" if policy.no_retrieval == "reject" else policy.no_retrieval
    if release.verdict == "unknown":
        return "unverified" if policy.on_unknown == "show" else policy.on_unknown
    return "show"


def hold_text(release: Release, policy: Policy) -> str:
    """Return the words that stand in place of a held answer."""
    return release.text or policy.profile.refusal.hold_text


def composed_refusal(call: GuardCall) -> str:
    """Write a refusal without a model: why, the closest passages by title and id, and the next step.

    It asserts nothing, and is worth 3 of 3 by this tool's own measure of refusals.
    """
    closest = _closest(call)
    if not closest:
        return (
            "The retrieval returned no documents for this question, so I have no evidence for an answer."
            " You might want to check the archive under another title."
        )
    named = " and ".join(_named(source) for source in closest)
    passage = "passage I found is" if len(closest) == 1 else "passages I found are"
    return (
        "I don't have evidence in the retrieved documents that would support an answer to this question."
        f" The closest {passage} {named}. You might want to read {'it' if len(closest) == 1 else 'them'} directly,"
        " or ask whoever keeps the documents."
    )


def _closest(call: GuardCall) -> list[Source]:
    """Return the sources whose words cover the question best, in the order of the log where they tie."""
    words = set(_WORD.findall(call.question.casefold()))
    by_id: dict[str, Source] = {}
    for source in call.retrieved or ():
        by_id.setdefault(source.source_id, source)
    ranked = sorted(
        by_id.values(),
        key=lambda source: -len(words & set(_WORD.findall(f"{source.title or ''} {source.text or ''}".casefold()))),
    )
    return ranked[:_NEAREST]


def _named(source: Source) -> str:
    title = " ".join((source.title or "").split())
    return f"{title} [{source.source_id}]" if title else f"[{source.source_id}]"


def rewrite_instruction(release: Release, call: GuardCall) -> str:
    """Write the system message of the one rewrite: what failed, which ids there are, and what to do where they are silent."""
    ids = ", ".join(source.source_id for source in call.retrieved or ())
    return (
        "Your previous answer cannot be shown: "
        f"{'; '.join(release.reasons) or 'it could not be verified'} ({', '.join(release.codes)})."
        f" Answer again. Cite only these source ids, each exactly as written: {ids or 'none'}."
        " Quote word for word. Say plainly what the documents do not answer."
    )
