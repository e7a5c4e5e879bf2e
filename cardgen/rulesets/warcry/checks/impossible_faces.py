"""A change for faces that its dice never show, or always.

Why is this bad?
    Each die that a rule rolls is a D6, and shows 1 to 6; only `2d6` are added up, and show 2 to 12. A change for any
    other result never happens, or always does.

Example
    game: warcry
    kind: ability
    name: Spark
    price: double
    changes:
      - {pick: {side: enemy, within: 6}, roll: 1}
      - {on_roll: 7+, of: picked, deal: 1}  # WC325: 15

Use instead
    game: warcry
    kind: ability
    name: Spark
    price: double
    changes:
      - {pick: {side: enemy, within: 6}, roll: 2d6}
      - {on_roll: 7+, of: picked, deal: 1}
"""

import re

from cardgen.game import Dice, Finding, Findings, misfit, rule
from cardgen.rulesets.warcry.cards import Ability, Blessing, Rule, Trait
from cardgen.rulesets.warcry.effective import placed_changes

_FACES = re.compile(r"(\d+)(?:(\+)|-(\d+))?")


@rule("WC325", "error", "certain")
def find(thing: Ability | Rule | Trait | Blessing) -> Findings:
    """Yield the faces of changes that the dice rolled before never show, or always."""
    dice = Dice()
    for placed in placed_changes(thing):
        change = placed.change
        if change.roll or change.roll_each:
            dice = Dice(2) if change.roll == "2d6" else Dice()
        if faces := _FACES.fullmatch(change.on_roll or ""):
            low = int(faces[1])
            high = dice.high if faces[2] else int(faces[3] or low)
            if message := misfit(dice, low, max(low, high)):
                advice = "roll: 2d6" if low > dice.high else f"use {dice.low + 1}+ to {dice.high}+"
                yield Finding(message, placed.at("on_roll"), advice, placed.text_range)
