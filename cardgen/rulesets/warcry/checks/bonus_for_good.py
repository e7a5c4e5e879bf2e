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

Example
    game: warcry
    kind: ability
    name: Warpath
    price: double
    text: Add 1 to the Strength of this fighter's melee attacks.  # WC308: 7

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
from cardgen.rulesets.warcry.effective import placed_changes

_ADVICE = "say when it ends, such as 'until the end of its activation'"


@rule("WC308", "warning", "likely")
def find(ability: Ability | Rule) -> Findings:
    """Yield changes of characteristics that dice or a reaction pay for and that have no end."""
    for change, route, words in placed_changes(ability) if ability.price in (*DICE, "reaction") else ():
        changed = change.nonzero(Change.FIGHTER_FIELDS + Change.WEAPON_FIELDS)
        if changed and change.span is None and change.next is None:
            message = f"a {ability.price} changes {changed[0][0].capitalize()} for good"
            advice = "write 'for: attack', 'for: activation', or 'for: round'" if words is None else _ADVICE
            yield Finding(message, route, help=advice, text_range=words)
