"""`cardgen roll`: dice."""

from __future__ import annotations

import click

from cardgen.cli._options import WholeNumber
from cardgen.cli._output import json_option, print_json, print_line


@click.command("roll")
@click.argument("dice")
@click.option("--seed", metavar="TEXT", help="Seed of the dice, to repeat a roll.")
@click.option("--times", type=WholeNumber(), default=1, show_default=True, help="Number of rolls.")
@click.option("--odds", is_flag=True, help="Print the exact chance of each result instead of rolling.")
@json_option
def command(dice: str, seed: str | None, times: int, odds: bool, as_json: bool) -> None:
    """Roll DICE, such as 2d6, d66, d3, 2d6+1, or 4d6kh3.

    The suffix kh3 keeps the three highest dice.
    """
    from cardgen.matches.dice import dice_odds, roll_dice  # loaded here to keep 'cardgen --help' fast

    if odds:
        from cardgen.matches import trials  # loaded here because rolls need none of it

        tables = [dice_odds(dice)]
        if as_json:
            print_json("roll", {"dice": dice, "tables": trials.odds_as_data(tables)})
        else:
            for line in trials.odds_as_text(tables):
                print_line(line)
        return
    seed_of_roll, rolls = roll_dice(dice, seed, times)
    if as_json:
        totals = [{"total": roll.total, "dice": roll.dice} for roll in rolls]
        print_json("roll", {"dice": dice, "seed": seed_of_roll, "rolls": totals})
        return
    for roll in rolls:
        print_line(str(roll))
    print_line(f"seed {seed_of_roll}")
