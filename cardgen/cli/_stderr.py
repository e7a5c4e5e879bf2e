"""Diagnostics on standard error."""

from __future__ import annotations

import click

from cardgen.diagnostic import CardgenError, format_diagnostic


def show_errors(error: CardgenError) -> None:
    """Show each diagnostic with its source line, then their number."""
    for diagnostic in error.diagnostics:
        click.echo(format_diagnostic(diagnostic, color=True) + "\n", err=True)
    number = len(error.diagnostics)
    count = "1 problem" if number == 1 else f"{number} problems"
    click.echo(f"{count}; nothing was written", err=True)
