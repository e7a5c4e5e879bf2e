"""Diagnostics on standard error."""

from __future__ import annotations

import click

from cardgen.cli._json import offers_json
from cardgen.cli._terminal import print_line, print_styled
from cardgen.diagnostic import CardgenError, format_group, group_alike
from cardgen.quantity import quantity


def show_errors(error: CardgenError, context: click.Context) -> None:
    """Show the diagnostics with their source lines, those that are alike once, then their number."""
    groups = group_alike(error.diagnostics, lambda each: each)
    lists_all = "--json" if offers_json(context) else ""
    for group in groups:
        print_styled(format_group(group.finding, group, color=True, lists_all=lists_all) + "\n\n", err=True)
    count = quantity(len(groups), "problem")
    places = f" (in {len(error.diagnostics):,} places)" if len(groups) < len(error.diagnostics) else ""
    print_line(f"{count}{places}; nothing was written", err=True)
