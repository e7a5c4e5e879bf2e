"""Questions to the players, which are only asked if the answer changes something."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from cardgen.game import Decision, Procedure
from cardgen.rulesets.warcry.referee.battle.combatant import Combatant
from cardgen.rulesets.warcry.referee.battle.table import Table

T = TypeVar("T")
YES, NO = "yes", "no"
NOBODY, NEITHER = "nobody", "neither"


def choose(key: str, who: str, what: str, options: Mapping[str, T]) -> Procedure[T]:
    """Ask for one of several options by label; a single option is not asked for."""
    if len(options) == 1:
        return next(iter(options.values()))
    answer = yield Decision(key, who, what, tuple(options))
    return options[answer]


def confirm(key: str, who: str, what: str) -> Procedure[bool]:
    """Ask a question with the answers yes and no."""
    return (yield from choose(key, who, what, {YES: True, NO: False}))


def choose_fighter(
    key: str, who: str, what: str, fighters: Iterable[Combatant], nobody: str = ""
) -> Procedure[Combatant | None]:
    """Ask for a fighter, or, with the label `nobody`, for none; return None if there is none."""
    options: dict[str, Combatant | None] = {nobody: None} if nobody else {}
    options |= {str(each): each for each in fighters}
    if not options:
        return None
    return (yield from choose(key, who, what, options))


def is_near_objective(table: Table, who: Combatant, objective: str = "an objective") -> Procedure[bool]:
    """Ask whether a fighter is within 3 inches of an objective; the answer holds until it moves."""
    known = table.distances.fact(who, who, objective)
    if known is None:
        known = yield from confirm("near", table.side_of(who).name, f'{who.name} is within 3" of {objective}')
        table.distances.note(who, who, known, objective)
    return known
