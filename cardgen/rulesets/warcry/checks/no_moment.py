"""A blessing or battle trait that does not say when it takes effect, or a reaction to nothing.

Why is this bad?
    A fighter has its blessing, and a warband its trait, for the whole battle. Removing damage points, a bonus action,
    and a change that ends need a moment at which they happen, and nobody uses a blessing. A reaction answers something
    that an enemy does, and nobody knows when to make one that does not say what.

Example
    game: warcry
    kind: blessing
    name: Mending
    points: {regular: 15, elite: 25}
    changes:
      - {heal: 3}  # WC319: 12

Example
    game: warcry
    kind: trait
    name: Wrath
    runemark: chaos
    changes:
      - {attacks: +1, weapon: melee, for: activation}  # WC319: 39

Example
    game: warcry
    kind: ability
    name: Brace
    price: reaction
    changes:  # WC319: 1
      - {toughness: +1, for: attack}

Use instead
    game: warcry
    kind: blessing
    name: Mending
    points: {regular: 15, elite: 25}
    changes:
      - {heal: 3}
    text: Once per battle, after this fighter activates, remove 3 damage points from it.
"""

from cardgen.game import Finding, Findings, rule
from cardgen.rulesets.warcry.cards import Ability, Blessing, Rule, Trait
from cardgen.rulesets.warcry.effective import changes_of, placed_changes

_AT_ONCE = ("heal", "deal", "bonus_move", "bonus_attack", "bonus_disengage", "taken_down", "save_wild")
_ADVICE = "say when, such as 'at the end of every battle round'"


@rule("WC319", "warning", "likely")
def find(card: Ability | Blessing | Rule | Trait) -> Findings:
    """Yield the changes that happen at some moment, if no text names it, and reactions without one."""
    if isinstance(card, Ability | Rule):
        yield from _reaction_to_nothing(card)
        return
    for placed in () if card.text and card.changes else placed_changes(card):
        if placed.change.when:
            return
        key = next((key for key in _AT_ONCE if getattr(placed.change, key)), "for" if placed.change.span else "")
        if key:
            message = "the card does not say when this happens"
            advice = (
                "say when, such as 'at the end of every battle round'" if card.text else "add a 'text' that says when"
            )
            yield Finding(message, placed.at(key), advice, placed.text_range)


def _reaction_to_nothing(card: Ability | Rule) -> Findings:
    changes = changes_of(card) if card.price == "reaction" and not (card.text and card.changes) else ()
    if changes and not any(change.reacts for change in changes):
        advice = "say when it is made, such as 'when a melee attack targets this fighter, before the hit rolls'"
        if card.changes:
            advice = "add {reacts: {event: …}} to the changes, or a 'text' that says when it is made"
        key = "changes" if card.changes else "text"
        yield Finding("the reaction does not say what it answers", (key,), advice, at_key=True)
