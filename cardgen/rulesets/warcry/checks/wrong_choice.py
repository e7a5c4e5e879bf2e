"""A choice of battle trait that its warband cannot make, or a choice of one.

Why is this bad?
    Some battle traits offer a choice between two, such as Coalesced or Starborne, and a warband picks one of them.
    The name must be that of an alternative, and an alternative needs another one.

Example
    game: warcry
    cards:
      - {kind: fighter, name: Asha, faction: chaos, runemarks: [hero], stats: {M: 5, T: 4, W: 10},
         points: 70, weapons: [{Axe: axe R1 A3 S4 D1/4}]}
      - {kind: trait, name: Omens, runemark: chaos,
         choices: [{name: Blood, changes: [{toughness: +1}]}, {name: Smoke, changes: [{move: +1}]}]}
      - kind: warband
        name: The Few
        trait: Omens
        choice: Ash  # WC132: 13
        members:
          - {fighter: Asha, leader: true}
          - {fighter: Asha, qty: 2}

Example
    game: warcry
    kind: trait
    name: Omens
    runemark: chaos
    choices:  # WC132: 1
      - {name: Blood, changes: [{toughness: +1}]}

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

from cardgen.game import CheckContext, Finding, Findings, rule
from cardgen.rulesets.warcry.cards import Trait, Warband
from cardgen.rulesets.warcry.effective import choice_problem
from cardgen.rulesets.warcry.roster import resolve_roster


@rule("WC132", "error", "certain")
def find(card: Trait | Warband, context: CheckContext) -> Findings:
    """Yield a choice of one, and what a warband chooses although its trait does not offer it."""
    if isinstance(card, Trait):
        if len(card.choices) == 1:
            message = "a choice needs two alternatives or more"
            yield Finding(message, ("choices",), help="add one, or use 'grants'", at_key=True)
    elif card.choice is not None:
        problem = choice_problem(resolve_roster(card, context.scope).trait, card.choice)
        if problem:
            yield Finding(problem.message, ("choice",), help=problem.help)
