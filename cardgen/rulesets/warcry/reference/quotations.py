"""Numbers of Warcry to quote in a text."""

from __future__ import annotations

from cardgen.reference.sources import RefusedError
from cardgen.rulesets.reference import Knowledge
from cardgen.rulesets.warcry.kinds import POINTS_LIMIT, REGULAR_WOUNDS
from cardgen.rulesets.warcry.procedures.activation import ACTIONS
from cardgen.rulesets.warcry.procedures.dice import SIX
from cardgen.rulesets.warcry.procedures.duelling import ROUNDS
from cardgen.rulesets.warcry.procedures.phases import STRIKES_FROM
from cardgen.rulesets.warcry.roster import FEWEST, MOST
from cardgen.rulesets.warcry.weapon import MELEE_REACH

_FACTS = {
    "actions": str(ACTIONS),
    "dice": str(SIX),
    "points": str(POINTS_LIMIT),
    "fewest": str(FEWEST),
    "most": str(MOST),
    "melee": str(MELEE_REACH),
    "regular": str(REGULAR_WOUNDS),
    "strikes": f"{STRIKES_FROM}+",
}


def _fact(name: str, known: Knowledge) -> str:
    """A number that the program itself plays by; that of the battle rounds is a ruling."""
    if name == "rounds":
        return str(ROUNDS[known.rulings["rounds"]])
    if name not in _FACTS:
        raise RefusedError.unknown("fact", name, [*_FACTS, "rounds"])
    return _FACTS[name]


QUOTATIONS = {"fact": _fact}
