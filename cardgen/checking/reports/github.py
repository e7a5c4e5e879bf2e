"""GitHub workflow commands, which become annotations beside the changed lines."""

from __future__ import annotations

from cardgen.checking.locate import LocatedFinding
from cardgen.checking.runner import CheckResult
from cardgen.diagnostic import Severity

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def report(result: CheckResult) -> str:
    """A command for each finding."""
    return "".join(f"{_command(one)}\n" for one in result.findings)


def _command(one: LocatedFinding) -> str:
    diagnostic, span = one.diagnostic, one.diagnostic.place.span
    values: dict[str, object] = {"file": diagnostic.place.file}
    if span:
        values |= {"line": span.line, "endLine": span.end_line}
        if span.line == span.end_line:  # GitHub takes columns within one line only.
            values |= {"col": span.column, "endColumn": span.end_column}
    values["title"] = f"{diagnostic.code} {one.check.name}"
    properties = ",".join(f"{key}={_property(str(value))}" for key, value in values.items())
    advice = f"\n{diagnostic.help}" if diagnostic.help else ""
    return f"::{_COMMANDS[diagnostic.severity]} {properties}::{_data(diagnostic.message + advice)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
