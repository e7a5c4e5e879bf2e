"""A command card of a faction without a hero in the army.

Why is this bad?
    Order Only and Destruction Only cards can be chosen only with a hero of that faction.

Example
    game: diskwars
    cards:
      - {kind: disk, name: Ida, disk: medium, role: hero, faction: order, race: Marshfolk, mark: unique,
         recruitment: 12, command: 1, attack: 3, counter: 2, toughness: 4, movement: 4}
      - {kind: disk, name: Reed Pikes, disk: small, faction: order, race: Marshfolk, cost: 3, attack: 1, counter: 2,
         toughness: 3, movement: 3}
      - {kind: command, name: Howl, strategy: bold, activation: 2, faction: destruction}
      - {kind: command, name: Hold the Dyke, strategy: steady, activation: 2}
      - kind: army
        name: The Few
        regiments:
          - hero: Ida
            units: [Reed Pikes]
        commands: [Howl]  # DW312: 16

Use instead
    game: diskwars
    cards:
      - {kind: disk, name: Ida, disk: medium, role: hero, faction: order, race: Marshfolk, mark: unique,
         recruitment: 12, command: 1, attack: 3, counter: 2, toughness: 4, movement: 4}
      - {kind: disk, name: Reed Pikes, disk: small, faction: order, race: Marshfolk, cost: 3, attack: 1, counter: 2,
         toughness: 3, movement: 3}
      - {kind: command, name: Howl, strategy: bold, activation: 2, faction: destruction}
      - {kind: command, name: Hold the Dyke, strategy: steady, activation: 2}
      - kind: army
        name: The Few
        regiments:
          - hero: Ida
            units: [Reed Pikes]
        commands: [Hold the Dyke]
"""

from cardgen.game import CheckContext, Finding, Findings, rule
from cardgen.rulesets.diskwars.army import Army
from cardgen.rulesets.diskwars.muster import commands, musters


@rule("DW312", "error", "certain")
def find(army: Army, context: CheckContext) -> Findings:
    """Yield the command cards that need a hero of another faction."""
    factions = {muster.hero.disk.faction for muster in musters(army, context) if muster.hero}
    for number, card in commands(army, context):
        if card.faction and factions and card.faction not in factions:
            message = f"'{card.name}' is {card.faction.capitalize()} Only"
            yield Finding(message, ("commands", number), help=f"it needs a hero of {card.faction.capitalize()}")
