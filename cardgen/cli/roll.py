"""`cardgen roll`: dice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from cardgen.cli._options import WholeNumber
from cardgen.cli._output import json_option, print_json, print_line
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place

if TYPE_CHECKING:
    from cardgen.referee.trial import OddsTable

_MOST_TIMES = 10_000


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
    if odds:
        from cardgen.matches import trials  # loaded here because rolls need none of it

        tables = [_dice_odds(dice)]
        if as_json:
            print_json("roll", {"dice": dice, "tables": trials.odds_as_data(tables)})
        else:
            for line in trials.odds_as_text(tables):
                print_line(line)
        return
    seed_of_roll, rolls = _roll_dice(dice, seed, times)
    if as_json:
        totals = [{"total": roll.total, "dice": roll.dice} for roll in rolls]
        print_json("roll", {"dice": dice, "seed": seed_of_roll, "rolls": totals})
        return
    for roll in rolls:
        print_line(str(roll))
    print_line(f"seed {seed_of_roll}")


@dataclass(frozen=True, slots=True)
class _DiceRoll:
    """The result of a roll: its total, and each die."""

    total: int
    dice: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.total}" if len(self.dice) == 1 else f"{self.total}  ({' '.join(map(str, self.dice))})"


def _roll_dice(text: str, seed: str | None, times: int) -> tuple[str, list[_DiceRoll]]:
    """Return the seed and the rolls of dice. Raises CardgenError for invalid dice or another number of rolls."""
    # loaded here to keep 'cardgen --help' fast
    from cardgen.referee.play import play, seed_or_new, seeded_answers
    from cardgen.referee.requests import in_scope, parse

    expression = parse(text)
    if not 1 <= times <= _MOST_TIMES:
        message = f"must be between 1 and {_MOST_TIMES}, not {times}"
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place("--times")))
    chosen_seed = seed_or_new(seed)
    rolls = []
    for time in range(1, times + 1):
        faces: list[int] = []
        procedure = in_scope(f"{text} {time}", expression.procedure())
        total = play(procedure, seeded_answers(chosen_seed), lambda told, faces=faces: faces.append(told.answer))  # type: ignore[misc]
        rolls.append(_DiceRoll(total, tuple(faces)))
    return chosen_seed, rolls


def _dice_odds(text: str) -> OddsTable:
    """Return the exact chance of each total, and the mean. Raises CardgenError for invalid dice."""
    from cardgen.referee.requests import parse  # loaded here to keep 'cardgen --help' fast
    from cardgen.referee.trial import OddsTable

    die = parse(text).odds()
    rows = tuple((str(value), chance) for value, chance in sorted(die))
    return OddsTable(text, rows, means=(("mean", die.mean(int)),))
