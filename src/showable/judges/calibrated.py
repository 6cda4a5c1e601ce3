"""A judge under a calibration: its probability is put through the map that people's labels gave it."""

from __future__ import annotations

from collections.abc import Sequence

from showable.errors import SettingError
from showable.judges.origin import origin
from showable.records.calibration import Calibration
from showable.records.evidence import Cost, Judge, Pair, Verdict
from showable.records.recalibrated import recalibrated


class CalibratedJudge:
    """Asks the wrapped judge and maps the `p` of its verdicts; `raw_p` keeps what it said itself.

    Name, prompt hash and costs are those of the wrapped judge; `calibration_label` is what a signature names. Labels
    stay as they are: what the judge calls contradicted or leaves unknown, no map makes support. Raises SettingError where
    the calibration was fitted for another judge or another prompt.
    """

    def __init__(self, judge: Judge, calibration: Calibration) -> None:
        refuse_another_judge(calibration, *origin(judge))
        self._judge, self.held = judge, calibration
        self.name, self.prompt_hash = judge.name, judge.prompt_hash
        self.calibration_label = calibration.label
        self.escalates: bool = getattr(judge, "escalates", False)

    async def verdicts(self, pairs: Sequence[Pair]) -> list[Verdict]:
        """Judge a batch: one verdict a pair, in the same order."""
        return [recalibrated(verdict, self.held.recalibration) for verdict in await self._judge.verdicts(pairs)]

    def estimate(self, pairs: Sequence[Pair]) -> Cost:
        """Return what the wrapped judge says."""
        return self._judge.estimate(pairs)

    async def aclose(self) -> None:
        """Close the wrapped judge, where it can be closed."""
        close = getattr(self._judge, "aclose", None)
        if close is not None:
            await close()


def refuse_another_judge(calibration: Calibration, judge: str, prompt: str | None) -> None:
    """Raise SettingError where a calibration was fitted for another judge, or the same under another prompt."""
    if calibration.judge != judge:
        raise SettingError(
            f"calibration {calibration.label}: was fitted for the judge {calibration.judge}, this is {judge}"
        )
    if calibration.prompt != prompt:
        said = f"was fitted under the prompt {calibration.prompt or '-'}, this is {prompt or '-'}"
        raise SettingError(f"calibration {calibration.label}: {said}; fit it anew on verdicts under this prompt")
