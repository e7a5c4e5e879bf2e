"""Markdown table of findings, for job summaries and comments."""

from __future__ import annotations

import re

from cardgen.checking.runner import CheckResult, GroupedFinding
from cardgen.diagnostic import escape_controls

_MARKS = re.compile(r"([\\`*_{}\[\]<>|&#!~])")
_BACKTICKS = re.compile("`+")


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
    places = [_code(str(place)) for place in (diagnostic.place, *group.next_places)]
    where = "<br>".join(filter(None, (*places, group.remainder)))
    return " | ".join((where, what, f"{diagnostic.code} {one.check.name}"))


def _escaped(text: str) -> str:
    """Return text that is shown as written; a name after '@' does not notify anybody."""
    return _MARKS.sub(r"\\\1", escape_controls(text)).replace("@", "@<!-- -->")


def _code(text: str) -> str:
    """Return a code span in a table; more backticks around it than any within it end it nowhere else."""
    fence = "`" * (1 + max(map(len, _BACKTICKS.findall(text)), default=0))
    space = " " if text[:1] == "`" or text[-1:] == "`" else ""
    return f"{fence}{space}{text}{space}{fence}".replace("|", "\\|")
