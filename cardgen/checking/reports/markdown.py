"""Markdown table of findings, for job summaries and comments."""

from __future__ import annotations

from cardgen.checking.runner import CheckResult, GroupedFinding
from cardgen.runtime import escapes as markdown


def report(result: CheckResult) -> str:
    """Return the summary as a heading, and a table of findings."""
    rows = [f"| {_row(group)} |" for group in result.groups]
    table = ["", "| place | finding | check |", "|---|---|---|", *rows] if rows else []
    return "\n".join([f"### {result.summary}", *table]) + "\n"


def _row(group: GroupedFinding) -> str:
    one = group.finding
    diagnostic = one.diagnostic
    lines = filter(None, (*diagnostic.elsewhere, diagnostic.help))
    advice = "".join(f"<br>{markdown.escape_markdown(each)}" for each in lines)
    what = f"**{diagnostic.severity}** {markdown.escape_markdown(diagnostic.message)}{advice}"
    places = [markdown.code_span(str(place)).replace("|", "\\|") for place in (diagnostic.place, *group.next_places)]
    where = "<br>".join(filter(None, (*places, group.remainder)))
    return " | ".join((where, what, f"{diagnostic.code} {one.check.name}"))
