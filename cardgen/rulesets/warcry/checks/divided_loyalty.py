"""A fighter with runemarks of two grand alliances.

Why is this bad?
    Each faction belongs to one grand alliance, and a fighter to one faction; two make it an enemy of itself.

Example
    game: warcry
    kind: fighter
    name: Asha
    faction: skaven
    runemarks: [hero, sylvaneth]  # WC128: 19
    stats: {M: 5, T: 4, W: 10}
    points: 70
    weapons:
      - Axe: axe R1 A3 S4 D1/4

Use instead
    game: warcry
    kind: fighter
    name: Asha
    faction: skaven
    runemarks: [hero]
    stats: {M: 5, T: 4, W: 10}
    points: 70
    weapons:
      - Axe: axe R1 A3 S4 D1/4
"""

from cardgen.game import Finding, Findings, rule
from cardgen.rulesets.warcry.cards import Fighter
from cardgen.rulesets.warcry.marks import MiniatureMarks


@rule("WC128", "error", "likely")
def find(fighter: Fighter | MiniatureMarks) -> Findings:
    """Yield runemarks of another grand alliance than the faction's."""
    name_of = fighter.settings.name_of
    for index, mark in enumerate(fighter.runemarks):
        alliance = fighter.settings.alliance_of(mark)
        if alliance and fighter.alliance and alliance != fighter.alliance:
            message = f"'{name_of(mark)}' is of {name_of(alliance)}, but the fighter is of {name_of(fighter.alliance)}"
            yield Finding(message, ("runemarks", index), help="use runemarks of one grand alliance")
