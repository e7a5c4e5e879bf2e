"""Rolls and odds of dice in dice notation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.referee.play import play, seed_or_new, seeded_answers
from cardgen.referee.requests import in_scope, parse

if TYPE_CHECKING:
    from cardgen.referee.trial import OddsTable

MOST_TIMES = 10_000


@dataclass(frozen=True, slots=True)
class DiceRoll:
    """The result of a roll: its total, and each die."""

    total: int
    dice: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.total}" if len(self.dice) == 1 else f"{self.total}  ({' '.join(map(str, self.dice))})"


def roll_dice(text: str, seed: str | None, times: int) -> tuple[str, list[DiceRoll]]:
    """Return the seed and the rolls of dice. Raises CardgenError for invalid dice or another number of rolls."""
    expression = parse(text)
    if not 1 <= times <= MOST_TIMES:
        message = f"must be between 1 and {MOST_TIMES}, not {times}"
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place("--times")))
    chosen_seed = seed_or_new(seed)
    rolls = []
    for time in range(1, times + 1):
        faces: list[int] = []
        procedure = in_scope(f"{text} {time}", expression.procedure())
        total = play(procedure, seeded_answers(chosen_seed), lambda told, faces=faces: faces.append(told.answer))  # type: ignore[misc]
        rolls.append(DiceRoll(total, tuple(faces)))
    return chosen_seed, rolls


def dice_odds(text: str) -> OddsTable:
    """Return the exact chance of each total, and the mean. Raises CardgenError for invalid dice."""
    from cardgen.referee.trial import OddsTable  # loaded here because rolls need none of it

    die = parse(text).odds()
    rows = tuple((str(value), chance) for value, chance in sorted(die))
    return OddsTable(text, rows, means=(("mean", die.mean(int)),))
