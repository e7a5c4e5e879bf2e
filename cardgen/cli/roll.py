"""`cardgen roll`: dice."""

from __future__ import annotations

import click


@click.command("roll")
@click.argument("dice")
@click.option("--seed", metavar="TEXT", help="Roll the dice of this seed.")
@click.option("--times", default=1, show_default=True, help="How often.")
@click.option("--odds", is_flag=True, help="The exact chance of every sum instead.")
def command(dice: str, seed: str | None, times: int, odds: bool) -> None:
    """Roll DICE: 2d6, d66, d3, 4d6kh3 (keep the highest 3), 2d6+1."""
    from cardgen.pipeline.referee import run  # loaded here, so that 'cardgen --help' stays quick

    run.roll_dice(dice, seed, times, exact=odds, tell=click.echo)
