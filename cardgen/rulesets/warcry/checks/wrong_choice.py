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

from cardgen.game import CheckContext, Finding, Findings, did_you_mean, join_words, rule
from cardgen.rulesets.warcry.cards import Trait, Warband
from cardgen.rulesets.warcry.roster import resolve_roster


@rule("WC132", "error", "certain")
def find(card: Trait | Warband, context: CheckContext) -> Findings:
    """Yield a choice of one, and what a warband chooses although its trait does not offer it."""
    if isinstance(card, Trait):
        if len(card.choices) == 1:
            message = "a choice needs two alternatives or more"
            yield Finding(message, ("choices",), help="add one, or use 'grants'", at_key=True)
    elif card.choice is not None:
        yield from _wrong_choice(card.choice, card.choice_id, resolve_roster(card, context.scope).trait)


def _wrong_choice(choice: str, choice_id: str, trait: Trait | None) -> Findings:
    names = [rule.name for rule in trait.choices] if trait else []
    if trait and choice_id in {rule.id for rule in trait.choices}:
        return
    if trait and not names:
        yield Finding(f"'{trait.name}' offers no choice", ("choice",), help="remove 'choice'")
    elif trait:
        advice = f"choose {join_words(names)}"
        yield Finding(f"unknown choice '{choice}'{did_you_mean(choice, names)}", ("choice",), help=advice)
    else:
        yield Finding("a choice needs a battle trait", ("choice",), help="add 'trait', or remove 'choice'")
