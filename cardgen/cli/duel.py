"""`cardgen duel`: exact odds of two fighters over some turns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cardgen.cli._options import cards_and_rules_options, run_options, run_trial, trial_command


@click.command("duel", cls=trial_command("duel", "a", "b"))
@click.argument("a")
@click.argument("b")
@click.option("--roll", "reading", flag_value="roll", help="Roll one duel, and write its transcript.")
@run_options
@cards_and_rules_options
def command(a: str, b: str, rulings: Any, policy: Any, paths: tuple[Path, ...], **options: Any) -> None:
    """Compute the exact odds of A against B, for both turn orders.

    The result contains the chances to win and to be eliminated, the distribution of VP, and the effect of each ruling
    with another setting.
    """
    run_trial("duel", {"a": a, "b": b}, (rulings, policy, paths), options, default_mode="duel")
