"""A role in place of a faction.

Why is this bad?
    A fighter has one faction runemark, or that of a grand alliance; Hero, Beast, and the like are its other runemarks.
    Battle traits, too, belong to factions and grand alliances only.

Example
    game: warcry
    kind: fighter
    name: Asha
    faction: hero  # WC127: 10
    runemarks: []
    stats: {M: 5, T: 4, W: 10}
    points: 70
    weapons:
      - Axe: axe R1 A3 S4 D1/4

Use instead
    game: warcry
    kind: fighter
    name: Asha
    faction: chaos
    runemarks: [hero]
    stats: {M: 5, T: 4, W: 10}
    points: 70
    weapons:
      - Axe: axe R1 A3 S4 D1/4
"""

from cardgen.game import Finding, Findings, rule
from cardgen.rulesets.warcry.cards import Fighter, Trait
from cardgen.rulesets.warcry.marks import MiniatureMarks


@rule("WC127", "error", "certain")
def find(card: Fighter | MiniatureMarks | Trait) -> Findings:
    """Yield a role as faction."""
    key = "runemark" if isinstance(card, Trait) else "faction"
    mark = getattr(card, key)
    if mark in card.settings.all_roles:
        message = f"'{card.settings.name_of(mark)}' is not a faction or grand alliance"
        advice = "write it under 'runemarks'" if key == "faction" else "name a faction or grand alliance"
        yield Finding(message, (key,), help=advice)
