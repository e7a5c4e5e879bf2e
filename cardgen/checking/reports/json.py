"""JSON report for programs, with every place of every finding."""

from __future__ import annotations

from typing import Any

from cardgen.checking.locate import BaselineMatch, LocatedFinding
from cardgen.checking.runner import CheckResult
from cardgen.diagnostic import Place
from cardgen.runtime.escapes import dump_json

VERSION = 1


def report(result: CheckResult) -> str:
    """Return an object with findings and counts; lines and columns are 1-based."""
    data = {
        "version": VERSION,
        "command": "check",
        "findings": [_finding(one) for one in result.findings],
        "files": len(result.files),
        "cards": result.cards,
        "checks": len(result.checks),
        "unmet": [check.code for check in result.not_applicable],
        "passed_over": list(result.skipped),
        "unread_texts": result.unread,
        "fixed": result.fix_count,
        "fixed_files": list(result.fixed_files),
        "baseline": _baseline(result.baseline) if result.baseline else None,
        "since": {"release": result.since, "findings": result.older} if result.since else None,
    }
    return dump_json(data)


def _baseline(match: BaselineMatch) -> dict[str, Any]:
    return {
        "file": match.file,
        "findings": match.left_out,
        "stale": [entry.as_data(count) for entry, count in match.stale.items()],
    }


def _finding(one: LocatedFinding) -> dict[str, Any]:
    diagnostic = one.diagnostic
    return {
        "code": diagnostic.code,
        "name": one.check.name,
        "severity": diagnostic.severity.value,
        "confidence": one.check.confidence.value,
        "message": diagnostic.message,
        "help": diagnostic.help,
        **place(diagnostic.place),
        "related": [{"message": word, **place(where)} for where, word in diagnostic.related],
        "fix": {"text": one.fix.text, "safe": one.fix.safe} if one.fix else None,
    }


def place(where: Place) -> dict[str, Any]:
    """Return a place as plain data; whole files have no lines, and only tables have locators."""
    span = where.span
    locator = {"locator": where.locator} if where.locator else {}
    if span is None:
        return {"file": where.file, **locator}
    ends = {"end_line": span.end_line, "end_column": span.end_column}
    return {"file": where.file, "line": span.line, "column": span.column, **ends, **locator}
