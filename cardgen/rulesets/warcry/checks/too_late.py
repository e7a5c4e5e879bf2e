"""An ability that changes what is over when it is used.

Why is this bad?
    Wild dice are given out at the start of the battle, and the initiative is rolled before the combat phase, in which
    fighters use abilities and reactions. Only battle traits and blessings can change these.

Example
    game: warcry
    kind: ability
    name: Omen
    price: double
    changes:
      - {wild_dice: +1}  # WC316: 17

Use instead
    game: warcry
    kind: blessing
    name: Omen
    points: {regular: 40, elite: 40}
    changes:
      - {wild_dice: +2}
"""

from cardgen.game import Finding, Findings, rule
from cardgen.rulesets.warcry.cards import Ability, Rule
from cardgen.rulesets.warcry.effective import placed_changes

_EARLIER = {"wild_dice": "wild dice at the start of the battle", "initiative": "the initiative"}


@rule("WC316", "error", "certain")
def find(ability: Ability | Rule) -> Findings:
    """Yield the changes of wild dice and of the initiative that a fighter has to pay for."""
    for placed in placed_changes(ability) if ability.price else ():
        for key, words in _EARLIER.items():
            if getattr(placed.change, key):
                message = f"too late to change {words}"
                yield Finding(message, placed.at(key), "use a battle trait or a blessing", placed.text_range)
