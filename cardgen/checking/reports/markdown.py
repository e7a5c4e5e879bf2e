"""Markdown table of findings, for job summaries and comments."""

from __future__ import annotations

import re

from cardgen.checking.locate import LocatedFinding
from cardgen.checking.runner import CheckResult

_MARKS = re.compile(r"([\\`*_{}\[\]<>|])")


def report(result: CheckResult) -> str:
    """The last line as a heading, and a row for each finding."""
    rows = [f"| {_row(one)} |" for one in result.findings]
    table = ["", "| where | what | check |", "|---|---|---|", *rows] if rows else []
    return "\n".join([f"### {_escaped(result.summary)}", *table]) + "\n"


def _row(one: LocatedFinding) -> str:
    diagnostic = one.diagnostic
    advice = f"<br>{_escaped(diagnostic.help)}" if diagnostic.help else ""
    what = f"**{diagnostic.severity}** {_escaped(diagnostic.message)}{advice}"
    return " | ".join((f"`{diagnostic.place}`", what, f"{diagnostic.code} {one.check.name}"))


def _escaped(text: str) -> str:
    return _MARKS.sub(r"\\\1", text)
