"""The table of `cardgen check --statistics`."""

from __future__ import annotations

from cardgen.checking.locate import BaselineEntry
from cardgen.checking.runner import CheckResult
from cardgen.diagnostic import escape_controls


def statistics_table(result: CheckResult) -> str:
    """Return the number of findings of each check, and what was skipped or is stale."""
    rows = [f"{count:>5}  {check.code}  {check.name}" for check, count in result.statistics.items()]
    if result.not_applicable:
        rows.append(f"had nothing to check: {', '.join(check.name for check in result.not_applicable)}")
    if result.skipped:
        rows.append(f"skipped: {', '.join(result.skipped)}")
    if result.baseline:
        rows += [f"stale in the baseline: {_stale_entry(*each)}" for each in result.baseline.stale.items()]
    return "".join(f"{row}\n" for row in rows)


def _stale_entry(entry: BaselineEntry, count: int) -> str:
    times = f" ({count:,} times)" if count > 1 else ""
    return escape_controls(f"{entry.file}: {entry.code}: {entry.message}{times}")
