"""GitHub workflow commands, which GitHub shows as annotations."""

from __future__ import annotations

from cardgen.checking.locate import LocatedFinding
from cardgen.checking.runner import CheckResult
from cardgen.diagnostic import Severity, escape_controls
from cardgen.units import quantity

# GitHub shows no more annotations of a severity for a step.
_MOST = 10
_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def report(result: CheckResult) -> str:
    """Return a command for each finding; the last that GitHub shows of a severity counts the others."""
    lines: list[str] = []
    for severity in Severity:
        found = [one for one in result.findings if one.diagnostic.severity is severity]
        shown = found if len(found) <= _MOST else found[: _MOST - 1]
        lines += map(_command, shown)
        if rest := len(found) - len(shown):
            text = f"{quantity(rest, f'more {severity.value}')}: the summary of the job lists them"
            lines.append(f"::{_COMMANDS[severity]} title=cardgen::{text}")
    return "".join(f"{line}\n" for line in lines)


def _command(one: LocatedFinding) -> str:
    diagnostic, span = one.diagnostic, one.diagnostic.place.span
    values: dict[str, object] = {"file": diagnostic.place.file}
    if span and not diagnostic.place.is_cell:
        values |= {"line": span.line, "endLine": span.end_line}
        if span.line == span.end_line:  # GitHub accepts columns only within a single line.
            values |= {"col": span.column, "endColumn": span.end_column}
    values["title"] = f"{diagnostic.code} {one.check.name}"
    properties = ",".join(f"{key}={_property(str(value))}" for key, value in values.items())
    message = f"{diagnostic.place.locator}: {diagnostic.message}" if diagnostic.place.locator else diagnostic.message
    text = "\n".join(filter(None, (message, *diagnostic.elsewhere, diagnostic.help)))
    return f"::{_COMMANDS[diagnostic.severity]} {properties}::{_data(text)}"


def _data(text: str) -> str:
    lines = (escape_controls(line) for line in text.split("\n"))
    return "%0A".join(line.replace("%", "%25") for line in lines)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
