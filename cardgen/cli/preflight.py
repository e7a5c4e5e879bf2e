"""`cardgen preflight`: measurements of finished files against a print service."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardgen.cli._json import json_option, print_json
from cardgen.cli._terminal import print_line

if TYPE_CHECKING:
    from cardgen.export.preflight.findings import Finding, Report


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
    from cardgen.target.preflight import preflight  # loaded here to keep 'cardgen --help' fast

    report, title = preflight(subject, service, output)
    if as_json:
        print_json("preflight", {"service": title, **_as_data(report)})
    else:
        _print_report(report, title)
    if report.errors:
        context.exit(1)


def _as_data(report: Report) -> dict[str, object]:
    findings = [
        {**finding._asdict(), "box": finding.box._asdict() if finding.box else None} for finding in report.findings
    ]
    return {"files": report.files, "pages": report.pages, "errors": report.errors, "findings": findings}


def _print_report(report: Report, title: str) -> None:
    for finding in report.findings:
        print_line(f"{_place(finding)}{finding.severity}[{finding.check}]: {finding.message}")
    pages = f", {_count(report.pages, 'page')}" if report.pages else ""
    warnings = len(report.findings) - report.errors
    found = f"{_count(report.errors, 'error')}, {_count(warnings, 'warning')}" if report.findings else "no problems"
    print_line(f"{title}: {_count(report.files, 'file')}{pages} measured, {found}")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _place(finding: Finding) -> str:
    """Return the file, page, card, and place of a finding."""
    page = f" page {finding.page}" if finding.page else ""
    card = f" ({finding.card})" if finding.card and finding.page else ""
    place = f" at {finding.box.x:.1f}, {finding.box.y:.1f} mm" if finding.box else ""
    where = f"{finding.file}{page}{card}{place}".strip()
    return f"{where}: " if where else ""
