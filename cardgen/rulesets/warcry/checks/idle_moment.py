"""When a reaction can be made, or an ability used, on a card that is none.

Why is this bad?
    `reacts` is the moment of a reaction. An ability for dice is used in its fighter's own activation, and a battle
    trait or a blessing applies at its `when`. `only_if` and `not_if` say when an ability or a reaction can be used, and
    nobody uses a blessing or a battle trait. The key would be ignored.

Example
    game: warcry
    kind: ability
    name: Riposte
    price: double
    changes:
      - {reacts: {event: targeted, attack: melee}}  # WC327: 6
      - {toughness: +1, for: round}

Example
    game: warcry
    kind: blessing
    name: Wrath
    points: {regular: 15, elite: 25}
    changes:
      - {only_if: {moved: true}}  # WC327: 6
      - {attacks: +1}

Use instead
    game: warcry
    kind: ability
    name: Riposte
    price: reaction
    changes:
      - {reacts: {event: targeted, attack: melee}}
      - {toughness: +1, for: round}
"""

from cardgen.game import Finding, Findings, rule
from cardgen.rulesets.warcry.cards import Ability, Blessing, Rule, Trait
from cardgen.rulesets.warcry.effective import placed_changes, price_of


@rule("WC327", "error", "certain")
def find(card: Ability | Rule | Trait | Blessing) -> Findings:
    """Yield the moments of reactions on other cards, and conditions of use on cards that nobody uses."""
    price = price_of(card)
    kind = f"a rule with the price '{price}'" if price else "a rule without a price"
    for placed in placed_changes(card):
        if placed.change.reacts and price != "reaction":
            message, advice = f"{kind} is not a reaction", "set the price to reaction, or remove 'reacts'"
            yield Finding(message, placed.at("reacts"), advice, placed.text_range, at_key=not placed.text_range)
        for key in ("only_if", "not_if") if price is None else ():
            condition = getattr(placed.change, key)
            if condition and not condition.once:
                message, advice = f"{kind} always applies", f"write 'if' or 'while' instead of '{key}'"
                yield Finding(message, placed.at(key), advice, placed.text_range, at_key=not placed.text_range)
