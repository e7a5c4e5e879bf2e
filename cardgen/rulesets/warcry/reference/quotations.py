"""Numbers of Warcry to quote in a text."""

from __future__ import annotations

from cardgen.reference.sources import NotAvailableError
from cardgen.rulesets.reference import GameData
from cardgen.rulesets.warcry.kinds import MAX_REGULAR_WOUNDS, POINTS_LIMIT
from cardgen.rulesets.warcry.procedures.activation import ACTIONS
from cardgen.rulesets.warcry.procedures.dice import INITIATIVE_DICE
from cardgen.rulesets.warcry.procedures.duelling import ROUNDS
from cardgen.rulesets.warcry.procedures.phases import STRIKE_FACE
from cardgen.rulesets.warcry.roster import MAX_FIGHTERS, MIN_FIGHTERS
from cardgen.rulesets.warcry.weapon import MELEE_REACH

_FACTS = {
    "actions": str(ACTIONS),
    "dice": str(INITIATIVE_DICE),
    "points": str(POINTS_LIMIT),
    "fewest": str(MIN_FIGHTERS),
    "most": str(MAX_FIGHTERS),
    "melee": str(MELEE_REACH),
    "regular": str(MAX_REGULAR_WOUNDS),
    "strikes": f"{STRIKE_FACE}+",
}


def _fact(name: str, data: GameData) -> str:
    """A number that the program itself plays by; that of the battle rounds is a ruling."""
    if name == "rounds":
        return str(ROUNDS[data.rulings["rounds"]])
    if name not in _FACTS:
        raise NotAvailableError.unknown("fact", name, [*_FACTS, "rounds"])
    return _FACTS[name]


INLINE_VALUES = {"fact": _fact}
