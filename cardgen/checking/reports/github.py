"""GitHub workflow commands, which GitHub shows as annotations."""

from __future__ import annotations

from cardgen.checking.runner import CheckResult, GroupedFinding
from cardgen.diagnostic import Severity, escape_controls

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def report(result: CheckResult) -> str:
    """Return a command for each finding."""
    return "".join(f"{_command(group)}\n" for group in result.groups)


def _command(group: GroupedFinding) -> str:
    one = group.finding
    diagnostic, span = one.diagnostic, one.diagnostic.place.span
    values: dict[str, object] = {"file": diagnostic.place.file}
    if span and not diagnostic.place.is_cell:
        values |= {"line": span.line, "endLine": span.end_line}
        if span.line == span.end_line:  # GitHub accepts columns only within a single line.
            values |= {"col": span.column, "endColumn": span.end_column}
    values["title"] = f"{diagnostic.code} {one.check.name}"
    properties = ",".join(f"{key}={_property(str(value))}" for key, value in values.items())
    message = f"{diagnostic.place.locator}: {diagnostic.message}" if diagnostic.place.locator else diagnostic.message
    text = "\n".join(filter(None, (message, diagnostic.help, group.also)))
    return f"::{_COMMANDS[diagnostic.severity]} {properties}::{_data(text)}"


def _data(text: str) -> str:
    lines = (escape_controls(line) for line in text.split("\n"))
    return "%0A".join(line.replace("%", "%25") for line in lines)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
