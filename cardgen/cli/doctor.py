"""`cardgen doctor`: diagnoses the installation."""

from __future__ import annotations

from dataclasses import asdict

import click

from cardgen.cli._json import json_option, print_json


@click.command("doctor")
@json_option
def command(as_json: bool) -> int:
    """Check that cardgen has everything it needs on this machine.

    Each line is one requirement; a failure comes with advice.
    """
    from cardgen.pipeline.doctor import examine  # loaded here to keep 'cardgen --help' fast

    if as_json:
        findings = [asdict(finding) for finding in examine()]
        print_json("doctor", {"ok": all(finding["ok"] for finding in findings), "requirements": findings})
        return int(any(not finding["ok"] for finding in findings))
    failures = 0
    for finding in examine():
        mark = click.style("ok  ", fg="green") if finding.ok else click.style("FAIL", fg="red", bold=True)
        click.echo(f"{mark}  {finding.name:<9} {finding.detail}")
        if not finding.ok:
            failures += 1
            click.echo(f"      {'':<9} {finding.advice}")
    return 1 if failures else 0
