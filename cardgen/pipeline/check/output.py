"""What check runs print: reports, and the manual pages of checks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cardgen.checking.reports import HUMAN_FORMATS, report
from cardgen.checking.reports.statistics import statistics_table
from cardgen.checking.runner import CheckResult
from cardgen.pipeline.cache.check_reports import CheckReport, OutputText
from cardgen.pipeline.check.registries import all_checks


def render_reports(result: CheckResult, targets: Sequence[tuple[str, Path | None]], *, statistics: bool) -> CheckReport:
    """Render the requested reports, and the summary after those that are printed.

    Printed reports for people are colored, which whoever prints them may strip.
    """
    texts = [(file, report(name, result, color=file is None)) for name, file in targets]
    to_stderr = any(file is None and name not in HUMAN_FORMATS for name, file in targets)
    closing = [OutputText(statistics_table(result), to_stderr)] if statistics else []
    printed = [OutputText(text) for file, text in texts if file is None]
    files = tuple((str(file), text) for file, text in texts if file is not None)
    return CheckReport((*printed, *closing, OutputText(f"{result.summary}\n", to_stderr)), files, result.failed)


def explain_checks(word: str) -> str:
    """Return the manual pages of matching checks; for all, the handbook."""
    from cardgen.checking.check import render_handbook, render_page  # loaded here because it is rarely needed

    checks = all_checks().matching(word)
    return render_handbook(checks) if len(checks) == len(all_checks().checks) else "\n".join(map(render_page, checks))
