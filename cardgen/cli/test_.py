"""`cardgen test`: a test of an attribute."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cardgen.cli._situation import derived, judge, readings, switches


@click.command("test", cls=derived("test", "card", "attribute"))
@click.argument("card")
@click.argument("attribute")
@readings
@switches
def command(card: str, attribute: str, rulings: Any, policy: Any, paths: tuple[Path, ...], **options: Any) -> None:
    """Test an ATTRIBUTE of a CARD."""
    judge("test", {"card": card, "attribute": attribute}, (rulings, policy, paths), options)
