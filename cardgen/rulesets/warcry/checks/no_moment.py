"""A blessing or battle trait that does not say when it takes effect.

Why is this bad?
    A fighter has its blessing, and a warband its trait, for the whole battle. Removing damage points, a bonus action,
    and a change that ends need a moment at which they happen, and nobody uses a blessing.

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
from cardgen.rulesets.warcry.cards import Blessing, Trait
from cardgen.rulesets.warcry.effective import placed_changes

_AT_ONCE = ("heal", "deal", "bonus_move", "bonus_attack", "bonus_disengage", "taken_down", "save_wild")
_ADVICE = "say when, such as 'at the end of every battle round'"


@rule("WC319", "warning", "likely")
def find(card: Blessing | Trait) -> Findings:
    """Yield the changes that happen at some moment, if no text names it."""
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
