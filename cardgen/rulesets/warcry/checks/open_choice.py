"""A battle trait that offers a choice, in a warband that has not chosen.

Why is this bad?
    The roster prints all alternatives, and nobody at the table can see which one the warband has. You pick one when you
    pick the warband.

Example
    game: warcry
    cards:
      - {kind: fighter, name: Asha, faction: chaos, runemarks: [hero], stats: {M: 5, T: 4, W: 10},
         points: 70, weapons: [{Axe: axe R1 A3 S4 D1/4}]}
      - {kind: trait, name: Omens, runemark: chaos,
         choices: [{name: Blood, changes: [{toughness: +1}]}, {name: Smoke, changes: [{move: +1}]}]}
      - kind: warband
        name: The Few
        trait: Omens  # WC134: 12
        members:
          - {fighter: Asha, leader: true}
          - {fighter: Asha, qty: 2}

Use instead
    game: warcry
    cards:
      - {kind: fighter, name: Asha, faction: chaos, runemarks: [hero], stats: {M: 5, T: 4, W: 10},
         points: 70, weapons: [{Axe: axe R1 A3 S4 D1/4}]}
      - {kind: trait, name: Omens, runemark: chaos,
         choices: [{name: Blood, changes: [{toughness: +1}]}, {name: Smoke, changes: [{move: +1}]}]}
      - kind: warband
        name: The Few
        trait: Omens
        choice: Smoke
        members:
          - {fighter: Asha, leader: true}
          - {fighter: Asha, qty: 2}
"""

from cardgen.game import CheckContext, Finding, Findings, join_words, rule
from cardgen.rulesets.warcry.cards import Warband
from cardgen.rulesets.warcry.roster import resolve_roster


@rule("WC134", "note", "certain")
def find(warband: Warband, context: CheckContext) -> Findings:
    """Yield the trait of a warband that has not chosen one of its alternatives."""
    trait = resolve_roster(warband, context.scope).trait
    if trait and trait.choices and warband.choice is None:
        names = join_words([alternative.name for alternative in trait.choices], "or")
        yield Finding(
            f"'{trait.name}' offers a choice that the warband has not made", ("trait",), help=f"set 'choice' to {names}"
        )
