"""A strength that is neither a number nor d6.

Why is this bad?
    The game's cards have no other dice, and the referee cannot resolve any.

Example
    game: diskwars
    kind: disk
    name: Ash Bows
    disk: small
    faction: order
    race: Marshfolk
    cost: 4
    attack: 1
    counter: 2d6  # DW338: 10
    toughness: 3
    movement: 4
    ranged:
      - Longbows: 2 long d3  # DW338: 22

Use instead
    game: diskwars
    kind: disk
    name: Ash Bows
    disk: small
    faction: order
    race: Marshfolk
    cost: 4
    attack: 1
    counter: d6
    toughness: 3
    movement: 4
    ranged:
      - Longbows: 2 long 1
"""

from typing import Any

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.diskwars import ATTACK, DISK
from cardgen.rulesets.diskwars.referee.strength import Strength

CODE, NAME = "DW338", "other-dice"
SEVERITY, CONFIDENCE = Severity.ERROR, Confidence.CERTAIN
LOOKS_AT = (DISK, ATTACK)


def find(part: Any, _: CheckContext) -> Findings:
    """Yield the strengths of a disk, or of a ranged attack, that the referee cannot read."""
    for key in ("strength",) if isinstance(part, ATTACK) else ("attack", "counter"):
        try:
            Strength.read(value := getattr(part, key))
        except ValueError as error:
            yield Finding(str(error), (key,), help="write a number, or d6", word=value)
