"""An ability for dice or a reaction with an effect that never ends.

Why is this bad?
    What dice or a reaction pay for ends with the attack, the activation, or the battle round. Without `for`, a change
    of a characteristic never ends, and every further use adds to it. The same goes for what a fighter can or cannot do,
    and for what its hit rolls mean. A reaction answers the action of an enemy, so its fighter is
    not the one whose activation ends.

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
      - {reacts: {event: targeted, attack: melee}}
      - {toughness: +1}  # WC308: 5

Example
    game: warcry
    kind: ability
    name: Soar
    price: double
    changes:
      - {flies: true}  # WC308: 13

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

_ADVICE = {
    "reaction": ("write 'for: attack' or 'for: round'", "say when it ends: 'until the end of the battle round'"),
    "": ("write 'for: attack', 'for: activation', or 'for: round'",
         "say when it ends, such as 'until the end of its activation'"),
}  # fmt: skip


@rule("WC308", "warning", "likely")
def find(ability: Ability | Rule) -> Findings:
    """Yield what dice or a reaction pay for and that has no end, or none of its own."""
    for placed in placed_changes(ability) if ability.price in (*DICE, "reaction") else ():
        change, route = placed.change, placed.route
        numbers = change.nonzero(Change.FIGHTER_FIELDS + Change.WEAPON_FIELDS)
        state = next((key for key in Change.STATE_FIELDS if getattr(change, key)), "")
        has_end = change.span is not None or change.next is not None
        if numbers and not has_end:
            message = f"a {ability.price} changes {numbers[0][0].capitalize()} for good"
        elif state and not has_end:
            message, route = f"an effect of a {ability.price} has no end", placed.at(state)
        elif ability.price == "reaction" and change.span == "activation" and change.of == "self":
            message = "a reaction is not made in its fighter's own activation"
        else:
            continue
        data_advice, text_advice = _ADVICE.get(ability.price or "", _ADVICE[""])
        advice = text_advice if placed.text_range else data_advice
        yield Finding(message, route, help=advice, text_range=placed.text_range)
