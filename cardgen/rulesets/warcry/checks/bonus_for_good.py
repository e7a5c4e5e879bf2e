"""An ability for dice or a reaction that changes a characteristic for good.

Why is this bad?
    What dice or a reaction pay for ends with the attack, the activation, or the battle round. Without `for`, the
    change never ends, and every further use adds to it.

Example
    game: warcry
    kind: ability
    name: Warpath
    price: double
    runemarks: [hero]
    changes:
      - {strength: +1, weapon: melee}  # WC308: 5

Example
    game: warcry
    kind: ability
    name: Brace
    price: reaction
    changes:
      - {toughness: +1}  # WC308: 5

Use instead
    game: warcry
    kind: ability
    name: Warpath
    price: double
    runemarks: [hero]
    changes:
      - {strength: +1, weapon: melee, for: activation}
"""

from cardgen.game import Finding, Findings, rule
from cardgen.rulesets.warcry.cards import DICE, Ability, Rule
from cardgen.rulesets.warcry.changes import Change


@rule("WC308", "warning", "likely")
def find(ability: Ability | Rule) -> Findings:
    """Yield changes of characteristics that dice or a reaction pay for and that have no end."""
    for index, change in enumerate(ability.changes if ability.price in (*DICE, "reaction") else ()):
        changed = change.nonzero(Change.FIGHTER_FIELDS + Change.WEAPON_FIELDS)
        if changed and change.span is None and change.next is None:
            message = f"a {ability.price} changes {changed[0][0].capitalize()} for good"
            yield Finding(message, ("changes", index), help="write 'for: attack', 'for: activation', or 'for: round'")
