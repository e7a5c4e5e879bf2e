"""Diagnostics on standard error."""

from __future__ import annotations

from cardgen.cli._terminal import print_line, print_styled
from cardgen.diagnostic import CardgenError, format_diagnostic


def show_errors(error: CardgenError) -> None:
    """Show each diagnostic with its source line, then their number."""
    for diagnostic in error.diagnostics:
        print_styled(format_diagnostic(diagnostic, color=True) + "\n\n", err=True)
    number = len(error.diagnostics)
    count = "1 problem" if number == 1 else f"{number} problems"
    print_line(f"{count}; nothing was written", err=True)
