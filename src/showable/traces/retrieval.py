"""The retrieval log of an answer in a trace, and apart from it what reached the model.

The log is the union by source id, in the order of first appearance, of all documents of the retrievals that went before the answer: of
retrievers, vector stores and tools that bring documents, and of what rerankers got and gave. Several passages of one id are one source whose text is
theirs joined by a blank line, as they are read together anyway. Of a conversation's earlier turns the log holds what the model was given again;
all of it where the turn retrieved nothing by itself.

What of it was shown to the model, and in which order, is told by `shown_order`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from showable.records.record import Source
from showable.records.traced import Loss
from showable.traces.answering import Answering
from showable.traces.preceding import opening, preceding
from showable.traces.sayings import sources_of
from showable.traces.shown_names import renamed, shown_names
from showable.traces.shown_order import Listed, Passage, listed_by_steps, passages_of, shown_order
from showable.traces.text_values import squeezed
from showable.traces.tree import Step, Tree

Texts = Callable[[Collection[str]], Mapping[str, str]]
"""Gives the passages that are known among ids."""
_SHORT = frozenset({"cut", "gap", "too_deep", "empty_document", "unreadable"})
_SHORT_WORDS = (
    "attributes were dropped by the sender",
    ": cut at ",
    "levels, cut there",
    "more problems of the same span",
)
"""What is wrong with a span that may have lost documents: codes of its reading, words of its coming."""
_READ = ("input", "prompt", "message")
"""Parts of the names of attributes that hold what a model was given to read."""
_UNREAD = frozenset({"parts", "content_not_recorded"})
"""What is wrong with a span whose messages hold more than was read."""
_COMPARED = 20
"""Passages of one id that another is compared with, to see whether one is cut from the other."""


@dataclass(frozen=True, slots=True)
class Log:
    """What was retrieved (None: not known), what was shown, what the trace did not say, and the retrievals that it is made of.

    `doubt` says why an id that the log does not hold may have been retrieved all the same; "" where it may not. `listed` are the ids of
    the passages that may have been shown, one a passage, where `shown` is not known.
    """

    retrieved: tuple[Source, ...] | None
    shown: tuple[str, ...] | None
    steps: Sequence[Step]
    prompt: str
    losses: Sequence[Loss]
    doubt: str = ""
    listed: tuple[str, ...] = ()


def log_of(answering: Answering, tree: Tree, texts: Texts | None = None, *, complete: bool = True) -> Log:
    """Put the log of an answer together; passages that came without text are asked of `texts`. `complete`: the trace was seen to its end."""
    before = preceding(answering, tree)
    losses = list(before.losses)
    steps, again = list(before.steps), _given_again(before.earlier, before.prompt)
    if not steps and before.earlier:
        steps = list(before.earlier)
        losses.append(Loss("earlier_turns", "this turn retrieved nothing: the log is that of the turns before it"))
    elif again:
        losses.append(Loss("earlier_turns", "passages of earlier turns that the model was given again are in the log"))
    if not steps:
        words = "the trace has no retrieval before the answer: what was retrieved is not known"
        return Log(None, None, (), before.prompt, (*losses, Loss("no_retrieval_span", words)))
    same = _same_text(steps) | shown_names(steps, before.prompt)
    union = _Union(same)
    for step in steps:
        union.add(sources_of(step))
    mute = [step for step in steps if step.facts.kind != "TOOL" and not _says(step)]
    silent = [step for step in mute if step.span.status != "error"]
    listed = _unordered(listed_by_steps(_outermost(steps, tree), union.id_of), silent)
    union.add(again)
    losses += union.losses()
    if silent:
        losses.append(Loss("documents_missing", "a retrieval does not say which documents it found"))
    if len(silent) < len(mute):
        losses.append(Loss("retrieval_failed", "a retrieval failed, and was taken to have found nothing"))
    hashed = [step for step in steps if step.facts.hashed and any(s.source_id not in same for s in sources_of(step))]
    if any(named in same for step in steps for named in (s.source_id for s in sources_of(step))):
        losses += renamed(steps, same)
    if hashed:
        losses.append(Loss("hashed_ids", "documents came without ids: theirs are made from their content"))
    sources = _with_texts(union.sources(), texts, losses)
    doubt = _doubt(steps, hashed, silent, tree, complete=complete)
    if (
        doubt and not sources
    ):  # no passage of a log that may have had some: not known, rather than that nothing was found
        return Log(None, None, steps, before.prompt, losses)
    shown = _shown(union.with_words(listed, sources), passages_of(again, union.id_of), before.prompt, answering)
    return Log(sources, shown, steps, before.prompt, losses, doubt, () if shown is not None else listed.ids)


def _shown(listed: Listed, again: Sequence[Passage], prompt: str, answering: Answering) -> tuple[str, ...] | None:
    """Return the order in which the passages were shown, as far as the prompt was recorded."""
    asked = (answering.step, *answering.twins)
    unread = any(code in _UNREAD for step in asked for code, _ in step.facts.problems)
    whole = not unread and not any(came_short(step, _READ) for step in asked)
    return shown_order(listed, again, prompt, whole=whole)


def _unordered(listed: Listed, silent: Sequence[Step]) -> Listed:
    """Return passages without their order where a reranker went over them that does not say what it made of it."""
    reranked = any(step.facts.kind == "RERANKER" for step in silent)
    return replace(listed, ordered=False) if reranked and len(listed.passages) > 1 else listed


def _says(step: Step) -> bool:
    facts = step.facts
    return not (facts.documents is None and facts.rerank_input is None and facts.reranked is None)


def _doubt(steps: Sequence[Step], hashed: Sequence[Step], silent: Sequence[Step], tree: Tree, *, complete: bool) -> str:
    """Return why the log may hold less than was retrieved.

    Of a trace seen to its end whose root came, spans may have been filtered out on the way, but what was sent is there.
    """
    if hashed:
        return "the trace logged documents without their ids"
    if silent:
        return "a retrieval of the trace does not say which documents it found"
    if any(came_short(step) for step in steps):
        return "a retrieval of the trace came cut, or without some of its attributes"
    rooted = any(not step.span.parent_id for step in tree.tops)
    return "parts of the trace never came" if tree.broken_apart and not (complete and rooted) else ""


def came_short(step: Step, of: Sequence[str] = ()) -> bool:
    """Check whether some of a span was lost on the way: JSON cut at a size limit, attributes beyond a count.

    `of` are words of the attributes that matter, all of them without any; which attributes were dropped altogether nothing says.
    """
    read = (words for code, words in step.facts.problems if code in _SHORT)
    came = [problem for problem in step.span.problems if any(words in problem for words in _SHORT_WORDS)]
    unnamed = any('attribute "' not in problem for problem in came)
    return unnamed or any(not of or any(name in words for name in of) for words in (*read, *came))


def _given_again(earlier: Sequence[Step], prompt: str) -> list[Source]:
    """Return the passages of earlier turns whose words stand in what the model was given."""
    found = (source for step in earlier for source in sources_of(step))
    return [source for source in found if (start := opening(source.text)) and start in prompt]


def _outermost(steps: Sequence[Step], tree: Tree) -> list[Step]:
    """Leave out retrievals that are part of another, as a vector store's span is of its retriever's."""
    having = {step.id for step in steps if _says(step)}
    inside = tree.inside(step for step in steps if step.id in having)
    return [step for step in steps if step.id in having and step.id not in inside]


def _same_text(steps: Sequence[Step]) -> dict[str, str]:
    """Map ids that were made from content to the ids that the same content has in another span."""
    if not any(step.facts.hashed for step in steps):
        return {}
    named = {
        squeezed(s.text): s.source_id for step in steps if not step.facts.hashed for s in sources_of(step) if s.text
    }
    made = (source for step in steps if step.facts.hashed for source in sources_of(step))
    return {s.source_id: named[squeezed(s.text)] for s in made if s.text and squeezed(s.text) in named}


class _Union:
    """Sources by id, in the order of first appearance, each with its passages."""

    def __init__(self, same: Mapping[str, str]) -> None:
        self.same = same
        self.found: dict[str, Source] = {}
        self.passages: dict[str, dict[str, str]] = {}
        self.several_pages: set[str] = set()

    def id_of(self, source: Source) -> str:
        return self.same.get(source.source_id, source.source_id)

    def add(self, sources: Iterable[Source]) -> None:
        for source in sources:
            named = self.id_of(source)
            known = self.found.get(named)
            if known is None:
                self.found[named] = (
                    source if named == source.source_id else source.model_copy(update={"source_id": named})
                )
            elif known is not source:
                self._add_to(known, source)

    def _add_to(self, known: Source, other: Source) -> None:
        changed: dict[str, object] = {
            name: value
            for name in ("text", "title", "page", "url", "doi", "score")
            if getattr(known, name) is None and (value := getattr(other, name)) is not None
        }
        if known.text and other.text and known.text != other.text:
            passages = self.passages.setdefault(known.source_id, {squeezed(known.text): known.text})
            plain = squeezed(other.text)
            if plain not in passages and not any(plain in each for each in islice(passages, _COMPARED)):
                for part in [each for each in islice(passages, _COMPARED) if each in plain]:
                    del passages[part]
                passages[plain] = other.text
        if known.page is not None and other.page is not None and known.page != other.page:
            self.several_pages.add(known.source_id)
        if known.source_id in self.several_pages:
            changed["page"] = None
        if changed:
            self.found[known.source_id] = known.model_copy(update=changed)

    def sources(self) -> list[Source]:
        """Return each source with all of its passages, one below the other."""
        joined = {named: "\n\n".join(passages.values()) for named, passages in self.passages.items()}
        return [s.model_copy(update={"text": joined[i]}) if i in joined else s for i, s in self.found.items()]

    def with_words(self, listed: Listed, sources: Iterable[Source]) -> Listed:
        """Put words to passages that were listed by id alone, where the id has one passage."""
        words = {s.source_id: squeezed(s.text) for s in sources if s.text and s.source_id not in self.passages}
        times = Counter(listed.ids)
        passages = [
            replace(each, plain=words.get(each.named)) if each.plain is None and times[each.named] == 1 else each
            for each in listed.passages
        ]
        return replace(listed, passages=passages)

    def losses(self) -> list[Loss]:
        n = sum(len(passages) > 1 for passages in self.passages.values())
        if not n:
            return []
        counted = "a document has several texts" if n == 1 else f"{n} documents have several texts"
        return [Loss("texts_differ", f"{counted} under one id: they are read together")]


def _with_texts(sources: Sequence[Source], texts: Texts | None, losses: list[Loss]) -> tuple[Source, ...]:
    wanting = [source.source_id for source in sources if not source.text]
    if not wanting:
        return tuple(sources)
    known = texts(wanting) if texts is not None else {}
    filled = tuple(
        source.model_copy(update={"text": known[source.source_id]})
        if not source.text and source.source_id in known
        else source
        for source in sources
    )
    left = sum(not source.text for source in filled)
    if left:
        counted = "a document has no text" if left == 1 else f"{left} documents have no text"
        losses.append(Loss("texts_missing", f"{counted} in the trace, and no passage is kept under the id"))
    return filled
