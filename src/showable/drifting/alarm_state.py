"""Which alarms have been sent, kept in a small file, so that a nightly job does not repeat itself."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from pydantic import Field, ValidationError

from showable.errors import InputError, SettingError
from showable.measure.drift.report import Alarm, DriftReport
from showable.records.lines import explain
from showable.records.wire import Wire
from showable.stores.run_folder import replace_text


class AlarmState(Wire):
    """When each alarm was sent, by its key. One that is no longer raised is forgotten, so that it is sent when it comes back."""

    sent: dict[str, str] = Field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> AlarmState:
        """Read the file; an empty state where there is none. Raises InputError where it cannot be read."""
        try:
            return cls.model_validate_json(path.read_bytes())
        except FileNotFoundError:
            return cls()
        except OSError as error:
            raise InputError(error.strerror or str(error), path=str(path)) from None
        except ValidationError as error:
            field, said = explain(error)
            raise InputError(f"no state of alarms: {said}", path=str(path), field=field) from None

    def new(self, alarms: Sequence[Alarm]) -> list[Alarm]:
        """Return the alarms that were not sent."""
        return [alarm for alarm in alarms if alarm.key not in self.sent]

    def after(self, report: DriftReport, delivered: Sequence[Alarm]) -> AlarmState:
        """Return the state after a look: what was delivered is in it, what a thing watched no longer raises is not.

        A thing that could not be measured keeps its alarm: silence is no all-clear.
        """
        raised = {alarm.key for alarm in report.alarms}
        measured = {(one.profile, one.what) for one in report.watched if one.state != "unknown"}
        kept = {key: at for key, at in self.sent.items() if key in raised or not _is_over(key, report, measured)}
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return AlarmState(sent=dict(sorted((kept | {alarm.key: now for alarm in delivered}).items())))

    def write(self, path: Path) -> None:
        """Write the file in one step. Raises SettingError where it cannot be written."""
        try:
            replace_text(path, self.model_dump_json(indent=2) + "\n")
        except OSError as error:
            raise SettingError(f"{path}: cannot be written: {error.strerror or error}") from None


def _is_over(key: str, report: DriftReport, measured: set[tuple[str, str]]) -> bool:
    """Check whether an alarm sent before is of this look, and of a thing that was measured now."""
    return any(key.startswith(f"{report.place}/{profile}/{what}/") for profile, what in measured)
