"""Scorers and metrics for the tools that teams already run: `inspect_ai`, `mlflow`, `deepeval`, `ragas`.

Each module is imported by itself and needs its own package; importing `showable.adapters` imports none of them.
All say what `showable.score` says of the same record: a bucket with its cause, and never a number in place of
what could not be checked.
"""

from __future__ import annotations

from showable.errors import SettingError


def unusable(title: str, package: str, error: ImportError) -> SettingError:
    """Make the error for a package that is not there, or that is there and cannot be imported."""
    module = package.replace("-", "_")
    if error.name is not None and error.name.partition(".")[0] == module:
        return SettingError(f"showable's adapter for {title} needs {package}: pip install {package}")
    return SettingError(f"showable's adapter for {title}: {package} is installed but cannot be imported: {error}")
