"""An ability that needs runemarks of two factions.

Why is this bad?
    Whoever uses an ability has all of its runemarks, and a fighter has one faction runemark: nobody can use it.

Example
    game: warcry
    kind: ability
    name: Warpath
    price: double
    runemarks: [skaven, the-unmade]  # WC130: 21
    changes:
      - {move: +2, for: activation}

Use instead
    game: warcry
    kind: ability
    name: Warpath
    price: double
    runemarks: [skaven, beast]
    changes:
      - {move: +2, for: activation}
"""

from cardgen.game import CheckContext, Finding, Findings, rule
from cardgen.rulesets.warcry.cards import Ability, Fighter
from cardgen.rulesets.warcry.settings import Settings


@rule("WC130", "error", "likely")
def find(ability: Ability, context: CheckContext) -> Findings:
    """Yield the first faction or grand alliance that excludes an earlier one, unless some fighter has all."""
    settings, first = ability.settings, ""
    for index, mark in enumerate(ability.runemarks):
        if not settings.alliance_of(mark):
            continue
        if first and not _can_go_together(first, mark, settings):
            if not any(fighter.marks.issuperset(ability.runemarks) for fighter in context.scope.cards_of_type(Fighter)):
                message = f"no fighter is of '{settings.name_of(first)}' and of '{settings.name_of(mark)}'"
                yield Finding(message, ("runemarks", index), help="write an ability for each of them")
            return
        first = mark if mark in settings.all_factions else first or mark


def _can_go_together(one: str, other: str, settings: Settings) -> bool:
    """Whether a fighter has both: a faction and its grand alliance."""
    are_factions = one in settings.all_factions and other in settings.all_factions
    return one == other or (settings.alliance_of(one) == settings.alliance_of(other) and not are_factions)
