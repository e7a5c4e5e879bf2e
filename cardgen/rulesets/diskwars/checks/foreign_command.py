"""A command card of a faction without a hero in the army.

Why is this bad?
    Order Only and Destruction Only cards can be chosen only with a hero of that faction.

Example
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [Reed Pikes]}],
         commands: [Howl]}  # DW312: 17

Use instead
    ...
      - {kind: army, name: The Few, regiments: [{hero: Ida, units: [Reed Pikes]}],
         commands: [Hold the Dyke]}
"""

from cardgen.game import CheckContext, Finding, Findings, join_words, rule, such_as
from cardgen.rulesets.diskwars.army import Army, commands, musters


@rule("DW312", "error", "certain")
def find(army: Army, context: CheckContext) -> Findings:
    """Yield the command cards that need a hero of another faction."""
    heroes = [muster.hero for muster in musters(army, context)]
    factions = {hero.disk.faction for hero in heroes if hero}
    if not (factions and all(heroes)):
        return
    ours = join_words([faction.capitalize() for faction in sorted(factions)])
    titles = {card.name for _, card in commands(army, context)}
    for number, card in commands(army, context):
        if card.faction and card.faction not in factions:
            suits = [other for other in context.scope.cards_of_type(type(card)) if other.faction in {*factions, None}]
            others = such_as(other for other in suits if other.name not in titles)
            message = f"'{card.name}' is {card.faction.capitalize()} Only"
            advice = f"choose a card of {ours}, or one without a faction{others}"
            yield Finding(message, ("commands", number), help=advice)
