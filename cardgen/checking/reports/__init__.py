"""Report formats; each module has a function `report`."""

from __future__ import annotations

from importlib import import_module

from cardgen.checking.runner import CheckResult

FORMATS = ("full", "concise", "json", "github", "sarif", "markdown", "junit", "gitlab")
# These end with the summary line; formats for programs do not.
HUMAN_FORMATS = frozenset({"full", "concise"})


def report(name: str, result: CheckResult) -> str:
    """Return the report in a format, with a final line break."""
    text: str = import_module(f"cardgen.checking.reports.{name}").report(result)
    return text
