"""From what was found to reports, on standard output and in files, and to manual pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from cardgen.check.handbook import handbook, section
from cardgen.check.outcome import Outcome
from cardgen.check.reports import FOR_PEOPLE, report
from cardgen.export import files
from cardgen.pipeline.checking import all_checks


class Output(NamedTuple):
    """Text to be shown; `aside` is what does not belong to a report that a program reads."""

    text: str
    aside: bool = False


def write(outcome: Outcome, targets: Sequence[tuple[str, Path | None]], *, statistics: bool) -> Iterator[Output]:
    """Write the reports that go to files, and yield the others, with the last line behind them."""
    for name, file in targets:
        text = report(name, outcome)
        if file is None:
            yield Output(text)
        else:
            files.write(file, text.encode("utf-8"))
    aside = any(file is None and name not in FOR_PEOPLE for name, file in targets)
    if statistics:
        yield Output(_statistics(outcome), aside)
    yield Output(f"{outcome.summary}\n", aside)


def _statistics(outcome: Outcome) -> str:
    rows = [f"{count:>5}  {check.code}  {check.name}" for check, count in outcome.statistics.items()]
    if outcome.unmet:
        rows.append(f"met nothing to look at: {', '.join(check.name for check in outcome.unmet)}")
    if outcome.passed_over:
        rows.append(f"passed over: {', '.join(outcome.passed_over)}")
    return "".join(f"{row}\n" for row in rows)


def explain(word: str) -> str:
    """The manual pages of the checks that `word` names; all of them together are the handbook."""
    checks = all_checks().named(word)
    return handbook(checks) if len(checks) == len(all_checks().checks) else "\n".join(map(section, checks))
