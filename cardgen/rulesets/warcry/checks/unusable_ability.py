"""An ability that needs runemarks of two factions, or more runemarks than a fighter has.

Why is this bad?
    Whoever uses an ability has all of its runemarks. A fighter has one faction runemark and up to three others, so
    nobody can use the ability.

Example
    game: warcry
    kind: ability
    name: Warpath
    price: double
    runemarks: [skaven, the-unmade]  # WC130: 21
    changes:
      - {move: +2, for: activation}

Example
    game: warcry
    kind: ability
    name: Warpath
    price: double
    runemarks: [hero, mount, elite, agile]  # WC130: 33
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

from collections.abc import Sequence
from itertools import islice

from cardgen.game import CheckContext, CheckScope, Finding, Findings, rule
from cardgen.rulesets.warcry.cards import MAX_RUNEMARKS, Ability, Fighter
from cardgen.rulesets.warcry.limits import Settings


@rule("WC130", "error", "likely")
def find(ability: Ability, context: CheckContext) -> Findings:
    """Yield the first runemark that a fighter with the ones before it cannot have, unless some fighter has all."""
    if any(marks.issuperset(ability.runemarks) for marks in context.scope.compute_once(_marks_of_fighters)):
        return
    yield from islice(_conflicts(ability.runemarks, ability.settings), 1)
    roles = [index for index, mark in enumerate(ability.runemarks) if not ability.settings.alliance_of(mark)]
    if len({ability.runemarks[index] for index in roles}) > MAX_RUNEMARKS:
        message = f"no fighter has {len(roles)} runemarks besides its faction's"
        yield Finding(message, ("runemarks", roles[MAX_RUNEMARKS]), help=f"use up to {MAX_RUNEMARKS}")


def _marks_of_fighters(scope: CheckScope) -> frozenset[frozenset[str]]:
    """Return the runemarks of each fighter of only one grand alliance."""
    return frozenset(fighter.marks for fighter in scope.cards_of_type(Fighter) if _has_one_alliance(fighter))


def _has_one_alliance(fighter: Fighter) -> bool:
    return len({fighter.settings.alliance_of(mark) for mark in fighter.marks} - {""}) <= 1


def _conflicts(marks: Sequence[str], settings: Settings) -> Findings:
    """Yield each faction or grand alliance that excludes an earlier one."""
    first = ""
    for index, mark in enumerate(marks):
        if not settings.alliance_of(mark):
            continue
        if first and not _can_go_together(first, mark, settings):
            message = f"no fighter is of '{settings.name_of(first)}' and of '{settings.name_of(mark)}'"
            yield Finding(message, ("runemarks", index), help="write an ability for each of them")
        first = mark if mark in settings.all_factions else first or mark


def _can_go_together(one: str, other: str, settings: Settings) -> bool:
    """Whether a fighter has both: a faction and its grand alliance."""
    are_factions = one in settings.all_factions and other in settings.all_factions
    return one == other or (settings.alliance_of(one) == settings.alliance_of(other) and not are_factions)
