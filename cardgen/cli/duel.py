"""`cardgen duel`: two fighters, some turns, exact chances."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cardgen.cli._situation import derived, judge, readings, switches


@click.command("duel", cls=derived("duel", "a", "b"))
@click.argument("a")
@click.argument("b")
@click.option("--roll", "reading", flag_value="roll", help="Roll one duel and write its transcript.")
@readings
@switches
def command(a: str, b: str, rulings: Any, policy: Any, paths: tuple[Path, ...], **options: Any) -> None:
    """The exact chances of A against B, for both orders.

    Told are who wins, who is eliminated, how VP are distributed, and how each ruling with another setting would
    change the answer.
    """
    judge("duel", {"a": a, "b": b}, (rulings, policy, paths), options, usual="duel")
