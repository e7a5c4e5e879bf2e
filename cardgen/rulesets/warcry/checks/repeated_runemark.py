"""A runemark that a card names twice.

Why is this bad?
    The second one says nothing, takes the place of one of the three runemarks, and is printed.

Example
    game: warcry
    kind: fighter
    name: Asha
    faction: chaos
    runemarks: [hero, Hero]  # WC129: 19
    stats: {M: 5, T: 4, W: 10}
    points: 70
    weapons:
      - Axe: axe R1 A3 S4 D1/4

Use instead
    game: warcry
    kind: fighter
    name: Asha
    faction: chaos
    runemarks: [hero, mystic]
    stats: {M: 5, T: 4, W: 10}
    points: 70
    weapons:
      - Axe: axe R1 A3 S4 D1/4
"""

from cardgen.game import Finding, Findings, rule
from cardgen.rulesets.warcry.cards import Ability, Fighter, Rule
from cardgen.rulesets.warcry.marks import MiniatureMarks


@rule("WC129", "error", "certain")
def find(part: Fighter | MiniatureMarks | Ability | Rule) -> Findings:
    """Yield each runemark that came before, as the faction's or among the others."""
    before = {part.faction} if isinstance(part, Fighter | MiniatureMarks) else set()
    for index, mark in enumerate(part.runemarks):
        if mark in before:
            yield Finding(
                f"repeated runemark '{part.settings.name_of(mark)}'", ("runemarks", index), help="leave it out"
            )
        before.add(mark)
