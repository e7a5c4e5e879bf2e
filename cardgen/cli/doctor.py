"""`cardgen doctor`: diagnoses the installation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from cardgen.pipeline.doctor import Diagnosis


@click.command("doctor")
def command() -> int:
    """Check that cardgen has everything it needs on this machine.

    Each line is one requirement; a failure comes with advice. What is optional is marked with a dash if it is missing.
    """
    from cardgen.pipeline.doctor import examine  # loaded here to keep 'cardgen --help' fast

    failures = 0
    for finding in examine():
        click.echo(f"{_mark(finding)}  {finding.name:<9} {finding.detail}")
        failures += finding.is_required and not finding.ok
        if not finding.ok:
            click.echo(f"      {'':<9} {finding.advice}")
    return 1 if failures else 0


def _mark(finding: Diagnosis) -> str:
    if finding.ok:
        return click.style("ok  ", fg="green")
    return click.style("FAIL", fg="red", bold=True) if finding.is_required else click.style("-   ", fg="yellow")
