"""From what was found to reports, on standard output and in files, and to manual pages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cardgen.check.outcome import Outcome
from cardgen.check.reports import FOR_PEOPLE, report
from cardgen.pipeline.checking import all_checks
from cardgen.pipeline.remembering import Output, Report


def write(outcome: Outcome, targets: Sequence[tuple[str, Path | None]], *, statistics: bool, failed: bool) -> Report:
    """The reports that are asked for, with the last line behind those that are shown."""
    texts = [(file, report(name, outcome)) for name, file in targets]
    aside = any(file is None and name not in FOR_PEOPLE for name, file in targets)
    ending = [Output(_statistics(outcome), aside)] if statistics else []
    shown = [Output(text) for file, text in texts if file is None]
    kept = tuple((str(file), text) for file, text in texts if file is not None)
    return Report((*shown, *ending, Output(f"{outcome.summary}\n", aside)), kept, failed)


def _statistics(outcome: Outcome) -> str:
    rows = [f"{count:>5}  {check.code}  {check.name}" for check, count in outcome.statistics.items()]
    if outcome.unmet:
        rows.append(f"met nothing to look at: {', '.join(check.name for check in outcome.unmet)}")
    if outcome.passed_over:
        rows.append(f"passed over: {', '.join(outcome.passed_over)}")
    return "".join(f"{row}\n" for row in rows)


def explain(word: str) -> str:
    """The manual pages of the checks that `word` names; all of them together are the handbook."""
    from cardgen.check.handbook import handbook, section  # loaded here, for few ask for it

    checks = all_checks().named(word)
    return handbook(checks) if len(checks) == len(all_checks().checks) else "\n".join(map(section, checks))
