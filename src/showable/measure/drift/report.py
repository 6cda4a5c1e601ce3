"""What a look for drift found, as it is written down: what was watched, what moved, and at which false-alarm rate."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from showable.records.wire import Many, Wire

Look = Literal["anchor", "stream", "people"]
State = Literal["alarm", "steady", "unknown"]
NOTHING_MEASURED = 3
RATES_OF_AN_ANCHOR = "tpr", "tnr"
"""What has to be known of an anchor: with one of them alone, a judge that only ever says yes, or no, would pass."""
DECIDED = "decided"
"""The share of rows that the judge decides at all: a judge that fails drifts too."""


class Level(Wire):
    """A figure of one window: its value, its interval, and the number of answers or labels it rests on.

    `events` is how many of the `n` it counts, where it is a share; `confidence` is that of the interval.
    """

    value: float
    low: float | None = None
    high: float | None = None
    n: int
    events: int | None = None
    confidence: float = 0.95


class Since(Wire):
    """Where a drift is estimated to have begun: the answer (counted from 1 in the stream), its id, its file, its time."""

    answer: int
    id: str
    source: str
    at: str | None = None


class Test(Wire):
    """The test that was made: its name, what it came to, the limit it is held against, and its share of the false alarms.

    `level` is the probability with which this test alone alarms where nothing has changed. `run_length` is the mean number
    of answers to a false alarm, were the rate before known exactly; `sees` says after how many answers a jump by so many
    points is seen with a probability of 80 % (None: not within the horizon).
    """

    __test__ = False

    name: str
    value: float
    limit: float
    level: float
    run_length: float | None = None
    sees: dict[str, int | None] = Field(default_factory=dict)


class Watched(Wire):
    """One thing watched: whether it alarms, is steady, or could not be said.

    `what` names the figure, `profile` the profile it is of, `window` what was looked at. `change` is after minus before
    with an interval. `needs` is how many more answers or labels it takes before something may be said, `reason` why not now, or what
    the alarm is about. `alarmed_at` is the answer at which it was raised, `standing` is False where a chart has come down again since it alarmed.
    """

    what: str
    profile: str
    state: State
    window: str
    before: Level | None = None
    after: Level | None = None
    change: Level | None = None
    n: int = 0
    since: Since | None = None
    test: Test | None = None
    reason: str = ""
    needs: int | None = None
    alarmed_at: int | None = None
    standing: bool = True


class Alarm(Wire):
    """What moved. `key` tells it from others, so that the same alarm is sent once."""

    what: str
    profile: str
    window: str
    before: Level
    after: Level
    n: int
    since: Since | None
    test: Test
    reason: str
    alarmed_at: int | None
    standing: bool
    key: str


class Sent(Wire):
    """What became of the webhook: alarms that were new, and whether they were delivered."""

    new: int = 0
    delivered: int = 0
    failed: int = 0
    reason: str | None = None


class DriftReport(Wire):
    """One look. `false_alarms` is the probability that any of the things watched alarms where nothing has changed.

    `family` says how that is shared among them; `about` names what was looked at.
    """

    look: Look
    about: str
    alarms: Many[Alarm]
    watched: Many[Watched]
    false_alarms: float
    family: str
    notes: Many[str] = ()
    webhook: Sent | None = None

    @classmethod
    def of(
        cls, look: Look, about: str, watched: Many[Watched], *, false_alarms: float, family: str, notes: Many[str] = ()
    ) -> DriftReport:
        """Make a report of the things watched; those that alarm are its alarms."""
        return cls(
            look=look,
            about=about,
            alarms=tuple(_alarm(look, about, one) for one in watched if one.state == "alarm"),
            watched=watched,
            false_alarms=false_alarms,
            family=family,
            notes=notes,
        )

    @property
    def place(self) -> str:
        """What the keys of its alarms begin with: the look, and of an anchor which one."""
        return _place(self.look, self.about)

    @property
    def exit_code(self) -> int:
        """1 an alarm; 0 none, and enough was measured to say so; 3 too little was.

        Of an anchor both rates are needed: that a judge still decides its rows, or still says yes where people do, says
        nothing of how it tells them apart.
        """
        if self.alarms:
            return 1
        steady = {one.what for one in self.watched if one.state == "steady"}
        enough = steady.issuperset(RATES_OF_AN_ANCHOR) if self.look == "anchor" else bool(steady)
        return 0 if enough else NOTHING_MEASURED


def _alarm(look: Look, about: str, one: Watched) -> Alarm:
    if one.before is None or one.after is None or one.test is None:
        raise AssertionError(f"{one.what}: an alarm without figures")
    rose = one.after.value >= one.before.value
    return Alarm(
        what=one.what,
        profile=one.profile,
        window=one.window,
        before=one.before,
        after=one.after,
        n=one.n,
        since=one.since,
        test=one.test,
        reason=one.reason,
        alarmed_at=one.alarmed_at,
        standing=one.standing,
        key=f"{_place(look, about)}/{one.profile}/{one.what}/{'up' if rose else 'down'}",
    )


def _place(look: Look, about: str) -> str:
    return f"anchor {about}" if look == "anchor" else look
