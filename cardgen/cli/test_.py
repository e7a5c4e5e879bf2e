"""`cardgen test`: an attribute test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cardgen.cli._options import cards_and_rules_options, run_options, run_trial, trial_command


@click.command("test", cls=trial_command("test", "card", "attribute"))
@click.argument("card")
@click.argument("attribute")
@run_options
@cards_and_rules_options
def command(card: str, attribute: str, rulings: Any, policy: Any, paths: tuple[Path, ...], **options: Any) -> None:
    """Roll an attribute test of a card, or compute its odds.

    CARD is the name or id of a card; ATTRIBUTE is the attribute to test.
    """
    run_trial("test", {"card": card, "attribute": attribute}, (rulings, policy, paths), options)
