"""An ability for dice or a reaction that changes a characteristic for good.

Why is this bad?
    What dice or a reaction pay for ends with the attack, the activation, or the battle round. Without `for`, the
    change never ends, and every further use adds to it. A reaction answers the action of an enemy, so its fighter is
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

_ADVICE = {
    "reaction": ("write 'for: attack' or 'for: round'", "say when it ends: 'until the end of the battle round'"),
    "": ("write 'for: attack', 'for: activation', or 'for: round'",
         "say when it ends, such as 'until the end of its activation'"),
}  # fmt: skip


@rule("WC308", "warning", "likely")
def find(ability: Ability | Rule) -> Findings:
    """Yield changes of characteristics that dice or a reaction pay for and that have no end, or none of their own."""
    for change, route, words in placed_changes(ability) if ability.price in (*DICE, "reaction") else ():
        changed = change.nonzero(Change.FIGHTER_FIELDS + Change.WEAPON_FIELDS)
        if changed and change.span is None and change.next is None:
            message = f"a {ability.price} changes {changed[0][0].capitalize()} for good"
        elif ability.price == "reaction" and change.span == "activation" and change.of == "self":
            message = "a reaction is not made in its fighter's own activation"
        else:
            continue
        data_advice, text_advice = _ADVICE.get(ability.price or "", _ADVICE[""])
        yield Finding(message, route, help=text_advice if words else data_advice, text_range=words)
