"""The templates that pages are made of: all text is escaped, and a name that nobody gave is an error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined


def page_templates(folder: str = "templates", **filters: Callable[..., Any]) -> Environment:
    """Open the templates of a folder of this package, with the `filters` that they use."""
    environment = Environment(
        loader=PackageLoader("showable.report", folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(filters)
    return environment
