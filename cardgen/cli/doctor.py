"""`cardgen doctor`: diagnoses the installation."""

from __future__ import annotations

import click


@click.command("doctor")
def command() -> int:
    """Check that cardgen has everything it needs on this machine.

    Each line is one requirement; a failure comes with advice.
    """
    from cardgen.pipeline.doctor import examine  # loaded here to keep 'cardgen --help' fast

    failures = 0
    for finding in examine():
        mark = click.style("ok  ", fg="green") if finding.ok else click.style("FAIL", fg="red", bold=True)
        click.echo(f"{mark}  {finding.name:<9} {finding.detail}")
        if not finding.ok:
            failures += 1
            click.echo(f"      {'':<9} {finding.advice}")
    return 1 if failures else 0
