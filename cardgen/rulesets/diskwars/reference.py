"""Odds on the reference sheet of Diskwars, computed by the referee."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from cardgen.game import Block, ContentProvider, GameData, NoOptions, ReferenceContent, odds, table
from cardgen.rulesets.diskwars.referee.disk import (
    RULING,
    Disk,
    Health,
    Ranged,
    Shot,
    candidates,
    shoot,
)
from cardgen.rulesets.diskwars.referee.strength import Strength

MISSILES = (1, 2, 3, 4)
TARGET = Disk("", Strength(0), Strength(0), 1)


def _range(dice: int, least: int, setting: str, *, is_siege: bool = False) -> str:
    """Return a chance in percent, without its sign, or its range over the battle dice that are possible."""
    # The chance that a number of battle dice or more damage the target.
    chances: list[Fraction] = []
    for faces in candidates(setting):
        shot = Shot("", Ranged("", dice, "siege", Strength(1)), TARGET, faces, frozenset(), is_siege=is_siege)
        end: Any = odds(shoot, shot, Health())
        chances.append(Fraction(end.chance(lambda each: each.target.dice >= least)))
    low, high = (f"{float(100 * chance):.0f}" for chance in (min(chances), max(chances)))
    return low if low == high else f"{low}–{high}"


def _shots(_: NoOptions, data: GameData) -> Iterator[Block]:
    """Yield the chances of battle dice, by missile value."""
    setting = data.rulings[RULING]
    rows = [
        (str(dice), _range(dice, 1, setting), _range(dice, 2, setting), _range(dice, 1, setting, is_siege=True))
        for dice in MISSILES
    ]
    yield table(("Dice", "1+", "2+", "Siege"), rows)


REFERENCE = ReferenceContent(
    sheets=Path(__file__).with_name("sheets"),
    content_providers={"battle-dice": ContentProvider(_shots, "the chances of battle dice, by missile value")},
    list_kinds=("army",),
)
