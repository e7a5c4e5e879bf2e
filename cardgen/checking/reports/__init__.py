"""Report formats, one file each, found by name; each has a `report` that takes a CheckResult."""

from __future__ import annotations

from importlib import import_module

from cardgen.checking.runner import CheckResult

FORMATS = ("full", "concise", "json", "github", "sarif", "markdown")
# What people read has the last line below it; what programs read has not.
HUMAN_FORMATS = frozenset({"full", "concise"})


def report(name: str, result: CheckResult) -> str:
    """The report in the format of that name; '' or a text that ends with a line break."""
    text: str = import_module(f"cardgen.checking.reports.{name}").report(result)
    return text
