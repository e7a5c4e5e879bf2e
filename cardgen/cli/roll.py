"""`cardgen roll`: dice."""

from __future__ import annotations

import click


@click.command("roll")
@click.argument("dice")
@click.option("--seed", metavar="TEXT", help="Seed of the dice, to repeat a roll.")
@click.option("--times", default=1, show_default=True, help="Number of rolls.")
@click.option("--odds", is_flag=True, help="Print the exact chance of each result instead of rolling.")
def command(dice: str, seed: str | None, times: int, odds: bool) -> None:
    """Roll DICE, such as 2d6, d66, d3, 2d6+1, or 4d6kh3.

    The suffix kh3 keeps the three highest dice.
    """
    from cardgen.pipeline.referee import run  # loaded here to keep 'cardgen --help' fast

    run.roll_dice(dice, seed, times, exact=odds, tell=click.echo)
