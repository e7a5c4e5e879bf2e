"""A penalty greater than the characteristic of any fighter.

Why is this bad?
    A fighter has a Move of 0 at least, and other characteristics of 1 at least. A penalty greater than the highest such
    characteristic of the cards in play has the same effect on everybody, and is probably a typo. If fighters must not
    move, `cannot` says so, and `fixes` sets a characteristic to a number.

Example
    game: warcry
    kind: ability
    name: Bind
    price: triple
    changes:
      - {pick: {side: enemy, within: 6}}
      - {of: picked, move: -10, for: round}  # WC329: 24

Use instead
    game: warcry
    kind: ability
    name: Bind
    price: triple
    changes:
      - {pick: {side: enemy, within: 6}}
      - {of: picked, cannot: [move], for: round}
"""

from collections.abc import Mapping

from cardgen.game import CheckContext, CheckScope, Finding, Findings, rule
from cardgen.rulesets.warcry.cards import Ability, Blessing, Fighter, Rule, Trait
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.effective import placed_changes

_ADVICE = {
    "move": "lower the penalty, or write 'cannot: [move]'",
    "wounds": "lower the penalty",
    "damage": "lower the penalty",
    "critical": "lower the penalty",
}


@rule("WC329", "warning", "likely")
def find(card: Ability | Rule | Trait | Blessing, context: CheckContext) -> Findings:
    """Yield penalties that exceed the highest characteristic of the fighters in play, those of the kit among them."""
    for placed in placed_changes(card):
        for name, by in placed.change.nonzero(Change.FIGHTER_FIELDS + Change.WEAPON_FIELDS):
            highest = context.scope.compute_once(_highest).get(name) if by < 0 else None
            if highest is not None and -by > highest:
                message = f"no fighter has {-by} {name.capitalize()}; the highest is {highest}"
                advice = _ADVICE.get(name, f"lower the penalty, or write 'fixes: [{name}]'")
                yield Finding(message, placed.at(name), advice, placed.text_range)


def _highest(scope: CheckScope) -> Mapping[str, int]:
    """Return the highest of each characteristic among the fighters, by name; empty without fighters."""
    fighters = [*scope.cards_of_type(Fighter)]
    weapons = [weapon for fighter in fighters for weapon in fighter.weapons]
    numbers = {name: [getattr(fighter.stats, name) for fighter in fighters] for name in Change.FIGHTER_FIELDS}
    numbers |= {name: [getattr(weapon, name) for weapon in weapons] for name in Change.WEAPON_FIELDS}
    return {name: max(values) for name, values in numbers.items() if values}
