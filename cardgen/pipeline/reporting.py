"""From what was found to reports, on standard output and in files, and to manual pages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cardgen.check.outcome import CheckResult
from cardgen.check.reports import HUMAN_FORMATS, report
from cardgen.pipeline.checking import all_checks
from cardgen.pipeline.remembering import CheckReport, OutputText


def render_reports(
    result: CheckResult, targets: Sequence[tuple[str, Path | None]], *, statistics: bool, failed: bool
) -> CheckReport:
    """The reports that are asked for, with the last line behind those that are shown."""
    texts = [(file, report(name, result)) for name, file in targets]
    to_stderr = any(file is None and name not in HUMAN_FORMATS for name, file in targets)
    closing = [OutputText(_statistics(result), to_stderr)] if statistics else []
    printed = [OutputText(text) for file, text in texts if file is None]
    files = tuple((str(file), text) for file, text in texts if file is not None)
    return CheckReport((*printed, *closing, OutputText(f"{result.summary}\n", to_stderr)), files, failed)


def _statistics(result: CheckResult) -> str:
    rows = [f"{count:>5}  {check.code}  {check.name}" for check, count in result.statistics.items()]
    if result.not_applicable:
        rows.append(f"met nothing to look at: {', '.join(check.name for check in result.not_applicable)}")
    if result.skipped:
        rows.append(f"passed over: {', '.join(result.skipped)}")
    return "".join(f"{row}\n" for row in rows)


def explain_checks(word: str) -> str:
    """The manual pages of the checks that `word` names; all of them together are the handbook."""
    from cardgen.check.handbook import render_handbook, render_page  # loaded here, for few ask for it

    checks = all_checks().matching(word)
    return render_handbook(checks) if len(checks) == len(all_checks().checks) else "\n".join(map(render_page, checks))
