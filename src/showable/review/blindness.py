"""Which records a person still has to label: what others said of these stays hidden from them."""

from __future__ import annotations

from showable.records.labels import Target
from showable.stores.labels.store import LabelStore


def hidden_from(store: LabelStore, name: str) -> frozenset[str]:
    """Return the records that may still come to a person and that they are not done with, over all queues they are in.

    Of a queue that one has begun these are all its records, until nothing of it is left to do. Of one that one has not begun
    they are the shared ones, which go to everybody; so is the hold-out. From people who said that they only settle
    (`LabelStore.settle_only`) nothing is hidden of what they have not begun.
    """
    return _hidden(store, name, settles=store.settles_only(name) is not None)


def may_settle_only(store: LabelStore, name: str) -> bool:
    """Check whether more would be shown to a person who says that they only settle."""
    return store.settles_only(name) is None and hidden_from(store, name) != _hidden(store, name, settles=True)


def _hidden(store: LabelStore, name: str, *, settles: bool) -> frozenset[str]:
    waiting: set[str] = set()
    finished: set[str] = set()
    queues = store.queues()
    for queue in queues:
        dealt = store.records_dealt(queue.name, name)
        finished |= {record for record, done in dealt if done}
        if dealt and store.place(queue.name, name).left:
            waiting |= set(store.records_of(queue.name))
        elif not dealt and not settles:
            waiting |= set(store.records_of(queue.name)[: queue.overlap])
    if not settles and all(queue.kind != "hold_out" for queue in queues):
        # pinned elsewhere, and taken in with the labels: nobody can finish it here before there is a queue of it
        waiting |= set(store.hold_out()) - store.records_labelled_by(name)
    return frozenset(waiting - finished)


def is_blind(store: LabelStore, name: str, target: Target) -> bool:
    """Check whether a word on a target is the person's own: the judge's was never shown to them, nor what others said.

    The judge's is shown with the reply to every word, so the first word alone can be blind. No word of people who only
    settle is.
    """
    if store.settles_only(name) is not None:
        return False
    return not store.has_labelled(name, target) and target.record not in store.seen_by(name)
