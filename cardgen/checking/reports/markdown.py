"""Markdown table of findings, for job summaries and comments."""

from __future__ import annotations

import re

from cardgen.checking.runner import CheckResult, GroupedFinding

_MARKS = re.compile(r"([\\`*_{}\[\]<>|])")


def report(result: CheckResult) -> str:
    """Return the summary as a heading, and a table of findings."""
    rows = [f"| {_row(group)} |" for group in result.groups]
    table = ["", "| place | finding | check |", "|---|---|---|", *rows] if rows else []
    return "\n".join([f"### {_escaped(result.summary)}", *table]) + "\n"


def _row(group: GroupedFinding) -> str:
    one = group.finding
    diagnostic = one.diagnostic
    advice = f"<br>{_escaped(diagnostic.help)}" if diagnostic.help else ""
    what = f"**{diagnostic.severity}** {_escaped(diagnostic.message)}{advice}"
    places = [f"`{place}`" for place in (diagnostic.place, *group.next_places)]
    where = "<br>".join(filter(None, (*places, group.remainder)))
    return " | ".join((where, what, f"{diagnostic.code} {one.check.name}"))


def _escaped(text: str) -> str:
    return _MARKS.sub(r"\\\1", text)
