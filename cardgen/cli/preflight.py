"""`cardgen preflight`: measurements of finished files against a print service."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardgen.cli._output import json_option, print_json, print_line
from cardgen.diagnostic import Diagnostic, Place, Severity, format_headline, group_alike
from cardgen.units import quantity

if TYPE_CHECKING:
    from cardgen.export.preflight import Finding, Report


@click.command("preflight")
@click.argument("subject", metavar="FILE|FOLDER|TARGET")
@click.option("--service", metavar="NAME", help="Service that the files are for, such as press or drivethru.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder that the target was exported to.  [default: output/TARGET]",
)
@json_option
@click.pass_context
def command(context: click.Context, subject: str, service: str | None, output: Path | None, as_json: bool) -> None:
    """Measure a PDF or a folder of pictures against the profile of a print service.

    Checks trim size, bleed, safe zone, type size, resolution, fonts, inks, page order, and number of cards. Exits with
    1 if the service would refuse the files. The name of a target measures what 'cardgen export TARGET' wrote.
    """
    from cardgen.target.preflight import as_data, preflight  # loaded here to keep 'cardgen --help' fast

    report, title = preflight(subject, service, output)
    if as_json:
        print_json("preflight", {"service": title, **as_data(report)})
    else:
        _print_report(report, title)
    if report.errors:
        context.exit(1)


def _print_report(report: Report, title: str) -> None:
    print_findings(report.findings)
    pages = f", {quantity(report.pages, 'page')}" if report.pages else ""
    print_line(f"{title}: {quantity(report.files, 'file')}{pages} measured, {counted(report.findings)}")


def print_findings(findings: Sequence[Finding]) -> None:
    """Print findings, those that are alike on one line."""
    for group in group_alike(findings, _diagnostic):
        line = format_headline(_diagnostic(group.finding)).removeprefix(": ")
        more = f" {group.remainder} (--json lists them)" if group.remainder else ""
        print_line(f"{line}; also {', '.join(map(str, group.next_places))}{more}" if group.other_places else line)


def counted(findings: Sequence[Finding]) -> str:
    """Return how many findings there are, such as '2 errors, 1 warning'."""
    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    found = f"{quantity(errors, 'error')}, {quantity(len(findings) - errors, 'warning')}"
    return found if findings else "no problems"


def _diagnostic(finding: Finding) -> Diagnostic:
    """Return a finding at its file, page, card, and place."""
    page = f" page {finding.page}" if finding.page else ""
    card = f" ({finding.card})" if finding.card and finding.page else ""
    box = f" at {finding.box.x:.1f}, {finding.box.y:.1f} mm" if finding.box else ""
    place = Place(f"{finding.file}{page}{card}{box}".strip())
    return Diagnostic(finding.check, finding.message, place, severity=finding.severity)
