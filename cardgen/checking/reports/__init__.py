"""Report formats, one module each, with a `report` function that takes a CheckResult."""

from __future__ import annotations

from importlib import import_module

from cardgen.checking.runner import CheckResult

FORMATS = ("full", "concise", "json", "github", "sarif", "markdown")
# These end with the summary line; formats for programs do not.
HUMAN_FORMATS = frozenset({"full", "concise"})


def report(name: str, result: CheckResult) -> str:
    """Return the report in a format: '' or text that ends with a line break."""
    text: str = import_module(f"cardgen.checking.reports.{name}").report(result)
    return text
