"""`cardgen doctor`: is everything there that cardgen needs?"""

from __future__ import annotations

import click


@click.command("doctor")
def command() -> int:
    """Look at what cardgen needs on this machine, and say what to do about what is missing."""
    from cardgen.pipeline.doctor import examine  # loaded here, so that 'cardgen --help' stays quick

    ill = 0
    for finding in examine():
        mark = click.style("ok  ", fg="green") if finding.well else click.style("FAIL", fg="red", bold=True)
        click.echo(f"{mark}  {finding.name:<9} {finding.detail}")
        if not finding.well:
            ill += 1
            click.echo(f"      {'':<9} {finding.advice}")
    return 1 if ill else 0
