"""`cardgen doctor`: diagnoses the installation."""

from __future__ import annotations

from dataclasses import asdict

import click

from cardgen.cli._output import json_option, print_json, print_line


@click.command("doctor")
@json_option
def command(as_json: bool) -> int:
    """Check that cardgen has everything it needs on this machine.

    Each line is one requirement; a failure comes with advice. A missing optional item is marked with a dash.
    """
    from cardgen.project_checks.doctor import examine  # loaded here to keep 'cardgen --help' fast

    if as_json:
        findings = [asdict(finding) for finding in examine()]
        print_json("doctor", {"ok": all(finding["ok"] for finding in findings), "requirements": findings})
        return int(any(not finding["ok"] for finding in findings))
    failures = 0
    for finding in examine():
        if finding.ok:
            mark = click.style("ok  ", fg="green")
        else:
            mark = click.style("FAIL", fg="red", bold=True) if finding.is_required else click.style("-   ", fg="yellow")
        print_line(f"  {finding.name:<9} {finding.detail}", mark=mark)
        failures += finding.is_required and not finding.ok
        if not finding.ok:
            print_line(f"      {'':<9} {finding.advice}")
    return 1 if failures else 0
