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

from cardgen.game import CheckContext, Confidence, Finding, Findings, Severity
from cardgen.rulesets.warcry.cards import Ability, Fighter
from cardgen.rulesets.warcry.runemarks import ALLIANCES, FACTIONS, alliance_of, name_of

CODE, NAME = "WC130", "unusable-ability"
SEVERITY, CONFIDENCE = Severity.ERROR, Confidence.LIKELY
LOOKS_AT = Ability


def find(ability: Ability, context: CheckContext) -> Findings:
    """Yield the first faction or grand alliance that excludes an earlier one, unless some fighter has all."""
    first = ""
    for index, mark in enumerate(ability.runemarks):
        if mark not in FACTIONS and mark not in ALLIANCES:
            continue
        if first and not _can_go_together(first, mark):
            if not any(fighter.marks.issuperset(ability.runemarks) for fighter in context.scope.cards_of_type(Fighter)):
                message = f"no fighter is of '{name_of(first)}' and of '{name_of(mark)}'"
                yield Finding(message, ("runemarks", index), help="write an ability for each of them")
            return
        first = mark if mark in FACTIONS else first or mark


def _can_go_together(one: str, other: str) -> bool:
    """Whether a fighter has both: a faction and its grand alliance."""
    return one == other or (alliance_of(one) == alliance_of(other) and not (one in FACTIONS and other in FACTIONS))
