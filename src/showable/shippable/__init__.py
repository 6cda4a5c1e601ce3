"""May this answer be shown? Raises where it may not, with claim, passage and cause, so that a test can say it in one line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, get_args

from showable.api import as_record, score
from showable.errors import SettingError
from showable.records.evidence import Judge
from showable.records.lookups import Registries
from showable.records.profile import Profile
from showable.records.record import Record
from showable.records.scorecard import Cause, Scorecard
from showable.records.signature import Thresholds
from showable.rubrics.release import ACCEPTABLE

if TYPE_CHECKING:
    from showable.shippable.decide import Shortfall

_CAUSES: tuple[str, ...] = get_args(Cause)
SCORED = "a Record, a mapping or a Scorecard"


class NotShippableError(AssertionError):
    """An answer that may not be shown. `scorecard` holds what was found, `record` the answer where it was at hand.

    `undecided` is True where it may turn out to be fit to be shown, and what would be needed could not be checked; where
    a bucket is `unknown` between two of which neither may be shown, it is False.
    """

    def __init__(self, shortfall: Shortfall, scorecard: Scorecard, record: Record | None = None) -> None:
        from showable.shippable.message import compose  # noqa: PLC0415 - words are looked for only when it fails

        self.scorecard, self.record, self.undecided = scorecard, record, shortfall.undecided
        self.headline = shortfall.headline
        super().__init__(compose(shortfall, scorecard, record))


def assert_shippable(
    record: Record | Mapping[str, Any] | Scorecard,
    *,
    judge: Judge | str | None = None,
    profile: Profile | str | None = None,
    thresholds: Thresholds | float | None = None,
    registries: Registries | None = None,
    allow: Iterable[str] = ("correct", "refused"),
    forbid_causes: Iterable[str] = (),
) -> Scorecard:
    """Score a record and give its scorecard, or raise NotShippableError (an AssertionError) that shows what is wrong.

    An answer is shippable where its bucket is one of `allow`, its cause none of `forbid_causes` (such as
    ``over_refusal``), and its profile does not hold it back. An `unknown` is not: it was not checked. `judge`,
    `profile`, `thresholds` and `registries` are those of `score`; a Scorecard was made with its own, and takes none.
    Raises InputError where `record` is a mapping that is not a record, SettingError for names that there are not.
    """
    __tracebackhide__ = True
    if isinstance(record, Scorecard):
        given = {"judge": judge, "profile": profile, "thresholds": thresholds, "registries": registries}
        if named := [name for name, value in given.items() if value is not None]:
            raise SettingError(f"a Scorecard is graded already: {', '.join(named)} would change nothing")
        return require(record, None, allow=allow, forbid_causes=forbid_causes)
    rules = check_names(allow, forbid_causes)  # before the judge is put to work
    whole = as_record(record, expected=SCORED)
    # In a thread of its own: whatever loop the caller is in (asyncio's, trio's, none), the judge finds asyncio's alone.
    with ThreadPoolExecutor(max_workers=1) as pool:
        scored = pool.submit(
            score, whole, judge=judge, profile=profile, thresholds=thresholds, registries=registries
        ).result()
    return require(scored, whole, allow=rules[0], forbid_causes=rules[1])


def require(
    card: Scorecard, record: Record | None, *, allow: Iterable[str], forbid_causes: Iterable[str] = ()
) -> Scorecard:
    """Return back a scorecard that is shippable; raise NotShippableError, with the passages of `record`, for any other."""
    from showable.shippable.decide import find_shortfall  # noqa: PLC0415 - it imports the rubrics

    __tracebackhide__ = True
    buckets, causes = check_names(allow, forbid_causes)
    shortfall = find_shortfall(card, buckets, causes)
    if shortfall is not None:
        raise NotShippableError(shortfall, card, record)
    return card


def check_names(allow: Iterable[str], forbid_causes: Iterable[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return what is allowed and what is forbidden as sets. Raises SettingError for a name that cannot stand there."""
    __tracebackhide__ = True
    buckets = frozenset([allow] if isinstance(allow, str) else allow)
    causes = frozenset([forbid_causes] if isinstance(forbid_causes, str) else forbid_causes)
    if not buckets or not buckets <= ACCEPTABLE:
        raise SettingError(f"allow: expected correct, refused or both, got {sorted(buckets)}: no other may be shown")
    if strange := sorted(causes.difference(_CAUSES)):
        raise SettingError(f"forbid_causes: {strange[0]!r} is none of {', '.join(_CAUSES)}")
    return buckets, causes
