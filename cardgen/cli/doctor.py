"""`cardgen doctor`: diagnoses the installation."""

from __future__ import annotations

import click


@click.command("doctor")
def command() -> int:
    """Look at what cardgen needs on this machine, and say what to do about what is missing."""
    from cardgen.pipeline.doctor import examine  # loaded here, so that 'cardgen --help' stays quick

    failures = 0
    for finding in examine():
        mark = click.style("ok  ", fg="green") if finding.ok else click.style("FAIL", fg="red", bold=True)
        click.echo(f"{mark}  {finding.name:<9} {finding.detail}")
        if not finding.ok:
            failures += 1
            click.echo(f"      {'':<9} {finding.advice}")
    return 1 if failures else 0
